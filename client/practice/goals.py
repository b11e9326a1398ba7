"""What a stroke of a drill has to do, as data, and what of it a shot has done.  Pure."""

import math
from dataclasses import dataclass

from client.practice.layout import frame_of
from client.practice.shot import PlayedShot
from shared_rules.balls import CUE
from shared_rules.events import Pocket


@dataclass(frozen=True)
class Disc:
    """A round field on the bed (m)."""

    x: float
    y: float
    radius: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a ball whose centre is there lies in it."""
        return math.hypot(x - self.x, y - self.y) <= self.radius


@dataclass(frozen=True)
class Strip:
    """A field on the bed with straight sides (m)."""

    x_min: float
    x_max: float
    y_min: float
    y_max: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a ball whose centre is there lies in it."""
        return self.x_min <= x <= self.x_max and self.y_min <= y <= self.y_max


Field = Disc | Strip


@dataclass(frozen=True)
class Pots:
    """A ball falls; with ``pocket`` there, else anywhere.  ``ball`` None: the lowest there is."""

    ball: int | None = None
    pocket: Pocket | None = None
    points: int = 1

    def made(self, shot: PlayedShot) -> int:
        """The points of a shot for it."""
        ball = self.ball
        if ball is None:
            ball = min((n for n in shot.before.balls if n != CUE), default=CUE)
            if shot.first is None or shot.first[0] != ball:
                return 0
        fell = dict(shot.pocketed)
        good = ball in fell and self.pocket in (None, fell[ball])
        return self.points if good else 0


@dataclass(frozen=True)
class EndsIn:
    """The cue ball comes to rest in a field."""

    field: Field
    points: int = 1

    def made(self, shot: PlayedShot) -> int:
        """The points of a shot for it."""
        at = shot.rests
        return self.points if at is not None and self.field.holds(*at) else 0


@dataclass(frozen=True)
class Stops:
    """The cue ball comes to rest within so many metres of where it met the first ball."""

    within_m: float
    points: int = 1

    def made(self, shot: PlayedShot) -> int:
        """The points of a shot for it."""
        if shot.first is None or shot.rests is None:
            return 0
        return self.points if math.dist(shot.first[1], shot.rests) <= self.within_m else 0


@dataclass(frozen=True)
class Lags:
    """The cue ball goes to the foot cushion, once, and comes back near the head cushion.

    ``grades``: the largest gap to the cushion (m) and the points for it, the best first.
    """

    grades: tuple[tuple[float, int], ...]

    @property
    def points(self) -> int:
        """The most there is."""
        return self.grades[0][1]

    def made(self, shot: PlayedShot) -> int:
        """The points of a shot for it."""
        if shot.rests is None or shot.rails not in (("foot",), ("foot", "head")):
            return 0
        frame = frame_of(shot.before.table)
        gap = shot.rests.x + frame.length / 2 - frame.cushion_reach(CUE)
        return next((points for most, points in self.grades if gap <= most), 0)


@dataclass(frozen=True)
class Called:
    """The ball that was called falls into the pocket that was called."""

    points: int = 1

    def made(self, shot: PlayedShot) -> int:
        """The points of a shot for it."""
        call = shot.call
        if call is None or call.ball is None:
            return 0
        return self.points if (call.ball, call.pocket) in shot.pocketed else 0


Part = Pots | EndsIn | Stops | Lags | Called


@dataclass(frozen=True)
class Judged:
    """What a shot was worth.  ``missed``: the first part that was not done; "lost" a cue ball."""

    points: int
    missed: Part | str | None

    @property
    def whole(self) -> bool:
        """Whether everything was done."""
        return self.missed is None


def most(parts: tuple[Part, ...]) -> int:
    """Points of a shot that does everything as well as can be."""
    return sum(part.points for part in parts)


def judge(parts: tuple[Part, ...], shot: PlayedShot) -> Judged:
    """The points of a shot: of the parts in order, up to the first that was not done.

    A cue ball that is lost makes all of it worth nothing.
    """
    if shot.lost:
        return Judged(0, "lost")
    points = 0
    for part in parts:
        made = part.made(shot)
        points += made
        if made == 0:
            return Judged(points, part)
    return Judged(points, None)


def fields(parts: tuple[Part, ...]) -> tuple[Field, ...]:
    """The fields that are to be marked on the bed."""
    return tuple(part.field for part in parts if isinstance(part, EndsIn))


def pockets(parts: tuple[Part, ...]) -> tuple[Pocket, ...]:
    """The pockets that are to be marked."""
    return tuple(p.pocket for p in parts if isinstance(p, Pots) and p.pocket is not None)
