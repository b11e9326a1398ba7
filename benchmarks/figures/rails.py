"""Targets K and S: rails, the stroke and the air (REFERENCES 4 and 5)."""

import itertools
import math
import random

from benchmarks.figures.posing import (
    G,
    R,
    ball,
    events,
    first,
    motion_energy,
    pose,
    rolling,
    speed,
)

#: Horizontal distance of a ball's centre from the nose line at contact, m.
TOUCH = math.sqrt(R * R - (0.03629025 - R) ** 2)
ANGLES = (15.0, 30.0, 45.0, 60.0)
LENGTH_SPEEDS = (1.341, 3.129, 5.364, 8.941)


def bank(degrees, v, top=1.0, side=0.0, spin=None, **keys):
    """A ball at the left rail of a 9-ft table, ``degrees`` off its normal, towards the foot.

    ``top`` is ``R w / v`` of its roll (1 rolls, 0 stun, negative draw), ``side`` is ``R wz / v``,
    positive where it runs; ``spin`` in rad/s takes the place of both.
    """
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    vel = (v * s, v * c)
    if spin is None:
        wx, wy, _ = rolling(*vel)
        spin = (top * wx, top * wy, side * v / R)
    return pose({"0": ball(0.45, 0.635 - TOUCH, vel, spin)}, **keys)


def off_normal(state):
    """Direction off the left rail's normal, degrees, running positive."""
    return math.degrees(math.atan2(state["vel"][0], -state["vel"][1]))


def rolled(result):
    """The ball once it rolls again after the rail."""
    hit = first(result, "rail")["at"]
    return next(e["after"]["0"] for e in events(result, "roll_onset") if e["at"] >= hit)


def rebound(v, top=1.0):
    """Speed right after a square hit over that before."""
    hit = first(bank(0.0, v, top), "rail")
    return speed(hit["after"]["0"]) / speed(hit["before"]["0"])


def k01():
    """Rebound of a rolling ball, square on."""
    return [rebound(v) for v in (1.0, 2.0, 3.0)]


def k02():
    """Speed once it rolls again."""
    return speed(rolled(bank(0.0, 1.5))) / 1.5


def k03():
    """Directions of stun banks."""
    return [off_normal(rolled(bank(a, 1.5, top=0.0))) for a in ANGLES]


def k04():
    """Directions of rolling banks."""
    return [off_normal(rolled(bank(a, 1.5))) for a in ANGLES]


def k07():
    """Running english that the rail gives."""
    hits = [first(bank(a, 1.5, top=0.0), "rail")["after"]["0"] for a in (30.0, 60.0)]
    return [R * s["spin"][2] / 1.5 for s in hits]


def k10(n=500):
    """Largest relative gain of energy of random rail hits."""
    draw, worst = random.Random(10), -1.0
    for _ in range(n):
        spin = [draw.uniform(-200, 200) for _ in range(3)]
        result = bank(draw.uniform(-85, 85), draw.uniform(0.05, 8.0), spin=spin, until=1e-6,
                      status=("ok", "cut"))  # fmt: skip
        hit = first(result, "rail")
        before, after = (motion_energy(hit[k].values()) for k in ("before", "after"))
        worst = max(worst, (after - before) / before)
    return worst


def k11(v=1.0):
    """Distance of centre and nose line at contact."""
    hit = first(pose({"0": ball(0.4, 0.605, (0.0, v))}), "rail")
    return 0.635 - hit["before"]["0"]["pos"][1]


def travel(v, start=-1.27 + TOUCH, top=1.0, **keys):
    """Way along the long axis from ``start`` towards the foot, in table lengths."""
    result = pose(
        {"0": ball(start, 0.0, (v, 0.0), (0.0, top * v / R, 0.0))},
        table={"preset": "9ft", "pockets": "none"},
        **keys,
    )
    turns = [e["before"]["0"]["pos"][0] for e in events(result, "rail")]
    places = [start, *turns, result["final"]["0"]["pos"][0]]
    return sum(abs(b - a) for a, b in itertools.pairwise(places)) / 2.54


def k12():
    """Lengths that a ball runs."""
    return [travel(v) for v in LENGTH_SPEEDS]


def k13():
    """How high a ball hops off the rail."""
    times, highest = [i / 1000 for i in range(300)], 0.0
    for top in (0.0, 1.0):
        for v in (1.0, 2.0, 3.0):
            result = bank(0.0, v, top, sample_at=times)
            highest = max(highest, *(s["balls"]["0"]["pos"][2] - R for s in result["samples"]))
    return highest


def struck(tip, speed=2.0, elevation=0.0, **cue):
    """The cue ball as a stroke leaves it, and the rest of its run."""
    return pose(
        {"0": ball(0.0, 0.0)},
        table="unbounded",
        cue={"mass": 0.5386, "e_tip": 0.75, **cue},
        strike={"speed": speed, "heading_deg": 0.0, "tip": tip, "elevation_deg": elevation},
    )


def squirt(a, end_mass_ratio):
    """Deflection of the cue ball away from side ``a``, degrees."""
    state = first(struck([a, 0.0], end_mass_ratio=end_mass_ratio), "cue_strike")["after"]["0"]
    return math.degrees(math.atan2(state["vel"][1], state["vel"][0]))


def s01():
    """Speed and spin of a stroke."""
    states = [first(struck([0.0, b]), "cue_strike")["after"]["0"] for b in (0.0, 0.4, -0.5)]
    return [[speed(s), R * s["spin"][1] / speed(s)] for s in states]


def s02():
    """Squirt."""
    return [squirt(a, end) for end in (20, 30) for a in (0.25, 0.5)]


def s04():
    """Flight: apex, time and place of landing."""
    result = pose({"0": ball(0.0, 0.0, (1.0, 0.0, 1.0))}, table="unbounded", sample_at=[1.0 / G])
    landing = first(result, "bed_bounce")
    apex = result["samples"][0]["balls"]["0"]
    return [apex["pos"][2] - R, landing["at"], landing["before"]["0"]["pos"][0]]


def drift(degrees, v, top=1.0):
    """How far along the rail a ball has come when it is 1 m (normal) away from it again, m."""
    table = {"preset": "9ft", "length": 12.0, "width": 4.0, "pockets": "none"}
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    vel = (v * s, v * c)
    wx, wy, _ = rolling(*vel)
    start = ball(0.0, 2.0 - TOUCH, vel, (top * wx, top * wy, 0.0))
    times = [0.01 * i for i in range(600)]
    result = pose({"0": start}, ("ok", "cut"), table=table, sample_at=times, until=6.0)
    path = [s["balls"]["0"]["pos"] for s in result["samples"]]
    for (xa, ya, _), (xb, yb, _) in itertools.pairwise(path):
        goal = 2.0 - TOUCH - 1.0
        if yb <= goal:
            return xa + (xb - xa) * (ya - goal) / (ya - yb)
    raise LookupError("the ball stops within a metre of the rail")


def rolled_last(result):
    """The ball at its last roll onset."""
    return events(result, "roll_onset")[-1]["after"]["0"]
