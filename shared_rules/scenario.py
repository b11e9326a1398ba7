"""Scenarios of RULES 0.8 as matches: reads one, and builds the state that it describes.

Nothing is decided here.  Seat 0 is the scenario's shooter (in a lag, the first of ``players``),
seat 1 the opponent.  Balls without a given place get one that settles nothing: off the cushions,
off the long string, apart from each other.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from shared_rules import events as ev
from shared_rules import nine_ball
from shared_rules.balls import CUE, LAG_A, LAG_B, ball_number
from shared_rules.clocks import SHOT_PHASES
from shared_rules.frozen import radius_of
from shared_rules.lag import start_places
from shared_rules.placement import overlapped
from shared_rules.rack import rack_slots
from shared_rules.refusal import Code, Refusal
from shared_rules.ruleset import Ruleset, make_ruleset
from shared_rules.rulings import safety_key
from shared_rules.state import (
    Clock,
    Foul,
    LagState,
    MatchDescription,
    MatchState,
    Option,
    Phase,
    Ruling,
    RunningShot,
    Seat,
    ShotClock,
)  # fmt: skip
from shared_rules.table import Position, TableFrame
from shared_rules.turns import declare_frozen, hand_of, without

Side = Literal["shooter", "opponent"]
# What the last shot was, when a scenario says no more than that it was not legal.
_SOME_FOUL = (Foul(code="5a", rule_id="N9.5a"),)
_PRESETS = {"epbf": "nine_ball_epbf", "wpa": "nine_ball_wpa"}
SUPPORTED = ("lag", "nine_ball_epbf", "nine_ball_wpa")
"""Disciplines that ``judge`` rules on; a ``general`` scenario names one as its ``game``."""


class Point(msgspec.Struct, frozen=True):
    """A place on the table in fractions (RULES 0.2)."""

    u: float
    v: float


class FrozenPair(msgspec.Struct, frozen=True):
    """A ball frozen to a cushion."""

    ball: int
    rail: ev.Rail


class Frozen(msgspec.Struct, frozen=True):
    """``given.frozen``."""

    to_rail: tuple[FrozenPair, ...] = ()
    to_cue: tuple[int, ...] = ()


class GivenClock(msgspec.Struct, frozen=True):
    """``given.shot_clock``."""

    active: bool = True
    limit_s: float = 45.0


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """``given``: the table before the stroke, or now (RULES 0.8)."""

    player: str = "shooter"
    players: tuple[str, str] | None = None
    balls: dict[str, str] | None = None
    game: str | None = None
    ruleset: str | dict[str, Any] | None = None
    state: Phase | None = None
    on_table: tuple[int, ...] = tuple(nine_ball.BALLS)
    is_break: bool = False
    cue_in_hand: Literal["none", "anywhere", "head", "baulk"] = "none"
    push_out_available: bool = False
    push_out_declared: bool = False
    consecutive_fouls: dict[Side, int] = {}
    warned: bool | Literal["late"] | None = None
    decider: str | None = None
    decision_options: tuple[Option, ...] = ()
    pos: dict[str, Point] | None = None
    line_below_foot_spot: str | None = None
    frozen: Frozen | None = None
    near_rail: dict[str, Any] | None = None
    rack_breaker: Side | None = None
    previous_breaker: Side | None = None
    winner: Side | None = None
    set_winner: Side | None = None
    previous_set_opener: Side | None = None
    next_breaker: Side | None = None
    lag_winner: str | None = None
    shot_clock: GivenClock | None = None
    slow_play_warned: bool = False
    time_outs_used: dict[Side, int] = {}
    time_outs_used_in_last_set: dict[Side, int] = {}
    last_set: bool = False
    stalemate_visits_left: dict[Side, int] | None = None
    placement_zone: str | None = None
    placement_warned: bool = False
    placed_before: bool = False
    absent: Side | None = None
    referee: Any = msgspec.UNSET
    touch_fouls: Literal["refuse", "strict"] | None = None
    tie_tolerance_mm: float | None = None
    shots_since: int = 0
    shot_was_legal: bool = True


class Shot(msgspec.Struct, frozen=True):
    """``shot``."""

    events: tuple[dict[str, Any], ...] = ()


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a scenario file."""

    id: str
    discipline: str
    given: Given
    shot: Shot = Shot()
    action: dict[str, Any] | None = None


