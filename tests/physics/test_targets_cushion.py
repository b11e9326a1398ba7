"""Targets K and S: rails, the stroke and the air, through the door of ``headstring simulate``."""

import itertools
import math
import random

import pytest

from tests.physics.posing import (
    G,
    R,
    ball,
    check,
    events,
    first,
    motion_energy,
    pose,
    rolling,
    speed,
    targets,
)

TOUCH = math.sqrt(R * R - (0.03629025 - R) ** 2)


def bank(degrees, v, spin=None, stun=False, **keys):
    """A ball at the left rail of a 9-ft table, ``degrees`` off its normal, towards the foot."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    vel = (v * s, v * c)
    if spin is None:
        spin = (0.0, 0.0, 0.0) if stun else rolling(*vel)
    return pose({"0": ball(0.45, 0.635 - TOUCH, vel, spin)}, **keys)


def off_normal(state):
    """Direction off the left rail's normal, degrees, running positive."""
    return math.degrees(math.atan2(state["vel"][0], -state["vel"][1]))


def rolled(result):
    """The ball once it rolls again after the rail."""
    hit = first(result, "rail")["at"]
    return next(e["after"]["0"] for e in events(result, "roll_onset") if e["at"] >= hit)


def test_k01_rebound_of_a_rolling_ball():
    found = []
    for v in (1.0, 2.0, 3.0):
        hit = first(bank(0.0, v), "rail")
        found.append(speed(hit["after"]["0"]) / speed(hit["before"]["0"]))
    check("K01", found)
    assert found == sorted(found, reverse=True)


def test_k02_speed_once_it_rolls_again():
    low, high = targets()["K02"]["tolerance"]["range"]
    assert low <= speed(rolled(bank(0.0, 1.5))) / 1.5 <= high


def test_k03_stun_banks_come_short():
    angles = (15.0, 30.0, 45.0, 60.0)
    found = [off_normal(rolled(bank(a, 1.5, stun=True))) for a in angles]
    check("K03", found)
    assert all(out < a for out, a in zip(found, angles, strict=True))


def test_k04_rolling_banks_go_long():
    angles = (15.0, 30.0, 45.0, 60.0)
    found = [off_normal(rolled(bank(a, 1.5))) for a in angles]
    check("K04", found)
    assert all(out > a for out, a in zip(found, angles, strict=True))


def test_k07_the_rail_gives_running_english():
    hits = [first(bank(a, 1.5, stun=True), "rail")["after"]["0"] for a in (30.0, 60.0)]
    check("K07", [R * s["spin"][2] / 1.5 for s in hits])


def test_k10_rails_never_give_energy():
    draw, worst = random.Random(10), -1.0
    for _ in range(500):
        spin = [draw.uniform(-200, 200) for _ in range(3)]
        result = bank(draw.uniform(-85, 85), draw.uniform(0.05, 8.0), spin, until=1e-6,
                      status=("ok", "cut"))  # fmt: skip
        hit = first(result, "rail")
        before, after = (motion_energy(hit[k].values()) for k in ("before", "after"))
        worst = max(worst, (after - before) / before)
    check("K10", worst)


@pytest.mark.parametrize("v", [0.05, 1.0, 8.0])
def test_k11_where_the_nose_meets_the_ball(v):
    hit = first(pose({"0": ball(0.4, 0.605, (0.0, v))}), "rail")
    check("K11", 0.635 - hit["before"]["0"]["pos"][1])


def travel(v):
    """Way along the long axis from the head rail, in table lengths."""
    start = -1.27 + TOUCH
    result = pose(
        {"0": ball(start, 0.0, (v, 0.0), rolling(v))}, table={"preset": "9ft", "pockets": "none"}
    )
    turns = [e["before"]["0"]["pos"][0] for e in events(result, "rail")]
    places = [start, *turns, result["final"]["0"]["pos"][0]]
    return sum(abs(b - a) for a, b in itertools.pairwise(places)) / 2.54


def test_k12_how_many_lengths_a_ball_runs():
    check("K12", [travel(v) for v in (1.341, 3.129, 5.364, 8.941)])


def test_k13_a_ball_does_not_hop_off_the_rail():
    times = [i / 1000 for i in range(300)]
    for stun in (True, False):
        for v in (1.0, 2.0, 3.0):
            result = bank(0.0, v, stun=stun, sample_at=times)
            check("K13", max(s["balls"]["0"]["pos"][2] for s in result["samples"]) - R)


def struck(tip, **cue):
    """The cue ball as a level stroke at 2 m/s leaves it."""
    result = pose(
        {"0": ball(0.0, 0.0)},
        table="unbounded",
        cue={"mass": 0.5386, "e_tip": 0.75, **cue},
        strike={"speed": 2.0, "heading_deg": 0.0, "tip": tip},
    )
    return first(result, "cue_strike")["after"]["0"]


def test_s01_speed_and_spin_of_a_stroke():
    states = [struck([0.0, b]) for b in (0.0, 0.4, -0.5)]
    check("S01", [[speed(s), R * s["spin"][1] / speed(s)] for s in states])


def test_s02_squirt():
    states = [struck([a, 0.0], end_mass_ratio=end) for end in (20, 30) for a in (0.25, 0.5)]
    check("S02", [math.degrees(math.atan2(s["vel"][1], s["vel"][0])) for s in states])


def test_s04_a_ball_in_the_air():
    result = pose(
        {"0": ball(0.0, 0.0, (1.0, 0.0, 1.0))}, table="unbounded", sample_at=[1.0 / G]
    )  # fmt: skip
    landing = first(result, "bed_bounce")
    apex = result["samples"][0]["balls"]["0"]
    assert apex["state"] == "air"
    check("S04", [apex["pos"][2] - R, landing["at"], landing["before"]["0"]["pos"][0]])
