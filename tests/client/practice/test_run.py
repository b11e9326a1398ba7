"""Shots without rules, what they were worth, and the way through drills and lessons."""

import math

import pytest

from client.practice.drills import DRILLS, straight
from client.practice.goals import Called, Disc, EndsIn, Judged, Lags, Pots, Stops, Strip, judge
from client.practice.history import History
from client.practice.layout import TableLayout, may_lie, read
from client.practice.lessons import LESSONS
from client.practice.results import missed_words, result_lines
from client.practice.run import Course, Run, Stage
from client.practice.shot import play
from client.practice.store import Kept
from physics.clearance import least_elevation_at
from physics.pots import pots_on
from shared_rules.balls import CUE
from shared_rules.state import Call, Stroke
from shared_rules.table import Position

ALONG = math.degrees(math.atan2(0.594, 1.229))


def struck(layout, heading, speed, tip=(0.0, 0.0), call=None):
    up = least_elevation_at(layout.spec, layout.balls, CUE, heading, tip)
    stroke = Stroke(speed=speed, heading_deg=heading, elevation_deg=up, tip=tip)
    return play(layout, stroke, call)


def straight_pot(speed=2.0, tip=(0.0, 0.0), call=None):
    layout = straight(0.4, 0.4)
    (pot,) = [p for p in pots_on(layout.balls, 1, layout.spec) if p.pocket == "foot_left"]
    return struck(layout, pot.heading_deg, speed, tip, call)


def test_a_shot_tells_what_fell_and_where_the_cue_ball_went():
    shot = straight_pot(tip=(0.0, -0.2))
    assert shot.pocketed == ((1, "foot_left"),) and not shot.lost and shot.off == ()
    assert shot.first[0] == 1
    assert math.dist(shot.first[1], shot.before.balls[1]) == pytest.approx(2 * 0.028575, abs=1e-4)
    assert shot.rails == () and 0.3 < shot.way < 0.7
    said = [text for text, _ in result_lines(shot, "en")]
    assert said[0] == "Ball 1: foot pocket on the left" and "cushions: 0" in said[2]
    assert "Koule 1" in result_lines(shot, "cs")[0][0]


def test_a_lost_cue_ball_is_worth_nothing():
    shot = straight_pot(speed=3.0, tip=(0.0, 0.4))
    assert shot.lost and shot.rests is None
    assert judge((Pots(1),), shot) == Judged(0, "lost")
    assert "white fell" in " ".join(text for text, _ in result_lines(shot, "en"))
    assert missed_words("lost", "en") == "The white was lost"


def test_parts_count_in_order_up_to_the_first_that_was_missed():
    shot = straight_pot(tip=(0.0, -0.12), speed=2.0)
    here = EndsIn(Disc(*shot.rests, 0.01))
    elsewhere = EndsIn(Strip(-1.0, -0.5, -0.5, 0.5))
    assert judge((Pots(1, "foot_left"), here), shot) == Judged(2, None)
    assert judge((Pots(1), elsewhere, here), shot) == Judged(1, elsewhere)
    assert judge((Pots(1, "foot_right"), here), shot).points == 0
    assert judge((Pots(),), shot).whole
    away = math.dist(shot.first[1], shot.rests)
    assert Stops(away + 1e-6).made(shot) == 1 and Stops(away - 1e-6).made(shot) == 0


def test_a_call_counts_where_ball_and_pocket_are_right():
    for pocket, made in (("foot_left", 1), ("foot_right", 0)):
        shot = straight_pot(tip=(0.0, -0.2), call=Call(ball=1, pocket=pocket))
        assert Called().made(shot) == made
    assert Called().made(straight_pot(tip=(0.0, -0.2))) == 0


def test_a_lag_is_graded_by_the_gap_to_the_head_cushion():
    layout = TableLayout("9ft", {CUE: Position(-0.75, 0.3)})
    part = Lags(((0.05, 3), (0.15, 2), (0.30, 1)))
    points = {part.made(struck(layout, 0.0, 1.0 + 0.02 * k)) for k in range(40)}
    assert points == {0, 1, 2, 3}
    assert part.made(struck(layout, 0.0, 0.3)) == 0  # not even there
    assert part.made(struck(layout, 180.0, 0.8)) == 0  # the wrong cushion
    assert part.made(struck(layout, 0.0, 6.0)) == 0  # up and down more than once


# --- every stage ---------------------------------------------------------------------------------

TIPS = ((0.0, -0.15), (0.0, 0.0), (0.0, -0.3), (0.0, 0.3), (0.0, -0.45), (0.0, 0.45))
SPEEDS = (1.8, 2.5, 1.3, 3.5, 0.9, 3.0, 4.5, 1.5, 2.1)
LAG_SPEEDS = tuple(1.20 + 0.01 * k for k in range(30))


