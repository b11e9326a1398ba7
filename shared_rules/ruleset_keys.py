"""The keys of the ruleset object, in the groups in which they are written (DIFFERENCES.md)."""

from typing import Annotated, Literal

import msgspec

from shared_rules.seat import Seat

Races = Annotated[int, msgspec.Meta(ge=1, le=99)]


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group of keys."""


class LagRules(Part, frozen=True, kw_only=True):
    """``tie_mm``: LAG.4b.  ``together_s``: greatest time between the two strokes."""

    placement: Literal["players", "server"] = "players"
    late_stroke: Literal["referee", "relag"] = "referee"
    tie_mm: Annotated[float, msgspec.Meta(ge=0, le=10)] = 0.5
    # The later of two unseen lag strokes is played as if it came at most this much later: unseen
    # strokes give no advantage, and a human commits later than the ball needs to the foot cushion.
    together_s: Annotated[float, msgspec.Meta(ge=0, le=60)] = 0.3


class MatchRules(Part, frozen=True, kw_only=True):
    """``races``: in a handicap what each seat has to win, games, or sets where sets are played."""

    games_to_win: Races = 7
    sets_to_win: Races = 1
    races: tuple[Races, Races] | None = None
    break_order: Literal["winner", "alternate", "loser"] = "winner"
    set_opener: Literal["alternate"] = "alternate"

    def games_of(self, seat: Seat) -> int:
        """Games that a seat has to win for a set."""
        if self.races is None or self.sets_to_win > 1:
            return self.games_to_win
        return self.races[seat]

    def sets_of(self, seat: Seat) -> int:
        """Sets that a seat has to win for the match."""
        if self.races is None or self.sets_to_win == 1:
            return self.sets_to_win
        return self.races[seat]


BreakFoulOption = Literal[
    "accept_table", "ball_in_hand_anywhere", "ball_in_hand_head", "rerack_self_breaks",
    "rerack_offender_breaks", "require_rebreak", "cue_in_position", "cue_in_hand_baulk",
]  # fmt: skip
IllegalBreakOption = Literal["accept_table", "rerack_self_breaks", "rerack_offender_breaks"]


class BreakRules(Part, frozen=True, kw_only=True):
    """``area``: from where the break is played.  ``foul_options``: what the opponent may choose
    after a foul on it; one that is left alone is no choice.  ``called``: whether the break is
    called like any other shot (S14.5a), where shots are.  ``illegal_options``: after a break
    with too few balls to a rail that is no foul (E8.3d); none where it is one.  ``eight``: what the
    8 on a legal break does (E8.3e): its player's choice, spotted and play goes on, or the game."""

    area: Literal["head", "baulk"] = "head"
    called: Literal["nothing", "shot"] = "nothing"
    placement_foul: Literal["refuse", "foul_if_warned"] = "refuse"
    foul_options: Annotated[tuple[BreakFoulOption, ...], msgspec.Meta(min_length=1)] = (
        "accept_table",
        "ball_in_hand_anywhere",
        "rerack_self_breaks",
        "rerack_offender_breaks",
    )
    illegal_options: tuple[IllegalBreakOption, ...] = ()
    min_railed: Annotated[int, msgspec.Meta(ge=0, le=15)] = 4
    eight: Literal["choice", "spot", "win"] = "choice"


class PushOutRules(Part, frozen=True, kw_only=True):
    enabled: bool = True
    nine: Literal["spot"] = "spot"


class RackRules(Part, frozen=True, kw_only=True):
    gap_mm: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.03


class PocketRules(Part, frozen=True, kw_only=True):
    full_touch: Literal["foul", "ignore"] = "foul"


class RailRules(Part, frozen=True, kw_only=True):
    count_pocketed: bool = False
    frozen_same_cushion: Literal["after_other_ball", "after_leaving"] = "after_other_ball"
    near_cushion_limit: Annotated[int, msgspec.Meta(ge=1, le=9)] | None = 2


class TouchingRules(Part, frozen=True, kw_only=True):
    mode: Literal["half_distance", "free_if_frozen", "play_away"] = "half_distance"


