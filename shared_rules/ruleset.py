"""The ruleset object: one immutable value a match, a named preset plus overrides.

DIFFERENCES.md section 2.  Code chooses by these keys, never by the ruleset's name, so that a club
can build its own mix; unknown keys are refused.
"""

from typing import Annotated, Any, Literal

import msgspec

from shared_rules.refusal import Code, Refusal

Races = Annotated[int, msgspec.Meta(ge=1, le=99)]


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group of keys."""


class LagRules(_Part, frozen=True, kw_only=True):
    """``tie_mm``: LAG.4b.  ``together_s``: greatest time between the two strokes."""

    placement: Literal["players", "server"] = "players"
    late_stroke: Literal["referee", "relag"] = "referee"
    tie_mm: Annotated[float, msgspec.Meta(ge=0, le=10)] = 0.5
    # The later of two unseen lag strokes is played as if it came at most this much later: unseen
    # strokes give no advantage, and a human commits later than the ball needs to the foot cushion.
    together_s: Annotated[float, msgspec.Meta(ge=0, le=60)] = 0.3


class MatchRules(_Part, frozen=True, kw_only=True):
    games_to_win: Races = 7
    sets_to_win: Races = 1
    break_order: Literal["winner", "alternate", "loser"] = "winner"
    set_opener: Literal["alternate"] = "alternate"


BreakFoulOption = Literal[
    "accept_table", "ball_in_hand_anywhere", "rerack_self_breaks", "rerack_offender_breaks"
]


class BreakRules(_Part, frozen=True, kw_only=True):
    placement_foul: Literal["refuse", "foul_if_warned"] = "refuse"
    foul_options: Annotated[tuple[BreakFoulOption, ...], msgspec.Meta(min_length=1)] = (
        "accept_table",
        "ball_in_hand_anywhere",
        "rerack_self_breaks",
        "rerack_offender_breaks",
    )
    min_railed: Annotated[int, msgspec.Meta(ge=0, le=9)] = 4


class PushOutRules(_Part, frozen=True, kw_only=True):
    enabled: bool = True
    nine: Literal["spot"] = "spot"


class RackRules(_Part, frozen=True, kw_only=True):
    gap_mm: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.03


class PocketRules(_Part, frozen=True, kw_only=True):
    full_touch: Literal["foul", "ignore"] = "foul"


class RailRules(_Part, frozen=True, kw_only=True):
    count_pocketed: bool = False
    frozen_same_cushion: Literal["after_other_ball", "after_leaving"] = "after_other_ball"
    near_cushion_limit: Annotated[int, msgspec.Meta(ge=1, le=9)] | None = 2


class TouchingRules(_Part, frozen=True, kw_only=True):
    mode: Literal["half_distance", "free_if_frozen"] = "half_distance"


class JumpRules(_Part, frozen=True, kw_only=True):
    tip_rule: Literal["upper_three_quarters", "none"] = "upper_three_quarters"


class SpotRules(_Part, frozen=True, kw_only=True):
    contact: bool = False
    gap_mm: Annotated[float, msgspec.Meta(gt=0, le=10)] = 1.0


class ThreeFoulRules(_Part, frozen=True, kw_only=True):
    limit: Annotated[int, msgspec.Meta(ge=2, le=9)] = 3
    penalty: Literal["loss_of_game"] = "loss_of_game"
    unwarned: Literal["not_counted", "counts_as_second"] = "not_counted"
    warn: Literal["auto"] = "auto"


class SettleRules(_Part, frozen=True, kw_only=True):
    seconds: Annotated[float, msgspec.Meta(ge=0, le=60)] = 5.0


class ShotClockRules(_Part, frozen=True, kw_only=True):
    imposed_max_s: Annotated[float, msgspec.Meta(ge=5, le=600)] | None = 45.0
    needs_warning: bool = True


class TimeOutRules(_Part, frozen=True, kw_only=True):
    max_s: Annotated[float, msgspec.Meta(gt=0, le=3600)] = 300.0
    before_last_set: Annotated[int, msgspec.Meta(ge=0, le=9)] = 1
    in_last_set: Annotated[int, msgspec.Meta(ge=0, le=9)] = 1


class LateRules(_Part, frozen=True, kw_only=True):
    seconds: Annotated[float, msgspec.Meta(ge=0, le=86400)] = 900.0
    effect: Literal["disqualify", "award_match"] = "disqualify"


class StalemateRules(_Part, frozen=True, kw_only=True):
    extra_visits: Annotated[int, msgspec.Meta(ge=0, le=9)] = 3
    breaker: Literal["same"] = "same"


class DisconnectRules(_Part, frozen=True, kw_only=True):
    grace_s: Annotated[float, msgspec.Meta(ge=0, le=86400)] = 60.0
    budget_s: Annotated[float, msgspec.Meta(ge=0, le=86400)] = 300.0
    effect: Literal["award_game", "award_match", "adjourn"] = "award_game"


class Aids(_Part, frozen=True, kw_only=True):
    guide_line: Literal["none", "first_contact", "full"] = "first_contact"


class Tolerances(_Part, frozen=True, kw_only=True):
    frozen_mm: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.1
    leaves_rail_mm: Annotated[float, msgspec.Meta(ge=0, le=5)] = 0.5
    tie_ms: Annotated[float, msgspec.Meta(ge=0, le=10)] = 0.5
    push_ms: Annotated[float, msgspec.Meta(ge=0, le=50)] = 4.0
    graze_deg: Annotated[float, msgspec.Meta(ge=0, le=90)] = 75.0


class Ruleset(_Part, frozen=True, kw_only=True):
    """The rules of a match.  ``codes``: whose foul codes the rulings carry (5a … or 6.2 …)."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=40)] = "nine_ball_epbf"
    discipline: Literal["nine_ball"] = "nine_ball"
    codes: Literal["epbf", "wpa"] = "epbf"
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
    tolerance: Tolerances = Tolerances()


