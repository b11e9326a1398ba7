"""Balls frozen to rails and to the cue ball: within the tolerance, as the rules declare them."""

import math
import random

import pytest

from physics.geometry import build_geometry
from physics.layout import (
    EDGE_CUSHION,
    EDGE_LEN,
    EDGE_TX,
    EDGE_TY,
    HOLE_RADIUS,
    HOLE_X,
    HOLE_Y,
)
from physics.outcome import TimedImpulse, World
from physics.state import BallState
from physics.table import TABLES
from server.shots import frame_of
from shared_rules.cushions import Arc, Line, rails_of
from shared_rules.events import (
    RAILS,
    BallBall,
    CueStrike,
    Jaw,
    LeavesRail,
    PlaysAway,
    RailContact,
)
from shared_rules.frozen import frozen_balls
from shared_rules.table import Position
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


def beside(part, frame, ball, draw, gap):
    """A place at that gap from a point drawn on a part of a rail, on the side of the bed."""
    if isinstance(part, Arc):
        angle, far = draw.uniform(0.0, part.turn), part.radius + frame.cushion_reach(ball) + gap
        side, up = far * math.sin(angle), far * math.cos(angle)
        return Position(
            part.centre.x + side * part.along.x - up * part.out.x,
            part.centre.y + side * part.along.y - up * part.out.y,
        )
    (ax, ay), (bx, by) = part.a, part.b
    t, size, far = draw.random(), math.hypot(bx - ax, by - ay), frame.cushion_reach(ball) + gap
    x, y = ax + t * (bx - ax), ay + t * (by - ay)
    # Into the bed, or the mouth: the way that comes nearer to the middle of the table or pocket.
    ways = [(x + sign * (by - ay) / size * far, y + sign * (ax - bx) / size * far)
            for sign in (1.0, -1.0)]  # fmt: skip
    facing = by != ay and bx != ax
    middle = min(holes(frame), key=lambda h: math.dist(h[:2], part.b))[:2] if facing else (0, 0)
    return Position(*min(ways, key=lambda way: math.dist(way, middle)))


def holes(table):
    """Middle and radius of the slate cuts of a table, by its name or frame."""
    rows = build_geometry(TABLES[getattr(table, "preset", table)]).holes
    return rows[:, [HOLE_X, HOLE_Y, HOLE_RADIUS]].tolist()


@pytest.mark.parametrize("name", ["9ft", "7ft", "tight", "uk7ft"])
def test_the_rules_declare_the_same_balls_frozen(name):
    """At noses, facings and rounded jaws: a ball that was frozen leaves the rail it was at."""
    frame, spec = frame_of(name), TABLES[name]
    draw, found = random.Random(name), {True: 0, False: 0}
    for _ in range(120):
        rail, ball = draw.choice(RAILS), draw.choice([0, 5])
        part = draw.choice(rails_of(frame)[rail])
        at = beside(part, frame, ball, draw, draw.uniform(-1e-9, 2.2e-4))
        declared = frozen_balls({ball: at}, frame, 0.1).to_rail
        radius = World(spec).spec(ball).radius
        if any(math.hypot(at.x - h[0], at.y - h[1]) < h[2] for h in holes(name)):
            continue  # it can't lie there
        out = -0.5 * at.x, -0.5 * at.y
        outcome = shoot(BallState(ball, (*at, radius), (*out, 0.0)), world=World(spec))
        left = {(r.event.ball, r.event.rail) for r in of(outcome, LeavesRail)}
        assert left == set(declared), (rail, part, at)
        assert set(declared) <= {(ball, rail)}
        jaw = isinstance(part, Arc) or (part.a[0] != part.b[0] and part.a[1] != part.b[1])
        found[jaw] += len(declared)
    assert found[False] > 10 and found[True] > 3, found


