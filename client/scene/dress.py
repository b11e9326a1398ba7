"""What a game brings to a table: the paint of its balls, and the line across its bed."""

from dataclasses import dataclass

from shared_rules.disciplines import DISCIPLINES
from shared_rules.groups import Group


@dataclass(frozen=True)
class Dress:
    """The looks of a game.

    Attributes:
        reds: balls 1 to 7 are red and 9 to 15 yellow, without stripes (BB.2).
        baulk: the line across the bed is the baulk line (BB.1b), not the head string.
    """

    reds: bool = False
    baulk: bool = False


PLAIN = Dress()
"""Solids and stripes, and a head string."""


def dress_of(discipline: str, area: str) -> Dress:
    """The looks of a game; ``area``: from where its breaks are played (``break.area``)."""
    groups = DISCIPLINES[discipline].groups or ()
    return Dress(reds=Group.REDS in groups, baulk=area == "baulk")
