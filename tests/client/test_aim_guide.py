"""Aim and guide: fine steps, and a line that tells what the same physics will do."""

import itertools
import math

import pytest

from client.play import aim as a
from client.play.aim import Aim
from client.play.guide import guide
from physics.outcome import World
from physics.simulation import simulate
from physics.state import BallState
from physics.strike import CueSpec, impulse_of
from physics.strike import Stroke as Blow
from physics.table import TABLES
from shared_rules.events import BallBall
from shared_rules.state import Stroke
from shared_rules.table import Position

SPEC = TABLES["9ft"]
BALLS = {0: Position(-0.6, 0.05), 1: Position(0.45, 0.12), 9: Position(0.9, -0.4)}


def test_steps_are_fine_enough():
    assert a.FINE_DEG_PER_PIXEL <= 0.02 and a.KEY_FINE_DEG <= 0.02


def test_headings_stay_within_a_turn():
    aim = Aim(heading_deg=179.0)
    aim.turn(2.0)
    assert aim.heading_deg == pytest.approx(-179.0)
    aim.point_at((0.0, 0.0), (0.0, -1.0))
    assert aim.heading_deg == pytest.approx(-90.0)
    aim.point_at((0.0, 0.0), (0.001, 0.0))  # too near to mean anything
    assert aim.heading_deg == pytest.approx(-90.0)


def test_power_is_a_range_that_is_finer_where_it_is_soft():
    aim = Aim()
    aim.set_share(-1)
    low = aim.speed
    aim.set_share(0.1)
    soft = aim.speed - low
    aim.set_share(0.9)
    hard = aim.speed
    aim.set_share(2.0)
    assert aim.speed == pytest.approx(a.MOST_SPEED) and aim.speed - hard > 10 * soft
    for speed in (0.15, 1.3, 7.5, 10.0):
        aim.speed = speed
        assert aim.speed == pytest.approx(speed)


def test_the_tip_stays_on_the_ball_and_the_miscue_limit_is_the_physics_one():
    aim = Aim()
    aim.set_tip(3.0, 4.0)
    assert math.hypot(*aim.tip) == pytest.approx(a.TIP_EDGE, abs=1e-3) and aim.miscue
    aim.set_tip(0.0, CueSpec().miscue_limit - 0.01)
    assert not aim.miscue
    assert isinstance(aim.stroke(), Stroke)


@pytest.mark.parametrize("english", [-0.4, -0.2, 0.0, 0.2, 0.4])
@pytest.mark.parametrize("speed", [0.8, 2.0, 6.0])
def test_the_line_ends_where_the_shot_meets_the_ball(english, speed):
    stroke = Stroke(speed=speed, heading_deg=4.0, tip=(english, 0.1))
    shown = guide(SPEC, BALLS, 0, stroke, "full")
    world = World(SPEC)
    states = [BallState(n, (p.x, p.y, world.spec(n).radius)) for n, p in BALLS.items()]
    impulse = impulse_of(Blow(speed, 4.0, 0.0, (english, 0.1)), CueSpec(), world.spec(0))
    outcome = simulate(world, states, (impulse,))
    hit = next((r for r in outcome.events if isinstance(r.event, BallBall)), None)
    assert hit is not None and shown.meets == hit.event.b
    assert math.dist(shown.ghost, hit.before[0].pos[:2]) < 1e-3
    after = hit.after[shown.meets].vel
    (way,) = [d.points for d in shown.departures if d.is_object]
    drawn = math.atan2(way[1][1] - way[0][1], way[1][0] - way[0][0])
    assert math.degrees(drawn - math.atan2(after[1], after[0])) == pytest.approx(0, abs=0.1)


@pytest.mark.parametrize("english", [-0.4, 0.0, 0.3])
@pytest.mark.parametrize("elevation", [0.0, 3.0, 15.0, 40.0])
@pytest.mark.parametrize("speed", [1.5, 5.0])
def test_br_037_the_line_is_true_with_english_and_an_elevated_cue(english, elevation, speed):
    stroke = Stroke(speed=speed, heading_deg=4.0, elevation_deg=elevation, tip=(english, 0.0))
    shown = guide(SPEC, BALLS, 0, stroke, "full")
    world = World(SPEC)
    states = [BallState(n, (p.x, p.y, world.spec(n).radius)) for n, p in BALLS.items()]
    impulse = impulse_of(Blow(speed, 4.0, elevation, (english, 0.0)), CueSpec(), world.spec(0))
    outcome = simulate(world, states, (impulse,))
    hit = next((r for r in outcome.events if isinstance(r.event, BallBall)), None)
    if hit is None or 0 not in hit.before or shown.meets is None:
        # Swerve or a hop takes it past everything, and the line says so.
        assert shown.meets is None
        return
    assert shown.meets in (hit.event.a, hit.event.b)
    assert math.dist(shown.ghost, hit.before[0].pos[:2]) <= 1e-3
    after = hit.after[shown.meets].vel
    (way,) = [d.points for d in shown.departures if d.is_object]
    drawn = math.degrees(math.atan2(way[1][1] - way[0][1], way[1][0] - way[0][0]))
    assert drawn - math.degrees(math.atan2(after[1], after[0])) == pytest.approx(0, abs=0.1)


def test_a_tiny_turn_moves_the_end_a_tiny_way_always_the_same_way():
    ends = [
        guide(SPEC, BALLS, 0, Stroke(speed=2.0, heading_deg=4.0 + 0.01 * k), "full").ghost
        for k in range(12)
    ]
    ys = [e[1] for e in ends]
    assert all(b > a for a, b in itertools.pairwise(ys))
    assert max(math.dist(p, q) for p, q in itertools.pairwise(ends)) < 1e-3


def test_without_a_ball_in_the_way_it_ends_at_the_cushion():
    shown = guide(SPEC, BALLS, 0, Stroke(speed=3.0, heading_deg=90.0), "first_contact")
    assert shown.ghost is None and shown.meets is None
    assert shown.points[-1][1] == pytest.approx(0.635 - 0.028575, abs=2e-3)


def test_none_means_none():
    stroke = Stroke(speed=3.0, heading_deg=0.0)
    assert guide(SPEC, BALLS, 0, stroke, "none").points == ()
    assert guide(SPEC, {1: Position(0, 0)}, 0, stroke, "full").points == ()
