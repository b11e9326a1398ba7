"""Posing shots through ``run_case`` and measuring what comes back.

The same door as ``headstring simulate``: nothing here reaches into the engine.
"""

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from physics.case import run_case

DATA = Path(__file__).parents[2] / "tests" / "data" / "physics"
R = 0.028575
M = 0.170097
G = 9.81
NOSE = 0.027514


@cache
def targets():
    """The acceptance targets by id."""
    return {t["id"]: t for t in json.loads((DATA / "targets.json").read_text())["targets"]}


@cache
def published():
    """The published tables that docs/physics.md shows, by name."""
    return json.loads((Path(__file__).parent / "published.json").read_text())


@cache
def field_cases():
    """The field cases by id: (case, must)."""
    lines = (DATA / "physics_cases.jsonl").read_text().splitlines()
    read = (json.loads(line) for line in lines if line.strip())
    return {c["case"]["id"]: c for c in read}


def pose(balls=None, status=("ok",), **keys):
    """Run a case and insist on its status.

    Raises:
        ValueError: it was refused, or ended otherwise than asked.
    """
    case = {"id": "posed", **keys}
    if balls is not None:
        case["balls"] = balls
    got = run_case(case)
    if got["status"] not in status:
        raise ValueError(got.get("message", got["status"]))
    return got


def ball(x, y, vel=None, spin=None, z=None):
    """A ball of a case."""
    out = {"pos": [x, y] if z is None else [x, y, z]}
    if vel is not None:
        out["vel"] = [*vel, 0.0][:3]
    if spin is not None:
        out["spin"] = list(spin)
    return out


def rolling(vx, vy=0.0, wz=0.0, radius=R):
    """Spin of a ball that rolls."""
    return (-vy / radius, vx / radius, wz)


def cut_shot(degrees, v, spin=(0.0, 0.0, 0.0), radius=R, **keys):
    """Cue ball along +x at contact with a resting ball, the line of centres at ``degrees``."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    balls = {
        "0": ball(-2 * radius * c, -2 * radius * s, (v, 0.0), spin),
        "1": ball(0.0, 0.0),
    }
    keys.setdefault("table", "unbounded")
    return pose(balls, ("ok", "cut"), **keys)


def events(result, *kinds):
    """Events of these kinds, in order."""
    return [e for e in result["events"] if e["t"] in kinds]


def first(result, kind, name=None):
    """First event of a kind (of a ball, where named)."""
    for e in result["events"]:
        if e["t"] == kind and (name is None or name in (e.get("ball"), e.get("a"), e.get("b"))):
            return e
    raise LookupError(f"no {kind} of {name}")


def speed(state):
    """Length of the velocity."""
    return math.hypot(*state["vel"])


def heading(state):
    """Direction of the velocity in the plane, degrees."""
    return math.degrees(math.atan2(state["vel"][1], state["vel"][0]))


def angle_between(a, b):
    """Angle between two directions in degrees, 0 to 180."""
    return abs((a - b + 180.0) % 360.0 - 180.0)


def energy(state, mass=M, radius=R):
    """Translation, rotation and height, J."""
    kinetic = 0.5 * mass * sum(v * v for v in state["vel"])
    turning = 0.2 * mass * radius * radius * sum(w * w for w in state["spin"])
    return kinetic + turning + mass * G * state["pos"][2]


def motion_energy(states, mass=M, radius=R):
    """Translation and rotation of all the states, J."""
    return sum(energy(s, mass, radius) - mass * G * s["pos"][2] for s in states)


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a target: what was asked, what came, and between what it must lie."""

    name: str
    value: float
    expected: float
    low: float
    high: float

    @property
    def met(self):
        """Whether the value lies within the bounds; nothing that isn't finite does."""
        return math.isfinite(self.value) and self.low <= self.value <= self.high


def judge(name, got):
    """The numbers ``got`` beside the target ``name``: exact and invariant ones ten times tighter.

    Raises:
        ValueError: there are more or fewer numbers than the target has.
    """
    target = targets()[name]
    tight = 0.1 if target["kind"] in ("exact", "invariant") else 1.0
    expected, tolerance = target["expected"], target["tolerance"]
    values, wanted = _flat(got), _flat(expected)
    if len(wanted) == 1 or len(values) == 1:
        # One number asked of each of several shots; or a single one within a range of models.
        wanted = wanted[:1] * len(values) if len(wanted) == 1 else [wanted[len(wanted) // 2]]
    if len(values) != len(wanted):
        raise ValueError(f"{name}: {got} for {expected}")
    figures = []
    for i, (value, want) in enumerate(zip(values, wanted, strict=True)):
        low, high = _bounds(tolerance, want, i, tight)
        figures.append(Figure(f"{name}[{i}]" if len(values) > 1 else name, value, want, low, high))
    return figures


def _bounds(tolerance, want, i, tight):
    def pick(value):
        return value[i % len(value)] if isinstance(value, list) else value

    if "equal" in tolerance:
        return want, want
    if "le" in tolerance:
        limit = pick(tolerance["le"])
        # A bound on a ratio near 1 is tightened in its distance from 1.
        return -math.inf, want + (limit - want) * tight
    if "range" in tolerance:
        spans = tolerance["range"]
        low, high = spans[i] if isinstance(spans[0], list) else spans
        return low, high
    if "abs_angle" in tolerance and i % 3 == 2:
        room = tolerance["abs_angle"]
    elif "abs" in tolerance:
        room = pick(tolerance["abs"]) * tight
    else:
        room = abs(want) * pick(tolerance["rel"]) * tight
    return want - room, want + room


def _flat(value):
    if isinstance(value, list | tuple):
        return [x for v in value for x in _flat(v)]
    return [float(value)]
