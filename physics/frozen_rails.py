"""Balls frozen to a rail before the shot: which contacts are still the old one, when they leave.

D8.4: such a ball is driven to that rail only once it has left it.  A rail is its noses and the
jaws at their ends; across the mouth of a pocket it goes on as the line of its noses, so that a ball
that rolls along a rail past a side pocket has not left it (ambiguity 61).
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import hypot, inf, sqrt

import msgspec
import numpy as np

from physics.geometry import Geometry
from physics.layout import (
    CORNER_COS,
    CORNER_CUSHION,
    CORNER_DX,
    CORNER_DY,
    CORNER_RADIUS,
    CORNER_X,
    CORNER_Y,
    EDGE_CUSHION,
    EDGE_LEN,
    EDGE_NX,
    EDGE_NY,
    EDGE_TX,
    EDGE_TY,
    EDGE_X,
    EDGE_Y,
    POCKETED,
    TOUCH,
)
from physics.motion import contact_distance
from physics.outcome import Piece, Recorded
from physics.shot_log import ShotLog, alone, state_at
from shared_rules.events import RAILS, Jaw, LeavesRail, Rail, RailContact

Row = list[float]
# Which way a rail lies: axis, and the sign of the coordinate that leads away from it.
_ACROSS: dict[Rail, tuple[int, float]] = {
    "head": (0, 1.0), "foot": (0, -1.0), "left": (1, -1.0), "right": (1, 1.0),
}  # fmt: skip


class _Outline:
    """A rail seen from above: straight lines (rows of ``edges``), points and arcs (``corners``)."""

    def __init__(self, geometry: Geometry, rail: Rail) -> None:
        mine = [RAILS[cushion.rail] == rail for cushion in geometry.cushions]
        self.edges: list[Row] = [e for e in geometry.edges.tolist() if mine[int(e[EDGE_CUSHION])]]
        self.corners: list[Row] = [
            c for c in geometry.corners.tolist() if mine[int(c[CORNER_CUSHION])]
        ]

    def distance(self, x: float, y: float) -> float:
        """Of a point beside the rail, m."""
        least = inf
        for e in self.edges:
            dx, dy = x - e[EDGE_X], y - e[EDGE_Y]
            if 0.0 <= dx * e[EDGE_TX] + dy * e[EDGE_TY] <= e[EDGE_LEN]:
                least = min(least, abs(dx * e[EDGE_NX] + dy * e[EDGE_NY]))
        for c in self.corners:
            dx, dy = x - c[CORNER_X], y - c[CORNER_Y]
            far = hypot(dx, dy)
            if dx * c[CORNER_DX] + dy * c[CORNER_DY] >= c[CORNER_COS] * far:
                least = min(least, far - c[CORNER_RADIUS])
        return least

    def times_at(self, piece: Piece, distance: float) -> Iterator[float]:
        """When, after its start, a piece may be at that distance: of each part by itself."""
        (x, y, _), (vx, vy, _), (ax, ay, _) = piece.pos, piece.vel, piece.acc
        for e in self.edges:
            nx, ny = e[EDGE_NX], e[EDGE_NY]
            off = nx * (x - e[EDGE_X]) + ny * (y - e[EDGE_Y]) - distance
            yield from _roots(off, nx * vx + ny * vy, 0.5 * (nx * ax + ny * ay))
        for c in self.corners:
            dx, dy, far = x - c[CORNER_X], y - c[CORNER_Y], distance + c[CORNER_RADIUS]
            quartic = (
                0.25 * (ax * ax + ay * ay),
                vx * ax + vy * ay,
                vx * vx + vy * vy + dx * ax + dy * ay,
                2.0 * (dx * vx + dy * vy),
                dx * dx + dy * dy - far * far,
            )
            yield from (float(t.real) for t in np.roots(quartic) if t.imag == 0.0)


def _roots(c0: float, c1: float, c2: float) -> tuple[float, ...]:
    """Of c0 + c1 t + c2 t^2."""
    if c2 == 0.0:
        return () if c1 == 0.0 else (-c0 / c1,)
    disc = c1 * c1 - 4.0 * c2 * c0
    if disc < 0.0:
        return ()
    root = sqrt(disc)
    return (-c1 - root) / (2.0 * c2), (-c1 + root) / (2.0 * c2)


def _reach(log: ShotLog, ball: int) -> float:
    """Distance of a ball's centre from a nose line or a jaw that it touches on the bed, m."""
    return contact_distance(log.world.spec(ball).radius, log.world.table.nose_height)


