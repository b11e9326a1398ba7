"""Calls before a stroke, and the ball that may be spotted for one (G.1.5e, G.1.6, E8.6)."""

from msgspec.structs import replace

from shared_rules.announcements import Announcement, Called
from shared_rules.balls import CUE
from shared_rules.disciplines import discipline_of
from shared_rules.follow import spotted
from shared_rules.refusal import Code, Refusal
from shared_rules.situation import situation_of
from shared_rules.snooker import snookered
from shared_rules.state import Call, MatchState, Seat

# Distances to the head string that differ by less than this are equal, m.
_EQUAL = 1e-6


def call_is_due(state: MatchState) -> bool:
    """Whether the coming stroke has to be called; nothing is on an eight-ball break (E8.3b)."""
    rules = state.description.ruleset
    return rules.call == "required" and not (state.is_break and rules.break_.called == "nothing")


def check_calling(state: MatchState) -> None:
    """Refuse any call where there is none.

    Raises:
        Refusal: ``wrong_state``.
    """
    if state.description.ruleset.call == "none":
        raise Refusal(Code.WRONG_STATE, "shots are not called in this game")
    if not call_is_due(state):
        raise Refusal(Code.WRONG_STATE, "nothing is called on the break")


def check_call(state: MatchState, seat: Seat, call: Call) -> None:
    """Refuse a call of what may not be called now; also for a client's live feedback.

    Raises:
        Refusal: ``unknown_ball``, ``eight_not_callable`` or ``not_own_group``.
    """
    check_calling(state)
    situation = situation_of(state, seat)
    if call.ball is not None and call.ball not in situation.on_table:
        raise Refusal(Code.UNKNOWN_BALL, f"ball {call.ball} is not on the table")
    discipline_of(state.description.ruleset).check_call(situation, call)


def take_call(state: MatchState, seat: Seat, call: Call, say: list[Announcement]) -> MatchState:
    """A player calls his stroke; it replaces what he called before (G.1.6c)."""
    check_call(state, seat, call)
    say.append(Called(seat=seat, call=call))
    return replace(state, call=call)


def spottable(state: MatchState, seat: Seat) -> tuple[int, ...]:
    """Legal targets nearest to the head string, if the shooter may have one spotted (G.1.5e).

    In black ball the baulk line takes the place of the string (BB.1b).

    Raises:
        Refusal: ``wrong_state``: the cue ball is not in hand behind the string;
            ``legal_ball_in_front_of_head_string``: a ball on the string is playable, too.
    """
    if state.cue_in_hand not in ("head", "baulk") or state.is_break:
        raise Refusal(
            Code.WRONG_STATE, "a ball is spotted only with the cue ball in hand behind the string"
        )
    situation = situation_of(state, seat)
    targets = discipline_of(state.description.ruleset).targets(situation)
    if not targets or not targets <= situation.behind_head:
        raise Refusal(
            Code.LEGAL_BALL_IN_FRONT_OF_HEAD_STRING,
            "there is a ball to play at that is not behind the head string",
        )
    nearest = max(state.balls[ball].x for ball in targets)
    return tuple(b for b in sorted(targets) if nearest - state.balls[b].x <= _EQUAL)


def check_snooker(state: MatchState) -> None:
    """Refuse to take a snooker that is none (BB.1c), or where none is declared.

    Raises:
        Refusal: ``wrong_state``, ``cue_ball_not_placed``; ``not_snookered``: a ball on can be hit.
    """
    game, seat = discipline_of(state.description.ruleset), state.shooter
    if game.on is None or seat is None:
        raise Refusal(Code.WRONG_STATE, "no snooker is declared in this game")
    if CUE not in state.balls:
        raise Refusal(Code.CUE_BALL_NOT_PLACED, "place the cue ball first")
    if state.snooker_declared:
        raise Refusal(Code.WRONG_STATE, "the snooker is declared already")
    on, frame = game.on(situation_of(state, seat)), state.description.frame
    if not snookered(state.balls, on, frame, state.frozen.to_cue):
        raise Refusal(Code.NOT_SNOOKERED, "there is a straight way to a ball on")


def check_spot_request(state: MatchState) -> None:
    """Refuse a request to spot a ball where none may be spotted.

    Raises:
        Refusal: as ``spottable``.
    """
    if state.shooter is not None:
        spottable(state, state.shooter)


def spot_on_request(
    state: MatchState, seat: Seat, ball: int | None, say: list[Announcement]
) -> MatchState:
    """The ball nearest to the head string is spotted; of several, the one named (ambiguity 71)."""
    nearest = spottable(state, seat)
    if ball is None and len(nearest) > 1:
        names = ", ".join(map(str, nearest))
        raise Refusal(Code.OPTION_NOT_AVAILABLE, f"equally near: name one of {names}")
    chosen = nearest[0] if ball is None else ball
    if chosen not in nearest:
        raise Refusal(Code.OPTION_NOT_AVAILABLE, f"ball {chosen} is not the nearest")
    return spotted(state, (chosen,), say)
