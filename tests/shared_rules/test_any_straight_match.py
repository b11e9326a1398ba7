"""Any match of straight pool that can be reached: what ``test_any_match`` promises, and besides
that points, racks and undone strokes are what they must be, and that every match can end.

``make soak`` runs it long.
"""

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant

from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE
from shared_rules.commands import Actor, Order
from shared_rules.match import apply
from shared_rules.ruleset import make_ruleset
from shared_rules.state import MatchDescription, Option, Phase, ShotClock
from shared_rules.table import Position
from tests.shared_rules.table import (
    SEAT,
    SERVER,
    STROKE,
    Match,
    contact,
    pocketed,
    racked,
    rail,
    reracked,
)
from tests.shared_rules.test_any_match import OVER, AnyMatch

ALL = frozenset(range(1, 16))
SOAK = bool(os.environ.get("HEADSTRING_SOAK"))
# What an undone stroke leaves changed: numbers, clocks, and that the stroke before it is closed.
COUNTED = (
    "version", "shot_number", "watcher_asked_by", "last_shot", "claimed", "clock", "warned",
)  # fmt: skip
# So many strokes end any match from anywhere: a hundred points, sixteen lost now and then.
LONGEST = 600


class AnyStraightMatch(AnyMatch):
    """Orders at random in matches of straight pool."""

    @initialize(
        points=st.integers(1, 40),
        games=st.integers(1, 2),
        touch=st.sampled_from(["refuse", "strict"]),
        clock=st.sampled_from([None, ShotClock(limit_s=30.0)]),
        referee=st.booleans(),
        stand=st.sampled_from(["nowhere", "break", "breaking foul", "broken", "late", "late"]),
    )
    def begin(self, points, games, touch, clock, referee, stand):
        rules = {"target": points, "match": {"games_to_win": games}, "touch_fouls": touch}
        self.description = MatchDescription(
            match_id="m",
            players=("Ann", "Ben"),
            ruleset=make_ruleset("straight_pool", rules),
            shot_clock=clock,
            referee=referee,
        )
        match = Match.of(self.description)
        self.struck = None
        if stand != "nowhere":
            match.to_break()
        if stand in ("breaking foul", "broken", "late"):
            good = (rail(CUE), rail(14), rail(15)) if stand != "breaking foul" else ()
            self._played(match, c.CallSafety(), contact(15), *good)
        if stand == "late":  # two or three balls are left
            call = c.CallShot(ball=1, pocket="foot_left")
            fallen = [pocketed(ball) for ball in range(1, 13)]
            self._played(match, call, contact(1), *fallen)
        self.state, self.log, self.now = match.state, match.log, match.now

    def _played(self, match, call, *events):
        seat = SEAT[match.state.shooter]
        if match.state.cue_in_hand != "none":
            match.give(seat, c.PlaceCue(x=-0.9, y=0.2))
        match.give(seat, call)
        match.give(seat, c.Strike(stroke=STROKE))
        match.finish([ev.CueStrike(), *events])

    def balls_are_conserved(self, before, order):
        """Fifteen, less the points of this rack; a void stroke is as if it had not been."""
        if isinstance(order.command, c.Strike) and before.phase is not Phase.LAG:
            self.struck = before
        if isinstance(order.command, c.VoidShot) and before.running.shooter is not None:
            for field in self.state.__struct_fields__:
                if field not in COUNTED:
                    assert getattr(self.state, field) == getattr(self.struck, field), field
        if not isinstance(order.command, c.FinishShot) or before.running.shooter is None:
            return
        self.points_are_right(before)
        state = self.state
        here, there = self.objects(state), self.objects(before.running)
        ruling = state.last_ruling
        if state.phase is Phase.RERACK:
            assert here | {*state.rerack.balls} == ALL and not here & {*state.rerack.balls}
        elif state.phase is Phase.PLACE_CUE_FOR_BREAK:
            assert here == (there if state.racked else frozenset())
        elif ruling.replay or ruling.points <= 0:
            assert here == there
        else:
            assert here == there - {*ruling.pocketed} and ruling.points == len(ruling.pocketed)

    def objects(self, of):
        balls = of.balls if hasattr(of, "balls") else of.balls_before
        return frozenset(ball for ball in balls if ball != CUE)

    def points_are_right(self, before):
        state, seat = self.state, before.running.shooter
        ruling = state.last_ruling
        assert state.scores[seat] == before.scores[seat] + ruling.points
        assert state.scores[1 - seat] == before.scores[1 - seat]
        rules = state.description.ruleset
        if ruling.points > 0:
            assert not ruling.fouls and ruling.call.ball in ruling.pocketed
            assert (state.scores[seat] >= rules.target) == (state.phase in OVER)
        elif ruling.fouls and state.phase is not Phase.REFEREE_PENALTY:
            breaking = "4.3b" in [foul.code for foul in ruling.fouls]
            assert ruling.points in ((-2,) if breaking else (-1, -16))

    def nothing_leaks(self):
        state = self.state
        assert (state.call, state.rerack, state.balls, state.restorable) == (None, None, {}, {})
        assert (state.scores, state.run, state.high_runs) == ((0, 0), 0, (0, 0))
        assert state.phase is Phase.PLACE_CUE_FOR_BREAK and state.is_break and not state.racked

    @invariant()
    def scores_and_runs_are_in_range(self):
        state = self.state
        target = state.description.ruleset.target
        if state.play_phase not in OVER:
            assert max(state.scores) < target
        assert 0 <= state.run <= max(state.high_runs)
        assert all(high <= target + 14 for high in state.high_runs)
        assert (state.rerack is not None) == (state.play_phase is Phase.RERACK)
        assert (state.free_shot, state.groups, state.push_out_available) == (False, None, False)
        if state.phase is Phase.AWAIT_SHOT:
            assert len(self.objects(state)) >= 2

    def teardown(self):
        super().teardown()
        if hasattr(self, "log"):
            self.it_can_end()

    def it_can_end(self):
        """Played on as well as can be, any match comes to its end."""
        state, now = self.state, self.now
        for _ in range(LONGEST):
            if state.phase is Phase.MATCH_OVER:
                return
            now += 0.001
            by, command = best_order(state)
            state = apply(state, Order(by=by, at=now, command=command)).state
        raise AssertionError(f"no end in sight: {state.phase}, {state.scores}")


