"""One's own account: making one, its password, and the devices that are signed in."""

from typing import Annotated, Literal

import msgspec

from shared_rules.messages.base import Message, RequestId, ShortText

AccountRole = Literal["player", "spectator", "referee", "official", "administrator"]
"""What an account may do on a server; not what somebody is at a table (``Role``)."""

Password = Annotated[str, msgspec.Meta(min_length=1, max_length=256)]

Pin = Annotated[str, msgspec.Meta(min_length=6, max_length=6)]
"""Six digits, that is (``shared_rules.pins``)."""


class Register(Message, frozen=True, kw_only=True, tag="register"):
    """A guest makes his name an account; he stays the same person."""

    id: RequestId
    password: Password


class ChangePassword(Message, frozen=True, kw_only=True, tag="change_password"):
    """Another password; every other session of the person ends."""

    id: RequestId
    old: Password
    new: Password


class ChangePin(Message, frozen=True, kw_only=True, tag="change_pin"):
    """Another PIN, or none; ``old``: the PIN of now, or the password."""

    id: RequestId
    old: Password
    pin: Pin | None = None


class ListSessions(Message, frozen=True, kw_only=True, tag="list_sessions"):
    """Answered by ``sessions``."""

    id: RequestId


class EndSession(Message, frozen=True, kw_only=True, tag="end_session"):
    """Revoke the token of one session; None: of every one but this connection's."""

    id: RequestId
    session: ShortText | None = None


class SessionSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A device that is signed in.  Times are Unix times."""

    session: str
    client: str
    created_at: float
    used_at: float
    current: bool


class Sessions(Message, frozen=True, kw_only=True, tag="sessions"):
    re: int
    sessions: tuple[SessionSummary, ...]
