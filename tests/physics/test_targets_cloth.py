"""Targets A: a ball on the cloth (REFERENCES 2), through the door of ``headstring simulate``."""

import itertools
import math
import random

from tests.physics.posing import R, ball, check, events, first, motion_energy, pose, rolling, speed


def lone(vel, spin=(0.0, 0.0, 0.0), **keys):
    return pose({"0": ball(0.0, 0.0, vel, spin)}, table="unbounded", **keys)


def onset(result):
    event = first(result, "roll_onset")
    return event["at"], event["after"]["0"]


def test_a01_a02_a03_stun_ball_at_roll_onset():
    at, state = onset(lone((2.0, 0.0)))
    check("A01", speed(state))
    check("A02", state["pos"][0])
    check("A03", at)


def test_a05_rolling_ball_stops():
    result = lone((1.0, 0.0), rolling(1.0))
    check("A05", result["final"]["0"]["pos"][0])
    assert not events(result, "roll_onset")


def test_a06_whole_way_of_a_stun_ball():
    check("A06", lone((1.0, 0.0))["final"]["0"]["pos"][0])


def test_a08_hard_draw_turns_round():
    result = lone((1.0, 0.0), (0.0, -3.0 / R, 0.0), sample_at=[i / 1000 for i in range(700)])
    furthest = max(s["balls"]["0"]["pos"][0] for s in result["samples"])
    _, state = onset(result)
    check("A08", [furthest, state["pos"][0], state["vel"][0]])


def test_a09_overspin_speeds_a_ball_up():
    _, state = onset(lone((2.0, 0.0), (0.0, 4.0 / R, 0.0)))
    check("A09", [state["pos"][0], speed(state)])


def test_a11_side_alone_does_not_curve_a_ball():
    result = lone((2.0, 0.0), (0.0, 0.0, 60.0), sample_at=[i / 100 for i in range(150)])
    ways = [s["balls"]["0"]["pos"] for s in result["samples"]]
    assert max(x for x, _, _ in ways) > 1.5
    check("A11", max(abs(y) for x, y, _ in ways))


def test_a12_spin_on_the_spot_dies():
    result = lone((0.0, 0.0), (0.0, 0.0, 20.0), sample_at=[1.0])
    check("A12", result["duration"])
    assert result["samples"][0]["balls"]["0"]["state"] == "spin"
    assert result["final"]["0"]["pos"][:2] == [0.0, 0.0]


def test_a13_one_length_takes_its_time():
    v = math.sqrt(2 * 0.01 * 9.81 * 2.54)
    result = lone((v, 0.0), rolling(v))
    check("A13", result["duration"])
    assert abs(result["final"]["0"]["pos"][0] - 2.54) < 1e-9


def test_a14_the_cloth_never_gives_energy():
    draw = random.Random(14)
    for _ in range(200):
        v, w = 12.0 * draw.random(), [draw.uniform(-230.0, 230.0) for _ in range(3)]
        h = draw.uniform(0.0, 2 * math.pi)
        times = sorted(draw.uniform(0.0, 8.0) for _ in range(30))
        start = ball(0.0, 0.0, (v * math.cos(h), v * math.sin(h)), w)
        result = pose({"0": start}, ("ok", "cut"), table="unbounded", sample_at=times)
        energies = [motion_energy([{**start, "pos": [0, 0, R]}])]
        energies += [motion_energy([s["balls"]["0"]]) for s in result["samples"]]
        gains = [b - a for a, b in itertools.pairwise(energies)]
        check("A14", max(gains) / energies[0])


def test_a15_the_cloth_is_the_same_in_every_direction():
    slides, totals = [], []
    for degrees in range(0, 360, 15):
        h = math.radians(degrees)
        result = lone((2.0 * math.cos(h), 2.0 * math.sin(h)))
        slides.append(math.hypot(*onset(result)[1]["pos"][:2]))
        totals.append(math.hypot(*result["final"]["0"]["pos"][:2]))
    for ways in (slides, totals):
        check("A15", (max(ways) - min(ways)) / (sum(ways) / len(ways)))


def test_a16_a_tight_rack_stays_where_it_is():
    rack = {"discipline": "eight_ball", "seed": 1, "gap": 0.0, "cue_ball": [-0.635, 0.0]}
    result = pose(rack=rack, sample_at=[0.0, 10.0])
    before, after = (s["balls"] for s in result["samples"])
    check("A16", max(math.dist(before[b]["pos"], after[b]["pos"]) for b in before))
    assert len(before) == 16
    assert [e["t"] for e in result["events"]] == ["rest"]
