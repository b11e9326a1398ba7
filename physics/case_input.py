"""A case of ``headstring simulate`` as the engine takes it: every key read, bounded and defaulted.

The contract is the public one of ``docs/simulate.md``; the limits below are stated in refusals.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from physics.case_fields import CaseError, Fields, number, refuse_type, short
from physics.case_placing import check_placing
from physics.material import MarlowFriction, Material
from physics.outcome import TimedImpulse, World
from physics.rack import DISCIPLINES, MAX_GAP, MAX_SEED, stand
from physics.state import BallSpec, BallState, Motion, Vector
from physics.strike import (
    MAX_CUE_SPEED,
    MAX_ELEVATION_DEG,
    MAX_FOLLOW_THROUGH,
    CueSpec,
    Stroke,
    StrokeError,
    impulse_of,
)
from physics.table import TABLES, TableSpec
from shared_rules.balls import CUE, LAG_A, LAG_B, ball_name, ball_number

MAX_SPEED = 100.0
MAX_SPIN = 10_000.0
MAX_DISTANCE = 1000.0
MAX_UNTIL = 3600.0
MAX_SAMPLES = 10_000
MAX_ID = 200
DEFAULT_UNTIL = 120.0

KEYS = (
    "id", "table", "material", "ball", "cue_ball", "balls", "rack", "strike", "cue", "sample_at",
    "until",
)  # fmt: skip

# key: least, most, in m or degrees.
TABLE_LIMITS: dict[str, tuple[float, float]] = {
    "length": (0.5, 20.0), "width": (0.5, 20.0), "nose_height": (0.005, 0.2),
    "corner_mouth": (0.01, 0.3), "side_mouth": (0.01, 0.3),
    "corner_shelf": (0.0, 0.15), "side_shelf": (0.0, 0.15),
    "corner_angle_deg": (136.0, 170.0), "side_angle_deg": (91.0, 150.0),
}  # fmt: skip
# key: least, most, whether the least itself is refused.  At the least ``g`` a ball that goes up
# with MAX_SPEED is back after 4000 s; nothing is looked for further ahead than LONGEST_RUN.
MATERIAL_LIMITS: dict[str, tuple[float, float, bool]] = {
    "mu_slide": (0.0, 10.0, True), "mu_roll": (0.0, 1.0, True), "spin_decel": (0.0, 1e5, True),
    "e_ball": (0.0, 1.0, False), "e_cushion": (0.0, 1.0, False), "mu_cushion": (0.0, 2.0, False),
    "e_bed": (0.0, 0.95, False), "g": (0.05, 100.0, False),
}  # fmt: skip
BALL_LIMITS = {"radius": (0.005, 0.1), "mass": (0.01, 5.0)}
# A cue ball has at most so many times the measures of the others, and they of it.  Real ones differ
# by a tenth; a ball that is hundreds of times heavier drives others without end.
ALIKE_LIMITS = {"radius": 3.0, "mass": 30.0}
CUE_LIMITS: dict[str, tuple[float, float, bool]] = {
    "mass": (0.0, 5.0, True), "e_tip": (0.0, 1.0, False), "end_mass_ratio": (0.0, 1e4, False),
    "mu_tip": (0.0, 5.0, True),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Posed:
    """A case, read: what the engine gets, and what of the result is wanted."""

    id: str
    world: World
    states: tuple[BallState, ...]
    impulses: tuple[TimedImpulse, ...]
    sample_at: tuple[float, ...]
    until: float


def read_case(case: object) -> Posed:
    """Read a whole case.

    Raises:
        CaseError: anything missing, unknown, of the wrong type, not finite, out of range or
            overlapping.
    """
    fields = Fields(case, "")
    name = read_id(fields)
    fields.known(KEYS)
    world = World(
        _ball_overrides(fields, _table(fields)),
        _material(fields) if "material" in fields else Material(),
    )
    _check_table(world.table)
    states = _states(fields, world)
    check_placing(world, states)
    until = DEFAULT_UNTIL
    if "until" in fields:
        until = fields.number("until", 0.0, MAX_UNTIL, above=True)
    impulses = _impulses(fields, world, states, until)
    return Posed(name, world, states, impulses, _sample_at(fields), until)


def read_id(fields: Fields) -> str:
    """The case's ``id``."""
    value = fields.get("id")
    if not isinstance(value, str):
        refuse_type("id", "a string", value)
    if len(value) > MAX_ID:
        raise CaseError(
            "out_of_range", f"id has {len(value)} characters; the limit is {MAX_ID} characters"
        )
    return value


