"""The ruleset object: one immutable value a match, a named preset plus overrides.

DIFFERENCES.md section 2.  Code chooses by these keys, never by the ruleset's name, so that a club
can build its own mix; unknown keys and keys that contradict each other are refused.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from shared_rules.presets import PRESETS, merge
from shared_rules.refusal import Code, Refusal
from shared_rules.ruleset_keys import (
    Aids,
    BreakRules,
    DisconnectRules,
    JumpRules,
    LagRules,
    LateRules,
    MatchRules,
    Part,
    PocketRules,
    PointRules,
    PushOutRules,
    RackRules,
    RailRules,
    SettleRules,
    ShotClockRules,
    SpotRules,
    StalemateRules,
    ThreeFoulRules,
    TimeOutRules,
    Tolerances,
    TouchingRules,
)


class Ruleset(Part, frozen=True, kw_only=True):
    """The rules of a match.

    ``id``: the preset's name, or the club's own.  ``changed``: keys that are not as that preset has
    them, so that nobody takes a mix for the rules that it was made from; set by ``make_ruleset``.
    ``codes``: whose foul codes the rulings carry (5a … or 6.2 …).  ``call``: whether ball and
    pocket are called (E8.6a).  ``claim_cleared_group``: on an open table the 8 may be called once
    a whole group is off it (ambiguity 33).
    """

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=40)] = "nine_ball_epbf"
    changed: tuple[str, ...] = ()
    discipline: Literal["nine_ball", "eight_ball", "straight_pool", "black_ball"] = "nine_ball"
    codes: Literal["epbf", "wpa"] = "epbf"
    call: Literal["none", "required"] = "none"
    claim_cleared_group: bool = False
    lag: LagRules = LagRules()
    match: MatchRules = MatchRules()
    break_: BreakRules = msgspec.field(default=BreakRules(), name="break")
    push_out: PushOutRules = PushOutRules()
    rack: RackRules = RackRules()
    wedged: Literal["by_centre", "held_is_pocketed"] = "by_centre"
    pocket: PocketRules = PocketRules()
    restore_after_foul: bool = False
    unrefereed: Literal["opponent_rules", "none"] = "opponent_rules"
    rail: RailRules = RailRules()
    touching: TouchingRules = TouchingRules()
    scoop: Literal["foul", "report"] = "foul"
    jump: JumpRules = JumpRules()
    touch_fouls: Literal["refuse", "strict"] = "refuse"
    spot: SpotRules = SpotRules()
    three_foul: ThreeFoulRules = ThreeFoulRules()
    settle: SettleRules = SettleRules()
    shot_clock: ShotClockRules = ShotClockRules()
    time_out: TimeOutRules = TimeOutRules()
    concede_scope: Literal["game", "match"] = "game"
    late: LateRules = LateRules()
    advice: Literal["loss_of_game", "unsportsmanlike"] = "loss_of_game"
    practice: Literal["foul", "unsportsmanlike"] = "foul"
    play_suspended: Literal["loss_of_game", "unsportsmanlike"] = "loss_of_game"
    stalemate: StalemateRules = StalemateRules()
    disconnect: DisconnectRules = DisconnectRules()
    aids: Aids = Aids()
    target: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 100
    points: PointRules = PointRules()
    free_shot_mode: Literal["wpa_strict", "shot_plus_visit"] = "wpa_strict"
    tolerance: Tolerances = Tolerances()


# Lengths of a match and what the table online adds are no change of the rules of play.
_SETTINGS = (
    "id",
    "changed",
    "target",
    "match.games_to_win",
    "match.sets_to_win",
    "match.races",
    "disconnect",
    "aids",
)


def make_ruleset(preset: str, overrides: dict[str, Any] | None = None) -> Ruleset:
    """Ruleset of a named preset with overrides (nested maps of the same keys).

    What differs from the preset is named in ``changed``; with the ``id`` of a club's own the mix
    has a name of its own.

    Raises:
        Refusal: ``bad_ruleset``: unknown preset or key, a value out of its bounds, or keys that
            contradict each other.
    """
    if preset not in PRESETS:
        known = ", ".join(PRESETS)
        raise Refusal(Code.BAD_RULESET, f"there is no ruleset {preset!r}; there are {known}")
    over = overrides or {}
    named = over.get("id", preset)
    if named != preset and isinstance(named, str) and named in PRESETS:
        raise Refusal(Code.BAD_RULESET, f"these rules are not {named!r}: give them another id")
    if "changed" in over or over.get("discipline", None) not in (None, _discipline(preset)):
        raise Refusal(Code.BAD_RULESET, "the discipline comes with the preset, and so do changes")
    base = _read(PRESETS[preset])
    ruleset = _read(merge(PRESETS[preset], over))
    check_ruleset(ruleset)
    changed = _differing(msgspec.to_builtins(base), msgspec.to_builtins(ruleset))
    return msgspec.structs.replace(ruleset, changed=tuple(changed))


def check_ruleset(ruleset: Ruleset) -> None:
    """Nothing, if its keys hold together.

    Raises:
        Refusal: ``bad_ruleset``.
    """
    for contradiction in _contradictions(ruleset):
        raise Refusal(Code.BAD_RULESET, f"ruleset refused: {contradiction}")


def _discipline(preset: str) -> str:
    return str(PRESETS[preset].get("discipline", "nine_ball"))


def _read(keys: dict[str, Any]) -> Ruleset:
    try:
        return msgspec.convert(keys, Ruleset)
    except msgspec.ValidationError as error:
        raise Refusal(Code.BAD_RULESET, f"ruleset refused: {error}") from error


def _differing(base: dict[str, Any], mine: dict[str, Any], path: str = "") -> Iterator[str]:
    """Dotted names of the keys of rules of play that differ."""
    for key, value in mine.items():
        name = f"{path}{key}"
        if name in _SETTINGS or value == base[key]:
            continue
        if isinstance(value, dict):
            yield from _differing(base[key], value, f"{name}.")
        else:
            yield name


def _contradictions(rules: Ruleset) -> Iterator[str]:
    """What of a ruleset cannot hold together, a sentence each."""
    for name in ("foul_options", "illegal_options"):
        options = getattr(rules.break_, name)
        if len(set(options)) != len(options):
            yield f"break.{name}: an option is given twice"
    match = rules.match
    longest = match.sets_to_win if match.sets_to_win > 1 else match.games_to_win
    if match.races is not None and max(match.races) != longest:
        yield f"match.races: the longer of the two is the race of {longest}"
    nine, eight = rules.discipline == "nine_ball", rules.discipline == "eight_ball"
    if not nine and rules.codes == "epbf":
        yield "the EPBF's codes are of nine-ball alone"
    if not nine and rules.push_out.enabled:
        yield "a push-out is of nine-ball alone"
    if not nine and rules.rail.near_cushion_limit is not None:
        yield "rail.near_cushion_limit is about the lowest ball, of nine-ball alone"
    if not nine and rules.rail.frozen_same_cushion == "after_other_ball":
        yield "rail.frozen_same_cushion = after_other_ball is about the lowest ball, of nine-ball"
    if not nine and rules.wedged == "by_centre":
        yield "wedged = by_centre is of nine-ball alone: it does not say which pocket was called"
    called = rules.discipline in ("eight_ball", "straight_pool")
    if called != (rules.call == "required"):
        yield "shots are called in eight-ball and straight pool, and only there"
    if rules.claim_cleared_group and not eight:
        yield "claim_cleared_group is of eight-ball alone"
    if rules.break_.eight != "choice" and not eight:
        yield "break.eight is of eight-ball alone"
    points = rules.three_foul.penalty == "points"
    if points and rules.discipline != "straight_pool":
        yield "three_foul.penalty = points is of straight pool alone"
    black = rules.discipline == "black_ball"
    if rules.free_shot_mode != "wpa_strict" and not black:
        yield "free_shot_mode is of black ball alone"
    if rules.spot.order == "black_next_rest" and not black:
        yield "spot.order = black_next_rest is of black ball alone"
    if rules.codes == "epbf" and rules.jump.over_ball == "foul":
        yield "jump.over_ball = foul has no code in the EPBF's rules"
    if rules.codes == "epbf" and rules.touching.mode == "play_away":
        yield "touching.mode = play_away has no code in the EPBF's rules"
    if eight != bool(rules.break_.illegal_options):
        yield "an illegal break has options in eight-ball, and only there"
