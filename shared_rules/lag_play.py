"""The lag in a match: two unseen strokes, played together, and what comes of them (LAG.*, N9.1)."""

from typing import Literal

from msgspec.structs import replace

from shared_rules.announcements import (
    Announcement,
    CuePlaced,
    Judged,
    LagOpened,
    LagStroked,
    Struck,
)  # fmt: skip
from shared_rules.balls import LAG_A, LAG_B
from shared_rules.clocks import started, stopped
from shared_rules.commands import FinishShot
from shared_rules.lag import BALLS, judge_lag, start_places
from shared_rules.order_of_play import other
from shared_rules.placement import check_lag_place
from shared_rules.refusal import Code, Refusal
from shared_rules.state import (
    LagState,
    LagStroke,
    MatchState,
    Option,
    Phase,
    Ruling,
    RunningShot,
    Seat,
    Stroke,
)  # fmt: skip
from shared_rules.table import Position
from shared_rules.turns import begin_decision, begin_rack, with_flag


def open_lag(state: MatchState, at: float, say: list[Announcement]) -> MatchState:
    """A lag opens, the first or another."""
    attempt = state.lag.attempt + 1 if state.lag is not None else 1
    say.append(LagOpened(attempt=attempt))
    return _opened(state, attempt, at)


def reopen_lag(state: MatchState, at: float) -> MatchState:
    """The same lag again: its shot was void."""
    return _opened(state, state.lag.attempt if state.lag is not None else 1, at)


def _opened(state: MatchState, attempt: int, at: float) -> MatchState:
    places = start_places(state.description.frame)
    state = replace(
        state,
        phase=Phase.LAG,
        shooter=None,
        decider=None,
        options=(),
        running=None,
        balls=dict(zip(BALLS, places, strict=True)),
        lag=LagState(balls=places, attempt=attempt),
    )
    return started(state, at)


def _lag(state: MatchState) -> LagState:
    if state.lag is None:
        raise Refusal(Code.WRONG_STATE, "no lag is open")
    return state.lag


def place_lag_ball(
    state: MatchState, seat: Seat, position: Position, say: list[Announcement]
) -> MatchState:
    """A player puts his lag ball down on his half (N9.1.1)."""
    lag = _lag(state)
    check_lag_place(position, seat, lag.balls, state.description.frame)
    say.append(CuePlaced(position=position))
    balls = (position, lag.balls[1]) if seat == 0 else (lag.balls[0], position)
    lag = replace(lag, balls=balls, placed=with_flag(lag.placed, seat, True))
    return replace(state, lag=lag, balls=dict(zip(BALLS, balls, strict=True)))


def strike_lag(
    state: MatchState, seat: Seat, stroke: Stroke, at: float, say: list[Announcement]
) -> MatchState:
    """A player commits his lag stroke, unseen; with the second both are played."""
    lag = _lag(state)
    committed = LagStroke(stroke=stroke, at=at)
    strokes = (committed, lag.strokes[1]) if seat == 0 else (lag.strokes[0], committed)
    lag = replace(lag, strokes=strokes, struck=with_flag(lag.struck, seat, True))
    say.append(LagStroked(seat=seat))
    state = replace(state, lag=lag)
    first, second = strokes
    if first is None or second is None:
        return state
    return _play(state, first, second, at, say)


def _play(
    state: MatchState, a: LagStroke, b: LagStroke, at: float, say: list[Announcement]
) -> MatchState:
    """Both strokes are in: each keeps its own time, at most ``lag.together_s`` apart."""
    most = state.description.ruleset.lag.together_s
    begin = min(a.at, b.at)
    number = state.shot_number + 1
    strokes = (
        (LAG_A, min(a.at - begin, most), a.stroke),
        (LAG_B, min(b.at - begin, most), b.stroke),
    )
    say.append(Struck(shot=number, strokes=strokes))
    running = RunningShot(
        number=number,
        shooter=None,
        strokes=strokes,
        started_at=at,
        balls_before=state.balls,
        phase_before=Phase.LAG,
    )
    state = replace(state, phase=Phase.SHOT_RUNNING, running=running, shot_number=number)
    return stopped(state)


def finish_lag(
    state: MatchState, running: RunningShot, command: FinishShot, at: float,
    say: list[Announcement],
) -> MatchState:  # fmt: skip
    """Both lag balls have stopped: who has won it?"""
    described = state.description
    if not set(command.balls) <= set(running.balls_before):
        raise Refusal(Code.MALFORMED, "a ball came to rest that was not in the lag")
    verdict = judge_lag(
        command.events,
        command.balls,
        described.ruleset.lag,
        described.frame,
        referee=described.referee,
    )
    ruling = Ruling(
        shot=running.number,
        shooter=None,
        lag_winner=None if verdict.referee_decides else verdict.winner,
        lag_fouls=verdict.faults,
        relag=verdict.winner is None and not verdict.referee_decides,
        gaps_mm=verdict.gaps_mm,
    )
    say.append(Judged(ruling=ruling))
    state = replace(state, last_ruling=ruling, running=None, balls={})
    if verdict.referee_decides:
        lag = replace(_lag(state), would_win=verdict.winner)
        state = replace(
            state,
            phase=Phase.LAG_REFEREE_DECISION,
            lag=lag,
            decider="referee",
            options=(Option.RELAG, Option.LAG_STANDS),
        )
        return started(state, at)
    return win_lag(state, verdict.winner, at, say)


def win_lag(
    state: MatchState, winner: Seat | None, at: float, say: list[Announcement]
) -> MatchState:
    """The lag is decided, or repeated."""
    if winner is None:
        return open_lag(state, at, say)
    state = replace(state, lag_winner=winner, lag=None, balls={})
    options = (Option.BREAK, Option.GIVE_BREAK)
    return begin_decision(state, winner, Phase.LAG_CHOICE, options, at)


def choose_after_lag(
    state: MatchState, option: Option, at: float, say: list[Announcement]
) -> MatchState:
    """The referee on a late stroke, or the winner on the break (LAG.1, N9.1.2, N9.1.4)."""
    if option is Option.RELAG:
        return open_lag(state, at, say)
    if option is Option.LAG_STANDS:
        return win_lag(state, _lag(state).would_win, at, say)
    winner = state.lag_winner
    assert winner is not None  # LAG_CHOICE is entered through win_lag only
    breaker = winner if option is Option.BREAK else other(winner)
    if state.set_opener is None:  # no lag within a match (S14.12)
        state = replace(state, set_opener=breaker)
    return begin_rack(state, breaker, at, say, new_game=True)


def lag_ran_out(
    state: MatchState, at: float, say: list[Announcement]
) -> tuple[MatchState, Literal[0, 1] | None]:
    """The lag time is over: who has not struck loses it; if nobody has, it opens again.

    Returns:
        The state, and the seat that ran out of time (None if both did).
    """
    lag = _lag(state)
    if lag.struck == (False, False):
        return open_lag(state, at, say), None
    late: Seat = 0 if not lag.struck[0] else 1
    return win_lag(state, other(late), at, say), late
