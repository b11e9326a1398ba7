"""The cushions seen from above, at the height of their noses: what a ball on the bed may touch.

A cushion is a nose and, at either end of it, a jaw that turns into a pocket: a flat facing, or on
some tables an arc and what is left of a facing behind it.  A facing is an end of its cushion, so
what touches it touches that rail (D8.1); the two halves of a side rail are one rail (ambiguity 61).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import atan2, cos, hypot, pi, radians, sin, sqrt, tan

from shared_rules.events import Rail
from shared_rules.table import Position, TableFrame

DEPTH = 0.0508  # m, how far behind the nose line jaws end: no ball on the bed reaches farther


@dataclass(frozen=True, slots=True)
class Line:
    """A straight part of a cushion, a nose or a facing, from ``a`` to ``b``."""

    a: Position
    b: Position

    def nearest(self, place: Position) -> Position:
        """The point of it that is nearest to a place."""
        (ax, ay), (bx, by) = self.a, self.b
        dx, dy = bx - ax, by - ay
        t = ((place.x - ax) * dx + (place.y - ay) * dy) / (dx * dx + dy * dy)
        t = min(1.0, max(0.0, t))
        return Position(ax + t * dx, ay + t * dy)


@dataclass(frozen=True, slots=True)
class Arc:
    """A rounded jaw: from the end of the nose, straight above ``centre``, by ``turn`` (rad).

    ``along`` leads along the nose to the pocket, ``out`` off the table; ``radius`` in m.
    """

    centre: Position
    radius: float
    turn: float
    along: Position
    out: Position

    def nearest(self, place: Position) -> Position:
        """The point of it that is nearest to a place outside of it."""
        dx, dy = place.x - self.centre.x, place.y - self.centre.y
        over = atan2(
            dx * self.along.x + dy * self.along.y, -(dx * self.out.x + dy * self.out.y)
        )  # fmt: skip
        angle = min(self.turn, max(0.0, over))
        return _moved(self.centre, self.along, self.out, self.radius * sin(angle),
                      -self.radius * cos(angle))  # fmt: skip


Part = Line | Arc


def _moved(
    start: Position, along: Position, out: Position, by_along: float, by_out: float
) -> Position:
    return Position(
        start.x + by_along * along.x + by_out * out.x, start.y + by_along * along.y + by_out * out.y
    )


@dataclass(frozen=True, slots=True)
class _End:
    """How cushions end at a kind of pocket: distance of the nose's end from the corner (or the
    middle) of the rail, m; by how much the jaw turns, rad; radius of its arc, m."""

    inset: float
    turn: float
    radius: float

    def jaw(self, point: Position, along: Position, out: Position) -> Iterator[Part]:
        """The parts of a jaw at the end ``point`` of a nose."""
        radius, turn = self.radius, self.turn
        if radius > 0.0:
            yield Arc(_moved(point, along, out, 0.0, radius), radius, turn, along, out)
        side, deep = radius * sin(turn), radius * (1.0 - cos(turn))
        rest = DEPTH - deep
        # A side jaw that is rounded turns until it runs into the pocket, and ends there.
        if radius == 0.0 or turn < 0.4 * pi:
            yield Line(
                _moved(point, along, out, side, deep),
                _moved(point, along, out, side + rest / tan(turn), DEPTH),
            )


def _ends(frame: TableFrame) -> tuple[_End, _End]:
    """How cushions end at corner and side pockets."""
    corner_radius, side_radius = frame.jaw_radius
    corner, side = frame.corner_mouth / sqrt(2.0), 0.5 * frame.side_mouth
    corner_turn = radians(180.0 - frame.corner_angle_deg)
    side_turn = radians(180.0 - frame.side_angle_deg)
    if corner_radius > 0.0:
        # The mouth is narrowest where the jaw runs along the pocket's axis.
        corner_turn = pi / 4
        corner += corner_radius * (sin(corner_turn) - (1.0 - cos(corner_turn)))
    if side_radius > 0.0:
        side, side_turn = side + side_radius, pi / 2
    return _End(corner, corner_turn, corner_radius), _End(side, side_turn, side_radius)


def _cushion(a: Position, b: Position, out: Position, ends: tuple[_End, _End]) -> Iterator[Part]:
    """The parts of a cushion with the nose from ``a`` to ``b``."""
    yield Line(a, b)
    size = hypot(b.x - a.x, b.y - a.y)
    along = Position((b.x - a.x) / size, (b.y - a.y) / size)
    yield from ends[0].jaw(a, Position(-along.x, -along.y), out)
    yield from ends[1].jaw(b, along, out)


@lru_cache(maxsize=64)
def rails_of(frame: TableFrame) -> dict[Rail, tuple[Part, ...]]:
    """The parts of each rail: the noses and jaws of its one or two cushions."""
    x, y = frame.length / 2, frame.width / 2
    corner, side = _ends(frame)
    parts: dict[Rail, tuple[Part, ...]] = {}
    ends: tuple[tuple[Rail, float], ...] = (("head", -1.0), ("foot", 1.0))
    flanks: tuple[tuple[Rail, float], ...] = (("left", 1.0), ("right", -1.0))
    for rail, sign in ends:
        a = Position(sign * x, corner.inset - y)
        b = Position(sign * x, y - corner.inset)
        parts[rail] = tuple(_cushion(a, b, Position(sign, 0.0), (corner, corner)))
    for rail, sign in flanks:
        halves: list[Part] = []
        for end in (-1.0, 1.0):
            a = Position(end * (x - corner.inset), sign * y)
            b = Position(end * side.inset, sign * y)
            halves += _cushion(a, b, Position(0.0, sign), (corner, side))
        parts[rail] = tuple(halves)
    return parts


def nearest_on_rail(place: Position, rail: Rail, frame: TableFrame) -> Position:
    """The point of a rail, on a nose or a jaw, that is nearest to a place on the bed."""
    points = (part.nearest(place) for part in rails_of(frame)[rail])
    return min(points, key=lambda p: hypot(p.x - place.x, p.y - place.y))
