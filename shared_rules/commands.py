"""What may be said to a match: the commands of players, server, clock and referee (RULES 0.6).

A command comes inside an ``Order``, which says who gave it and when; seeds and results of the
physics come in with the server's commands, so that a match replays from its orders alone.
"""

from enum import StrEnum  # noqa: I001 (the acts are one block, to be had from here too)
from typing import Annotated, Literal, Union

import msgspec

from shared_rules.acts import (
    Act as Act,
    AnnounceNoProgress as AnnounceNoProgress,
    AwardLoss as AwardLoss,
    CallFoul as CallFoul,
    CallUnsportsmanlike as CallUnsportsmanlike,
    Claimable as Claimable,
    CommandBase as CommandBase,
    DeclareStalemate as DeclareStalemate,
    ImposeShotClock as ImposeShotClock,
    OutsideInterference as OutsideInterference,
    Reason as Reason,
    ResolveWedged as ResolveWedged,
    RestoreBalls as RestoreBalls,
    Resume as Resume,
    Suspend as Suspend,
    UpholdJudgement as UpholdJudgement,
    WarnSlowPlay as WarnSlowPlay,
)
from shared_rules.events import Event, Pocket
from shared_rules.state import Option, Seat, Stroke
from shared_rules.table import Position

ChosenCue = Literal["playing", "break", "jump"]
Coordinate = Annotated[float, msgspec.Meta(ge=-5.0, le=5.0)]


class Actor(StrEnum):
    """Who gives an order."""

    SEAT_0 = "seat_0"
    SEAT_1 = "seat_1"
    SERVER = "server"
    CLOCK = "clock"
    REFEREE = "referee"

    @property
    def seat(self) -> Seat | None:
        """The player's seat, or None for server, clock and referee."""
        return {"seat_0": 0, "seat_1": 1}.get(self.value)  # type: ignore[return-value]

    @classmethod
    def of(cls, seat: Seat) -> "Actor":
        """The actor of a seat."""
        return cls.SEAT_0 if seat == 0 else cls.SEAT_1

    @classmethod
    def of_decider(cls, decider: Seat | Literal["referee"] | None) -> "Actor | None":
        """The actor who is to decide; None if nobody is."""
        if decider is None:
            return None
        return cls.REFEREE if decider == "referee" else cls.of(decider)


# --- a player's -------------------------------------------------------------------------------


class PlaceCue(CommandBase, frozen=True, kw_only=True, tag="place_cue"):
    """Put the cue ball (in a lag: one's own lag ball) down; may be repeated until the stroke."""

    x: Coordinate
    y: Coordinate


class DeclarePushOut(CommandBase, frozen=True, kw_only=True, tag="declare_push_out"):
    """Announce a push-out, or take the announcement back, before the stroke (N9.3p1)."""

    on: bool = True


class CallShot(CommandBase, frozen=True, kw_only=True, tag="call"):
    """Call a ball and its pocket for the coming stroke; a later call replaces it (G.1.6)."""

    ball: Annotated[int, msgspec.Meta(ge=1, le=15)]
    pocket: Pocket


class CallSafety(CommandBase, frozen=True, kw_only=True, tag="call_safety"):
    """Call a safety: the turn passes after the stroke, whatever falls (G.1.6d, E8.6c)."""


class RequestSpot(CommandBase, frozen=True, kw_only=True, tag="request_spot"):
    """Have the legal target nearest to the head string spotted, when all lie behind it (G.1.5e).

    ``ball``: which, of several equally near.
    """

    ball: Annotated[int, msgspec.Meta(ge=1, le=15)] | None = None


class DeclareSnooker(CommandBase, frozen=True, kw_only=True, tag="declare_snooker"):
    """Declare that no ball on can be hit directly (BB.1c); it holds for the coming stroke."""


class Strike(CommandBase, frozen=True, kw_only=True, tag="strike"):
    stroke: Stroke


class Choose(CommandBase, frozen=True, kw_only=True, tag="choose"):
    """Take one of the options.  ``reason``: a referee's, for the penalty that he chooses."""

    option: Option
    reason: Reason = ""


class Concede(CommandBase, frozen=True, kw_only=True, tag="concede"):
    """Give up the game or the match, as the ruleset says (N9.9k, G.1.11)."""


class RequestTimeOut(CommandBase, frozen=True, kw_only=True, tag="request_time_out"):
    """N9.9e."""


class EndTimeOut(CommandBase, frozen=True, kw_only=True, tag="end_time_out"):
    """Go on before the time-out is over; only by who took it."""


class ExtendShot(CommandBase, frozen=True, kw_only=True, tag="extend_shot"):
    """Add the table's extension to the running shot clock; once a rack."""


