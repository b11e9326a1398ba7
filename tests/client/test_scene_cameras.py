"""The views: what they hold, how they move, and rays from the mouse to the bed."""

import math

import pytest

from client.scene import CameraMode, TableScene, WindowOptions, open_window
from physics.table import TABLES


@pytest.fixture(scope="module")
def scene():
    base = open_window(WindowOptions(size=(320, 180), offscreen=True))
    scene = TableScene(base, TABLES["9ft"], "low")
    yield scene
    scene.destroy()


@pytest.mark.parametrize("mode", list(CameraMode))
def test_a_point_seen_is_the_point_picked(scene, mode):
    scene.cameras.aim((-0.6, 0.1, 0.0286), 20.0)
    scene.cameras.set_mode(mode, at_once=True)
    seen = 0
    for x in (-1.0, -0.3, 0.0, 0.4, 1.1):
        for y in (-0.5, 0.0, 0.5):
            place = scene.cameras.project((x, y, 0.0))
            if place is not None:
                seen += 1
                assert scene.pick_bed_point(*place) == pytest.approx((x, y), abs=2e-4)
    assert seen >= 3


def test_no_point_is_picked_above_the_horizon(scene):
    scene.cameras.aim((-0.6, 0.0, 0.0286), 0.0)
    scene.cameras.set_mode(CameraMode.CUE, at_once=True)
    assert scene.pick_bed_point(0.0, 0.98) is None


def test_overhead_holds_the_whole_table_and_fills_the_frame(scene):
    scene.cameras.set_insets(0, 0, 0, 0)
    scene.cameras.set_mode(CameraMode.OVERHEAD, at_once=True)
    half_l, half_w = scene.layout.outer
    corners = [scene.cameras.project((sx * half_l, sy * half_w, 0.048)) for sx, sy in
               ((-1, -1), (1, 1))]  # fmt: skip
    assert all(corner is not None for corner in corners)
    assert corners[0][0] < 0 < corners[1][0]
    assert max(max(abs(v) for v in corner) for corner in corners) > 0.9


def test_overhead_keeps_clear_of_panels(scene):
    scene.cameras.set_insets(0.25, 0.0, 0.0, 0.1)
    scene.cameras.set_mode(CameraMode.OVERHEAD, at_once=True)
    half_l, half_w = scene.layout.outer
    left, bottom = scene.cameras.project((-half_l, -half_w, 0.048))
    right, top = scene.cameras.project((half_l, half_w, 0.048))
    scene.cameras.set_insets(0, 0, 0, 0)
    assert left > -1 + 2 * 0.25 - 0.02
    assert right < 1.0
    assert top < 1 - 2 * 0.1 + 0.02
    assert bottom > -1.0


def test_the_view_behind_the_cue_looks_along_it(scene):
    scene.cameras.aim((0.2, -0.1, 0.0286), 135.0)
    scene.cameras.set_mode(CameraMode.CUE, at_once=True)
    near = scene.cameras.project((0.2, -0.1, 0.0286))
    far = scene.cameras.project((0.0, 0.1, 0.0286))
    assert near[0] == pytest.approx(0.0, abs=1e-3)
    assert far[0] == pytest.approx(0.0, abs=1e-3)
    assert far[1] > near[1]


def test_a_change_of_view_is_a_flight_that_arrives(scene):
    scene.cameras.set_mode(CameraMode.OVERHEAD, at_once=True)
    start = scene.cameras.view.eye
    scene.cameras.set_mode(CameraMode.BROADCAST)
    scene.update(1 / 60)
    after_one = scene.cameras.view.eye
    for _ in range(120):
        scene.update(1 / 60)
    there = scene.cameras.view.eye
    scene.cameras.settle()
    wanted = scene.cameras.view.eye
    assert 0 < math.dist(start, after_one) < 0.3 * math.dist(start, wanted)
    assert there == pytest.approx(wanted, abs=0.01)


def test_the_flight_does_not_depend_on_the_frame_rate(scene):
    ends = []
    for steps in (10, 40):
        scene.cameras.set_mode(CameraMode.OVERHEAD, at_once=True)
        scene.cameras.set_mode(CameraMode.ORBIT)
        for _ in range(steps):
            scene.update(0.2 / steps)
        ends.append(scene.cameras.view.eye)
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)


def test_orbiting_stays_above_the_table(scene):
    scene.cameras.set_mode(CameraMode.ORBIT, at_once=True)
    scene.cameras.orbit(turn_deg=500, rise_deg=-300, zoom=100)
    scene.cameras.settle()
    assert scene.cameras.view.eye[2] > 0.0
    scene.cameras.orbit(rise_deg=300, zoom=0.001)
    scene.cameras.settle()
    assert 1.0 < scene.cameras.view.eye[2] < 7.0


@pytest.mark.parametrize("size", [(320, 180), (240, 180), (420, 180)])
@pytest.mark.parametrize("insets", [(0, 0, 0, 0), (0.145, 0.125, 0.185, 0.16)])
def test_broadcast_keeps_the_table_clear_of_panels(scene, size, insets):
    open_window(WindowOptions(size=size, offscreen=True))
    left, right, _, top = insets
    scene.cameras.set_insets(*insets)
    scene.cameras.set_mode(CameraMode.BROADCAST, at_once=True)
    half_l, half_w = scene.layout.outer
    foot = [scene.cameras.project((half_l, sy * half_w, 0.048)) for sy in (1, -1)]
    head = [scene.cameras.project((-half_l + 0.2, sy * half_w, 0.048)) for sy in (1, -1)]
    scene.cameras.set_insets(0, 0, 0, 0)
    open_window(WindowOptions(size=(320, 180), offscreen=True))
    assert all(point is not None for point in foot + head)
    assert max(y for _, y in foot) == pytest.approx(0.94 - 2 * top, abs=0.5)
    assert max(y for _, y in foot) < 1 - 2 * top
    assert min(x for x, _ in foot + head) > -1.06 + left
    assert max(x for x, _ in foot + head) < 1.06 - right
    # It fills the clear part one way or the other.
    wide = (max(x for x, _ in foot + head) - min(x for x, _ in foot + head)) / 2
    tall = (max(y for _, y in foot) - min(y for _, y in head)) / 2
    assert max(wide / (1 - (left + right) / 2), tall / (1 - top)) > 0.7
