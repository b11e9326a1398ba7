"""Pictures of the table: the right things in the right colours at the right places."""

import gc
import math

import numpy as np
import pytest
from panda3d.core import LVector3f, RenderState
from PIL import Image

from client.scene import (
    CameraMode,
    CueAim,
    Departure,
    TableScene,
    View,
    WindowOptions,
    grab,
    open_window,
)
from client.scene.balls import paint_of, resting_face
from client.scene.pictures import Shot, arrange, at_rest, render
from physics.table import TABLES
from shared_rules.balls import LAG_A, LAG_B

R = 0.028575
SIZE = (640, 360)
STILL = (1.0, 0.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def base():
    return open_window(WindowOptions(size=SIZE, offscreen=True))


@pytest.fixture(scope="module")
def scene(base):
    open_window(WindowOptions(size=SIZE, offscreen=True))
    scene = TableScene(base, TABLES["9ft"], "medium")
    scene.cameras.set_mode(CameraMode.OVERHEAD, at_once=True)
    yield scene
    scene.destroy()


@pytest.fixture(autouse=True)
def clean(scene):
    scene.clear_marks()
    scene.show_balls({})
    scene.cameras.set_mode(CameraMode.OVERHEAD, at_once=True)


def pixel_of(scene, point):
    x, y = scene.cameras.project(point)
    return round((1 - y) / 2 * SIZE[1] - 0.5), round((x + 1) / 2 * SIZE[0] - 0.5)


def colour_at(scene, pixels, point, reach=1):
    row, column = pixel_of(scene, point)
    return np.median(
        pixels[row - reach : row + reach + 1, column - reach : column + reach + 1].reshape(-1, 3),
        axis=0,
    )


def close_up(scene, pos, distance=0.4):
    """Look at a place straight from above."""
    view = View((pos[0], pos[1], distance), (pos[0], pos[1], 0.0), 18.0, (0.0, 1.0, 0.0))
    scene.cameras.set_view(view, at_once=True)


def hue(colour):
    """Direction of a colour, brightness left out."""
    colour = np.asarray(colour, float)
    return colour / max(np.linalg.norm(colour), 1e-9)


def test_the_table_is_drawn_where_it_is(scene, base):
    pixels = grab(base)
    cloth = colour_at(scene, pixels, (0.3, 0.2, 0))
    wood = colour_at(scene, pixels, (0.5, 0.745, 0.048))
    pocket = colour_at(scene, pixels, (0.0, 0.70, -0.1))
    assert cloth[2] > cloth[1] > cloth[0]
    assert wood[0] > wood[1] > wood[2]
    assert pocket.max() < 30
    # A sight is brighter than the wood beside it.
    sight = colour_at(scene, pixels, (0.635, 0.635 + 0.09366, 0.0484), reach=0)
    assert sight.sum() > wood.sum()


@pytest.mark.parametrize("ball", range(1, 9))
def test_solids_wear_their_colours(scene, base, ball):
    scene.show_balls({ball: ((0.3, -0.2, R), STILL)})
    close_up(scene, (0.3, -0.2))
    # Beside the number and the lamp's reflection.
    seen = colour_at(scene, grab(base), (0.3 + 0.75 * R, -0.2 + 0.1 * R, R), reach=2)
    wanted = np.array(paint_of(ball).colour, float)
    if wanted.max() > 40:
        assert hue(seen) @ hue(wanted) > 0.93
    else:
        assert seen.max() < 60


def test_the_nine_balls_hues_differ(scene, base):
    seen = []
    for ball in range(1, 9):
        scene.show_balls({ball: ((0.3, -0.2, R), STILL)})
        close_up(scene, (0.3, -0.2))
        seen.append(colour_at(scene, grab(base), (0.3 + 0.75 * R, -0.2 + 0.1 * R, R), reach=2))
    for first in range(8):
        for second in range(first):
            assert np.abs(seen[first] - seen[second]).sum() > 60, (first + 1, second + 1)


def test_balls_appear_move_and_vanish(scene, base):
    empty = colour_at(scene, grab(base), (0.5, -0.3, R))
    scene.show_balls({3: ((0.5, -0.3, R), STILL), 0: ((-0.5, 0.1, R), STILL)})
    pixels = grab(base)
    red, white = (colour_at(scene, pixels, place) for place in ((0.5, -0.3, R), (-0.5, 0.1, R)))
    assert np.abs(red - empty).sum() > 60
    assert white.min() > 150
    scene.show_balls({3: ((-0.2, 0.4, R), STILL)})
    pixels = grab(base)
    assert np.abs(colour_at(scene, pixels, (0.5, -0.3, R)) - empty).sum() < 20
    assert colour_at(scene, pixels, (-0.5, 0.1, R)).min() < 120
    assert set(scene.poses) == {3}


@pytest.mark.parametrize("ball", [1, 6, 8, 9, 12, 15])
def test_numbers_are_dark_ink_on_a_white_disc(scene, base, ball):
    pos = (0.1, 0.1)
    w, x, y, z = resting_face(ball)
    # Turn the resting face so that the disc looks straight up.
    face = np.array([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])
    axis = np.cross(face, (0, 0, 1.0))
    half = math.asin(min(np.linalg.norm(axis), 1.0)) / 2
    axis = axis / np.linalg.norm(axis) * math.sin(half)
    scene.show_balls({ball: ((*pos, R), (math.cos(half), *axis))})
    close_up(scene, pos, 0.3)
    pixels = grab(base)
    row, column = pixel_of(scene, (*pos, 2 * R))
    edge = pixel_of(scene, (pos[0] + 0.42 * R, pos[1], 2 * R * 0.95))[1] - column
    disc = pixels[row - edge : row + edge + 1, column - edge : column + edge + 1].max(axis=2)
    inside = np.hypot(*np.mgrid[-edge : edge + 1, -edge : edge + 1]) < edge * 0.95
    dark = (disc < 110) & inside
    bright = (disc > 180) & inside
    assert 0.06 < dark.sum() / inside.sum() < 0.45
    assert bright.sum() / inside.sum() > 0.4


def test_a_stripe_has_white_and_colour_and_a_solid_has_no_white_cap(scene, base):
    # Quarter turn about the number's axis leaves it; the stripe's poles come to the side.
    shares = {}
    for ball in (2, 10):
        scene.show_balls({ball: ((0.0, 0.0, R), STILL)})
        close_up(scene, (0.0, 0.0))
        row, column = pixel_of(scene, (0, 0, R))
        span = pixel_of(scene, (R, 0, R))[1] - column
        box = pixels_box(grab(base), row, column, span)
        shares[ball] = (box.min(axis=2) > 150).mean()
    assert shares[10] > shares[2] + 0.08


def pixels_box(pixels, row, column, span):
    return pixels[row - span : row + span + 1, column - span : column + span + 1]


def test_a_rolling_ball_shows_that_it_rolls(scene, base):
    frames = []
    for turn in (0.0, 0.6, 1.2):
        quat = (math.cos(turn / 2), 0.0, math.sin(turn / 2), 0.0)
        scene.show_balls({0: ((0.0, 0.0, R), quat), 9: ((0.2, 0.0, R), quat)})
        close_up(scene, (0.1, 0.0), 0.9)
        frames.append(grab(base).astype(int))
    for first, second in ((0, 1), (1, 2), (0, 2)):
        changed = np.abs(frames[first] - frames[second]).max(axis=2) > 60
        assert changed.sum() > 60


def test_the_two_balls_of_a_lag_are_told_apart(scene, base):
    scene.show_balls({LAG_A: ((0.0, 0.1, R), STILL), LAG_B: ((0.0, -0.1, R), STILL)})
    close_up(scene, (0.0, 0.0), 0.9)
    pixels = grab(base)
    first = colour_at(scene, pixels, (0.5 * R, 0.1 - 0.5 * R, R), reach=2)
    second = colour_at(scene, pixels, (0.5 * R, -0.1 - 0.5 * R, R), reach=2)
    # Pale yellow holds less blue than white.
    assert first[2] / first[0] > second[2] / second[0] + 0.1


def test_a_ball_shades_the_cloth_around_it(scene, base):
    close_up(scene, (0.2, 0.2), 0.8)
    bare = colour_at(scene, grab(base), (0.2 + 1.25 * R, 0.2, 0.0)).sum()
    scene.show_balls({2: ((0.2, 0.2, R), STILL)})
    pixels = grab(base)
    near = colour_at(scene, pixels, (0.2 + 1.25 * R, 0.2, 0.0)).sum()
    far = colour_at(scene, pixels, (0.2 + 4.5 * R, 0.2, 0.0)).sum()
    assert near < 0.85 * bare
    assert far > 0.95 * bare


def test_a_ball_is_seen_going_down_a_pocket(scene, base):
    x, y = scene.layout.pockets[-1].centre
    seen = []
    for z in (R, -0.04, -0.12):
        scene.show_balls({1: ((x, y, z), STILL)})
        close_up(scene, (x, y), 0.8)
        seen.append(float(colour_at(scene, grab(base), (x + 0.4 * R, y + 0.4 * R, z)).sum()))
    assert seen[0] > seen[1] > seen[2] > 0


def test_marks_are_drawn_and_taken_away(scene, base):
    scene.show_balls({1: ((0.3, 0.1, R), STILL), 2: ((0.3 + 2 * R, 0.1, R), STILL)})
    bare = grab(base).astype(int)
    marks = {
        "cue": lambda: scene.show_cue((0.3, 0.1, R), 10.0),
        "guide": lambda: scene.show_guide(
            [(-0.8, -0.2), (0.2, 0.05)],
            (0.2, 0.05),
            [
                Departure(((0.3, 0.1), (0.6, 0.3)), True),
                Departure(((0.2, 0.05), (0.1, 0.4)), False),
            ],
        ),
        "area": lambda: scene.show_legal_area(scene.layout.head_string_x),
        "legal": lambda: scene.show_placement((-0.8, 0.1), True),
        "illegal": lambda: scene.show_placement((-0.8, 0.1), False),
        "targets": lambda: scene.show_targets([1]),
        "frozen": lambda: scene.show_frozen([(1, 2), (1, (0.3, 0.1 - R))]),
    }
    pictures = {}
    for name, show in marks.items():
        show()
        pictures[name] = grab(base).astype(int)
        assert (np.abs(pictures[name] - bare).max(axis=2) > 25).sum() > 12, name
        scene.clear_marks()
        assert (np.abs(grab(base).astype(int) - bare).max(axis=2) > 25).sum() == 0, name
    assert (np.abs(pictures["legal"] - pictures["illegal"]).max(axis=2) > 25).sum() > 20


def test_the_legal_area_ends_at_the_head_string(scene, base):
    bare = grab(base).astype(int)
    scene.show_legal_area(scene.layout.head_string_x)
    tinted = np.abs(grab(base).astype(int) - bare).max(axis=2) > 6
    rows, columns = np.nonzero(tinted)
    _, string = pixel_of(scene, (scene.layout.head_string_x, 0.0, 0.0))
    assert abs(columns.max() - string) <= 1
    assert columns.min() > pixel_of(scene, (-1.27, 0, 0))[1]
    assert rows.size > 1000


def test_a_target_ring_follows_its_ball(scene, base):
    scene.show_balls({1: ((0.3, 0.1, R), STILL)})
    scene.show_targets([1, 5])
    scene.show_balls({1: ((-0.4, -0.2, R), STILL)})
    ringed = grab(base).astype(int)
    scene.show_targets([])
    changed = np.abs(ringed - grab(base).astype(int)).max(axis=2) > 40
    rows, columns = np.nonzero(changed)
    middle = pixel_of(scene, (-0.4, -0.2, 0.0))
    assert rows.mean() == pytest.approx(middle[0], abs=3)
    assert columns.mean() == pytest.approx(middle[1], abs=3)


@pytest.mark.parametrize("name", ["8ft", "7ft", "uk7ft", "unbounded"])
def test_other_tables_are_drawn_too(base, scene, name):
    scene.root.hide()
    other = TableScene(base, TABLES[name], "low", cloth="green")
    try:
        arrange(other, Shot(at_rest({0: (0.1, 0.1)}), CameraMode.ORBIT, CueAim((0.1, 0.1, R), 30)))
        pixels = grab(base)
        x, y = other.cameras.project((0.3, -0.1, 0.0))
        cloth = pixels[round((1 - y) / 2 * SIZE[1]), round((x + 1) / 2 * SIZE[0])].astype(int)
    finally:
        other.destroy()
        scene.root.show()
        scene.cameras.settle()
    assert cloth[1] > cloth[0] + 10
    assert cloth[1] > cloth[2]


def test_tables_can_come_and_go(base, scene):
    """Nothing of a table that was taken down stays in the scene or in Panda3D's caches."""
    nodes, states = [], []
    for _ in range(4):
        other = TableScene(base, TABLES["9ft"], "low")
        other.show_balls(at_rest({0: (0.0, 0.0), 9: (0.2, 0.0)}))
        grab(base)
        other.destroy()
        del other
        gc.collect()
        nodes.append(len(base.render.find_all_matches("**")))
        RenderState.garbage_collect()
        states.append(RenderState.get_num_states())
    scene.cameras.settle()
    assert nodes[0] == nodes[-1]
    # A table makes more than a hundred states; a few may wait for the next collection.
    assert states[-1] - states[0] < 50


def test_a_pose_turns_the_ball_as_the_physics_means_it(scene):
    """Natural roll to +x (spin about +y) carries the top of the ball to +x."""
    half = 0.3
    scene.show_balls({5: ((0.0, 0.0, R), (math.cos(half), 0.0, math.sin(half), 0.0))})
    top = scene.root.find("**/ball 5").get_quat().xform(LVector3f(0, 0, 1))
    assert top.x == pytest.approx(math.sin(2 * half), abs=1e-6)
    assert top.z == pytest.approx(math.cos(2 * half), abs=1e-6)


def test_unknown_tiers_and_cloths_are_refused(base):
    with pytest.raises(ValueError, match="quality"):
        TableScene(base, TABLES["9ft"], "ultra")
    with pytest.raises(ValueError, match="cloth"):
        TableScene(base, TABLES["9ft"], "low", cloth="tartan")


def test_pictures_are_written(tmp_path, scene):
    scene.root.hide()
    shots = {
        "rack": Shot(at_rest({1: (0.635, 0.0), 0: (-0.8, 0.1)}), CameraMode.CUE,
                     CueAim((-0.8, 0.1, R), -4.0, 3.0), targets=(1,)),
        "hand": Shot(at_rest({1: (0.2, 0.0)}), behind_head_string=True, held=((-0.8, 0.0), True)),
    }  # fmt: skip
    paths = render(shots, tmp_path, size=(320, 180), tier="low")
    scene.root.show()
    open_window(WindowOptions(size=SIZE, offscreen=True))
    assert [path.name for path in paths] == ["rack.png", "hand.png"]
    for path in paths:
        with Image.open(path) as picture:
            assert picture.size == (320, 180)
            assert np.asarray(picture).std() > 15
