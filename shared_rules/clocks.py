"""The clocks of a match: when one runs, when it stands, what it runs for (F6.15, N9.9e, g).

A clock is a deadline in the server's time; the rules never look at a clock of their own.  The
deadline decides: what a player sends at or after it comes too late, even before the server has
said that the time is up.  An order may bring a credit for its way to the server.
"""

from msgspec.structs import replace

from shared_rules.refusal import Code, Refusal
from shared_rules.state import Clock, MatchState, Phase, Seat

SHOT_PHASES = frozenset(
    {
        Phase.AWAIT_SHOT, Phase.PLACE_CUE_ANYWHERE, Phase.PLACE_CUE_HEAD, Phase.PLACE_CUE_BAULK,
        Phase.PLACE_CUE_FOR_BREAK,
    }
)  # fmt: skip
"""Phases in which a stroke is awaited; placing the cue ball belongs to the shot (ambiguity 73)."""

DECISION_PHASES = frozenset(
    {
        Phase.LAG_CHOICE, Phase.DECIDE_AFTER_BREAK_FOUL, Phase.DECIDE_AFTER_PUSH_OUT,
        Phase.DECIDE_AFTER_ILLEGAL_BREAK, Phase.DECIDE_EIGHT_ON_BREAK, Phase.DECIDE_REBREAK,
        Phase.FREE_SHOT, Phase.DECIDE_CLAIM,
    }
)  # fmt: skip
"""Phases in which a player decides."""

REFEREE_PHASES = frozenset({Phase.LAG_REFEREE_DECISION, Phase.REFEREE_PENALTY})
"""Phases in which the referee decides."""


def stopped(state: MatchState) -> MatchState:
    """The state with no clock running."""
    clock = replace(state.clock, deadline=None, purpose=None, remaining=None)
    return replace(state, clock=clock)


def started(state: MatchState, at: float) -> MatchState:
    """The state with the clock of its phase started in full at ``at``, if that phase has one."""
    described = state.description
    clock = replace(state.clock, deadline=None, purpose=None, remaining=None)
    if state.phase is Phase.LAG:
        clock = replace(clock, deadline=at + described.lag_s, purpose="lag")
    elif state.phase in REFEREE_PHASES:
        clock = replace(clock, deadline=at + described.referee_s, purpose="decision")
    elif state.phase in DECISION_PHASES:
        clock = replace(clock, deadline=at + described.decision_s, purpose="decision")
    elif state.phase in SHOT_PHASES and clock.shot_clock is not None and state.balls:
        clock = replace(clock, deadline=at + clock.shot_clock.limit_s, purpose="shot")
    return replace(state, clock=clock)


def paused(state: MatchState, at: float) -> Clock:
    """The clock standing still, with what remains of it kept."""
    remaining = None
    if state.clock.deadline is not None:
        remaining = max(0.0, state.clock.deadline - at)
    return replace(state.clock, deadline=None, purpose=None, remaining=remaining)


def resumed(state: MatchState, at: float) -> MatchState:
    """The state with a paused clock going on with what remained of it."""
    remaining = state.clock.remaining
    going = started(state, at)
    if remaining is None or going.clock.purpose is None:
        return stopped(state)
    return replace(going, clock=replace(going.clock, deadline=at + remaining))


def check_extension(state: MatchState) -> None:
    """Refuse to extend the shot clock where there is nothing to extend it by.

    Raises:
        Refusal: ``no_extension``.
    """
    clock = state.clock
    if clock.shot_clock is None or clock.shot_clock.extension_s == 0.0:
        raise Refusal(Code.NO_EXTENSION, "there is no extension of the shot clock at this table")
    if clock.purpose != "shot" or clock.deadline is None:
        raise Refusal(Code.NO_EXTENSION, "no shot clock is running")
    if state.shooter is not None and clock.extended[state.shooter]:
        raise Refusal(Code.NO_EXTENSION, "you have had your extension of this rack")


def extended(state: MatchState, seat: Seat) -> MatchState:
    """The state with the running shot clock longer by the table's extension, which is used up."""
    clock = state.clock
    assert clock.shot_clock is not None and clock.deadline is not None  # see check_extension
    used = (True, clock.extended[1]) if seat == 0 else (clock.extended[0], True)
    later = clock.deadline + clock.shot_clock.extension_s
    return replace(state, clock=replace(clock, deadline=later, extended=used))


def anew(clock: Clock) -> Clock:
    """The clock at the beginning of a rack: its extensions are there again."""
    return replace(clock, extended=(False, False))


def check_in_time(state: MatchState, at: float) -> None:
    """Refuse what comes at or after the deadline of the running clock.

    Raises:
        Refusal: ``time_is_up``.
    """
    if state.clock.deadline is not None and at >= state.clock.deadline:
        raise Refusal(Code.TIME_IS_UP, "the time for this has run out")


def waited_for(state: MatchState) -> tuple[Seat, ...]:
    """The seats without whose order the match does not go on, whether a clock runs or not."""
    seats: tuple[Seat, ...] = (0, 1)
    if state.phase is Phase.LAG and state.lag is not None:
        struck = state.lag.struck
        return tuple(seat for seat in seats if not struck[seat])
    if state.phase in DECISION_PHASES:
        return tuple(seat for seat in seats if seat == state.decider)
    if state.phase in SHOT_PHASES:
        return tuple(seat for seat in seats if seat == state.shooter)
    return ()  # nobody, or a referee; a time-out that ends costs nobody anything


def awaited(state: MatchState) -> tuple[Seat, ...]:
    """The seats whose time runs: who loses something when the running clock expires."""
    return () if state.clock.deadline is None else waited_for(state)


def late_s(state: MatchState, at: float) -> float:
    """How long after the deadline of the running clock ``at`` is; 0: not at all."""
    deadline = state.clock.deadline
    return 0.0 if deadline is None else max(0.0, at - deadline)
