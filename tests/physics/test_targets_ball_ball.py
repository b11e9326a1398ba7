"""Targets B: two balls and more (REFERENCES 3), through the door of ``headstring simulate``."""

import math
import random

import pytest

from tests.physics.posing import (
    R,
    angle_between,
    ball,
    check,
    cut_shot,
    events,
    first,
    heading,
    motion_energy,
    pose,
    rolling,
    speed,
    targets,
)

SMOOTH = {"e_ball": 1.0, "mu_ball": 0}


def after_hit(result):
    """Cue and object ball right after their first contact."""
    hit = first(result, "ball_ball")
    return hit["after"]["0"], hit["after"]["1"]


def rolled_out(result, name):
    """State at the last roll onset of a ball (its final direction), else after the hit."""
    found = [e for e in events(result, "roll_onset") if e["ball"] == name]
    return (found[-1] if found else first(result, "ball_ball"))["after"][name]


@pytest.mark.parametrize("v", [0.3, 1.0, 3.0, 10.0])
def test_b01_full_hit(v):
    cue, hit = after_hit(cut_shot(0.0, v))
    check("B01", [cue["vel"][0] / v, hit["vel"][0] / v])


@pytest.fixture(scope="module")
def random_hits():
    """300 hits of any cut and spin up to 10 m/s: the balls before and after."""
    draw, hits = random.Random(2), []
    for _ in range(300):
        phi = draw.uniform(-85.0, 85.0)
        spin = [draw.uniform(-200.0, 200.0) for _ in range(3)]
        result = cut_shot(phi, draw.uniform(0.05, 10.0), spin, until=1e-6)
        hit = first(result, "ball_ball")
        hits.append((list(hit["before"].values()), list(hit["after"].values())))
    return hits


def test_b02_hits_keep_momentum(random_hits):
    worst = 0.0
    for before, after in random_hits:
        p, q = ([sum(s["vel"][k] for s in states) for k in (0, 1)] for states in (before, after))
        worst = max(worst, math.dist(p, q) / math.hypot(*p))
    check("B02", worst)


def test_b03_hits_never_give_energy(random_hits):
    gains = [motion_energy(after) / motion_energy(before) - 1 for before, after in random_hits]
    check("B03", max(gains))


def test_b04_ninety_degrees():
    angles = []
    for phi in (15, 30, 45, 60, 75):
        cue, hit = after_hit(cut_shot(phi, 1.5, material=SMOOTH))
        angles.append(angle_between(heading(cue), heading(hit)))
    check("B04", angles)


def deflection(phi, v, **keys):
    result = cut_shot(phi, v, rolling(v), **keys)
    return abs(heading(rolled_out(result, "0")))


def test_b06_thirty_degrees():
    cuts = [math.degrees(math.asin(1 - f)) for f in (0.25, 0.5, 0.75)]
    for v in (0.8, 2.0, 5.0):
        check("B06", [deflection(phi, v, material=SMOOTH) for phi in cuts])


def test_b08_largest_deflection():
    found = [(deflection(phi, 1.5), phi) for phi in range(10, 61)]
    check("B08", list(max(found)))


def test_b09_square_follow():
    result = cut_shot(0.0, 1.5, rolling(1.5))
    check("B09", [rolled_out(result, b)["vel"][0] / 1.5 for b in ("0", "1")])


def test_b10_full_draw_comes_back():
    result = cut_shot(0.0, 2.0, (0.0, -2.0 / R, 0.0))
    check("B10", rolled_out(result, "0")["vel"][0] / 2.0)


def throw(phi, v, spin=(0.0, 0.0, 0.0)):
    """Throw towards the cue ball's travel, degrees."""
    return phi - heading(after_hit(cut_shot(phi, v, spin))[1])


def test_b12_throw_falls_with_speed():
    check("B12", [throw(30.0, v) for v in (0.447, 1.341, 3.129)])


def test_b14_follow_and_draw_throw_less():
    v = 1.341
    check("B14", [throw(30.0, v, (0.0, w / R, 0.0)) for w in (v, -v)])


def test_b15_gearing_english_takes_the_throw_away():
    found = []
    for phi in (15.0, 30.0, 45.0):
        spin = (0.0, 0.0, math.sin(math.radians(phi)) / R)
        found += [throw(phi, 1.0, spin), R * after_hit(cut_shot(phi, 1.0, spin))[1]["spin"][2]]
    check("B15", found[0::2])
    check("B15", found[1::2])


