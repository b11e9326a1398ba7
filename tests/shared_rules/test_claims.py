"""Rulings without a referee: one player claims, the other agrees or does not (N9.9a)."""

import pytest

from shared_rules import announcements as an
from shared_rules import commands as c
from shared_rules.match import replay
from shared_rules.refusal import Code
from shared_rules.state import Option, Phase, ShotClock
from tests.shared_rules.table import (
    CLOCK,
    REFEREE,
    SEAT,
    SERVER,
    STROKE,
    Match,
    contact,
    pocketed,
    rail,
)

NO_FOOT = c.Claim(act=c.CallFoul(seat=1, foul="5i", reason="I saw it"))


def played(**more):
    """Seat 1 has played a good safety; seat 0 is at the table."""
    match = Match(**more)
    match.broken()
    match.strike(contact(1), rail(1))
    return match


def test_both_must_agree():
    match = played()
    match.give(SEAT[0], NO_FOOT)
    assert (match.state.phase, match.state.decider) == (Phase.DECIDE_CLAIM, 1)
    assert match.refused(SEAT[0], c.Strike(stroke=STROKE)) == Code.WRONG_STATE
    assert match.refused(SEAT[0], c.Choose(option=Option.AGREE)) == Code.NOT_DECIDER
    match.give(SEAT[1], c.Choose(option=Option.AGREE))
    acted = match.heard(an.OfficialActed)[0]
    assert (acted.by, acted.act, acted.reason) == ("players", "call_foul", "I saw it")
    assert [f.code for f in match.state.last_ruling.fouls] == ["5i"]
    assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)
    assert replay(match.description, match.log) == match.state


@pytest.mark.parametrize("by_clock", [False, True])
def test_who_does_not_agree_or_says_nothing_leaves_everything_as_it_was(by_clock):
    match = played(shot_clock=ShotClock(limit_s=30.0))
    before, left = match.state, match.state.clock.deadline - (match.now + 1.0)
    match.give(SEAT[0], NO_FOOT)
    if by_clock:
        deadline = match.state.clock.deadline
        match.give(CLOCK, c.ExpireClock(deadline=deadline), deadline)
    else:
        match.give(SEAT[1], c.Choose(option=Option.DISAGREE))
    state = match.state
    assert (state.phase, state.shooter, state.balls) == (before.phase, 0, before.balls)
    assert state.last_ruling == before.last_ruling and state.claim is None
    assert state.clock.deadline == pytest.approx(match.now + left)


def test_a_choice_that_was_open_is_open_again():
    match = Match()
    match.broken()
    match.give(SEAT[1], c.DeclarePushOut())
    match.strike()
    before = match.state
    match.give(SEAT[0], NO_FOOT)
    match.give(SEAT[1], c.Choose(option=Option.DISAGREE))
    assert (match.state.phase, match.state.decider) == (Phase.DECIDE_AFTER_PUSH_OUT, 0)
    assert match.state.options == before.options
    match.give(SEAT[0], c.Choose(option=Option.ACCEPT_TABLE))


def test_once_a_stroke_so_that_nobody_stalls():
    match = played()
    match.give(SEAT[0], NO_FOOT)
    match.give(SEAT[1], c.Choose(option=Option.DISAGREE))
    assert match.refused(SEAT[0], NO_FOOT) == Code.WRONG_STATE
    match.give(SEAT[1], c.Claim(act=c.AnnounceNoProgress()))
    match.give(SEAT[0], c.Choose(option=Option.AGREE))
    assert match.state.stalemate_visits_left == (3, 3)
    match.strike(contact(1), rail(1))
    match.give(SEAT[1], c.Claim(act=c.CallFoul(seat=0, foul="5i")))


def test_a_game_that_was_won_can_be_undone_by_agreement():
    match = Match()
    match.broken()
    match.strike(contact(1), pocketed(9))
    match.give(SEAT[0], NO_FOOT)
    assert match.refused(SERVER, c.NextGame()) == Code.WRONG_STATE
    match.give(SEAT[1], c.Choose(option=Option.AGREE))
    assert (match.state.games, match.state.phase) == ((0, 0), Phase.PLACE_CUE_ANYWHERE)


def test_what_no_referee_could_rule_cannot_be_claimed():
    match = played()
    for act, code in (
        (c.CallFoul(seat=1, foul="7z"), Code.MALFORMED),
        (c.DeclareStalemate(), Code.THREE_VISITS_NOT_PLAYED),
        (c.ImposeShotClock(limit_s=30.0), Code.WARNING_REQUIRED_FIRST),
        (c.RestoreBalls(balls=(9, 1, 15)), Code.WRONG_STATE),
    ):
        assert match.refused(SEAT[0], c.Claim(act=act)) == code
    assert match.state.claimed == (False, False)


def test_not_where_a_referee_sits_or_the_rules_know_no_such_thing():
    assert played(referee=True).refused(SEAT[0], NO_FOOT) == Code.NOT_ALLOWED
    match = played(overrides={"unrefereed": "none"})
    assert match.refused(SEAT[0], NO_FOOT) == Code.NOT_ALLOWED
    assert match.refused(REFEREE, NO_FOOT) == Code.NOT_ALLOWED


def test_it_can_be_suspended_and_given_up():
    match = played(shot_clock=ShotClock(limit_s=30.0))
    left = match.state.clock.deadline - (match.now + 1.0)
    match.give(SEAT[0], NO_FOOT)
    match.give(SERVER, c.Suspend())
    match.give(SERVER, c.Resume())
    match.give(SEAT[1], c.Choose(option=Option.DISAGREE))
    assert match.state.clock.deadline == pytest.approx(match.now + left)
    match.give(SEAT[1], c.Claim(act=c.CallFoul(seat=0, foul="9h")))
    match.give(SEAT[1], c.Concede())
    assert (match.state.games, match.state.claim, match.state.interrupted) == ((1, 0), None, None)


def test_silence_agrees_that_one_plays_too_slowly_and_a_clock_comes_of_it():
    """Else who sits still would hold up every clock by sitting still."""
    match = played()
    for act in (c.WarnSlowPlay(), c.ImposeShotClock(limit_s=45.0)):
        match.give(SEAT[1], c.Claim(act=act))
        assert match.state.options == (Option.AGREE, Option.DISAGREE)
        deadline = match.state.clock.deadline
        match.give(CLOCK, c.ExpireClock(deadline=deadline), deadline)
        assert match.state.phase is Phase.AWAIT_SHOT and match.state.shooter == 0
        if isinstance(act, c.WarnSlowPlay):
            assert match.state.clock.slow_play_warned
            match.strike(contact(1), rail(1))  # one claim a stroke
            match.strike(contact(1), rail(1))
    assert match.state.clock.shot_clock == ShotClock(limit_s=45.0, imposed=True)
