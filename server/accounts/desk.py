"""The desk: what people ask about their own accounts, and nobody else's."""

from server.accounts.pins import check_may_have, check_pin
from server.accounts.proof import wrong_password
from server.connection import Connection
from server.people import People
from server.person import Person
from server.storage.records import PersonRecord
from server.storage.store import Store
from shared_rules.messages import (
    Accepted,
    ChangePassword,
    ChangePin,
    EndSession,
    Goodbye,
    ListSessions,
    Register,
    Sessions,
    SessionSummary,
)
from shared_rules.pins import is_pin
from shared_rules.refusal import Code, Refusal

DeskRequest = Register | ChangePassword | ChangePin | ListSessions | EndSession


class Desk:
    """Answers requests about one's own account."""

    def __init__(self, store: Store, people: People) -> None:
        self._store = store.people
        self._people = people

    async def take(self, connection: Connection, request: DeskRequest, now: float) -> None:
        """Carry out a request and answer it; ``now`` in real seconds.

        Raises:
            Refusal, NotStored: nothing has changed.
        """
        person = connection.speaker
        if person is None:
            return
        match request:
            case Register():
                await self._register(connection, person, request, now)
            case ChangePassword():
                await self._change_password(connection, person, request, now)
            case ChangePin():
                await self._change_pin(connection, person, request, now)
            case ListSessions():
                await self._list(connection, person, request)
            case EndSession():
                await self._end(connection, person, request)

    async def _register(
        self, connection: Connection, person: Person, request: Register, now: float
    ) -> None:
        if person.account:  # sent twice, it is done once
            await self._check_own(connection, person, request.password, now)
            connection.send(Accepted(re=request.id))
            return
        self._people.check_registration()
        await self._people.passwords.check(request.password, person.name)
        hashed = await self._people.passwords.hash(request.password)
        async with self._people.lock:
            await self._people.check_name_free(person.name, but=person.id)
            record = PersonRecord(person=person.id, name=person.name, account=True)
            await self._store.make_account(record, person.key, hashed, self._people.wall())
            person.account = True
        self._people.proof.know(person.key, connection.address)
        connection.send(Accepted(re=request.id))

    async def _change_password(
        self, connection: Connection, person: Person, request: ChangePassword, now: float
    ) -> None:
        if not person.account:
            raise Refusal(Code.NOT_ALLOWED, "a guest has no password; register first")
        await self._people.passwords.check(request.new, person.name)
        if is_pin(request.old):  # who has seen a PIN does not so get the account for good
            account = await self._store.account(person.key)
            if account is None or account[1]:
                raise wrong_password()
        await self._check_old(connection, person, request, now)
        hashed = await self._people.passwords.hash(request.new)
        mine = connection.device.session if connection.device is not None else None
        await self._store.set_password(person.id, hashed, but=mine)
        connection.send(Accepted(re=request.id))

    async def _change_pin(
        self, connection: Connection, person: Person, request: ChangePin, now: float
    ) -> None:
        check_may_have(person.account, person.role)
        if request.pin is not None:
            self._people.check_pins()
            check_pin(request.pin)
        if request.pin is None and not await self._store.pin_hash(person.id):
            connection.send(Accepted(re=request.id))  # sent twice, it is done once
            return
        try:
            await self._check_own(connection, person, request.old, now)
        except Refusal as refusal:
            if refusal.code is not Code.BAD_PASSWORD or request.pin is None:
                raise
            # Sent twice, it is done once: then the new one is the PIN already.
            await self._check_own(connection, person, request.pin, now)
        if request.pin is None:
            await self._store.set_pin(person.id, None)
        else:
            hashed = await self._people.passwords.hash(request.pin)
            await self._store.set_pin(person.id, hashed)
        connection.send(Accepted(re=request.id))

    async def _check_old(
        self, connection: Connection, person: Person, request: ChangePassword, now: float
    ) -> None:
        try:
            await self._check_own(connection, person, request.old, now)
        except Refusal as refusal:
            if refusal.code is not Code.BAD_PASSWORD:
                raise
            # Sent twice, it is done once: then the new one is the password already.
            await self._check_own(connection, person, request.new, now)

    async def _check_own(
        self, connection: Connection, person: Person, password: str, now: float
    ) -> None:
        session = connection.device.session if connection.device is not None else person.id
        await self._people.proof.check_own(person.key, password, session, now)

    async def _list(self, connection: Connection, person: Person, request: ListSessions) -> None:
        mine = connection.device
        oldest = self._people.oldest_use()
        connection.send(
            Sessions(
                re=request.id,
                sessions=tuple(
                    SessionSummary(
                        session=session.session,
                        client=session.client,
                        created_at=session.created_at,
                        used_at=session.used_at,
                        current=mine is not None and session.session == mine.session,
                    )
                    for session in await self._store.sessions(person.id)
                    if session.used_at >= oldest
                ),
            )
        )

    async def _end(self, connection: Connection, person: Person, request: EndSession) -> None:
        mine = connection.device.session if connection.device is not None else ""
        if request.session is None:
            await self._store.end_sessions(person.id, but=mine)
        else:
            if request.session == mine and not person.account:
                await self._check_may_go_for_good(person)
            await self._store.end_sessions(person.id, session=request.session)
        connection.send(Accepted(re=request.id))
        if request.session == mine:
            connection.hang_up(Goodbye(reason="you have signed out", come_back=False))

    async def _check_may_go_for_good(self, person: Person) -> None:
        """A guest who signs out can never come back, and nobody else can take his seat.

        Raises:
            Refusal: ``unfinished_match``.
        """
        if (await self._store.tables_of([person.id]))[person.id]:
            raise Refusal(
                Code.UNFINISHED_MATCH,
                "your match isn't over, and only this sign-in brings you back to it: finish it or "
                "concede, leave the table that you have opened, or register",
            )