def bad(message: str, code: Code = Code.BAD_SCENARIO) -> Refusal:
    """The refusal of a scenario that makes no sense."""
    return Refusal(code, message)


def read_scenario(raw: Any) -> tuple[Scenario, tuple[ev.Event, ...]]:
    """A scenario and its events, checked as far as they can be without a rulebook.

    Raises:
        Refusal: ``bad_scenario``, ``unknown_ball``, ``unknown_event`` or
            ``discipline_not_supported``.
    """
    if not isinstance(raw, dict) or not isinstance(raw.get("discipline"), str):
        raise bad("a scenario is an object with an id, a discipline and what is given")
    given = raw.get("given")
    game = given.get("game") if isinstance(given, dict) else None
    discipline = game if raw["discipline"] == "general" else raw["discipline"]
    if discipline not in SUPPORTED:
        code = Code.DISCIPLINE_NOT_SUPPORTED
        raise bad(f"there are no rules for {discipline!r} here yet", code)
    try:
        scenario = msgspec.convert(raw, Scenario)
    except msgspec.ValidationError as error:
        raise bad(str(error)) from error
    events = tuple(_read_event(event) for event in scenario.shot.events)
    _check_balls(scenario, events)
    return scenario, events


_BALL_KEYS = ("ball", "a", "b", "over")


def _number(name: Any) -> int:
    if not isinstance(name, str | int):
        raise bad(f"there is no ball {name!r}", Code.UNKNOWN_BALL)
    try:
        return ball_number(name)
    except ValueError as error:
        raise bad(str(error), Code.UNKNOWN_BALL) from error


def _read_event(raw: dict[str, Any]) -> ev.Event:
    plain = dict(raw)
    for key in _BALL_KEYS:
        if key in plain:
            plain[key] = _number(plain[key])
    if isinstance(plain.get("balls"), list):
        plain["balls"] = [_number(ball) for ball in plain["balls"]]
    if plain.get("t") == "supported_over_pocket" and plain.get("by") is not None:
        plain["by"] = _number(plain["by"])
    try:
        return msgspec.convert(plain, ev.Event)  # type: ignore[no-any-return]
    except msgspec.ValidationError as error:
        known = str(error).startswith("Invalid value") and "$.t" in str(error)
        unknown = known or "t" not in plain
        raise bad(
            f"event {raw.get('t')!r}: {error}", Code.UNKNOWN_EVENT if unknown else Code.BAD_SCENARIO
        ) from error


def _check_balls(scenario: Scenario, events: tuple[ev.Event, ...]) -> None:
    """Every ball there once, and nothing happens to a ball that is not there."""
    if scenario.discipline == "lag":
        here = {LAG_A, LAG_B}
    else:
        balls = scenario.given.on_table
        if CUE in balls:
            raise bad("on_table is of object balls: a second cue ball has no place")
        if len(set(balls)) != len(balls):
            raise bad("a ball is on the table twice")
        if not set(balls) <= set(nine_ball.BALLS):
            raise bad("nine-ball is played with balls 1 to 9", Code.UNKNOWN_BALL)
        here = {CUE, *balls}
    gone: list[int] = []
    for event in events:
        if isinstance(event, ev.CueTouchesPocketedBall):
            continue
        named = {getattr(event, key) for key in _BALL_KEYS if hasattr(event, key)} - {None}
        if not named <= here:
            raise bad(f"ball {min(named - here)} is not on the table", Code.UNKNOWN_BALL)
        if isinstance(event, ev.BallBall) and event.a == event.b:
            raise bad("a ball cannot touch itself")
        if isinstance(event, ev.Pocketed):
            gone.append(event.ball)
    if len(set(gone)) != len(gone):
        raise bad("a ball is pocketed twice")


# --- the ruleset ------------------------------------------------------------------------------


