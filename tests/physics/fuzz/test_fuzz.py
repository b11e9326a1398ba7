"""A small slice of the fuzz, and proof that its checks can fail."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs

from physics.case_input import read_case
from physics.geometry import build_geometry
from physics.outcome import Outcome, Piece
from physics.state import Motion
from physics.table import TABLES
from tests.physics.fuzz import exact
from tests.physics.fuzz.poses import pose
from tests.physics.fuzz.promises import broken, mirrored, run, same_again
from tests.physics.fuzz.shrink import shrink
from tests.physics.fuzz.trial import try_case, try_number

R = 0.028575
SEED, CASES = 20261130, 150


@pytest.mark.parametrize("start", range(0, CASES, 50))
def test_every_posed_shot_keeps_what_a_run_promises(start):
    refused = 0
    for number in range(start, start + 50):
        tried = try_number((SEED, number))
        assert not tried.faults, (number, tried.faults)
        refused += tried.refused is not None
    assert refused < 20


def test_a_case_is_its_two_numbers_and_plain_json():
    for number in range(60):
        case = pose(5, number)
        assert json.loads(json.dumps(case)) == case == pose(5, number)
    assert pose(5, 1) != pose(6, 1)


def piece(ball, start, pos, vel=(0.0, 0.0, 0.0), acc=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0)):
    return Piece(ball, start, pos, vel, acc, spin, (0.0, 0.0, 0.0), Motion.SLIDE)


def crossing(aside, acc=0.0):
    """A ball that passes another at a distance ``aside`` at 0.5 s."""
    a = [piece(0, 0.0, (-0.5, 0.0, R), (1.0, 0.0, 0.0))]
    b = [piece(1, 0.0, (0.0, aside - 0.125 * acc, R), (0.0, 0.0, 0.0), (0.0, acc, 0.0))]
    outcome = Outcome({0: a, 1: b}, [], {}, {}, 1.0, False)
    return exact.rows_of(outcome, 0), exact.rows_of(outcome, 1)


@pytest.mark.parametrize("deep", [1e-3, 1e-6, 1e-9])
def test_an_overlap_between_two_samples_is_measured(deep):
    got, when = exact.deepest_overlap(*crossing(2 * R - deep), 2 * R, 5.0)
    assert got == pytest.approx(deep, rel=1e-6) and when == pytest.approx(0.5, abs=1e-6)
    assert exact.deepest_overlap(*crossing(2 * R + deep), 2 * R, 5.0)[0] == 0.0


def test_the_least_of_a_quartic_is_that_of_a_fine_sampling():
    draw = np.random.default_rng(3)
    for _ in range(200):
        c = draw.normal(size=5) * 10.0 ** draw.uniform(-3, 2, size=5)
        until = 10.0 ** draw.uniform(-3, 2)
        value, at = exact.least(c, until)
        t = np.linspace(0.0, until, 5001)
        sampled = np.polyval(c[::-1], t)
        scale = np.abs(sampled).max()
        assert value <= sampled.min() + 1e-12 * scale
        assert np.polyval(c[::-1], at) == pytest.approx(value, abs=1e-12 * scale)


@pytest.mark.parametrize(
    ("start", "vel"),
    [((0.3, 0.5, R), (0.0, 1.0, 0.0)), ((0.0, 0.3, R), (0.2, 1.0, 0.0)),
     ((1.0, 0.45, R), (1.0, 1.0, 0.0))],
)  # fmt: skip
def test_a_ball_that_runs_into_a_rail_or_jaw_is_inside_it(start, vel):
    table = TABLES["9ft"]
    geometry = build_geometry(table)
    outcome = Outcome({0: [piece(0, 0.0, start, vel)]}, [], {}, {}, 0.6, False)
    rows = exact.rows_of(outcome, 0)
    gap, _ = exact.nearest_cushion(
        rows, geometry.edges, geometry.corners, R, table.nose_height, 0.03, 5.0
    )
    assert gap < -0.02
    still = exact.rows_of(replace(outcome, duration=1e-9), 0)
    gap, _ = exact.nearest_cushion(
        still, geometry.edges, geometry.corners, R, table.nose_height, 0.03, 5.0
    )
    assert gap > 0.0


def spoiled(change):
    """A sound run with one of its pieces changed: the names of what is broken then."""
    posed = read_case({
        "id": "s",
        "balls": {"0": {"pos": [-0.3, 0.0], "vel": [2.0, 0.3, 0.0]}, "1": {"pos": [0.2, 0.1]}},
    })  # fmt: skip
    outcome = run(posed)
    assert not [*broken(posed, outcome), *same_again(posed, outcome), *mirrored(posed, outcome)]
    return {name for name, _ in broken(posed, change(outcome))}


def with_piece(outcome, ball, k, **changes):
    pieces = list(outcome.pieces[ball])
    pieces[k] = structs.replace(pieces[k], **changes)
    return replace(outcome, pieces={**outcome.pieces, ball: pieces})


def test_each_promise_can_be_broken():
    faster = (9.0, 0.0, 0.0)
    assert "energy" in spoiled(lambda o: with_piece(o, 0, 1, vel=faster))
    assert "jump" in spoiled(lambda o: with_piece(o, 0, 1, pos=(0.0, 0.0, R)))
    assert "overlap" in spoiled(lambda o: with_piece(o, 1, 0, pos=(-0.3, 0.01, R)))
    assert "bed" in spoiled(lambda o: with_piece(o, 0, 1, pos=(0.0, 0.0, 0.02)))
    assert "finite" in spoiled(lambda o: with_piece(o, 0, 1, spin=(math.nan, 0.0, 0.0)))
    assert "lost" in spoiled(
        lambda o: replace(o, final={**o.final, 0: structs.replace(o.final[0], motion=Motion.ROLL)})
    )
    assert "events" in spoiled(lambda o: replace(o, cut=True))
    assert "order" in spoiled(lambda o: replace(o, events=o.events[::-1]))


def test_a_failing_case_is_cut_down():
    case = pose(SEED, next(k for k in range(200) if "scatter" in pose(SEED, k)["id"]))
    assert len(case["balls"]) > 2

    def moves(c):
        refused, _, _, events = try_case(c)
        return refused is None and events > 2

    small = shrink(case, moves)
    assert moves(small) and len(small["balls"]) == 1
