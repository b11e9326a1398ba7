"""What holds in any shot: energy, momentum, symmetry.  ``HEADSTRING_SOAK=1`` plays many more."""

import itertools
import math
import os
import random

import pytest

from benchmarks.figures.balls import mirrored, random_layout, turned
from tests.physics.posing import G, M, R, ball, events, pose

SOAK = os.environ.get("HEADSTRING_SOAK") == "1"
SHOTS = 1000 if SOAK else 40


def layouts(seed):
    """Random layouts, some of them in the air and some of clusters."""
    draw = random.Random(seed)
    for number in range(SHOTS):
        balls = random_layout(draw, draw.randint(2, 10))
        if number % 4 == 1:
            balls["0"]["vel"][2] = draw.uniform(0.3, 2.0)
        if number % 4 == 3:
            at, way = balls["1"]["pos"], draw.uniform(0.0, 2 * math.pi)
            spot = (at[0] + 2 * R * math.cos(way), at[1] + 2 * R * math.sin(way))
            others = [b["pos"] for name, b in balls.items() if name not in ("1", "15")]
            clear = all(math.dist(spot, p[:2]) > 2 * R + 1e-6 for p in others)
            if clear and abs(spot[0]) < 1.2 and abs(spot[1]) < 0.58:
                balls["15"] = ball(*spot)
        yield draw, balls


def energies(states, mass=M, radius=R):
    """Kinetic energy and height of every ball that is still there."""
    total = 0.0
    for s in states:
        total += 0.5 * mass * sum(v * v for v in s["vel"])
        total += 0.2 * mass * radius * radius * sum(w * w for w in s["spin"])
        total += mass * G * s["pos"][2]
    return total


def rounds(result, *kinds):
    """States before and after of all balls of each round, each ball once."""
    keyed = itertools.groupby(events(result, *kinds), key=lambda e: (e["at"], e["round"]))
    for _, contacts in keyed:
        before, after = {}, {}
        for contact in contacts:
            before |= contact["before"]
            after |= contact["after"]
        yield before, after


def test_energy_never_rises():
    for _, balls in layouts(1):
        times = [0.02 * i for i in range(150)]
        result = pose(balls, ("ok", "cut"), until=20.0, sample_at=times)
        totals = [energies(s["balls"].values()) for s in result["samples"]]
        for (a, b), sample in zip(itertools.pairwise(totals), result["samples"], strict=False):
            # Over the edge of a pocket the pieces are chords of an integrated path.
            tipping = [
                s for s in sample["balls"].values() if s["state"] == "air" and s["pos"][2] < R
            ]
            assert b <= a + 1e-9 * totals[0] + 0.01 * energies(tipping)


def test_no_round_of_contacts_gives_energy():
    for _, balls in layouts(2):
        result = pose(balls, ("ok", "cut"), until=20.0)
        for kinds in (("ball_ball",), ("rail", "jaw"), ("bed_bounce",), ("rail_top",)):
            for before, after in rounds(result, *kinds):
                was = energies(before.values())
                assert energies(after.values()) <= was * (1 + 1e-12) + 1e-15


@pytest.mark.parametrize("preset", ["9ft", "uk7ft"])
def test_rounds_of_balls_keep_momentum(preset):
    """Also of balls of different masses and radii: the UK cue ball is smaller."""
    mass = {"9ft": (M, M), "uk7ft": (0.116, 0.094)}[preset]
    draw = random.Random(3)
    for _ in range(SHOTS):
        rack = {"discipline": "eight_ball", "seed": draw.getrandbits(30),
                "gap": draw.choice([0.0, 2e-5, 1e-4]), "cue_ball": [-0.4, 0.0]}  # fmt: skip
        strike = {"speed": draw.uniform(2.0, 8.0), "heading_deg": draw.uniform(-1.5, 1.5)}
        result = pose(rack=rack, strike=strike, table=preset, until=1.0, status=("ok", "cut"))
        for before, after in rounds(result, "ball_ball"):
            total = [
                sum(mass[name == "0"] * s["vel"][k] for name, s in states.items())
                for states in (before, after)
                for k in (0, 1)
            ]
            taken = by_the_bed(before, after, mass) if preset == "uk7ft" else 0.0
            assert total[:2] == pytest.approx(total[2:], abs=1e-13 + taken)


def by_the_bed(before, after, mass):
    """What the bed's friction may take (kg m/s) where balls of two sizes lean on each other.

    The smaller ball's tap has a part downwards, by the slant between their middles, and where it
    is no hit the bed bears that with friction.
    """
    if len(before) != 2 or "0" not in before:
        return 0.0
    a, b = before.values()
    apart = [a["pos"][k] - b["pos"][k] for k in range(3)]
    closing = sum(apart[k] * (b["vel"][k] - a["vel"][k]) for k in range(3)) / math.hypot(*apart)
    if closing > 1e-3:
        return 0.0
    tapped = mass[1] * math.dist(before["0"]["vel"], after["0"]["vel"])
    return 0.2 * abs(apart[2]) / math.hypot(*apart) * tapped


def after_hits(balls, hits):
    """When the layout has had its ``hits``-th collision, or 1 s."""
    found = events(pose(balls, ("ok", "cut"), until=3.0), "ball_ball")
    return found[min(hits, len(found)) - 1]["at"] if found else 1.0


def test_mirrored_layouts_run_mirrored():
    """In the long axis, up to the third collision: beyond, the last digits grow without bound."""
    worst = 0.0
    for _, balls in layouts(4):
        at = [after_hits(balls, 3)]
        plain, other = (
            pose(b, ("ok", "cut"), until=3.0, sample_at=at)["samples"][0]["balls"]
            for b in (balls, mirrored(balls))
        )
        for name, state in plain.items():
            x, y, z = other[name]["pos"]
            worst = max(worst, math.dist(state["pos"], (x, -y, z)))
    assert worst < 1e-5


def test_turned_layouts_run_turned_to_the_last_event():
    for _, balls in layouts(5):
        plain, other = (pose(b, ("ok", "cut"), until=20.0) for b in (balls, turned(balls)))
        contacts = ("ball_ball", "rail", "jaw", "pocketed", "bed_bounce")
        assert len(events(plain, *contacts)) == len(events(other, *contacts))
        for name, state in plain["final"].items():
            x, y, z = other["final"][name]["pos"]
            assert math.dist(state["pos"], (-x, -y, z)) < 1e-6


def test_the_order_of_the_balls_changes_no_digit():
    for draw, balls in layouts(6):
        names = list(balls)
        draw.shuffle(names)
        plain, other = (
            pose(b, ("ok", "cut"), until=20.0) for b in (balls, {n: balls[n] for n in names})
        )
        assert plain["final"] == other["final"]
        assert plain["events"] == other["events"]