def ruleset_of(scenario: Scenario) -> Ruleset:
    """The ruleset of a scenario: its discipline's preset, or the one it names, and overrides.

    Raises:
        Refusal: ``bad_ruleset``.
    """
    given = scenario.given
    preset = given.game if scenario.discipline == "general" else scenario.discipline
    over: dict[str, Any] = {}
    if isinstance(given.ruleset, str):
        preset = _PRESETS.get(given.ruleset, given.ruleset)
    elif isinstance(given.ruleset, dict):
        over = dict(given.ruleset)
        preset = over.pop("preset", preset)
    if preset in ("lag", None):
        preset = "nine_ball_wpa"  # section 1 is WPA 1.2
    ruleset = make_ruleset(preset, over)
    if given.touch_fouls is not None:
        ruleset = replace(ruleset, touch_fouls=given.touch_fouls)
    if given.tie_tolerance_mm is not None:
        ruleset = replace(ruleset, lag=replace(ruleset.lag, tie_mm=given.tie_tolerance_mm))
    action = scenario.action or {}
    lost_set = "loss_of_set" in action.values() or action.get("scope") == "set"
    if not given.last_set and (given.time_outs_used or given.state is Phase.SET_OVER or lost_set):
        # A set that is lost or over without the match takes a match of several.
        sets = max(2, ruleset.match.sets_to_win)
        ruleset = replace(ruleset, match=replace(ruleset.match, sets_to_win=sets))
    return ruleset


# --- where balls lie --------------------------------------------------------------------------


def _on_rail(pair: FrozenPair, at: int, gap: float, frame: TableFrame) -> Position:
    """A place at a cushion; ``at`` spreads several along it."""
    off = radius_of(pair.ball, frame) + gap
    x, y = frame.length / 2 - off, frame.width / 2 - off
    along = (0.2 + 0.15 * at) * frame.width
    return {
        "foot": Position(x, along - frame.width / 2),
        "head": Position(-x, along - frame.width / 2),
        "left": Position(along, y),
        "right": Position(along, -y),
    }[pair.rail]


def _base(given: Given, frame: TableFrame) -> dict[int, Position]:
    balls = {n: frame.from_uv(0.30 + 0.03 * n, 0.30) for n in given.on_table}
    if given.is_break and sorted(given.on_table) == list(nine_ball.BALLS):
        order = (1, 2, 3, 4, 9, 5, 6, 7, 8)
        balls = dict(zip(order, rack_slots(frame), strict=True))
    outside = given.placement_zone in ("outside_head", "elsewhere")
    u = 0.30 if outside else 0.25 if given.placement_zone == "on_head_string" else 0.20
    balls[CUE] = frame.from_uv(u, 0.5) if given.is_break else frame.from_uv(0.40, 0.70)
    return balls


def layout(given: Given, frame: TableFrame) -> dict[int, Position]:
    """Where the balls of a scenario lie: as far as it says, else where it settles nothing."""
    balls = _base(given, frame)
    if given.near_rail is not None:
        pair = msgspec.convert(
            {"ball": given.near_rail.get("ball"), "rail": given.near_rail.get("rail")}, FrozenPair
        )
        balls[pair.ball] = _on_rail(pair, 0, frame.ball_radius, frame)
    frozen = given.frozen or Frozen()
    for at, pair in enumerate(frozen.to_rail):
        balls[pair.ball] = _on_rail(pair, at, 0.0, frame)
    reach = frame.cue_ball_radius + frame.ball_radius
    for at, ball in enumerate(frozen.to_cue):
        side = 1 if at % 2 == 0 else -1
        if any(pair.ball == ball for pair in frozen.to_rail):
            x, y = balls[ball]
            inward = -reach if abs(x) > frame.length / 2 - 2 * reach else 0.0
            across = 0.0 if inward else (-reach if y > 0 else reach)
            balls[CUE] = Position(x + (inward if x > 0 else -inward), y + across)
        else:
            balls[ball] = Position(balls[CUE].x + side * reach, balls[CUE].y)
    if given.line_below_foot_spot == "blocked":
        # One on the spot, the rest so near each other that nothing fits between them.
        step = 1.9 * 2 * frame.ball_radius
        for at, ball in enumerate(sorted(given.on_table)):
            x = min(frame.foot_spot.x + at * step, frame.length / 2 - frame.ball_radius)
            balls[ball] = Position(x, 0.0)
    for name, point in (given.pos or {}).items():
        balls[_number(name)] = frame.from_uv(point.u, point.v)
    _check_layout(given, balls, frame)
    return dict(sorted(balls.items()))


