"""Where the parts of a table lie, worked out from its specification: pure geometry, no drawing.

Noses lie on the edges of the bed. At a pocket a cushion ends in a jaw, and its facing runs back
from there at the cut angle (WPA 8: 142 degrees at a corner, 104 at a side, inside the cushion).
The hole of a pocket is one circle: through the two ends of the facings, and through the drop
edge in the middle of the mouth, a shelf's depth behind the line between the jaws.
"""

import math
from dataclasses import dataclass
from typing import Protocol

CUSHION_WIDTH = 0.0508
"""Nose to feather strip, m (REFERENCES 1.1: 47.6 to 50.8 mm)."""
RAIL_WIDTH = 0.140
"""Nose to the outer edge of the wood, m (102 to 190 mm)."""
RAIL_TOP = 0.0460
"""Height of the wood above the cloth, m."""
SIGHT_SETBACK = 0.09366
"""Nose to the middle of a sight, m."""
BED_HEIGHT = 0.765
"""Bed above the floor, m (743 to 787 mm)."""
LAMP_HEIGHT = 0.95
"""Lamp above the bed, m (WPA 12 wants at least 1.016 m over the bed unless it can be moved)."""

Point2 = tuple[float, float]


class Spec(Protocol):
    """The part of :class:`physics.table.TableSpec` that the picture needs; metres, degrees."""

    length: float
    width: float
    nose_height: float
    corner_mouth: float
    side_mouth: float
    corner_shelf: float
    side_shelf: float
    corner_angle_deg: float
    side_angle_deg: float
    jaw_radius: tuple[float, float]
    pockets: str
    bounded: bool


@dataclass(frozen=True)
class Pocket:
    """A pocket: its jaws, the far ends of its facings, and the circle of its hole.

    Attributes:
        centre, radius: the circle of the hole, m.
        outward: unit vector from the mouth into the pocket.
        jaws: the two points where nose and facing meet.
        throats: the ends of the facings at the feather strip.
        corner: a corner pocket, not a side pocket.
    """

    centre: Point2
    radius: float
    outward: Point2
    jaws: tuple[Point2, Point2]
    throats: tuple[Point2, Point2]
    corner: bool


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
    """Everything placed: half sizes of the bed, pockets, cushions, sights, strings and spots."""

    half_length: float
    half_width: float
    nose_height: float
    bounded: bool
    pockets: tuple[Pocket, ...]
    cushions: tuple[Cushion, ...]
    sights: tuple[Point2, ...]
    head_string_x: float
    foot_spot: Point2
    head_spot: Point2

    @property
    def outer(self) -> Point2:
        """Half length and half width over the rails, m."""
        return self.half_length + RAIL_WIDTH, self.half_width + RAIL_WIDTH


def lay_out(spec: Spec) -> Layout:
    """Place every part of a table."""
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
        head_string_x=-spec.length / 4,
        foot_spot=(spec.length / 4, 0.0),
        head_spot=(-spec.length / 4, 0.0),
    )


def _ends(spec: Spec) -> tuple[CushionEnd, CushionEnd]:
    """How cushions end at a corner and at a side; rounded jaws turn as far as the mouth's axis."""
    corner, side = spec.jaw_radius
    return (
        CushionEnd(45.0 if corner else 180 - spec.corner_angle_deg, corner),
        CushionEnd(90.0 if side else 180 - spec.side_angle_deg, side),
    )


def _pockets(spec: Spec) -> tuple[Pocket, ...]:
    half_l, half_w = spec.length / 2, spec.width / 2
    corner, side = _ends(spec)
    reach, back = spec.corner_mouth / math.sqrt(2), corner.reach(CUSHION_WIDTH)
    made = []
    for sx in (1, -1):
        for sy in (1, -1):
            jaws = ((sx * (half_l - reach), sy * half_w), (sx * half_l, sy * (half_w - reach)))
            throats = (
                (sx * (half_l - reach + back), sy * (half_w + CUSHION_WIDTH)),
                (sx * (half_l + CUSHION_WIDTH), sy * (half_w - reach + back)),
            )
            out = (sx / math.sqrt(2), sy / math.sqrt(2))
            made.append(_pocket(jaws, throats, out, spec.corner_shelf, corner=True))
    mouth, back = spec.side_mouth / 2, side.reach(CUSHION_WIDTH)
    for sy in (1, -1):
        jaws = ((-mouth, sy * half_w), (mouth, sy * half_w))
        throats = (
            (-mouth + back, sy * (half_w + CUSHION_WIDTH)),
            (mouth - back, sy * (half_w + CUSHION_WIDTH)),
        )
        made.append(_pocket(jaws, throats, (0.0, float(sy)), spec.side_shelf, corner=False))
    return tuple(made)


def _pocket(
    jaws: tuple[Point2, Point2],
    throats: tuple[Point2, Point2],
    out: Point2,
    shelf: float,
    corner: bool,
) -> Pocket:
    """Circle through both throat points and the drop edge on the axis of the mouth."""
    mouth = ((jaws[0][0] + jaws[1][0]) / 2, (jaws[0][1] + jaws[1][1]) / 2)
    half = math.dist(*throats) / 2
    mid = ((throats[0][0] + throats[1][0]) / 2, (throats[0][1] + throats[1][1]) / 2)
    depth = (mid[0] - mouth[0]) * out[0] + (mid[1] - mouth[1]) * out[1]
    sag = max(depth - shelf, 0.2 * half)
    radius = (half * half + sag * sag) / (2 * sag)
    away = depth - sag + radius
    centre = (mouth[0] + away * out[0], mouth[1] + away * out[1])
    return Pocket(centre, radius, out, jaws, throats, corner)


def _cushions(spec: Spec, open_pockets: bool) -> tuple[Cushion, ...]:
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
