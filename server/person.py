"""Somebody known to the running server, where he comes from, and his coming in."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from server.accounts import roles
from server.accounts.comebacks import until
from server.accounts.roles import Right
from server.memory import AnswerMemory
from server.names import name_key
from server.storage.actions import ActionRecord
from server.storage.people import SessionRecord
from server.storage.records import PersonRecord
from shared_rules.messages import AccountRole
from shared_rules.refusal import Code, Refusal

if TYPE_CHECKING:
    from server.connection import Connection


class Origin(NamedTuple):
    """Where somebody comes from: an address, and whether it is of this machine or its network."""

    address: str
    on_local_network: bool


class Entry(NamedTuple):
    """Somebody let in, by which session, its token, and where he has a seat."""

    person: "Person"
    session: SessionRecord
    token: str
    tables: frozenset[str] = frozenset()  # of his unfinished matches


class Person:
    """Somebody known to the running server.

    ``connection``: the live one, the only one that counts.  ``seats``: open tables he plays at.
    """

    def __init__(
        self,
        record: PersonRecord,
        answers: AnswerMemory,
        mutes: Mapping[str, ActionRecord] = MappingProxyType({}),
    ) -> None:
        self.id = record.person
        self.name = record.name
        self.account = record.account
        self.role: AccountRole = record.role
        self.key = name_key(record.name)
        self.answers = answers
        self.connection: Connection | None = None
        self.seats: set[str] = set()
        self.mutes = dict(mutes)

    def may(self, right: Right) -> bool:
        """Whether his role has a right."""
        return roles.may(self.role, right)

    def check_may_talk(self, now: float) -> None:
        """Nothing, if he may say something to others; ``now`` is a Unix time.

        Raises:
            Refusal: ``muted``.
        """
        for mute in self.mutes.values():
            if mute.in_force(now):
                why = how_long(mute)
                if mute.person != self.id:
                    why = f"{until(mute.until)}, as a guest of your name or from your address is"
                raise Refusal(Code.MUTED, f"you are muted {why}")


def how_long(sanction: ActionRecord) -> str:
    """Until when, and why, for a sentence."""
    return f"{until(sanction.until)}: {sanction.reason}"
