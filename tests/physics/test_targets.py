"""The acceptance targets (tests/data/physics/targets.json), through ``headstring simulate``'s door.

The functions of ``benchmarks.figures`` pose and measure them; docs/physics.md has their figures.
"""

import math
import os
import statistics

import pytest

from benchmarks.figures import balls, cloth, rails, tables
from benchmarks.figures.measures import MEASURES
from physics.breaks import play_breaks
from tests.physics.posing import check, events, pose, targets

#: ``HEADSTRING_SOAK=1`` plays what the targets name and more; else enough to notice.
SOAK = os.environ.get("HEADSTRING_SOAK") == "1"


def test_every_target_is_measured():
    assert set(MEASURES) == set(targets())


@pytest.mark.parametrize("name", [n for n in MEASURES if n not in ("R04", "P07")])
def test_target(name):
    check(name, MEASURES[name]())


# --- what a target says beyond its number -------------------------------------------------------


def test_a05_a_rolling_ball_never_begins_to_roll():
    assert not events(cloth.lone((1.0, 0.0), cloth.rolling(1.0)), "roll_onset")


def test_a12_a_ball_spins_on_the_spot():
    result = cloth.lone((0.0, 0.0), (0.0, 0.0, 20.0), sample_at=[1.0])
    assert result["samples"][0]["balls"]["0"]["state"] == "spin"
    assert result["final"]["0"]["pos"][:2] == [0.0, 0.0]


def test_a16_nothing_happens_to_a_tight_rack():
    rack = {"discipline": "eight_ball", "seed": 1, "gap": 0.0, "cue_ball": [-0.635, 0.0]}
    result = pose(rack=rack)
    assert len(result["final"]) == 16
    assert [e["t"] for e in result["events"]] == ["rest"]


@pytest.mark.parametrize("v", [0.8, 5.0])
def test_b06_thirty_degrees_at_any_speed(v):
    check("B06", balls.b06(v))


@pytest.mark.parametrize("degrees", [30.0, 90.0, 217.0])
def test_b20_a_frozen_line_in_any_direction(degrees):
    check("B20", balls.b20(degrees))


def test_k03_stun_banks_come_short_and_k04_rolling_ones_go_long():
    assert all(out < a for out, a in zip(rails.k03(), rails.ANGLES, strict=True))
    assert all(out > a for out, a in zip(rails.k04(), rails.ANGLES, strict=True))


@pytest.mark.parametrize("v", [0.05, 8.0])
def test_k11_the_nose_meets_the_ball_where_it_should_at_any_speed(v):
    check("K11", rails.k11(v))


def test_r02_an_eight_ball_break_makes_no_energy_and_keeps_momentum():
    check("R02", tables.r02("eight_ball"))


def test_r04_square_breaks_make_balls():
    """Near the target's lower bounds (docs/physics.md): so the soak plays enough to tell, and
    fewer breaks get two standard errors of leeway.
    """
    n = 2000 if SOAK else 400
    breaks = play_breaks("nine_ball", n)
    spread = statistics.stdev(len(b.pocketed) for b in breaks.breaks)
    leeway = 0.0 if SOAK else 2.0 / math.sqrt(n)
    (least, most), (least_dry, most_dry) = targets()["R04"]["tolerance"]["range"]
    assert least - leeway * spread <= breaks.mean <= most
    assert least_dry <= breaks.dry <= most_dry + leeway * 0.5


def test_p07_no_ball_is_ever_lost():
    check("P07", tables.p07(2000 if SOAK else 150))
