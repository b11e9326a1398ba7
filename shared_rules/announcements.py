"""What ``apply`` says has happened: the typed announcements of a match, in order.

They go to everyone at the table, so they hold nothing that one side may not know.  The state that
results travels beside them; announcements say what led to it, for eyes, ears and the record.
"""

from typing import Literal, Union

import msgspec

from shared_rules.acts import Claimable
from shared_rules.groups import Group
from shared_rules.state import Call, Foul, Option, Rerack, Ruling, Seat, Stroke
from shared_rules.table import Position


class _Announcement(msgspec.Struct, frozen=True, kw_only=True, tag_field="a"):
    """Base of all announcements; the tag names it."""


class MatchStarted(_Announcement, frozen=True, kw_only=True, tag="match_started"):
    """Both players are there."""


class LagOpened(_Announcement, frozen=True, kw_only=True, tag="lag_opened"):
    attempt: int


class LagStroked(_Announcement, frozen=True, kw_only=True, tag="lag_stroked"):
    """A lag stroke is in; it stays unseen until both are."""

    seat: Seat


class CuePlaced(_Announcement, frozen=True, kw_only=True, tag="cue_placed"):
    position: Position


class PushOutDeclared(_Announcement, frozen=True, kw_only=True, tag="push_out_declared"):
    on: bool


class Called(_Announcement, frozen=True, kw_only=True, tag="called"):
    """Ball and pocket, or a safety, of the coming stroke."""

    seat: Seat
    call: Call


class SnookerDeclared(_Announcement, frozen=True, kw_only=True, tag="snooker_declared"):
    """No ball on can be hit directly, and that is so: a bare hit is enough (BB.1c, BB.10)."""

    seat: Seat


class GroupsSet(_Announcement, frozen=True, kw_only=True, tag="groups_set"):
    """The table is open no longer (E8.4b, BB.6a): ``seat`` has made his first ball of a group."""

    seat: Seat
    groups: tuple[Group, Group]


class Struck(_Announcement, frozen=True, kw_only=True, tag="struck"):
    """The shot has begun (in a lag: both strokes)."""

    shot: int
    strokes: tuple[tuple[int, float, Stroke], ...]


class Judged(_Announcement, frozen=True, kw_only=True, tag="judged"):
    """The balls have stopped: what the shot meant."""

    ruling: Ruling


class Spotted(_Announcement, frozen=True, kw_only=True, tag="spotted"):
    ball: int
    position: Position


class Chosen(_Announcement, frozen=True, kw_only=True, tag="chosen"):
    seat: Seat | Literal["referee"]
    option: Option
    by_clock: bool = False


class Racked(_Announcement, frozen=True, kw_only=True, tag="racked"):
    """``goes_on``: a continuation rack, after which ``breaker`` plays on where he was."""

    rack: int
    breaker: Seat
    goes_on: bool = False


class Reracking(_Announcement, frozen=True, kw_only=True, tag="reracking"):
    """Play stops for a continuation rack; ``seat`` goes on when it stands (S14.4b, S14.8)."""

    seat: Seat
    rerack: Rerack


class TwoFoulWarning(_Announcement, frozen=True, kw_only=True, tag="two_foul_warning"):
    """The player at the table is on two fouls: a third loses the game (N9.9l, F6.14c), or
    ``points`` (S14.11b)."""

    seat: Seat
    points: int | None = None


class TurnStarted(_Announcement, frozen=True, kw_only=True, tag="turn_started"):
    seat: Seat


class ShotVoided(_Announcement, frozen=True, kw_only=True, tag="shot_voided"):
    shot: int
    reason: str


class ClockImposed(_Announcement, frozen=True, kw_only=True, tag="clock_imposed"):
    limit_s: float


class SlowPlayWarned(_Announcement, frozen=True, kw_only=True, tag="slow_play_warned"):
    """The next step is a shot clock for both."""


class ClockRanOut(_Announcement, frozen=True, kw_only=True, tag="clock_ran_out"):
    purpose: Literal["shot", "decision", "lag", "time_out"]
    seat: Seat | None = None


class Credited(_Announcement, frozen=True, kw_only=True, tag="credited"):
    """A command came ``late_s`` after the deadline and counts: its way here took as long."""

    seat: Seat
    late_s: float


class ShotExtended(_Announcement, frozen=True, kw_only=True, tag="shot_extended"):
    """The player at the table has ``by_s`` seconds more for this stroke."""

    seat: Seat
    by_s: float


