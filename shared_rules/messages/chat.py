"""Chat: in the lobby, of a table's players among themselves, of its spectators among themselves.

Not numbered with a table's events, and no part of a match's record.
"""

from typing import Annotated, Literal

import msgspec

from shared_rules.messages.base import Message, RequestId, TableId
from shared_rules.state import Name

MAX_LINE = 200
Channel = Literal["lobby", "players", "spectators"]


class Say(Message, frozen=True, kw_only=True, tag="say"):
    """A line to the lobby (``table`` None), or to those at a table who are there as one is."""

    id: RequestId
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=2 * MAX_LINE)]
    table: TableId | None = None


class Silence(Message, frozen=True, kw_only=True, tag="silence"):
    """The referee of a table, or an official, lets somebody say nothing there, or again."""

    id: RequestId
    table: TableId
    who: Name
    on: bool = True
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class ChatLine(msgspec.Struct, frozen=True, kw_only=True):
    """``number``: of the line in its channel since the start; ``at``: the server's clock."""

    number: int
    at: float
    by: str
    text: str


class Said(Message, frozen=True, kw_only=True, tag="said"):
    """A line; ``table``: None in the lobby."""

    channel: Channel
    table: str | None
    line: ChatLine


class ChatShown(Message, frozen=True, kw_only=True, tag="chat"):
    """The last lines of a channel, for who has just come."""

    channel: Channel
    table: str | None
    lines: tuple[ChatLine, ...]


class Silenced(Message, frozen=True, kw_only=True, tag="silenced"):
    """To whom it concerns, and to who may read the channel: by whom and why."""

    table: str
    who: str
    by: str
    on: bool
    reason: str
