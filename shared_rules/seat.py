"""The two seats of a match."""

from typing import Literal

Seat = Literal[0, 1]


def other(seat: Seat) -> Seat:
    """The opponent's seat."""
    return 1 if seat == 0 else 0