def _check_layout(given: Given, balls: Mapping[int, Position], frame: TableFrame) -> None:
    known = {CUE, *given.on_table}
    if set(balls) != known:
        raise bad(f"ball {min(set(balls) - known)} is not on the table", Code.UNKNOWN_BALL)
    for name in given.pos or {}:
        ball = _number(name)
        touched = overlapped(balls[ball], balls, frame, ball)
        if touched is not None and str(touched) in (given.pos or {}):
            raise bad(f"balls {ball} and {touched} overlap")


def stays_near(given: Given) -> bool:
    """Whether the near-cushion ball of N9.5l ends within a diameter; yes if nothing else is said.

    ``near_rail`` may say where the ball ends: by a key that tells so with false, or by a distance
    in mm or in diameters.
    """
    for key, value in (given.near_rail or {}).items():
        if key in ("ball", "rail", "safeties_by_shooter"):
            continue
        if isinstance(value, bool):
            away = "beyond" in key or "away" in key or "far" in key
            if value == away:
                return False
        elif isinstance(value, int | float):
            if value > (57.15 if key.endswith("mm") else 1.0):
                return False
        elif value in ("away", "far", "farther", "beyond", "elsewhere", "outside"):
            return False
    return True


# --- the match --------------------------------------------------------------------------------


def seat_of(side: str | None) -> Seat | None:
    """Seat of ``shooter`` or ``opponent``."""
    return {"shooter": 0, "opponent": 1}.get(side or "")  # type: ignore[return-value]


def _pair(counts: Mapping[Side, int]) -> tuple[int, int]:
    return counts.get("shooter", 0), counts.get("opponent", 0)


def describe(scenario: Scenario) -> MatchDescription:
    """The match description of a scenario; a referee sits there unless it says otherwise."""
    players = scenario.given.players or ("shooter", "opponent")
    return MatchDescription(
        match_id=scenario.id,
        players=players,
        ruleset=ruleset_of(scenario),
        referee=scenario.given.referee is msgspec.UNSET or bool(scenario.given.referee),
    )


def phase_of(given: Given, *, played: bool) -> Phase:
    """The phase in which a scenario finds the match (before its stroke, if one was played)."""
    if given.state is not None and not (played and given.state is Phase.SHOT_RUNNING):
        return given.state
    if given.is_break:
        return Phase.PLACE_CUE_FOR_BREAK
    hands = {"anywhere": Phase.PLACE_CUE_ANYWHERE, "head": Phase.PLACE_CUE_HEAD}
    return hands.get(given.cue_in_hand, Phase.AWAIT_SHOT)


def build(scenario: Scenario, *, played: bool) -> MatchState:
    """The match as a scenario describes it; with a shot, while that shot runs.

    Raises:
        Refusal: what is given contradicts itself.
    """
    description = describe(scenario)
    given = scenario.given
    if scenario.discipline == "lag":
        return _lag_state(description, given, played=played)
    balls = layout(given, description.frame)
    phase = phase_of(given, played=played)
    state = replace(_counters(description, given), phase=phase, shooter=0, balls=balls)
    state = replace(
        state,
        is_break=given.is_break or phase is Phase.PLACE_CUE_FOR_BREAK,
        racked=True,
        push_out_available=given.push_out_available,
        push_out_declared=given.push_out_declared,
        cue_outside_area=given.placement_zone in ("outside_head", "on_head_string", "elsewhere")
        and (given.placement_warned or description.ruleset.codes == "wpa"),
        cue_in_hand=hand_of(phase),
        cue_placed=played or given.placed_before,
    )
    if played or phase is Phase.SHOT_RUNNING:
        return _while_running(state, phase)
    return declare_frozen(_waiting(state, given))


