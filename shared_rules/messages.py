"""The wire: every message that a client or the server may send, bounded and typed.

One msgpack map a websocket message; the key ``m`` names the message.  ``shared_rules.wire`` reads
and writes them.  ``id`` is the client's own number for a request: sent twice, it is carried out
once and answered twice.
"""

from typing import Annotated, Any, Literal, Union

import msgspec

from shared_rules.announcements import Announcement
from shared_rules.commands import PlayerCommand, RefereeCommand
from shared_rules.state import MatchState, Name, Seat, ShotClock

PROTOCOL = 1

RequestId = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
TableId = Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
Token = Annotated[str, msgspec.Meta(min_length=16, max_length=128)]
ShortText = Annotated[str, msgspec.Meta(max_length=64)]
Degrees = Annotated[float, msgspec.Meta(ge=-360.0, le=360.0)]
Offset = Annotated[float, msgspec.Meta(ge=-1.0, le=1.0)]
Role = Literal["player", "spectator", "referee"]


class _Message(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="m", forbid_unknown_fields=True
):
    """Base of all messages; the tag names the message."""


# --- client to server -------------------------------------------------------------------------


class Hello(_Message, frozen=True, kw_only=True, tag="hello"):
    """First message of a connection: a name to sign in, or the token of an earlier sign-in."""

    protocol: Annotated[int, msgspec.Meta(ge=0, le=65535)]
    name: Name | None = None
    token: Token | None = None
    client: ShortText = ""


class ListTables(_Message, frozen=True, kw_only=True, tag="list_tables"):
    id: RequestId


class OpenTable(_Message, frozen=True, kw_only=True, tag="open_table"):
    """Open a table and sit down in seat 0.

    ``overrides``: keys of the ruleset object over the preset ``ruleset``.  ``watch``: who may
    watch: everyone, those who know the ``invitation``, or nobody.  ``private``: the second seat
    too needs the invitation.  ``referee``: one is to sit at the table; ``accepted`` brings an
    invitation of his own.  ``table``: its preset; the usual one of the game where none is named.
    """

    id: RequestId
    ruleset: ShortText = "nine_ball_epbf"
    overrides: dict[str, Any] = {}
    table: ShortText | None = None
    shot_clock: ShotClock | None = None
    watch: Literal["everyone", "invited", "nobody"] = "everyone"
    private: bool = False
    referee: bool = False


class JoinTable(_Message, frozen=True, kw_only=True, tag="join_table"):
    """Sit down in the free seat, or come back to one's own."""

    id: RequestId
    table: TableId
    invitation: ShortText | None = None
    last_seen: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None


class WatchTable(_Message, frozen=True, kw_only=True, tag="watch_table"):
    id: RequestId
    table: TableId
    invitation: ShortText | None = None
    last_seen: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None


class OfficiateTable(_Message, frozen=True, kw_only=True, tag="officiate_table"):
    """Be the referee of a table, with the invitation that is made for him (N9.9c)."""

    id: RequestId
    table: TableId
    invitation: ShortText
    last_seen: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None


class LeaveTable(_Message, frozen=True, kw_only=True, tag="leave_table"):
    """Stop watching; a player who leaves on purpose concedes nothing, but his grace time runs."""

    id: RequestId
    table: TableId


class Play(_Message, frozen=True, kw_only=True, tag="play"):
    """A player's or a referee's command.

    ``version``: the state it was given on; refused when stale.
    """

    id: RequestId
    table: TableId
    command: PlayerCommand | RefereeCommand
    version: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None


class Aim(_Message, frozen=True, kw_only=True, tag="aim"):
    """How the player at the table holds the cue, for those who watch; never answered."""

    table: TableId
    heading_deg: Degrees
    elevation_deg: Annotated[float, msgspec.Meta(ge=0.0, le=90.0)] = 0.0
    tip: tuple[Offset, Offset] = (0.0, 0.0)


class Ping(_Message, frozen=True, kw_only=True, tag="ping"):
    """Answered by ``pong`` with the server's clock."""

    id: RequestId


ClientMessage = Union[  # noqa: UP007
    Hello, ListTables, OpenTable, JoinTable, WatchTable, OfficiateTable, LeaveTable, Play, Aim,
    Ping,
]  # fmt: skip


