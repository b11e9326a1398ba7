"""Everything that a player may not do is refused with its code and changes nothing."""

import math

import pytest

from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE
from shared_rules.commands import Actor
from shared_rules.refusal import Code
from shared_rules.state import Option, Phase, Stroke
from shared_rules.table import Position
from tests.shared_rules.table import (
    REFEREE,
    SEAT,
    SERVER,
    STROKE,
    Match,
    contact,
    pocketed,
    rail,
)

STRIKE = c.Strike(stroke=STROKE)


def at(phase):
    """A match in a phase, with seat 1 at the table or deciding where that is free."""
    match = Match(referee=True)
    if phase == "waiting":
        return match
    if phase == "lag":
        match.give(SERVER, c.StartMatch())
    elif phase == "lag_choice":
        match.lag(gaps=(60.0, 20.0))
    elif phase == "break":
        match.lag(gaps=(60.0, 20.0))
        match.give(SEAT[1], c.Choose(option=Option.BREAK))
        match.rack()
    elif phase == "shot":
        match.broken()
    elif phase == "running":
        match.broken()
        match.give(SEAT[1], STRIKE)
    elif phase == "in_hand":
        match.broken()
        match.strike(contact(1), rail(1))
        match.strike(contact(5))
    elif phase == "break_foul":
        match.to_break()
        match.strike(contact(1))
    elif phase == "push_out":
        match.to_break()
        match.strike(contact(1), pocketed(2))
        match.give(SEAT[0], c.DeclarePushOut())
        match.strike()
    elif phase == "game_over":
        match.to_break()
        match.strike(contact(1), pocketed(9))
    return match


ALL = [
    ("waiting", SEAT[0], STRIKE, Code.WRONG_STATE),
    ("waiting", SEAT[0], c.StartMatch(), Code.NOT_ALLOWED),
    ("waiting", SERVER, c.NextGame(), Code.WRONG_STATE),
    ("lag", SEAT[0], c.DeclarePushOut(), Code.PUSH_OUT_NOT_AVAILABLE),
    ("lag", SEAT[0], c.Choose(option=Option.BREAK), Code.OPTION_NOT_AVAILABLE),
    ("lag", SERVER, STRIKE, Code.NOT_ALLOWED),
    ("lag", SEAT[0], c.PlaceCue(x=-1.26, y=0.3), Code.OUTSIDE_BED),
    ("lag", SERVER, c.StartMatch(), Code.WRONG_STATE),
    ("lag_choice", SEAT[0], c.Choose(option=Option.BREAK), Code.NOT_DECIDER),
    ("lag_choice", SEAT[1], c.Choose(option=Option.PASS_BACK), Code.OPTION_NOT_AVAILABLE),
    ("lag_choice", SEAT[1], STRIKE, Code.WRONG_STATE),
    ("lag_choice", REFEREE, c.Choose(option=Option.BREAK), Code.NOT_DECIDER),
    ("break", SEAT[0], STRIKE, Code.NOT_YOUR_TURN),
    ("break", SEAT[0], c.PlaceCue(x=-1.0, y=0.0), Code.NOT_YOUR_TURN),
    ("break", SEAT[1], STRIKE, Code.CUE_BALL_NOT_PLACED),
    ("break", SEAT[1], c.PlaceCue(x=-0.635, y=0.0), Code.OUTSIDE_HEAD_AREA),
    ("break", SEAT[1], c.PlaceCue(x=0.2, y=0.0), Code.OUTSIDE_HEAD_AREA),
    ("break", SEAT[1], c.PlaceCue(x=-1.25, y=0.0), Code.OUTSIDE_BED),
    ("break", SEAT[1], c.PlaceCue(x=-1.0, y=0.61), Code.OUTSIDE_BED),
    ("break", SEAT[1], c.PlaceCue(x=math.nan, y=0.0), Code.OUTSIDE_BED),
    ("break", SEAT[1], c.DeclarePushOut(), Code.PUSH_OUT_NOT_AVAILABLE),
    ("shot", SEAT[0], STRIKE, Code.NOT_YOUR_TURN),
    ("shot", SEAT[0], c.DeclarePushOut(), Code.NOT_YOUR_TURN),
    ("shot", SEAT[1], c.PlaceCue(x=0.0, y=0.0), Code.WRONG_STATE),
    ("shot", SEAT[1], c.Choose(option=Option.ACCEPT_TABLE), Code.OPTION_NOT_AVAILABLE),
    ("shot", SEAT[0], c.RequestTimeOut(), Code.NOT_AT_TABLE),
    ("shot", SEAT[0], c.RequestRestore(), Code.NO_RESTORATION_RIGHT),
    ("shot", SEAT[1], c.EndTimeOut(), Code.WRONG_STATE),
    ("shot", SEAT[1], c.Suspend(), Code.NOT_ALLOWED),
    ("shot", SEAT[1], c.AwardLoss(seat=0, scope="match", reason="x"), Code.NOT_ALLOWED),
    ("shot", SERVER, c.FinishShot(shot=2, events=(), balls={}), Code.WRONG_STATE),
    ("shot", SERVER, c.VoidShot(shot=2, reason="x"), Code.WRONG_STATE),
    ("shot", SERVER, c.NextGame(), Code.WRONG_STATE),
    ("shot", SERVER, c.Resume(), Code.WRONG_STATE),
    ("shot", SERVER, c.WarnSlowPlay(), Code.NOT_ALLOWED),
    ("shot", REFEREE, c.RestoreBalls(balls=(14,)), Code.WRONG_STATE),
    ("shot", REFEREE, c.CallFoul(seat=1, foul="7z"), Code.MALFORMED),
    ("running", SEAT[0], STRIKE, Code.BALLS_MOVING),
    ("running", SEAT[1], STRIKE, Code.BALLS_MOVING),
    ("running", SEAT[1], c.PlaceCue(x=0.0, y=0.0), Code.BALLS_MOVING),
    ("running", SEAT[1], c.Concede(), Code.BALLS_MOVING),
    ("running", SEAT[1], c.DeclarePushOut(), Code.BALLS_MOVING),
    ("running", REFEREE, c.CallFoul(seat=0, foul="5i"), Code.NOT_ALLOWED),
    ("running", SERVER, c.FinishShot(shot=99, events=(), balls={}), Code.STALE_STATE),
    ("running", SERVER, c.VoidShot(shot=99, reason="x"), Code.STALE_STATE),
    ("in_hand", SEAT[1], STRIKE, Code.CUE_BALL_NOT_PLACED),
    ("in_hand", SEAT[0], c.PlaceCue(x=0.0, y=0.0), Code.NOT_YOUR_TURN),
    ("in_hand", SEAT[1], c.PlaceCue(x=0.635, y=0.0), Code.PLACEMENT_OVERLAPS_BALL),
    ("in_hand", SEAT[1], c.PlaceCue(x=1.3, y=0.0), Code.OUTSIDE_BED),
    ("break_foul", SEAT[0], c.Choose(option=Option.ACCEPT_TABLE), Code.NOT_DECIDER),
    ("break_foul", SEAT[1], c.Choose(option=Option.PASS_BACK), Code.OPTION_NOT_AVAILABLE),
    ("break_foul", SEAT[1], STRIKE, Code.WRONG_STATE),
    ("push_out", SEAT[0], c.Choose(option=Option.PASS_BACK), Code.NOT_DECIDER),
    ("push_out", SEAT[1], c.Choose(option=Option.GIVE_BREAK), Code.OPTION_NOT_AVAILABLE),
    ("game_over", SEAT[0], STRIKE, Code.WRONG_STATE),
    ("game_over", SEAT[0], c.Concede(), Code.WRONG_STATE),
    ("game_over", SEAT[0], c.RequestTimeOut(), Code.NOT_AT_TABLE),
    ("game_over", SERVER, c.AwardLoss(seat=0, scope="game", reason="x"), Code.WRONG_STATE),
    ("game_over", SEAT[0], c.NextGame(), Code.NOT_ALLOWED),
]


