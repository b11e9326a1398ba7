"""Targets A: a ball on the cloth (REFERENCES 2)."""

import itertools
import math
import random

from benchmarks.figures.posing import R, ball, first, motion_energy, pose, rolling, speed


def lone(vel, spin=(0.0, 0.0, 0.0), **keys):
    """A ball by itself on a bed without rails."""
    return pose({"0": ball(0.0, 0.0, vel, spin)}, table="unbounded", **keys)


def onset(result):
    """When the ball begins to roll, and its state then."""
    event = first(result, "roll_onset")
    return event["at"], event["after"]["0"]


def a01():
    """Speed of a stun ball at roll onset."""
    return speed(onset(lone((2.0, 0.0)))[1])


def a02():
    """Way of a stun ball to roll onset."""
    return onset(lone((2.0, 0.0)))[1]["pos"][0]


def a03():
    """Time of a stun ball to roll onset."""
    return onset(lone((2.0, 0.0)))[0]


def a05():
    """Way of a rolling ball to rest."""
    return lone((1.0, 0.0), rolling(1.0))["final"]["0"]["pos"][0]


def a06():
    """Way of a stun ball to rest."""
    return lone((1.0, 0.0))["final"]["0"]["pos"][0]


def a08():
    """Hard draw: furthest x, x and speed at roll onset."""
    result = lone((1.0, 0.0), (0.0, -3.0 / R, 0.0), sample_at=[i / 1000 for i in range(700)])
    furthest = max(s["balls"]["0"]["pos"][0] for s in result["samples"])
    _, state = onset(result)
    return [furthest, state["pos"][0], state["vel"][0]]


def a09():
    """Overspin: way and speed at roll onset."""
    _, state = onset(lone((2.0, 0.0), (0.0, 4.0 / R, 0.0)))
    return [state["pos"][0], speed(state)]


def a11():
    """How far side spin alone carries a ball aside in its first 1.5 m."""
    result = lone((2.0, 0.0), (0.0, 0.0, 60.0), sample_at=[i / 100 for i in range(150)])
    ways = [s["balls"]["0"]["pos"] for s in result["samples"]]
    if max(x for x, _, _ in ways) < 1.5:
        raise ValueError("the ball did not come 1.5 m far")
    return max(abs(y) for x, y, _ in ways)


def a12():
    """Time until spin on the spot is gone."""
    return lone((0.0, 0.0), (0.0, 0.0, 20.0))["duration"]


def a13():
    """Time of a rolling ball for one length of a 9-ft table."""
    v = math.sqrt(2 * 0.01 * 9.81 * 2.54)
    return lone((v, 0.0), rolling(v))["duration"]


def a14(n=200):
    """Largest relative gain of energy of ``n`` random balls, at 30 random times each."""
    draw, worst = random.Random(14), -math.inf
    for _ in range(n):
        v, w = 12.0 * draw.random(), [draw.uniform(-230.0, 230.0) for _ in range(3)]
        h = draw.uniform(0.0, 2 * math.pi)
        times = sorted(draw.uniform(0.0, 8.0) for _ in range(30))
        start = ball(0.0, 0.0, (v * math.cos(h), v * math.sin(h)), w)
        result = pose({"0": start}, ("ok", "cut"), table="unbounded", sample_at=times)
        energies = [motion_energy([{**start, "pos": [0, 0, R]}])]
        energies += [motion_energy([s["balls"]["0"]]) for s in result["samples"]]
        gained = max(b - a for a, b in itertools.pairwise(energies))
        worst = max(worst, gained / energies[0])
    return worst


def a15():
    """Spread of slide and of total way over the headings."""
    slides, totals = [], []
    for degrees in range(0, 360, 15):
        h = math.radians(degrees)
        result = lone((2.0 * math.cos(h), 2.0 * math.sin(h)))
        slides.append(math.hypot(*onset(result)[1]["pos"][:2]))
        totals.append(math.hypot(*result["final"]["0"]["pos"][:2]))
    return [(max(ways) - min(ways)) / (sum(ways) / len(ways)) for ways in (slides, totals)]


def a16():
    """How far the balls of a tight rack creep in ten seconds."""
    rack = {"discipline": "eight_ball", "seed": 1, "gap": 0.0, "cue_ball": [-0.635, 0.0]}
    result = pose(rack=rack, sample_at=[0.0, 10.0])
    before, after = (s["balls"] for s in result["samples"])
    return max(math.dist(before[b]["pos"], after[b]["pos"]) for b in before)
