"""Clocks: the deadline decides, to the instant; what stands still keeps what remained."""

import random

import pytest

from shared_rules import announcements as an
from shared_rules import commands as c
from shared_rules.clocks import awaited
from shared_rules.match import apply
from shared_rules.refusal import Code, Refusal
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

LIMIT = ShotClock(limit_s=30.0)


def clocked(**more):
    return Match(shot_clock=LIMIT, **more)


def expire(match, at=None):
    deadline = match.state.clock.deadline
    return match.give(CLOCK, c.ExpireClock(deadline=deadline), deadline if at is None else at)


class TestShot:
    def test_runs_from_the_end_of_the_shot_before(self):
        match = clocked()
        match.broken()
        clock = match.state.clock
        assert (clock.purpose, clock.deadline) == ("shot", match.now + 30.0)

    def test_runs_from_the_rack_and_placing_does_not_restart_it(self):
        match = clocked()
        match.lag()
        match.give(SEAT[0], c.Choose(option=Option.BREAK))
        assert match.state.clock.deadline is None, "nothing to break yet"
        match.rack()
        deadline = match.state.clock.deadline
        assert deadline == match.now + 30.0
        match.give(SEAT[0], c.PlaceCue(x=-1.0, y=0.0))
        assert match.state.clock.deadline == deadline

    def test_a_stroke_just_before_the_deadline_is_taken(self):
        match = clocked()
        match.broken()
        match.give(SEAT[1], c.Strike(stroke=STROKE), match.state.clock.deadline - 1e-6)
        assert match.state.phase == Phase.SHOT_RUNNING
        assert match.state.clock.deadline is None, "no clock while balls roll"

    @pytest.mark.parametrize("late_s", [0.0, 5.0])
    def test_at_the_deadline_it_comes_too_late(self, late_s):
        match = clocked()
        match.broken()
        deadline = match.state.clock.deadline
        code = match.refused(SEAT[1], c.Strike(stroke=STROKE), deadline + late_s)
        assert code == Code.TIME_IS_UP
        expire(match, deadline + late_s)
        assert [f.code for f in match.state.last_ruling.fouls] == ["9g"]
        assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_ANYWHERE, 0)
        assert match.heard(an.ClockRanOut)[0].seat == 1

    def test_it_cannot_expire_early_nor_twice(self):
        match = clocked()
        match.broken()
        old = match.state.clock.deadline
        assert match.refused(CLOCK, c.ExpireClock(deadline=old), old - 1e-6) == Code.WRONG_STATE
        expire(match)
        assert match.refused(CLOCK, c.ExpireClock(deadline=old), old + 1) == Code.STALE_STATE

    def test_only_the_clock_or_the_server_says_so(self):
        match = clocked()
        match.broken()
        order = c.ExpireClock(deadline=match.state.clock.deadline)
        assert match.refused(SEAT[0], order, match.state.clock.deadline) == Code.NOT_ALLOWED

    def test_wpa_code(self):
        match = clocked(preset="nine_ball_wpa")
        match.broken()
        expire(match)
        assert [f.code for f in match.state.last_ruling.fouls] == ["6.15"]

    def test_before_the_break_the_break_is_lost(self):
        match = clocked()
        match.to_break()
        expire(match)
        state = match.state
        assert (state.phase, state.shooter) == (Phase.PLACE_CUE_FOR_BREAK, 1)
        assert state.breaker == 1 and state.racked and state.consecutive_fouls == (1, 0)
        match.strike(contact(1), pocketed(9))
        assert match.state.games == (0, 1)

    def test_a_void_shot_gets_the_whole_time_again(self):
        match = clocked()
        match.broken()
        match.give(SEAT[1], c.Strike(stroke=STROKE), match.now + 20.0)
        match.give(SERVER, c.VoidShot(shot=match.state.shot_number, reason="x"), match.now + 50.0)
        assert match.state.clock.deadline == match.now + 30.0

    def test_a_declared_push_out_does_not_save_the_time_foul(self):
        match = clocked()
        match.broken()
        match.give(SEAT[1], c.DeclarePushOut())
        expire(match)
        assert match.state.phase == Phase.PLACE_CUE_ANYWHERE
        assert not match.state.push_out_available


