"""The bot: what it sees, what it answers in every phase, and that its races come to an end."""

import math
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import msgspec
import pytest

from client.bot.brain import Brain, has_to_act
from client.bot.cue_ball import area_end, is_free, places_for
from client.bot.goal import goal_of
from client.bot.imagine import Imagination, Manner
from client.bot.levels import LEVELS
from client.bot.strokes import HELD_BACK, JACKED_UP, Planned, Strokes
from physics.pots import angle_between, clear, mouths, pots_on
from physics.table import TABLES
from server.shots import check_follow_through
from shared_rules import commands as c
from shared_rules.commands import Actor
from shared_rules.events import CueRecontact
from shared_rules.placement import check_placement
from shared_rules.refusal import Refusal
from shared_rules.ruleset import make_ruleset
from shared_rules.state import LagState, Option, Phase, Stroke
from shared_rules.table import Position
from tests.client.builders import state
from tests.client.local_table import LocalTable

NINE_FOOT = TABLES["9ft"]


@pytest.fixture(scope="module")
def brain():
    return Brain(LEVELS[5], seed=3)


def test_a_straight_pot_is_seen_and_a_blocked_one_is_not():
    balls = {0: Position(0.0, 0.0), 1: Position(0.6, 0.3)}
    pots = pots_on(balls, 1, NINE_FOOT)
    assert pots[0].pocket == "foot_left" and pots[0].cut_deg < 5.0
    assert pots == sorted(pots, key=lambda p: -p.slack_deg)
    between = {**balls, 5: Position(0.9, 0.45)}
    assert "foot_left" not in {p.pocket for p in pots_on(between, 1, NINE_FOOT)}


def test_no_pots_on_a_table_without_pockets():
    bare = TABLES["unbounded"]
    assert mouths(bare) == ()
    assert pots_on({0: Position(0, 0), 1: Position(0.3, 0)}, 1, bare) == []


def test_clear_looks_at_the_whole_way_and_not_behind():
    a, b = Position(0.0, 0.0), Position(1.0, 0.0)
    assert not clear(a, b, [Position(0.5, 0.05)], 0.057)
    assert clear(a, b, [Position(0.5, 0.06)], 0.057)
    assert clear(a, b, [Position(-0.2, 0.0)], 0.057)


def test_angles_differ_by_the_short_way():
    assert angle_between(170.0, -170.0) == pytest.approx(-20.0)
    assert angle_between(-170.0, 170.0) == pytest.approx(20.0)


def test_the_strongest_pots_what_is_on(brain):
    balls = {0: Position(-0.2, -0.1), 1: Position(0.5, 0.25), 9: Position(-0.8, 0.4)}
    planned = brain.strokes.best(balls, goal_of(state(balls=balls), 0))
    seen = brain.strokes.imagination.try_stroke(
        balls, planned.speed, planned.heading_deg, planned.tip
    )
    assert goal_of(state(balls=balls), 0).judge(seen, None).fouls == ()
    assert 1 in seen.pocketed


NEAR = 2 * 0.028575


@pytest.mark.parametrize("gap", [0.0, 0.0005, 0.005])
def test_a_stroke_into_a_near_ball_is_judged_as_the_server_would(brain, gap):
    balls = {0: Position(0.0, 0.0), 1: Position(NEAR + gap, 0.0), 9: Position(-0.8, 0.4)}
    table = LocalTable()
    table.state = state(balls=balls)
    stroke = Stroke(speed=2.5, heading_deg=10.0, elevation_deg=2.0)
    table.order(Actor.SEAT_0, c.Strike(stroke=stroke))
    seen = brain.strokes.imagination.try_stroke(balls, 2.5, 10.0, manner=Manner(2.0))
    assert seen.events == table.result.events
    goal = goal_of(state(balls=balls), 0)
    table.pump(table.result.duration + 1.0)
    assert goal.judge(seen, None).fouls == table.state.last_ruling.fouls
    assert "5g" in {foul.code for foul in goal.judge(seen, None).fouls}


def test_a_ball_touched_only_where_the_cue_ball_might_be_put_is_seen_as_touching(brain):
    # In hand: the situation knows no cue ball, the imagined stroke does.
    placing = state(Phase.PLACE_CUE_ANYWHERE, balls={1: Position(0.3, 0.0), 9: Position(-0.8, 0.4)},
                    cue_in_hand="anywhere", cue_placed=False)  # fmt: skip
    goal = goal_of(placing, 0)
    balls = {**placing.balls, 0: Position(0.3 - NEAR, 0.0)}
    seen = brain.strokes.imagination.try_stroke(balls, 2.5, 0.0)
    assert "5g" in {foul.code for foul in goal.judge(seen, None).fouls}