@pytest.mark.parametrize("name", ["9ft", "8ft", "7ft", "tight", "uk7ft"])
def test_the_rules_know_the_cushions_that_the_physics_has(name):
    """Every line and arc of the one is one of the other, to the digit."""
    frame, geometry = frame_of(name), build_geometry(TABLES[name])
    for cushion in geometry.cushions:
        parts = rails_of(frame)[RAILS[cushion.rail]]
        for k, point in enumerate(cushion.outline):
            near = min(math.dist(part.nearest(Position(*point)), point) for part in parts)
            assert near < 1e-9, (cushion.rail, k)
        arcs = {(round(a.radius, 9), round(a.turn, 6)) for a in parts if isinstance(a, Arc)}
        known = {(round(r, 9), round(t, 6)) for r, t in cushion.arcs if r > 0.0}
        assert arcs == known
    lines = sum(isinstance(part, Line) for rail in RAILS for part in rails_of(frame)[rail])
    # The ends of cushions behind their facings are over the hole: no ball can be frozen there.
    normals = [geometry.cushions[int(row[EDGE_CUSHION])].normal for row in geometry.edges]
    rows = [
        row
        for row, (nx, ny) in zip(geometry.edges.tolist(), normals, strict=True)
        if row[EDGE_LEN] > 1e-6 and row[EDGE_TX] * nx + row[EDGE_TY] * ny > -1.0 + 1e-12
    ]
    assert lines == len(rows)


def facing(at, gap=0.0):
    """A place beside the left cushion's facing at the foot, ``at`` from its jaw point; its way."""
    frame = frame_of("9ft")
    line = rails_of(frame)["left"][4]
    (ax, ay), (bx, by) = line.a, line.b
    size = math.hypot(bx - ax, by - ay)
    c, s = (bx - ax) / size, (by - ay) / size
    assert ax == pytest.approx(1.27 - frame.corner_mouth / math.sqrt(2)) and ay == 0.635
    far = REACH + gap
    return (ax + at * c + far * s, ay + at * s - far * c), (c, s)


@pytest.mark.parametrize("gap", [0.0, 5e-5, 1e-4])
def test_a_ball_frozen_to_a_facing_is_driven_to_that_rail_once_it_has_left_it(gap):
    (x, y), (c, s) = facing(0.012, gap)
    # Straight into the facing, off it, against the foot cushion's, and back.
    outcome = shoot(on_bed(1, x, y, -0.9 * s - 0.1 * c, 0.9 * c - 0.1 * s))
    jaws, left = of(outcome, Jaw), of(outcome, LeavesRail)
    assert jaws[0].event == Jaw(
        at=jaws[0].event.at, ball=1, pocket="foot_left", rail="left", still_frozen=True
    )
    assert [(r.event.ball, r.event.rail) for r in left] == [(1, "left")]
    after = left[0].before[1].pos
    away = (after[0] - x) * s - (after[1] - y) * c
    assert away + gap == pytest.approx(5e-4, abs=1e-9)
    assert all(not r.event.still_frozen for r in jaws if r.event.at > left[0].event.at)


def test_the_other_facing_of_a_pocket_is_another_rail():
    (x, y), (c, s) = facing(0.012)
    outcome = shoot(on_bed(1, x, y, 1.5 * (s + 0.3 * c), 1.5 * (0.3 * s - c)))
    met = [r.event for r in outcome.events if isinstance(r.event, Jaw | RailContact)]
    assert met[0].rail == "foot" and not met[0].still_frozen
    assert of(outcome, LeavesRail)[0].event.at < met[0].at


def test_a_ball_that_slides_along_a_facing_out_to_the_bed_leaves_where_the_cushion_ends():
    # Along its line, away from the pocket: the jaw point is soon the nearest of the cushion.
    (x, y), (c, s) = facing(0.010)
    outcome = shoot(on_bed(1, x, y, -0.6 * c, -0.6 * s))
    left = of(outcome, LeavesRail)
    assert [r.event.rail for r in left] == ["left"]
    px, py = 1.27 - frame_of("9ft").corner_mouth / math.sqrt(2), 0.635
    at = left[0].before[1].pos
    assert math.hypot(at[0] - px, at[1] - py) == pytest.approx(REACH + 5e-4, abs=1e-9)


def test_a_ball_that_rolls_along_the_rail_past_a_side_pocket_has_not_left_it():
    past = shoot(rolling(0, 0.3, WALL, -0.5))
    assert of(past, LeavesRail) == [] and past.final[0].pos[0] < -0.2


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
