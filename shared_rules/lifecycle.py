"""The life of a match as a table: which command each phase takes, and from whom (RULES 0.6, 0.7).

What can be prevented is refused, not penalised: a stroke while balls move (N9.5j, F6.9) or out of
turn (F6.13a).

``check`` refuses everything that can be refused without looking at what a command carries; both
``match.apply`` and ``allowed.allowed`` ask it, so a client greys out exactly what would be refused.
"""

from shared_rules import commands as c
from shared_rules.calls import call_is_due, check_calling, check_snooker, check_spot_request
from shared_rules.claims import check_claimable
from shared_rules.clocks import DECISION_PHASES, SHOT_PHASES, check_extension, check_in_time
from shared_rules.commands import Actor
from shared_rules.order_of_play import is_last_set
from shared_rules.refusal import Code, Refusal
from shared_rules.state import MatchState, Phase

Kind = type[c.Command]

_CALLS = (c.CallShot, c.CallSafety)
_SHOT = (
    c.PlaceCue, c.Strike, c.DeclarePushOut, c.DeclareSnooker, c.RequestSpot, c.ExtendShot, *_CALLS,
)  # fmt: skip
_BREAK = (c.PlaceCue, c.Strike, c.RackBalls, c.ExtendShot, *_CALLS)
_TALK = (c.Concede, c.RequestRuling)
_PLAY = (
    *_TALK, c.RequestTimeOut, c.AgreeStalemate, c.RequestRestore, c.RequestWatcher, c.ChangeCue,
)  # fmt: skip
_CALL = (
    c.WarnSlowPlay, c.ImposeShotClock, c.CallFoul, c.CallUnsportsmanlike, c.AnnounceNoProgress,
    c.DeclareStalemate, c.RestoreBalls, c.UpholdJudgement, c.ResolveWedged, c.OutsideInterference,
    c.Claim,
)  # fmt: skip
_CALL_LATER = (
    c.CallFoul, c.CallUnsportsmanlike, c.OutsideInterference, c.WarnSlowPlay, c.ImposeShotClock,
    c.UpholdJudgement, c.ResolveWedged, c.Claim,
)  # fmt: skip
_ON_STROKE = (c.CallFoul, c.OutsideInterference, c.ResolveWedged)
"""What the last stroke is judged again for."""
_STOP = (c.Suspend, c.AwardLoss)

_DECISION = (c.Choose, c.ExpireClock, *_CALL_LATER, *_PLAY, *_STOP)
_BETWEEN_GAMES = (c.NextGame, *_CALL_LATER, *_TALK, *_STOP)
AFTER_SHOT = DECISION_PHASES - {Phase.LAG_CHOICE, Phase.DECIDE_CLAIM}
"""Decisions on what a shot has led to."""

LIFE: dict[Phase, frozenset[Kind]] = {
    phase: frozenset(kinds)
    for phase, kinds in {
        Phase.WAITING_FOR_PLAYERS: (c.StartMatch, c.LateArrival, c.AwardLoss),
        Phase.LAG: (c.PlaceCue, c.Strike, c.ExpireClock, *_TALK, *_STOP),
        Phase.LAG_CHOICE: (c.Choose, c.ExpireClock, *_TALK, *_STOP),
        Phase.LAG_REFEREE_DECISION: (c.Choose, c.ExpireClock, *_TALK, *_STOP),
        Phase.PLACE_CUE_FOR_BREAK: (
            *_BREAK, c.ExpireClock, c.RequestTimeOut, c.ChangeCue, *_CALL_LATER, *_TALK, *_STOP,
        ),
        Phase.RERACK: (c.RackBalls, *_ON_STROKE, *_TALK, *_STOP),
        Phase.AWAIT_SHOT: (*_SHOT, c.ExpireClock, *_PLAY, *_CALL, *_STOP),
        Phase.PLACE_CUE_ANYWHERE: (*_SHOT, c.ExpireClock, *_PLAY, *_CALL, *_STOP),
        Phase.PLACE_CUE_HEAD: (*_SHOT, c.ExpireClock, *_PLAY, *_CALL, *_STOP),
        Phase.PLACE_CUE_BAULK: (*_SHOT, c.ExpireClock, *_PLAY, *_CALL, *_STOP),
        Phase.SHOT_RUNNING: (c.FinishShot, c.VoidShot, c.CallFoul, c.OutsideInterference),
        **dict.fromkeys(AFTER_SHOT, _DECISION),
        Phase.REFEREE_PENALTY: (c.Choose, c.ExpireClock, *_TALK, *_STOP),
        Phase.DECIDE_CLAIM: (c.Choose, c.ExpireClock, c.Concede, *_STOP),
        Phase.SUSPENDED: (c.Resume, c.RackBalls, c.Concede, c.AwardLoss),
        Phase.TIME_OUT: (c.EndTimeOut, c.ExpireClock, c.RackBalls, c.Concede, c.AwardLoss),
        Phase.BETWEEN_GAMES: _BETWEEN_GAMES,
        Phase.GAME_OVER: _BETWEEN_GAMES,
        Phase.SET_OVER: (c.RequestTimeOut, *_BETWEEN_GAMES),
        Phase.MATCH_OVER: _ON_STROKE,
    }.items()
}  # fmt: skip
"""Which commands a phase takes at all."""

