"""At a table: what its people do, and what everyone there is told."""

from typing import Annotated, Literal

import msgspec

from shared_rules.announcements import Announcement
from shared_rules.changes import StateChanges
from shared_rules.commands import PlayerCommand, RefereeCommand
from shared_rules.messages.base import (
    Degrees,
    Message,
    Offset,
    RequestId,
    Role,
    Sequence,
    TableId,
)
from shared_rules.state import MatchState, Seat


class Play(Message, frozen=True, kw_only=True, tag="play"):
    """A player's or a referee's command.

    ``version``: the state it was given on; refused when stale.
    """

    id: RequestId
    table: TableId
    command: PlayerCommand | RefereeCommand
    version: Sequence | None = None


class Aim(Message, frozen=True, kw_only=True, tag="aim"):
    """How the player at the table holds the cue, for those who watch; never answered."""

    table: TableId
    heading_deg: Degrees
    elevation_deg: Annotated[float, msgspec.Meta(ge=0.0, le=90.0)] = 0.0
    tip: tuple[Offset, Offset] = (0.0, 0.0)


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A player or referee at a table.

    Of an absent player: ``absence``, whether he has left, his connection was lost, or he is there
    and does nothing (``idle``: until he gives an order, or joins the table again);
    ``claim_from``, when the other may claim; ``away_until``, when it comes by itself.
    ``round_trip_s``: a player's line as the server measures it, real seconds; None: not yet.
    """

    name: str
    connected: bool
    away_until: float | None = None
    claim_from: float | None = None
    absence: Literal["left", "dropped", "idle"] | None = None
    round_trip_s: float | None = None


class ShotInFlight(msgspec.Struct, frozen=True, kw_only=True):
    """A trajectory being played: ``started_at`` of the server's clock is its time zero."""

    shot: int
    started_at: float
    trajectory: bytes


class Snapshot(Message, frozen=True, kw_only=True, tag="snapshot"):
    """The whole table, as of room event ``seq``.

    ``state`` is the public state: nothing that the receiver may not know yet.  ``in_flight``: the
    shot that runs, if one does; evaluated at ``clock - started_at`` it shows the balls where they
    are.  While the table waits for its second player ``state`` is None.

    ``delay_s``: a table that spectators see later; all its times are to be held against the
    server's clock less so much.
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
    delay_s: float = 0.0


class RoomEvent(Message, frozen=True, kw_only=True, tag="room_event"):
    """Something happened to the match: what, and what it changed of the public state.

    ``changes`` belong to the state after event ``seq - 1`` (``shared_rules.changes``).
    """

    table: str
    seq: int
    clock: float
    by: str
    announcements: tuple[Announcement, ...]
    changes: StateChanges
    in_flight: ShotInFlight | None = None  # with the announcement ``struck``


class PresenceEvent(Message, frozen=True, kw_only=True, tag="presence"):
    """Who is there has changed; numbered like every room event."""

    table: str
    seq: int
    clock: float
    players: tuple[Member | None, Member | None]
    spectators: int
    referee: Member | None = None


class TableClosed(Message, frozen=True, kw_only=True, tag="table_closed"):
    table: str
    seq: int
    reason: str


class Aiming(Message, frozen=True, kw_only=True, tag="aiming"):
    """How the player at the table holds the cue now; not numbered, may be dropped."""

    table: str
    seat: Seat
    heading_deg: float
    elevation_deg: float
    tip: tuple[float, float]