class TestExtension:
    """An option of the table: each may add to the running shot clock once a rack."""

    EXTENDED = ShotClock(limit_s=30.0, extension_s=20.0)

    def test_it_is_added_to_what_is_left_once_a_rack_for_each(self):
        match = Match(shot_clock=self.EXTENDED)
        match.broken()
        deadline = match.state.clock.deadline
        assert match.refused(SEAT[0], c.ExtendShot()) == Code.NOT_YOUR_TURN
        match.give(SEAT[1], c.ExtendShot(), deadline - 0.5)
        assert match.state.clock.deadline == deadline + 20.0
        assert match.heard(an.ShotExtended)[0].by_s == 20.0
        assert match.refused(SEAT[1], c.ExtendShot()) == Code.NO_EXTENSION
        match.strike(contact(5))  # a foul: the other's turn, with the clock as it always is
        assert match.state.clock.deadline == match.now + 30.0
        match.give(SEAT[0], c.PlaceCue(x=0.0, y=0.3))
        match.give(SEAT[0], c.ExtendShot())
        assert match.state.clock.extended == (True, True)
        match.strike(contact(1), pocketed(9))
        match.give(SERVER, c.NextGame())
        match.rack()
        assert match.state.clock.extended == (False, False)
        match.give(SEAT[match.state.shooter], c.ExtendShot())  # the break has a clock, too

    def test_at_the_deadline_it_is_too_late(self):
        match = Match(shot_clock=self.EXTENDED)
        match.broken()
        deadline = match.state.clock.deadline
        assert match.refused(SEAT[1], c.ExtendShot(), deadline) == Code.TIME_IS_UP
        expire(match)
        assert match.state.shooter == 0 and match.state.clock.extended == (False, False)

    def test_a_foul_that_is_called_on_the_stroke_before_gives_it_not_back(self):
        match = Match(shot_clock=self.EXTENDED, referee=True)
        match.broken()
        match.strike(contact(1), rail(1))
        match.give(SEAT[0], c.ExtendShot())
        match.give(REFEREE, c.CallFoul(seat=1, foul="5i"))
        assert match.state.clock.extended == (True, False)

    def test_a_time_out_keeps_what_it_has_added(self):
        match = Match(shot_clock=self.EXTENDED)
        match.broken()
        begin = match.now
        match.give(SEAT[1], c.ExtendShot(), begin + 10.0)
        match.give(SEAT[1], c.RequestTimeOut(), begin + 12.0)
        assert match.refused(SEAT[1], c.ExtendShot()) == Code.TIME_OUT_RUNNING
        match.give(SEAT[1], c.EndTimeOut(), begin + 100.0)
        assert match.state.clock.deadline == begin + 100.0 + 38.0

    @pytest.mark.parametrize("clock", [None, LIMIT])
    def test_without_one_it_is_refused(self, clock):
        match = Match(shot_clock=clock)
        match.broken()
        assert match.refused(SEAT[1], c.ExtendShot()) == Code.NO_EXTENSION


class TestDecision:
    def test_the_first_option_is_taken_without_a_foul(self):
        match = Match()
        match.to_break()
        match.strike(contact(1))
        fouls = match.state.consecutive_fouls
        expire(match)
        assert (match.state.phase, match.state.shooter) == (Phase.AWAIT_SHOT, 1)
        assert match.state.consecutive_fouls == fouls
        said = match.heard(an.Chosen)[0]
        assert (said.option, said.by_clock) == (Option.ACCEPT_TABLE, True)

    def test_choosing_at_the_deadline_is_too_late(self):
        match = Match()
        match.lag()
        deadline = match.state.clock.deadline
        assert deadline == match.now + match.description.decision_s
        code = match.refused(SEAT[0], c.Choose(option=Option.GIVE_BREAK), deadline)
        assert code == Code.TIME_IS_UP
        expire(match)
        assert match.state.breaker == 0


class TestLag:
    def test_who_has_not_struck_loses_it(self):
        match = Match()
        match.give(SERVER, c.StartMatch())
        assert match.state.clock.deadline == match.now + match.description.lag_s
        match.give(SEAT[1], c.Strike(stroke=STROKE))
        expire(match)
        assert (match.state.phase, match.state.decider) == (Phase.LAG_CHOICE, 1)
        assert match.heard(an.ClockRanOut)[0].seat == 0

    def test_if_nobody_has_it_opens_again(self):
        match = Match()
        match.give(SERVER, c.StartMatch())
        expire(match)
        assert match.state.phase == Phase.LAG and match.state.lag.attempt == 2
        assert match.state.clock.deadline == match.now + match.description.lag_s


