"""Any match that can be reached: whatever is ordered is refused and changes nothing, or leads to a
state in which exactly those may act whom the rules name."""

import os

import msgpack
import msgspec
import pytest
from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.allowed import ALL_KINDS, allowed
from shared_rules.balls import CUE
from shared_rules.clocks import DECISION_PHASES, REFEREE_PHASES, SHOT_PHASES
from shared_rules.commands import Actor, Order
from shared_rules.disciplines import discipline_of
from shared_rules.match import apply, replay
from shared_rules.placement import overlapped
from shared_rules.presets import PRESETS
from shared_rules.refusal import Refusal
from shared_rules.ruleset import make_ruleset
from shared_rules.state import MatchDescription, MatchState, Phase, ShotClock
from shared_rules.view import public_state
from tests.shared_rules.strategies import any_orders, next_orders
from tests.shared_rules.table import SEAT, STROKE, Match, contact, rail

OVER = {Phase.GAME_OVER, Phase.SET_OVER, Phase.MATCH_OVER}


def written(state: MatchState) -> bytes:
    plain = msgspec.to_builtins(state, builtin_types=(bytes,), str_keys=False)
    return msgpack.packb(plain, use_bin_type=True)


def read(data: bytes) -> MatchState:
    raw = msgpack.unpackb(data, strict_map_key=False)
    return msgspec.convert(raw, MatchState)


def who_may_strike(state: MatchState) -> set[Actor]:
    """From RULES 0.7 and 3.7, by hand: not the code's own table."""
    if state.phase == "LAG":
        return {SEAT[n] for n in (0, 1) if not state.lag.struck[n]}
    game = state.description.ruleset.discipline
    called = state.call is not None or game not in ("eight_ball", "straight_pool")
    if state.phase == "PLACE_CUE_FOR_BREAK" and CUE in state.balls:
        # nothing is called on a break (E8.3b), but in straight pool (S14.5a)
        return {SEAT[state.shooter]} if called or game != "straight_pool" else set()
    if state.phase == "AWAIT_SHOT" and called:
        return {SEAT[state.shooter]}
    in_hand = state.phase in ("PLACE_CUE_ANYWHERE", "PLACE_CUE_HEAD", "PLACE_CUE_BAULK")
    return {SEAT[state.shooter]} if in_hand and CUE in state.balls and called else set()


def who_may_choose(state: MatchState) -> set[Actor]:
    if state.phase == "LAG_CHOICE":
        return {SEAT[state.lag_winner]}
    if state.phase in ("DECIDE_AFTER_BREAK_FOUL", "DECIDE_AFTER_PUSH_OUT"):
        return {SEAT[1 - state.shooter]}
    if state.phase in ("DECIDE_AFTER_ILLEGAL_BREAK", "DECIDE_REBREAK", "FREE_SHOT"):
        return {SEAT[1 - state.shooter]}
    if state.phase == "DECIDE_EIGHT_ON_BREAK":  # E8.3e, f: the breaker's, or on a foul the other's
        return {SEAT[1 - state.shooter if state.last_ruling.fouls else state.shooter]}
    if state.phase in ("LAG_REFEREE_DECISION", "REFEREE_PENALTY"):
        return {Actor.REFEREE}
    if state.phase == "DECIDE_CLAIM":  # N9.9a: who was asked
        return {SEAT[state.decider]}
    if state.phase == "SUSPENDED" and state.resumes_to in (
        "LAG_REFEREE_DECISION",
        "REFEREE_PENALTY",
    ):
        return {Actor.REFEREE}
    return set()


def takes(state: MatchState, by: Actor, command, at: float) -> bool:
    try:
        apply(state, Order(by=by, at=at, command=command))
    except Refusal:
        return False
    return True


