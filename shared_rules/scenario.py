"""Scenarios of RULES 0.8: reads a line, refuses what makes no sense, finds its ruleset."""

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from shared_rules import events as ev
from shared_rules import nine_ball
from shared_rules.balls import CUE, LAG_A, LAG_B, ball_number
from shared_rules.refusal import Code, Refusal
from shared_rules.ruleset import Ruleset, make_ruleset
from shared_rules.state import (
    Foul,
    Option,
    Phase,
    Seat,
)  # fmt: skip

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


def ball_of(name: Any) -> int:
    """Ball of a name in a scenario.

    Raises:
        Refusal: ``unknown_ball``.
    """
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
            plain[key] = ball_of(plain[key])
    if isinstance(plain.get("balls"), list):
        plain["balls"] = [ball_of(ball) for ball in plain["balls"]]
    if plain.get("t") == "supported_over_pocket" and plain.get("by") is not None:
        plain["by"] = ball_of(plain["by"])
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


def seat_of(side: str | None) -> Seat | None:
    """Seat of ``shooter`` or ``opponent``."""
    return {"shooter": 0, "opponent": 1}.get(side or "")  # type: ignore[return-value]


def lag_seat(given: Given, name: str | None) -> Seat:
    """Seat of a player of a lag, by name.

    Raises:
        Refusal: there is no such player.
    """
    players = given.players or ("shooter", "opponent")
    if name not in players:
        raise bad(f"{name!r} does not play here")
    return 0 if players[0] == name else 1
