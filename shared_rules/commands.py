"""What may be said to a match: the commands of players, server, clock and referee (RULES 0.6).

A command comes inside an ``Order``, which says who gave it and when; seeds and results of the
physics come in with the server's commands, so that a match replays from its orders alone.
"""

from enum import StrEnum
from typing import Annotated, Literal, Union

import msgspec

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


class _Command(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="c", forbid_unknown_fields=True
):
    """Base of all commands; the tag names the command."""


# --- a player's -------------------------------------------------------------------------------


class PlaceCue(_Command, frozen=True, kw_only=True, tag="place_cue"):
    """Put the cue ball (in a lag: one's own lag ball) down; may be repeated until the stroke."""

    x: Coordinate
    y: Coordinate


class DeclarePushOut(_Command, frozen=True, kw_only=True, tag="declare_push_out"):
    """Announce a push-out, or take the announcement back, before the stroke (N9.3p1)."""

    on: bool = True


class CallShot(_Command, frozen=True, kw_only=True, tag="call"):
    """Call a ball and its pocket for the coming stroke; a later call replaces it (G.1.6)."""

    ball: Annotated[int, msgspec.Meta(ge=1, le=15)]
    pocket: Pocket


class CallSafety(_Command, frozen=True, kw_only=True, tag="call_safety"):
    """Call a safety: the turn passes after the stroke, whatever falls (G.1.6d, E8.6c)."""


class RequestSpot(_Command, frozen=True, kw_only=True, tag="request_spot"):
    """Have the legal target nearest to the head string spotted, when all lie behind it (G.1.5e).

    ``ball``: which, of several equally near.
    """

    ball: Annotated[int, msgspec.Meta(ge=1, le=15)] | None = None


class Strike(_Command, frozen=True, kw_only=True, tag="strike"):
    stroke: Stroke


class Choose(_Command, frozen=True, kw_only=True, tag="choose"):
    option: Option


class Concede(_Command, frozen=True, kw_only=True, tag="concede"):
    """Give up the game or the match, as the ruleset says (N9.9k, G.1.11)."""


class RequestTimeOut(_Command, frozen=True, kw_only=True, tag="request_time_out"):
    """N9.9e."""


class EndTimeOut(_Command, frozen=True, kw_only=True, tag="end_time_out"):
    """Go on before the time-out is over; only by who took it."""


class RequestRestore(_Command, frozen=True, kw_only=True, tag="request_restore"):
    """Ask for balls moved by a foul to be put back; refused where N9.5e, N9.6.2 say so."""


class RequestWatcher(_Command, frozen=True, kw_only=True, tag="request_watcher"):
    """N9.9b: a neutral third person is to judge the coming stroke."""


class ChangeCue(_Command, frozen=True, kw_only=True, tag="change_cue"):
    """G.1.3a, N9.9k: announced, so that changing the cue is not taken for giving up."""

    cue: ChosenCue


class RequestRuling(_Command, frozen=True, kw_only=True, tag="request_ruling"):
    """N9.9c: play stops until it is settled."""


class AgreeStalemate(_Command, frozen=True, kw_only=True, tag="agree_stalemate"):
    """G.1.12c: takes effect when both have said so before the next stroke."""


# --- the server's and the clock's -------------------------------------------------------------


class StartMatch(_Command, frozen=True, kw_only=True, tag="start_match"):
    """Both players are there: the lag begins."""


class RackBalls(_Command, frozen=True, kw_only=True, tag="rack_balls"):
    """The rack stands: positions of all balls, as racked from ``seed``."""

    seed: int
    balls: dict[int, Position]


class FinishShot(_Command, frozen=True, kw_only=True, tag="finish_shot"):
    """The balls of the running shot have stopped on every screen: judge it.

    ``events``: all events of the shot.  ``balls``: where the balls on the bed came to rest.
    """

    shot: int
    events: tuple[Event, ...]
    balls: dict[int, Position]


class VoidShot(_Command, frozen=True, kw_only=True, tag="void_shot"):
    """The running shot can't be completed: the table is as before (G.1.9a)."""

    shot: int
    reason: str


class ExpireClock(_Command, frozen=True, kw_only=True, tag="expire_clock"):
    """The running clock has reached its deadline."""

    deadline: float


