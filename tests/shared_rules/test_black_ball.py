"""Whole games of black ball: groups, free shots, the black, undone shots, oracles, any match."""

import random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant

from shared_rules import announcements as an
from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE
from shared_rules.clocks import SHOT_PHASES
from shared_rules.groups import Group, balls_of, group_of, opposite
from shared_rules.match import replay
from shared_rules.refusal import Code
from shared_rules.state import Option, Phase, ShotClock
from shared_rules.table import Position
from tests.shared_rules.table import (
    CLOCK,
    SEAT,
    SERVER,
    STROKE,
    Match,
    contact,
    pocketed,
    rail,
)  # fmt: skip
from tests.shared_rules.test_any_match import SOAK, AnyMatch

GROUPS = (Group.REDS, Group.YELLOWS)
OUT = (ev.CrossesCenterString(ball=3), ev.CrossesCenterString(ball=12))
PLUS = {"free_shot_mode": "shot_plus_visit"}


def broken(*events, overrides=None, **more):
    """After a break of seat 0; without events a dry and good one."""
    match = Match("black_ball", overrides, **more)
    match.to_break()
    match.strike(contact(1), *(events or OUT))
    return match


def made(match, *balls):
    return match.strike(contact(balls[0]), *map(pocketed, balls))


def missed(match, ball):
    return match.strike(contact(ball), rail(ball))


def chosen(match, option):
    return match.give(SEAT[match.state.decider], c.Choose(option=option))


def test_a_whole_game_from_the_break_to_the_black():
    match = broken()
    assert (match.state.shooter, match.state.groups) == (1, None)
    for ball in range(9, 16):
        assert made(match, ball).shooter == 1
        assert match.state.groups == GROUPS
    made(match, 8)
    assert match.state.phase is Phase.GAME_OVER and match.state.games == (0, 1)
    assert [won.reason for won in match.heard(an.GameWon)] == ["black"]
    match.give(SERVER, c.NextGame())
    assert (match.state.breaker, match.state.cue_in_hand) == (1, "baulk"), "alternate break (BB.3)"
    assert replay(match.description, match.log) == match.state


def test_br_013_the_second_players_first_pot_gives_him_the_group():
    match = broken()
    missed(match, 3)
    made(match, 12)
    (said,) = match.heard(an.GroupsSet)
    assert (said.seat, said.groups) == (0, (Group.YELLOWS, Group.REDS))


def test_br_012_the_break_settles_no_group():
    match = broken(pocketed(1), pocketed(2), pocketed(3), pocketed(9))
    assert (match.state.shooter, match.state.groups) == (0, None)


def test_the_black_on_the_break_is_racked_again_for_the_same_breaker():
    match = broken(pocketed(8), pocketed(CUE), ev.OffTable(ball=4))
    state = match.state
    assert (state.phase, state.breaker, state.racked) == (Phase.PLACE_CUE_FOR_BREAK, 0, False)
    assert (state.rack_number, state.game_begun, state.free_shot) == (1, False, False)
    match.rack()
    match.strike(contact(1), *OUT)
    assert match.state.shooter == 1


def test_a_free_shot_lasts_for_one_stroke():
    match = broken()
    missed(match, 8)
    assert (match.state.phase, match.state.decider) == (Phase.FREE_SHOT, 0)
    assert match.state.free_shot and match.state.options == (
        Option.CUE_IN_POSITION, Option.CUE_IN_HAND_BAULK,
    )  # fmt: skip
    chosen(match, Option.CUE_IN_HAND_BAULK)
    assert match.state.phase is Phase.PLACE_CUE_BAULK
    match.strike(contact(8), rail(8), pocketed(12))
    assert (match.state.shooter, match.state.free_shot) == (0, False)
    assert match.state.last_ruling.fouls == () and match.state.groups is None
    missed(match, 8)
    assert [foul.code for foul in match.state.last_ruling.fouls] == ["6.2"]


def test_a_free_shot_plus_visit_gives_two_strokes():
    match = broken(overrides=PLUS)
    missed(match, 8)
    chosen(match, Option.CUE_IN_POSITION)
    missed(match, 8)
    assert (match.state.shooter, match.state.phase) == (0, Phase.AWAIT_SHOT)
    missed(match, 3)
    assert match.state.shooter == 1


def test_without_a_cue_ball_there_is_only_baulk():
    match = broken()
    match.strike(contact(3), rail(3), pocketed(CUE))
    state = match.state
    assert (state.phase, state.shooter, state.cue_in_hand) == (Phase.PLACE_CUE_BAULK, 0, "baulk")
    assert state.free_shot
    on_the_line = c.PlaceCue(x=state.description.frame.baulk_line, y=0.0)
    assert match.refused(SEAT[0], on_the_line) == Code.OUTSIDE_HEAD_AREA


