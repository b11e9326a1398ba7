"""Characters that have no place in what people read: they steer a terminal or turn text around."""

import unicodedata

JOINERS = "\u200c\u200d"
"""Format characters that some scripts and many pictures need."""
_TRICKS = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def is_trick(c: str) -> bool:
    """Whether a character is a control or formatting one, half of one, or none at all."""
    return unicodedata.category(c) in _TRICKS and c not in JOINERS


def plain(text: str) -> str:
    """The text as it may go to a terminal: lines and tabs stay, tricks are left out."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c for c in text if c in "\n\t" or not is_trick(c))
