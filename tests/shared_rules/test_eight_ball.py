"""Whole games of eight-ball: from the break to the 8, decisions, calls, undone shots, oracles."""

import random

import pytest

from shared_rules import announcements as an
from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE
from shared_rules.facts import facts_of
from shared_rules.faults import head_string_faults
from shared_rules.fouls import Fault
from shared_rules.groups import Group, balls_of, group_of, opposite
from shared_rules.match import replay
from shared_rules.refusal import Code
from shared_rules.ruleset import make_ruleset
from shared_rules.situation import Situation
from shared_rules.state import Call, Option, Phase
from tests.shared_rules.table import REFEREE, SEAT, SERVER, STROKE, Match, contact, pocketed, rail

GROUPS = (Group.SOLIDS, Group.STRIPES)
FOUR = (rail(1), rail(2), rail(3), rail(4))


def eight_ball(**more):
    return Match("eight_ball", more.pop("overrides", None), **more)


def broken(*events, **more):
    """After a break of seat 0."""
    match = eight_ball(**more)
    match.to_break()
    match.strike(contact(1), *(events or FOUR))
    return match


def call(match, ball, pocket="foot_left"):
    seat = SEAT[match.state.shooter]
    if match.state.cue_in_hand != "none":
        match.give(seat, c.PlaceCue(x=-0.9, y=0.2))
    match.give(seat, c.CallShot(ball=ball, pocket=pocket))


def made(match, ball, *more):
    call(match, ball)
    return match.strike(contact(ball), pocketed(ball), *more)


def missed(match, ball):
    call(match, ball)
    return match.strike(contact(ball), rail(ball))


def test_a_whole_game_from_the_break_to_the_8():
    match = broken()
    assert (match.state.shooter, match.state.groups) == (1, None)
    for ball in range(9, 16):
        assert made(match, ball).shooter == 1
        assert match.state.groups == (Group.SOLIDS, Group.STRIPES)
    made(match, 8)
    assert match.state.phase is Phase.GAME_OVER and match.state.games == (0, 1)
    assert [won.reason for won in match.heard(an.GameWon)] == ["eight"]
    match.give(SERVER, c.NextGame())
    assert (match.state.breaker, match.state.groups) == (1, None), "alternate break"
    assert replay(match.description, match.log) == match.state


def test_groups_are_announced_once():
    match = broken()
    made(match, 3)
    (said,) = match.heard(an.GroupsSet)
    assert (said.seat, said.groups) == (1, (Group.STRIPES, Group.SOLIDS))
    made(match, 4)
    assert match.heard(an.GroupsSet) == []


def test_a_call_is_announced_replaced_and_gone_after_the_stroke():
    match = broken()
    match.give(SEAT[1], c.CallShot(ball=3, pocket="side_left"))
    assert match.heard(an.Called) == [an.Called(seat=1, call=Call(ball=3, pocket="side_left"))]
    match.give(SEAT[1], c.CallSafety())
    assert match.state.call == Call(safety=True)
    match.strike(contact(3), pocketed(3))
    assert (match.state.shooter, match.state.call, match.state.groups) == (0, None, None)
    assert match.state.last_ruling.call == Call(safety=True)


def test_nothing_is_struck_before_it_is_called():
    match = broken()
    strike = c.Strike(stroke=STROKE)
    assert match.refused(SEAT[1], strike) == Code.CALL_REQUIRED
    assert match.refused(SEAT[1], c.CallShot(ball=8, pocket="foot_left")) == Code.EIGHT_NOT_CALLABLE
    assert match.refused(SEAT[0], c.CallSafety()) == Code.NOT_YOUR_TURN


def test_a_ball_that_has_fallen_is_not_called():
    match = broken()
    made(match, 3)
    assert match.refused(SEAT[1], c.CallShot(ball=3, pocket="foot_left")) == Code.UNKNOWN_BALL


