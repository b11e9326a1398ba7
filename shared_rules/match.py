"""A match as a function: ``apply(state, order)`` gives the next state and what to announce.

Nothing else makes a new state.  Times, seeds and results of the physics come in with the orders,
so a match replays from its description and its orders alone.  What is refused changes nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from msgspec.structs import replace

from shared_rules import commands as c
from shared_rules import officials, players, rulings, shots
from shared_rules.announcements import (
    Announcement,
    ClockRanOut,
    Credited,
    JudgementUpheld,
    MatchStarted,
    OfficialActed,
    Resumed,
    ShotExtended,
    SnookerDeclared,
    Suspended,
    TimeOutEnded,
    WatcherRequested,
)  # fmt: skip
from shared_rules.calls import take_call
from shared_rules.claims import claim
from shared_rules.clocks import extended, late_s
from shared_rules.commands import Actor, Order
from shared_rules.events import ClockExpired
from shared_rules.lag_play import lag_ran_out, open_lag
from shared_rules.lifecycle import IN_TIME, check
from shared_rules.penalties import call_unsportsmanlike
from shared_rules.recall import judge_stroke
from shared_rules.refusal import Code, Refusal
from shared_rules.state import Call, Clock, MatchDescription, MatchState, Option, Phase, Seat
from shared_rules.tray import with_tray


@dataclass(frozen=True, slots=True)
class Applied:
    """The state after an order, and what it says has happened, in order."""

    state: MatchState
    announcements: tuple[Announcement, ...]


def new_match(description: MatchDescription) -> MatchState:
    """A match that waits for its players."""
    return MatchState(description=description, clock=Clock(shot_clock=description.shot_clock))


def apply(state: MatchState, order: Order) -> Applied:
    """The match after an order.

    Raises:
        Refusal: the order is not taken; the code says why, and nothing has changed.
    """
    if not (isfinite(order.at) and isfinite(order.credit_s) and order.credit_s >= 0.0):
        raise Refusal(Code.MALFORMED, "the time of an order is a finite number, so is its credit")
    check(state, order.by, type(order.command), order.at - order.credit_s)
    say: list[Announcement] = []
    seat = order.by.seat
    late = late_s(state, order.at)
    if seat is not None and late and type(order.command) in IN_TIME:
        say.append(Credited(seat=seat, late_s=late))
    if seat is None:
        after = _by_official(state, order, say)
    else:
        after = _by_player(state, seat, order, say)
    after = with_tray(replace(after, version=state.version + 1))
    return Applied(after, tuple(say))


def replay(description: MatchDescription, orders: Iterable[Order]) -> MatchState:
    """The match after all its orders, from the beginning.

    Raises:
        Refusal: one of the orders would not have been taken.
    """
    state = new_match(description)
    for order in orders:
        state = apply(state, order).state
    return state


def _by_player(state: MatchState, seat: Seat, order: Order, say: list[Announcement]) -> MatchState:
    command, at = order.command, order.at
    match command:
        case c.PlaceCue():
            return players.place_cue(state, seat, command, at, say)
        case c.Strike():
            return players.strike(state, seat, command, at, say)
        case c.Choose():
            return _choose(state, command, at, say)
        case c.DeclarePushOut():
            return players.declare_push_out(state, command, say)
        case c.CallShot():
            call = Call(ball=command.ball, pocket=command.pocket)
            return take_call(state, seat, call, say)
        case c.CallSafety():
            return take_call(state, seat, Call(safety=True), say)
        case c.DeclareSnooker():
            say.append(SnookerDeclared(seat=seat))
            return replace(state, snooker_declared=True)
        case c.RequestSpot():
            return players.request_spot(state, seat, command, say)
        case c.Concede():
            return players.concede(state, seat, say)
        case c.RequestTimeOut():
            return players.request_time_out(state, seat, at, say)
        case c.ExtendShot():
            assert state.clock.shot_clock is not None  # as lifecycle has checked
            say.append(ShotExtended(seat=seat, by_s=state.clock.shot_clock.extension_s))
            return extended(state, seat)
        case c.EndTimeOut():
            say.append(TimeOutEnded())
            return players.go_on(state, at)
        case c.RequestRuling() | c.RequestRestore():
            reason = command.reason if isinstance(command, c.RequestRuling) else ""
            return players.request_ruling(state, seat, reason, at, say)
        case c.AgreeStalemate():
            return players.agree_stalemate(state, seat, at, say)
        case c.RequestWatcher():
            say.append(WatcherRequested(by=seat))
            return replace(state, watcher_asked_by=seat)
        case c.CallFoul():
            return officials.call_foul_on_opponent(state, seat, command, at, say)
        case c.ChangeCue():
            return players.change_cue(state, seat, command, say)
        case c.Claim():
            check(state, Actor.REFEREE, type(command.act))
            _by_referee(state, command.act, at, [])  # refused now, or not at all
            return claim(state, seat, command, at, say)
    raise AssertionError(f"{type(command).__name__} is no player's command")


def _by_official(state: MatchState, order: Order, say: list[Announcement]) -> MatchState:
    command, at = order.command, order.at
    match command:
        case c.StartMatch():
            say.append(MatchStarted())
            return open_lag(state, at, say)
        case c.RackBalls():
            return officials.rack_balls(state, command, at, say)
        case c.FinishShot():
            return judge_stroke(state, command, at, say)
        case c.VoidShot():
            return shots.void_shot(state, command, at, say)
        case c.NextGame():
            return officials.next_game(state, at, say)
        case c.ExpireClock():
            return _expire(state, command, at, say)
        case c.Suspend():
            by = "referee" if order.by is Actor.REFEREE else "server"
            say.append(Suspended(by=by, reason=command.reason))  # type: ignore[arg-type]
            return players.suspend(state, at)
        case c.Resume():
            say.append(Resumed())
            return players.go_on(state, at)
    if order.by is Actor.REFEREE:
        say.append(_acted("referee", command))
    if state.phase is Phase.SUSPENDED and not isinstance(command, c.AwardLoss):
        return _while_suspended(state, command, at, say)
    return _by_referee(state, command, at, say)


def _while_suspended(
    state: MatchState, command: c.Command, at: float, say: list[Announcement]
) -> MatchState:
    """A referee's act while play is suspended: it is still suspended after it."""
    after = _by_referee(players.go_on(state, at), command, at, say)
    return after if after.phase is Phase.MATCH_OVER else players.suspend(after, at)