def _table(fields: Fields) -> TableSpec:
    value = fields.values.get("table", "9ft")
    if isinstance(value, str):
        return _preset(value, "table")
    own = Fields(value, "table")
    own.known(("preset", "pockets", *TABLE_LIMITS))
    table = TABLES["9ft"]
    if "preset" in own:
        table = _preset(own.choice("preset", TABLES), "table.preset")
    sizes = {k: own.number(k, *limits) for k, limits in TABLE_LIMITS.items() if k in own}
    table = replace(table, **sizes)  # type: ignore[arg-type]  # every one of them is a float
    if "pockets" not in own:
        return table
    pockets = own.choice("pockets", ("open", "none"))
    if pockets == "open":
        if not table.bounded:
            raise CaseError(
                "conflict", "table.pockets is 'open', but an unbounded bed has no rails"
            )
        return replace(table, pockets="open")
    return replace(table, pockets="none")


def _preset(name: str, path: str) -> TableSpec:
    if name not in TABLES:
        raise CaseError(
            "unknown_name", f"{path} is {short(name)}; it must be one of {', '.join(TABLES)}"
        )
    return TABLES[name]


def _ball_overrides(fields: Fields, table: TableSpec) -> TableSpec:
    """``ball`` is of all balls, ``cue_ball`` of the cue ball alone and so comes last."""
    for key in ("ball", "cue_ball"):
        if key not in fields:
            continue
        own = Fields(fields.get(key), key)
        own.known(BALL_LIMITS)
        changes = {k: own.number(k, *BALL_LIMITS[k]) for k in BALL_LIMITS if k in own}
        table = replace(table, cue_ball=replace(table.cue_ball, **changes))
        if key == "ball":
            table = replace(table, ball=replace(table.ball, **changes))
    for key, most in ALIKE_LIMITS.items():
        other = getattr(table.ball, key)
        place = f"cue_ball.{key} (beside balls of {other:g})"
        number(getattr(table.cue_ball, key), place, other / most, other * most)
    return table


def _check_table(table: TableSpec) -> None:
    """What only makes sense together: nose against the balls, mouths against balls and bed."""
    if not table.bounded:
        return
    for ball in (table.ball, table.cue_ball):
        low, high = 1.01 * ball.radius, 1.8 * ball.radius
        number(table.nose_height, "table.nose_height (for a ball of this radius)", low, high)
    if table.pockets == "none":
        return
    widest = 2.0 * max(table.ball.radius, table.cue_ball.radius)
    # Straight cushion must be left between the pockets, at least a ball of it.
    corner_room = (0.5 * table.length - widest - 0.5 * table.side_mouth) * math.sqrt(2.0)
    end_room = 0.5 * (table.width - widest) * math.sqrt(2.0)
    number(
        table.corner_mouth,
        "table.corner_mouth",
        widest,
        min(0.3, corner_room, end_room),
        above=True,
    )
    number(table.side_mouth, "table.side_mouth", widest, 0.3, above=True)


def _material(fields: Fields) -> Material:
    own = Fields(fields.get("material"), "material")
    own.known((*MATERIAL_LIMITS, "mu_ball"))
    values: dict[str, float] = {}
    for key, (low, high, above) in MATERIAL_LIMITS.items():
        if key in own:
            values[key] = own.number(key, low, high, above=above)
    material = replace(Material(), **values)  # type: ignore[arg-type]  # all of them floats
    if "mu_ball" not in own:
        return material
    value = own.get("mu_ball")
    if not isinstance(value, dict):
        if isinstance(value, bool) or not isinstance(value, int | float):
            refuse_type("material.mu_ball", "a number or an object of a, b and c", value)
        mu = number(value, "material.mu_ball", 0.0, 2.0)
        return replace(material, mu_ball=MarlowFriction.constant(mu))
    curve = Fields(value, "material.mu_ball")
    curve.known(("a", "b", "c"))
    a, b, c = (curve.number(k, 0.0, top) for k, top in (("a", 2.0), ("b", 2.0), ("c", 1000.0)))
    return replace(material, mu_ball=MarlowFriction(a, b, c))