def test_time_that_runs_out_gives_a_free_shot():
    match = broken(shot_clock=ShotClock(limit_s=30.0))
    deadline = match.state.clock.deadline
    match.give(CLOCK, c.ExpireClock(deadline=deadline), deadline)
    assert (match.state.phase, match.state.decider) == (Phase.FREE_SHOT, 0)
    chosen(match, Option.CUE_IN_HAND_BAULK)
    deadline = match.state.clock.deadline
    match.give(CLOCK, c.ExpireClock(deadline=deadline), deadline)
    state = match.state
    assert (state.phase, state.shooter) == (Phase.PLACE_CUE_BAULK, 1), "no cue ball lies there"
    assert state.free_shot


def test_a_decision_that_runs_out_plays_from_where_the_cue_ball_lies():
    match = broken()
    missed(match, 8)
    deadline = match.state.clock.deadline
    match.give(CLOCK, c.ExpireClock(deadline=deadline), deadline)
    assert match.state.phase is Phase.AWAIT_SHOT and match.state.free_shot


def test_a_break_that_is_not_struck_costs_the_break():
    match = Match("black_ball", shot_clock=ShotClock(limit_s=30.0))
    match.to_break()
    deadline = match.state.clock.deadline
    match.give(CLOCK, c.ExpireClock(deadline=deadline), deadline)
    state = match.state
    assert (state.phase, state.breaker, state.free_shot) == (Phase.PLACE_CUE_FOR_BREAK, 1, False)


@pytest.mark.parametrize("hand", ["baulk", "position"])
def test_a_void_shot_is_undone_exactly(hand):
    match = broken()
    missed(match, 8)
    option = Option.CUE_IN_HAND_BAULK if hand == "baulk" else Option.CUE_IN_POSITION
    chosen(match, option)
    if hand == "baulk":
        match.give(SEAT[0], c.PlaceCue(x=-0.9, y=0.2))
    before = match.state
    match.give(SEAT[0], c.Strike(stroke=STROKE))
    match.give(SERVER, c.VoidShot(shot=match.state.running.number, reason="worker died"))
    for field in before.__struct_fields__:
        if field not in ("version", "shot_number", "last_shot", "watcher_asked_by"):
            assert getattr(match.state, field) == getattr(before, field), field


def test_jumped_balls_come_back_in_their_order_and_do_not_overlap():
    match = broken()
    made(match, 9)
    match.strike(contact(10), rail(10), *(ev.OffTable(ball=b) for b in (12, 8, 3)))
    assert [said.ball for said in match.heard(an.Spotted)] == [8, 3, 12], "reds shoot next"
    foot = match.state.description.frame.foot_spot
    places = [said.position for said in match.heard(an.Spotted)]
    assert all(place.y == 0.0 for place in places)
    assert [place.x >= foot.x for place in places] == [True] * 3


def test_br_015_nothing_of_a_game_leaks_into_the_next():
    match = broken()
    made(match, 9)
    missed(match, 8)
    match.give(SERVER, c.AwardLoss(seat=0, scope="game", reason="absent"))
    match.give(SERVER, c.NextGame())
    state = match.state
    assert (state.groups, state.free_shot, state.snooker_declared) == (None, False, False)
    assert (state.balls, state.racked, state.shooter) == ({}, False, 1)


def test_br_014_what_is_left_is_what_lies_on_the_table():
    match = broken()
    made(match, 3)
    made(match, 4, 12, 13)
    reds = balls_of(Group.REDS) & set(match.state.balls)
    assert (match.state.shooter, reds) == (1, {1, 2, 5, 6, 7})


@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("dry", [True, False])
def test_br_002_br_003_the_winner_is_who_pockets_the_black_last(winner, dry):
    for early in (False, True):
        match = broken(*(() if dry else (pocketed(1),)))
        if match.state.shooter != (1 - winner if early else winner):
            missed(match, 3)
        for ball in range(9, 14 if early else 16):
            made(match, ball)
        made(match, 8)
        assert match.state.rack_winner == winner, "who leaves a ball of his has lost"


def test_br_001_the_black_may_be_hit_first_once_the_group_is_cleared():
    match = broken()
    for ball in range(9, 16):
        made(match, ball)
    missed(match, 8)
    assert match.state.last_ruling.fouls == ()
    assert (match.state.shooter, match.state.phase) == (0, Phase.AWAIT_SHOT)


@pytest.mark.parametrize("mode", ["wpa_strict", "shot_plus_visit"])
def test_br_027_who_shoots_next_is_who_the_rules_say(mode):
    """Random shots against an oracle that is written from BB.1 to BB.14 by itself."""
    dice = random.Random(8)
    rules = {"match": {"games_to_win": 99}, "free_shot_mode": mode}
    match = broken(overrides=rules)
    for _ in range(600):
        if match.state.phase is Phase.GAME_OVER:
            match.give(SERVER, c.NextGame())
            match.rack()
            match.strike(contact(1), *OUT)
        if match.state.phase is Phase.FREE_SHOT:
            chosen(match, dice.choice(match.state.options))
        _random_shot(match, dice, mode)


