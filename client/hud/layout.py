"""Where every panel lies, for a sheet of any size: spread out, or folded where room is short.

Units are those of a 1280×720 design.  A small window, or large writing, leaves a smaller sheet;
below :data:`SPREAD` the panels are folded, and :data:`LEAST` is the smallest sheet of all.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

SPREAD = (980.0, 640.0)
"""The panels need this much to lie spread out."""
LEAST = (640.0, 360.0)
"""And this much to lie folded: 1280×720 at twice the size."""
TABLE_ASPECT = 1.8
"""Length by width of a table with its rails and a margin."""
GAP = 8.0


class Box(NamedTuple):
    """A rectangle: left, top, width, height."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + self.h


@dataclass(frozen=True)
class Layout:
    """The places of the panels.  ``ruling`` and ``minimap`` are the most that these may take.

    ``type``: size of the writing against that of the spread design.  ``middle``: from where to
    where what is at the bottom may reach between the corners; ``choice``: the same while nothing
    is aimed.
    """

    folded: bool
    margin: float
    type: float
    scoreboard: Box
    clock: Box
    link: Box
    ruling: Box
    minimap: Box
    corner: Box
    side: Box
    power: Box
    tip: Box
    tip_radius: float
    toast: Box
    middle: tuple[float, float]
    choice: tuple[float, float]
    button: float
    obstacles: tuple[Box, ...]
    """What a table seen from above should not lie under."""


def layout_for(width: float, height: float) -> Layout:
    """The layout of a sheet."""
    if width >= SPREAD[0] and height >= SPREAD[1]:
        return _spread(width, height)
    return _folded(width, height)


def _spread(width: float, height: float) -> Layout:
    m = 14.0
    score_w = min(640.0, width - 470.0)
    scoreboard = Box((width - score_w) / 2, 10.0, score_w, 96.0)
    clock = Box(width - m - 132, 10.0, 132.0, 78.0)
    link = Box(m, 10.0, 208.0, 58.0)
    corner = Box(m, height - m - 138, 150.0, 138.0)
    minimap = Box(m, corner.y - 10 - 112, 208.0, 112.0)
    ruling = Box(m, 78.0, 208.0, minimap.y - 8 - 78)
    tip = Box(width - m - 160, height - m - 196, 160.0, 196.0)
    side = Box(tip.x, tip.y - 8 - 96, 160.0, 96.0)
    power = Box(width - m - 62, 102.0, 62.0, side.y - 8 - 102)
    toast_w = min(620.0, width - 470)
    toast = Box((width - toast_w) / 2, 109.0, toast_w, 17.0)
    aside = max(link.right, width - tip.x) + m
    middle = (aside, width - aside)
    across = middle[1] - middle[0]
    taken = 134.0 if across > 640.0 else 188.0  # two rows of actions
    bottom = Box(middle[0], height - taken, across, taken)
    read = Box(m, 78.0, 208.0, 134.0)
    obstacles = (scoreboard, toast, clock, link, read, corner, tip, side, power, bottom)
    choice = (corner.right + m, width - corner.right - m)
    return Layout(
        False, m, 1.0, scoreboard, clock, link, ruling, minimap, corner, side, power, tip, 58.0,
        toast, middle, choice, 44.0, obstacles,
    )  # fmt: skip


def _folded(width: float, height: float) -> Layout:
    m = 8.0
    clock = Box(width - m - 84, 6.0, 84.0, 62.0)
    scoreboard = Box(m, 6.0, width - 3 * m - clock.w, 62.0)
    column = min(max(0.24 * width, 152.0), 200.0)
    corner = Box(m, height - m - 28, column, 28.0)
    link = Box(m, corner.y - 6 - 38, column, 38.0)
    tip = Box(width - m - 112, height - m - 136, 112.0, 136.0)
    side = Box(tip.x, tip.y - 6 - 68, 112.0, 68.0)
    power = Box(tip.x - 6 - 42, side.y, 42.0, height - m - side.y)
    under = scoreboard.bottom + 6
    minimap = Box(width - m - 160, under, 160.0, min(side.y - 6 - under, 88.0))
    ruling = Box(m, under, column, link.y - 6 - under)
    toast = Box(ruling.right + m, under, minimap.x - ruling.right - 2 * m, 24.0)
    middle = (link.right + m, power.x - m)
    taken = 118.0 if height > 440.0 else 78.0
    bottom = Box(middle[0], height - taken, middle[1] - middle[0], taken)
    right = Box(power.x, side.y, width - power.x, height - side.y)
    left = Box(m, link.y, link.w, height - link.y)
    obstacles = (scoreboard, clock, left, right, bottom)
    choice = (link.right + m, width - m)
    return Layout(
        True, m, 0.86, scoreboard, clock, link, ruling, minimap, corner, side, power, tip, 41.0,
        toast, middle, choice, 30.0, obstacles,
    )  # fmt: skip


def folded_choice(layout: Layout) -> tuple[Box, ...]:
    """What a table seen from above should not lie under while there is a choice to be made."""
    shown = (layout.scoreboard, layout.toast, layout.clock, layout.link, layout.corner)
    return tuple(box for box in layout.obstacles if box in shown or box.x < layout.link.right)


def clear_area(
    width: float, height: float, obstacles: Iterable[Box], aspect: float = TABLE_ASPECT
) -> Box:
    """Of the places between the obstacles the one in which a table comes out largest."""
    return _clear_area(width, height, tuple(obstacles), aspect)


@lru_cache(maxsize=64)
def _clear_area(width: float, height: float, boxes: tuple[Box, ...], aspect: float) -> Box:
    lefts = sorted({GAP, *(b.right + GAP for b in boxes)})
    rights = sorted({width - GAP, *(b.x - GAP for b in boxes)})
    tops = sorted({GAP, *(b.bottom + GAP for b in boxes)})
    bottoms = sorted({height - GAP, *(b.y - GAP for b in boxes)})
    best, found = 0.0, Box(0.0, 0.0, width, height)
    for left in lefts:
        for right in rights:
            if right - left <= best * aspect:
                continue
            between = [b for b in boxes if b.x < right and b.right > left]
            for top in tops:
                for bottom in bottoms:
                    size = min((right - left) / aspect, bottom - top)
                    if size > best and not any(b.y < bottom and b.bottom > top for b in between):
                        best, found = size, Box(left, top, right - left, bottom - top)
    return found
