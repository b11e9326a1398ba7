"""What N9.5g asks after, recounted from the trajectory's bytes: whom a stroke left, and how far."""

import math
import random
from itertools import pairwise

import pytest

from physics.outcome import World
from physics.record import record
from physics.simulation import simulate
from physics.strike import CueSpec, Stroke, impulse_of
from physics.trajectory import ContactKind, Trajectory
from shared_rules.events import BallBall, PlaysAway, Travel
from tests.physics.shots import R, of, on_bed

GRAZE_DEG = 75.0
FROZEN = 1e-4  # m
NEAR = 0.5 * R  # m: a quarter of a ball
RAILS = (ContactKind.RAIL, ContactKind.JAW, ContactKind.RAIL_TOP, ContactKind.POCKET)
STEPS = 4000


def shots(seed, count):
    """Strokes with a ball touching the cue ball, near it, or farther off, all round."""
    draw, world = random.Random(seed), World()
    for _ in range(count):
        gap = draw.choice([0.0, draw.uniform(0.0, 2e-4), draw.uniform(2e-4, NEAR), NEAR * 1.2])
        line, x, y = draw.uniform(0, 2 * math.pi), draw.uniform(-1, 1), draw.uniform(-0.4, 0.4)
        far = 2 * R + gap
        states = [on_bed(0, x, y), on_bed(1, x + far * math.cos(line), y + far * math.sin(line))]
        heading = math.degrees(line) + draw.uniform(-180.0, 180.0) * draw.choice([0.4, 1.0])
        stroke = Stroke(draw.uniform(0.3, 4.0), heading, tip=(0.0, draw.uniform(-0.4, 0.4)))
        outcome = simulate(world, states, (impulse_of(stroke, CueSpec(), world.spec(0)),))
        track = Trajectory.decode(record(world, outcome).encode())
        yield gap, stroke, outcome, track


def first_time(track, kinds, balls, since=0.0):
    """When one of the balls first has such a contact, or when all are still."""
    times = [c.at for c in track.contacts if c.kind in kinds and c.a in balls and c.at >= since]
    return min(times, default=track.duration)


def moves(track, ball, until):
    """Whether a ball leaves its place before a time."""
    start = track.state_at(ball, 0.0).pos
    return any(
        math.dist(track.state_at(ball, until * k / 400).pos, start) > 1e-7 for k in range(400)
    )


def walked(track, ball, start, end):
    """Length of a ball's way, along the chords of many places, mm."""
    places = [track.state_at(ball, start + (end - start) * k / STEPS).pos for k in range(STEPS + 1)]
    return 1000.0 * sum(math.dist(a, b) for a, b in pairwise(places))


def cut_deg(stroke, track, at):
    """Angle between the stroke and the line of centres as the balls meet."""
    (x, y, _), (ox, oy, _) = (track.state_at(ball, at).pos for ball in (0, 1))
    off = math.atan2(oy - y, ox - x) - math.radians(stroke.heading_deg)
    return abs(math.degrees(math.atan2(math.sin(off), math.cos(off))))


def test_who_was_played_away_from_never_moved_before_a_rail():
    away = into = 0
    for gap, _, outcome, track in shots("away", 160):
        told = [r.event for r in of(outcome, PlaysAway)]
        stays = not moves(track, 1, first_time(track, RAILS, (0,)))
        assert bool(told) == (gap <= FROZEN and stays), (gap, told, stays)
        assert all(event.b == 1 and event.at == 0.0 for event in told)
        away, into = away + bool(told), into + (gap <= FROZEN and not stays)
    assert away > 8 and into > 8


def test_travel_is_the_way_to_the_first_rail():
    """Of a touching or near pair that was hit full enough, from its contact on."""
    counted = passed = 0
    for gap, stroke, outcome, track in shots("travel", 120):
        told = {r.event.ball: r.event.mm for r in of(outcome, Travel)}
        met = first_time(track, (ContactKind.BALL,), (0, 1))
        cut = cut_deg(stroke, track, met)
        straight = met <= first_time(track, RAILS, (0,))  # else the stroke's line is not the cue's
        if met == track.duration or not straight or abs(cut - GRAZE_DEG) < 1.0:
            continue
        assert bool(of(outcome, BallBall))
        if gap >= NEAR or cut > GRAZE_DEG:
            assert told == {}
            passed += 1
            continue
        end = first_time(track, RAILS, (0, 1), since=met)
        want = {ball: walked(track, ball, met, end) for ball in (0, 1)}
        assert told == pytest.approx(want, rel=1e-3, abs=0.05)
        assert [r.event.at for r in of(outcome, Travel)] == pytest.approx([end] * 2, abs=1e-4)
        counted += 1
    assert counted > 25 and passed > 10
