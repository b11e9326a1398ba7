"""Whole matches of straight pool: runs, racks, decisions, undone shots, an oracle of turn and
score."""

import random

import pytest

from shared_rules import announcements as an
from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE
from shared_rules.match import replay
from shared_rules.refusal import Code
from shared_rules.state import Call, Option, Phase, ShotClock
from shared_rules.table import Position
from shared_rules.wording import announcement_text
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
    reracked,
)

ALL = tuple(range(1, 16))
GOOD = (rail(CUE), rail(14), rail(15))  # what an opening break has to drive to a rail


def straight_pool(**more):
    return Match("straight_pool", more.pop("overrides", None), **more)


def at_break(**more):
    match = straight_pool(**more)
    match.to_break()
    return match


def call(match, ball=None, pocket="foot_left"):
    """The player at the table puts the cue ball down if he has to, and calls."""
    seat = SEAT[match.state.shooter]
    if match.state.cue_in_hand != "none":
        match.give(seat, c.PlaceCue(x=-0.9, y=0.2))
    safety = ball is None
    match.give(seat, c.CallSafety() if safety else c.CallShot(ball=ball, pocket=pocket))


def strike(match, *events, ball=None, balls=None):
    call(match, ball)
    match.give(SEAT[match.state.shooter], c.Strike(stroke=STROKE))
    return match.finish([ev.CueStrike(), *events], balls)


def broken(**more):
    """After a good, safe opening break of seat 0: seat 1 is at the table."""
    match = at_break(**more)
    strike(match, contact(15), *GOOD)
    return match


def made(match, ball, *more, **where):
    return strike(match, contact(ball), pocketed(ball), *more, ball=ball, **where)


def down_to(match, left):
    """All but some balls pocketed on one stroke."""
    first, *rest = [ball for ball in ALL if ball not in left]
    return made(match, first, *map(pocketed, rest))


def last_two(match):
    down_to(match, (3, 12))
    return match


def codes(match):
    return [foul.code for foul in match.state.last_ruling.fouls]


# --- runs and racks ---------------------------------------------------------------------------


def test_a_whole_match_with_a_rack_on_the_way():
    match = broken(overrides={"target": 20})
    for ball in range(1, 14):
        assert made(match, ball).shooter == 1
    assert (match.state.scores, match.state.run) == ((0, 13), 13)
    made(match, 14)
    assert match.state.phase is Phase.RERACK
    assert [said.rerack.balls for said in match.heard(an.Reracking)] == [ALL[:14]]
    match.rack()
    state = match.state
    assert (state.phase, state.shooter, state.run) == (Phase.AWAIT_SHOT, 1, 14)
    assert sorted(state.balls) == [CUE, *ALL] and not state.is_break
    for ball in (15, 1, 2, 3, 4, 5):
        made(match, ball)
    assert (match.state.phase, match.state.winner) == (Phase.MATCH_OVER, 1)
    assert (match.state.scores, match.state.high_runs) == ((0, 20), (0, 20))
    assert [won.reason for won in match.heard(an.MatchWon)] == ["target"]
    assert replay(match.description, match.log) == match.state


def test_a_run_ends_with_the_visit_and_the_longest_is_kept():
    match = broken()
    made(match, 1)
    made(match, 2, pocketed(9))
    assert match.state.run == 3
    strike(match, contact(4), rail(4), ball=4)
    assert (match.state.run, match.state.high_runs) == (0, (0, 3))
    made(match, 5)
    assert (match.state.run, match.state.high_runs) == (1, (1, 3))


def test_the_turn_goes_on_with_the_ball_in_hand_where_the_cue_ball_is_in_the_way():
    match = last_two(broken())
    middle = match.description.frame.foot_spot.x + 0.12
    made(match, 3, balls={CUE: Position(middle, 0.0), 12: Position(-0.2, 0.3)})
    assert (match.state.phase, match.state.cue_in_hand) == (Phase.RERACK, "head")
    assert sorted(match.state.balls) == [12]
    match.rack()
    assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_HEAD, 1)
    assert match.refused(SEAT[1], c.PlaceCue(x=0.1, y=0.0)) == Code.OUTSIDE_HEAD_AREA
    assert made(match, 12).scores == (0, 15)


