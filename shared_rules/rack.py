"""Whether a rack stands as the rules want it (N9.2a, W9.2)."""

from collections.abc import Mapping, Sequence
from math import hypot, sqrt

from shared_rules.placement import on_table
from shared_rules.refusal import Code, Refusal
from shared_rules.table import Position, TableFrame

NINE_BALL_ROWS = (1, 2, 3, 2, 1)
# Positions come through a file or a wire; a tenth of a micrometre is not a gap.
_ROUNDING = 1e-7


def rows_valid(rows: Sequence[Sequence[int]]) -> bool:
    """Whether rows from the apex back are a nine-ball rack: 1 in front, 9 in the middle."""
    balls = [ball for row in rows for ball in row]
    return (
        tuple(len(row) for row in rows) == NINE_BALL_ROWS
        and sorted(balls) == list(range(1, 10))
        and rows[0][0] == 1
        and rows[2][1] == 9
    )


def rack_slots(frame: TableFrame) -> list[Position]:
    """Places of a perfect diamond, row after row from the apex, each from left (+y) to right."""
    step = 2 * frame.ball_radius
    return [
        Position(frame.foot_spot.x + row * step * sqrt(0.75), ((count - 1) / 2 - k) * step)
        for row, count in enumerate(NINE_BALL_ROWS)
        for k in range(count)
    ]


def check_rack(balls: Mapping[int, Position], frame: TableFrame, gap_mm: float) -> None:
    """Refuse balls that are no nine-ball rack with gaps up to ``gap_mm``.

    Raises:
        Refusal: ``malformed``: the server has racked wrongly.
    """
    if sorted(balls) != list(range(1, 10)):
        raise Refusal(Code.MALFORMED, "a nine-ball rack is of balls 1 to 9")
    if not all(on_table(Position(*place), frame) for place in balls.values()):
        raise Refusal(Code.MALFORMED, "a ball was racked beside the table")
    slots = rack_slots(frame)
    order = [min((_distance(balls[b], slot), b) for b in balls)[1] for slot in slots]
    rows: list[list[int]] = []
    for count in NINE_BALL_ROWS:
        rows.append(order[:count])
        order = order[count:]
    if not rows_valid(rows):
        raise Refusal(Code.MALFORMED, "the 1 stands on the foot spot and the 9 in the middle")
    gap = gap_mm * 1e-3 + _ROUNDING
    if _distance(balls[1], frame.foot_spot) > gap:
        raise Refusal(Code.MALFORMED, "the 1 does not stand on the foot spot")
    _check_gaps([ball for row in rows for ball in row], balls, slots, gap, frame)


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
