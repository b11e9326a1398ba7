"""Cushions play as cushions do: the trends that players know, over grids (REFERENCES 4.1)."""

import itertools
import math

import pytest

from benchmarks.figures import rails
from benchmarks.figures.cushion_laws import LAWS, R, energetic, roll_onset
from benchmarks.figures.posing import first

NEAR = (0.0, 15.0, 30.0, 45.0)
FLAT = (60.0, 75.0)


def directions(degrees, v, top, sides):
    """Directions right after the rail, degrees off its normal, one a side."""
    return [
        rails.off_normal(first(rails.bank(degrees, v, top, side), "rail")["after"]["0"])
        for side in sides
    ]


def falls(values):
    return all(b < a for a, b in itertools.pairwise(values))


@pytest.mark.parametrize("top", [-0.5, 0.0, 1.0])
def test_faster_balls_rebound_less(top):
    assert falls([rails.rebound(v, top) for v in (1.2, 2.0, 3.0, 4.0, 5.0, 6.0)])


def test_faster_balls_run_further_but_less_than_in_proportion():
    ways = [rails.travel(v) for v in (1.0, 2.0, 4.0, 8.0, 12.0)]
    assert ways == sorted(ways)
    # Without rails a way grows with the square of the speed.
    assert all(b < 2.0 * a for a, b in itertools.pairwise(ways[1:]))


@pytest.mark.parametrize("top", [0.0, 1.0])
@pytest.mark.parametrize("degrees", NEAR)
def test_running_english_lengthens_and_reverse_shortens(degrees, top):
    for v in (0.8, 2.0, 4.0):
        sides = (-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0)
        out = directions(degrees, v, top, sides)
        assert all(b > a - 1e-6 for a, b in itertools.pairwise(out))
        assert out[1] < out[3] - 0.5 < out[3] + 0.5 < out[5]


@pytest.mark.parametrize("top", [0.0, 1.0])
@pytest.mark.parametrize("degrees", FLAT)
def test_english_hardly_matters_on_flat_banks(degrees, top):
    for v in (0.8, 2.0, 4.0):
        reverse, running = directions(degrees, v, top, (-0.5, 0.5))
        square = directions(0.0, v, top, (-0.5, 0.5))
        assert abs(running - reverse) < 2.5
        assert abs(running - reverse) < 0.2 * (square[1] - square[0])


@pytest.mark.parametrize("degrees", [15.0, 30.0, 45.0, 60.0, 75.0])
def test_follow_lengthens_and_draw_shortens(degrees):
    for v in (0.8, 1.5, 3.0, 5.0):
        ends = []
        for top in (1.0, 0.5, 0.0, -0.5, -1.0):
            state = first(rails.bank(degrees, v, top), "rail")["after"]["0"]
            vx, vy = roll_onset(state["vel"], state["spin"])
            ends.append(math.degrees(math.atan2(vx, -vy)))
        assert falls(ends)


@pytest.mark.parametrize("degrees", [20.0, 30.0, 45.0, 55.0])
def test_speed_shortens(degrees):
    """Up to the 4 m/s of the published figures; beyond, a rail that gives back less widens."""
    assert falls([rails.drift(degrees, v) for v in (1.0, 2.0, 3.0, 4.0)])


@pytest.mark.parametrize("e", [0.0, 0.6, 0.97, 1.0])
@pytest.mark.parametrize(("top", "side"), [(1.0, 0.0), (0.0, 0.0), (1.0, -1.0), (-0.5, 0.5)])
def test_the_engine_plays_the_energetic_law(e, top, side):
    """The engine's bounce against a build-up by itself, in finer steps."""
    for degrees in (0.0, 25.0, 50.0, 75.0):
        hit = first(rails.bank(degrees, 1.5, top, side, material={"e_cushion": e}), "rail")
        before, after = hit["before"]["0"], hit["after"]["0"]
        vel, spin = energetic(before["vel"], before["spin"], e, 0.14)
        # First order in the steps: what they cost stays under a hundredth of the speed.
        assert vel == pytest.approx(after["vel"], abs=0.01)
        assert [R * w for w in spin] == pytest.approx([R * w for w in after["spin"]], abs=0.02)


def test_without_friction_the_energetic_law_gives_back_e():
    """However small or large ``e`` is, and with the bed bearing the squeeze."""
    for e in (0.0, 0.3, 0.8, 1.0):
        for degrees in (0.0, 40.0):
            hit = first(
                rails.bank(
                    degrees,
                    1.5,
                    0.0,
                    material={"e_cushion": e, "mu_cushion": 0, "mu_slide": 1e-9},
                    status=("ok", "cut"),
                    until=1e-3,
                ),
                "rail",
            )
            before, after = hit["before"]["0"]["vel"], hit["after"]["0"]["vel"]
            assert after[1] == pytest.approx(-e * before[1], abs=2e-6)
            assert after[0] == pytest.approx(before[0], abs=1e-6)


def test_all_laws_send_the_ball_back():
    for law in LAWS.values():
        vel, _ = law((0.5, 1.0, 0.0), (-1.0 / R, 0.5 / R, 0.0), 0.85, 0.14)
        assert vel[1] < 0.0 and vel[2] == pytest.approx(0.0, abs=1e-3)