def test_nobody_but_the_server_acts_while_the_balls_are_racked():
    match = last_two(broken())
    made(match, 3)
    strike = c.Strike(stroke=STROKE)
    assert match.refused(SEAT[1], strike) == Code.WRONG_STATE
    assert match.refused(SEAT[1], c.CallSafety()) == Code.WRONG_STATE
    assert match.refused(SERVER, c.RackBalls(seed=1, balls={})) == Code.MALFORMED
    match.give(SERVER, c.Suspend())
    assert match.refused(SERVER, c.RackBalls(seed=1, balls={})) == Code.WRONG_STATE
    match.give(SERVER, c.Resume())
    match.rack()
    assert match.state.phase is Phase.AWAIT_SHOT and match.state.rack_number == 2


def test_a_rack_that_does_not_stand_is_refused():
    match = last_two(broken())
    made(match, 3)
    standing = reracked(match.state)
    shifted = {ball: Position(x + 0.01, y) for ball, (x, y) in standing.items()}
    assert match.refused(SERVER, c.RackBalls(seed=1, balls=shifted)) == Code.MALFORMED
    fifteen = {**standing, 12: match.description.frame.foot_spot}
    assert match.refused(SERVER, c.RackBalls(seed=1, balls=fifteen)) == Code.MALFORMED


def test_a_clock_runs_again_only_when_the_rack_stands():
    match = last_two(broken(shot_clock=ShotClock(limit_s=30.0)))
    made(match, 3)
    assert match.state.clock.deadline is None
    match.rack()
    assert match.state.clock.deadline == match.now + 30.0


def test_foul_counters_run_through_racks():
    match = broken()
    strike(match, contact(3), pocketed(CUE))  # seat 1
    strike(match, contact(3), rail(3))  # seat 0
    assert match.state.consecutive_fouls == (0, 1)
    strike(match, contact(3), pocketed(CUE))
    made(match, 3)  # seat 0 runs out the rack while seat 1 is on two
    first, *rest = [ball for ball in match.state.balls if ball not in (CUE, 12)]
    made(match, first, *map(pocketed, rest))
    match.rack()
    assert match.state.consecutive_fouls == (0, 2)
    strike(match, contact(3), rail(3))
    assert [said.points for said in match.heard(an.TwoFoulWarning)] == [-16]
    strike(match, contact(3), pocketed(CUE))
    assert match.state.phase is Phase.PLACE_CUE_FOR_BREAK
    assert (match.state.breaker, match.state.consecutive_fouls) == (1, (0, 0))
    assert match.state.scores == (14, -18)


# --- the opening break ------------------------------------------------------------------------


def test_a_breaking_foul_is_repeated_until_it_is_good_or_accepted():
    match = at_break()
    for times in (1, 2, 3):
        strike(match, contact(15), rail(15))
        assert (match.state.phase, match.state.decider) == (Phase.DECIDE_REBREAK, 1)
        assert match.state.scores == (-2 * times, 0)
        assert match.refused(SEAT[0], c.Choose(option=Option.ACCEPT_TABLE)) == Code.NOT_DECIDER
        match.give(SEAT[1], c.Choose(option=Option.REQUIRE_REBREAK))
        assert (match.state.breaker, match.state.balls) == (0, {})
        match.rack()
    strike(match, contact(15), rail(15))
    match.give(SEAT[1], c.Choose(option=Option.ACCEPT_TABLE))
    assert (match.state.phase, match.state.shooter) == (Phase.AWAIT_SHOT, 1)
    assert match.state.scores == (-8, 0) and match.state.consecutive_fouls == (0, 0)


def test_the_break_is_called():
    match = at_break()
    match.give(SEAT[0], c.PlaceCue(x=-0.9, y=0.2))
    assert match.refused(SEAT[0], c.Strike(stroke=STROKE)) == Code.CALL_REQUIRED
    match.give(SEAT[0], c.CallShot(ball=8, pocket="foot_left"))
    assert match.state.call == Call(ball=8, pocket="foot_left")