def _frozen_rails(log: ShotLog) -> list[tuple[int, Rail]]:
    """Balls frozen to a rail at the start, each with that rail."""
    frozen: list[tuple[int, Rail]] = []
    table = log.world.table
    if not table.bounded:
        return frozen
    half_x, half_y = 0.5 * table.length, 0.5 * table.width
    for state in log.states:
        x, y, z = state.pos
        radius = log.world.spec(state.ball).radius
        # The centre is nearer to the nose at a touch than the radius.
        far = radius + log.frozen_tolerance + TOUCH
        if z != radius or (abs(x) < half_x - far and abs(y) < half_y - far):
            continue
        near = _reach(log, state.ball) + log.frozen_tolerance + TOUCH
        if state.motion >= POCKETED or (abs(x) < half_x - near and abs(y) < half_y - near):
            continue
        for rail in RAILS:
            if _Outline(log.geometry, rail).distance(x, y) <= near:
                frozen.append((state.ball, rail))
    return frozen


class _Departure:
    """When a ball frozen to a rail has left it: is further from it than ``least``.

    Beside the noses that is the distance from their line.  Behind that line, in a pocket's mouth,
    it is the distance from the jaws.
    """

    def __init__(self, log: ShotLog, ball: int, rail: Rail) -> None:
        table, self._reach = log.world.table, _reach(log, ball)
        self._axis, self._sense = _ACROSS[rail]
        self._line = 0.5 * (table.width if self._axis else table.length) - self._reach
        self._least = max(log.leaves_rail, log.frozen_tolerance + TOUCH)
        self._outline = _Outline(log.geometry, rail)

    def within(self, piece: Piece, span: float) -> float | None:
        """The first time after its start, up to ``span``, at which a piece has left, or None."""
        sense, axis, least = self._sense, self._axis, self._least
        off = self._line + sense * piece.pos[axis]
        speed, half = sense * piece.vel[axis], 0.5 * sense * piece.acc[axis]
        turns = [*_roots(off - least, speed, half)]
        behind = [t for t in _roots(off + least, speed, half) if 0.0 <= t <= span]
        if behind or off < -least:
            turns += behind
            turns += self._outline.times_at(piece, self._reach + least)
        for a, b in pairwise(sorted([0.0, span, *(t for t in turns if 0.0 <= t <= span)])):
            # Between neighbouring times at which it may change one look is enough.
            if self._is_away(piece, 0.5 * (a + b)):
                return a
        return None

    def _is_away(self, piece: Piece, t: float) -> bool:
        x, y = (piece.pos[k] + (piece.vel[k] + 0.5 * piece.acc[k] * t) * t for k in (0, 1))
        off = self._line + self._sense * (y if self._axis else x)
        if off >= -self._least:
            return off > self._least
        return self._outline.distance(x, y) > self._reach + self._least


def _leaves(log: ShotLog, ball: int, rail: Rail) -> Recorded | None:
    """When a ball frozen to a rail is first further from it than that: it has left."""
    departure = _Departure(log, ball, rail)
    pieces = log.pieces[ball]
    for k, piece in enumerate(pieces):
        if piece.motion >= POCKETED:
            break
        end = pieces[k + 1].start if k + 1 < len(pieces) else log.duration
        t = departure.within(piece, end - piece.start)
        if t is not None:
            at = piece.start + t
            return alone(LeavesRail(at=at, ball=ball, rail=rail), state_at(piece, at))
    return None


def _touches(records: Iterable[Recorded], ball: int, rail: Rail) -> Iterator[int]:
    """Places of the contacts of a ball with a rail."""
    for k, record in enumerate(records):
        event = record.event
        if isinstance(event, RailContact | Jaw) and event.ball == ball and event.rail == rail:
            yield k


def mark_frozen_rails(log: ShotLog, events: list[Recorded]) -> list[Recorded]:
    """Set ``still_frozen`` on contacts before a ball has left its rail; the departures."""
    departures = []
    for ball, rail in _frozen_rails(log):
        departure = _leaves(log, ball, rail)
        left = departure.event.at if departure is not None else log.duration
        for k in list(_touches(events, ball, rail)):
            event = events[k].event
            if event.at <= left:
                still = msgspec.structs.replace(event, still_frozen=True)
                events[k] = msgspec.structs.replace(events[k], event=still)
        if departure is not None:
            departures.append(departure)
    return departures
