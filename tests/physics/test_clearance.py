"""How far the butt must be raised: rails and balls behind, in every direction alike."""

import math
import random

import numpy as np
import pytest

from physics.clearance import (
    BUTT_RADIUS,
    LENGTH,
    clearance,
    clearance_at,
    least_elevation_at,
    least_elevation_deg,
)
from physics.follow_through import SHAFT_RADIUS
from physics.layout import CUSHION_DEPTH
from physics.outcome import World
from physics.state import BallState
from physics.strike import MAX_ELEVATION_DEG, Stroke
from physics.table import TABLES
from tests.physics.shots import REACH, R, on_bed

NINE = TABLES["9ft"]
BED = World(TABLES["unbounded"])


def least(*others, heading=0.0, tip=(0.0, 0.0), world=BED):
    balls = (on_bed(0, 0.0, 0.0), *others)
    return least_elevation_deg(world, balls, Stroke(1.0, heading, tip=tip))


def test_with_nothing_behind_the_cue_lies_level():
    assert least() == 0.0
    assert least(on_bed(1, 0.3, 0.0), on_bed(2, -0.3, 0.2)) == 0.0  # ahead, and well aside


def test_over_a_rail_the_cue_clears_nose_and_wood():
    # Half a metre from the head rail; its wood ends 0.158 m behind the nose, 48 mm high.
    at = {0: (-0.5 * NINE.length + 0.5, 0.0)}
    degrees = least_elevation_at(NINE, at, 0, 0.0, (0.0, 0.0))
    t = math.radians(degrees)
    for beyond, height in ((0.0, NINE.nose_height), (NINE.rail_width, NINE.rail_top)):
        along = (0.5 + beyond - R * math.cos(t)) / math.cos(t)
        under = (0.00625 + (0.0146 - 0.00625) / 1.47 * along) / math.cos(t)
        assert R + R * math.sin(t) + along * math.sin(t) - under >= height - 1e-9
    assert 2.0 < degrees < 4.0


def test_a_frozen_cue_ball_needs_a_steep_cue_or_a_high_tip():
    at = {0: (-0.5 * NINE.length + REACH, 0.0)}
    low, high = (least_elevation_at(NINE, at, 0, 0.0, (0.0, b)) for b in (0.0, 0.5))
    assert 20.0 < low < 40.0
    assert high < 0.6 * low


def test_a_ball_behind_the_cue_ball_must_be_cleared():
    far, near = (least(on_bed(1, -2 * R - gap, 0.0)) for gap in (0.3, 0.01))
    assert 5.0 < far < 15.0 < near < 60.0
    aside = least(on_bed(1, -2 * R - 0.01, R))
    assert 0.0 < aside < near
    touching = least(on_bed(1, -2 * R, 0.0))
    assert near < touching < MAX_ELEVATION_DEG


def test_what_is_found_just_clears():
    balls = (on_bed(0, 0.0, 0.0), on_bed(1, -0.15, 0.01))
    degrees = least(balls[1])
    t = math.radians(degrees)
    start = (-R * math.cos(t), R + R * math.sin(t))
    d = (-0.15 - start[0], R - start[1])
    along = -d[0] * math.cos(t) + d[1] * math.sin(t)
    gap = math.hypot(d[0] + along * math.cos(t), 0.01, d[1] - along * math.sin(t))
    assert gap == pytest.approx(R + 0.00625 + (0.0146 - 0.00625) / 1.47 * along, abs=1e-6)


@pytest.mark.parametrize("heading", [37.0, 90.0, 180.0, 301.0])
def test_the_same_in_every_direction_and_in_the_mirror(heading):
    plain = least(on_bed(1, -0.1, 0.02), tip=(0.3, 0.1))
    c, s = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    turned = on_bed(1, -0.1 * c - 0.02 * s, -0.1 * s + 0.02 * c)
    assert least(turned, heading=heading, tip=(0.3, 0.1)) == pytest.approx(plain, abs=1e-3)
    assert least(on_bed(1, -0.1, -0.02), tip=(-0.3, 0.1)) == pytest.approx(plain, abs=1e-3)


def test_in_a_lag_the_other_ball_is_in_nobodys_way():
    from shared_rules.balls import LAG_A, LAG_B

    at = {LAG_A: (-0.8, 0.0), LAG_B: (-0.9, 0.0)}
    alone = least_elevation_at(NINE, {LAG_A: at[LAG_A]}, LAG_A, 0.0, (0.0, 0.0))
    assert least_elevation_at(NINE, at, LAG_A, 0.0, (0.0, 0.0)) == alone