def test_a_break_that_ran_out_of_time_is_the_other_players():
    match = at_break(shot_clock=ShotClock(limit_s=30.0))
    deadline = match.state.clock.deadline
    match.give(CLOCK, c.ExpireClock(deadline=deadline), deadline)
    assert codes(match) == ["6.15"] and match.state.scores == (-1, 0)
    assert (match.state.phase, match.state.breaker) == (Phase.PLACE_CUE_FOR_BREAK, 1)
    assert match.state.racked and sorted(match.state.balls) == list(ALL)


# --- undone and recalled ----------------------------------------------------------------------


@pytest.mark.parametrize("fouls_first", [0, 1])
def test_a_void_shot_is_undone_exactly_with_its_call_hand_and_run(fouls_first):
    match = broken()
    made(match, 1)
    for _ in range(2 * fouls_first):
        strike(match, contact(3), pocketed(CUE))
    call(match, 4)
    before = match.state
    match.give(SEAT[before.shooter], c.Strike(stroke=STROKE))
    match.give(SERVER, c.VoidShot(shot=match.state.running.number, reason="worker died"))
    for field in before.__struct_fields__:
        if field not in ("version", "shot_number", "watcher_asked_by", "last_shot"):
            assert getattr(match.state, field) == getattr(before, field), field


def test_a_foul_called_after_the_rack_takes_points_and_rack_back():
    match = last_two(broken(referee=True))
    made(match, 3)
    match.rack()
    assert match.state.scores == (0, 14)
    match.give(REFEREE, c.CallFoul(seat=1, foul="6.6"))
    state = match.state
    assert (state.scores, state.run, state.shooter) == ((0, 12), 0, 0)
    assert sorted(state.balls) == [CUE, 3, 12] and state.phase is Phase.AWAIT_SHOT


def test_a_foul_called_on_the_winning_stroke_takes_the_match_back():
    match = broken(overrides={"target": 1}, referee=True)
    made(match, 3)
    assert match.state.winner == 1
    match.give(REFEREE, c.CallFoul(seat=1, foul="6.6"))
    assert (match.state.winner, match.state.scores) == (None, (0, -1))
    assert match.state.phase is Phase.AWAIT_SHOT and 3 in match.state.balls


def test_intentional_touch_is_the_referees_to_punish_and_serious_as_a_third_foul():
    match = broken(referee=True)
    touch = ev.EquipmentContact(by="hand", ball=3, intentional=True)
    strike(match, contact(4), rail(4), pocketed(5), touch)
    assert match.state.phase is Phase.REFEREE_PENALTY and 5 in match.state.balls
    match.give(REFEREE, c.Choose(option=Option.SERIOUS_FOUL))
    assert (match.state.phase, match.state.breaker) == (Phase.PLACE_CUE_FOR_BREAK, 1)
    assert match.state.scores == (0, -16)


def test_a_warning_after_a_scratch_leaves_the_ball_in_hand_behind_the_string():
    match = broken(referee=True)
    touch = ev.EquipmentContact(by="hand", ball=3, intentional=True)
    strike(match, contact(4), rail(4), pocketed(CUE), touch)
    match.give(REFEREE, c.Choose(option=Option.WARNING))
    assert (match.state.phase, match.state.shooter) == (Phase.PLACE_CUE_HEAD, 0)


# --- stalemate, several games -----------------------------------------------------------------


def test_a_stalemate_is_a_lag_and_points_and_counters_stay():
    match = broken()
    made(match, 3, pocketed(5))
    strike(match, contact(4), pocketed(CUE))
    for seat in SEAT:
        match.give(seat, c.AgreeStalemate())
    assert match.state.phase is Phase.LAG and match.state.scores == (0, 1)
    opener = match.state.set_opener
    match.lag(gaps=(60.0, 20.0))
    match.give(SEAT[1], c.Choose(option=Option.BREAK))
    match.rack()
    assert (match.state.breaker, match.state.consecutive_fouls) == (1, (0, 1))
    assert match.state.set_opener == opener and match.state.scores == (0, 1)
    assert sorted(match.state.balls) == list(ALL)


def test_br_015_points_begin_anew_with_each_game_and_nothing_leaks():
    match = broken(overrides={"target": 3, "match": {"games_to_win": 2}})
    made(match, 1, pocketed(2), pocketed(3))
    assert (match.state.phase, match.state.games) == (Phase.GAME_OVER, (0, 1))
    assert match.state.scores == (0, 3)
    match.give(SERVER, c.NextGame())
    state = match.state
    assert (state.scores, state.run, state.high_runs, state.call) == ((0, 0), 0, (0, 0), None)
    assert (state.breaker, state.rerack, state.balls) == (1, None, {})


