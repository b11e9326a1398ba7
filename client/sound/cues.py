"""From a trajectory to the sounds of its contacts: which, when, how loud, how high, and where.

Pure.  A shot's score is made once; :func:`due` takes from it what a stretch of time holds, so the
same serves the present, a replay, and slow motion.
"""

from bisect import bisect_left
from collections.abc import Container, Sequence
from dataclasses import dataclass
from operator import attrgetter

from assets.table_sounds import BALL_SPEEDS
from physics.trajectory import Contact, ContactKind, Trajectory

Vec3 = tuple[float, float, float]

FAINTEST = 0.012
"""A cue softer than this is left out."""
LOUDER = 0.7
"""The pressure of a contact goes as its speed to about 1.2, over more than 50 dB from a kiss to a
break.  A room is quieter than a living room: the exponent is less, so that soft ones are heard."""
HERTZ = 0.2
"""Contact time goes as speed to the -1/5 (Hertz), so the pitch as speed to the 1/5."""


@dataclass(frozen=True)
class Cue:
    """One sound: at a time of the shot (s), of a loudness (0 to 1), with a pitch (1: as recorded),
    at a place (m, the table's frame)."""

    at: float
    sound: str
    gain: float
    pitch: float
    place: Vec3


@dataclass(frozen=True)
class _Kind:
    """Sounds of a kind of contact: their names with the least speed (m/s) of each, and the speed
    at which they are played at full loudness."""

    steps: tuple[tuple[float, str], ...]
    full: float
    level: float


_TIP = _Kind(((0.0, "tip_0"), (1.5, "tip_1"), (5.0, "tip_2")), 9.0, 0.85)
_KINDS = {
    ContactKind.STRIKE: _TIP,
    ContactKind.TIP: _TIP,
    ContactKind.RAIL: _Kind(
        ((0.0, "cushion_0"), (1.5, "cushion_1"), (4.5, "cushion_2")), 12.0, 0.9
    ),
    ContactKind.JAW: _Kind(((0.0, "facing"),), 9.0, 0.8),
    ContactKind.POCKET: _Kind(((0.0, "pocket_0"), (1.6, "pocket_1")), 5.0, 0.9),
    ContactKind.LINER: _Kind(((0.0, "liner"),), 6.0, 0.7),
    ContactKind.BED: _Kind(((0.0, "bed"),), 5.0, 0.7),
    ContactKind.RAIL_TOP: _Kind(((0.0, "rail_top"),), 5.0, 0.8),
    ContactKind.FLOOR: _Kind(((0.0, "floor"),), 5.0, 1.0),
}
_BALL_FULL = 7.0


def score_of(trajectory: Trajectory, miscued: Container[int] = ()) -> tuple[Cue, ...]:
    """Every sound of a shot's contacts, in order of time.

    Args:
        trajectory: the shot; what a latecomer's lacks of the past is not in the score.
        miscued: the balls from which the tip slipped off.
    """
    cues = []
    for contact in trajectory.contacts:
        cue = _cue(trajectory, contact, miscued)
        if cue is not None and cue.gain >= FAINTEST:
            cues.append(cue)
    return tuple(sorted(cues, key=attrgetter("at")))


def due(score: Sequence[Cue], from_t: float, to_t: float) -> Sequence[Cue]:
    """The cues from ``from_t`` until before ``to_t`` (s); none where time goes backwards."""
    first = bisect_left(score, from_t, key=attrgetter("at"))
    last = bisect_left(score, to_t, lo=first, key=attrgetter("at"))
    return score[first:last]


def loudest(cues: Sequence[Cue], most: int) -> Sequence[Cue]:
    """At most so many of them, the loudest: the rest would not be heard beside those."""
    if len(cues) <= most:
        return cues
    return sorted(cues, key=attrgetter("gain"), reverse=True)[:most]


def _cue(trajectory: Trajectory, contact: Contact, miscued: Container[int]) -> Cue | None:
    speed = contact.strength
    track = trajectory.tracks.get(contact.a)
    if track is None or speed <= 0.0:
        return None
    place = track.state_at(contact.at).pos
    if contact.kind is ContactKind.BALL:
        return _click(contact.at, speed, place)
    kind = _KINDS[contact.kind]
    sound = next(name for least, name in reversed(kind.steps) if speed >= least)
    if contact.kind is ContactKind.STRIKE and contact.a in miscued:
        sound = "miscue"
    gain = kind.level * min(speed / kind.full, 1.0) ** LOUDER
    # No two blows are alike: a little up or down by the ball, always the same for the same.
    pitch = 1.0 + 0.012 * ((contact.a * 7) % 5 - 2)
    return Cue(contact.at, sound, gain, pitch, place)


def _click(at: float, speed: float, place: Vec3) -> Cue:
    """Two balls: the recording nearest in speed, tuned to the contact time at this one."""
    nearest = min(range(len(BALL_SPEEDS)), key=lambda k: abs(speed / BALL_SPEEDS[k] - 1.0))
    pitch = (speed / BALL_SPEEDS[nearest]) ** HERTZ
    gain = min(speed / _BALL_FULL, 1.0) ** LOUDER
    return Cue(at, f"ball_{nearest}", gain, min(max(pitch, 0.7), 1.4), place)