def _acted(by: Literal["referee", "players"], command: c.Command) -> OfficialActed:
    tag = str(command.__struct_config__.tag)
    return OfficialActed(by=by, act=tag, reason=getattr(command, "reason", ""))


def _choose(
    state: MatchState, command: c.Choose, at: float, say: list[Announcement], *,
    by_clock: bool = False,
) -> MatchState:  # fmt: skip
    """Take one of the options; on a claim, do what both have agreed to."""
    act = state.claim
    if state.phase is not Phase.DECIDE_CLAIM or act is None:
        return players.choose(state, command, at, say, by_clock=by_clock)
    state = players.answer_claim(state, command, at, say, by_clock=by_clock)
    if command.option is not Option.AGREE:
        return state
    say.append(_acted("players", act))
    return _by_referee(state, act, at, say)


def _by_referee(
    state: MatchState, command: c.Command, at: float, say: list[Announcement]
) -> MatchState:
    match command:
        case c.Choose():
            return _choose(state, command, at, say)
        case c.AwardLoss():
            return officials.award_loss(state, command, say)
        case c.LateArrival():
            return officials.late_arrival(state, command, say)
        case c.WarnSlowPlay():
            return officials.warn_slow_play(state, say)
        case c.ImposeShotClock():
            return officials.impose_shot_clock(state, command, say)
        case c.CallFoul():
            return officials.call_foul(state, command, at, say)
        case c.CallUnsportsmanlike():
            return call_unsportsmanlike(state, command, at, say)
        case c.OutsideInterference():
            return officials.outside_interference(state, command, at, say)
        case c.AnnounceNoProgress():
            return officials.announce_no_progress(state, say)
        case c.DeclareStalemate():
            return officials.declare_stalemate(state, command, at, say)
        case c.RestoreBalls():
            return officials.restore_balls(state, command, say)
        case c.UpholdJudgement():
            say.append(JudgementUpheld())
            return state
        case c.ResolveWedged():
            return officials.resolve_wedged(state, command, at, say)
    raise AssertionError(f"{type(command).__name__} is no official's command")


def _expire(
    state: MatchState, command: c.ExpireClock, at: float, say: list[Announcement]
) -> MatchState:
    """The running clock has reached its deadline: a foul, the first option, or play goes on."""
    clock = state.clock
    if clock.deadline is None or command.deadline != clock.deadline:
        raise Refusal(Code.STALE_STATE, "that clock is not running any more")
    if at < clock.deadline:
        raise Refusal(Code.WRONG_STATE, "the time is not over yet")
    place = len(say)
    say.append(ClockRanOut(purpose=clock.purpose or "shot"))
    seat: Seat | None = None
    if clock.purpose == "lag":
        state, seat = lag_ran_out(state, at, say)
    elif clock.purpose == "decision":
        seat = state.decider if state.decider != "referee" else None
        first = c.Choose(option=state.options[0])
        state = _choose(state, first, at, say, by_clock=True)  # ambiguity 73: no foul
    elif clock.purpose == "time_out":
        seat = state.time_out_by
        say.append(TimeOutEnded())
        state = players.go_on(state, at)
    elif state.shooter is not None and clock.shot_clock is not None:
        seat = state.shooter
        expired = ClockExpired(limit_s=clock.shot_clock.limit_s)
        state = rulings.foul_without_stroke(state, seat, at, say, events=(expired,))
    say[place] = ClockRanOut(purpose=clock.purpose or "shot", seat=seat)
    return state


__all__ = ["Applied", "Phase", "apply", "new_match", "replay"]
