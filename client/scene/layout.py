"""Where the parts of a table lie, worked out from its specification: pure geometry, no drawing.

Noses lie on the edges of the bed. At a pocket a cushion ends in a jaw, and its facing runs back
from there at the cut angle (WPA 8: 142 degrees at a corner, 104 at a side, inside the cushion).
The hole of a pocket is the circle of the slate cut, the one that the physics drops balls into.
"""

import math
from dataclasses import dataclass

from physics.geometry import build_geometry
from physics.layout import CUSHION_DEPTH, HOLE_AX, HOLE_AY, HOLE_RADIUS, HOLE_X, HOLE_Y
from physics.table import TableSpec

CUSHION_WIDTH = CUSHION_DEPTH
"""Nose to feather strip, m, as the physics has it (REFERENCES 1.1: 47.6 to 50.8 mm)."""
SIGHT_SETBACK = 0.09366
"""Nose to the middle of a sight, m."""
LAMP_HEIGHT = 1.02
"""Lamp above the bed, m (WPA: not under 1.016 m where it cannot be moved aside)."""

Point2 = tuple[float, float]


@dataclass(frozen=True)
class Pocket:
    """A pocket: the circle of its hole, and where that meets the backs of the cushions.

    Attributes:
        centre, radius: the circle, m.
        outward: unit vector from the mouth into the pocket.
        cuts: the two points where the circle crosses the lines along the cushions' backs; of a
            corner pocket the one at the long rail first.
    """

    centre: Point2
    radius: float
    outward: Point2
    cuts: tuple[Point2, Point2]


@dataclass(frozen=True)
class CushionEnd:
    """How a cushion ends: a facing at ``turn`` from the nose, its jaw rounded by ``radius`` (m)."""

    turn_deg: float
    radius: float = 0.0

    def reach(self, behind: float) -> float:
        """How far the end runs beyond the virtual jaw point, ``behind`` metres behind the nose."""
        turn = math.radians(self.turn_deg)
        if behind < self.radius * (1 - math.cos(turn)):
            bow = math.sqrt(behind * (2 * self.radius - behind))
            return bow - self.radius * math.tan(turn / 2)
        return behind / math.tan(turn)


@dataclass(frozen=True)
class Cushion:
    """A straight cushion from one pocket to the next.

    Attributes:
        start, end: the virtual jaw points of its nose, counter-clockwise round the bed.
        at_start, at_end: how its two ends are cut.
    """

    start: Point2
    end: Point2
    at_start: CushionEnd
    at_end: CushionEnd


@dataclass(frozen=True)
class Layout:
    """Everything placed: half sizes of the bed, pockets, cushions, sights, strings and spots.

    ``line_x``: the line that is drawn across the bed: the head string, or the baulk line.
    ``rail_top``, ``rail_width`` and ``bed_height`` are the physics' (:class:`TableSpec`).
    """

    half_length: float
    half_width: float
    nose_height: float
    bounded: bool
    pockets: tuple[Pocket, ...]
    cushions: tuple[Cushion, ...]
    sights: tuple[Point2, ...]
    head_string_x: float
    line_x: float
    foot_spot: Point2
    head_spot: Point2
    rail_top: float
    rail_width: float
    bed_height: float

    @property
    def outer(self) -> Point2:
        """Half length and half width over the rails, m."""
        return self.half_length + self.rail_width, self.half_width + self.rail_width


def lay_out(spec: TableSpec, baulk: bool = False) -> Layout:
    """Place every part of a table; ``baulk``: its line is a fifth of the length from the head."""
    half_l, half_w = spec.length / 2, spec.width / 2
    open_pockets = spec.bounded and spec.pockets != "none"
    return Layout(
        half_length=half_l,
        half_width=half_w,
        nose_height=spec.nose_height,
        bounded=spec.bounded,
        pockets=_pockets(spec) if open_pockets else (),
        cushions=_cushions(spec, open_pockets) if spec.bounded else (),
        sights=_sights(half_l, half_w) if spec.bounded else (),
        head_string_x=spec.head_string,
        line_x=-0.3 * spec.length if baulk else spec.head_string,
        foot_spot=(spec.length / 4, 0.0),
        head_spot=(spec.head_string, 0.0),
        rail_top=spec.rail_top,
        rail_width=spec.rail_width,
        bed_height=spec.bed_height,
    )


def _ends(spec: TableSpec) -> tuple[CushionEnd, CushionEnd]:
    """How cushions end at a corner and at a side; rounded jaws turn as far as the mouth's axis."""
    corner, side = spec.jaw_radius
    return (
        CushionEnd(45.0 if corner else 180 - spec.corner_angle_deg, corner),
        CushionEnd(90.0 if side else 180 - spec.side_angle_deg, side),
    )


def _pockets(spec: TableSpec) -> tuple[Pocket, ...]:
    """The holes of the physics, with their cuts."""
    back_x, back_y = spec.length / 2 + CUSHION_WIDTH, spec.width / 2 + CUSHION_WIDTH
    made = []
    for hole in build_geometry(spec).holes:
        x, y, radius = float(hole[HOLE_X]), float(hole[HOLE_Y]), float(hole[HOLE_RADIUS])
        out = (float(hole[HOLE_AX]), float(hole[HOLE_AY]))
        line_y = math.copysign(back_y, y)
        along_x = math.sqrt(radius**2 - (line_y - y) ** 2)
        if abs(out[0]) < 0.5:
            cuts = ((x - along_x, line_y), (x + along_x, line_y))
        else:
            line_x = math.copysign(back_x, x)
            along_y = math.sqrt(radius**2 - (line_x - x) ** 2)
            # The crossings on the bed's side.
            cuts = (
                (x - math.copysign(along_x, x), line_y),
                (line_x, y - math.copysign(along_y, y)),
            )
        made.append(Pocket((x, y), radius, out, cuts))
    return tuple(made)


def _cushions(spec: TableSpec, open_pockets: bool) -> tuple[Cushion, ...]:
    """Cushions counter-clockwise from the foot one; four whole ones on a table without pockets."""
    half_l, half_w = spec.length / 2, spec.width / 2
    if not open_pockets:
        at = [(half_l, -half_w), (half_l, half_w), (-half_l, half_w), (-half_l, -half_w)]
        mitre = CushionEnd(45.0)
        return tuple(Cushion(at[i], at[(i + 1) % 4], mitre, mitre) for i in range(4))
    reach, mouth = spec.corner_mouth / math.sqrt(2), spec.side_mouth / 2
    corner, side = _ends(spec)
    return (
        Cushion((half_l, -half_w + reach), (half_l, half_w - reach), corner, corner),
        Cushion((half_l - reach, half_w), (mouth, half_w), corner, side),
        Cushion((-mouth, half_w), (-half_l + reach, half_w), side, corner),
        Cushion((-half_l, half_w - reach), (-half_l, -half_w + reach), corner, corner),
        Cushion((-half_l + reach, -half_w), (-mouth, -half_w), corner, side),
        Cushion((mouth, -half_w), (half_l - reach, -half_w), side, corner),
    )


def _sights(half_l: float, half_w: float) -> tuple[Point2, ...]:
    """The 18 sights: six on a long rail, three on a short one, an eighth of the length apart."""
    y, x = half_w + SIGHT_SETBACK, half_l + SIGHT_SETBACK
    long_rails = [(k * half_l / 4, sy * y) for sy in (1, -1) for k in (-3, -2, -1, 1, 2, 3)]
    short_rails = [(sx * x, k * half_w / 2) for sx in (1, -1) for k in (-1, 0, 1)]
    return tuple(long_rails + short_rails)