def _random_shot(match, dice, mode):
    before, seat = match.state, match.state.shooter
    free, other = before.free_shot, 1 - seat
    own = None if before.groups is None else before.groups[seat]
    objects = sorted(ball for ball in before.balls if ball != CUE)
    mine = [b for b in objects if b != 8 and (own is None or b in balls_of(own))]
    legal = objects if free else mine or ([8] if own is not None else [])
    if not legal:
        match.give(SERVER, c.AwardLoss(seat=seat, scope="game", reason="nothing is on"))
        return
    first = dice.choice(legal if dice.random() < 0.85 else objects)
    fallen = set(dice.sample(objects, min(len(objects), dice.choice((0, 0, 1, 1, 1, 2)))))
    if dice.random() < 0.6:
        fallen.discard(8)
    scratch = dice.random() < 0.1
    match.strike(
        contact(first), rail(first), *map(pocketed, sorted(fallen)),
        *([pocketed(CUE)] if scratch else []),
    )  # fmt: skip
    state, any_ball = match.state, free and mode == "shot_plus_visit"
    got = bool(fallen & set(mine))
    theirs = own is not None and bool(fallen & balls_of(opposite(own)))
    foul = scratch or first not in legal or (theirs and not got and not any_ball)
    if 8 in fallen:
        cleared = own is not None and not set(mine) - fallen
        assert state.phase is Phase.GAME_OVER
        assert state.rack_winner == (seat if cleared and not foul else other)
        return
    assert bool(state.last_ruling.fouls) == foul
    if foul:
        acts = state.decider if state.phase is Phase.FREE_SHOT else state.shooter
        assert acts == other and state.free_shot
        assert (state.phase is Phase.PLACE_CUE_BAULK) == scratch
    else:
        keeps = got or any_ball
        assert (state.phase, state.free_shot) == (Phase.AWAIT_SHOT, False)
        assert state.shooter == (seat if keeps else other)
    made_groups = {group_of(ball, GROUPS) for ball in fallen}
    settles = not foul and not free and len(made_groups) == 1
    if before.groups is None and settles:
        assert state.groups[seat] == made_groups.pop()
    else:
        assert state.groups == before.groups


class BlackBallMatch(AnyMatch):
    """Any match of black ball, in both modes of the free shot."""

    @initialize(
        mode=st.sampled_from(["wpa_strict", "shot_plus_visit"]),
        games=st.integers(1, 2),
        clock=st.sampled_from([None, ShotClock(limit_s=30.0)]),
        touch=st.sampled_from(["refuse", "strict"]),
        referee=st.booleans(),
        stand=st.sampled_from(["break", "broken", "grouped", "free", "last"]),
    )
    def begin(self, mode, games, clock, touch, referee, stand):
        rules = {
            "match": {"games_to_win": games}, "free_shot_mode": mode, "touch_fouls": touch,
        }  # fmt: skip
        match = Match("black_ball", rules, shot_clock=clock, referee=referee)
        match.to_break()
        if stand != "break":
            match.strike(contact(1), *OUT)
        if stand in ("grouped", "free", "last"):
            made(match, 9)
        if stand == "free":
            missed(match, 8)
        if stand == "last":
            made(match, *range(10, 16))
        self.description = match.description
        self.state, self.log, self.now = match.state, match.log, match.now

    @invariant()
    def free_shots_are_where_they_belong(self):
        state = self.state
        if state.phase in (Phase.FREE_SHOT, Phase.PLACE_CUE_BAULK) and state.last_ruling.fouls:
            assert state.free_shot
        if state.is_break:
            assert not state.free_shot
        if state.snooker_declared and state.phase in SHOT_PHASES:
            assert CUE in state.balls

    @invariant()
    def the_game_can_end(self):
        """Whoever is at the table and has only the black left can win with it."""
        state = self.state
        if state.phase is not Phase.AWAIT_SHOT or state.groups is None:
            return
        own = balls_of(state.groups[state.shooter]) & set(state.balls)
        if own or 8 not in state.balls or self._out_of_time():
            return
        match = Match.of(self.description)
        match.state, match.now = state, self.now
        match.strike(contact(8), pocketed(8))
        assert match.state.phase in (Phase.GAME_OVER, Phase.MATCH_OVER)
        assert match.state.rack_winner == state.shooter

    def _out_of_time(self):
        deadline = self.state.clock.deadline
        return deadline is not None and self.now + 2.0 >= deadline


BlackBallMatch.TestCase.settings = settings(
    max_examples=2000 if SOAK else 30,
    stateful_step_count=60 if SOAK else 30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestBlackBallMatch = pytest.mark.filterwarnings("ignore")(BlackBallMatch.TestCase)


def test_nothing_is_spotted_on_a_free_shot_while_any_ball_lies_in_front_of_the_line():
    """BB.1b, G.1.5e: his own only ball lies in baulk, but on a free shot every ball is legal."""
    match = broken()
    made(match, 3)
    for ball in (1, 2, 4, 5, 6):
        made(match, ball)
    balls = {**match.state.balls, 7: Position(-1.1, 0.2)}
    match.strike(contact(7), rail(7), balls=balls)
    missed(match, 8)
    chosen(match, Option.CUE_IN_HAND_BAULK)
    assert match.refused(SEAT[1], c.RequestSpot()) == Code.LEGAL_BALL_IN_FRONT_OF_HEAD_STRING