class TimeOutStarted(_Announcement, frozen=True, kw_only=True, tag="time_out_started"):
    seat: Seat
    max_s: float


class TimeOutEnded(_Announcement, frozen=True, kw_only=True, tag="time_out_ended"):
    """Play goes on."""


class Suspended(_Announcement, frozen=True, kw_only=True, tag="suspended"):
    by: Seat | Literal["referee", "server"]
    reason: str = ""


class Resumed(_Announcement, frozen=True, kw_only=True, tag="resumed"):
    """Play goes on where it stopped."""


class StalemateAgreed(_Announcement, frozen=True, kw_only=True, tag="stalemate_agreed"):
    """``seat`` agrees; ``settled`` once both have: the rack is played again."""

    seat: Seat
    settled: bool


class GameWon(_Announcement, frozen=True, kw_only=True, tag="game_won"):
    """``reason``: nine, three_fouls, concession, or the reason given with an award."""

    seat: Seat
    reason: str


class SetWon(_Announcement, frozen=True, kw_only=True, tag="set_won"):
    seat: Seat


class MatchWon(_Announcement, frozen=True, kw_only=True, tag="match_won"):
    seat: Seat
    reason: str


class PlacementWarned(_Announcement, frozen=True, kw_only=True, tag="placement_warned"):
    """The cue ball stands outside the head area: a stroke from there is a foul (N9.2b)."""

    seat: Seat


class NoProgressAnnounced(_Announcement, frozen=True, kw_only=True, tag="no_progress"):
    """G.1.12a: that many visits are left to each player before a stalemate may be declared."""

    visits: int


class BallsRestored(_Announcement, frozen=True, kw_only=True, tag="balls_restored"):
    """The referee has put these balls back (G.1.8)."""

    balls: tuple[int, ...]


class FoulCalled(_Announcement, frozen=True, kw_only=True, tag="foul_called"):
    """The referee has called a foul that he saw."""

    seat: Seat
    foul: Foul


class OfficialActed(_Announcement, frozen=True, kw_only=True, tag="official_acted"):
    """Something is done by an official, or by agreement of the players (N9.9a); what, and why.

    What comes of it follows.  ``act``: the command's name.
    """

    by: Literal["referee", "players"]
    act: str
    reason: str = ""


class Claimed(_Announcement, frozen=True, kw_only=True, tag="claimed"):
    """``seat`` asks his opponent to agree to a ruling (N9.9a)."""

    seat: Seat
    act: Claimable


class RulingRevised(_Announcement, frozen=True, kw_only=True, tag="ruling_revised"):
    """The last stroke is judged again: what it led to is taken back, and the new ruling follows."""

    shot: int


class WatcherRequested(_Announcement, frozen=True, kw_only=True, tag="watcher_requested"):
    """A neutral third person is asked for to judge the coming stroke (N9.9b)."""

    by: Seat


class CueChanged(_Announcement, frozen=True, kw_only=True, tag="cue_changed"):
    """A player has taken another cue (G.1.3a)."""

    seat: Seat
    cue: Literal["playing", "break", "jump"]


class JudgementUpheld(_Announcement, frozen=True, kw_only=True, tag="judgement_upheld"):
    """The referee stays with his judgement; it is final (G.1.10a)."""


class WedgedResolved(_Announcement, frozen=True, kw_only=True, tag="wedged_resolved"):
    """Balls jammed in a pocket mouth were put in or set on its lip (N9.9m)."""

    pocketed: tuple[int, ...]
    on_lip: tuple[int, ...]


Announcement = Union[  # noqa: UP007
    MatchStarted, LagOpened, LagStroked, CuePlaced, PushOutDeclared, Called, GroupsSet, Struck,
    Judged, Spotted, Chosen, Racked, Reracking, TwoFoulWarning, TurnStarted, ShotVoided,
    ClockImposed, SlowPlayWarned, ClockRanOut, TimeOutStarted, TimeOutEnded, Suspended, Resumed,
    ShotExtended, StalemateAgreed, GameWon, SetWon, MatchWon, PlacementWarned, NoProgressAnnounced,
    BallsRestored, FoulCalled, WatcherRequested, CueChanged, JudgementUpheld, WedgedResolved,
    OfficialActed, Claimed, RulingRevised, SnookerDeclared, Credited,
]  # fmt: skip