class TestTimeOut:
    def test_play_goes_on_with_what_remained(self):
        match = clocked()
        match.broken()
        begin = match.now
        match.give(SEAT[1], c.RequestTimeOut(), begin + 12.0)
        assert match.state.phase == Phase.TIME_OUT
        assert match.state.clock.deadline == begin + 12.0 + 300.0
        for seat in SEAT:
            assert match.refused(seat, c.Strike(stroke=STROKE)) == Code.TIME_OUT_RUNNING
        assert match.refused(SEAT[0], c.EndTimeOut()) == Code.NOT_ALLOWED
        match.give(SEAT[1], c.EndTimeOut(), begin + 100.0)
        assert match.state.phase == Phase.AWAIT_SHOT
        assert match.state.clock.deadline == begin + 100.0 + 18.0

    def test_it_ends_by_itself(self):
        match = clocked()
        match.broken()
        match.give(SEAT[1], c.RequestTimeOut())
        expire(match)
        assert match.state.phase == Phase.AWAIT_SHOT and match.heard(an.TimeOutEnded)

    def test_one_before_the_last_set_and_one_in_it(self):
        match = Match(overrides={"match": {"sets_to_win": 2, "games_to_win": 1}})
        match.broken()
        assert match.refused(SEAT[0], c.RequestTimeOut()) == Code.NOT_AT_TABLE
        match.give(SEAT[1], c.RequestTimeOut())
        match.give(SEAT[1], c.EndTimeOut())
        assert match.refused(SEAT[1], c.RequestTimeOut()) == Code.TIME_OUT_USED
        match.strike(contact(1), pocketed(9))  # one set for seat 1
        assert match.state.phase == Phase.SET_OVER
        match.give(SEAT[0], c.RequestTimeOut())  # between sets, anyone
        match.give(SEAT[0], c.EndTimeOut())
        assert match.state.phase == Phase.SET_OVER
        match.give(SERVER, c.NextGame())
        match.rack()
        breaker = match.state.shooter
        # One short of the match is not enough: the set that decides it is the one at 1 to 1.
        assert match.refused(SEAT[1], c.RequestTimeOut()) == Code.TIME_OUT_USED
        match.strike(contact(1), pocketed(9))
        assert breaker == 1 and match.state.phase == Phase.MATCH_OVER

    def test_in_a_decision_it_is_for_who_decides(self):
        match = Match()
        match.broken()
        match.give(SEAT[1], c.DeclarePushOut())
        match.strike()
        assert match.refused(SEAT[1], c.RequestTimeOut()) == Code.NOT_AT_TABLE
        match.give(SEAT[0], c.RequestTimeOut())
        match.give(SEAT[0], c.EndTimeOut())
        assert match.state.clock.purpose == "decision"

    def test_the_last_set_has_its_own(self):
        match = Match(overrides={"match": {"sets_to_win": 2, "games_to_win": 1}})
        match.broken()
        match.give(SEAT[1], c.RequestTimeOut())
        match.give(SEAT[1], c.EndTimeOut())
        match.strike(contact(5))  # foul: seat 0 wins the set
        match.strike(contact(1), pocketed(9))
        match.give(SERVER, c.NextGame())
        match.rack()
        match.strike(contact(1), pocketed(9))  # seat 1 opens and wins the second
        assert match.state.sets == (1, 1)
        match.give(SERVER, c.NextGame())
        match.rack()
        match.strike(contact(1), rail(1), rail(2), rail(3), rail(4))
        match.give(SEAT[1], c.RequestTimeOut())
        match.give(SEAT[1], c.EndTimeOut())
        assert match.refused(SEAT[1], c.RequestTimeOut()) == Code.TIME_OUT_USED
        assert match.state.time_outs_used_in_last_set == (0, 1)


class TestSuspension:
    def test_the_clock_stands(self):
        match = clocked(referee=True)
        match.broken()
        begin = match.now
        match.give(SEAT[0], c.RequestRuling(), begin + 10.0)
        assert match.state.phase == Phase.SUSPENDED and match.state.clock.deadline is None
        assert match.refused(SEAT[1], c.Strike(stroke=STROKE)) == Code.PLAY_SUSPENDED
        match.give(REFEREE, c.Resume(), begin + 500.0)
        assert match.state.phase == Phase.AWAIT_SHOT
        assert match.state.clock.deadline == begin + 500.0 + 20.0

    def test_a_rack_may_be_set_meanwhile(self):
        match = clocked()
        match.lag()
        match.give(SEAT[0], c.Choose(option=Option.BREAK))
        match.give(SERVER, c.Suspend())
        match.rack()
        assert match.state.phase == Phase.SUSPENDED and match.state.racked
        match.give(SERVER, c.Resume())
        assert match.state.clock.deadline == match.now + 30.0
        match.strike(contact(1), pocketed(9))