@pytest.mark.parametrize("gap", [0.0, 0.002, 0.01])
@pytest.mark.parametrize("bearing", [20.0, 140.0])
def test_a_near_ball_is_played_fairly(brain, gap, bearing):
    a = math.radians(bearing)
    at = Position(0.2, 0.1)
    there = Position(0.2 + (NEAR + gap) * math.cos(a), 0.1 + (NEAR + gap) * math.sin(a))
    balls = {0: at, 1: there, 9: Position(-0.8, -0.4)}
    goal = goal_of(state(balls=balls), 0)
    planned = brain.strokes.best(balls, goal)
    seen = brain.strokes.imagination.try_stroke(
        balls, planned.speed, planned.heading_deg, planned.tip, manner=planned.manner
    )
    assert goal.judge(seen, None).fouls == ()


def test_a_butt_that_is_meant_to_be_up_is_up_in_the_stroke(brain):
    meant = Planned(2.0, 0.0, (0.0, 0.0), 1.0, 1.0, manner=JACKED_UP)
    assert brain._strike(state(), meant).stroke.elevation_deg == JACKED_UP.raised_deg


def test_a_cue_held_back_does_not_meet_the_cue_ball_again(brain):
    # The cue ball draws back off a ball 20 mm before it.
    balls = {0: Position(0.0, 0.0), 1: Position(0.07715, 0.0)}
    tried = {
        manner: brain.strokes.imagination.try_stroke(balls, 1.4, 0.0, (0.0, -0.3), manner=manner)
        for manner in (Manner(), HELD_BACK)
    }
    again = {m: any(isinstance(e, CueRecontact) for e in t.events) for m, t in tried.items()}
    assert again == {Manner(): True, HELD_BACK: False}


def test_what_is_held_back_in_a_stroke_is_what_the_server_allows(brain):
    asked = state()
    for speed in (0.5, 2.0, 9.0):
        meant = Planned(speed, 0.0, (0.0, 0.0), 1.0, 1.0, manner=HELD_BACK)
        stroke = brain._strike(asked, meant).stroke
        assert 0.001 < stroke.follow_through < 0.1
        check_follow_through(asked, stroke)
        with pytest.raises(Refusal, match="no arm"):
            check_follow_through(asked, msgspec.structs.replace(stroke, follow_through=0.0))
    plain = Planned(2.0, 0.0, (0.0, 0.0), 1.0, 1.0)
    assert brain._strike(asked, plain).stroke.follow_through is None


def test_a_snookered_ball_is_kicked_at(brain):
    balls = {
        0: Position(-1.0, 0.0), 1: Position(0.9, 0.0), 2: Position(-0.85, 0.0),
        3: Position(-0.86, 0.062), 4: Position(-0.86, -0.062),
    }  # fmt: skip
    planned = brain.strokes.best(balls, goal_of(state(balls=balls), 0))
    seen = brain.strokes.imagination.try_stroke(balls, planned.speed, planned.heading_deg)
    assert goal_of(state(balls=balls), 0).judge(seen, None).fouls == ()


@pytest.mark.parametrize("seat", [0, 1])
def test_the_lag_comes_back_to_the_head_cushion(brain, seat):
    balls = (Position(-0.7, 0.3), Position(-0.7, -0.3))
    lagging = state(Phase.LAG, balls={}, lag=LagState(balls=balls))
    assert has_to_act(lagging, seat)
    stroke = brain.decide(lagging, seat).stroke
    ball = 16 + seat
    seen = brain.strokes.imagination.try_stroke(
        {ball: balls[seat]}, stroke.speed, stroke.heading_deg, ball=ball
    )
    assert seen.balls[ball].x + 1.27 - 0.028575 < 0.25


def test_nothing_is_answered_when_nothing_is_asked(brain):
    struck = LagState(balls=(Position(-0.7, 0.3), Position(-0.7, -0.3)), struck=(True, False))
    assert brain.decide(state(Phase.LAG, lag=struck), 0) is None
    assert brain.decide(state(Phase.SHOT_RUNNING), 0) is None
    assert brain.decide(state(shooter=1), 0) is None
    assert brain.decide(state(Phase.PLACE_CUE_FOR_BREAK, racked=False), 0) is None
    assert brain.decide(state(Phase.TIME_OUT), 0) is None


@pytest.mark.parametrize(
    ("phase", "options"),
    [
        (Phase.LAG_CHOICE, (Option.BREAK, Option.GIVE_BREAK)),
        (Phase.DECIDE_AFTER_PUSH_OUT, (Option.ACCEPT_TABLE, Option.PASS_BACK)),
        (
            Phase.DECIDE_AFTER_BREAK_FOUL,
            (Option.ACCEPT_TABLE, Option.RERACK_OFFENDER_BREAKS),
        ),
    ],
)
def test_a_choice_is_answered_and_another_one_after_a_refusal(brain, phase, options):
    asked = state(phase, decider=0, shooter=None, options=options)
    answers = {brain.decide(asked, 0, refused).option for refused in range(len(options))}
    assert answers == set(options)
    assert brain.decide(asked, 1) is None


