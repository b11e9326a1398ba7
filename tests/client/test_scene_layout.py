"""Where the parts of a table lie: against the rule book's measures and the physics' pockets."""

import dataclasses
import itertools
import math

import pytest

from client.scene.bed import bed_outline, hole_angles
from client.scene.layout import CUSHION_WIDTH, CushionEnd, lay_out
from physics.geometry import build_geometry
from physics.layout import HOLE_RADIUS, HOLE_X, HOLE_Y
from physics.table import TABLES


def test_eighteen_sights_an_eighth_of_the_length_apart():
    layout = lay_out(TABLES["9ft"])
    assert len(layout.sights) == 18
    long_rail = sorted(x for x, y in layout.sights if y > 0.64 and abs(x) < 1.2)
    gaps = [b - a for a, b in itertools.pairwise(long_rail)]
    # 12.5 in apart, but the side pocket takes the place of the fourth (REFERENCES 1.1).
    assert gaps == pytest.approx([0.3175, 0.3175, 0.635, 0.3175, 0.3175])
    assert all(abs(y) == pytest.approx(0.635 + 0.09366) for x, y in layout.sights if abs(x) < 1.2)


def test_jaw_points_of_a_nine_foot_table():
    """REFERENCES 1.2 gives them for 4.5 and 5.0 in mouths."""
    spec = dataclasses.replace(TABLES["9ft"], corner_mouth=0.1143, side_mouth=0.127)
    foot, foot_left = lay_out(spec).cushions[:2]
    assert foot.end == pytest.approx((1.27, 0.554178), abs=1e-6)
    assert foot_left.start == pytest.approx((1.189178, 0.635), abs=1e-6)
    assert foot_left.end == pytest.approx((0.0635, 0.635), abs=1e-6)
    # Throats 50.8 mm behind the nose: 94.19 and 101.67 mm.
    reach = foot.at_end.reach(0.0508)
    a = (1.27 + 0.0508, 0.554178 + reach)
    b = (1.189178 + reach, 0.635 + 0.0508)
    assert math.dist(a, b) == pytest.approx(0.09419, abs=1e-5)
    side = foot_left.at_end.reach(0.0508)
    assert 0.127 - 2 * side == pytest.approx(0.10167, abs=1e-5)


@pytest.mark.parametrize("name", ["9ft", "8ft", "7ft", "uk7ft"])
def test_pockets_are_where_the_physics_drops_balls(name):
    spec = TABLES[name]
    layout = lay_out(spec)
    holes = build_geometry(spec).holes
    assert len(layout.pockets) == len(holes) == 6
    for pocket, hole in zip(layout.pockets, holes, strict=True):
        assert pocket.centre == pytest.approx((hole[HOLE_X], hole[HOLE_Y]))
        assert pocket.radius == pytest.approx(hole[HOLE_RADIUS])
        for x, y in pocket.cuts:
            assert math.dist((x, y), pocket.centre) == pytest.approx(pocket.radius)
            on_long = abs(y) == pytest.approx(layout.half_width + CUSHION_WIDTH)
            assert on_long or abs(x) == pytest.approx(layout.half_length + CUSHION_WIDTH)
        low, high = hole_angles(pocket)
        assert 0 < high - low < 2 * math.pi
        # The whole hole lies within the rails.
        assert all(
            abs(c) + pocket.radius < o for c, o in zip(pocket.centre, layout.outer, strict=True)
        )


def test_the_cloth_ends_at_the_drop_edge():
    layout = lay_out(TABLES["9ft"])
    outline = bed_outline(layout, 24)
    for pocket in layout.pockets:
        nearest = min(math.dist(p, pocket.centre) for p in outline)
        assert nearest == pytest.approx(pocket.radius)
    # A simple polygon, counter-clockwise, a little smaller than the rectangle round it.
    area = 0.5 * sum(
        a[0] * b[1] - b[0] * a[1] for a, b in zip(outline, outline[1:] + outline[:1], strict=True)
    )
    whole = 4 * (layout.half_length + CUSHION_WIDTH) * (layout.half_width + CUSHION_WIDTH)
    assert 0.97 * whole < area < whole


def test_a_rounded_jaw_meets_nose_and_facing_smoothly():
    end = CushionEnd(45.0, 0.06)
    joint = 0.06 * (1 - math.cos(math.pi / 4))
    assert end.reach(0.0) == pytest.approx(-0.06 * math.tan(math.pi / 8))
    assert end.reach(joint - 1e-9) == pytest.approx(end.reach(joint + 1e-9), abs=1e-6)


def test_tables_without_pockets_and_without_rails():
    closed = lay_out(dataclasses.replace(TABLES["9ft"], pockets="none"))
    assert closed.pockets == ()
    assert len(closed.cushions) == 4
    bare = lay_out(TABLES["unbounded"])
    assert bare.cushions == bare.pockets == bare.sights == ()
