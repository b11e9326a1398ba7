"""Which tables there are; opening one, joining, watching, officiating and leaving it."""

from typing import Annotated, Any, Literal

import msgspec

from shared_rules.messages.base import Message, RequestId, Sequence, ShortText, TableId
from shared_rules.state import ShotClock

MAX_DELAY_S = 300.0


class ListTables(Message, frozen=True, kw_only=True, tag="list_tables"):
    """Answered by ``tables``; fields that are given narrow the list.

    ``discipline`` and ``player`` (part of a name, whatever the case); ``free``: with a seat that
    anybody may take; ``watchable``: that anybody may watch; ``rated``: rated ones, or the others.
    """

    id: RequestId
    discipline: ShortText | None = None
    player: ShortText | None = None
    free: bool = False
    watchable: bool = False
    rated: bool | None = None


Chatting = Literal["all", "players", "none"]


class HowToPlay(msgspec.Struct, frozen=True, kw_only=True):
    """What is agreed on before a match.

    ``overrides``: keys of the ruleset object over the preset ``ruleset``.  ``table``: its preset;
    the usual one of the game where none is named.  ``watch``: who may watch: everyone, those who
    know the invitation, or nobody.  ``referee``: one is to sit at the table.  ``delay_s``: so much
    later than the players spectators see everything.  ``rated``: for accounts, and it counts.
    ``chat``: who may write at the table.
    """

    ruleset: ShortText = "nine_ball_epbf"
    overrides: dict[str, Any] = msgspec.field(default_factory=dict)
    table: ShortText | None = None
    shot_clock: ShotClock | None = None
    watch: Literal["everyone", "invited", "nobody"] = "everyone"
    referee: bool = False
    delay_s: Annotated[float, msgspec.Meta(ge=0.0, le=MAX_DELAY_S)] = 0.0
    rated: bool = False
    chat: Chatting = "all"


class TableTerms(HowToPlay, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a match is to be played, for challenges and quick matches."""


class OpenTable(Message, HowToPlay, frozen=True, kw_only=True, tag="open_table"):
    """Open a table and sit down in seat 0.

    ``private``: the second seat too needs the ``invitation``; for a referee ``accepted`` brings
    one of his own.
    """

    id: RequestId
    private: bool = False


class JoinTable(Message, frozen=True, kw_only=True, tag="join_table"):
    """Sit down in the free seat, or come back to one's own."""

    id: RequestId
    table: TableId
    invitation: ShortText | None = None
    last_seen: Sequence | None = None


class WatchTable(Message, frozen=True, kw_only=True, tag="watch_table"):
    id: RequestId
    table: TableId
    invitation: ShortText | None = None
    last_seen: Sequence | None = None


class OfficiateTable(Message, frozen=True, kw_only=True, tag="officiate_table"):
    """Be the referee of a table, with the invitation that is made for him (N9.9c).

    An account that is a referee, official or administrator needs none.
    """

    id: RequestId
    table: TableId
    invitation: ShortText | None = None
    last_seen: Sequence | None = None


class LeaveTable(Message, frozen=True, kw_only=True, tag="leave_table"):
    """Stop watching; a player who leaves on purpose concedes nothing, but his grace time runs."""

    id: RequestId
    table: TableId


class TableSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A table in the list, as spectators know it: ``delay_s`` ago."""

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
    delay_s: float = 0.0
    rated: bool = False
    chat: Chatting = "all"
    races: tuple[int, int] | None = None


class Tables(Message, frozen=True, kw_only=True, tag="tables"):
    re: int
    tables: tuple[TableSummary, ...]
