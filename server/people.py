"""Who is signed in: names, tokens, and the one live connection of each person.

A token is known only to the person; its hash is stored.  A person who is connected, or seated at
an unfinished table, keeps his name to himself.
"""

import asyncio
import hashlib
import secrets
from typing import TYPE_CHECKING

from server.config import ServerConfig
from server.flood import Bucket
from server.memory import MOST_REMEMBERED, AnswerMemory
from server.names import clean_name, name_key
from server.storage.records import PersonRecord
from server.storage.store import Store
from shared_rules.refusal import Code, Refusal

if TYPE_CHECKING:
    from server.connection import Connection

_MOST_ADDRESSES = 10_000


def token_hash(token: str) -> bytes:
    """What is stored of a token.  It is random and long, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).digest()


class AddressBuckets:
    """A bucket for every address that uses one; times are given, in real seconds."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._buckets: dict[str, Bucket] = {}

    def of(self, address: str) -> Bucket:
        """The bucket of an address."""
        if address not in self._buckets:
            if len(self._buckets) >= _MOST_ADDRESSES:
                self._buckets.clear()
            self._buckets[address] = Bucket(self.rate, self.burst)
        return self._buckets[address]


class Person:
    """Somebody known to the running server.

    ``connection``: the live one, the only one whose messages count.  ``seats``: tables he plays at.
    """

    def __init__(self, record: PersonRecord, answers: AnswerMemory) -> None:
        self.id = record.person
        self.name = record.name
        self.key = name_key(record.name)
        self.answers = answers
        self.connection: Connection | None = None
        self.seats: set[str] = set()


class People:
    """Everybody who is present: connected, or seated at an unfinished table."""

    def __init__(self, store: Store, config: ServerConfig) -> None:
        self._store = store
        self._present: dict[str, Person] = {}
        self._names: dict[str, str] = {}
        self._lock = asyncio.Lock()
        self._guesses = AddressBuckets(config.wrong_tokens_per_s, config.wrong_tokens_burst)
        self._newcomers = AddressBuckets(config.new_people_per_s, config.new_people_burst)

    def __len__(self) -> int:
        return len(self._present)

    async def sign_in(self, name: str, address: str, now: float) -> tuple[Person, str]:
        """A new person of that name, and his token.

        Raises:
            Refusal: ``bad_name``, ``name_taken``, or ``overloaded`` for an address from which
                person after person comes: each is a row for ever.
        """
        shown = clean_name(name)
        key = name_key(shown)
        async with self._lock:
            if key in self._names:
                raise Refusal(Code.NAME_TAKEN, f"{shown} is here already; choose another name")
            if not self._newcomers.of(address).take(now):
                raise Refusal(
                    Code.OVERLOADED, "too many new people from your address; try again in a minute"
                )
            record = PersonRecord(person=secrets.token_hex(8), name=shown)
            token = secrets.token_urlsafe(32)
            await self._store.add_person(record, key, token_hash(token))
            return self._enter(Person(record, AnswerMemory())), token

    async def come_back(self, token: str, address: str, now: float) -> Person:
        """The person of a token.

        Raises:
            Refusal: ``bad_token``, or ``flooding`` from an address that guesses; ``name_taken``
                when somebody else has taken the name of a person who had left.
        """
        guesses = self._guesses.of(address)
        if not guesses.take(now):
            raise Refusal(Code.FLOODING, "too many wrong tokens; wait a little")
        async with self._lock:
            record = await self._store.person_of_token(token_hash(token))
            if record is None:
                raise Refusal(Code.BAD_TOKEN, "nobody has this token; sign in with a name")
            guesses.give_back()
            return await self._known(record)

    async def recall(self, person: str) -> Person:
        """A person of the log, for a table that a restart brings back.

        Raises:
            LookupError: the log names nobody of that id.
        """
        async with self._lock:
            record = await self._store.person(person)
            if record is None:
                raise LookupError(f"the log names a person {person} who isn't stored")
            # The log comes first: whoever is in it is there whatever the name.
            return self._present.get(person) or await self._load(record)

    def let_go(self, person: Person) -> None:
        """Forget somebody who is neither connected nor seated; his token still brings him back."""
        if person.connection is None and not person.seats:
            if self._present.get(person.id) is person:
                del self._present[person.id]
            if self._names.get(person.key) == person.id:
                del self._names[person.key]

    async def _known(self, record: PersonRecord) -> Person:
        present = self._present.get(record.person)
        if present is not None:
            return present
        if name_key(record.name) in self._names:
            raise Refusal(Code.NAME_TAKEN, f"somebody else is here as {record.name} now")
        return await self._load(record)

    async def _load(self, record: PersonRecord) -> Person:
        stored = await self._store.remembered(record.person, MOST_REMEMBERED)
        return self._enter(Person(record, AnswerMemory(stored)))

    def _enter(self, person: Person) -> Person:
        self._present[person.id] = person
        self._names[person.key] = person.id
        return person
