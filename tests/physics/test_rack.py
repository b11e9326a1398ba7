"""Racks: order, gaps, and that a seed says everything."""

import itertools
import math
import statistics

import pytest

from physics.rack import DISCIPLINES, MAX_GAP, SplitMix64, stand
from physics.table import TABLES

NINE_FOOT = TABLES["9ft"]
R = NINE_FOOT.ball.radius
GOLDEN_NINE = ((1,), (7, 8), (6, 9, 5), (3, 2), (4,))


def neighbours(rack, radius):
    """Distances of pairs that stand next to each other."""
    pairs = itertools.combinations(rack.positions.values(), 2)
    return [d for d in (math.dist(a, b) for a, b in pairs) if d < 3.0 * radius]


@pytest.mark.parametrize("discipline", DISCIPLINES)
@pytest.mark.parametrize("gap", [0.0, 1e-5, 1e-4, MAX_GAP])
@pytest.mark.parametrize("preset", ["9ft", "uk7ft"])
def test_neighbours_are_zero_to_gap_apart(discipline, gap, preset):
    table = TABLES[preset]
    for seed in range(40):
        rack = stand(discipline, seed, gap, table)
        distances = neighbours(rack, table.ball.radius)
        assert len(distances) == (16 if discipline == "nine_ball" else 30)
        assert min(distances) >= 2 * table.ball.radius - 1e-15
        assert max(distances) <= 2 * table.ball.radius + gap + 1e-15
    if gap:
        assert max(distances) - min(distances) > 0.2 * gap


@pytest.mark.parametrize("discipline", ["nine_ball", "eight_ball"])
def test_gaps_are_uniform_and_pairs_hardly_know_of_each_other(discipline):
    touching = 2 * NINE_FOOT.ball.radius
    racks = [
        [(d - touching) / 1e-4 for d in neighbours(stand(discipline, seed, 1e-4, NINE_FOOT), R)]
        for seed in range(120)
    ]
    gaps = sorted(gap for rack in racks for gap in rack)
    # Farthest from the uniform distribution (Kolmogorov).
    n = len(gaps)
    assert max(abs(gap - k / n) for k, gap in enumerate(gaps)) < 0.05
    first, second = [rack[0] for rack in racks], [rack[1] for rack in racks]
    assert abs(statistics.correlation(first, second)) < 0.3


def test_nine_ball_is_racked_by_n92a():
    middles = set()
    for seed in range(60):
        rack = stand("nine_ball", seed, 1e-5, NINE_FOOT)
        assert [len(row) for row in rack.rows] == [1, 2, 3, 2, 1]
        assert rack.rows[0] == (1,) and rack.rows[2][1] == 9
        assert sorted(rack.positions) == list(range(1, 10))
        assert rack.positions[1] == (0.635, 0.0)
        middles.add(rack.rows[1])
    assert len(middles) > 20


def test_eight_ball_is_racked_by_e82():
    solid_left = 0
    for seed in range(60):
        rack = stand("eight_ball", seed, 1e-5, NINE_FOOT)
        assert [len(row) for row in rack.rows] == [1, 2, 3, 4, 5]
        assert rack.rows[2][1] == 8
        left, right = rack.rows[4][0], rack.rows[4][4]
        assert (left < 8) != (right < 8)
        assert sorted(rack.positions) == list(range(1, 16))
        solid_left += left < 8
    assert 15 < solid_left < 45


def test_black_ball_stands_on_the_foot_spot_by_its_black():
    table = TABLES["uk7ft"]
    rack = stand("black_ball", 4, 1e-5, table)
    assert rack.positions[8] == (table.length / 4, 0.0)
    assert rack.positions[rack.rows[0][0]][0] < table.length / 4


