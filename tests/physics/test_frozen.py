"""Balls frozen to rails and to the cue ball: within the tolerance, as the rules declare them."""

import math
import random

import pytest

from physics.outcome import TimedImpulse, World
from physics.table import TABLES
from shared_rules.events import BallBall, CueStrike, LeavesRail, PlaysAway, RailContact
from shared_rules.frozen import frozen_balls
from shared_rules.table import Position, TableFrame
from tests.physics.shots import REACH, R, of, on_bed, rolling, shoot

WALL = -0.635 + REACH  # where a ball touches the right rail


def strike(vx, vy=0.0, ball=0):
    event = CueStrike(at=0.0, ball=ball)
    return TimedImpulse(ball, 0.0, (vx, vy, 0.0), (0.0, 0.0, 0.0), (event,))


@pytest.mark.parametrize("gap", [0.0, 5e-5, 1e-4])
def test_a_contact_with_the_rail_that_a_ball_is_frozen_to(gap):
    outcome = shoot(on_bed(0, 0.3, WALL + gap, 0.0, -2.0))
    contacts, left = of(outcome, RailContact), of(outcome, LeavesRail)
    assert [r.event.still_frozen for r in contacts[:2]] == [True, False]
    assert left[0].event.rail == "right"
    assert left[0].before[0].pos[1] == pytest.approx(WALL + 5e-4, abs=1e-9)
    assert contacts[0].event.at < left[0].event.at < contacts[1].event.at


def test_a_ball_beyond_the_tolerance_is_not_frozen():
    outcome = shoot(on_bed(0, 0.3, WALL + 1.1e-4, 0.0, -2.0))
    assert not of(outcome, LeavesRail) and not of(outcome, RailContact)[0].event.still_frozen
    narrow = shoot(on_bed(0, 0.3, WALL + 5e-5, 0.0, -2.0), frozen_tolerance=0.0)
    assert not of(narrow, LeavesRail) and not of(narrow, RailContact)[0].event.still_frozen


def test_leaving_is_as_far_as_it_is_said_to_be():
    for distance in (2e-4, 3e-3):
        outcome = shoot(on_bed(0, 0.3, WALL, 0.0, 1.0), leaves_rail=distance)
        at = of(outcome, LeavesRail)[0].before[0].pos[1]
        assert at == pytest.approx(WALL + distance, abs=1e-9)
    # Never nearer than what counts as touching.
    wide = shoot(on_bed(0, 0.3, WALL, 0.0, 1.0), leaves_rail=0.0, frozen_tolerance=1e-3)
    assert of(wide, LeavesRail)[0].before[0].pos[1] == pytest.approx(WALL + 1e-3, abs=1e-8)


def test_a_ball_that_stays_within_the_distance_never_leaves():
    along = shoot(rolling(0, 0.3, WALL + 5e-5, -0.2))
    assert not of(along, RailContact) and not of(along, LeavesRail)


@pytest.mark.parametrize("name", ["9ft", "7ft", "uk7ft"])
def test_the_rules_declare_the_same_balls_frozen(name):
    spec = TABLES[name]
    frame = TableFrame(
        preset=name, length=spec.length, width=spec.width, ball_radius=spec.ball.radius,
        cue_ball_radius=spec.cue_ball.radius, nose_height=spec.nose_height,
    )  # fmt: skip
    draw, found = random.Random(name), 0
    for _ in range(60):
        rail = draw.choice(["head", "foot", "left", "right"])
        ball = draw.choice([0, 5])
        reach, gap = frame.cushion_reach(ball), draw.uniform(-1e-9, 2.2e-4)
        half = 0.5 * (spec.length if rail in ("head", "foot") else spec.width)
        far = (half - reach - gap) * (-1.0 if rail in ("head", "right") else 1.0)
        other = draw.uniform(-0.3, 0.3)
        x, y = (far, other) if rail in ("head", "foot") else (other, far)
        declared = frozen_balls({ball: Position(x, y)}, frame, 0.1).to_rail
        # Slowly off every rail: a ball that was frozen leaves the one that it was frozen to.
        state = on_bed(ball, x, y, -0.5 * math.copysign(1, x), -0.5 * math.copysign(1, y))
        state = type(state)(ball, (x, y, World(spec).spec(ball).radius), state.vel)
        outcome = shoot(state, world=World(spec))
        left = {(r.event.ball, r.event.rail) for r in of(outcome, LeavesRail)}
        assert left == set(declared), (rail, gap)
        found += len(declared)
    assert 15 < found < 45


@pytest.mark.parametrize("gap", [0.0, 5e-5, 1e-4])
def test_a_pair_nearly_touching_is_frozen_and_played_into_or_away_from(gap):
    balls = on_bed(0, 0, 0), on_bed(1, 2 * R + gap, 0)
    into = shoot(*balls, impulses=[strike(1.0, 0.1)])
    assert of(into, BallBall)[0].event.frozen_start and not of(into, PlaysAway)
    away = shoot(*balls, impulses=[strike(-1.0, 0.1)])
    assert of(away, PlaysAway)[0].event.b == 1 and not of(away, BallBall)


def test_a_stroke_that_slips_past_a_nearly_touching_ball_is_played_away_from_it():
    # At 0.05 mm the cue ball misses when it is played more than 87.6 degrees off the line.
    balls = on_bed(0, 0, 0), on_bed(1, 2 * R + 5e-5, 0)
    for degrees, meets in ((87.0, True), (88.5, False)):
        a = math.radians(degrees)
        outcome = shoot(*balls, impulses=[strike(math.cos(a), math.sin(a))])
        assert bool(of(outcome, BallBall)) == meets
        assert bool(of(outcome, PlaysAway)) != meets


def test_pairs_beyond_the_tolerance_touch_nothing():
    outcome = shoot(on_bed(0, 0, 0), on_bed(1, 2 * R + 1.1e-4, 0), impulses=[strike(1.0)])
    assert not of(outcome, BallBall)[0].event.frozen_start
