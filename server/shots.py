"""One shot, played in a worker process: table and strokes in, trajectory and events out.

``play`` is what workers run; tests may name another function of the same shape.  Jobs and results
are plain data, so that they cross to another process.
"""

import math
import secrets
from dataclasses import dataclass, field

from shared_rules.balls import CUE, LAG_A, LAG_B
from shared_rules.commands import RackBalls
from shared_rules.events import Event
from shared_rules.limits import Limits, limits_of
from shared_rules.refusal import Code, Refusal
from shared_rules.state import MatchState, Phase, Seat, Stroke
from shared_rules.table import Position, TableFrame

ELEVATION_ROOM_DEG = 0.05
"""So much lower than possible a stroke may be, for whoever computes it a little differently."""

FOLLOW_ROOM_M = 1e-4
"""So much shorter than possible a follow-through may be, for the same reason, m."""


@dataclass(frozen=True)
class ShotJob:
    """A table before the stroke and the strokes on it: (ball, seconds after the start, stroke)."""

    preset: str
    balls: dict[int, Position]
    strokes: tuple[tuple[int, float, Stroke], ...]
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True)
class ShotResult:
    """What a shot did: the trajectory's bytes, its events, where balls on the bed came to rest."""

    trajectory: bytes
    events: tuple[Event, ...]
    balls: dict[int, Position]
    duration: float


def job_of(state: MatchState) -> ShotJob:
    """The job of a state whose shot is running.

    Raises:
        ValueError: no shot is running.
    """
    running = state.running
    if running is None:
        raise ValueError("no shot is running")
    balls = dict(running.balls_before)
    if state.lag is not None:
        balls |= {LAG_A: state.lag.balls[0], LAG_B: state.lag.balls[1]}
    return ShotJob(
        preset=state.description.frame.preset,
        balls=balls,
        strokes=running.strokes,
        limits=limits_of(state.description.ruleset),
    )


def check_stroke(stroke: Stroke) -> None:
    """Refuse what no cue can do, before anything is written.

    Raises:
        Refusal: ``stroke_out_of_range``.
    """
    from physics import strike

    if math.hypot(*stroke.tip) > 1.0:
        raise Refusal(Code.STROKE_OUT_OF_RANGE, "the tip would miss the ball")
    try:
        strike.check_stroke(_physical(CUE, 0.0, stroke))
    except strike.StrokeError as error:
        raise Refusal(Code.STROKE_OUT_OF_RANGE, str(error)) from error


def check_cue(state: MatchState, seat: Seat, stroke: Stroke) -> None:
    """Refuse what this cue can't do at this table.

    Raises:
        Refusal: ``elevation_too_low`` or ``stroke_out_of_range``.
    """
    check_elevation(state, seat, stroke)
    check_follow_through(state, stroke)


def check_elevation(state: MatchState, seat: Seat, stroke: Stroke) -> None:
    """Refuse a stroke that goes through a rail or a ball behind the one that is struck.

    Raises:
        Refusal: ``elevation_too_low``; it tells the least elevation.
    """
    from physics.clearance import least_elevation_at
    from physics.table import TABLES

    balls = dict(state.balls)
    ball = CUE
    if state.phase is Phase.LAG and state.lag is not None:
        ball = LAG_A if seat == 0 else LAG_B
        balls = {ball: state.lag.balls[seat]}
    if ball not in balls:
        return  # the rules say why it can't be struck
    table = TABLES[state.description.frame.preset]
    least = least_elevation_at(table, balls, ball, stroke.heading_deg, stroke.tip)
    if stroke.elevation_deg < least - ELEVATION_ROOM_DEG:
        raise Refusal(
            Code.ELEVATION_TOO_LOW,
            f"the cue would go through what is behind the ball: raise it to {least:.2f} degrees",
        )


def check_follow_through(state: MatchState, stroke: Stroke) -> None:
    """Refuse a cue that is stopped sooner than any arm can stop it.

    A cue that stops dead would never meet the cue ball again (N9.5g, F6.7a).

    Raises:
        Refusal: ``stroke_out_of_range``; it tells the shortest follow-through.
    """
    from physics.strike import CueSpec, least_follow_through
    from physics.table import TABLES

    if stroke.follow_through is None:
        return
    ball = TABLES[state.description.frame.preset].cue_ball
    least = least_follow_through(_physical(CUE, 0.0, stroke), CueSpec(), ball)
    if stroke.follow_through < least - FOLLOW_ROOM_M:
        raise Refusal(
            Code.STROKE_OUT_OF_RANGE,
            f"no arm stops this cue within {1000.0 * least:.1f} mm: let it follow through so far",
        )