def _states(fields: Fields, world: World) -> tuple[BallState, ...]:
    states: dict[int, BallState] = {}
    if "rack" in fields:
        states = _rack(Fields(fields.get("rack"), "rack"), world)
    elif "balls" not in fields:
        raise CaseError("missing", "balls is required, or rack")
    if "balls" in fields:
        balls = Fields(fields.get("balls"), "balls")
        for name, value in balls.values.items():
            ball = _ball(name, f"balls.{short(name)}")
            if ball in states:
                raise CaseError("conflict", f"ball {name} is both in balls and in rack")
            states[ball] = _state(ball, Fields(value, f"balls.{name}"), world)
    if not states:
        raise CaseError("missing", "balls must hold at least one ball")
    if states.keys() & {LAG_A, LAG_B} and states.keys() - {LAG_A, LAG_B}:
        raise CaseError("conflict", "balls holds LA or LB and others: in a lag there are no others")
    return tuple(states[ball] for ball in sorted(states))


def _ball(name: object, path: str) -> int:
    if not isinstance(name, str):
        refuse_type(path, "a string", name)
    try:
        ball = ball_number(name)
    except ValueError as error:
        raise CaseError(
            "unknown_name", f"{path} is no ball; balls are 0 to 15, or LA and LB in a lag"
        ) from error
    return ball


def _rack(own: Fields, world: World) -> dict[int, BallState]:
    own.known(("discipline", "seed", "gap", "cue_ball"))
    name = own.choice("discipline", DISCIPLINES)
    discipline = next(d for d in DISCIPLINES if d == name)
    seed = own.values.get("seed", 0)
    if isinstance(seed, bool) or not isinstance(seed, int):
        refuse_type("rack.seed", "an integer", seed)
    if not 0 <= seed <= MAX_SEED:
        raise CaseError(
            "out_of_range", f"rack.seed is {short(seed)}; the limits are 0 and {MAX_SEED}"
        )
    gap = own.number("gap", 0.0, MAX_GAP) if "gap" in own else 0.0
    states = {
        ball: _at_rest(ball, (x, y), world)
        for ball, (x, y) in stand(discipline, seed, gap, world.table).positions.items()
    }
    if "cue_ball" in own:
        states[CUE] = _at_rest(CUE, own.vector("cue_ball", (2,), MAX_DISTANCE), world)
    return states


def _at_rest(ball: int, pos: tuple[float, ...], world: World) -> BallState:
    return BallState(ball, (pos[0], pos[1], world.spec(ball).radius))


def _state(ball: int, own: Fields, world: World) -> BallState:
    own.known(("pos", "vel", "spin"))
    pos = own.vector("pos", (2, 3), MAX_DISTANCE)
    spec = world.spec(ball)
    height = pos[2] if len(pos) == 3 else spec.radius
    if height < spec.radius - 1e-9:
        raise CaseError(
            "overlap",
            f"ball {ball_name(ball)} and the bed overlap: {own.path('pos')} has z = {height:g}; "
            f"the limit is the radius, {spec.radius:g}",
        )
    vel = own.vector("vel", (3,), MAX_SPEED) if "vel" in own else (0.0, 0.0, 0.0)
    spin = own.vector("spin", (3,), MAX_SPIN) if "spin" in own else (0.0, 0.0, 0.0)
    for key, vector, limit, unit in (
        ("vel", vel, MAX_SPEED, "m/s"), ("spin", spin, MAX_SPIN, "rad/s")
    ):  # fmt: skip
        if math.hypot(*vector) > limit:
            raise CaseError(
                "out_of_range",
                f"{own.path(key)} is {math.hypot(*vector):g} {unit} long; "
                f"the limit is {limit:g} {unit}",
            )
    return _classified(ball, (pos[0], pos[1], height), _three(vel), _three(spin), spec)


def _three(v: tuple[float, ...]) -> Vector:
    return (v[0], v[1], v[2])


