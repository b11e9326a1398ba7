"""The two groups of eight-ball and black ball: solids 1 to 7 and stripes 9 to 15 (E8.0, BB.2)."""

from enum import StrEnum


class Group(StrEnum):
    """Whose balls; black ball calls the same numbers reds and yellows."""

    SOLIDS = "solids"
    STRIPES = "stripes"
    REDS = "reds"
    YELLOWS = "yellows"


_LOW, _HIGH = frozenset(range(1, 8)), frozenset(range(9, 16))
_OPPOSITE = {
    Group.SOLIDS: Group.STRIPES, Group.STRIPES: Group.SOLIDS,
    Group.REDS: Group.YELLOWS, Group.YELLOWS: Group.REDS,
}  # fmt: skip


def balls_of(group: Group) -> frozenset[int]:
    """The seven balls of a group."""
    return _LOW if group in (Group.SOLIDS, Group.REDS) else _HIGH


def opposite(group: Group) -> Group:
    """The other group of the same game."""
    return _OPPOSITE[group]


def group_of(ball: int, groups: tuple[Group, Group]) -> Group | None:
    """The group of a ball, of the two that a game has; None for the 8 and the cue ball."""
    return next((group for group in groups if ball in balls_of(group)), None)