class NextGame(_Command, frozen=True, kw_only=True, tag="next_game"):
    """From GAME_OVER or SET_OVER to the next rack."""


class AwardLoss(_Command, frozen=True, kw_only=True, tag="award_loss"):
    """A player loses by ruling, absence or disconnection."""

    seat: Seat
    scope: Literal["game", "set", "match"]
    reason: Annotated[str, msgspec.Meta(max_length=200)]


class LateArrival(_Command, frozen=True, kw_only=True, tag="late_arrival"):
    """A player was not there ``late_s`` seconds after the scheduled start (N9.9j)."""

    seat: Seat
    late_s: Annotated[float, msgspec.Meta(ge=0)]


# --- the referee's ----------------------------------------------------------------------------


class WarnSlowPlay(_Command, frozen=True, kw_only=True, tag="warn_slow_play"):
    """N9.9g, F6.15a."""


class ImposeShotClock(_Command, frozen=True, kw_only=True, tag="impose_shot_clock"):
    """N9.9g, F6.15b: binds both players from the next turn."""

    limit_s: Annotated[float, msgspec.Meta(ge=5, le=600)]


class Suspend(_Command, frozen=True, kw_only=True, tag="suspend"):
    """Play stops, clocks stand (G.1.10b)."""


class Resume(_Command, frozen=True, kw_only=True, tag="resume"):
    """Play goes on where it stopped."""


class CallFoul(_Command, frozen=True, kw_only=True, tag="call_foul"):
    """A foul that only a person can see (RULES 9), by its code; until the next stroke (F6.0b).

    While balls roll it is added to the running shot; later it is a foul of its own.  ``shot``: the
    shot that it was seen on, the last one if not given; a later one closes the matter.
    """

    seat: Seat
    shot: int | None = None
    foul: Annotated[str, msgspec.Meta(min_length=1, max_length=8)]


class CallUnsportsmanlike(_Command, frozen=True, kw_only=True, tag="unsportsmanlike"):
    """F6.16: the referee then chooses the penalty."""

    seat: Seat
    kind: Annotated[str, msgspec.Meta(max_length=64)] = ""


class AnnounceNoProgress(_Command, frozen=True, kw_only=True, tag="announce_no_progress"):
    """G.1.12a: from now each player has three more visits."""


class DeclareStalemate(_Command, frozen=True, kw_only=True, tag="declare_stalemate"):
    """G.1.12b: nobody scores, the rack's breaker breaks again."""


class UpholdJudgement(_Command, frozen=True, kw_only=True, tag="uphold_judgement"):
    """G.1.10a: asked to reconsider, the referee stays with his judgement, which is final."""


class ResolveWedged(_Command, frozen=True, kw_only=True, tag="resolve_wedged"):
    """N9.9m: balls jammed in a pocket mouth, by their centres: over the opening or outside it."""

    over_opening: Annotated[tuple[int, ...], msgspec.Meta(max_length=16)] = ()
    outside: Annotated[tuple[int, ...], msgspec.Meta(max_length=16)] = ()


class RestoreBalls(_Command, frozen=True, kw_only=True, tag="restore_balls"):
    """G.1.8: put these balls back where they lay before the last shot."""

    balls: Annotated[tuple[int, ...], msgspec.Meta(min_length=1, max_length=16)]


PlayerCommand = Union[  # noqa: UP007
    PlaceCue, DeclarePushOut, CallShot, CallSafety, RequestSpot, Strike, Choose, Concede,
    RequestTimeOut, EndTimeOut, RequestRuling, AgreeStalemate,
]  # fmt: skip

Command = Union[  # noqa: UP007
    PlaceCue, DeclarePushOut, CallShot, CallSafety, RequestSpot, Strike, Choose, Concede,
    RequestTimeOut, EndTimeOut, RequestRuling, AgreeStalemate, StartMatch, RackBalls, FinishShot,
    VoidShot, ExpireClock, NextGame, AwardLoss, WarnSlowPlay, ImposeShotClock, Suspend, Resume,
    RequestRestore, LateArrival, CallFoul, CallUnsportsmanlike, AnnounceNoProgress,
    DeclareStalemate, RestoreBalls, UpholdJudgement, ResolveWedged, RequestWatcher, ChangeCue,
]  # fmt: skip


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """A command, who gives it and when (seconds of the server's clock)."""

    by: Actor
    at: float
    command: Command
