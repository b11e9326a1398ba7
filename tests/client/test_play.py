"""A match played through the interface: keys and mouse in, orders out."""

import math

import pytest

from client.play.hand import Mode
from client.scene import CameraMode
from shared_rules import commands as c
from shared_rules.commands import Actor
from shared_rules.state import Phase, Stroke
from tests.client.at_the_table import LAG, lag, show, to_the_break
from tests.client.builders import state


def test_lag_choice_placement_and_break_by_keys(driven):
    d = driven()
    assert d.app.mode is Mode.AIM and d.state.phase is Phase.LAG
    lag(d)
    assert d.state.decider == 0
    assert "Ann wins the lag" in d.model.ruling[0][0]
    assert [b.action for b in d.model.dialog.buttons] == ["choose:break", "choose:give_break"]
    d.key("1")
    d.wait_for(Phase.PLACE_CUE_FOR_BREAK)
    d.frames(3)
    assert d.app.mode is Mode.PLACE
    d.key("arrow_left")
    d.key("enter")
    assert d.state.cue_placed and d.app.mode is Mode.AIM
    assert abs(d.hand.aim.heading_deg) < 20.0  # points at the rack by itself
    number = d.state.shot_number
    d.key("space", frames=4)
    assert d.state.phase is Phase.SHOT_RUNNING and d.state.running.number == number + 1
    d.wait(0.3)
    assert d.app.stage.shown.shot_time == pytest.approx(0.3, abs=0.15)
    running = d.state.running.number
    while d.state.phase is Phase.SHOT_RUNNING:
        d.frames(1, 0.1)
    assert d.state.last_ruling.shot == running
    assert d.table.refusals == []


def test_the_same_by_mouse_alone(driven):
    d = driven()
    d.hand.aim.speed = LAG
    d.push("strike")
    d.table.order(Actor.SEAT_1, c.Strike(stroke=Stroke(speed=1.6, heading_deg=0.0)))
    d.wait_for(Phase.LAG_CHOICE)
    d.push("choose:break")
    d.wait_for(Phase.PLACE_CUE_FOR_BREAK)
    d.settle()
    d.click(*d.pixel_of(-0.8, 0.2))
    assert d.state.cue_placed
    assert d.state.balls[0] == pytest.approx((-0.8, 0.2), abs=0.03)
    d.settle()
    x, y = d.app.hud.centre_of("power")
    d.drag((x, y), (x, y - 400))
    assert d.hand.aim.share == 1.0
    d.push("strike")
    assert d.state.phase is Phase.SHOT_RUNNING
    assert d.state.running.strokes[0][2].speed == pytest.approx(10.0)


def test_a_place_that_the_rules_forbid_is_said_and_not_sent(driven):
    d = driven()
    to_the_break(d)
    d.settle()
    version = d.table.state.version
    d.click(*d.pixel_of(0.2, 0.0))
    assert not d.state.cue_placed and d.table.state.version == version
    assert "behind the head string" in d.model.toast
    assert "behind the head string" in d.why_grey("place")
    d.push("place")
    assert d.table.refusals == [] and d.table.state.version == version
    d.key("space")
    assert "Put the cue ball down first" in d.model.toast


def test_the_cue_ball_in_hand_is_moved_again_and_by_keys_finely(driven):
    d = driven()
    to_the_break(d)
    d.key("enter")
    first = d.state.balls[0]
    d.key("b")
    assert d.app.mode is Mode.PLACE and d.hand.place == first
    d.key("arrow_down")
    d.app.inputs.press("shift")
    d.key("arrow_right")
    d.app.inputs.release("shift")
    d.push("place")
    moved = d.state.balls[0]
    assert moved.x - first.x == pytest.approx(-0.005)
    assert moved.y - first.y == pytest.approx(-0.0005)
    assert d.app.mode is Mode.AIM


def test_the_lag_ball_is_placed_on_the_own_half_only(driven):
    d = driven()
    d.push("move_cue")
    d.settle()
    d.click(*d.pixel_of(-0.9, -0.3))
    assert "own half" in d.model.toast
    d.click(*d.pixel_of(-0.9, 0.4))
    assert d.state.lag.balls[0] == pytest.approx((-0.9, 0.4), abs=0.03)


def test_the_lag_of_the_other_stays_unseen_and_the_own_is_waited_for(driven):
    d = driven()
    d.table.order(Actor.SEAT_1, c.Strike(stroke=Stroke(speed=1.6, heading_deg=0.0)))
    d.frames(2)
    assert d.state.lag.strokes[1] is None and d.state.lag.struck[1]
    assert d.model.players[1].note == "has lagged"
    d.key("space")
    d.frames(2)
    assert d.state.phase is Phase.SHOT_RUNNING


