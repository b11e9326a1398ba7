"""Whether a rack stands as the rules want it (N9.2a, W9.2, E8.2)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt

from shared_rules.groups import Group, group_of
from shared_rules.placement import on_table
from shared_rules.refusal import Code, Refusal
from shared_rules.table import Position, TableFrame

DIAMOND = (1, 2, 3, 2, 1)
TRIANGLE = (1, 2, 3, 4, 5)
# Positions come through a file or a wire; a tenth of a micrometre is not a gap.
_ROUNDING = 1e-7

Rows = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class RackPattern:
    """How a game's balls stand.

    ``sizes``: balls of each row from the apex back.  ``spot_row``: the row whose middle stands on
    the foot spot.  ``order_fault``: what is wrong with the order of rows of the right balls and
    sizes, None if nothing is.
    """

    balls: tuple[int, ...]
    sizes: tuple[int, ...]
    order_fault: Callable[[Rows], Refusal | None]
    spot_row: int = 0

    def fault(self, rows: Rows) -> Refusal | None:
        """Why rows from the apex back are no rack of this game; None if they are one."""
        balls = [ball for row in rows for ball in row]
        if tuple(len(row) for row in rows) != self.sizes or sorted(balls) != list(self.balls):
            many = f"{self.balls[0]} to {self.balls[-1]}"
            return Refusal(Code.MALFORMED, f"a rack is of balls {many} in rows of {self.sizes}")
        return self.order_fault(rows)

    def slots(self, frame: TableFrame) -> list[Position]:
        """Places of a perfect rack, row after row from the apex, each from left (+y) to right."""
        step = 2 * frame.ball_radius
        return [
            Position(
                frame.foot_spot.x + (row - self.spot_row) * step * sqrt(0.75),
                ((count - 1) / 2 - k) * step,
            )
            for row, count in enumerate(self.sizes)
            for k in range(count)
        ]

    @property
    def spot_slot(self) -> int:
        """Which of ``slots`` is on the foot spot."""
        return sum(self.sizes[: self.spot_row]) + self.sizes[self.spot_row] // 2


def mixed_corners(rows: Rows, groups: tuple[Group, Group]) -> Refusal | None:
    """What is wrong with a rack whose back corners hold balls of one group (E8.2, BB.4)."""
    if group_of(rows[-1][0], groups) is not group_of(rows[-1][-1], groups):
        return None
    return Refusal(
        Code.BACK_CORNERS_SAME_GROUP, "one ball of each group stands in the back corners"
    )


def check_rack(
    pattern: RackPattern, balls: Mapping[int, Position], frame: TableFrame, gap_mm: float
) -> None:
    """Refuse balls that are no rack of a game with gaps up to ``gap_mm`` (N9.2a2).

    Raises:
        Refusal: ``malformed`` or what the game's order asks for: the server has racked wrongly.
    """
    if sorted(balls) != list(pattern.balls):
        many = f"{pattern.balls[0]} to {pattern.balls[-1]}"
        raise Refusal(Code.MALFORMED, f"a rack is of balls {many}")
    if not all(on_table(Position(*place), frame) for place in balls.values()):
        raise Refusal(Code.MALFORMED, "a ball was racked beside the table")
    slots = pattern.slots(frame)
    order = [min((_distance(balls[b], slot), b) for b in balls)[1] for slot in slots]
    rows: list[list[int]] = []
    left = list(order)
    for count in pattern.sizes:
        rows.append(left[:count])
        left = left[count:]
    fault = pattern.fault(rows)
    if fault is not None:
        raise fault
    gap = gap_mm * 1e-3 + _ROUNDING
    if _distance(balls[order[pattern.spot_slot]], frame.foot_spot) > gap:
        raise Refusal(Code.MALFORMED, "no ball stands on the foot spot as it should")
    _check_gaps(order, balls, slots, gap, frame)


def _check_gaps(
    order: list[int], balls: Mapping[int, Position], slots: list[Position], gap: float,
    frame: TableFrame,
) -> None:  # fmt: skip
    touching = 2 * frame.ball_radius
    for i, first in enumerate(order):
        for j in range(i + 1, len(order)):
            apart = _distance(balls[first], balls[order[j]])
            if apart < touching - _ROUNDING:
                raise Refusal(Code.MALFORMED, f"balls {first} and {order[j]} overlap")
            neighbours = _distance(slots[i], slots[j]) < 1.1 * touching
            if neighbours and apart > touching + gap:
                raise Refusal(Code.MALFORMED, f"balls {first} and {order[j]} do not touch")


def _distance(a: Position, b: Position) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])