# --- server to client -------------------------------------------------------------------------


class Welcome(_Message, frozen=True, kw_only=True, tag="welcome"):
    """Signed in.  ``token`` brings the same person back; ``tables`` are those he plays at.

    ``time_scale``: seconds of the server's clock in a real second; 1 except for bots and tests.
    """

    protocol: int
    server: str
    name: str
    token: str
    clock: float  # the server's clock, seconds
    time_scale: float = 1.0
    tables: tuple[str, ...] = ()


class Refused(_Message, frozen=True, kw_only=True, tag="refused"):
    """A message was not taken; nothing has changed.  ``re``: the request's id, if it had one."""

    code: str
    fault: Literal["client", "player", "server"]
    message: str
    re: int | None = None


class Accepted(_Message, frozen=True, kw_only=True, tag="accepted"):
    """A request was carried out.  ``table``: the table opened, joined, watched or left.

    ``referee_invitation``: for who has opened a table with a referee, to hand on.
    """

    re: int
    table: str | None = None
    invitation: str | None = None
    referee_invitation: str | None = None
    version: int | None = None


class TableSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A table in the list."""

    table: str
    ruleset: str
    players: tuple[str | None, str | None]
    phase: str
    games: tuple[int, int]
    sets: tuple[int, int]
    games_to_win: int
    sets_to_win: int
    watch: Literal["everyone", "invited", "nobody"]
    private: bool
    spectators: int
    shot_clock_s: float | None = None
    referee: bool = False


class Tables(_Message, frozen=True, kw_only=True, tag="tables"):
    re: int
    tables: tuple[TableSummary, ...]


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A player or referee at a table.  ``away_until``: when an absent player's time ends."""

    name: str
    connected: bool
    away_until: float | None = None


class ShotInFlight(msgspec.Struct, frozen=True, kw_only=True):
    """A trajectory being played: ``started_at`` of the server's clock is its time zero."""

    shot: int
    started_at: float
    trajectory: bytes


class Snapshot(_Message, frozen=True, kw_only=True, tag="snapshot"):
    """The whole table, as of room event ``seq``.

    ``state`` is the public state: nothing that the receiver may not know yet.  ``in_flight``: the
    shot that runs, if one does; evaluated at ``clock - started_at`` it shows the balls where they
    are.  ``table_state`` of a table that waits for its second player is None.
    """

    table: str
    seq: int
    clock: float
    role: Role
    seat: Seat | None
    players: tuple[Member | None, Member | None]
    spectators: int
    table_preset: str
    state: MatchState | None
    in_flight: ShotInFlight | None = None
    invitation: str | None = None
    referee: Member | None = None


class RoomEvent(_Message, frozen=True, kw_only=True, tag="room_event"):
    """Something happened to the match: what, and the public state after it."""

    table: str
    seq: int
    clock: float
    by: str
    announcements: tuple[Announcement, ...]
    state: MatchState
    in_flight: ShotInFlight | None = None  # with the announcement ``struck``


class PresenceEvent(_Message, frozen=True, kw_only=True, tag="presence"):
    """Who is there has changed; numbered like every room event."""

    table: str
    seq: int
    clock: float
    players: tuple[Member | None, Member | None]
    spectators: int
    referee: Member | None = None


class TableClosed(_Message, frozen=True, kw_only=True, tag="table_closed"):
    table: str
    seq: int
    reason: str


class Aiming(_Message, frozen=True, kw_only=True, tag="aiming"):
    """How the player at the table holds the cue now; not numbered, may be dropped."""

    table: str
    seat: Seat
    heading_deg: float
    elevation_deg: float
    tip: tuple[float, float]


class Pong(_Message, frozen=True, kw_only=True, tag="pong"):
    re: int
    clock: float


class Goodbye(_Message, frozen=True, kw_only=True, tag="goodbye"):
    """The server closes this connection.  ``come_back``: whether to reconnect by oneself."""

    reason: str
    come_back: bool


ServerMessage = Union[  # noqa: UP007
    Welcome, Refused, Accepted, Tables, Snapshot, RoomEvent, PresenceEvent, TableClosed, Aiming,
    Pong, Goodbye,
]  # fmt: skip