@pytest.mark.parametrize(("phase", "by", "command", "code"), ALL, ids=lambda v: getattr(v, "c", ""))
def test_refused(phase, by, command, code):
    assert at(phase).refused(by, command) == code


def test_in_hand_helper_is_what_it_says():
    match = at("in_hand")
    assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 1)


STROKES = [
    {"speed": 0.0},
    {"speed": -1.0},
    {"speed": 13.01},
    {"speed": math.nan},
    {"speed": math.inf},
    {"heading_deg": 361.0},
    {"heading_deg": math.nan},
    {"elevation_deg": -1.0},
    {"elevation_deg": 86.0},
    {"tip": (0.8, 0.7)},
    {"tip": (0.0, math.nan)},
]


@pytest.mark.parametrize("wrong", STROKES, ids=str)
def test_strokes_out_of_range(wrong):
    match = at("shot")
    stroke = Stroke(**({"speed": 2.0, "heading_deg": 0.0} | wrong))
    assert match.refused(SEAT[1], c.Strike(stroke=stroke)) == Code.STROKE_OUT_OF_RANGE


def test_without_a_referee_nobody_can_be_asked():
    match = Match("nine_ball_wpa")
    match.broken()
    assert match.refused(SEAT[0], c.RequestRuling()) == Code.NO_REFEREE
    assert match.refused(SEAT[0], c.RequestRestore()) == Code.NO_REFEREE


@pytest.mark.parametrize(
    ("events", "balls"),
    [
        ((), {1: Position(0.0, 0.0)}),  # balls vanish
        ((pocketed(3),), None),  # and 12 appears, below
        ((), {"far": True}),
        ((), {"nan": True}),
    ],
    ids=["vanished", "appeared", "off the bed", "nan"],
)
def test_results_that_cannot_be(events, balls):
    match = at("running")
    lay = dict(match.state.running.balls_before)
    if balls is None:
        lay[12] = Position(0.0, 0.3)
    elif "far" in balls:
        lay[1] = Position(2.0, 0.0)
    elif "nan" in balls:
        lay[1] = Position(math.nan, 0.0)
    else:
        lay = balls
    command = c.FinishShot(
        shot=match.state.running.number, events=(ev.CueStrike(), *events), balls=lay
    )
    assert match.refused(SERVER, command) == Code.MALFORMED


@pytest.mark.parametrize(
    "event",
    [pocketed(12), ev.OffTable(ball=12), ev.Interference(balls=(12,))],
    ids=lambda event: type(event).__name__,
)
def test_nothing_befalls_a_ball_that_is_not_there(event):
    match = at("running")
    running = match.state.running
    command = c.FinishShot(
        shot=running.number, events=(ev.CueStrike(), event), balls=running.balls_before
    )
    assert match.refused(SERVER, command) == Code.MALFORMED


def test_the_time_of_an_order_is_finite():
    match = Match()
    assert match.refused(SERVER, c.StartMatch(), math.inf) == Code.MALFORMED


def test_an_old_choice_is_not_taken_twice():
    match = at("break_foul")
    choice = c.Choose(option=Option.RERACK_SELF_BREAKS)
    match.give(SEAT[1], choice)
    assert match.refused(SEAT[1], choice) == Code.OPTION_NOT_AVAILABLE


def test_actors_and_seats():
    assert [Actor.of(0), Actor.of(1)] == list(SEAT)
    assert [a.seat for a in (*SEAT, SERVER, REFEREE)] == [0, 1, None, None]
    assert CUE == 0
