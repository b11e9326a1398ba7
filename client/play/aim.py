"""How the player holds the cue: heading, tip and speed, moved coarsely by mouse and finely by keys.

Pure: no window.  Headings in degrees, 0 = +x, counter-clockwise; the tip in ball radii; the speed
of the cue in m/s.
"""

import math
from dataclasses import dataclass, field

from physics.strike import MAX_ELEVATION_DEG, CueSpec
from shared_rules.state import Stroke

LEAST_SPEED, MOST_SPEED = 0.15, 10.0
COARSE_DEG_PER_PIXEL = 0.12
FINE_DEG_PER_PIXEL = 0.01
KEY_DEG = 0.2
KEY_FINE_DEG = 0.01
KEY_TIP = 0.02
TIP_EDGE = 0.95
KEY_SHARE = 0.02
KEY_RAISE_DEG, KEY_RAISE_FINE_DEG = 1.0, 0.1


@dataclass
class Aim:
    """The cue as it is held."""

    heading_deg: float = 0.0
    tip: tuple[float, float] = (0.0, 0.0)
    share: float = 0.45
    elevation_deg: float = 0.0
    """How far the player raises the butt; what stands behind may ask for more."""
    cue: CueSpec = field(default_factory=CueSpec)

    @property
    def speed(self) -> float:
        """Speed of the cue: the scale is finer where strokes are soft."""
        return LEAST_SPEED + (MOST_SPEED - LEAST_SPEED) * self.share**2

    @speed.setter
    def speed(self, value: float) -> None:
        part = (value - LEAST_SPEED) / (MOST_SPEED - LEAST_SPEED)
        self.share = math.sqrt(min(max(part, 0.0), 1.0))

    @property
    def miscue(self) -> bool:
        """Whether the tip would slip."""
        return math.hypot(*self.tip) > self.cue.miscue_limit

    def turn(self, degrees: float) -> None:
        """Turn the cue, counter-clockwise positive."""
        self.heading_deg = (self.heading_deg + degrees + 180.0) % 360.0 - 180.0

    def point_at(self, ball: tuple[float, float], target: tuple[float, float]) -> None:
        """Point from the ball at a place on the bed."""
        dx, dy = target[0] - ball[0], target[1] - ball[1]
        if math.hypot(dx, dy) > 0.01:
            self.heading_deg = math.degrees(math.atan2(dy, dx))

    def set_tip(self, a: float, b: float) -> None:
        """Move the tip; beyond the ball it stays at its edge."""
        out = math.hypot(a, b)
        if out > TIP_EDGE:
            a, b = a * TIP_EDGE / out, b * TIP_EDGE / out
        self.tip = (round(a, 4), round(b, 4))

    def set_share(self, share: float) -> None:
        """Set the power, 0 to 1 of the scale."""
        self.share = min(max(share, 0.0), 1.0)

    def raise_to(self, degrees: float, least_deg: float) -> None:
        """Raise the butt; at the least that is possible it keeps to the least."""
        self.elevation_deg = 0.0 if degrees <= least_deg else min(degrees, MAX_ELEVATION_DEG)

    def stroke(self) -> Stroke:
        """The stroke as it would be played now."""
        return Stroke(
            speed=self.speed,
            heading_deg=self.heading_deg,
            elevation_deg=self.elevation_deg,
            tip=self.tip,
        )