def best_order(state):
    """What moves a match on to its end: every stroke is called and made."""
    match state.phase:
        case Phase.WAITING_FOR_PLAYERS:
            return SERVER, c.StartMatch()
        case Phase.LAG:
            seat = 0 if not state.lag.struck[0] else 1
            return SEAT[seat], c.Strike(stroke=STROKE)
        case Phase.SUSPENDED:
            return SERVER, c.Resume()
        case Phase.TIME_OUT:
            return SEAT[state.time_out_by], c.EndTimeOut()
        case Phase.GAME_OVER | Phase.SET_OVER:
            return SERVER, c.NextGame()
        case Phase.RERACK:
            return SERVER, c.RackBalls(seed=1, balls=reracked(state))
        case Phase.PLACE_CUE_FOR_BREAK if not state.racked:
            return SERVER, c.RackBalls(seed=1, balls=racked(state.description))
        case Phase.SHOT_RUNNING:
            return SERVER, _made(state)
    if state.decider is not None:
        option = Option.WARNING if Option.WARNING in state.options else state.options[0]
        return Actor.of_decider(state.decider), c.Choose(option=option)
    seat = SEAT[state.shooter]
    if state.cue_in_hand != "none" and not state.cue_placed:
        return seat, c.PlaceCue(x=-1.0, y=_free_y(state))
    if state.call is None:
        ball = next(ball for ball in state.balls if ball != CUE)
        return seat, c.CallShot(ball=ball, pocket="foot_left")
    return seat, c.Strike(stroke=STROKE)


def _free_y(state):
    return next(
        y / 100
        for y in range(-55, 56)
        if all((x + 1.0) ** 2 + (by - y / 100) ** 2 > 0.06**2 for x, by in state.balls.values())
    )


def _made(state):
    """The end of the running stroke: the called ball falls, or the lag is fair."""
    running = state.running
    if running.shooter is None:
        events = [ev.CueStrike(ball=ball) for ball in running.balls_before]
        for at, ball in enumerate(running.balls_before):
            events += [rail(ball), ev.Rest(ball=ball, gap_to_head_cushion_mm=20.0 + 30.0 * at)]
        return c.FinishShot(shot=running.number, events=tuple(events), balls={})
    call, out = state.call, ev.CrossesHeadString(ball=CUE, dir="out")
    balls = dict(running.balls_before)
    ball = call.ball if call is not None and call.ball in balls else None
    if ball is None:
        events = [ev.CueStrike(), out, contact(next(b for b in balls if b != CUE))]
        events += [rail(b) for b in balls]
    else:
        del balls[ball]
        events = [ev.CueStrike(), out, contact(ball), ev.Pocketed(ball=ball, pocket=call.pocket)]
    balls[CUE] = _somewhere(balls)
    return c.FinishShot(shot=running.number, events=tuple(events), balls=balls)


def _somewhere(balls):
    """A place for the cue ball away from the rack and from every ball."""
    return next(
        Position(x / 10, y / 100)
        for x in range(-4, 4)
        for y in range(-50, 51, 10)
        if all(
            (bx - x / 10) ** 2 + (by - y / 100) ** 2 > 0.06**2
            for ball, (bx, by) in balls.items()
            if ball != CUE
        )
    )


AnyStraightMatch.TestCase.settings = settings(
    max_examples=2000 if SOAK else 40,
    stateful_step_count=60 if SOAK else 30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestAnyStraightMatch = pytest.mark.filterwarnings("ignore")(AnyStraightMatch.TestCase)
