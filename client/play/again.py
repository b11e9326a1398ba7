"""The last shot once more, on request: slowly round the moment of its foul, with a mark there.

The match goes on meanwhile; only what is seen is of before.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from client.net.view import Shot
from client.scene.framing import View
from physics.state import Vector
from shared_rules.balls import CUE
from shared_rules.state import Ruling

BEFORE_S, AFTER_S = 1.5, 0.9
SLOW = 0.25
NEAR_S = 0.03
"""A contact so near to the moment is the one that it is about."""
AWAY_M, RISE_M = 0.85, 0.62


@dataclass(frozen=True)
class Again:
    """What is shown again: from ``start`` to ``end`` of a shot, ``pace`` seconds of it a second.

    ``place``: where the moment is marked, m; None where no moment decided.
    """

    shot: Shot
    began: float
    start: float
    end: float
    pace: float
    place: Vector | None

    def time(self, local: float) -> float:
        """Seconds into the shot at a local time."""
        return min(self.start + (local - self.began) * self.pace, self.end)

    def over(self, local: float) -> bool:
        """Whether it has been shown to its end."""
        return self.start + (local - self.began) * self.pace >= self.end

    @property
    def view(self) -> View | None:
        """A camera of its own, near the mark, looking from the middle of the table."""
        if self.place is None:
            return None
        x, y, z = self.place
        off = math.hypot(x, y)
        way = (-x / off, -y / off) if off > 0.2 else (0.0, -1.0)
        eye = (x + AWAY_M * way[0], y + AWAY_M * way[1], RISE_M)
        return View(eye, (x, y, max(z, 0.0)), 42.0)


def again(shot: Shot, ruling: Ruling | None, local: float) -> Again:
    """The shot again: round the first moment of a foul, or the whole of it where there is none."""
    moments: Mapping[str, float] = {}
    if ruling is not None and ruling.shot == shot.number:
        moments = ruling.moments
    whole = shot.trajectory.duration
    if not moments:
        return Again(shot, local, 0.0, whole, 1.0, None)
    at = min(moments.values())
    start, end = max(at - BEFORE_S, 0.0), min(at + AFTER_S, whole)
    return Again(shot, local, start, end, SLOW, _place(shot, at))


def _place(shot: Shot, at: float) -> Vector:
    """Where a moment is: at the ball of its contact, else at the cue ball."""
    contacts = shot.trajectory.contacts
    nearest = min(contacts, key=lambda c: abs(c.at - at), default=None)
    ball = CUE
    if nearest is not None and abs(nearest.at - at) <= NEAR_S:
        ball = nearest.a
    if ball not in shot.trajectory.tracks:
        ball = shot.trajectory.balls[0]
    return shot.trajectory.state_at(ball, at).pos
