"""Balls on the rails: landing, rolling, tipping over the edges, into pockets and to the floor."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from physics.geometry import build_geometry
from physics.layout import CUSHION_DEPTH, FACE, HOLE_LINER, TOP_A, TOP_KIND, TOP_N
from physics.outcome import World
from physics.record import record
from physics.state import BallState, Motion
from physics.table import TABLES
from physics.trajectory import Trajectory
from shared_rules.events import BedBounce, OffTable, Pocketed, RailContact, RailTop
from tests.physics.shots import R, largest_jump, of, on_bed, position, shoot
from tests.physics.solidity import deepest_pair, intrusions, most_gained

TABLE = TABLES["9ft"]
TOP = TABLE.rail_top
EDGE = 0.5 * TABLE.width + TABLE.rail_width  # outer edge of a long rail
SLOPE = math.atan((TOP - TABLE.nose_height) / CUSHION_DEPTH)
RINGS = ("9ft", "8ft", "7ft", "uk7ft")


def above(ball, x, y, z, *vel):
    """A ball in the air."""
    return BallState(ball, (x, y, z), tuple(vel) or (0.0, 0.0, 0.0))


def lying(ball, x, y, vx=0.0, vy=0.0):
    """A ball that rolls on the wood."""
    return BallState(ball, (x, y, TOP + R), (vx, vy, 0.0), (-vy / R, vx / R, 0.0))


def kept(*states, world=None, gain=2e-7):
    """The outcome of a shot in which nothing passes through anything or gains energy."""
    world = world or World()
    outcome = shoot(*states, world=world)
    assert not outcome.cut
    assert intrusions(world, outcome) == []
    assert deepest_pair(world, outcome) < 1e-4
    assert most_gained(world, outcome) < gain
    assert largest_jump(outcome) < 1e-9
    return outcome


@pytest.mark.parametrize("name", RINGS)
@pytest.mark.parametrize("pockets", ["open", "none"])
def test_the_frame_is_covered_once_and_the_bed_is_not(name, pockets):
    table = replace(TABLES[name], pockets=pockets)
    geometry = build_geometry(table)
    rows = geometry.tops
    level = rows[(rows[:, TOP_KIND] == FACE) & (rows[:, TOP_N + 2] > 0.5)]
    corners = level[:, TOP_A : TOP_A + 9].reshape(-1, 3, 3)[:, :, :2]
    edge, turned = np.roll(corners, -1, axis=1) - corners, corners
    draw = random.Random(1)
    half = (0.5 * table.length, 0.5 * table.width)
    for _ in range(3000):
        at = [draw.uniform(-h - table.rail_width, h + table.rail_width) for h in half]
        side = edge[..., 0] * (at[1] - turned[..., 1]) - edge[..., 1] * (at[0] - turned[..., 0])
        there = int(((side.min(axis=1) > 0.0) | (side.max(axis=1) < 0.0)).sum())
        past = [abs(at[k]) - half[k] for k in range(2)]
        near = min((math.hypot(at[0] - h[0], at[1] - h[1]) - h[HOLE_LINER]
                    for h in geometry.holes), default=1.0)  # fmt: skip
        if max(past) < 0.0:
            assert there == 0
        elif near > 0.001 and max(past) > CUSHION_DEPTH:
            assert there >= 1


def test_a_ball_on_a_cushion_rolls_back_onto_the_bed():
    outcome = kept(above(0, 0.3, 0.66, 0.12))
    assert of(outcome, RailTop)[0].event.rail == "left"
    assert of(outcome, BedBounce) and not of(outcome, OffTable)
    assert outcome.final[0].motion is Motion.REST and outcome.final[0].pos[1] < 0.635


def test_a_ball_rolls_down_the_slope_at_five_sevenths_of_gravity():
    start = 0.5 * TABLE.width + 0.045
    height = TABLE.nose_height + 0.045 * math.tan(SLOPE) + R / math.cos(SLOPE)
    outcome = kept(above(0, 0.3, start, height))
    rolls = [p for p in outcome.pieces[0] if p.motion is Motion.ROLL]
    drag = 0.01 * 9.81 * math.cos(SLOPE)
    pull = 5 / 7 * 9.81 * math.sin(SLOPE) - drag
    assert len(rolls) > 3
    for piece in rolls[1:3]:
        assert math.hypot(*piece.acc) == pytest.approx(pull, rel=1e-3)


def test_a_ball_that_rolls_slowly_on_the_wood_stays_there_and_is_off():
    outcome = kept(lying(0, 0.2, 0.72, 0.2))
    (off,) = of(outcome, OffTable)
    # v^2 / (2 mu g), mu three tenths of the cloth's.
    assert outcome.final[0].pos[0] == pytest.approx(0.2 + 0.04 / (2 * 0.003 * 9.81), abs=2e-3)
    assert outcome.final[0].pos[2] == pytest.approx(TOP + R, abs=1e-9)
    assert off.event.at == outcome.duration


def test_a_ball_rolls_off_the_outer_edge_to_the_floor():
    outcome = kept(lying(0, 0.3, 0.70, 0.0, 0.3))
    (off,) = of(outcome, OffTable)
    assert outcome.final[0].pos[1] > EDGE
    assert outcome.final[0].pos[2] == pytest.approx(R - TABLE.bed_height, abs=1e-9)
    assert position(outcome.pieces[0], off.event.at - 0.01)[2] > R - TABLE.bed_height
    assert not of(outcome, BedBounce)


def test_tipping_over_the_outer_edge_is_as_over_an_edge_in_closed_form():
    # At rest on the edge, pushed by hardly anything: it leaves where g cos a = R w^2 with
    # w^2 = 10/7 g (1 - cos a) / R, so cos a = 10/17; slipping sets in shortly before.
    outcome = kept(lying(0, 0.3, EDGE - 0.02, 0.0, 0.1))
    pieces = outcome.pieces[0]
    last = next(k for k, p in enumerate(pieces) if k and p.motion is Motion.AIR)
    tilt = math.degrees(math.acos((pieces[last].pos[2] - TOP) / R))
    assert tilt == pytest.approx(math.degrees(math.acos(10 / 17)), abs=4.0)
    assert math.dist(pieces[last].pos[1:], (EDGE, TOP)) == pytest.approx(R, abs=1e-6)


@pytest.mark.parametrize(
    ("state", "pocket"),
    [
        (lying(0, 0.9, 0.69, 0.5), "foot_left"),
        (lying(0, -0.9, -0.69, -0.5), "head_right"),
        (lying(0, 0.3, 0.70, -0.5), "side_left"),
    ],
)
def test_a_ball_rolls_along_a_rail_into_a_pocket(state, pocket):
    outcome = kept(state)
    assert outcome.pockets == {0: pocket} and of(outcome, Pocketed)


def test_a_ball_driven_at_the_nose_from_above_hops_over_or_back():
    far = kept(on_bed(0, 0.3, 0.5, 1.0, 3.0))
    assert of(far, RailContact)
    lob = kept(BallState(0, (0.3, 0.2, R), (0.0, 2.0, 1.6)))
    assert of(lob, RailTop) or of(lob, RailContact)


def test_what_is_told_at_the_floor_is_told_once_and_late():
    outcome = kept(BallState(0, (0.9, 0.0, R), (5.0, 0.0, 2.0)))
    (off,) = of(outcome, OffTable)
    x, z = outcome.final[0].pos[0], outcome.final[0].pos[2]
    assert x > 0.5 * TABLE.length + TABLE.rail_width
    assert z == pytest.approx(R - TABLE.bed_height, abs=1e-9) and off.event.at > 0.4


def test_a_perched_ball_is_hit_off_the_rail():
    outcome = kept(lying(1, 0.5, 0.74), lying(0, 0.2, 0.735, 1.5))
    assert of(outcome, OffTable, 1)


def test_a_rail_ball_survives_the_trajectory_format():
    outcome = kept(above(0, 0.3, 0.68, 0.12), lying(1, -0.4, 0.70, 0.3, -0.2))
    world = World()
    told = Trajectory.decode(record(world, outcome).encode())
    for ball in (0, 1):
        for k in range(60):
            at = outcome.duration * k / 60
            want = position(outcome.pieces[ball], at)
            got = told.state_at(ball, at).pos
            assert math.dist(got, want) < 1e-5


MIRRORS = ((1, 1), (-1, 1), (1, -1), (-1, -1))


@pytest.mark.parametrize("start", [(0.9, 0.70, 0.7, 0.1), (0.3, 0.68, 0.3, -0.5)])
def test_the_four_quarters_of_the_table_are_alike(start):
    x, y, vx, vy = start
    ends = []
    for mx, my in MIRRORS:
        final = kept(lying(0, mx * x, my * y, mx * vx, my * vy)).final[0].pos
        ends.append((mx * final[0], my * final[1], final[2]))
    for end in ends[1:]:
        assert end == pytest.approx(ends[0], abs=1e-6)


def test_the_order_of_the_balls_is_nothing():
    states = [lying(1, 0.0, 0.72), lying(0, -0.3, 0.725, 1.0), above(2, 0.1, 0.66, 0.12)]
    assert repr(shoot(*states)) == repr(shoot(*reversed(states)))


def flights(draw, world):
    """Up to four balls, some of them flying, some over the rails."""
    half = (0.5 * world.table.length, 0.5 * world.table.width)
    states = []
    for ball in range(draw.randint(1, 4)):
        radius, kind = world.spec(ball).radius, draw.random()
        out = 0.12 if kind > 0.8 else (0.08 if kind > 0.5 else -0.03)
        z = radius if kind < 0.5 else draw.uniform(0.09, 0.3)
        at = tuple(draw.uniform(-h - out, h + out) for h in half)
        if all(math.dist((*at, z), s.pos) > 2.1 * radius for s in states):
            vel = [draw.gauss(0.0, draw.choice([0.0, 1.0, 3.0])) for _ in range(2)]
            spin = tuple(draw.gauss(0.0, draw.choice([0.0, 50.0])) for _ in range(3))
            vel.append(draw.uniform(-1.0, 2.0) * draw.choice([0, 1]))
            states.append(BallState(ball, (*at, z), tuple(vel), spin))
    return states


@pytest.mark.parametrize("name", ["9ft", "uk7ft"])
def test_random_flights_pass_through_nothing_and_gain_nothing(name):
    draw, world = random.Random(7), World(TABLES[name])
    for _ in range(25):
        kept(*flights(draw, world), world=world)


def test_a_ball_that_tips_over_the_outer_edge_at_its_corner_goes_on_beyond_it():
    # 0.2 mm before the edge ends, at 0.7 m/s: less than a step of the integration is left.
    table = TABLES["uk7ft"]
    radius = table.ball.radius
    x, y = (0.5 * size + table.rail_width for size in (table.length, table.width))
    pos = (x - 2e-4, -y - 0.6 * radius, table.rail_top + 0.8 * radius)
    outcome = kept(BallState(1, pos, (0.7, -0.24, -0.18)), world=World(table=table))
    assert len(outcome.events) < 100
    assert outcome.final[1].motion is Motion.OFF_TABLE


def test_a_ball_that_falls_past_a_rim_meets_it_with_its_upper_half():
    # It comes into the side pocket at 8 m/s, hops off its edge, and goes round on the rim.
    world = World(table=TABLES["uk7ft"])
    pos = (-0.453029702473574, -0.43254324781700487, 0.0254)
    vel = (9.941659608543993, 8.376359843502717, 0.0)
    outcome = shoot(
        BallState(1, pos, vel, (2704.231737543347, 2854.6593532235715, 710.2095767454564)),
        world=world,
    )
    assert len(of(outcome, RailTop)) >= 3
    assert outcome.pockets[1] == "side_right"