class JumpRules(Part, frozen=True, kw_only=True):
    tip_rule: Literal["upper_three_quarters", "none"] = "upper_three_quarters"
    over_ball: Literal["allowed", "foul"] = "allowed"


class SpotRules(Part, frozen=True, kw_only=True):
    contact: bool = False
    gap_mm: Annotated[float, msgspec.Meta(gt=0, le=10)] = 1.0
    order: Literal["ascending", "black_next_rest"] = "ascending"


class ThreeFoulRules(Part, frozen=True, kw_only=True):
    """``limit``: so many fouls in a row are a serious foul (F6.14); None: they are not counted."""

    limit: Annotated[int, msgspec.Meta(ge=2, le=9)] | None = 3
    penalty: Literal["loss_of_game", "points"] = "loss_of_game"
    unwarned: Literal["not_counted", "counts_as_second"] = "not_counted"
    warn: Literal["auto"] = "auto"


class PointRules(Part, frozen=True, kw_only=True):
    """Points of straight pool for fouls (S14.9p, S14.10a, S14.11b)."""

    foul: Annotated[int, msgspec.Meta(ge=-99, le=0)] = -1
    breaking_foul: Annotated[int, msgspec.Meta(ge=-99, le=0)] = -2
    third_foul: Annotated[int, msgspec.Meta(ge=-99, le=0)] = -15


class SettleRules(Part, frozen=True, kw_only=True):
    seconds: Annotated[float, msgspec.Meta(ge=0, le=60)] = 5.0


class ShotClockRules(Part, frozen=True, kw_only=True):
    imposed_max_s: Annotated[float, msgspec.Meta(ge=5, le=600)] | None = 45.0
    needs_warning: bool = True


class TimeOutRules(Part, frozen=True, kw_only=True):
    max_s: Annotated[float, msgspec.Meta(gt=0, le=3600)] = 300.0
    before_last_set: Annotated[int, msgspec.Meta(ge=0, le=9)] = 1
    in_last_set: Annotated[int, msgspec.Meta(ge=0, le=9)] = 1


class LateRules(Part, frozen=True, kw_only=True):
    seconds: Annotated[float, msgspec.Meta(ge=0, le=86400)] = 900.0
    effect: Literal["disqualify", "award_match"] = "disqualify"


class StalemateRules(Part, frozen=True, kw_only=True):
    """``no_legal_shot``: whether a rack without any possible legal shot is one at once (BB.15)."""

    extra_visits: Annotated[int, msgspec.Meta(ge=0, le=9)] = 3
    breaker: Literal["same", "lag"] = "same"
    no_legal_shot: bool = False


class DisconnectRules(Part, frozen=True, kw_only=True):
    """How long a player may be away.  ``grace_s``: at a time, when his connection was lost;
    ``left_grace_s``: when he has left on purpose, if that is less; ``claim_s``: after that his
    opponent may claim what ``effect`` says for so long, then it comes by itself; ``budget_s``: in
    a match, all together."""

    grace_s: Annotated[float, msgspec.Meta(ge=0, le=86400)] = 60.0
    left_grace_s: Annotated[float, msgspec.Meta(ge=0, le=86400)] = 20.0
    claim_s: Annotated[float, msgspec.Meta(ge=0, le=86400)] = 60.0
    budget_s: Annotated[float, msgspec.Meta(ge=0, le=86400)] = 300.0
    effect: Literal["award_game", "award_match", "adjourn"] = "award_game"


class Aids(Part, frozen=True, kw_only=True):
    guide_line: Literal["none", "first_contact", "full"] = "first_contact"


class Tolerances(Part, frozen=True, kw_only=True):
    frozen_mm: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.1
    leaves_rail_mm: Annotated[float, msgspec.Meta(ge=0, le=5)] = 0.5
    tie_ms: Annotated[float, msgspec.Meta(ge=0, le=10)] = 0.5
    push_ms: Annotated[float, msgspec.Meta(ge=0, le=50)] = 4.0
    graze_deg: Annotated[float, msgspec.Meta(ge=0, le=90)] = 75.0
