"""What a run leaves behind, from which the events of the shot are completed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.geometry import Geometry
from physics.outcome import Piece, Recorded, TimedImpulse, World
from physics.state import BallState
from shared_rules.events import Event

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ShotLog:
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
    pos, vel, spin = [], [], []
    for x in range(3):
        pos.append(piece.pos[x] + (piece.vel[x] + 0.5 * piece.acc[x] * s) * s)
        vel.append(piece.vel[x] + piece.acc[x] * s)
        spin.append(piece.spin[x] + piece.spin_acc[x] * s)
    return BallState(
        piece.ball, (pos[0], pos[1], pos[2]), (vel[0], vel[1], vel[2]),
        (spin[0], spin[1], spin[2]), piece.motion,
    )  # fmt: skip


def alone(event: Event, state: BallState) -> Recorded:
    """An event that involves one ball and changes nothing of it."""
    return Recorded(event, None, {state.ball: state}, {state.ball: state})
