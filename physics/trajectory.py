"""The record of a shot: every ball's closed-form pieces, and the contacts that are heard.

Clients, spectators and replays play it; nobody simulates again.  ``encode`` and ``decode`` turn it
into bytes and back (``docs/trajectory.md``, ``physics.trajectory_codec``).  Reading needs neither
numba nor Bullet: 16 balls at one instant cost some 30 µs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from physics.orientation import Quaternion
from physics.state import BallState
from physics.track import ClosedForm, Segment, Track, segment_of

if TYPE_CHECKING:
    from physics.material import Material

__all__ = [
    "Cloth", "Contact", "ContactKind", "Segment", "Track", "Trajectory", "TrajectoryError",
]  # fmt: skip


class TrajectoryError(ValueError):
    """The bytes are no trajectory of a version that this build reads."""


class ContactKind(IntEnum):
    """What made the sound."""

    STRIKE = 0
    BALL = 1
    RAIL = 2
    JAW = 3
    POCKET = 4
    BED = 5
    TIP = 6  # the cue touches the ball again
    RAIL_TOP = 7
    FLOOR = 8
    LINER = 9


class Contact(NamedTuple):
    """A moment that is heard and shown.

    ``a`` is the ball; ``b_or_place`` the other ball (BALL), the rail's name (RAIL, RAIL_TOP), the
    pocket's (JAW, POCKET, LINER), None otherwise.  ``strength`` in m/s: the largest change of
    velocity of a ball in it, or a pocketed ball's speed at the edge.
    """

    at: float
    kind: ContactKind
    a: int
    b_or_place: int | str | None
    strength: float


@dataclass(frozen=True)
class Cloth:
    """The constants from which rates of sliding, rolling and spinning pieces follow (SI)."""

    g: float
    mu_slide: float
    mu_roll: float
    spin_decel: float

    @staticmethod
    def of(material: "Material") -> "Cloth":
        """The cloth's part of a material."""
        return Cloth(
            float(material.g),
            float(material.mu_slide),
            float(material.mu_roll),
            float(material.spin_decel),
        )


class Trajectory:
    """Tracks of all balls of a shot from its start (or from a cut) to its end."""

    def __init__(
        self,
        cloth: Cloth,
        tracks: Iterable[Track],
        contacts: Iterable[Contact],
        duration: float,
        cut_short: bool = False,
        rounded: bool = False,
    ) -> None:
        """``duration``: seconds from the shot's start to rest (or to where the run was cut short,
        then ``cut_short``).  ``rounded``: it was read from bytes, and bytes made of it hold the
        same to the last digit."""
        self.cloth = cloth
        self.tracks: dict[int, Track] = {t.ball: t for t in sorted(tracks, key=lambda t: t.ball)}
        self.contacts: tuple[Contact, ...] = tuple(contacts)
        self.duration = float(duration)
        self.cut_short = cut_short
        self.rounded = rounded

    @classmethod
    def build(
        cls,
        pieces: Mapping[int, Sequence[ClosedForm]],
        radii: Mapping[int, float],
        cloth: Cloth,
        contacts: Iterable[Contact],
        duration: float,
        cut_short: bool = False,
    ) -> "Trajectory":
        """From the engine's pieces: ball to its pieces in order of time."""
        tracks = [Track(b, radii[b], [segment_of(p) for p in ps]) for b, ps in pieces.items()]
        return cls(cloth, tracks, contacts, duration, cut_short)

    @property
    def balls(self) -> tuple[int, ...]:
        """The balls, ascending."""
        return tuple(self.tracks)

    @property
    def start(self) -> float:
        """When the first piece starts: 0, or, after ``cut``, no later than the cut."""
        return min((t.segments[0].start for t in self.tracks.values()), default=0.0)

    def state_at(self, ball: int, t: float) -> BallState:
        """State of a ball at ``t`` seconds; past the end the last state.

        Raises:
            KeyError: no such ball in this shot.
        """
        return self.tracks[ball].state_at(min(t, self.duration))

    def states_at(self, t: float) -> dict[int, BallState]:
        """States of all balls at ``t``: at an event the state after it, past the end the last."""
        t = min(t, self.duration)
        return {ball: track.state_at(t) for ball, track in self.tracks.items()}

    def orientation_at(self, ball: int, t: float) -> Quaternion:
        """How a ball is turned at ``t`` against the shot's start: unit quaternion (w, x, y, z).

        Good to about 5e-5 rad after ten seconds; a turn about a constant axis is exact.
        """
        return self.tracks[ball].orientation_at(min(t, self.duration))

    def cut(self, t: float) -> "Trajectory":
        """The rest of the shot from ``t`` on, on the same clock, for whoever comes late.

        A piece that runs at ``t`` is kept whole, so that the rest is the same to the last digit;
        contacts before ``t`` are left out.
        """
        return Trajectory(
            self.cloth,
            [track.from_time(t) for track in self.tracks.values()],
            [c for c in self.contacts if c.at >= t],
            self.duration,
            self.cut_short,
            self.rounded,
        )

    def encode(self) -> bytes:
        """The trajectory as bytes.

        Raises:
            ValueError: a number lies outside what the format holds.
        """
        from physics.trajectory_codec import encode

        return encode(self)

    @classmethod
    def decode(cls, blob: bytes) -> "Trajectory":
        """The trajectory that ``encode`` wrote.

        Raises:
            TrajectoryError: the bytes are malformed, of another version, or out of bounds.
        """
        from physics.trajectory_codec import decode

        return decode(blob)