def _counters(description: MatchDescription, given: Given) -> MatchState:
    """Everything of a state that is a count, a flag of the past or an order of play."""
    sets = description.ruleset.match.sets_to_win - 1
    breaker = given.rack_breaker or given.previous_breaker
    near = given.near_rail
    visits = given.stalemate_visits_left
    clock = None
    if given.shot_clock is not None and given.shot_clock.active:
        clock = ShotClock(limit_s=given.shot_clock.limit_s)
    safeties = {}
    if near is not None and near.get("safeties_by_shooter"):
        key = safety_key(0, int(near["ball"]), str(near["rail"]))
        safeties[key] = int(near["safeties_by_shooter"])
    return MatchState(
        description=description,
        consecutive_fouls=_pair(given.consecutive_fouls),
        warned=(given.warned is True, False),
        near_rail_safeties=safeties,
        sets=(sets, sets) if given.last_set else (0, 0),
        rack_number=1,
        shot_number=1 + given.shots_since,
        breaker=seat_of(breaker),
        rack_opener=seat_of(breaker),
        set_opener=seat_of(given.previous_set_opener),
        rack_winner=seat_of(given.winner or given.set_winner),
        clock=Clock(shot_clock=clock, slow_play_warned=given.slow_play_warned),
        time_outs_used=_pair(given.time_outs_used),
        time_outs_used_in_last_set=_pair(given.time_outs_used_in_last_set),
        stalemate_visits_left=None if visits is None else _pair(visits),
    )


def _while_running(state: MatchState, before: Phase) -> MatchState:
    """The shot of a scenario runs; how the cue was held is not told."""
    if before not in SHOT_PHASES:
        before = Phase.AWAIT_SHOT
    running = RunningShot(
        number=state.shot_number,
        shooter=0,
        strokes=(),
        started_at=0.0,
        balls_before=state.balls,
        phase_before=before,
    )
    return replace(state, phase=Phase.SHOT_RUNNING, running=running, cue_in_hand="none")


def _waiting(state: MatchState, given: Given) -> MatchState:
    """Nothing rolls: decisions, pauses and balls in hand as given."""
    if state.cue_in_hand != "none" and not given.placed_before:
        state = replace(state, balls=without(state.balls, CUE))
    match state.phase:
        case Phase.DECIDE_AFTER_BREAK_FOUL | Phase.DECIDE_AFTER_PUSH_OUT:
            decider = seat_of(given.decider)
            if decider is None or not given.decision_options:
                raise bad("a decision has a decider and options")
            return replace(state, decider=decider, options=given.decision_options)
        case Phase.REFEREE_PENALTY:
            options = nine_ball.PENALTIES
            return replace(state, decider="referee", options=options, resumes_to=Phase.AWAIT_SHOT)
        case Phase.SUSPENDED:
            return replace(state, resumes_to=Phase.AWAIT_SHOT)
        case Phase.TIME_OUT:
            return replace(state, resumes_to=Phase.AWAIT_SHOT, time_out_by=0)
        case _ if state.phase in SHOT_PHASES:
            fouls = () if given.shot_was_legal else _SOME_FOUL
            last = Ruling(shot=state.shot_number, shooter=0, fouls=fouls)
            return replace(state, last_ruling=last, restorable=state.balls)
        case _:
            return replace(state, shooter=None)


def _lag_state(description: MatchDescription, given: Given, *, played: bool) -> MatchState:
    places = start_places(description.frame)
    balls = {LAG_A: places[0], LAG_B: places[1]}
    state = MatchState(description=description, shot_number=1, balls=balls)
    if played:
        running = RunningShot(
            number=1,
            shooter=None,
            strokes=(),
            started_at=0.0,
            balls_before=balls,
            phase_before=Phase.LAG,
        )
        lag = LagState(balls=places, struck=(True, True))
        return replace(state, phase=Phase.SHOT_RUNNING, running=running, lag=lag)
    phase = given.state or Phase.LAG
    if phase is Phase.LAG_CHOICE:
        winner = lag_seat(given, given.lag_winner)
        options = (Option.BREAK, Option.GIVE_BREAK)
        return replace(
            state, phase=phase, lag_winner=winner, decider=winner, options=options, balls={}
        )
    lag = LagState(balls=places)
    if phase is Phase.LAG_REFEREE_DECISION:
        lag = replace(lag, would_win=lag_seat(given, given.lag_winner or given.player))
        options = (Option.RELAG, Option.LAG_STANDS)
        return replace(state, phase=phase, lag=lag, decider="referee", options=options)
    return replace(state, phase=Phase.LAG, lag=lag)


def lag_seat(given: Given, name: str | None) -> Seat:
    """Seat of a player of a lag, by name.

    Raises:
        Refusal: there is no such player.
    """
    players = given.players or ("shooter", "opponent")
    if name not in players:
        raise bad(f"{name!r} does not play here")
    return 0 if players[0] == name else 1
