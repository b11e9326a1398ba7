"""What is kept of a table, typed: the terms it was opened with, and what a restart finds."""

from collections.abc import Sequence
from typing import Literal

import msgspec
from sqlalchemy import Executable

from shared_rules.commands import Order
from shared_rules.events import Event
from shared_rules.messages import AccountRole
from shared_rules.ruleset import Ruleset
from shared_rules.state import MatchDescription, ShotClock
from shared_rules.table import Position

Statements = Sequence[Executable]
"""What is written in the same commit as something else."""
Status = Literal["waiting", "running", "adjourned", "over", "closed"]
UNFINISHED: tuple[Status, ...] = ("waiting", "running", "adjourned")
OPEN: tuple[Status, ...] = ("waiting", "running")  # a running server has their tables open
Watching = Literal["everyone", "invited", "nobody"]
Chatting = Literal["all", "players", "none"]
Kind = Literal["left", "dropped", "idle"]
"""Gone from a table on purpose, or with a connection that was lost; or there, doing nothing."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What a table was opened with."""

    ruleset: Ruleset
    preset: str
    invitation: str
    shot_clock: ShotClock | None = None
    watch: Watching = "everyone"
    private: bool = False
    delay_s: float = 0.0  # spectators see everything so much later
    referee_invitation: str | None = None  # None: no referee sits at this table
    rated: bool = False
    chat: Chatting = "all"


class ShotRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A stored shot.  ``number``: the order that struck; ``shot``: its number in the match."""

    number: int
    shot: int
    started_at: float
    duration: float
    trajectory: bytes
    events: tuple[Event, ...]
    balls: dict[int, Position]


class AbsenceRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A player's absences from a match: seconds of the budget that are used up, and the running
    one, by the server's clock; its own time is not in ``used_s``."""

    used_s: float = 0.0
    kind: Kind | None = None
    since: float | None = None


class MatchRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the database knows it, its log in order."""

    match: str
    status: Status
    seats: tuple[str, str | None]  # person ids
    terms: Terms
    description: MatchDescription | None
    absences: tuple[AbsenceRecord, AbsenceRecord] = (AbsenceRecord(), AbsenceRecord())
    orders: tuple[Order, ...] = ()
    last_shot: ShotRecord | None = None


class PersonRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Someone who has signed in: a guest, or an account with its role."""

    person: str
    name: str
    account: bool = False
    role: AccountRole = "player"


class Remembered(msgspec.Struct, frozen=True, kw_only=True):
    """A request that was carried out: its id, what it said (hashed), the answer's bytes."""

    request: int
    digest: bytes
    answer: bytes