_SERVER, _CLOCK, _REFEREE = {Actor.SERVER}, {Actor.CLOCK}, {Actor.REFEREE}

OFFICIALS: dict[Kind, set[Actor]] = {
    c.StartMatch: _SERVER,
    c.RackBalls: _SERVER,
    c.FinishShot: _SERVER,
    c.VoidShot: _SERVER,
    c.NextGame: _SERVER,
    c.ExpireClock: _CLOCK | _SERVER,
    c.LateArrival: _CLOCK | _SERVER,
    c.AwardLoss: _SERVER | _REFEREE | _CLOCK,
    c.WarnSlowPlay: _REFEREE,
    c.ImposeShotClock: _REFEREE,
    c.CallFoul: _REFEREE,
    c.CallUnsportsmanlike: _REFEREE,
    c.AnnounceNoProgress: _REFEREE,
    c.DeclareStalemate: _REFEREE,
    c.RestoreBalls: _REFEREE,
    c.UpholdJudgement: _REFEREE,
    c.ResolveWedged: _REFEREE,
    c.OutsideInterference: _REFEREE,
    c.Suspend: _REFEREE | _SERVER,
    c.Resume: _REFEREE | _SERVER,
}
"""Who may give the commands that are no player's."""

TURN_KINDS: frozenset[Kind] = frozenset(_SHOT)
"""Commands of the player whose stroke is awaited."""

# A game can be given up only while one is played; a match at any time.
_IN_GAME = SHOT_PHASES | AFTER_SHOT | {Phase.RERACK}

_IN_SUSPENSION: tuple[Kind, ...] = (c.Choose, *(kind for kind in _CALL if kind is not c.Claim))
"""What a referee may do while play is suspended, if he could when it goes on."""

IN_TIME: frozenset[Kind] = frozenset(
    {*_SHOT, c.Choose, c.RequestTimeOut, c.AgreeStalemate, c.Claim}
)
"""Commands that must come before the deadline of a running clock."""

_REFUSED_BY_PHASE: dict[Phase, tuple[Code, str]] = {
    Phase.MATCH_OVER: (Code.MATCH_OVER, "the match is over"),
    Phase.SHOT_RUNNING: (Code.BALLS_MOVING, "the balls are still moving"),
    Phase.SUSPENDED: (Code.PLAY_SUSPENDED, "play is suspended"),
    Phase.TIME_OUT: (Code.TIME_OUT_RUNNING, "a time-out is running"),
}

_REFUSED_BY_KIND: dict[Kind, tuple[Code, str]] = {
    c.Choose: (Code.OPTION_NOT_AVAILABLE, "there is nothing to choose now"),
    c.DeclarePushOut: (Code.PUSH_OUT_NOT_AVAILABLE, "a push-out cannot be announced now"),
    c.RequestTimeOut: (Code.NOT_AT_TABLE, "a time-out may be taken at the table or between sets"),
}


def check(state: MatchState, by: Actor, kind: Kind, at: float | None = None) -> None:
    """Refuse a kind of command that its giver may not give now.

    Args:
        at: server time of the command; without one the clock is not looked at.

    Raises:
        Refusal: why not.
    """
    if not (kind is c.CallFoul and acts_as_referee(state, by)):
        _check_giver(by, kind)
    _check_phase(state, by, kind)
    if kind in TURN_KINDS and state.phase is not Phase.LAG and by.seat != state.shooter:
        raise Refusal(Code.NOT_YOUR_TURN, "it is your opponent's turn")
    if kind is c.Choose and Actor.of_decider(state.decider) is not by:
        raise Refusal(Code.NOT_DECIDER, "the choice is not yours")
    _check_kind(state, by, kind)
    if at is not None and kind in IN_TIME:
        check_in_time(state, at)


def acts_as_referee(state: MatchState, by: Actor) -> bool:
    """Whether a player takes the part of a referee who is not there (N9.9a)."""
    described = state.description
    alone = not described.referee and described.ruleset.unrefereed == "opponent_rules"
    return alone and by.seat is not None


def _check_giver(by: Actor, kind: Kind) -> None:
    givers = OFFICIALS.get(kind)
    if givers is None:
        if by.seat is None and not (kind is c.Choose and by is Actor.REFEREE):
            raise Refusal(Code.NOT_ALLOWED, "only a player may do that")
    elif by not in givers:
        raise Refusal(Code.NOT_ALLOWED, "a player may not do that")