def solved(stage) -> bool:
    """Whether some stroke of a coarse grid does everything."""
    balls, spec = stage.layout.balls, stage.layout.spec
    pots = [p for p in pots_on(balls, 1, spec) if p.pocket == "foot_left"] if 1 in balls else []
    first = pots[0].heading_deg if pots else 0.0
    if 1 in balls and not pots:  # along the rail: at the ball's edge and the cushion at once
        first = math.degrees(math.atan2(balls[1].y - balls[0].y, balls[1].x - balls[0].x)) + 3.8
    for off in (0.0, *(way * 0.15 * k for k in range(1, 9) for way in (1, -1))):
        for tip in TIPS:
            for speed in SPEEDS if pots or 1 in balls else LAG_SPEEDS:
                if judge(stage.parts, struck(stage.layout, first + off, speed, tip)).whole:
                    return True
    return False


SCORED = [
    pytest.param(stage, id=f"{drill.name}-{k}")
    for drill in DRILLS
    for k, stage in enumerate(drill.stages[:1] if drill.name == "lag" else drill.stages)
    if stage.shots == 1
]


@pytest.mark.parametrize("stage", SCORED)
def test_every_stage_can_be_done(stage):
    assert solved(stage)


@pytest.mark.parametrize("course", [*DRILLS, LESSONS], ids=lambda course: course.name)
def test_every_stage_lies_well_and_has_a_ball_to_begin_with(course):
    for stage in course.stages:
        balls = stage.layout.balls
        assert all(may_lie(stage.layout, ball, at) for ball, at in balls.items())
        assert (CUE in balls) != stage.hand
        if stage.shots > 1:
            pots = pots_on(balls, 1, stage.layout.spec)
            assert max(pot.slack_deg for pot in pots) > 0.15


# --- ways through --------------------------------------------------------------------------------

GOOD, BAD = straight_pot(tip=(0.0, -0.2)), struck(straight(0.4, 0.4), ALONG + 90.0, 0.5)
STAGE = Stage(straight(0.4, 0.4), (Pots(1),))


def test_a_drill_goes_on_whatever_a_shot_was_worth_and_counts():
    run = Run(Course("x", (STAGE, STAGE, STAGE)))
    for shot, points in ((GOOD, 1), (BAD, 1), (GOOD, 2)):
        run.take(shot)
        assert run.waits and run.points == points
        run.go_on()
    assert run.over and run.course.most == 3


def test_a_lesson_is_tried_again_until_it_is_done_or_skipped():
    run = Run(Course("x", (STAGE, STAGE), "lesson"))
    run.take(BAD)
    assert run.waits and not run.passed
    run.go_on()
    assert run.at == 0 and not run.waits
    run.take(GOOD)
    assert run.passed
    run.go_on()
    assert run.at == 1
    run.skip()
    assert run.over and run.done == {0}


def test_a_stage_of_many_shots_goes_on_from_where_the_balls_lie_until_a_miss():
    stage = Stage(straight(0.4, 0.4), (Pots(),), shots=3)
    run = Run(Course("x", (stage,)))
    run.take(GOOD)
    assert not run.waits and run.points == 1 and run.stage.most == 3
    run.take(BAD)
    assert run.waits and run.points == 1 and not run.passed


def test_history_goes_back_and_forth_and_forgets_what_was_taken_back():
    first, second, third = (read(f"9ft 0:{k},0") for k in range(3))
    history = History(first)
    assert not history.undo() and not history.redo()
    history.do(second)
    history.do(second)
    assert history.undo() and history.now == first and not history.can_undo
    assert history.redo() and history.now == second
    history.undo()
    history.do(third)
    assert not history.can_redo and history.undo() and history.now == first
    for k in range(500):
        history.do(read(f"9ft 0:{k},0"))
    assert sum(1 for _ in iter(history.undo, False)) < 500


# --- what is kept --------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADSTRING_DATA", str(tmp_path))
    return tmp_path


def test_the_best_score_and_layouts_are_kept(folder):
    kept = Kept()
    assert kept.keep_score("stop", 3) and not kept.keep_score("stop", 3)
    assert kept.keep_score("stop", 5) and not kept.keep_score("stop", 4)
    kept.keep_lessons(2)
    kept.keep_lessons(1)
    one, two = read("9ft 0:0,0"), read("8ft 0:0,0 3:200,0")
    kept.keep_layout("a", one)
    kept.keep_layout("b", two)
    kept.keep_layout("a", two)
    again = Kept()
    assert (again.best, again.lessons) == ({"stop": 5}, 2)
    assert again.layouts == ("a", "b") and again.layout("a") == two
    again.drop_layout("a")
    assert Kept().layouts == ("b",)


@pytest.mark.parametrize(
    "text",
    [
        "{", "[]", '{"best": 7, "lessons": "x", "layouts": [1]}',
        '{"best": {"stop": true, "lag": -1}}', '{"layouts": {"": "9ft", "b": 7}}',
    ],
)  # fmt: skip
def test_a_damaged_file_is_a_beginning(folder, text):
    (folder / "practice.json").write_text(text)
    kept = Kept()
    assert (kept.best, kept.lessons, kept.layouts) == ({}, 0, ())