class TestImposed:
    def test_needs_a_warning_and_binds_both_from_the_next_turn(self):
        match = Match(referee=True)
        match.broken()
        order = c.ImposeShotClock(limit_s=40.0)
        assert match.refused(REFEREE, order) == Code.WARNING_REQUIRED_FIRST
        match.give(REFEREE, c.WarnSlowPlay())
        assert match.refused(REFEREE, c.ImposeShotClock(limit_s=46.0)) == Code.LIMIT_TOO_LONG
        match.give(REFEREE, order)
        assert match.state.clock.deadline is None, "not for the stroke in progress"
        for _ in range(2):
            match.strike(contact(1), rail(1))
            assert match.state.clock.deadline == match.now + 40.0

    def test_wpa_has_no_limit_of_its_own(self):
        match = Match("nine_ball_wpa", referee=True)
        match.broken()
        match.give(REFEREE, c.WarnSlowPlay())
        match.give(REFEREE, c.ImposeShotClock(limit_s=90.0))
        assert match.state.clock.shot_clock.imposed


class TestCredit:
    """An order may bring a credit for the way it took; the deadline itself stays where it is."""

    def late(self, late_s, credit_s, command=None):
        match = clocked()
        match.broken()
        deadline = match.state.clock.deadline
        command = command or c.Strike(stroke=STROKE)
        order = c.Order(by=SEAT[1], at=deadline + late_s, command=command, credit_s=credit_s)
        return match, order

    def test_late_by_less_than_the_credit_is_in_time_and_told(self):
        match, order = self.late(0.2, 0.25)
        applied = apply(match.state, order)
        assert applied.state.phase == Phase.SHOT_RUNNING
        told = [a for a in applied.announcements if isinstance(a, an.Credited)]
        assert [(a.seat, round(a.late_s, 9)) for a in told] == [(1, 0.2)]

    @pytest.mark.parametrize("credit_s", [0.0, 0.1, 0.2])
    def test_late_by_the_credit_or_more_is_too_late(self, credit_s):
        match, order = self.late(0.2, credit_s)
        with pytest.raises(Refusal) as refused:
            apply(match.state, order)
        assert refused.value.code is Code.TIME_IS_UP

    def test_nothing_is_told_of_what_no_clock_is_for(self):
        match, order = self.late(0.2, 0.25, c.ChangeCue(cue="break"))
        assert not [
            a for a in apply(match.state, order).announcements if isinstance(a, an.Credited)
        ]

    @pytest.mark.parametrize("credit_s", [-0.1, float("nan"), float("inf")])
    def test_a_credit_that_makes_no_sense_is_refused(self, credit_s):
        match, order = self.late(0.2, credit_s)
        with pytest.raises(Refusal) as refused:
            apply(match.state, order)
        assert refused.value.code is Code.MALFORMED

    def test_whose_time_runs(self):
        match = clocked()
        match.give(SERVER, c.StartMatch())
        assert awaited(match.state) == (0, 1), "the lag"
        match.give(SEAT[0], c.Strike(stroke=STROKE))
        assert awaited(match.state) == (1,)
        match = clocked()
        match.broken()
        assert awaited(match.state) == (1,)
        match.give(SEAT[1], c.RequestTimeOut())
        assert awaited(match.state) == (), "a time-out that ends costs nobody anything"


@pytest.mark.parametrize("seed", range(40))
def test_however_often_play_stands_no_time_is_lost_and_none_is_had_twice(seed):
    """Time-outs, suspensions by server and referee, a suspension in what a time-out interrupted."""
    chance = random.Random(seed)
    match = clocked(referee=True, overrides={"time_out": {"before_last_set": 9, "in_last_set": 9}})
    match.broken()
    begun = match.state.clock.deadline - 30.0
    played = standing = 0.0
    for _ in range(chance.randint(1, 9)):
        runs = chance.uniform(0.0, 3.0)
        stands = chance.choice((0.0, chance.uniform(0.0, 299.0)))
        at = begun + played + standing + runs
        if chance.random() < 0.5:
            match.give(SEAT[1], c.RequestTimeOut(), at)
            if stands > 200.0:  # it runs out by itself
                stands = 300.0
                deadline = match.state.clock.deadline
                match.give(CLOCK, c.ExpireClock(deadline=deadline), at + stands)
            else:
                match.give(SEAT[1], c.EndTimeOut(), at + stands)
        else:
            match.give(chance.choice((SERVER, REFEREE)), c.Suspend(), at)
            assert match.state.clock.remaining == pytest.approx(30.0 - played - runs)
            match.give(SERVER, c.Resume(), at + stands)
        played, standing = played + runs, standing + stands
        left = match.state.clock.deadline - match.now
        assert left == pytest.approx(30.0 - played) and match.state.clock.purpose == "shot"
    assert match.state.shooter == 1 and match.state.consecutive_fouls == (0, 0)