def test_a_void_shot_is_undone_exactly_with_its_call_and_hand():
    match = broken(pocketed(CUE), *FOUR)
    assert match.state.phase is Phase.PLACE_CUE_HEAD
    call(match, 3)
    before = match.state
    match.give(SEAT[1], c.Strike(stroke=STROKE))
    match.give(SERVER, c.VoidShot(shot=match.state.running.number, reason="worker died"))
    after = match.state
    for field in before.__struct_fields__:
        if field not in ("version", "shot_number", "watcher_asked_by"):
            assert getattr(after, field) == getattr(before, field), field


def test_a_void_break_leaves_the_game_not_begun():
    match = eight_ball(shot_clock=None)
    match.to_break()
    match.give(SEAT[0], c.PlaceCue(x=-0.9, y=0.2))
    match.give(SEAT[0], c.Strike(stroke=STROKE))
    match.give(SERVER, c.VoidShot(shot=match.state.running.number, reason="worker died"))
    assert not match.state.game_begun and match.state.phase is Phase.PLACE_CUE_FOR_BREAK


@pytest.mark.parametrize("eight", ["spot", "rebreak"])
def test_br_005_the_8_on_the_break_goes_on_either_way(eight):
    match = broken(pocketed(8))
    assert (match.state.phase, match.state.decider) == (Phase.DECIDE_EIGHT_ON_BREAK, 0)
    if eight == "spot":
        match.give(SEAT[0], c.Choose(option=Option.SPOT_8_AND_CONTINUE))
        assert match.state.phase is Phase.AWAIT_SHOT and match.state.shooter == 0
        assert 8 in match.state.balls
    else:
        number = match.state.rack_number
        match.give(SEAT[0], c.Choose(option=Option.REBREAK))
        assert (match.state.breaker, match.state.rack_number) == (0, number)
        match.rack()
        assert len(match.state.balls) == 15


def test_br_005_the_8_and_the_cue_ball_on_the_break():
    match = broken(pocketed(8), pocketed(CUE))
    assert (match.state.decider, match.state.cue_in_hand) == (1, "head")
    match.give(SEAT[1], c.Choose(option=Option.SPOT_8_BALL_IN_HAND_HEAD))
    assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_HEAD, 1)
    assert 8 in match.state.balls and CUE not in match.state.balls


def test_a_penalty_for_a_break_that_was_played_is_a_foul_on_the_break():
    match = eight_ball(referee=True)
    match.to_break()
    touch = ev.EquipmentContact(by="hand", ball=3, intentional=True)
    match.strike(contact(1), *FOUR, touch)
    assert match.state.phase is Phase.REFEREE_PENALTY
    match.give(REFEREE, c.Choose(option=Option.STANDARD_FOUL))
    assert match.state.phase is Phase.DECIDE_AFTER_BREAK_FOUL
    assert match.state.options == (Option.ACCEPT_TABLE, Option.BALL_IN_HAND_HEAD)


def test_br_014_what_is_left_is_what_lies_on_the_table():
    match = broken()
    made(match, 3)
    missed(match, 4)
    made(match, 9, pocketed(1), pocketed(2), pocketed(10))
    solids = balls_of(Group.SOLIDS) & set(match.state.balls)
    assert (match.state.shooter, solids) == (0, {4, 5, 6, 7})


def test_br_015_nothing_of_a_game_leaks_into_the_next():
    match = broken()
    made(match, 3)
    match.give(SERVER, c.AwardLoss(seat=0, scope="game", reason="absent"))
    match.give(SERVER, c.NextGame())
    state = match.state
    assert (state.groups, state.call, state.balls, state.racked) == (None, None, {}, False)
    match.rack()
    match.strike(contact(1), pocketed(CUE), *FOUR)
    assert [foul.code for foul in match.state.last_ruling.fouls] == ["6.1"]


@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("breaks_dry", [True, False])
def test_br_003_the_winner_is_who_pockets_the_8_as_called(winner, breaks_dry):
    match = broken(*(FOUR if breaks_dry else (pocketed(1),)))
    if match.state.shooter != winner:
        missed(match, 3)
    for ball in range(9, 16):
        made(match, ball)
    made(match, 8)
    assert match.state.rack_winner == winner
    lost = broken(*(FOUR if breaks_dry else (pocketed(1),)))
    if lost.state.shooter == winner:
        missed(lost, 3)
    for ball in range(9, 16):
        made(lost, ball)
    call(lost, 8)
    lost.strike(contact(8), ev.Pocketed(ball=8, pocket="side_left"))
    assert lost.state.rack_winner == winner
    assert [won.reason for won in lost.heard(an.GameWon)] == ["eight_not_called"]