def usual_table(discipline: str) -> str:
    """The table that a game is played on where none is named: black ball has one of its own."""
    return "uk7ft" if discipline == "black_ball" else "9ft"


def frame_of(preset: str) -> TableFrame:
    """Measures of a table to play on.

    Raises:
        Refusal: ``bad_ruleset``: there is no such table.
    """
    from physics.table import TABLES

    known = {name: spec for name, spec in TABLES.items() if spec.bounded}
    spec = known.get(preset)
    if spec is None:
        names = ", ".join(known)
        raise Refusal(Code.BAD_RULESET, f"there is no table {preset!r}; there are {names}")
    return TableFrame.of(preset, spec)


def rack(
    discipline: str, seed: int, gap_mm: float, preset: str, fifteenth: int | None = None
) -> dict[int, Position]:
    """Where the balls of a new rack stand; without the ``fifteenth`` in a continuation rack."""
    from physics.rack import stand
    from physics.table import TABLES

    table = TABLES[preset]
    standing = stand(discipline, seed, gap_mm / 1000, table, fifteenth)  # type: ignore[arg-type]
    return {ball: Position(x, y) for ball, (x, y) in standing.positions.items()}


def warm_up() -> None:
    """Make this process ready to play shots for good: load what ``play`` needs; what is not
    compiled yet plays as plain Python meanwhile."""
    from physics import simulation

    simulation.warm_up(wait=False)
    # A whole break and a whole lag, so that no player's shot pays for what is done once.
    stroke = Stroke(speed=6.0, heading_deg=0.0)
    balls = rack("nine_ball", 1, 0.03, "9ft") | {CUE: Position(-0.8, 0.0)}
    play(ShotJob(preset="9ft", balls=balls, strokes=((CUE, 0.0, stroke),)))
    balls = {LAG_A: Position(-0.8, 0.3), LAG_B: Position(-0.8, -0.3)}
    play(ShotJob("9ft", balls, ((LAG_A, 0.0, stroke), (LAG_B, 0.5, stroke))))
    simulation.spare_the_collector()


def play(job: ShotJob) -> ShotResult:
    """Simulate a shot to its end.

    Raises:
        ValueError: the balls don't come to rest, or the job makes no sense.
    """
    from physics.outcome import World
    from physics.record import record
    from physics.simulation import simulate
    from physics.state import BallState, Motion
    from physics.strike import CueSpec, impulse_of
    from physics.table import TABLES

    world = World(
        table=TABLES[job.preset],
        balls={ball: TABLES[job.preset].cue_ball for ball in (LAG_A, LAG_B) if ball in job.balls},
    )
    states = [
        BallState(ball, (at[0], at[1], world.spec(ball).radius)) for ball, at in job.balls.items()
    ]
    cue = CueSpec()
    impulses = [
        impulse_of(_physical(ball, at, stroke), cue, world.spec(ball))
        for ball, at, stroke in job.strokes
    ]
    outcome = simulate(world, states, impulses, **job.limits.arguments())
    if outcome.cut:
        raise ValueError("the balls did not come to rest")
    lying = {
        ball: Position(state.pos[0], state.pos[1])
        for ball, state in outcome.final.items()
        if state.motion not in (Motion.POCKETED, Motion.OFF_TABLE)
    }
    # What fell by itself after the rest may have to be put back where it lay (N9.9n).
    lying |= {b: Position(state.pos[0], state.pos[1]) for b, state in outcome.lay.items()
              if b not in lying}  # fmt: skip
    events = tuple(recorded.event for recorded in outcome.events)
    return ShotResult(record(world, outcome).encode(), events, lying, outcome.duration)


def _physical(ball: int, at: float, stroke: Stroke):  # type: ignore[no-untyped-def]
    from physics.strike import Stroke as Physical

    return Physical(
        speed=stroke.speed,
        heading_deg=stroke.heading_deg,
        elevation_deg=stroke.elevation_deg,
        tip=(stroke.tip[0], stroke.tip[1]),
        at=at,
        ball=ball,
        follow_through=stroke.follow_through,
    )


def next_rack(state: MatchState) -> RackBalls:
    """The order that racks the balls anew, by chance."""
    rules = state.description.ruleset
    preset = state.description.frame.preset
    seed = secrets.randbits(63)
    last = [ball for ball in state.balls if ball != CUE] if state.rerack is not None else []
    fifteenth = last[0] if last else None
    balls = rack(rules.discipline, seed, rules.rack.gap_mm, preset, fifteenth)
    return RackBalls(seed=seed, balls=balls)
