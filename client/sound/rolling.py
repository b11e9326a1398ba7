"""How loud the rolling of the balls is through a shot, and where: worked out once for a shot.

Pure.  A table of levels at even steps of time, read in between; so a frame costs nothing.
"""

import math

import numpy as np

from physics.state import Motion
from physics.trajectory import Trajectory

STEP_S = 1 / 30
FULL_M_S = 4.0
"""Speed at which a ball's rolling is at its loudest."""
MOST = 0.22
LONGEST_S = 600.0
_HEARD = (int(Motion.ROLL), int(Motion.SLIDE))


class Rolling:
    """The rolling of one shot.

    Attributes:
        levels: loudness (0 to ``MOST``) at each step.
        speeds: m/s, the mean of what is heard, weighted as it is heard.
        places: (x, y), m, in the middle of what is heard.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self._start = max(trajectory.start, 0.0)
        length = min(max(trajectory.duration - self._start, 0.0), LONGEST_S)
        times = self._start + STEP_S * np.arange(math.ceil(length / STEP_S) + 2)
        power = np.zeros(len(times))
        weighted = np.zeros((3, len(times)))
        for track in trajectory.tracks.values():
            pieces = track.segments
            starts = np.array([s.start for s in pieces])
            heard = np.array([s.motion in _HEARD for s in pieces])
            if not heard.any():
                continue
            flat = [(*s.pos[:2], *s.vel[:2], *s.acc[:2]) for s in pieces]
            at = np.maximum(np.searchsorted(starts, times, side="right") - 1, 0)
            past = np.maximum(times - starts[at], 0.0)
            x, y, vx, vy, ax, ay = np.array(flat)[at].T
            speed = np.hypot(vx + ax * past, vy + ay * past) * heard[at]
            speed[times < starts[0]] = 0.0
            # Two rolling balls are louder than one as powers add.
            share = (np.minimum(speed / FULL_M_S, 1.0) ** 0.8 * MOST) ** 2
            power += share
            weighted[0] += share * (x + vx * past + ax * past**2 / 2)
            weighted[1] += share * (y + vy * past + ay * past**2 / 2)
            weighted[2] += share * speed
        power[-1] = 0.0
        mean = weighted / np.maximum(power, 1e-12)
        self.levels = np.minimum(np.sqrt(power), MOST)
        self.speeds = mean[2]
        self.places = mean[:2].T

    def at(self, t: float) -> tuple[float, float, tuple[float, float, float]]:
        """Loudness, speed (m/s) and place (m) of the rolling ``t`` seconds into the shot."""
        step = min(max((t - self._start) / STEP_S, 0.0), len(self.levels) - 1.0)
        k = int(step)
        n = min(k + 1, len(self.levels) - 1)
        part = step - k
        level = self.levels[k] + (self.levels[n] - self.levels[k]) * part
        x, y = self.places[k]
        return float(level), float(self.speeds[k]), (float(x), float(y), 0.0)