def test_br_027_who_shoots_next_is_who_the_rules_say():
    """Random shots against an oracle that is written from E8.4 to E8.9 by itself."""
    dice = random.Random(8)
    match = broken(overrides={"match": {"games_to_win": 99}})
    for _ in range(600):
        if match.state.phase is Phase.GAME_OVER:
            match.give(SERVER, c.NextGame())
            match.rack()
            match.strike(contact(1), *FOUR)
        _random_shot(match, dice)


def _random_shot(match, dice):
    before, seat = match.state, match.state.shooter
    own = before.groups[seat] if before.groups is not None else None
    objects = [ball for ball in before.balls if ball not in (CUE,)]
    left = [b for b in objects if b != 8 and (own is None or b in balls_of(own))]
    legal = left or [8]
    ball = dice.choice(legal)
    if own is None and not left:
        match.give(SERVER, c.AwardLoss(seat=seat, scope="game", reason="no ball to call"))
        return
    first = dice.choice(legal if dice.random() < 0.8 else objects)
    fallen = {ball} if dice.random() < 0.6 else set()
    fallen |= set(dice.sample(objects, 1)) if dice.random() < 0.15 else set()
    scratch = dice.random() < 0.1
    call(match, ball)
    events = [contact(first), rail(first), *map(pocketed, sorted(fallen))]
    match.strike(*events, *([pocketed(CUE)] if scratch else []))
    foul = scratch or first not in legal
    state = match.state
    if 8 in fallen:
        won = legal == [8] and not foul
        assert state.phase is Phase.GAME_OVER
        assert state.rack_winner == (seat if won else 1 - seat)
        return
    goes_on = not foul and ball in fallen
    assert state.shooter == (seat if goes_on else 1 - seat)
    assert state.phase is (Phase.PLACE_CUE_ANYWHERE if foul else Phase.AWAIT_SHOT)
    if before.groups is not None:
        assert state.groups == before.groups
    elif goes_on:
        assert state.groups[seat] == group_of(ball, GROUPS)
        assert state.groups[1 - seat] == opposite(state.groups[seat])
    else:
        assert state.groups is None


@pytest.mark.parametrize(("is_break", "found"), [(False, [Fault.NEVER_OUT]), (True, [])])
def test_a_break_is_judged_by_what_breaks_ask_for(is_break, found):
    table = Situation(
        ruleset=make_ruleset("eight_ball"), on_table=frozenset({1}), hand="head", is_break=is_break
    )
    assert list(head_string_faults(facts_of((ev.CueStrike(),)), table)) == found


class TestFoulsWhileTheEightWaits:
    """E8.7: the 8 that fell on the break comes back, or a new rack does; it is never left out."""

    @pytest.mark.parametrize("scratch", [(), (pocketed(CUE),)])
    @pytest.mark.parametrize("seat", [0, 1])
    @pytest.mark.parametrize("penalty", [False, True])
    def test_it_is_spotted_when_a_foul_takes_the_choice_away(self, seat, scratch, penalty):
        match = Match("eight_ball", referee=True)
        match.to_break()
        match.strike(contact(1), pocketed(8), *scratch)
        assert match.state.phase == Phase.DECIDE_EIGHT_ON_BREAK
        if penalty:
            match.give(REFEREE, c.CallUnsportsmanlike(seat=seat))
            match.give(REFEREE, c.Choose(option=Option.STANDARD_FOUL))
        else:
            match.give(REFEREE, c.CallFoul(seat=seat, foul="6.6", between_strokes=True))
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 1 - seat)
        assert match.state.last_ruling.spotted == (8,)
        assert set(match.state.balls) == set(range(1, 16))
