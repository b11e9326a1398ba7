"""Targets R, P and D: breaks, pockets, and that no ball is ever lost (REFERENCES 6 and 8)."""

import json
import math
import random
import subprocess
import sys
from pathlib import Path

from benchmarks.figures.posing import (
    R,
    ball,
    events,
    first,
    motion_energy,
    pose,
    rolling,
)
from physics.breaks import play_breaks
from physics.case import run_case
from physics.rack import stand
from physics.table import TABLES
from shared_rules.events import POCKETS

NINE_FOOT = TABLES["9ft"]
INCH = 0.0254


def r01():
    """Asymmetry of a square break, 5 ms after the first contact."""
    rack = {"discipline": "eight_ball", "seed": 1, "gap": 0.0}
    cue = {"0": ball(0.635 - 2 * R - 1e-3, 0.0, (8.0, 0.0))}
    hit = first(pose(cue, rack=rack), "ball_ball")["at"]
    result = pose(cue, ("cut",), rack=rack, until=hit + 5e-3, sample_at=[hit + 5e-3])
    states, worst = result["samples"][0]["balls"], 0.0
    for row in stand("eight_ball", 1, 0.0, NINE_FOOT).rows:
        for left, right in zip(row, reversed(row), strict=True):
            a, b = states[str(left)]["vel"], states[str(right)]["vel"]
            worst = max(worst, math.hypot(a[0] - b[0], a[1] + b[1]) / 8.0)
    return max(worst, abs(states["0"]["vel"][1]) / 8.0)


def r02(discipline="nine_ball"):
    """A break: largest energy over the cue ball's, and change of momentum before a rail."""
    rack = {"discipline": discipline, "seed": 3, "gap": 4e-5}
    result = pose({"0": ball(-0.635, 0.0, (10.0, 0.02))}, rack=rack)
    hit = first(result, "ball_ball")
    rail = first(result, "rail")["at"]
    energy = motion_energy([hit["before"]["0"]])
    changed, seen = [0.0, 0.0], set()
    for e in events(result, "ball_ball"):
        if e["at"] > rail:
            break
        for name in e["before"]:
            # Contacts of one round each show a ball before and after the whole: count it once.
            if (e["round"], e["at"], name) not in seen:
                seen.add((e["round"], e["at"], name))
                for k in (0, 1):
                    changed[k] += e["after"][name]["vel"][k] - e["before"][name]["vel"][k]
    times = [hit["at"] + i * 1e-4 for i in range(1, 600)]
    sampled = pose({"0": ball(-0.635, 0.0, (10.0, 0.02))}, rack=rack, sample_at=times)["samples"]
    largest = max(motion_energy(s["balls"].values()) for s in sampled)
    return [largest / energy, math.hypot(*changed) / 10.0]


def r04(n=200):
    """Object balls a nine-ball break, and the share of dry breaks."""
    breaks = play_breaks("nine_ball", n)
    return [breaks.mean, breaks.dry]


def axis(pocket):
    """Middle of a pocket's mouth and the unit vector into it."""
    end, _, side = pocket.partition("_")
    y = 1.0 if side == "left" else -1.0
    if end == "side":
        return (0.0, 0.635 * y), (0.0, y)
    x = 1.0 if end == "foot" else -1.0
    inset = 0.5 * NINE_FOOT.corner_mouth * math.sqrt(0.5)
    return (x * (1.27 - inset), y * (0.635 - inset)), (x * math.sqrt(0.5), y * math.sqrt(0.5))


def p01():
    """Whether a ball down the axis of each pocket falls."""
    fallen = []
    for pocket in POCKETS:
        (mx, my), (ax, ay) = axis(pocket)
        result = pose({"0": ball(mx - 0.5 * ax, my - 0.5 * ay, (ax, ay), rolling(ax, ay))})
        fallen.append(float(result["final"]["0"].get("pocket") == pocket))
    return fallen


#: TP 3.6's critical angle, from which its slow windows admit balls off the near rail.
NOSE_FIRST_DEG = 38.558


def offsets_that_drop(pocket, degrees, table, v=0.5, step=1):
    """Offsets (mm) of the parallel lines, ``step`` mm apart, on which a rolling ball drops.

    A ball that meets a nose before the pocket is a bank and not counted, unless it comes at more
    than NOSE_FIRST_DEG off a corner's axis, so within 6.4 of the rail: there TP 3.6 counts it.
    """
    (mx, my), (ax, ay) = axis(pocket)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    dx, dy = ax * c - ay * s, ax * s + ay * c
    dropped = []
    for mm in range(-70, 71, step):
        x, y = mx - 0.5 * dx - mm * 1e-3 * dy, my - 0.5 * dy + mm * 1e-3 * dx
        # A line that would start inside a rail can't be played.
        if abs(x) > 1.27 - 0.02752 or abs(y) > 0.635 - 0.02752:
            continue
        shot = {"0": ball(x, y, (v * dx, v * dy), rolling(v * dx, v * dy))}
        result = pose(shot, table=table)
        met = events(result, "rail", "jaw", "pocketed")
        bank = bool(met) and met[0]["t"] == "rail" and degrees < NOSE_FIRST_DEG
        if result["final"]["0"].get("pocket") == pocket and not bank:
            dropped.append(mm)
    return dropped