def _pokes(world, states, stroke, degrees):
    """How deep a cue at this elevation lies in rails and balls (m), looked at point by point.

    The cue is cut into discs square to its axis, and each disc's rim looked at as points; a rail is
    the solid under its top, from the nose to the far edge of the wood, along the whole line of its
    nose.
    """
    struck = next(s for s in states if s.ball == stroke.ball)
    heading, t = math.radians(stroke.heading_deg), math.radians(degrees)
    ahead = np.array(
        [math.cos(heading) * math.cos(t), math.sin(heading) * math.cos(t), -math.sin(t)]
    )
    right = np.array([math.sin(heading), -math.cos(heading), 0.0])
    up = np.cross(right, ahead)
    a, b = stroke.tip
    tip = np.array(struck.pos) + world.spec(stroke.ball).radius * (
        -math.sqrt(1 - a * a - b * b) * ahead + a * right + b * up
    )
    along = np.linspace(0.0, LENGTH, 2941)[:, None, None]
    turn = np.linspace(0.0, 2 * math.pi, 73)[None, :, None]
    radius = SHAFT_RADIUS + (BUTT_RADIUS - SHAFT_RADIUS) * along / LENGTH
    axis = tip - along * ahead
    rim = axis + radius * (np.cos(turn) * right + np.sin(turn) * up)
    deepest = -math.inf
    table = world.table
    if table.bounded:
        for k, half in ((0, 0.5 * table.length), (1, 0.5 * table.width)):
            beyond = np.abs(rim[..., k]) - half
            rise = (table.rail_top - table.nose_height) / CUSHION_DEPTH
            top = table.nose_height + rise * np.clip(beyond, 0.0, CUSHION_DEPTH)
            over = (beyond >= 0.0) & (beyond <= table.rail_width)
            deepest = max(deepest, float(np.where(over, top - rim[..., 2], -1.0).max()))
    for other in states:
        if other.ball != stroke.ball:
            away = np.linalg.norm(axis[:, 0] - np.array(other.pos), axis=1)
            gap = away - world.spec(other.ball).radius - radius[:, 0, 0]
            deepest = max(deepest, -float(gap.min()))
    return deepest


@pytest.mark.parametrize("seed", range(40))
def test_the_least_elevation_is_what_a_look_at_every_point_gives(seed):
    draw = random.Random(seed)
    world = World(TABLES[draw.choice(("9ft", "7ft", "uk7ft"))])
    states = []
    while len(states) < draw.choice((1, 2, 4)):
        n = len(states)
        r = world.spec(n).radius
        if n == 0:
            x, y = (half * draw.uniform(-1, 1) for half in (
                0.5 * world.table.length - r, 0.5 * world.table.width - r))  # fmt: skip
        else:
            way, turn = r * draw.uniform(2, 8), draw.uniform(0, 2 * math.pi)
            x = states[0].pos[0] + way * math.cos(turn)
            y = states[0].pos[1] + way * math.sin(turn)
        if all(math.dist((x, y), s.pos[:2]) > 2 * r for s in states):
            states.append(BallState(n, (x, y, r)))
    reach, turn = draw.uniform(0, 0.5), draw.uniform(0, 2 * math.pi)
    tip = (reach * math.cos(turn), reach * math.sin(turn))
    stroke = Stroke(1.0, draw.uniform(-180, 180), tip=tip)
    degrees = least_elevation_deg(world, states, stroke)
    if degrees < MAX_ELEVATION_DEG:
        assert _pokes(world, states, stroke, degrees) < 2e-5
    if degrees > 0.0:
        assert _pokes(world, states, stroke, degrees - 0.2) > 0.0
    for steeper in (0.5, 2.0, 10.0):  # what clears goes on to clear: there is one least elevation
        if degrees + steeper <= MAX_ELEVATION_DEG:
            assert _pokes(world, states, stroke, degrees + steeper) < 2e-5


def test_another_ball_never_lets_the_butt_down():
    draw = random.Random(11)
    for _ in range(60):
        others = [on_bed(n, draw.uniform(-0.3, 0.3), draw.uniform(-0.3, 0.3)) for n in (1, 2, 3)]
        others = [o for o in others if math.hypot(*o.pos[:2]) > 2 * R]
        found = [least(*others[:k], heading=40.0) for k in range(len(others) + 1)]
        assert found == sorted(found)


def test_what_stands_in_the_way_is_named():
    def over(*others, at=(0.0, 0.0)):
        positions = {0: at, **dict(others)}
        return clearance_at(NINE, positions, 0, 0.0, (0.0, 0.0)).obstacle

    assert over(at=(-0.5 * NINE.length + 0.5, 0.0)) == "rail"
    assert over((7, (-2 * R - 0.02, 0.0))) == 7
    # Of two the one that asks for more; the far one is cleared long before.
    assert over((7, (-2 * R - 0.02, 0.0)), (3, (-0.4, 0.0))) == 7
    assert clearance(BED, (on_bed(0, 0.0, 0.0),), Stroke(1.0, 0.0)) == (0.0, None)
