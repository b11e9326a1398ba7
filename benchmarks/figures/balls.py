"""Targets B: two balls and more (REFERENCES 3)."""

import math
import random
from functools import cache

from benchmarks.figures.posing import (
    R,
    angle_between,
    ball,
    cut_shot,
    events,
    first,
    heading,
    motion_energy,
    pose,
    rolling,
    speed,
)

SMOOTH = {"e_ball": 1.0, "mu_ball": 0}
SPEEDS = (0.447, 1.341, 3.129)


def after_hit(result):
    """Cue and object ball right after their first contact."""
    hit = first(result, "ball_ball")
    return hit["after"]["0"], hit["after"]["1"]


def rolled_out(result, name):
    """State at the last roll onset of a ball (its final direction), else after the hit."""
    found = [e for e in events(result, "roll_onset") if e["ball"] == name]
    return (found[-1] if found else first(result, "ball_ball"))["after"][name]


def deflection(phi, v, **keys):
    """Final deflection of a rolling cue ball, degrees."""
    return abs(heading(rolled_out(cut_shot(phi, v, rolling(v), **keys), "0")))


def separation(phi, v, **keys):
    """Angle between the two balls right after a stun hit, degrees."""
    cue, hit = after_hit(cut_shot(phi, v, until=1e-6, **keys))
    return angle_between(heading(cue), heading(hit))


def throw(phi, v, spin=(0.0, 0.0, 0.0)):
    """Throw of the object ball towards the cue ball's travel, degrees."""
    return phi - heading(after_hit(cut_shot(phi, v, spin, until=1e-6))[1])


def side_given(side, v):
    """Straight stun shot with side ``R wz / v``: throw in degrees and the object ball's side."""
    _, hit = after_hit(cut_shot(0.0, v, (0.0, 0.0, side * v / R), until=1e-6))
    return heading(hit), R * hit["spin"][2] / v


def b01():
    """Speeds after full hits."""
    pairs = []
    for v in (0.3, 1.0, 3.0, 10.0):
        cue, hit = after_hit(cut_shot(0.0, v))
        pairs.append((abs(cue["vel"][0] / v - 0.025), [cue["vel"][0] / v, hit["vel"][0] / v]))
    return max(pairs)[1]


@cache
def random_hits(n=300):
    """Hits of any cut and spin up to 10 m/s: the balls before and after."""
    draw, hits = random.Random(2), []
    for _ in range(n):
        phi = draw.uniform(-85.0, 85.0)
        spin = [draw.uniform(-200.0, 200.0) for _ in range(3)]
        result = cut_shot(phi, draw.uniform(0.05, 10.0), spin, until=1e-6)
        hit = first(result, "ball_ball")
        hits.append((list(hit["before"].values()), list(hit["after"].values())))
    return hits


def b02():
    """Largest relative change of momentum of random hits."""
    worst = 0.0
    for before, after in random_hits():
        p, q = ([sum(s["vel"][k] for s in states) for k in (0, 1)] for states in (before, after))
        worst = max(worst, math.dist(p, q) / math.hypot(*p))
    return worst


def b03():
    """Largest relative gain of energy of random hits."""
    return max(motion_energy(after) / motion_energy(before) - 1 for before, after in random_hits())


def b04():
    """Angles of separation of smooth, elastic balls."""
    return [separation(phi, 1.5, material=SMOOTH) for phi in (15, 30, 45, 60, 75)]


def b06(v=2.0):
    """Final deflections at a quarter, a half and three quarters of smooth, elastic balls."""
    cuts = [math.degrees(math.asin(1 - f)) for f in (0.25, 0.5, 0.75)]
    return [deflection(phi, v, material=SMOOTH) for phi in cuts]


def b08():
    """Largest final deflection and the cut at which it comes."""
    return list(max((deflection(phi, 1.5), phi) for phi in range(10, 61)))


def b09():
    """Full hit with follow: final speeds of both."""
    result = cut_shot(0.0, 1.5, rolling(1.5))
    return [rolled_out(result, b)["vel"][0] / 1.5 for b in ("0", "1")]


