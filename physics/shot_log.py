"""What a run leaves behind, from which the events of the shot are completed."""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from physics.geometry import Geometry
from physics.outcome import Piece, Recorded, TimedImpulse, World
from physics.state import BallState
from shared_rules.events import Event

Array = NDArray[np.float64]


class ShotLog(msgspec.Struct, frozen=True):
    """What a run left behind, before the events that follow from it are put in.

    ``rows`` are the logged pieces in order of time (columns in ``layout``), ``balls`` the ball of
    each index in them.
    """

    world: World
    geometry: Geometry
    states: Sequence[BallState]
    impulses: Sequence[TimedImpulse]
    balls: Sequence[int]
    rows: Array
    pieces: Mapping[int, Sequence[Piece]]
    final: Mapping[int, BallState]
    duration: float
    cut: bool
    tie_window: float
    frozen_tolerance: float
    leaves_rail: float
    graze_deg: float
    upper_tip: bool


def state_at(piece: Piece, at: float) -> BallState:
    """State of a ball ``at`` seconds, within (or at the end of) one of its pieces."""
    s = at - piece.start
    (x, y, z), (vx, vy, vz), (ax, ay, az) = piece.pos, piece.vel, piece.acc
    (wx, wy, wz), (bx, by, bz) = piece.spin, piece.spin_acc
    return BallState(
        piece.ball,
        (x + (vx + 0.5 * ax * s) * s, y + (vy + 0.5 * ay * s) * s, z + (vz + 0.5 * az * s) * s),
        (vx + ax * s, vy + ay * s, vz + az * s),
        (wx + bx * s, wy + by * s, wz + bz * s),
        piece.motion,
    )


def alone(event: Event, state: BallState) -> Recorded:
    """An event that involves one ball and changes nothing of it."""
    return Recorded(event, None, {state.ball: state}, {state.ball: state})
