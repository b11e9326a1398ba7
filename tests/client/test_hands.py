"""Fine control at the table: the elevation of the cue, and three ways of stroking."""

import itertools
import math

import pytest

from client.play import aim as a
from client.play.guide import guide
from client.play.hand import clearance_of, held_stroke
from client.play.stroking import FULL_SPEED, RISE_S, Push, rising_share
from client.play.swing import way_to_the_bed
from physics.table import TABLES
from shared_rules.state import Phase, Stroke
from shared_rules.table import Position
from tests.client.at_the_table import show, to_the_break
from tests.client.builders import state

BEHIND = {0: Position(-0.6, 0.1), 5: Position(-0.68, 0.1), 2: Position(0.4, 0.1)}


def held(d) -> Stroke:
    return held_stroke(d.hand, d.state, 0)


# --- elevation -----------------------------------------------------------------------------------


def test_the_butt_is_raised_by_keys_from_the_least_to_the_steepest(driven):
    d = driven()
    show(d, state())
    least = clearance_of(d.hand, d.state, 0).least_deg
    assert 0 < least < 10 and held(d).elevation_deg == least
    assert d.model.raised.obstacle == "rail" and "the rail" in d.model.raised.over
    d.key("e")
    assert held(d).elevation_deg == pytest.approx(least + 1)
    d.app.inputs.press("shift")
    d.key("e")
    d.app.inputs.release("shift")
    assert held(d).elevation_deg == pytest.approx(least + 1.1)
    d.app.inputs.press("e")
    d.wait(6.0)
    d.app.inputs.release("e")
    assert held(d).elevation_deg == 85.0 and "85" in d.model.raised.words
    d.app.inputs.press("q")
    d.wait(6.0)
    d.app.inputs.release("q")
    d.frames(1)
    assert held(d).elevation_deg == least


def test_a_ball_behind_is_named_and_a_cue_at_its_least_follows_what_is_behind(driven):
    d = driven()
    show(d, state(balls=BEHIND))
    d.hand.aim.heading_deg = 0.0
    d.frames(1)
    over_ball = held(d).elevation_deg
    assert d.model.raised.obstacle == 5 and "ball 5" in d.model.raised.over and over_ball > 15
    d.hand.aim.heading_deg = 180.0
    d.frames(1)
    assert held(d).elevation_deg < 5 and d.model.raised.obstacle != 5


def test_the_butt_is_raised_by_the_mouse_in_the_side_view_and_struck_so(driven):
    d = driven(size=(1280, 720))
    to_the_break(d)
    d.key("enter")
    hit = d.app.hud.find("elevation")
    ball = (hit.x + 44, hit.y + hit.h - 18)
    there = ((ball[0] + 40) * d.app.hud.scale, (ball[1] - 40) * d.app.hud.scale)
    d.drag(there, (there[0] + 4, there[1] - 2))
    shown = held(d).elevation_deg
    assert 30 < shown < 60
    d.drag(there, (there[0] + 400, there[1] + 400))
    assert held(d).elevation_deg == clearance_of(d.hand, d.state, 0).least_deg
    d.drag(there, (there[0] + 4, there[1] - 2))
    d.key("space", frames=3)
    assert d.state.running.strokes[0][2].elevation_deg == pytest.approx(shown, abs=0.5)
    assert d.table.refusals == []


def test_what_is_watched_shows_the_elevation_too(driven):
    d = driven()
    show(d, state())
    d.key("e")
    d.frames(10)
    assert d.table.aims[-1].elevation_deg == pytest.approx(held(d).elevation_deg)


def test_the_view_behind_the_cue_rises_over_it(driven):
    d = driven()
    show(d, state())
    d.settle()
    low = d.app.stage.scene.cameras.view.eye
    d.hand.aim.elevation_deg = 60.0
    d.settle()
    high = d.app.stage.scene.cameras.view.eye
    ball = d.state.balls[0]
    rise = math.degrees(math.atan2(high[2] - 0.03, math.dist(high[:2], ball)))
    assert rise == pytest.approx(72.0, abs=1.0) and high[2] > low[2] + 0.3


def test_a_new_turn_begins_with_the_cue_down(driven):
    d = driven()
    show(d, state())
    d.hand.aim.elevation_deg = 40.0
    show(d, state(shot_number=4))
    assert d.hand.aim.elevation_deg == 0.0


def test_the_cue_drawn_after_a_steep_stroke_ends_at_the_bed():
    assert way_to_the_bed(Stroke(speed=2.0, heading_deg=0.0), 0.0286) == math.inf
    steep = Stroke(speed=2.0, heading_deg=0.0, elevation_deg=60.0)
    assert 0.04 < way_to_the_bed(steep, 0.0286) < 0.07


@pytest.mark.parametrize("tip", [(0.0, 0.0), (0.35, 0.0), (-0.3, -0.2)])
@pytest.mark.parametrize("elevation", [2.0, 10.0, 20.0])
def test_br_095_over_a_hundredth_of_a_degree_the_line_moves_one_way_and_never_flickers(
    tip, elevation
):
    """Whatever english and elevation, the end of the line follows the cue in tiny steps."""
    balls = {0: Position(-0.6, 0.05), 1: Position(0.45, 0.12), 9: Position(0.9, -0.4)}
    table = TABLES["9ft"]

    def shown(heading):
        stroke = Stroke(speed=3.0, heading_deg=heading, elevation_deg=elevation, tip=tip)
        return guide(table, balls, 0, stroke, "full")

    # The heading at which the ball is met well, whatever squirt and swerve do.
    start = next(h for h in (2.0 + 0.25 * k for k in range(24)) if shown(h).meets == 1) + 0.3
    lines = [shown(start + 0.001 * k) for k in range(11)]
    assert {line.meets for line in lines} == {1}
    ends = [line.ghost for line in lines]
    assert all(q[1] > p[1] for p, q in itertools.pairwise(ends))
    assert max(math.dist(p, q) for p, q in itertools.pairwise(ends)) < 1e-4
    assert a.FINE_DEG_PER_PIXEL <= 0.02