class AnyMatch(RuleBasedStateMachine):
    """Orders at random, most of them such as a server and players would give."""

    @initialize(
        preset=st.sampled_from(sorted(PRESETS)),
        games=st.integers(1, 3),
        sets=st.integers(1, 2),
        order=st.sampled_from(["winner", "alternate", "loser"]),
        touch=st.sampled_from(["refuse", "strict"]),
        placement=st.sampled_from(["refuse", "foul_if_warned"]),
        clock=st.sampled_from([None, ShotClock(limit_s=30.0)]),
        referee=st.booleans(),
        stand=st.sampled_from(["nowhere", "break", "broken", "pushed", "break foul"]),
    )
    def begin(self, preset, games, sets, order, touch, placement, clock, referee, stand):
        match = {"games_to_win": games, "sets_to_win": sets, "break_order": order}
        rules = {"match": match, "touch_fouls": touch, "break": {"placement_foul": placement}}
        self.description = MatchDescription(
            match_id="m",
            players=("Ann", "Ben"),
            ruleset=make_ruleset(preset, rules),
            shot_clock=clock,
            referee=referee,
        )
        match = Match.of(self.description)
        if stand != "nowhere":
            match.to_break()
        if preset == "straight_pool" and stand != "nowhere":
            match.give(SEAT[0], c.CallSafety())
        if stand in ("broken", "pushed"):
            out = [ev.CrossesCenterString(ball=b, dir="in") for b in (1, 2)]
            match.strike(contact(1), rail(CUE), rail(1), rail(2), rail(3), rail(4), *out)
        if stand == "pushed" and preset.startswith("nine_ball"):
            match.give(SEAT[1], c.DeclarePushOut())
            match.strike()
        if stand == "break foul":
            match.strike(contact(5))
        self.state, self.log, self.now = match.state, match.log, match.now

    def order(self, order):
        before, bytes_before = self.state, written(self.state)
        self.now = max(self.now, order.at)
        permitted = allowed(before, order.by, order.at)
        try:
            applied = apply(before, order)
        except Refusal as refusal:
            assert refusal.message and written(before) == bytes_before
            return
        assert written(before) == bytes_before, "an order has changed the state before it"
        kind = type(order.command)
        assert kind in ALL_KINDS
        if order.by.seat is None or kind in permitted.kinds | set(permitted.refused):
            assert kind not in permitted.refused, "allowed said no, apply said yes"
        self.log.append(order)
        self.state = applied.state
        assert applied.state.version == before.version + 1
        self.balls_are_conserved(before, order)
        if isinstance(order.command, c.NextGame):
            self.nothing_leaks()

    @rule(data=st.data())
    def goes_on(self, data):
        assume(self.state.phase != Phase.MATCH_OVER)
        self.order(data.draw(next_orders(self.state, self.now + 1.0)))

    @rule(data=st.data())
    def goes_on_and_on(self, data):
        for _ in range(4):
            if self.state.phase != Phase.MATCH_OVER:
                self.order(data.draw(next_orders(self.state, self.now + 1.0)))

    @rule(data=st.data())
    def anyone_says_anything(self, data):
        self.order(data.draw(any_orders(self.now + 0.5)))

    @invariant()
    def exactly_those_may_act_whom_the_rules_name(self):
        state, at = self.state, self.now + 0.01
        if state.clock.deadline is not None and at >= state.clock.deadline:
            return  # whose time is up may do nothing; see test_clocks
        strike = c.Strike(stroke=STROKE)
        assert {a for a in Actor if takes(state, a, strike, at)} == who_may_strike(state)
        deciders = who_may_choose(state)
        for option in state.options[:1]:
            choose = c.Choose(option=option)
            takers = {a for a in Actor if takes(state, a, choose, at)}
            assert takers == deciders
        assert bool(deciders) <= bool(state.options)

    @invariant()
    def counters_are_in_range(self):
        state = self.state
        rules = state.description.ruleset
        over = state.play_phase in OVER  # a time-out may run between sets
        limit = rules.three_foul.limit or 1  # without a limit none are counted
        assert all(0 <= n <= limit - (not over) for n in state.consecutive_fouls)
        assert all(0 <= n <= rules.match.games_to_win for n in state.games)
        if not over:
            assert max(state.games) < rules.match.games_to_win
        assert all(0 <= n <= rules.match.sets_to_win for n in state.sets)
        assert all(0 < n <= 2 for n in state.near_rail_safeties.values())
        if state.phase in SHOT_PHASES:
            on_two = limit > 1 and state.consecutive_fouls[state.shooter] == limit - 1
            assert state.warned[state.shooter] == on_two or not on_two

    @invariant()
    def clocks_run_where_they_should(self):
        clock, phase = self.state.clock, self.state.phase
        assert (clock.deadline is None) == (clock.purpose is None)
        if phase in (Phase.SHOT_RUNNING, Phase.SUSPENDED, Phase.WAITING_FOR_PLAYERS) or (
            phase in OVER
        ):
            assert clock.deadline is None
        if phase in DECISION_PHASES | REFEREE_PHASES:
            assert clock.purpose == "decision"
        if phase in SHOT_PHASES and self.description.shot_clock and self.state.balls:
            assert clock.purpose == "shot"

    @invariant()
    def positions_are_possible(self):
        state = self.state
        frame = state.description.frame
        assert (
            (CUE in state.balls)
            or state.cue_in_hand != "none"
            or state.phase
            not in (
                Phase.AWAIT_SHOT,
                Phase.DECIDE_AFTER_PUSH_OUT,
            )
        )
        for ball, place in state.balls.items():
            assert overlapped(place, state.balls, frame, ball) is None, (ball, place)

    @invariant()
    def the_tray_holds_what_is_off_the_table(self):
        state = self.state
        rack = discipline_of(state.description.ruleset).balls if state.racked else ()
        assert sorted(state.down) == [ball for ball in sorted(rack) if ball not in state.balls]

    @invariant()
    def what_wins_is_on_the_table(self):
        """The 9, the 8, the black: no stroke is due without it (N9.5s1, E8.7, BB.5c, BB.11)."""
        state = self.state
        wins = {"nine_ball": 9, "eight_ball": 8, "black_ball": 8}
        ball = wins.get(state.description.ruleset.discipline)
        if state.play_phase in SHOT_PHASES and state.racked and ball is not None:
            assert ball in state.balls
        assert state.rerack is None or state.play_phase is Phase.RERACK

    @invariant()
    def states_travel(self):
        assert read(written(self.state)) == self.state
        for seat in (0, 1, None):
            shown = public_state(self.state, seat)
            assert read(written(shown)) == shown

    def balls_are_conserved(self, before, order):
        """Balls vanish only by falling or a new rack, and none but the 9 comes back."""
        if self.state.phase == Phase.SHOT_RUNNING or before.phase == Phase.SHOT_RUNNING:
            here = {b for b in self.state.balls if 0 < b < 16}
            there = {b for b in before.balls if 0 < b < 16}
            assert here <= there | self.comes_back()
            racks = self.state.phase in (Phase.PLACE_CUE_FOR_BREAK, Phase.RERACK)
            if isinstance(order.command, c.FinishShot) and not (racks and not self.state.racked):
                ruling = self.state.last_ruling
                gone = {*ruling.pocketed, *ruling.off_table} - {*ruling.spotted}
                if not ruling.replay and self.state.phase not in OVER:
                    assert here == there - gone

    def comes_back(self):
        """Balls that are ever spotted again (N9.5s, W9.6b; E8.7, E8.7b; S14.6, BB.11)."""
        one = {"nine_ball": {9}, "eight_ball": {8}}
        return one.get(self.description.ruleset.discipline, set(range(1, 16)))

    @invariant()
    def groups_are_settled_once_and_never_on_the_break(self):
        state = self.state
        pairs = {"eight_ball": {"solids", "stripes"}, "black_ball": {"reds", "yellows"}}
        pair = pairs.get(state.description.ruleset.discipline)
        if state.is_break or pair is None:
            assert state.groups is None
        if state.groups is not None:
            assert set(state.groups) == pair

    def nothing_leaks(self):
        state = self.state
        assert (state.groups, state.call) == (None, None)
        assert state.phase == Phase.PLACE_CUE_FOR_BREAK
        if state.description.ruleset.discipline != "straight_pool":  # RULES 10, S14.11
            assert (state.consecutive_fouls, state.warned) == ((0, 0), (False, False))
        assert (state.scores, state.run, state.rerack) == ((0, 0), 0, None)
        assert not (state.free_shot or state.snooker_declared)
        assert (state.balls, state.near_rail_safeties, state.restorable) == ({}, {}, {})
        assert not (state.push_out_available or state.push_out_declared or state.racked)
        assert state.is_break and not state.game_begun and state.rack_winner is None
        assert state.stalemate_visits_left is None and state.stalemate_agreed == (False, False)

    def teardown(self):
        if hasattr(self, "log"):
            assert replay(self.description, self.log) == self.state


SOAK = os.environ.get("HEADSTRING_SOAK") == "1"
AnyMatch.TestCase.settings = settings(
    max_examples=3000 if SOAK else 70,
    stateful_step_count=60 if SOAK else 35,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestAnyMatch = pytest.mark.filterwarnings("ignore")(AnyMatch.TestCase)