def _check_phase(state: MatchState, by: Actor, kind: Kind) -> None:
    if kind in LIFE[state.phase]:
        return
    beneath = state.resumes_to
    official = by is Actor.REFEREE and kind in _IN_SUSPENSION
    if state.phase is Phase.SUSPENDED and beneath is not None and official:
        if kind in LIFE[beneath]:
            return
        raise Refusal(Code.WRONG_STATE, "that cannot be done now")
    refused = _REFUSED_BY_PHASE.get(state.phase) or _REFUSED_BY_KIND.get(kind)
    raise Refusal(*(refused or (Code.WRONG_STATE, "that cannot be done now")))


def _check_kind(state: MatchState, by: Actor, kind: Kind) -> None:
    """What a kind of command needs besides its phase and giver."""
    rules = state.description.ruleset
    if kind is c.PlaceCue:
        _check_place(state, by)
    elif kind is c.Strike:
        _check_strike(state, by)
    elif kind is c.DeclarePushOut and not state.push_out_available:
        raise Refusal(
            Code.PUSH_OUT_NOT_AVAILABLE,
            "a push-out is only for the stroke right after a break without a foul",
        )
    elif kind in _CALLS:
        check_calling(state)
    elif kind is c.RequestSpot:
        check_spot_request(state)
    elif kind is c.DeclareSnooker:
        check_snooker(state)
    elif kind is c.ResolveWedged and rules.wedged == "held_is_pocketed":
        raise Refusal(
            Code.NOT_ALLOWED, "a ball held up only by another counts as pocketed by itself (D8.3)"
        )
    elif kind is c.ExtendShot:
        check_extension(state)
    elif kind is c.RequestTimeOut:
        _check_time_out(state, by)
    elif kind is c.EndTimeOut and by.seat != state.time_out_by:
        raise Refusal(Code.NOT_ALLOWED, "only who took the time-out may end it early")
    elif kind is c.RequestRestore and not rules.restore_after_foul:
        raise Refusal(
            Code.NO_RESTORATION_RIGHT, "balls moved by a foul stay where they are (N9.5e)"
        )
    elif kind in (c.RequestRuling, c.RequestRestore) and not state.description.referee:
        raise Refusal(Code.NO_REFEREE, "no referee sits at this table")
    elif kind is c.Claim and by.seat is not None:
        check_claimable(state, by.seat)
    elif kind is c.AgreeStalemate and by.seat is not None and state.stalemate_agreed[by.seat]:
        raise Refusal(Code.WRONG_STATE, "you have agreed already")
    elif kind is c.Concede and rules.concede_scope == "game" and state.play_phase not in _IN_GAME:
        raise Refusal(Code.WRONG_STATE, "no game is being played that could be given up")


def _check_place(state: MatchState, by: Actor) -> None:
    if state.phase is Phase.LAG:
        _check_lag_open(state, by)
        if state.description.ruleset.lag.placement == "server":
            raise Refusal(Code.NOT_ALLOWED, "the lag balls are placed by the server")
    elif state.cue_in_hand == "none":
        raise Refusal(Code.WRONG_STATE, "the cue ball is not in hand")
    elif state.phase is Phase.PLACE_CUE_FOR_BREAK and not state.racked:
        raise Refusal(Code.WRONG_STATE, "the balls are being racked")


def _check_strike(state: MatchState, by: Actor) -> None:
    if state.phase is Phase.LAG:
        _check_lag_open(state, by)
    elif state.phase is Phase.PLACE_CUE_FOR_BREAK and not state.racked:
        raise Refusal(Code.WRONG_STATE, "the balls are being racked")
    elif state.cue_in_hand != "none" and not state.cue_placed:
        raise Refusal(Code.CUE_BALL_NOT_PLACED, "place the cue ball first")
    elif state.spotting_pending:
        raise Refusal(Code.SPOTTING_PENDING, "balls have to be spotted first (BB.13b)")
    elif call_is_due(state) and state.call is None:
        raise Refusal(Code.CALL_REQUIRED, "call a ball and its pocket, or a safety, first")


def _check_lag_open(state: MatchState, by: Actor) -> None:
    if state.lag is None or by.seat is None:
        raise Refusal(Code.WRONG_STATE, "no lag is open")
    if state.lag.struck[by.seat]:
        raise Refusal(Code.WRONG_STATE, "your lag stroke is in; wait for your opponent's")


def _check_time_out(state: MatchState, by: Actor) -> None:
    """N9.9e: at the table or between sets; one before the last set, one more in the last."""
    seat = by.seat
    if seat is None:
        raise Refusal(Code.NOT_ALLOWED, "only a player takes a time-out")
    at_table = state.decider if state.phase in DECISION_PHASES else state.shooter
    if state.phase is not Phase.SET_OVER and at_table != seat:
        raise Refusal(Code.NOT_AT_TABLE, "a time-out is for the player at the table")
    rules = state.description.ruleset.time_out
    last = is_last_set(state)
    used = state.time_outs_used_in_last_set[seat] if last else state.time_outs_used[seat]
    if used >= (rules.in_last_set if last else rules.before_last_set):
        raise Refusal(Code.TIME_OUT_USED, "your time-outs are used up")
