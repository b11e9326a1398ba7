"""What a simulation takes and gives: the world, timed impulses, pieces, recorded events."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from physics.material import Material
from physics.state import BallSpec, BallState, Motion, Vector
from physics.table import TABLES, TableSpec
from shared_rules.balls import CUE
from shared_rules.events import Event, Pocket


@dataclass(frozen=True, slots=True)
class World:
    """A table with its material.  ``balls`` overrides the table's own ball and cue ball."""

    table: TableSpec = field(default_factory=lambda: TABLES["9ft"])
    material: Material = field(default_factory=Material)
    balls: Mapping[int, BallSpec] = field(default_factory=dict)

    def spec(self, ball: int) -> BallSpec:
        """Radius and mass of a ball in this world."""
        own = self.balls.get(ball)
        if own is not None:
            return own
        return self.table.cue_ball if ball == CUE else self.table.ball


@dataclass(frozen=True, slots=True)
class FollowThrough:
    """The cue after the blow: its tip, a sphere of ``radius`` m that follows the stroke's line.

    ``offset`` of the tip's centre from the ball's at the blow (m), ``way`` the unit vector along
    the stroke, ``speed`` what the cue has left (m/s), ``length`` in which the arm stops it (m).
    ``mass`` of the whole cue (kg), restitution ``e_tip`` and friction ``mu_tip`` of the tip.
    """

    offset: Vector
    way: Vector
    speed: float
    length: float
    radius: float
    mass: float
    e_tip: float
    mu_tip: float


@dataclass(frozen=True, slots=True)
class TimedImpulse:
    """A ball set moving at ``at`` seconds with ``vel`` and ``spin`` (a stroke, once resolved).

    ``events`` (``CueStrike``, ...) are recorded at that instant, with the ball before and after.
    ``follow`` is what the cue does after it, None where it is out of the way at once.  ``rise`` is
    how far above the ball's centre the tip met it (m).
    """

    ball: int
    at: float
    vel: Vector
    spin: Vector
    events: tuple[Event, ...] = ()
    follow: FollowThrough | None = None
    rise: float = 0.0


class Piece(msgspec.Struct, frozen=True, gc=False):
    """One closed-form stretch of a ball's motion, from ``start`` to its next piece.

    ``pos + vel s + acc s^2 / 2`` and ``spin + spin_acc s`` with ``s`` the seconds since ``start``.
    The last piece of a ball is REST, POCKETED (then ``pocket`` is set) or OFF_TABLE, unless the
    run was cut.  A ball falling into a pocket is AIR.
    """

    ball: int
    start: float
    pos: Vector
    vel: Vector
    acc: Vector
    spin: Vector
    spin_acc: Vector
    motion: Motion
    pocket: Pocket | None = None


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """An event with the balls that it involves before and after.

    Contacts solved together share ``at`` and ``round`` and show a ball before and after the
    whole; ``round`` is None for what is no contact.
    """

    event: Event
    round: int | None
    before: dict[int, BallState]
    after: dict[int, BallState]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A whole shot: pieces by ball in order of time, events in order, and how it ended.

    ``duration`` is when everything was still, spin included (s); ``cut`` when ``until`` or the
    bound on events came first.  Balls that moved after that rest by themselves (``settled_drop``,
    ``settled_move``) have where they had lain in ``lay``; ``duration`` is then their end.
    """

    pieces: dict[int, list[Piece]]
    events: list[Recorded]
    final: dict[int, BallState]
    pockets: dict[int, Pocket]
    duration: float
    cut: bool
    lay: dict[int, BallState] = field(default_factory=dict)
