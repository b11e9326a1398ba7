"""The wire: every message that a client or the server may send, bounded and typed.

One msgpack map a websocket message; the key ``m`` names the message.  ``shared_rules.wire`` reads
and writes them.  ``id`` is the client's own number for a request: sent twice, it is carried out
once and answered twice.

One module a subject; the two unions below say what may be sent in which direction.
"""

from typing import Union

from shared_rules.messages.absence import ClaimAbsence
from shared_rules.messages.accounts import (
    AccountRole,
    ChangePassword,
    EndSession,
    ListSessions,
    Register,
    Sessions,
    SessionSummary,
)
from shared_rules.messages.base import Message, Role
from shared_rules.messages.entry import (
    PROTOCOL,
    Accepted,
    Goodbye,
    Hello,
    Ping,
    Pong,
    Refused,
    Welcome,
)
from shared_rules.messages.oversight import (
    ActionsListed,
    ActionSummary,
    ListActions,
    ListPeople,
    Oversee,
    PeopleListed,
    PersonSummary,
)
from shared_rules.messages.replays import (
    GetReplay,
    ListReplays,
    Replay,
    ReplayEvent,
    ReplayList,
    ReplayShot,
    ReplaySummary,
)
from shared_rules.messages.room import (
    Aim,
    Aiming,
    Member,
    Play,
    PresenceEvent,
    RoomEvent,
    ShotInFlight,
    Snapshot,
    TableClosed,
)
from shared_rules.messages.tables import (
    JoinTable,
    LeaveTable,
    ListTables,
    OfficiateTable,
    OpenTable,
    Tables,
    TableSummary,
    WatchTable,
)

ClientMessage = Union[  # noqa: UP007
    Hello,
    ListTables,
    OpenTable,
    JoinTable,
    WatchTable,
    OfficiateTable,
    LeaveTable,
    ClaimAbsence,
    Play,
    ListReplays,
    GetReplay,
    Aim,
    Ping,
    Register,
    ChangePassword,
    ListSessions,
    EndSession,
    Oversee,
    ListPeople,
    ListActions,
]

ServerMessage = Union[  # noqa: UP007
    Welcome,
    Refused,
    Accepted,
    Tables,
    ReplayList,
    Replay,
    Snapshot,
    RoomEvent,
    PresenceEvent,
    TableClosed,
    Aiming,
    Pong,
    Goodbye,
    Sessions,
    PeopleListed,
    ActionsListed,
]

__all__ = [
    "PROTOCOL",
    "Accepted",
    "AccountRole",
    "ActionSummary",
    "ActionsListed",
    "Aim",
    "Aiming",
    "ChangePassword",
    "ClaimAbsence",
    "ClientMessage",
    "EndSession",
    "GetReplay",
    "Goodbye",
    "Hello",
    "JoinTable",
    "LeaveTable",
    "ListActions",
    "ListPeople",
    "ListReplays",
    "ListSessions",
    "ListTables",
    "Member",
    "Message",
    "OfficiateTable",
    "OpenTable",
    "Oversee",
    "PeopleListed",
    "PersonSummary",
    "Ping",
    "Play",
    "Pong",
    "PresenceEvent",
    "Refused",
    "Register",
    "Replay",
    "ReplayEvent",
    "ReplayList",
    "ReplayShot",
    "ReplaySummary",
    "Role",
    "RoomEvent",
    "ServerMessage",
    "SessionSummary",
    "Sessions",
    "ShotInFlight",
    "Snapshot",
    "TableClosed",
    "TableSummary",
    "Tables",
    "WatchTable",
    "Welcome",
]
