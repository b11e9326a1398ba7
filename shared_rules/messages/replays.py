"""Matches that were played, or are: which there are, and what happened in one."""

from typing import Annotated, Any, Literal

import msgspec

from shared_rules.messages.base import Message, OrderNumber, RequestId, ShortText, TableId
from shared_rules.replay import MatchResult
from shared_rules.state import Name

UnixTime = Annotated[float, msgspec.Meta(ge=0.0, le=1e12)]


class ListReplays(Message, frozen=True, kw_only=True, tag="list_replays"):
    """Matches that one may see, the latest first; answered by ``replays``.

    ``player``: only those in which somebody of that name played; ``mine``: only one's own.
    ``status``: only matches that run, are adjourned, or over.
    ``before``, ``after``: when it was opened, Unix times.  ``page``: ``next`` of the page before.
    """

    id: RequestId
    player: Name | None = None
    mine: bool = False
    status: Literal["running", "adjourned", "over"] | None = None
    before: UnixTime | None = None
    after: UnixTime | None = None
    page: ShortText | None = None
    most: Annotated[int, msgspec.Meta(ge=1, le=50)] = 20


class GetReplay(Message, frozen=True, kw_only=True, tag="get_replay"):
    """A piece of a match, from the event after number ``start`` on; answered by ``replay``."""

    id: RequestId
    match: TableId
    invitation: ShortText | None = None
    start: OrderNumber = 0


class ReplaySummary(msgspec.Struct, frozen=True, kw_only=True):
    """A match in the list.  ``opened_at``, ``ended_at``: Unix times; ``result``: once it is over.

    ``match`` is the id that it keeps for ever: the name of its table, which no other gets.
    """

    match: str
    ruleset: str
    players: tuple[str, str]
    status: Literal["running", "adjourned", "over"]
    opened_at: float
    ended_at: float | None = None
    result: MatchResult | None = None


class ReplayList(Message, frozen=True, kw_only=True, tag="replays"):
    """``next``: asks for the next page; None: there is none."""

    re: int
    matches: tuple[ReplaySummary, ...]
    next: str | None = None


class ReplayShot(msgspec.Struct, frozen=True, kw_only=True):
    """The trajectory of a shot; ``started_at`` of the server's clock is its time zero."""

    shot: int
    started_at: float
    duration: float
    trajectory: bytes


class ReplayEvent(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody was told of one order, at ``at`` of the server's clock.

    ``changes``: fields of the public state as they are after it; the first event has all of them.
    Announcements and changes are as they were at the time, also where this build would say it
    differently.
    """

    number: int
    at: float
    by: str
    announcements: tuple[dict[str, Any], ...]
    changes: dict[str, Any]
    shot: ReplayShot | None = None


class Replay(Message, frozen=True, kw_only=True, tag="replay"):
    """A piece of a match.  ``next``: ``start`` of the next; None: that is all, for now."""

    re: int
    summary: ReplaySummary
    events: tuple[ReplayEvent, ...]
    next: int | None = None