def b10():
    """Full hit with draw: the cue ball comes back."""
    result = cut_shot(0.0, 2.0, (0.0, -2.0 / R, 0.0))
    return rolled_out(result, "0")["vel"][0] / 2.0


def b12():
    """Throw at a half-ball hit at three speeds."""
    return [throw(30.0, v) for v in SPEEDS]


def b14():
    """Throw with roll and with draw."""
    v = 1.341
    return [throw(30.0, v, (0.0, w / R, 0.0)) for w in (v, -v)]


def b15():
    """Gearing english: the largest throw and side given, of three cuts (both should be nothing)."""
    found = []
    for phi in (15.0, 30.0, 45.0):
        spin = (0.0, 0.0, math.sin(math.radians(phi)) / R)
        given = R * after_hit(cut_shot(phi, 1.0, spin))[1]["spin"][2]
        found.append(max(throw(phi, 1.0, spin), given, key=abs))
    return found


def b17():
    """Side that a straight stun shot with side gives to the object ball."""
    return [side_given(0.5, v)[1] for v in SPEEDS]


def b18():
    """Speeds of a 45-degree cut."""
    cue, hit = after_hit(cut_shot(45.0, 1.5))
    return [speed(cue) / 1.5, speed(hit) / 1.5]


#: Mathavan 2009, table I: cue ball speed (m/s) and cut angle (deg).
MATHAVAN_SHOTS = ((1.539, 33.83), (1.032, 26.36), (1.364, 40.52), (1.731, 46.50), (0.942, 18.05))


def b19():
    """Five shots with snooker balls: speeds and the cue ball's direction after both slides."""
    r, found = 0.02625, []
    for v, phi in MATHAVAN_SHOTS:
        result = cut_shot(
            phi,
            v,
            rolling(v, radius=r),
            radius=r,
            ball={"radius": r, "mass": 0.1406},
            material={"mu_slide": 0.21, "e_ball": 0.95},
        )
        cue, hit = rolled_out(result, "0"), rolled_out(result, "1")
        found.append([speed(cue), speed(hit), abs(heading(cue))])
    return found


def frozen_line(n, degrees=0.0, **keys):
    """Speeds along a line of ``n`` touching balls, the first at 1 m/s, before the cloth acts."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    line = {str(i): ball(2 * R * i * c, 2 * R * i * s) for i in range(n)}
    line["0"]["vel"] = [c, s, 0.0]
    result = pose(line, ("ok", "cut"), table="unbounded",
                  material={"mu_slide": 1e-9, **keys}, until=1e-3, sample_at=[1e-3])  # fmt: skip
    states = result["samples"][0]["balls"]
    return [states[b]["vel"][0] * c + states[b]["vel"][1] * s for b in line]


def b20(degrees=0.0):
    """Three frozen balls in line."""
    return frozen_line(3, degrees)


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


def mirrored(balls):
    """The layout mirrored in the long axis: spin is an axial vector."""
    flip = {"pos": (1, -1, 1), "vel": (1, -1, 1), "spin": (-1, 1, -1)}
    return {
        name: {key: [a * b for a, b in zip(v, flip[key], strict=False)] for key, v in state.items()}
        for name, state in balls.items()
    }


def b23(n=50):
    """How far ``n`` layouts turned or in another order of the list part up to the 3rd collision."""
    draw, worst, collided = random.Random(23), 0.0, 0
    for _ in range(n):
        balls = random_layout(draw, draw.randint(3, 9))
        names = list(balls)
        draw.shuffle(names)
        hits = events(pose(balls), "ball_ball")
        at = [hits[min(2, len(hits) - 1)]["at"] if hits else 1.0]
        collided += len(hits) >= 3
        plain, other, shuffled = (
            pose(b, sample_at=at)["samples"][0]["balls"]
            for b in (balls, turned(balls), {name: balls[name] for name in names})
        )
        for name, state in plain.items():
            x, y, _ = other[name]["pos"]
            worst = max(worst, math.dist(state["pos"][:2], (-x, -y)))
            worst = max(worst, math.dist(state["pos"], shuffled[name]["pos"]))
    if collided < n / 5:
        raise ValueError("too few of the layouts collide to tell anything")
    return worst
