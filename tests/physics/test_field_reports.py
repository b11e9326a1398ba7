"""What players of other pool games reported about their physics, each row with what must hold."""

import math
import os
import random

import pytest

from physics.case_input import read_case
from physics.outcome import World
from physics.record import record
from physics.simulation import simulate
from physics.state import Motion
from physics.table import TABLES
from physics.trajectory import Trajectory
from shared_rules.events import BallBall, OffTable, Pocketed
from tests.physics.fuzz.promises import broken
from tests.physics.posing import NOSE, R
from tests.physics.shots import of, on_bed, rolling, shoot
from tests.physics.test_simulation import random_shot

FOOT_SPOT = 0.635  # m from the middle
SOAK = os.environ.get("HEADSTRING_SOAK") == "1"
BREAKS = 2000 if SOAK else 40
RECORDS = 1000 if SOAK else 60


def posed(**case):
    """A case read and run, and that every promise of a run is kept."""
    read = read_case({"id": "report", **case})
    outcome = simulate(read.world, read.states, read.impulses, read.until)
    assert not list(broken(read, outcome))
    return read, outcome


def a_break(seed, speed, gap):
    """From anywhere behind the head string, not thinner than 50 degrees on the first ball."""
    draw = random.Random(seed)
    x, y = -0.7, draw.uniform(-0.4, 0.4)
    square = math.degrees(math.atan2(-y, FOOT_SPOT - x))
    strike = {"ball": "0", "speed": speed, "heading_deg": square + draw.uniform(-1.8, 1.8)}
    rack = {"discipline": "nine_ball", "seed": seed, "gap": gap, "cue_ball": [x, y]}
    read, outcome = posed(rack=rack, strike=strike)
    assert {of(outcome, BallBall)[0].event.a, of(outcome, BallBall)[0].event.b} == {0, 1}
    return read, outcome


@pytest.mark.parametrize("height", [0.07, 0.1, 0.3])
def test_br_031_balls_left_after_one_is_off_the_table_lie_on_the_bed(height):
    balls = {
        "0": {"pos": [0.9, 0.0, height], "vel": [6.0, 0.3, 1.0]},
        "1": {"pos": [0.2, 0.3], "vel": [-3.0, 1.0, 0.0]}, "2": {"pos": [-0.9, -0.4]},
    }  # fmt: skip
    _, outcome = posed(balls=balls)
    assert [r.event.ball for r in of(outcome, OffTable)] == [0]
    left = {b: s for b, s in outcome.final.items() if s.motion is Motion.REST}
    assert set(left) >= {2}
    for state in left.values():
        assert abs(state.pos[0]) <= 1.27 + R and abs(state.pos[1]) <= 0.635 + R
        assert state.pos[2] == pytest.approx(R, abs=1e-3)


@pytest.mark.parametrize("gap", [0.0, 1e-4])
def test_br_034_breaks_at_full_speed_go_through_nothing(gap):
    # Overlaps, whatever comes from nothing and more: in `posed`, far tighter than 0.5 mm.
    for seed in range(BREAKS // 2):
        _, outcome = a_break(seed, 20.0, gap)
        assert not outcome.cut


def test_br_034_a_ball_that_hangs_in_the_jaws_is_not_scored():
    corner = TABLES["9ft"].corner_mouth
    near = 0.5 * corner / math.sqrt(2.0)
    lies = {"3": {"pos": [1.27 - near - 0.005, 0.635 - near - 0.005]}}
    _, outcome = posed(balls=lies)
    assert outcome.final[3].motion is Motion.REST and not of(outcome, Pocketed)
    # And one that is scored has fallen first.
    _, outcome = posed(balls={"3": {"pos": [0.9, 0.27], "vel": [1.2, 1.2, 0.0]}})
    (fallen,) = of(outcome, Pocketed)
    assert fallen.before[3].pos[2] <= R - TABLES["9ft"].pocket_depth
    assert outcome.final[3].motion is Motion.POCKETED


@pytest.mark.parametrize("speed", [3.262, 1.0, 10.0])
def test_br_035_no_contact_is_missed_in_tight_racks(speed):
    # Heading 81.83 degrees into balls that hardly touch, and tight racks from anywhere.
    c, s = math.cos(math.radians(81.83)), math.sin(math.radians(81.83))
    for gap in (0.0, 1e-9, 1e-7, 1e-5):
        balls = {"0": {"pos": [0.0, -0.4], "vel": [speed * c, speed * s, 0.0]}}
        span, high = 2 * R + gap, math.sqrt(3.0) / 2.0
        for k, (i, j) in enumerate([(0, 0), (1, 0), (0, 1), (1, 1), (-1, 1), (2, 0)], start=1):
            balls[str(k)] = {"pos": [span * (i + 0.5 * j), 0.1 + span * high * j]}
        _, outcome = posed(balls=balls)
        assert of(outcome, BallBall)
    for seed in range(5):
        a_break(100 + seed, 0.8 * speed, 1e-6)


@pytest.mark.parametrize("corner", [(sx, sy) for sx in (-1, 1) for sy in (-1, 1)])
@pytest.mark.parametrize("speed", [0.5, 3.0, 30.0])
def test_br_036_corners_of_a_table_without_pockets_keep_every_ball(corner, speed):
    table = {"preset": "9ft", "pockets": "none"}
    sx, sy = corner
    v = speed / math.sqrt(2.0)
    near = 1e-6
    for far_x, far_y in ((near, near), (0.3, 0.3), (0.3, 0.0), (0.0, 0.3)):  # the last two: frozen
        x, y = sx * (1.27 - NOSE - far_x), sy * (0.635 - NOSE - far_y)
        for vx, vy in ((sx * v, sy * v), (sx * speed, 0.0), (0.0, sy * speed)):
            _, outcome = posed(table=table, balls={"0": {"pos": [x, y], "vel": [vx, vy, 0.0]}})
            state = outcome.final[0]
            assert state.motion is Motion.REST
            assert abs(state.pos[0]) <= 1.27 - NOSE + 1e-6
            assert abs(state.pos[1]) <= 0.635 - NOSE + 1e-6


def test_br_038_a_record_read_back_ends_where_the_shot_ended():
    draw, world = random.Random(38), World(TABLES["9ft"])
    for _ in range(RECORDS):
        outcome = simulate(world, random_shot(draw, TABLES["9ft"]))
        blob = record(world, outcome).encode()
        played = Trajectory.decode(blob)
        assert Trajectory.decode(blob).encode() == blob == played.encode()
        for ball, state in played.states_at(outcome.duration + 1.0).items():
            end = outcome.final[ball]
            assert state.motion == end.motion
            assert math.dist(state.pos, end.pos) <= 1e-6


def test_br_049_what_is_played_comes_from_the_record_alone(monkeypatch):
    states = [on_bed(0, -0.6, 0.1, 3.0, 0.4), on_bed(1, 0.4, 0.22), rolling(2, 0.0, -0.3, 0.5)]
    outcome = shoot(*states)
    blob = record(World(), outcome).encode()
    want = Trajectory.decode(blob).states_at(outcome.duration)

    def off(function):
        return lambda x: function(x) * (1.0 + 1e-9)

    # A machine whose sine and cosine are off by a little.
    monkeypatch.setattr(math, "sin", off(math.sin))
    monkeypatch.setattr(math, "cos", off(math.cos))
    assert Trajectory.decode(blob).states_at(outcome.duration) == want
