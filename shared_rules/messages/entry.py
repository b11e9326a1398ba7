"""Coming in, answers, the clock, and goodbye."""

from typing import Annotated, Literal

import msgspec

from shared_rules.messages.accounts import AccountRole, Password
from shared_rules.messages.base import Message, RequestId, ShortText, Token
from shared_rules.state import Name

PROTOCOL = 1


class Hello(Message, frozen=True, kw_only=True, tag="hello"):
    """First message of a connection: a guest's name, an account with its password, or a token.

    A token goes before an account, an account before a name.  ``register``: make the account.
    A ``password`` of six digits is the account's PIN.
    """

    protocol: Annotated[int, msgspec.Meta(ge=0, le=65535)]
    name: Name | None = None
    token: Token | None = None
    account: Name | None = None
    password: Password | None = None
    register: bool = False
    client: ShortText = ""


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
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
    account: bool = False
    role: AccountRole = "player"


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """A message was not taken; nothing has changed.  ``re``: the request's id, if it had one."""

    code: str
    fault: Literal["client", "player", "server"]
    message: str
    re: int | None = None


class Accepted(Message, frozen=True, kw_only=True, tag="accepted"):
    """A request was carried out.  ``table``: the table opened, joined, watched or left.

    ``referee_invitation``: for who has opened a table with a referee, to hand on.  ``action``: what
    an official's act is known by, as ``challenge`` a challenge; ``competition`` and ``entry``, the
    number of a line in its log.
    """

    re: int
    table: str | None = None
    invitation: str | None = None
    referee_invitation: str | None = None
    version: int | None = None
    action: str | None = None
    challenge: str | None = None
    competition: str | None = None
    entry: int | None = None


class Ping(Message, frozen=True, kw_only=True, tag="ping"):
    """Answered by ``pong`` with the server's clock."""

    id: RequestId


class Pong(Message, frozen=True, kw_only=True, tag="pong"):
    re: int
    clock: float


class Goodbye(Message, frozen=True, kw_only=True, tag="goodbye"):
    """The server closes this connection.  ``come_back``: whether to reconnect by oneself."""

    reason: str
    come_back: bool
