"""Carries out what comes next, after a verdict and after a choice alike (RULES 0.7)."""

from collections.abc import Sequence

from msgspec.structs import replace

from shared_rules.announcements import Announcement, Spotted
from shared_rules.balls import CUE
from shared_rules.clocks import started
from shared_rules.order_of_play import other, win
from shared_rules.rerack import begin_rerack
from shared_rules.spotting import spot_position
from shared_rules.state import Interrupted, MatchState, Option, Phase, Seat
from shared_rules.turns import begin_decision, begin_in_hand, begin_rack, begin_shot, without
from shared_rules.verdict import (
    PENALTIES,
    Breaks,
    Decides,
    Next,
    Penalty,
    Reracks,
    Shoots,
    Side,
    Undone,
    Unplayed,
    Wins,
)  # fmt: skip

_EIGHT = 8

_CHOICES: dict[Option, Next] = {
    Option.ACCEPT_TABLE: Shoots("shooter"),
    Option.CUE_IN_POSITION: Shoots("shooter"),
    Option.PASS_BACK: Shoots("other"),
    Option.BALL_IN_HAND_ANYWHERE: Shoots("shooter", "anywhere"),
    Option.BALL_IN_HAND_HEAD: Shoots("shooter", "head"),
    Option.CUE_IN_HAND_BAULK: Shoots("shooter", "baulk"),
    Option.RERACK_SELF_BREAKS: Breaks("shooter"),
    Option.RERACK_OFFENDER_BREAKS: Breaks("other"),
    Option.REBREAK: Breaks("shooter"),
    Option.REQUIRE_REBREAK: Breaks("other"),
    Option.SPOT_8_AND_CONTINUE: Shoots("shooter"),
    Option.SPOT_8_BALL_IN_HAND_HEAD: Shoots("shooter", "head"),
}
"""What each option leads to; here the decider is ``shooter``."""

_SPOTS_EIGHT = (Option.SPOT_8_AND_CONTINUE, Option.SPOT_8_BALL_IN_HAND_HEAD)


def after_choice(
    state: MatchState, decider: Seat, option: Option, at: float, say: list[Announcement]
) -> MatchState:
    """The match after a player's choice on what a shot has led to."""
    then = _CHOICES[option]
    if option in _SPOTS_EIGHT:
        state = spotted(state, (_EIGHT,), say)
    if option is Option.ACCEPT_TABLE:
        then = Shoots("shooter", state.cue_in_hand)  # without a cue ball on it, it is in hand
    return follow(state, decider, then, at, say)


def follow(
    state: MatchState, seat: Seat, then: Next, at: float, say: list[Announcement]
) -> MatchState:
    """The match with what comes next, said from ``seat``."""

    def of(side: Side) -> Seat:
        return seat if side == "shooter" else other(seat)

    match then:
        case Shoots(who, "none"):
            return begin_shot(state, of(who), Phase.AWAIT_SHOT, at, say)
        case Shoots(who, hand):
            return begin_in_hand(state, of(who), hand, at, say)
        case Decides(who, phase, options, hand):
            state = replace(state, cue_in_hand=hand, cue_placed=False)
            return begin_decision(state, of(who), phase, options, at)
        case Breaks(who, new_rack=True):
            return begin_rack(state, of(who), at, say, new_game=False)
        case Breaks(who):
            return _hand_break_over(state, of(who), at, say)
        case Reracks():
            return begin_rerack(state, seat, say)
        case Wins(who, reason):
            return win(state, of(who), "game", reason, say)
        case Penalty():
            return open_penalty(state, seat, at)
        case Unplayed() | Undone():
            raise AssertionError("nothing comes next after a stroke that was none")


def _hand_break_over(
    state: MatchState, seat: Seat, at: float, say: list[Announcement]
) -> MatchState:
    """The break was not played: the rack stands, and the other player breaks."""
    if not state.racked:
        return begin_rack(state, seat, at, say, new_game=False)
    state = replace(
        state,
        balls=without(state.balls, CUE),
        breaker=seat,
        cue_in_hand=state.description.ruleset.break_.area,
        cue_placed=False,
    )
    return begin_shot(state, seat, Phase.PLACE_CUE_FOR_BREAK, at, say)


def open_penalty(state: MatchState, seat: Seat, at: float) -> MatchState:
    """The referee has to choose a penalty for ``seat`` (F6.16p)."""
    held = Interrupted(
        phase=state.running.phase_before if state.running is not None else state.phase,
        shooter=state.shooter,
        decider=state.decider,
        options=state.options,
    )
    state = replace(
        state,
        phase=Phase.REFEREE_PENALTY,
        shooter=seat,
        decider="referee",
        options=PENALTIES,
        running=None,
        interrupted=held,
    )
    return started(state, at)


def spotted(state: MatchState, balls: Sequence[int], say: list[Announcement]) -> MatchState:
    """The table with balls spotted, one after another (RULES 11.1)."""
    for ball in balls:
        rules = state.description.ruleset.spot
        place = spot_position(without(state.balls, ball), state.description.frame, rules)
        say.append(Spotted(ball=ball, position=place))
        state = replace(state, balls=dict(sorted({**state.balls, ball: place}.items())))
    return state
