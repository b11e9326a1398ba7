"""How far the butt must be raised: rails and balls behind, in every direction alike."""

import math

import pytest

from physics.clearance import least_elevation_at, least_elevation_deg
from physics.outcome import World
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