@pytest.mark.parametrize("fifteenth", [1, 7, 15])
def test_a_continuation_rack_has_no_apex_ball(fifteenth):
    orders = set()
    for seed in range(40):
        rack = stand("straight_pool", seed, 1e-4, NINE_FOOT, fifteenth)
        assert [len(row) for row in rack.rows] == [0, 2, 3, 4, 5]
        assert sorted(rack.positions) == [b for b in range(1, 16) if b != fifteenth]
        distances = neighbours(rack, R)
        assert len(distances) == 28  # a triangle's 30 without the apex's two
        assert min(distances) >= 2 * R - 1e-15 and max(distances) <= 2 * R + 1e-4 + 1e-15
        # The apex place stays where an opening rack has its ball: on the foot spot.
        for ball in rack.rows[1]:
            assert 2 * R - 1e-15 <= math.dist(rack.positions[ball], (0.635, 0.0)) <= 2 * R + 1e-4
        orders.add(rack.rows)
    assert len(orders) == 40


@pytest.mark.parametrize(("discipline", "fifteenth"), [("eight_ball", 3), ("straight_pool", 16)])
def test_only_straight_pool_has_a_continuation_rack(discipline, fifteenth):
    with pytest.raises(ValueError, match="fifteenth"):
        stand(discipline, 1, 0.0, NINE_FOOT, fifteenth)


def test_nine_ball_and_straight_pool_hold_every_ball_at_its_place():
    """The foot spot is a quarter of the length from the foot rail on every table (1.3)."""
    for preset in ("9ft", "8ft", "7ft"):
        for discipline in ("nine_ball", "eight_ball", "straight_pool"):
            rack = stand(discipline, 5, 2e-5, TABLES[preset])
            assert rack.positions[rack.rows[0][0]] == (0.25 * TABLES[preset].length, 0.0)


def test_a_tight_rack_has_the_published_measures():
    """Inner sides of the rack and row spacing of REFERENCES 1.3."""
    rows = stand("eight_ball", 1, 0.0, NINE_FOOT).rows
    places = stand("eight_ball", 1, 0.0, NINE_FOOT).positions
    spacing = places[rows[1][0]][0] - places[rows[0][0]][0]
    assert spacing == pytest.approx(0.0494934, abs=1e-7)
    # A side of the frame is the side of the balls' centres and R (1 + cot 30 deg) at each end.
    side = math.dist(places[rows[0][0]], places[rows[4][0]]) + 2 * R * math.sqrt(3)
    assert side == pytest.approx(0.327587, abs=1e-5)


def test_rows_run_from_left_to_right_as_seen_from_the_head():
    rack = stand("straight_pool", 11, 1e-5, NINE_FOOT)
    for row in rack.rows:
        ys = [rack.positions[ball][1] for ball in row]
        assert ys == sorted(ys, reverse=True)


def test_a_seed_says_everything():
    assert stand("nine_ball", 7, 2e-5, NINE_FOOT) == stand("nine_ball", 7, 2e-5, NINE_FOOT)
    assert stand("nine_ball", 7, 2e-5, NINE_FOOT) != stand("nine_ball", 8, 2e-5, NINE_FOOT)
    # The order doesn't hang on the gap, and these rows stay the same for ever.
    assert stand("nine_ball", 7, 0.0, NINE_FOOT).rows == stand("nine_ball", 7, 2e-5, NINE_FOOT).rows
    assert stand("nine_ball", 7, 0.0, NINE_FOOT).rows == GOLDEN_NINE


def test_the_generator_is_the_published_one():
    # First outputs of the reference implementation for seed 1234567 (Vigna, splitmix64.c).
    draw = SplitMix64(1234567)
    assert [draw.bits() for _ in range(3)] == [
        6457827717110365317, 3203168211198807973, 9817491932198370423,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "args", [("snooker", 1, 0.0), ("nine_ball", -1, 0.0), ("nine_ball", 1, -1e-9),
             ("nine_ball", 1, 0.01), ("nine_ball", 1, math.nan), ("nine_ball", 2**64, 0.0)]
)  # fmt: skip
def test_what_is_no_rack_is_refused(args):
    with pytest.raises(ValueError):
        stand(*args, NINE_FOOT)
