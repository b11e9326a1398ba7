"""Balls that lie on balls: they roll off by gentle taps that make no energy, and come to an end."""

import math
from dataclasses import replace
from itertools import combinations

import pytest

from physics.material import MarlowFriction, Material
from physics.outcome import World
from physics.state import BallSpec, BallState, Motion
from tests.physics.fuzz import exact
from tests.physics.shots import R, on_bed, shoot
from tests.physics.solidity import most_gained
from tests.physics.test_flight import OPEN, of_pair

#: m: what a ball gives way under another one's weight; the limit of any overlap is 1e-4.
YIELDS = 5e-6


def leaning(ball, under, degrees, vel=(0.0, 0.0, 0.0), reach=2 * R):
    """A ball that lies on another, so far off the upright."""
    x, y, z = under.pos
    turn = math.radians(degrees)
    return BallState(ball, (x + reach * math.sin(turn), y, z + reach * math.cos(turn)), vel)


def settled(*states, world=OPEN, yields=YIELDS, gain=1e-9):
    """The outcome of a shot that ends, with all balls at rest, none too deep in another."""
    outcome = shoot(*states, world=world)
    assert not outcome.cut
    assert all(s.motion is Motion.REST for s in outcome.final.values())
    rows = {ball: exact.rows_of(outcome, ball) for ball in outcome.pieces}
    for a, b in combinations(rows, 2):
        reach = world.spec(a).radius + world.spec(b).radius
        assert exact.deepest_overlap(rows[a], rows[b], reach, 5.0)[0] < yields
    assert most_gained(world, outcome) < gain
    return outcome


@pytest.mark.parametrize("above", [0.0, 1e-9, 1e-6, 2e-5, 0.02])
def test_a_ball_put_straight_on_top_of_another_rolls_off(above):
    outcome = settled(on_bed(1, 0.0, 0.0), BallState(2, (0.0, 0.0, 3 * R + above)))
    assert math.dist(outcome.final[1].pos, outcome.final[2].pos) > 0.05
    assert len(outcome.events) < 2000
    assert 0.3 < of_pair(outcome)[-1].event.at < 1.0


@pytest.mark.parametrize("degrees", [5.0, 20.0, 35.0])
@pytest.mark.parametrize(("friction", "share"), [(0.0, 2 / 3), (5.0, 10 / 17)])
def test_it_leaves_a_heavy_one_as_mechanics_say(degrees, friction, share):
    # Sliding off a fixed sphere without friction it leaves at 2/3 of the first cosine, rolling at
    # 10/17, with v^2 = g 2R cos.
    smooth = MarlowFriction(friction, 0.0, 0.0)
    heavy = World(
        table=OPEN.table,
        material=replace(Material(), mu_ball=smooth, mu_roll=1.0),
        balls={1: BallSpec(mass=1e5)},
    )
    under = on_bed(1, 0.0, 0.0)
    outcome = settled(under, leaning(2, under, degrees), world=heavy, gain=1e-4)
    cosine = share * math.cos(math.radians(degrees))
    last = of_pair(outcome)[-1].after[2]
    speed = math.sqrt(9.81 * 2 * R * cosine)
    assert last.vel[0] == pytest.approx(cosine * speed, rel=0.003 if friction == 0.0 else 0.02)
    if friction > 0.0:
        assert R * last.spin[1] == pytest.approx(speed, rel=0.1)


def test_the_bed_bears_what_presses_on_the_lower_ball():
    # While the upper one stands there, the bed slows the sliding ball by twice its own weight.
    smooth = replace(Material(), mu_ball=MarlowFriction(0.0, 0.0, 0.0))
    under = on_bed(1, 0.0, 0.0, 1.0)
    outcome = shoot(
        under, leaning(2, under, 0.0, (1.0, 0.0, 0.0)), world=World(OPEN.table, smooth), until=0.02
    )
    lost = 1.0 - outcome.final[1].vel[0]
    assert lost == pytest.approx(2.0 * 0.2 * 9.81 * 0.02, rel=0.1)


@pytest.mark.parametrize("e_ball", [0.0, 0.95, 1.0])
@pytest.mark.parametrize("e_bed", [0.0, 0.5, 0.95])
def test_a_ball_between_three_pushes_them_apart(e_ball, e_bed):
    world = World(OPEN.table, replace(Material(), e_ball=e_ball, e_bed=e_bed))
    away = 2 * R / math.sqrt(3)
    turns = [2 * math.pi * k / 3 for k in range(3)]
    below = [on_bed(k, away * math.cos(turns[k]), away * math.sin(turns[k])) for k in range(3)]
    top = BallState(4, (0.0, 0.0, R + 2 * R * math.sqrt(2 / 3) + 1e-9))
    outcome = settled(*below, top, world=world, yields=5e-5)
    assert len(outcome.events) < 2000
    assert outcome.final[4].pos[2] == R


@pytest.mark.parametrize("mass", [0.02, 0.17, 2.0])
def test_a_heavy_ball_rolls_off_a_light_one_and_the_other_way_round(mass):
    under = on_bed(1, 0.0, 0.0)
    world = World(OPEN.table, balls={2: BallSpec(mass=mass)})
    settled(under, leaning(2, under, 1.0), world=world)


def test_a_pile_falls_over():
    pile = [BallState(k, (1e-4 * (k % 2), 0.0, (2 * k + 1) * R)) for k in range(3)]
    outcome = settled(*pile, yields=1e-4)
    assert len(outcome.events) < 8000