# --- three ways of stroking ----------------------------------------------------------------------


def struck(d) -> float:
    assert d.state.phase is Phase.SHOT_RUNNING and d.table.refusals == []
    return d.state.running.strokes[0][2].speed


def to_the_stroke(driven, **changes):
    d = driven(**changes)
    to_the_break(d)
    d.key("enter")
    return d


def push(d, seconds: float, height: float, key="x") -> None:
    """Pull the mouse back and push it forward over a share of the window in a time."""
    h = d.app.hud.size[1]
    d.move(200.0, 0.5 * h)
    d.app.inputs.press(key)
    d.frames(1)
    for k in range(1, 9):
        d.move(200.0, (0.5 + height * k / 8) * h)
    steps = max(2, round(seconds * 60))
    for k in range(1, steps + 1):
        if d.state.phase is not Phase.SHOT_RUNNING:
            d.move(200.0, (0.5 + height * (1 - 1.6 * k / steps)) * h)
    d.app.inputs.release(key)
    d.frames(2)


@pytest.mark.parametrize("key", ["x", "mouse2"])
def test_a_push_of_the_mouse_strikes_as_fast_as_it_comes(driven, key):
    d = to_the_stroke(driven)
    heading = d.hand.aim.heading_deg
    push(d, seconds=0.5, height=0.2, key=key)
    # 0.32 heights in half a second: 0.64 a second of 4.
    assert d.hand.aim.share == pytest.approx(0.64 / FULL_SPEED, rel=0.1)
    assert struck(d) == pytest.approx(d.hand.aim.speed) and d.hand.aim.heading_deg == heading


def test_the_softest_and_the_hardest_push_reach_the_ends_of_the_range(driven):
    d = to_the_stroke(driven)
    push(d, seconds=0.03, height=0.3)
    assert struck(d) == pytest.approx(a.MOST_SPEED)
    soft = to_the_stroke(driven)
    push(soft, seconds=6.0, height=0.1)
    assert a.LEAST_SPEED <= struck(soft) < a.LEAST_SPEED + 0.01


def test_a_push_that_is_let_go_or_only_trembles_strikes_nothing(driven):
    d = to_the_stroke(driven)
    d.move(200.0, 150.0)
    d.app.inputs.press("x")
    d.frames(1)
    for y in (154.0, 146.0, 153.0, 140.0):
        d.move(200.0, y)
    d.app.inputs.release("x")
    d.frames(2)
    assert not d.hand.drawn_back and d.state.phase is not Phase.SHOT_RUNNING
    assert "taken back" in d.model.toast
    d.app.inputs.press("x")
    d.move(200.0, 250.0)
    d.key("escape")
    assert d.hand.push is None
    d.app.inputs.release("x")
    d.frames(2)
    assert d.state.phase is not Phase.SHOT_RUNNING


def test_a_push_tells_the_same_speed_at_any_frame_rate():
    shares = []
    for rate in (30, 60, 144):
        made, now = Push(), 0.0
        made.move(0.25, now)
        share = None
        while share is None:
            now += 1 / rate
            share = made.move(-1.2 / rate, now)  # 1.2 heights a second
        shares.append(share)
    assert shares == pytest.approx([1.2 / FULL_SPEED] * 3, rel=0.02)


def test_holding_a_key_lets_the_power_rise_and_fall_and_strikes(driven):
    d = to_the_stroke(driven)
    d.app.inputs.press("v")
    d.wait(0.5 * RISE_S)
    assert d.hand.aim.share == pytest.approx(0.5, abs=0.1)
    d.app.inputs.release("v")
    d.frames(2)
    assert struck(d) == pytest.approx(d.hand.aim.speed)
    assert [rising_share(t * RISE_S) for t in (0.0, 0.5, 1.0, 1.5, 2.0)] == pytest.approx(
        [0.0, 0.5, 1.0, 0.5, 0.0]
    )


def test_the_bar_alone_reaches_both_ends_and_strikes_at_a_click(driven):
    d = to_the_stroke(driven, size=(1280, 720))
    x, y = d.app.hud.centre_of("power")
    d.drag((x, y), (x, y + 300))
    assert d.hand.aim.speed == a.LEAST_SPEED
    d.drag((x, y), (x, y - 300))
    d.push("strike")
    assert struck(d) == a.MOST_SPEED


def test_losing_the_focus_takes_every_stroke_back(driven):
    for key in ("space", "v", "x"):
        d = driven()
        show(d, state())
        d.app.inputs.press(key)
        d.frames(2)
        assert d.hand.drawn_back
        d.hand.take_back()
        d.app.inputs.lose_focus()
        d.frames(3)
        assert not d.hand.drawn_back and d.state.phase is Phase.AWAIT_SHOT