def test_b17_side_goes_over_reversed():
    found = []
    for v in (0.447, 1.341, 3.129):
        _, hit = after_hit(cut_shot(0.0, v, (0.0, 0.0, 0.5 * v / R)))
        found.append(R * hit["spin"][2] / v)
    check("B17", found)


def test_b18_speeds_of_a_half_cut():
    cue, hit = after_hit(cut_shot(45.0, 1.5))
    check("B18", [speed(cue) / 1.5, speed(hit) / 1.5])


def test_b19_snooker_balls_in_the_laboratory():
    r, target = 0.02625, targets()["B19"]
    shots = [(1.539, 33.83), (1.032, 26.36), (1.364, 40.52), (1.731, 46.50), (0.942, 18.05)]
    for (v, phi), want in zip(shots, target["expected"], strict=True):
        result = cut_shot(
            phi,
            v,
            rolling(v, radius=r),
            radius=r,
            ball={"radius": r, "mass": 0.1406},
            material={"mu_slide": 0.21, "e_ball": 0.95},
        )
        cue, hit = rolled_out(result, "0"), rolled_out(result, "1")
        relative = target["tolerance"]["rel"]
        assert speed(cue) == pytest.approx(want[0], rel=relative)
        assert speed(hit) == pytest.approx(want[1], rel=relative)
        assert abs(heading(cue)) == pytest.approx(want[2], abs=target["tolerance"]["abs_angle"])


@pytest.mark.parametrize("degrees", [0.0, 30.0, 90.0, 217.0])
def test_b20_three_frozen_balls_in_line(degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    line = {str(i): ball(2 * R * i * c, 2 * R * i * s) for i in range(3)}
    line["0"]["vel"] = [c, s, 0.0]
    result = pose(line, ("ok", "cut"), table="unbounded", material={"mu_slide": 1e-9},
                  until=1e-3, sample_at=[1e-3])  # fmt: skip
    states = result["samples"][0]["balls"]
    check("B20", [states[b]["vel"][0] * c + states[b]["vel"][1] * s for b in ("0", "1", "2")])


def random_layout(draw, n):
    """A cue ball with a speed and n-1 resting balls that don't overlap, on a 9-ft bed."""
    spots = []
    while len(spots) < n:
        spot = (draw.uniform(-1.2, 1.2), draw.uniform(-0.58, 0.58))
        if all(math.dist(spot, other) > 2.2 * R for other in spots):
            spots.append(spot)
    balls = {str(i): ball(*spot) for i, spot in enumerate(spots)}
    # Towards the nearest ball, a little off its centre.
    near = min(spots[1:], key=lambda p: math.dist(p, spots[0]))
    h = math.atan2(near[1] - spots[0][1], near[0] - spots[0][0]) + draw.uniform(-0.03, 0.03)
    v = draw.uniform(1.0, 7.0)
    balls["0"] |= {"vel": [v * math.cos(h), v * math.sin(h), 0.0],
                   "spin": [draw.uniform(-100, 100) for _ in range(3)]}  # fmt: skip
    return balls


def turned(balls):
    """The layout turned by 180 degrees."""
    return {
        name: {key: [-v[0], -v[1], *v[2:]] for key, v in state.items()}
        for name, state in balls.items()
    }


def test_b23_half_turn_and_order_change_nothing():
    draw, worst, collided = random.Random(23), 0.0, 0
    for _ in range(50):
        balls = random_layout(draw, draw.randint(3, 9))
        names = list(balls)
        draw.shuffle(names)
        plain = pose(balls)
        hits = events(plain, "ball_ball")
        at = [hits[min(2, len(hits) - 1)]["at"] if hits else 1.0]
        collided += len(hits) >= 3
        plain, other, shuffled = (
            pose(b, sample_at=at)["samples"][0]["balls"]
            for b in (balls, turned(balls), {name: balls[name] for name in names})
        )
        assert shuffled == {name: plain[name] for name in shuffled}
        for name, state in plain.items():
            x, y, _ = other[name]["pos"]
            worst = max(worst, math.dist(state["pos"][:2], (-x, -y)))
    check("B23", worst)
    assert collided >= 10
