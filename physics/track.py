"""One ball's way through a shot: closed-form pieces, read at any time.

Part of the trajectory (``physics.trajectory``): needs neither numba nor Bullet, so that a client
that only watches stays light.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from physics.orientation import (
    IDENTITY,
    Quaternion,
    Vector,
    multiply,
    normalised,
    step_length,
    turn,
)
from physics.state import BallState, Motion

ZERO: Vector = (0.0, 0.0, 0.0)
STILL = frozenset((Motion.REST, Motion.POCKETED, Motion.OFF_TABLE))


class ClosedForm(Protocol):
    """What a track reads of an engine's piece: constant rates from ``start`` on."""

    @property
    def start(self) -> float: ...
    @property
    def pos(self) -> Vector: ...
    @property
    def vel(self) -> Vector: ...
    @property
    def acc(self) -> Vector: ...
    @property
    def spin(self) -> Vector: ...
    @property
    def spin_acc(self) -> Vector: ...
    @property
    def motion(self) -> Motion: ...
    @property
    def pocket(self) -> str | None: ...


class Segment(NamedTuple):
    """A piece of a track; it lasts until the next one starts.  SI; ``acc`` in m/s²,
    ``spin_acc`` in rad/s², ``pocket`` only of a pocketed ball."""

    start: float
    pos: Vector
    vel: Vector
    acc: Vector
    spin: Vector
    spin_acc: Vector
    motion: Motion
    pocket: str | None


def segment_of(piece: ClosedForm) -> Segment:
    """The engine's piece as a segment."""
    return Segment(
        float(piece.start),
        _vector(piece.pos),
        _vector(piece.vel),
        _vector(piece.acc),
        _vector(piece.spin),
        _vector(piece.spin_acc),
        Motion(piece.motion),
        piece.pocket,
    )


def _vector(v: Sequence[float]) -> Vector:
    return (float(v[0]), float(v[1]), float(v[2]))


class Track:
    """The segments of one ball in order of time, and the orientation at the first one's start."""

    def __init__(
        self,
        ball: int,
        radius: float,
        segments: Sequence[Segment],
        orientation: Quaternion = IDENTITY,
    ) -> None:
        """Raises:
        ValueError: no segment, or segments that go back in time.
        """
        if not segments:
            raise ValueError(f"ball {ball} has no piece")
        self.ball = ball
        self.radius = radius
        self.segments = tuple(segments)
        self.orientation = orientation
        self._starts = [s.start for s in self.segments]
        if any(b < a for a, b in zip(self._starts, self._starts[1:], strict=False)):
            raise ValueError(f"the pieces of ball {ball} go back in time")
        # Known orientations (time, segment, quaternion) in order of time, grown as they are asked.
        self._turned: list[Quaternion] = [orientation]
        self._turned_at: list[float] = [self._starts[0]]

    def segment_at(self, t: float) -> Segment:
        """The segment that runs at ``t``; before the first one, the first."""
        return self.segments[max(bisect_right(self._starts, t) - 1, 0)]

    def state_at(self, t: float) -> BallState:
        """State at ``t`` (s); at an instant where pieces meet, the state after it."""
        s = self.segment_at(t)
        if s.motion in STILL:
            return BallState(self.ball, s.pos, ZERO, ZERO, s.motion)
        h = max(t - s.start, 0.0)
        q = 0.5 * h * h
        (x, y, z), (vx, vy, vz), (ax, ay, az) = s.pos, s.vel, s.acc
        (wx, wy, wz), (bx, by, bz) = s.spin, s.spin_acc
        return BallState(
            self.ball,
            (x + vx * h + ax * q, y + vy * h + ay * q, z + vz * h + az * q),
            (vx + ax * h, vy + ay * h, vz + az * h),
            (wx + bx * h, wy + by * h, wz + bz * h),
            s.motion,
        )

    def orientation_at(self, t: float) -> Quaternion:
        """Orientation at ``t`` since the track's first piece (``orientation`` there)."""
        while self._turned_at[-1] < t and self._advance(t):
            pass
        i = max(bisect_right(self._turned_at, t) - 1, 0)
        h = t - self._turned_at[i]
        if h <= 0.0:
            return self._turned[i]
        return self._turn_from(self._turned_at[i], h, self._turned[i])

    def from_time(self, t: float) -> "Track":
        """The track without the pieces that are over at ``t``; the running one stays whole."""
        i = max(bisect_right(self._starts, t) - 1, 0)
        at = self._starts[i]
        return Track(self.ball, self.radius, self.segments[i:], self.orientation_at(at))

    def _advance(self, t: float) -> bool:
        """Append the next known orientation if it lies at or before ``t``."""
        at = self._turned_at[-1]
        i = max(bisect_right(self._starts, at) - 1, 0)
        end = self._starts[i + 1] if i + 1 < len(self._starts) else t
        s = self.segments[i]
        if s.motion in STILL:
            step = end - at
        else:
            left = max(end - s.start, 0.0)
            step = min(step_length(s.spin, s.spin_acc, left), end - at)
            if i + 1 == len(self._starts) and at + step > t:
                return False
        if at + step > t or step <= 0.0 or (i + 1 == len(self._starts) and s.motion in STILL):
            return False
        self._turned.append(self._turn_from(at, step, self._turned[-1]))
        self._turned_at.append(end if end - at - step < 1e-12 else at + step)
        return True

    def _turn_from(self, at: float, h: float, q: Quaternion) -> Quaternion:
        s = self.segment_at(at)
        if s.motion in STILL:
            return q
        u = at - s.start
        (wx, wy, wz), (bx, by, bz) = s.spin, s.spin_acc
        spin = (wx + bx * u, wy + by * u, wz + bz * u)
        return normalised(multiply(turn(spin, s.spin_acc, h), q))
