"""The cue: the motion of a stroke, and where the stick lies."""

import math

import pytest
from panda3d.core import LPoint3f

from client.scene import StrokeMotion, TableScene, WindowOptions, open_window
from client.scene.cue import LENGTH
from physics.clearance import least_elevation_at
from physics.layout import CUSHION_DEPTH
from physics.table import TABLES

R = 0.028575


@pytest.mark.parametrize("speed", [0.4, 2.0, 9.0])
def test_a_stroke_draws_back_and_meets_the_ball_at_its_speed(speed):
    stroke = StrokeMotion(speed)
    assert stroke.pull_at(0) == pytest.approx(stroke.rest_m)
    assert stroke.pull_at(stroke.back_s) == pytest.approx(stroke.pull_m)
    assert stroke.pull_at(stroke.contact_at) == pytest.approx(0.0, abs=1e-9)
    step = 1e-5
    before = stroke.pull_at(stroke.contact_at - step) / step
    after = -stroke.pull_at(stroke.contact_at + step) / step
    assert before == pytest.approx(speed, rel=1e-2)
    assert after == pytest.approx(speed, rel=1e-2)
    assert -0.4 < stroke.pull_at(stroke.ends_at) < -0.04


@pytest.fixture(scope="module")
def scene():
    base = open_window(WindowOptions(size=(160, 90), offscreen=True))
    scene = TableScene(base, TABLES["9ft"], "low")
    yield scene
    scene.destroy()


def _ends(scene):
    node = scene.root.find("cue")
    return tuple(scene.root.get_relative_point(node, LPoint3f(x, 0, 0)) for x in (0.0, -LENGTH))


def test_the_tip_points_at_the_asked_spot_of_the_ball(scene):
    scene.show_cue((0.0, 0.0, R), 90.0, elevation_deg=10.0, tip=(0.3, -0.2), pull_m=0.0)
    tip, butt = _ends(scene)
    # Heading +y: the player's right is +x. On the ball's skin, and the butt behind and above.
    assert (tip - LPoint3f(0, 0, R)).length() == pytest.approx(R, abs=1e-5)
    assert tip.x == pytest.approx(0.3 * R, abs=1e-6)
    assert butt.y < tip.y - 1.4
    assert math.degrees(math.asin((butt.z - tip.z) / LENGTH)) == pytest.approx(10.0, abs=0.01)


@pytest.mark.parametrize("heading", [0, 37, 90, 200, 305])
@pytest.mark.parametrize("pos", [(0.0, 0.0), (-1.0, 0.3), (1.1, -0.5)])
def test_a_cue_raised_as_a_match_demands_is_drawn_clear_of_the_rail(scene, heading, pos):
    least = least_elevation_at(scene.table, {0: pos}, 0, heading, (0.0, 0.0))
    scene.show_cue((*pos, R), heading, least)
    tip, butt = _ends(scene)
    for k in range(101):
        at = tip + (butt - tip) * (k / 100)
        outside = abs(at.x) > scene.layout.half_length or abs(at.y) > scene.layout.half_width
        inside = abs(at.x) < scene.layout.outer[0] and abs(at.y) < scene.layout.outer[1]
        # Where the rail is under it, the stick passes over it by its own thickness.
        if (
            outside
            and inside
            and max(abs(at.x) - scene.layout.half_length, abs(at.y) - scene.layout.half_width)
            > CUSHION_DEPTH
        ):
            assert at.z > TABLES["9ft"].rail_top + 0.006
    scene.hide_cue()
    assert scene.root.find("cue").is_hidden()
