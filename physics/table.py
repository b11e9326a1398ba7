"""Tables by name: what a rule measures; ``physics.geometry`` derives the rest."""

from dataclasses import dataclass, field
from typing import Literal

from physics.state import BallSpec


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table, in m and degrees (REFERENCES 1.1, 1.2).

    ``length`` and ``width`` nose to nose; ``nose_height`` above the cloth; mouths from jaw point
    to jaw point; shelves from the mouth line to the slate cut; cut angles in the plane, inside
    the cushion.  ``pockets`` "none": four straight rails that meet in the corners.  Not
    ``bounded``: a bed without rails or marks.  ``jaw_radius`` (corner, side) rounds the jaws: such
    jaws turn until they run along the pocket's axis, the mouth is then the narrowest place and
    the cut angles play no part.  ``rail_top`` is the height of the wooden rails above the cloth;
    a cushion's top rises to it from the nose.  ``rail_width`` goes from the nose to the outer
    edge (WPA: 102 to 190 mm), ``bed_height`` from the floor to the bed (743 to 787 mm).
    ``ball`` and ``cue_ball`` are what is played on it.

    ``back_draft_deg`` is how far the facings lean back below their upper edge (WPA: 12 to 15).  The
    liner is the inner wall of a pocket, a cone that leans in over it by ``liner_lean_deg`` and
    stands up to ``rail_top``; no source gives its lean and restitution.  A ball ``pocket_depth``
    under the bed counts as pocketed.
    """

    name: str = "9ft"
    length: float = 2.54
    width: float = 1.27
    nose_height: float = 0.03629025
    corner_mouth: float = 0.1159
    side_mouth: float = 0.1286
    corner_shelf: float = 0.0413
    side_shelf: float = 0.00475
    corner_angle_deg: float = 142.0
    side_angle_deg: float = 104.0
    pockets: Literal["open", "none"] = "open"
    bounded: bool = True
    jaw_radius: tuple[float, float] = (0.0, 0.0)
    back_draft_deg: float = 13.5
    liner_lean_deg: float = 12.0
    liner_restitution: float = 0.3
    pocket_depth: float = 0.06
    rail_top: float = 0.048
    rail_width: float = 0.158
    bed_height: float = 0.762
    ball: BallSpec = field(default_factory=BallSpec)
    cue_ball: BallSpec = field(default_factory=BallSpec)

    @property
    def head_string(self) -> float:
        """x of the head string: a quarter of the length from the head (m)."""
        return -0.25 * self.length


_UK_BALL = BallSpec(radius=0.0254, mass=0.116)
_UK_CUE_BALL = BallSpec(radius=0.0238125, mass=0.094)

TABLES: dict[str, TableSpec] = {
    # WPA 9-ft, mouths and shelves in the middle of the WPA ranges (REFERENCES 1.1, 1.2).
    "9ft": TableSpec(),
    # WPA (pro) 8-ft, 92 x 46 in; pockets as on the 9-ft.
    "8ft": TableSpec(name="8ft", length=2.3368, width=1.1684),
    # US 7-ft bar box (Valley 93, Diamond 7), 80 x 40 in; the WPA knows none (REFERENCES 1.1).
    "7ft": TableSpec(name="7ft", length=2.032, width=1.016),
    # A 9-ft table of recent professional events: corners of 4 1/4 in (REFERENCES 1.2).  No source
    # gives the sides; they keep the half inch that WPA sides are wider than corners.
    "tight": TableSpec(name="tight", corner_mouth=0.10795, side_mouth=0.12065),
    # WEPF/BAPTO: about 6 x 3 ft of bed, 2-in balls, 1 7/8-in cue ball, openings of 1.6 balls,
    # rounded jaws.  The radii of the jaws and the nose are no published figures: the template
    # is not public.  Nose at 63.5 % of the ball.
    "uk7ft": TableSpec(
        name="uk7ft",
        length=1.829,
        width=0.914,
        nose_height=0.032258,
        corner_mouth=0.0813,
        side_mouth=0.0838,
        corner_shelf=0.035,
        side_shelf=0.022,
        jaw_radius=(0.060, 0.032),
        bed_height=0.8255,
        ball=_UK_BALL,
        cue_ball=_UK_CUE_BALL,
    ),
    "unbounded": TableSpec(name="unbounded", bounded=False, pockets="none"),
}
