"""Who is signed in: names, ways in, and the one live connection of each person.

A guest comes by a mere name, an account by its password; either gets a token, which brings the
same person back and is known only to him: its hash is stored.  A person who is connected, or
seated at an unfinished table, keeps his name to himself, and the name of an account is always its
own.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable

from server.accounts.comebacks import Comebacks
from server.accounts.guessing import AddressBuckets, PasswordGuesses
from server.accounts.passwords import Passwords
from server.accounts.proof import PasswordProof, wrong_password
from server.accounts.tokens import new_id, new_session, token_hash
from server.config import ServerConfig
from server.memory import MOST_REMEMBERED, AnswerMemory, MemoryOfTheGone
from server.names import clean_name, name_key
from server.person import Entry, Origin, Person, how_long
from server.storage.actions import ActionRecord
from server.storage.journal import NotStored
from server.storage.people import SessionRecord
from server.storage.records import PersonRecord
from server.storage.store import Store
from shared_rules.messages import Hello
from shared_rules.pins import is_pin
from shared_rules.refusal import Code, Refusal

log = logging.getLogger("headstring.server.people")

_DAY_S = 86_400.0
_EMPTY_TABLES_KEPT_S = 1 * _DAY_S
_NOTED_EVERY_S = 60.0  # the use of a session


class People:
    """Everybody who is present: connected, or seated at an open table."""

    def __init__(
        self, store: Store, config: ServerConfig, wall: Callable[[], float] = time.time
    ) -> None:
        """``wall``: the Unix time, for what lasts days and is told to people."""
        self.passwords = Passwords(
            config.password_memory_kib,
            config.password_passes,
            config.password_lanes,
            config.password_queue,
        )
        self.lock = asyncio.Lock()  # held while it is settled who has a name
        self.wall = wall
        guesses = PasswordGuesses(config.wrong_passwords_per_s, config.wrong_passwords_burst)
        self.proof = PasswordProof(store.people, self.passwords, guesses)
        self.comebacks = Comebacks(store.comebacks, config.sanctioned_address_days)
        self._store = store
        self._config = config
        self._present: dict[str, Person] = {}
        self._names: dict[str, str] = {}
        self._gone = MemoryOfTheGone()
        self._wrong_tokens = AddressBuckets(config.wrong_tokens_per_s, config.wrong_tokens_burst)
        self._newcomers = AddressBuckets(config.new_people_per_s, config.new_people_burst)

    def __len__(self) -> int:
        return len(self._present)

    def present(self, person: str) -> Person | None:
        """A person by his id, if he is connected or seated."""
        return self._present.get(person)

    def everybody(self) -> Iterable[Person]:
        """Everybody who is connected or seated."""
        return self._present.values()

    def present_by_key(self, key: str) -> Person | None:
        """A person who is connected or seated, by the key of his name."""
        return self._present.get(self._names.get(key, ""))

    # --- coming in ----------------------------------------------------------------------------

    async def enter(self, hello: Hello, origin: Origin, now: float) -> Entry:
        """Let somebody in as his hello says.

        Raises:
            Refusal: ``bad_name``, ``name_taken``, ``bad_token``, ``bad_password``,
                ``weak_password``, ``guests_not_allowed``, ``pins_not_allowed``,
                ``suspended``, ``not_allowed``; ``flooding`` from who guesses; ``overloaded``.
        """
        entry = await self._let_in(hello, origin, now)
        if entry.person.account:
            self.proof.know(entry.person.key, origin.address)
        else:
            self.comebacks.came(entry.person.id, origin.address)
        return entry

    async def _let_in(self, hello: Hello, origin: Origin, now: float) -> Entry:
        if hello.token is not None:
            return await self._by_token(hello.token, hello.client, origin, now)
        if hello.account is not None and hello.password is not None:
            if hello.register:
                return await self._as_new_account(hello, origin.address, now)
            return await self._by_password(hello, origin, now)
        return await self._as_guest(hello.name or "", hello.client, origin, now)

    async def _as_guest(self, name: str, client: str, origin: Origin, now: float) -> Entry:
        """A new person of that name."""
        self._check_guest(origin)
        shown = clean_name(name)
        key = name_key(shown)
        async with self.lock:
            await self.check_name_free(shown)
            mutes = await self.comebacks.check_new(key, origin.address, self.wall())
            self._count_newcomer(origin.address, now)
            record = PersonRecord(person=new_id(), name=shown)
            session, token = new_session(record.person, client, self.wall())
            await self._store.people.add_guest(record, key, self.wall(), session)
            return Entry(self._enter(Person(record, AnswerMemory(), mutes)), session, token)

    async def _as_new_account(self, hello: Hello, address: str, now: float) -> Entry:
        """A new person with an account."""
        self.check_registration()
        shown, password = clean_name(hello.account or ""), hello.password or ""
        mutes = await self.comebacks.check_new(name_key(shown), address, self.wall())
        self._count_newcomer(address, now)  # before the password costs anything
        await self.passwords.check(password, shown)
        hashed = await self.passwords.hash(password)
        async with self.lock:
            await self.check_name_free(shown)
            record = PersonRecord(person=new_id(), name=shown, account=True)
            session, token = new_session(record.person, hello.client, self.wall())
            await self._store.people.add_account(
                record, name_key(shown), hashed, self.wall(), session
            )
            return Entry(self._enter(Person(record, AnswerMemory(), mutes)), session, token)

    async def _by_password(self, hello: Hello, origin: Origin, now: float) -> Entry:
        key, password = name_key(hello.account or ""), hello.password or ""
        if is_pin(password):
            self.check_pins(origin.on_local_network)
        hashed = await self.proof.check(key, password, origin.address, now)
        async with self.lock:
            found = await self.proof.stored(key, password)
            if found is None or found[1] != hashed:  # changed while it was looked at
                raise wrong_password()
            await self._sanctions(found[0])
            session, token = new_session(found[0].person, hello.client, self.wall())
            kept = await self._store.people.sessions(session.person)
            surplus = kept[self._config.sessions_per_person - 1 :]
            await self._store.people.add_session(session, [s.session for s in surplus])
            return await self._entered(found[0], session, token, origin.address)

    async def _by_token(self, token: str, client: str, origin: Origin, now: float) -> Entry:
        await self._session(token, origin.address, now)
        async with self.lock:
            session = await self._session(token, origin.address, now)  # it may have ended meanwhile
            record = await self._store.people.person(session.person)
            if record is None:
                raise LookupError(f"the session {session.session} is of nobody")
            if not record.account and record.person not in self._present:
                self._check_guest(origin)
            await self.note_use(session, client)
            return await self._entered(record, session, token, origin.address)

    async def _session(self, token: str, address: str, now: float) -> SessionRecord:
        """The session of a right token, whoever has sent wrong ones from the same address."""
        session = await self._store.people.session(token_hash(token))
        if session is not None and await self._is_of_use(session):
            return session
        if not self._wrong_tokens.of(address).take(now):
            raise Refusal(Code.FLOODING, "too many wrong tokens; wait a little")
        raise Refusal(Code.BAD_TOKEN, "nobody has this token; sign in anew")

    async def _is_of_use(self, session: SessionRecord) -> bool:
        """Whether it still lets somebody in; always to an unfinished match of his."""
        if session.used_at >= self.oldest_use():
            return True
        return bool((await self._store.people.tables_of([session.person]))[session.person])

    # --- what may be --------------------------------------------------------------------------

    async def check_name_free(self, name: str, but: str | None = None) -> None:
        """May somebody new (or the person ``but``) take this name?

        Raises:
            Refusal: ``name_taken``.
        """
        key = name_key(name)
        if await self._store.people.account(key) is not None:
            raise Refusal(
                Code.NAME_TAKEN, f"{name} is the name of an account; sign in with its password"
            )
        if self._names.get(key, but) != but:
            raise Refusal(Code.NAME_TAKEN, f"{name} is here already; choose another name")
        bound = await self._store.people.bound(key)
        if bound and but not in bound:
            raise Refusal(Code.NAME_TAKEN, f"a guest called {name} has an unfinished match")

    def check_registration(self) -> None:
        """May people make accounts themselves?

        Raises:
            Refusal: ``not_allowed``.
        """
        if not self._config.registration:
            raise Refusal(Code.NOT_ALLOWED, "accounts of this server are made by its officials")

    def check_pins(self, on_local_network: bool = True) -> None:
        """May somebody come in by a PIN, from the local network or from elsewhere?

        Raises:
            Refusal: ``pins_not_allowed``.
        """
        pins = self._config.pins
        if pins == "no" or (pins == "lan" and not on_local_network):
            raise Refusal(
                Code.PINS_NOT_ALLOWED, "no PIN lets anybody in from here; sign in with a password"
            )

    def oldest_use(self) -> float:
        """A session used last before this Unix time is worth nothing any more."""
        return self.wall() - self._config.session_unused_days * _DAY_S

    def _check_guest(self, origin: Origin) -> None:
        guests = self._config.guests
        if guests == "no" or (guests == "lan" and not origin.on_local_network):
            raise Refusal(
                Code.GUESTS_NOT_ALLOWED, "guests are not let in from here; sign in to an account"
            )

    def _count_newcomer(self, address: str, now: float) -> None:
        """Each new person is rows that stay until he can't come back any more."""
        if not self._newcomers.of(address).take(now):
            raise Refusal(
                Code.OVERLOADED, "too many new people from your address; try again in a minute"
            )

    # --- present ------------------------------------------------------------------------------

    async def recall(self, person: str) -> Person:
        """A person of the log, for a table that a restart brings back.

        Raises:
            LookupError: the log names nobody of that id.
        """
        async with self.lock:
            record = await self._store.people.person(person)
            if record is None:
                raise LookupError(f"the log names a person {person} who isn't stored")
            # The log comes first: whoever is in it is there whatever the name.
            sanctions = await self._store.actions.sanctions([person], self.wall())
            return self._present.get(person) or await self._load(record, sanctions)

    def let_go(self, person: Person) -> None:
        """Forget somebody who is neither connected nor seated; his token still brings him back."""
        if person.connection is None and not person.seats:
            if self._present.get(person.id) is person:
                self._gone.keep(person.id, self._present.pop(person.id).answers)
            if self._names.get(person.key) == person.id:
                del self._names[person.key]

    async def note_use(self, session: SessionRecord, client: str | None = None) -> None:
        """Write down that a session is in use; what fails keeps nobody out."""
        now = self.wall()
        if client in (None, session.client) and now - session.used_at < _NOTED_EVERY_S:
            return
        try:
            await self._store.people.use_session(session.session, client, now)
        except NotStored as error:
            log.warning("the use of a session could not be noted: %s", error)

    async def forget_unused(self) -> None:
        """Delete worthless sessions, tables at which nothing began, and guests who so can't come
        back and have left nothing."""
        try:
            await self._store.matches.forget_never_begun(self.wall() - _EMPTY_TABLES_KEPT_S)
            await self._store.people.end_unused(self.oldest_use())
            await self.comebacks.forget(self.wall())
            async with self.lock:
                await self._store.guests.forget(self._present)
        except (NotStored, TimeoutError) as error:
            log.warning("old sessions and guests could not be deleted: %s", error)

    async def _entered(
        self, record: PersonRecord, session: SessionRecord, token: str, address: str
    ) -> Entry:
        """Somebody who has been here before, let in."""
        tables = await self._store.people.tables_of([record.person])
        key = name_key(record.name)
        mutes = await self.comebacks.mutes_since(record.person, key, address, self.wall())
        person = await self._known(record)
        person.mutes |= mutes
        return Entry(person, session, token, frozenset(tables[record.person]))

    async def _known(self, record: PersonRecord) -> Person:
        """Somebody who has been here before, if nothing keeps him out.

        Nothing is waited for between finding him present and the return: he may go any time.
        """
        sanctions = await self._sanctions(record)
        if record.person not in self._present:
            if not record.account:
                await self.check_name_free(record.name, but=record.person)
            elif self._names.get(name_key(record.name), record.person) != record.person:
                raise Refusal(Code.NAME_TAKEN, f"somebody else is here as {record.name} now")
        return self._present.get(record.person) or await self._load(record, sanctions)

    async def _sanctions(self, record: PersonRecord) -> list[ActionRecord]:
        """What is in force against somebody.

        Raises:
            Refusal: ``suspended``.
        """
        found = await self._store.actions.sanctions([record.person], self.wall())
        for sanction in found:
            if sanction.act == "suspend":
                raise Refusal(Code.SUSPENDED, f"you are suspended {how_long(sanction)}")
        return found

    async def _load(self, record: PersonRecord, sanctions: list[ActionRecord]) -> Person:
        answers = self._gone.take(record.person)
        if answers is None:
            stored = await self._store.requests.latest(record.person, MOST_REMEMBERED)
            answers = AnswerMemory(stored)
        mutes = {s.action: s for s in sanctions if s.act == "mute"}
        return self._enter(Person(record, answers, mutes))

    def _enter(self, person: Person) -> Person:
        self._present[person.id] = person
        self._names[person.key] = person.id
        return person
