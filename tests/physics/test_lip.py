"""Balls on the rounded edge of a slate cut: the path keeps its distance, energy only falls."""

import math
from itertools import pairwise

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


def energy(piece):
    """Motion and height of a ball at the start of a piece, per kilogram."""
    v2, w2 = (sum(c * c for c in vector) for vector in (piece.vel, piece.spin))
    return 0.5 * v2 + 0.2 * R * R * w2 + 9.81 * piece.pos[2]


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
    # It rolls at first, and slips before it leaves: the cloth bears less and less of it.
    whole = [energy(p) for p in tipping]
    assert max(b - a for a, b in pairwise(whole)) < 1e-6 * whole[0]
    early = [e for e, p in zip(whole, tipping, strict=True) if p.pos[2] > 0.9 * R]
    assert early[-1] == pytest.approx(whole[0], rel=1e-6)
    assert 0.99 * whole[0] < whole[-1] < 0.9995 * whole[0]
    # It leaves where gravity no longer holds it on the edge.
    cosine = (leaves.pos[2] + EDGE_ROUND) / ARM
    assert ARM * 9.81 * cosine <= sum(c * c for c in leaves.vel)


def test_a_fast_ball_leaves_the_edge_at_once():
    flights = [p for p in down_the_axis(1.0).pieces[0] if p.motion is Motion.AIR]
    assert flights[0].acc == (0.0, 0.0, -9.81) and flights[0].vel[2] == 0.0


def test_a_ball_that_stops_short_hangs_on_the_shelf():
    outcome = down_the_axis(0.25)
    assert not outcome.pockets and outcome.final[0].motion is Motion.REST
    assert outcome.final[0].pos[0] > MOUTH[0]