def test_a_push_out_is_announced_when_nothing_is_on():
    brain = Brain(LEVELS[2], seed=1)
    hidden = {
        0: Position(-1.0, 0.0), 1: Position(1.15, 0.0), 2: Position(-0.9, 0.0),
        3: Position(-0.91, 0.06), 4: Position(-0.91, -0.06),
    }  # fmt: skip
    asked = state(balls=hidden, push_out_available=True)
    assert brain.decide(asked, 0) == c.DeclarePushOut(on=True)
    declared = state(balls=hidden, push_out_available=True, push_out_declared=True)
    assert isinstance(brain.decide(declared, 0), c.Strike)
    # What is meant is safe; a shaking hand may still scratch.
    for _ in range(4):
        meant = brain.strokes.push_out(hidden, goal_of(declared, 0))
        seen = brain.strokes.imagination.try_stroke(hidden, meant.speed, meant.heading_deg)
        assert not seen.scratch and not seen.pocketed


@pytest.mark.parametrize("hand", ["anywhere", "head"])
def test_ball_in_hand_is_put_where_the_rules_allow_and_played(hand):
    brain = Brain(LEVELS[4], seed=2)
    phase = Phase.PLACE_CUE_ANYWHERE if hand == "anywhere" else Phase.PLACE_CUE_HEAD
    balls = {2: Position(0.4, 0.2), 5: Position(0.8, -0.3), 9: Position(0.1, 0.45)}
    asked = state(phase, balls=balls, cue_in_hand=hand, cue_placed=False)
    for refused in range(3):
        placed = brain.decide(asked, 0, refused)
        check_placement(asked, 0, Position(placed.x, placed.y))
    lying = {**balls, 0: Position(placed.x, placed.y)}
    struck = brain.decide(state(phase, balls=lying, cue_in_hand=hand, cue_placed=True), 0)
    assert isinstance(struck, c.Strike)


def test_a_crowded_table_still_has_a_place():
    hand = random.Random(1)
    balls = {n: Position(-1.2 + 0.06 * n, 0.0) for n in range(1, 10)}
    asked = state(Phase.PLACE_CUE_HEAD, balls=balls, cue_in_hand="head", cue_placed=False)
    end = area_end(asked)
    places = places_for(asked, NINE_FOOT, hand, [1], end)
    assert places and all(is_free(p, balls, NINE_FOOT, end) for p in places)


def test_the_same_seed_decides_the_same_and_levels_err_by_their_measure():
    asked = state()
    assert Brain(LEVELS[3], 4).decide(asked, 0) == Brain(LEVELS[3], 4).decide(asked, 0)
    meant = Strokes(Imagination("9ft"), LEVELS[1], random.Random(0)).best(
        asked.balls, goal_of(asked, 0)
    )
    brain = Brain(LEVELS[1], 7)
    off = [
        angle_between(brain._strike(asked, meant).stroke.heading_deg, meant.heading_deg)
        for _ in range(300)
    ]
    sigma = math.sqrt(sum(x * x for x in off) / len(off))
    assert sigma == pytest.approx(LEVELS[1].aim_deg, rel=0.15)


def test_two_threads_may_try_strokes_at_once():
    balls, imagination = state().balls, Imagination("9ft")

    def tried(start: float):
        return [imagination.try_stroke(balls, 4.0, start + 7.0 * k) for k in range(25)]

    alone = [tried(0.0), tried(3.0)]
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # threads change places all the time
    try:
        with ThreadPoolExecutor(2) as threads:
            together = list(threads.map(tried, [0.0, 3.0]))
    finally:
        sys.setswitchinterval(usual)
    assert together == alone


# With fifteen balls there is more to think about: one game, and little thought.
QUICK = replace(LEVELS[5], thought=40)


@pytest.mark.parametrize(
    ("preset", "over", "level"),
    [
        ("nine_ball_epbf", {"match": {"games_to_win": 2}}, LEVELS[4]),
        ("nine_ball_wpa", {"match": {"games_to_win": 2}}, LEVELS[4]),
        ("eight_ball", {"match": {"games_to_win": 1}}, QUICK),
        ("straight_pool", {"target": 16}, QUICK),
    ],
)
def test_a_race_between_bots_comes_to_its_end(preset, over, level):
    rules = make_ruleset(preset, over)
    table = LocalTable(ruleset=rules)
    brains = [Brain(level, 1), Brain(level, 2)]
    table.start()
    now = 0.0
    for _ in range(2000):
        now += 0.5
        table.pump(now)
        if table.state.phase is Phase.MATCH_OVER:
            break
        if table.state.phase is Phase.SHOT_RUNNING:
            now += table.result.duration
            continue
        for seat in (0, 1):
            command = brains[seat].decide(table.state, seat)
            if command is not None:
                table.order(Actor.of(seat), command)
    assert table.state.phase is Phase.MATCH_OVER
    assert max(table.state.games) == rules.match.games_to_win
    if preset == "straight_pool":
        assert max(table.state.scores) >= rules.target and table.state.rack_number > 1
