"""Tipping over the edge of a slate cut: the path keeps its distance, and energy is kept."""

import math

import pytest

from physics.layout import EDGE_ROUND
from physics.state import Motion
from tests.physics.shots import R, largest_jump, position, rolling, shoot

ARM = R + EDGE_ROUND
MOUTH = 1.27 - 0.5 * 0.1159 * math.sqrt(0.5), 0.635 - 0.5 * 0.1159 * math.sqrt(0.5)


def down_the_axis(speed, back=0.3):
    x, y = (m - back * math.sqrt(0.5) for m in MOUTH)
    v = speed * math.sqrt(0.5)
    return shoot(rolling(0, x, y, v, v))


def test_a_slow_ball_rolls_round_the_edge():
    outcome = down_the_axis(0.4)
    assert outcome.pockets == {0: "foot_left"} and largest_jump(outcome) < 1e-12
    pieces = outcome.pieces[0]
    tipping = [p for p in pieces if p.motion is Motion.AIR]
    start, leaves = tipping[0], tipping[-1]
    for k in range(100):
        at = start.start + (leaves.start - start.start) * k / 100
        x, y, z = position(pieces, at)
        ahead = math.dist((x, y), start.pos[:2])
        assert math.hypot(ahead, z + EDGE_ROUND) == pytest.approx(ARM, abs=2e-5)
    # What height gave went into speed and roll alike: 7/10 m v^2.
    fallen = 9.81 * (R - leaves.pos[2])
    v0, v1 = (sum(c * c for c in p.vel) for p in (start, leaves))
    assert 0.7 * (v1 - v0) == pytest.approx(fallen, rel=2e-3)
    # It leaves where gravity no longer holds it on the edge.
    cosine = (leaves.pos[2] + EDGE_ROUND) / ARM
    assert ARM * 9.81 * cosine <= v1


def test_a_fast_ball_leaves_the_edge_at_once():
    flights = [p for p in down_the_axis(1.0).pieces[0] if p.motion is Motion.AIR]
    assert flights[0].acc == (0.0, 0.0, -9.81) and flights[0].vel[2] == 0.0


def test_a_ball_that_stops_short_hangs_on_the_shelf():
    outcome = down_the_axis(0.25)
    assert not outcome.pockets and outcome.final[0].motion is Motion.REST
    assert outcome.final[0].pos[0] > MOUTH[0]