@pytest.mark.parametrize("size", [(640, 360), (1280, 720)])
def test_fine_aim_is_at_most_a_fiftieth_of_a_degree_a_pixel(driven, size):
    d = driven(size=size)
    show(d, state())
    d.settle()
    before = d.hand.aim.heading_deg
    d.move(300, 150)
    d.app.inputs.press("mouse3")
    d.frames(1)
    d.move(301, 150)
    d.app.inputs.release("mouse3")
    d.frames(1)
    assert 0 < abs(d.hand.aim.heading_deg - before) <= 0.02
    before = d.hand.aim.heading_deg
    d.app.inputs.press("shift")
    d.key("arrow_left")
    d.app.inputs.release("shift")
    assert d.hand.aim.heading_deg - before == pytest.approx(0.01, abs=1e-6)


def test_dragging_in_the_overhead_view_points_at_the_place(driven):
    d = driven()
    show(d, state())
    d.key("2")
    d.settle()
    assert d.app.stage.camera is CameraMode.OVERHEAD
    d.drag(d.pixel_of(0.0, 0.0), d.pixel_of(0.4, -0.4))
    ball = d.state.balls[0]
    wanted = math.degrees(math.atan2(-0.4 - ball.y, 0.4 - ball.x))
    assert d.hand.aim.heading_deg == pytest.approx(wanted, abs=1.0)


def test_the_cue_is_drawn_back_while_held_and_can_be_taken_back(driven):
    d = driven()
    show(d, state())
    d.app.inputs.press("space")
    d.frames(20)
    assert d.hand.drawn_back_at is not None
    d.key("escape")
    d.app.inputs.release("space")
    d.frames(2)
    assert d.hand.drawn_back_at is None and d.state.phase is Phase.AWAIT_SHOT
    x, y = d.app.hud.centre_of("strike")
    d.drag((x, y), (x, y - 150))  # pressed on the button, let go elsewhere
    assert d.state.phase is Phase.AWAIT_SHOT


def test_power_and_tip_by_keys_mouse_and_wheel(driven):
    d = driven()
    show(d, state())
    share = d.hand.aim.share
    d.key("arrow_up")
    assert d.hand.aim.share == pytest.approx(share + 0.02)
    d.key("wheel_up")
    assert d.hand.aim.share == pytest.approx(share + 0.04)
    d.app.inputs.press("arrow_down")
    d.frames(60, 1 / 60)
    d.app.inputs.release("arrow_down")
    assert d.hand.aim.share < share
    d.key("d")
    d.key("w")
    assert d.hand.aim.tip == pytest.approx((0.02, 0.02))
    x, y = d.app.hud.centre_of("tip")
    d.drag((x, y), (x + 0.3 * d.app.hud.layout.tip_radius * d.app.hud.scale, y))
    assert d.hand.aim.tip == pytest.approx((0.3, 0.0), abs=0.01)
    d.drag((x, y), (x + 300, y))
    assert d.hand.aim.miscue and d.hand.aim.tip[0] == pytest.approx(0.95)
    assert d.model.tip.miscue
    d.key("r")
    assert d.hand.aim.tip == (0.0, 0.0)


@pytest.mark.parametrize("what", ["power", "tip", "aim"])
def test_a_flick_of_the_mouse_in_the_frame_of_letting_go_moves_nothing(driven, what):
    d = driven()
    x, y = d.app.hud.centre_of(what) if what != "aim" else (220.0, 150.0)
    d.move(x, y)
    d.app.inputs.press("mouse1")
    d.frames(1)
    d.move(x + 4, y - 6)
    held = d.hand.aim.share, d.hand.aim.tip, d.hand.aim.heading_deg
    d.app.inputs.release("mouse1")
    d.move(x - 60, y + 70)
    assert (d.hand.aim.share, d.hand.aim.tip, d.hand.aim.heading_deg) == held


@pytest.mark.parametrize("button", ["mouse1", "mouse3"])
def test_what_the_mouse_did_before_the_press_does_not_aim(driven, button):
    d = driven()
    d.move(220.0, 150.0)
    heading = d.hand.aim.heading_deg
    d.app.inputs.move(330.0, 150.0)
    d.app.inputs.press(button)
    d.frames(1)
    assert d.hand.aim.heading_deg == heading
