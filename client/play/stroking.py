"""Three ways of stroking, each alone good for every speed: by the bar, by a push, by holding a key.

The bar: Space (or the button) draws the cue back, letting go strikes as the bar stands.  A push:
the mouse itself is the cue, pulled back and pushed forward.  Holding: power rises while a key is
held.

Pure: times in local seconds, ways of the mouse in heights of the window.
"""

from collections import deque
from dataclasses import dataclass, field

REST_M = 0.025
"""Distance of the tip from the ball before the cue moves."""
TRAVEL_M = 0.6
"""The cue goes this far with the mouse over a height of the window."""
MOST_PULL_M = 0.28
LEAST_PULL_M = 0.045
"""A push counts from here: a mouse that trembles at the ball strikes nothing."""
FULL_SPEED = 4.0
"""Heights of the window a second that give the whole power."""
MEASURED_S = 0.08
"""The speed of a push is that of its last so many seconds."""
RISE_S = 2.4
"""Time in which a held key goes from no power to all of it, and then back again."""


@dataclass
class Push:
    """A stroke that the mouse makes: where the tip is, and how fast it comes."""

    pull_m: float = REST_M
    _armed: bool = False
    _path: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=64))

    def move(self, down: float, now: float) -> float | None:
        """The mouse has gone ``down`` heights of the window by now.

        Returns:
            The share of the power with which the tip has reached the ball; None until it does.
        """
        self.pull_m = min(self.pull_m + down * TRAVEL_M, MOST_PULL_M)
        self._armed = self._armed or self.pull_m >= LEAST_PULL_M
        if not self._armed:
            self.pull_m = max(self.pull_m, REST_M)
        self._path.append((now, self.pull_m))
        if not self._armed or self.pull_m > 0.0:
            return None
        return min(self._speed(now) / FULL_SPEED, 1.0)

    def _speed(self, now: float) -> float:
        """Heights a second of the way forward up to now."""
        # From where the cue was drawn back farthest of late: a frame alone says too little, and
        # what it did before that is no part of the blow.
        late = [point for point in self._path if now - MEASURED_S <= point[0] < now]
        began, at = max(late or [self._path[0]], key=lambda point: (point[1], point[0]))
        return max(at - self.pull_m, 0.0) / TRAVEL_M / max(now - began, 1e-3)


def rising_share(held_s: float) -> float:
    """Share of the power after a key was held so long: up, and down again for who missed it."""
    part = max(held_s, 0.0) / RISE_S % 2.0
    return part if part <= 1.0 else 2.0 - part
