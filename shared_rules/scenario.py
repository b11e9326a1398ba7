"""Scenarios of RULES 0.8: reads a line, refuses what makes no sense, finds its ruleset."""

from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec.structs import replace

from shared_rules import events as ev
from shared_rules.balls import CUE, LAG_A, LAG_B, ball_name, ball_number
from shared_rules.disciplines import DISCIPLINES
from shared_rules.groups import Group
from shared_rules.presets import PRESETS
from shared_rules.refusal import Code, Refusal
from shared_rules.ruleset import Ruleset, make_ruleset
from shared_rules.state import Call, Option, Phase, Seat

Side = Literal["shooter", "opponent"]
Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
Points = Annotated[int, msgspec.Meta(ge=-10_000, le=10_000)]
_PRESETS = {"epbf": "nine_ball_epbf", "wpa": "nine_ball_wpa"}
SUPPORTED = ("lag", *PRESETS)
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


class NearRail(msgspec.Struct, frozen=True):
    """``given.near_rail``: a ball within a diameter of a cushion (N9.5l).

    Other keys may say where it ends (``scenario_table.stays_near``).
    """

    ball: int
    rail: ev.Rail
    safeties_by_shooter: Count = 0


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
    on_table: tuple[int, ...] = ()
    is_break: bool = False
    cue_in_hand: Literal["none", "anywhere", "head", "baulk"] = "none"
    push_out_available: bool = False
    push_out_declared: bool = False
    groups: dict[Side, Group] | None = None
    call: Call | None = None
    scores: dict[Side, Points] | None = None
    target: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None
    rack_untouched: bool = False
    free_shot: bool = False
    snooker_declared: bool = False
    snookered: bool | None = None
    spotting_pending: Any = None
    zones: dict[str, str] | None = None
    zones_after: dict[str, str] | None = None
    distance_to_head_string_mm: dict[str, float] | None = None
    consecutive_fouls: dict[Side, Count] = {}
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
    time_outs_used: dict[Side, Count] = {}
    time_outs_used_in_last_set: dict[Side, Count] = {}
    last_set: bool = False
    stalemate_visits_left: dict[Side, Count] | None = None
    placement_zone: str | None = None
    placement_warned: bool = False
    placed_before: bool = False
    absent: Side | None = None
    referee: Any = msgspec.UNSET
    touch_fouls: Literal["refuse", "strict"] | None = None
    tie_tolerance_mm: float | None = None
    shots_since: Count = 0
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
    general = raw["discipline"] == "general"
    discipline = game if general else raw["discipline"]
    if discipline not in SUPPORTED or (general and discipline == "lag"):
        code = Code.DISCIPLINE_NOT_SUPPORTED
        raise bad(f"there are no rules for {discipline!r} here", code)
    try:
        scenario = msgspec.convert(raw, Scenario)
        if scenario.given.near_rail is not None:
            msgspec.convert(scenario.given.near_rail, NearRail)
    except msgspec.ValidationError as error:
        raise bad(str(error)) from error
    if "on_table" not in raw["given"]:
        given = replace(scenario.given, on_table=balls_known(scenario))
        scenario = replace(scenario, given=given)
    events = tuple(_read_event(event) for event in scenario.shot.events)
    if scenario.discipline == "lag":
        events = _by_seat(scenario.given, events)
    _check_balls(scenario, events)
    return scenario, events


def _by_seat(given: Given, events: tuple[ev.Event, ...]) -> tuple[ev.Event, ...]:
    """The events of a lag with ``LA`` as the ball of the player named first.

    Raises:
        Refusal: ``bad_scenario``: not two players with a ball each.
    """
    players = given.players or ("shooter", "opponent")
    if players[0] == players[1]:
        raise bad("a lag is between two players")
    balls = given.balls or dict(zip(players, _LAG_BALLS, strict=True))
    if set(balls) != set(players) or set(balls.values()) != set(_LAG_BALLS):
        raise bad("in a lag each of the players has a ball, LA or LB")
    if balls[players[0]] == _LAG_BALLS[0]:
        return events
    swap = {LAG_A: LAG_B, LAG_B: LAG_A}
    return tuple(
        replace(event, **{
            key: swap.get(getattr(event, key), getattr(event, key))
            for key in _BALL_KEYS if hasattr(event, key)
        })
        for event in events
    )  # fmt: skip


_BALL_KEYS = ("ball", "a", "b", "over")
_LAG_BALLS = ("LA", "LB")
_FIELDS = {
    kind.__struct_config__.tag: {"t", *kind.__struct_fields__} for kind in get_args(ev.Event)
}


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
    strange = set(plain) - _FIELDS.get(str(plain.get("t")), set(plain))
    if strange:
        raise bad(f"event {raw.get('t')!r} has no {min(strange)!r}")
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
        balls, known = scenario.given.on_table, balls_known(scenario)
        if CUE in balls:
            raise bad("on_table is of object balls: a second cue ball has no place")
        if len(set(balls)) != len(balls):
            raise bad("a ball is on the table twice")
        if not set(balls) <= set(known):
            raise bad(f"this game has the balls 1 to {max(known)}", Code.UNKNOWN_BALL)
        here = {CUE, *balls}
    for event in events:
        if isinstance(event, ev.CueTouchesPocketedBall):
            continue
        named = {getattr(event, key) for key in _BALL_KEYS if hasattr(event, key)} - {None}
        if isinstance(event, ev.Interference):
            named |= set(event.balls)
        if not named <= here:
            ball = ball_name(min(named - here))
            raise bad(f"ball {ball} is not on the table", Code.UNKNOWN_BALL)
        if isinstance(event, ev.BallBall) and event.a == event.b:
            raise bad("a ball cannot touch itself")
    _check_course(events, cue_balls=here & {CUE, LAG_A, LAG_B})


def balls_known(scenario: Scenario) -> tuple[int, ...]:
    """The object balls of a scenario's game."""
    preset = scenario.given.game if scenario.discipline == "general" else scenario.discipline
    discipline = PRESETS.get(preset or "", {}).get("discipline", "nine_ball")
    return DISCIPLINES[discipline].balls


def _check_course(events: tuple[ev.Event, ...], cue_balls: set[int]) -> None:
    """A ball goes once, each cue ball is struck once, and nothing is hit without a stroke."""
    gone = [e.ball for e in events if isinstance(e, ev.Pocketed | ev.OffTable)]
    if len(set(gone)) != len(gone):
        raise bad("a ball leaves the table twice")
    struck = [e.ball for e in events if isinstance(e, ev.CueStrike)]
    if not set(struck) <= cue_balls or len(set(struck)) != len(struck):
        raise bad("a stroke is played once, with the cue ball")
    if not struck and any(isinstance(e, ev.BallBall) for e in events):
        raise bad("balls meet, but nobody has struck (cue_strike)")


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
        if not isinstance(preset, str):
            raise bad("a preset is named by a word", Code.BAD_RULESET)
    if preset in ("lag", None):
        preset = "nine_ball_wpa"  # section 1 is WPA 1.2
    ruleset = make_ruleset(preset, over)
    if given.target is not None:
        ruleset = replace(ruleset, target=given.target)
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
