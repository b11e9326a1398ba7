"""The table as the rules see it: its marks, its areas, and the frame of the bed.

Origin at the centre of the bed, x from the head cushion (negative) to the foot cushion, y to the
left as seen from the head; metres.  ``u`` and ``v`` are the fractions of RULES 0.2.
"""

from math import sqrt
from typing import NamedTuple, Protocol

import msgspec

from shared_rules.balls import CUE, LAG_A, LAG_B


class Position(NamedTuple):
    """Centre of a ball on the bed, in metres."""

    x: float
    y: float


class _Ball(Protocol):
    @property
    def radius(self) -> float: ...


class Measures(Protocol):
    """What a frame takes of a table that is played on, in m and degrees."""

    @property
    def length(self) -> float: ...
    @property
    def width(self) -> float: ...
    @property
    def ball(self) -> _Ball: ...
    @property
    def cue_ball(self) -> _Ball: ...
    @property
    def nose_height(self) -> float: ...
    @property
    def corner_mouth(self) -> float: ...
    @property
    def side_mouth(self) -> float: ...
    @property
    def corner_angle_deg(self) -> float: ...
    @property
    def side_angle_deg(self) -> float: ...
    @property
    def jaw_radius(self) -> tuple[float, float]: ...


class TableFrame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the rules need of a table: a preset's name and its measures in metres.

    ``nose_height`` of the cushions above the cloth: a ball touches the nose above its centre, so
    its centre comes nearer to the nose line than its radius.  Mouths of the pockets from jaw point
    to jaw point, cut angles in the plane, inside the cushion; ``jaw_radius`` (corner, side) of
    rounded jaws, whose mouth is where they are nearest to each other (``cushions``).
    """

    preset: str = "9ft"
    length: float = 2.54
    width: float = 1.27
    ball_radius: float = 0.028575
    cue_ball_radius: float = 0.028575
    nose_height: float = 0.03629025
    corner_mouth: float = 0.1159
    side_mouth: float = 0.1286
    corner_angle_deg: float = 142.0
    side_angle_deg: float = 104.0
    jaw_radius: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(cls, preset: str, table: Measures) -> "TableFrame":
        """The frame of a table that is known by the name ``preset``."""
        return cls(
            preset=preset,
            length=table.length,
            width=table.width,
            ball_radius=table.ball.radius,
            cue_ball_radius=table.cue_ball.radius,
            nose_height=table.nose_height,
            corner_mouth=table.corner_mouth,
            side_mouth=table.side_mouth,
            corner_angle_deg=table.corner_angle_deg,
            side_angle_deg=table.side_angle_deg,
            jaw_radius=table.jaw_radius,
        )

    def radius(self, ball: int) -> float:
        """Radius of a ball; a lag is played with cue balls."""
        return self.cue_ball_radius if ball in (CUE, LAG_A, LAG_B) else self.ball_radius

    def cushion_reach(self, ball: int) -> float:
        """Distance of a ball's centre from the nose line when it touches the cushion."""
        radius = self.radius(ball)
        return sqrt(max(0.0, radius * radius - (self.nose_height - radius) ** 2))

    @property
    def head_string(self) -> float:
        """x of the head string: a quarter of the length from the head cushion."""
        return -self.length / 4

    @property
    def baulk_line(self) -> float:
        """x of the baulk line: a fifth of the length from the head cushion (BB.1b)."""
        return -0.3 * self.length

    @property
    def centre_spot(self) -> Position:
        return Position(0.0, 0.0)

    @property
    def foot_spot(self) -> Position:
        return Position(self.length / 4, 0.0)

    @property
    def head_spot(self) -> Position:
        return Position(-self.length / 4, 0.0)

    def to_uv(self, position: Position) -> tuple[float, float]:
        """Fractions ``(u, v)`` of RULES 0.2 of a position."""
        return position[0] / self.length + 0.5, position[1] / self.width + 0.5

    def from_uv(self, u: float, v: float) -> Position:
        """Position of the fractions ``(u, v)``."""
        return Position((u - 0.5) * self.length, (v - 0.5) * self.width)