class RequestRestore(CommandBase, frozen=True, kw_only=True, tag="request_restore"):
    """Ask for balls moved by a foul to be put back; refused where N9.5e, N9.6.2 say so."""


class RequestWatcher(CommandBase, frozen=True, kw_only=True, tag="request_watcher"):
    """N9.9b: a neutral third person is to judge the coming stroke."""


class ChangeCue(CommandBase, frozen=True, kw_only=True, tag="change_cue"):
    """G.1.3a, N9.9k: announced, so that changing the cue is not taken for giving up."""

    cue: ChosenCue


class RequestRuling(CommandBase, frozen=True, kw_only=True, tag="request_ruling"):
    """N9.9c, G.1.10: play stops until the referee has settled it; ``reason`` says what about."""

    reason: Reason = ""


class AgreeStalemate(CommandBase, frozen=True, kw_only=True, tag="agree_stalemate"):
    """G.1.12c: takes effect when both have said so before the next stroke."""


# --- the server's and the clock's -------------------------------------------------------------


class StartMatch(CommandBase, frozen=True, kw_only=True, tag="start_match"):
    """Both players are there: the lag begins."""


class RackBalls(CommandBase, frozen=True, kw_only=True, tag="rack_balls"):
    """The rack stands: positions of all balls, as racked from ``seed``."""

    seed: int
    balls: dict[int, Position]


class FinishShot(CommandBase, frozen=True, kw_only=True, tag="finish_shot"):
    """The balls of the running shot have stopped on every screen: judge it.

    ``events``: all events of the shot.  ``balls``: where the balls on the bed came to rest.
    """

    shot: int
    events: tuple[Event, ...]
    balls: dict[int, Position]


class VoidShot(CommandBase, frozen=True, kw_only=True, tag="void_shot"):
    """The running shot can't be completed: the table is as before (G.1.9a)."""

    shot: int
    reason: str


class ExpireClock(CommandBase, frozen=True, kw_only=True, tag="expire_clock"):
    """The running clock has reached its deadline."""

    deadline: float


class NextGame(CommandBase, frozen=True, kw_only=True, tag="next_game"):
    """From GAME_OVER or SET_OVER to the next rack."""


class LateArrival(CommandBase, frozen=True, kw_only=True, tag="late_arrival"):
    """A player was not there ``late_s`` seconds after the scheduled start (N9.9j)."""

    seat: Seat
    late_s: Annotated[float, msgspec.Meta(ge=0)]


RefereeCommand = Union[  # noqa: UP007
    Choose, WarnSlowPlay, ImposeShotClock, Suspend, Resume, CallFoul, CallUnsportsmanlike,
    AwardLoss, OutsideInterference, AnnounceNoProgress, DeclareStalemate, RestoreBalls,
    UpholdJudgement, ResolveWedged,
]  # fmt: skip
"""What a referee may do (RULES 9)."""


class Claim(CommandBase, frozen=True, kw_only=True, tag="claim"):
    """Without a referee: ask the opponent to agree to a ruling (N9.9a); once a stroke.

    Play stands still until he has answered; ``agree`` carries it out, ``disagree`` leaves
    everything as it was, and so does silence.
    """

    act: Claimable


PlayerCommand = Union[  # noqa: UP007
    PlaceCue, DeclarePushOut, CallShot, CallSafety, RequestSpot, Strike, Choose, Concede,
    RequestTimeOut, EndTimeOut, RequestRuling, AgreeStalemate, RequestRestore, RequestWatcher,
    ChangeCue, Claim, DeclareSnooker, ExtendShot,
]  # fmt: skip

Command = Union[  # noqa: UP007
    PlaceCue, DeclarePushOut, CallShot, CallSafety, RequestSpot, Strike, Choose, Concede,
    RequestTimeOut, EndTimeOut, RequestRuling, AgreeStalemate, StartMatch, RackBalls, FinishShot,
    VoidShot, ExpireClock, NextGame, AwardLoss, WarnSlowPlay, ImposeShotClock, Suspend, Resume,
    RequestRestore, LateArrival, CallFoul, CallUnsportsmanlike, AnnounceNoProgress,
    DeclareStalemate, RestoreBalls, UpholdJudgement, ResolveWedged, RequestWatcher, ChangeCue,
    OutsideInterference, Claim, DeclareSnooker, ExtendShot,
]  # fmt: skip


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """A command, who gives it and when (seconds of the server's clock).

    ``credit_s``: so much of the way to the server is not the giver's: he is in time if he was
    ``credit_s`` earlier.
    """

    by: Actor
    at: float
    command: Command
    credit_s: float = 0.0