CORNER_TABLE = {"preset": "9ft", "corner_mouth": 4.5875 * INCH}
SIDE_TABLE = {"preset": "9ft", "side_mouth": 5.0625 * INCH}


def corner_window(degrees, v=0.5, step=1):
    """Width of a corner pocket's window, m."""
    return len(offsets_that_drop("foot_left", degrees, CORNER_TABLE, v, step)) * step * 1e-3


def side_window(degrees, v=0.5, step=1):
    """Width of a side pocket's window, m."""
    return len(offsets_that_drop("side_left", degrees, SIDE_TABLE, v, step)) * step * 1e-3


def p02():
    """Slow windows of a corner pocket."""
    return [corner_window(a) for a in (0.0, 20.0, 30.0, 43.0)]


def p04():
    """Slow windows of a side pocket."""
    return [side_window(a) for a in (0.0, 30.0, 50.0)]


def p07(n=150):
    """Balls of ``n`` random shots that end nowhere."""
    draw, lost = random.Random(7), 0
    for _ in range(n):
        spots, count = [], draw.randint(2, 16)
        while len(spots) < count:
            spot = (draw.uniform(-1.2, 1.2), draw.uniform(-0.57, 0.57))
            if all(math.dist(spot, other) > 2.01 * R for other in spots):
                spots.append(spot)
        balls = {str(i): ball(*spot) for i, spot in enumerate(spots)}
        h, v = draw.uniform(0, 2 * math.pi), 13.0 * math.sqrt(draw.random())
        balls["0"] |= {"vel": [v * math.cos(h), v * math.sin(h), 0.0],
                       "spin": [draw.uniform(-150, 150) for _ in range(3)]}  # fmt: skip
        result = pose(balls)
        for state in result["final"].values():
            x, y, z = state["pos"]
            fine = all(math.isfinite(k) for k in (x, y, z, *state["vel"], *state["spin"]))
            if state["state"] == "rest":
                # On the bed, or hanging on a shelf between the jaws.
                fine = fine and abs(z - R) < 1e-9 and abs(x) < 1.32 and abs(y) < 0.69
            lost += not fine
    return lost


BREAK = {
    "id": "break",
    "rack": {"discipline": "nine_ball", "seed": 7, "gap": 5e-5, "cue_ball": [-0.635, 0.02]},
    "strike": {"speed": 7.5, "heading_deg": -1.2, "tip": [0.1, 0.2]},
    "sample_at": [0.5, 1.0, 2.5],
}
LAG = {
    "id": "lag",
    "balls": {"LA": {"pos": [-0.635, 0.3]}, "LB": {"pos": [-0.635, -0.3]}},
    "strike": [
        {"ball": "LA", "speed": 1.6, "heading_deg": 0.4},
        {"ball": "LB", "speed": 1.7, "heading_deg": -0.3, "tip": [0.1, 0.1], "at": 0.35},
    ],
}


def digits(result):
    """The result as text, without the one field that may differ."""
    return json.dumps({k: v for k, v in result.items() if k != "wall_ms"}, sort_keys=True)


def other_shots(n):
    """``n`` shots that have nothing to do with those that are compared."""
    for i in range(n):
        yield {
            "id": f"other {i}",
            "balls": {
                "0": {"pos": [0.0, 0.1]},
                "1": {"pos": [0.3, 0.1]},
                "2": {"pos": [0.0, -0.3]},
            },
            "strike": {"speed": 1.0 + 0.05 * i, "heading_deg": 360.0 * i / n, "tip": [0.2, -0.2]},
        }


def d01(others=100):
    """Shots whose digits differ: once more, after other shots, in another process."""
    shots = [BREAK, LAG]
    alone = [digits(run_case(s)) for s in shots]
    again = [digits(run_case(s)) for s in shots]
    for shot in other_shots(others):
        run_case(shot)
    later = [digits(run_case(s)) for s in reversed(shots)][::-1]
    script = (
        "import json, sys; from physics.case import run_lines\n"
        "for r in run_lines(sys.stdin):\n"
        "    r.pop('wall_ms'); print(json.dumps(r, sort_keys=True))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        input="".join(json.dumps(s) + "\n" for s in shots),
        cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    elsewhere = done.stdout.splitlines()
    return sum(
        a != b for other in (again, later, elsewhere) for a, b in zip(alone, other, strict=True)
    )