_NINE_BALL_WPA: dict[str, Any] = {
    "id": "nine_ball_wpa",
    "codes": "wpa",
    "lag": {"placement": "server", "late_stroke": "relag"},
    "match": {"break_order": "alternate"},
    "break": {"foul_options": ["ball_in_hand_anywhere"]},
    "wedged": "held_is_pocketed",
    "pocket": {"full_touch": "ignore"},
    "restore_after_foul": True,
    "rail": {
        "count_pocketed": True,
        "frozen_same_cushion": "after_leaving",
        "near_cushion_limit": None,
    },
    "touching": {"mode": "free_if_frozen"},
    "scoop": "report",
    "jump": {"tip_rule": "none"},
    "spot": {"contact": True},
    "three_foul": {"unwarned": "counts_as_second"},
    "shot_clock": {"imposed_max_s": None},
    "concede_scope": "match",
    "late": {"effect": "award_match"},
    "advice": "unsportsmanlike",
    "practice": "unsportsmanlike",
    "play_suspended": "unsportsmanlike",
}

PRESETS: dict[str, dict[str, Any]] = {"nine_ball_epbf": {}, "nine_ball_wpa": _NINE_BALL_WPA}
"""Overrides that make each named preset out of the defaults above, which are EPBF nine-ball."""


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        mine = merged.get(key)
        if isinstance(mine, dict) and isinstance(value, dict):
            merged[key] = _merge(mine, value)
        else:
            merged[key] = value
    return merged


def make_ruleset(preset: str, overrides: dict[str, Any] | None = None) -> Ruleset:
    """Ruleset of a named preset with overrides (nested maps of the same keys).

    Raises:
        Refusal: ``bad_ruleset``: unknown preset or key, or a value out of its bounds.
    """
    if preset not in PRESETS:
        known = ", ".join(sorted(PRESETS))
        raise Refusal(Code.BAD_RULESET, f"there is no ruleset {preset!r}; there are {known}")
    keys = _merge(PRESETS[preset], overrides or {})
    try:
        ruleset = msgspec.convert(keys, Ruleset)
    except msgspec.ValidationError as error:
        raise Refusal(Code.BAD_RULESET, f"ruleset refused: {error}") from error
    options = ruleset.break_.foul_options
    if len(set(options)) != len(options):
        raise Refusal(Code.BAD_RULESET, "ruleset refused: a break foul option is given twice")
    return ruleset