def _classified(ball: int, pos: Vector, vel: Vector, spin: Vector, spec: BallSpec) -> BallState:
    """How a ball with this velocity and spin moves at the start (REFERENCES 2)."""
    r = spec.radius
    if abs(pos[2] - r) <= 1e-9:
        pos = (pos[0], pos[1], r)
    if pos[2] > r or vel[2] != 0.0:
        motion = Motion.AIR
    elif math.hypot(vel[0] - r * spin[1], vel[1] + r * spin[0]) > 1e-9:
        motion = Motion.SLIDE
    elif vel[0] != 0.0 or vel[1] != 0.0:
        motion = Motion.ROLL
    else:
        motion = Motion.SPIN if spin[2] != 0.0 else Motion.REST
    return BallState(ball, pos, vel, spin, motion)


def _impulses(
    fields: Fields, world: World, states: tuple[BallState, ...], until: float
) -> tuple[TimedImpulse, ...]:
    cue = _cue(fields)
    if "strike" not in fields:
        return ()
    value = fields.get("strike")
    if isinstance(value, list):
        named = [(Fields(s, f"strike.{i}"), True) for i, s in enumerate(value)]
        if not 1 <= len(value) <= 2:
            raise CaseError("out_of_range", "strike as a list is a lag; it holds 1 or 2 strikes")
    else:
        named = [(Fields(value, "strike"), False)]
    by_ball = {state.ball: state for state in states}
    impulses: dict[int, TimedImpulse] = {}
    for own, lag in named:
        stroke = _stroke(own, by_ball, lag)
        if stroke.at > until:
            raise CaseError(
                "out_of_range", f"{own.path('at')} is {stroke.at:g}; the limit is until, {until:g}"
            )
        if stroke.ball in impulses:
            raise CaseError("conflict", f"{own.path('ball')} is struck twice")
        try:
            impulses[stroke.ball] = impulse_of(
                stroke, cue, world.spec(stroke.ball), world.material.e_bed
            )
        except StrokeError as error:
            raise CaseError("out_of_range", f"{own.name}.{error}") from error
    return tuple(sorted(impulses.values(), key=lambda i: (i.at, i.ball)))


def _cue(fields: Fields) -> CueSpec:
    if "cue" not in fields:
        return CueSpec()
    own = Fields(fields.get("cue"), "cue")
    own.known(CUE_LIMITS)
    values: dict[str, float] = {}
    for key, (low, high, above) in CUE_LIMITS.items():
        if key == "end_mass_ratio" and own.values.get(key, 0) is None:
            values[key] = 0.0
        elif key in own:
            values[key] = own.number(key, low, high, above=above)
    return replace(CueSpec(), **values)


def _stroke(own: Fields, states: Mapping[int, BallState], lag: bool) -> Stroke:
    own.known(("ball", "speed", "heading_deg", "elevation_deg", "tip", "at", "follow_through"))
    ball = _ball(own.get("ball") if lag else own.values.get("ball", "0"), own.path("ball"))
    if ball not in states:
        raise CaseError("unknown_name", f"{own.path('ball')}: ball {ball_name(ball)} isn't there")
    if states[ball].motion is not Motion.REST:
        raise CaseError("conflict", f"{own.path('ball')}: ball {ball_name(ball)} moves already")
    tip = own.vector("tip", (2,), 1.0) if "tip" in own else (0.0, 0.0)
    return Stroke(
        speed=own.number("speed", 0.0, MAX_CUE_SPEED, above=True),
        heading_deg=own.number("heading_deg", -1e6, 1e6),
        elevation_deg=own.number("elevation_deg", 0.0, MAX_ELEVATION_DEG)
        if "elevation_deg" in own
        else 0.0,
        tip=(tip[0], tip[1]),
        at=own.number("at", 0.0, MAX_UNTIL) if "at" in own else 0.0,
        ball=ball,
        follow_through=own.number("follow_through", 0.0, MAX_FOLLOW_THROUGH)
        if "follow_through" in own
        else None,
    )


def _sample_at(fields: Fields) -> tuple[float, ...]:
    value = fields.values.get("sample_at", [])
    if not isinstance(value, list):
        refuse_type("sample_at", "a list of numbers", value)
    if len(value) > MAX_SAMPLES:
        raise CaseError(
            "out_of_range", f"sample_at has {len(value)} times; the limit is {MAX_SAMPLES}"
        )
    return tuple(number(t, "sample_at", 0.0, 1e9) for t in value)
