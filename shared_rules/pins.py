"""PINs: six digits that a club gives a member, beside or instead of a password.

A password has more characters, so what is six digits is a PIN wherever a password may stand.
"""

from itertools import pairwise

LENGTH = 6


def is_pin(text: str) -> bool:
    """Whether a text is six digits from 0 to 9."""
    return len(text) == LENGTH and text.isascii() and text.isdigit()


def is_easy(pin: str) -> bool:
    """Whether it is among the first that anyone tries: 112211, 123456, 654321, 123123, 121212."""
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(pin)}
    half, third = LENGTH // 2, LENGTH // 3
    repeats = pin[:half] == pin[half:] or pin == pin[:third] * 3
    return len(set(pin)) < 3 or steps in ({1}, {9}) or repeats