# --- what people read and who shoots next -------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "legal", "foul"),
    [("en", "A legal stroke, points: +2", "points: −1"), ("cs", "Správný strk, body: +2", "−1")],
)
def test_points_are_told(language, legal, foul):
    match = broken()
    made(match, 1, pocketed(2))
    (said,) = match.heard(an.Judged)
    assert announcement_text(said, language, ("Ann", "Ben")) == legal
    strike(match, contact(3), pocketed(CUE))
    (said,) = match.heard(an.Judged)
    assert foul in announcement_text(said, language, ("Ann", "Ben"))


@pytest.mark.parametrize("winner", [0, 1])
def test_br_003_the_winner_is_who_reaches_the_target(winner):
    match = broken(overrides={"target": 3})
    if winner == 0:
        strike(match, contact(3), rail(3), ball=3)
    for ball in (1, 2, 3):
        made(match, ball)
    assert match.state.winner == winner and match.state.scores[winner] == 3


def test_br_027_who_shoots_next_and_what_he_has_is_what_the_rules_say():
    """Random shots against an oracle that is written from S14.4 to S14.11 by itself."""
    dice = random.Random(14)
    match = broken(overrides={"target": 1000})
    for _ in range(1500):
        if match.state.phase is Phase.PLACE_CUE_FOR_BREAK:
            match.rack()
            strike(match, contact(15), *GOOD)
        elif match.state.phase is Phase.RERACK:
            match.rack()
        elif match.state.phase is Phase.MATCH_OVER:
            break
        else:
            _random_shot(match, dice)
    assert max(match.state.scores) > 50 and min(match.state.scores) < 0


def _random_shot(match, dice):
    before = match.state
    seat = before.shooter
    objects = [ball for ball in before.balls if ball != CUE]
    safety = dice.random() < 0.2
    ball = None if safety else dice.choice(objects)
    pocket = dice.choice(["foot_left", "foot_left", "side_left"])  # all fall foot left
    fallen = {ball} if ball is not None and dice.random() < 0.7 else set()
    fallen |= set(dice.sample(objects, 1)) if dice.random() < 0.2 else set()
    jumped = {dice.choice(objects)} - fallen if dice.random() < 0.05 else set()
    scratch, misses = dice.random() < 0.12, dice.random() < 0.08
    call(match, ball, pocket)
    match.give(SEAT[seat], c.Strike(stroke=STROKE))
    events = [] if misses else [contact(objects[0]), rail(objects[0])]
    events += [*map(pocketed, sorted(fallen)), *(ev.OffTable(ball=b) for b in jumped)]
    events += [pocketed(CUE)] if scratch else []
    match.finish([ev.CueStrike(), *events])
    foul = scratch or misses or bool(jumped)
    scored = not foul and not safety and ball in fallen and pocket == "foot_left"
    third = foul and before.consecutive_fouls[seat] == 2
    points = len(fallen) if scored else -16 if third else -1 if foul else 0
    state = match.state
    assert state.scores[seat] == before.scores[seat] + points
    assert state.scores[1 - seat] == before.scores[1 - seat]
    assert state.shooter == (seat if scored or third else 1 - seat)
    fouls = 0 if third or not foul else before.consecutive_fouls[seat] + 1
    assert state.consecutive_fouls[seat] == fouls
    left = set(objects) - (fallen if scored else set())
    if third:
        assert state.phase is Phase.PLACE_CUE_FOR_BREAK
    elif len(left) <= 1:
        assert state.phase is Phase.RERACK
    else:
        in_hand = scratch or (before.phase is Phase.PLACE_CUE_HEAD and _stuck(before, events))
        assert state.phase is (Phase.PLACE_CUE_HEAD if in_hand else Phase.AWAIT_SHOT)
        assert set(state.balls) - {CUE} == left


def _stuck(before, events):
    """F6.11b: never out of the head area, and no ball hit that lies outside it."""
    hit = [event.b for event in events if isinstance(event, ev.BallBall)]
    return all(before.balls[ball].x < before.description.frame.head_string for ball in hit)
