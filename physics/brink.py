"""What balls do at the brink of a pocket: some fall after the rest, some are held over a hole.

A ball that has stopped with its centre less than BRINK from where an edge begins to round lies on
cloth that gives way: it creeps over, at CREEPING, within some seconds, and falls.  No source gives
either figure; they make a late drop rare and let it come on either side of the five seconds of
N9.9n.  What lay there when the shot began stays, and so does what another ball is in the way of.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist, hypot

import numpy as np
from numpy.typing import NDArray

from physics.holding import BESIDE
from physics.layout import HOLE_RADIUS, HOLE_X, HOLE_Y, PIECE_WIDTH, POCKETED
from physics.outcome import Piece, Recorded
from physics.shot_log import ShotLog, alone
from physics.state import BallState, Motion, Vector
from shared_rules.events import (
    POCKETS,
    Event,
    Pocket,
    SettledDrop,
    SettledMove,
    SupportedOverPocket,
)

Array = NDArray[np.float64]

BRINK = 3e-4  # m
CREEPING = 5e-5  # m/s


@dataclass(frozen=True, slots=True)
class Fall:
    """A ball that comes to the edge of ``hole`` at the time ``at`` (s), at ``edge``, by itself."""

    at: float
    ball: int
    hole: int
    edge: Vector
    vel: Vector
    spin: Vector


def _in_play(log: ShotLog) -> list[BallState]:
    return [s for s in log.final.values() if s.motion < POCKETED]


def _at_holes(log: ShotLog) -> list[tuple[BallState, int, float]]:
    """Balls in play with their centre over a hole or less than BRINK from it.

    Each with the number of the hole and how far it is from where the edge begins to round (m),
    less than 0 over the hole.
    """
    # All holes lie beside the long rails, and most balls don't.
    near = log.geometry.holes_from - BRINK
    beside = [s for s in log.final.values() if s.motion < POCKETED and abs(s.pos[1]) >= near]
    found = []
    for state in beside:
        x, y, _ = state.pos
        for number, hole in enumerate(log.geometry.holes.tolist()):
            gap = hypot(hole[HOLE_X] - x, hole[HOLE_Y] - y) - hole[HOLE_RADIUS]
            if gap < BRINK:
                found.append((state, number, gap))
    return found


def falls(log: ShotLog) -> list[Fall]:
    """The balls that creep over an edge after all have stopped, in order of time."""
    found = []
    for state, number, gap in _at_holes(log):
        radius = log.world.spec(state.ball).radius
        if gap < 0.0 or state.pos[2] != radius:
            continue
        if all(p.motion is Motion.REST for p in log.pieces[state.ball]):
            continue
        hole = log.geometry.holes[number].tolist()
        x, y = hole[HOLE_X] - state.pos[0], hole[HOLE_Y] - state.pos[1]
        far = hypot(x, y)
        ux, uy = x / far, y / far
        edge = (state.pos[0] + gap * ux, state.pos[1] + gap * uy, radius)
        if any(
            dist(edge, other.pos) < radius + log.world.spec(other.ball).radius
            for other in _in_play(log)
            if other.ball != state.ball
        ):
            continue
        vel = (CREEPING * ux, CREEPING * uy, 0.0)
        spin = (-vel[1] / radius, vel[0] / radius, 0.0)
        at = log.duration + gap / CREEPING
        found.append(Fall(at, state.ball, number, edge, vel, spin))
    return sorted(found, key=lambda fall: (fall.at, fall.ball))


def creeping_piece(index: int, start: float, pos: Vector, fall: Fall) -> Array:
    """The logged piece (columns in ``layout``) of a ball on its way to the edge."""
    row = np.zeros(PIECE_WIDTH)
    row[0], row[1] = index, start
    row[2:5], row[5:8], row[11:14] = pos, fall.vel, fall.spin
    row[17], row[18] = Motion.ROLL, -1.0
    return row


def supported(log: ShotLog) -> list[Recorded]:
    """Balls at rest with their centre over a hole, each with the nearest ball that holds it."""
    recorded = []
    for state, number, edge_gap in _at_holes(log):
        if edge_gap >= 0.0 or state.motion is not Motion.REST:
            continue
        radius = log.world.spec(state.ball).radius
        gaps = [
            (dist(o.pos, state.pos) - radius - log.world.spec(o.ball).radius, o.ball)
            for o in _in_play(log)
            if o.ball != state.ball
        ]
        gap, by = min(gaps, default=(BESIDE, None))
        event = SupportedOverPocket(
            at=log.duration, ball=state.ball, pocket=POCKETS[number],
            by=by if gap < BESIDE else None,
        )  # fmt: skip
        recorded.append(alone(event, state))
    return recorded


def settled(
    log: ShotLog,
    final: Mapping[int, BallState],
    pieces: Mapping[int, Sequence[Piece]],
    pockets: Mapping[int, Pocket],
) -> list[Recorded]:
    """What moved after the rest, each ball where it lay and where it went, in order of time."""
    recorded = []
    for ball, state in final.items():
        lay = log.final[ball]
        if state == lay:
            continue
        at = pieces[ball][-1].start
        after = at - log.duration
        event: Event = SettledMove(at=at, ball=ball, after_s=after)
        if ball in pockets:
            event = SettledDrop(at=at, ball=ball, pocket=pockets[ball], after_s=after)
        recorded.append(Recorded(event, None, {ball: lay}, {ball: state}))
    return sorted(recorded, key=lambda record: record.event.at)
