"""The house: everybody who is here and every table, and what each request does.

Steps of a session come in; answers go into outboxes.  No sockets here.
"""

import contextlib
import logging
from collections.abc import Awaitable

from server.accounts import roles
from server.accounts.desk import Desk
from server.accounts.oversight import Oversight
from server.accounts.roles import Right
from server.chat.chat import Chat, is_chat
from server.chat.door import TextDoor, without_tricks
from server.chat.silences import Silences
from server.clock import ServerClock
from server.club.club import Club
from server.config import ServerConfig
from server.connection import MOST_TABLES, Connection
from server.crowding import Gate
from server.floor import Floor
from server.keeper import RunShot
from server.lobby.board import TOPIC
from server.lobby.company import Company
from server.lobby.lobby import Lobby
from server.lobby.relations import RelationBook
from server.logs import about, fields
from server.memory import Lasting, once
from server.metrics import Metrics
from server.people import People
from server.person import Origin
from server.rating.book import RatingBook
from server.replays import Replays
from server.session import Carry, HangUp, Refuse, Relay, SignIn, Step, refused
from server.storage.journal import NotStored
from server.storage.store import Store
from server.table import going_down
from shared_rules.messages import (
    PROTOCOL,
    AnswerChallenge,
    Challenge,
    ChangePassword,
    ChangePin,
    ClaimAbsence,
    EndSession,
    EnterLobby,
    GetRating,
    GetReplay,
    Goodbye,
    Hello,
    JoinTable,
    LeaveLobby,
    LeaveQueue,
    LeaveTable,
    ListActions,
    ListPeople,
    ListRelations,
    ListReplays,
    ListSessions,
    ListTables,
    OfficiateTable,
    OpenTable,
    Oversee,
    Ping,
    Play,
    Pong,
    QuickMatch,
    Register,
    Relate,
    Rematch,
    Request,
    Say,
    Silence,
    Tables,
    WatchTable,
    Welcome,
    WithdrawChallenge,
)
from shared_rules.refusal import Code, Fault, Refusal

log = logging.getLogger("headstring.server.house")

_GUESSES = (Code.WRONG_INVITATION, Code.BAD_PASSWORD)


class House:
    """All people and tables of one server."""

    def __init__(
        self, store: Store, clock: ServerClock, config: ServerConfig, run_shot: RunShot, start: int
    ) -> None:
        """``start``: the number of this start of the server, for the numbers of room events."""
        self.metrics = Metrics()
        self.gate = Gate(config)
        self.connections: set[Connection] = set()
        self.people = People(store, config)
        self.ratings = RatingBook(store.ratings, clock.now, self.people.wall)
        self.floor = Floor(
            store, clock, config, run_shot, start, self.people, self.metrics, self.ratings
        )
        self._desk = Desk(store, self.people)
        self._oversight = Oversight(store, self.people, self.floor)
        self.club = Club(store, self.people, self.floor, self._oversight, clock)
        self.floor.settling = self.club.settling
        self.replays = Replays(store.archive, clock)
        self.relations = RelationBook(store.relations)
        self.lobby = Lobby(
            self.people, self.floor, self.ratings, self.relations, store.requests, clock
        )
        silences = Silences(store.silences)
        self.chat = Chat(
            self.people, self.floor, self.relations, clock, lambda: self.lobby.board.readers,
            silences,
        )  # fmt: skip
        self._door = TextDoor(self.people, self.floor.room_of, silences.check)
        self._company = Company(
            self.ratings, self.relations, self._oversight, store.ratings, clock.now
        )
        self.floor.on_seated = self.lobby.seated
        self.floor.hears = self.relations.hears
        self.floor.on_closed = self._table_closed
        self.closed = True  # to newcomers, until the tables are back and again at the end
        self._clock = clock
        self._config = config

    @property
    def stopping(self) -> bool:
        """Whether the server is going down."""
        return self.floor.stopping

    # --- steps --------------------------------------------------------------------------------

    async def take(self, connection: Connection, step: Step, now: float) -> None:
        """Carry out what a session made of a message; ``now`` in real seconds."""
        connection.heard_at = self._clock.now()
        re: int | None = None
        try:
            match step:
                case Refuse(refused=message):
                    self.metrics.refused[message.code] += 1
                    connection.send(message)
                case HangUp():
                    self.hang_up_on(connection, step)
                case Relay(aim=aim):
                    table = self.floor.open_table(aim.table)
                    if table is not None:
                        table.relay(connection, aim)
                case SignIn(hello=hello):
                    await self._sign_in(connection, without_tricks(hello), now)
                case Carry(request=request):
                    re = request.id
                    await self._request(connection, request, now)
        except Refusal as refusal:
            if refusal.fault is Fault.CLIENT or refusal.code in _GUESSES:
                connection.session.penalise(now)
            self._refuse(connection, refusal, re)
            if isinstance(step, SignIn):
                self.metrics.sign_ins[refusal.code.value] += 1
                log.info(
                    "sign-in refused", extra=fields(why=refusal.code, address=connection.address)
                )
        except NotStored as error:
            log.log(error.level, "not stored: %s", error)
            sorry = Refusal(Code.INTERNAL, "it could not be stored; nothing changed")
            self._refuse(connection, sorry, re)
        except Exception:  # our fault, and not that of the others on this server
            log.exception("a fault of the server")
            sorry = Refusal(Code.INTERNAL, "a fault of the server; nothing changed")
            self._refuse(connection, sorry, re)

    def hang_up_on(self, connection: Connection, step: HangUp) -> None:
        """Tell somebody why, and close."""
        self.metrics.refused[step.refused.code] += 1
        connection.send(step.refused)
        connection.hang_up(step.goodbye)
        about_it = fields(why=step.refused.code, address=connection.address)
        log.warning("hung up on", extra=about_it)

    def _refuse(self, connection: Connection, refusal: Refusal, re: int | None) -> None:
        self.metrics.refused[refusal.code.value] += 1
        connection.send(refused(refusal, re))

    async def gone(self, connection: Connection) -> None:
        """A connection is closed."""
        connection.closed = True
        person = connection.person
        self.lobby.left(connection)
        if person is not None and person.connection is connection:
            self.lobby.gone(person)  # before the tables: he must not be matched meanwhile
        await self._leave_all(connection)
        if connection.device is not None:
            await self.people.note_use(connection.device)
        if person is not None and person.connection is connection:
            person.connection = None
            self._company.close_for(person)
            self.people.let_go(person)

    async def line_changed(self, connection: Connection) -> None:
        """A player's line has become clearly better or worse: his table is told."""
        for name in list(connection.tables):
            table = self.floor.tables.get(name)
            if table is not None:
                with contextlib.suppress(Refusal):  # closed or too busy: it is only a picture
                    await table.line_changed(connection)

    # --- signing in ---------------------------------------------------------------------------

    async def _sign_in(self, connection: Connection, hello: Hello, now: float) -> None:
        if self.closed:
            raise going_down()
        entry = await self.people.enter(
            hello, Origin(connection.address, connection.on_local_network), now
        )
        person = entry.person
        connection.device = entry.session
        earlier, person.connection = person.connection, connection
        connection.person = person
        connection.session.signed_in = True
        about(person=person.id)
        self.metrics.sign_ins["ok"] += 1
        log.info("signed in", extra=fields(address=connection.address))
        if earlier is not None and earlier is not connection:
            # The one who holds the token decides; a half-open socket may linger for long.
            earlier.hang_up(Goodbye(reason="you have come back elsewhere", come_back=False))
            self.lobby.left(earlier)
            self.lobby.gone(person)
            await self._leave_all(earlier)
        try:
            await self._company.open_for(person)
        except BaseException:  # better not here at all than here without what he has chosen
            connection.hang_up(Goodbye(reason="a fault of the server", come_back=True))
            raise
        connection.send(
            Welcome(
                protocol=PROTOCOL,
                server=self._config.name,
                name=person.name,
                token=entry.token,
                clock=self._clock.now(),
                time_scale=self._clock.scale,
                tables=tuple(sorted(entry.tables | person.seats)),
                account=person.account,
                role=person.role,
            )
        )

    async def _leave_all(self, connection: Connection) -> None:
        for name in list(connection.tables):
            table = self.floor.tables.get(name)
            if table is not None:
                await _even_if_closed(table.gone(connection))

    # --- requests -----------------------------------------------------------------------------

    async def _request(self, connection: Connection, request: Request, now: float) -> None:
        request = without_tricks(request)
        await self._let_words_pass(connection, request, now)
        match request:
            case Ping():
                connection.send(Pong(re=request.id, clock=self._clock.now()))
            case ListTables():
                connection.send(
                    Tables(re=request.id, tables=self.floor.summaries(request, connection.person))
                )
            case OpenTable():
                _check_plays(connection)
                await self.floor.open(connection, request)
            case JoinTable():
                await self._sit_down(connection, request)
                self.chat.arrived(connection, request.table)
            case WatchTable():
                if len(connection.tables) >= MOST_TABLES:
                    raise _too_many()
                table = await self.floor.fetch(request.table, connection.person)
                await table.watch(connection, request)
                self.chat.arrived(connection, request.table)
            case OfficiateTable():
                table = await self.floor.fetch(request.table, connection.person)
                await table.officiate(connection, request)
                self.chat.arrived(connection, request.table)
            case LeaveTable():
                await self.floor.find(request.table).leave(connection, request)
            case ClaimAbsence():
                await self.floor.find(request.table).claim(connection, request)
            case Play():
                await self.floor.find(request.table).play(connection, request)
            case Register() | ChangePassword() | ChangePin() | ListSessions() | EndSession():
                await self._desk.take(connection, request, now)
            case Oversee() | ListPeople() | ListActions():
                await self._oversight.take(connection, request)
            case (
                EnterLobby() | LeaveLobby() | Challenge() | AnswerChallenge()
                | WithdrawChallenge() | QuickMatch() | LeaveQueue() | Rematch()
            ):  # fmt: skip
                await self.lobby.take(connection, request)
                if isinstance(request, EnterLobby):
                    self.chat.arrived(connection, None)
            case Relate() | ListRelations() | GetRating():
                await self._company.take(connection, request, self.people.wall())
            case Say():
                await once(
                    connection, request, lambda tell: self.chat.say(connection, request, now, tell)
                )
            case Silence():
                await self.chat.silence(connection, request)
            case ListReplays() | GetReplay():
                await self._replay(connection, request)
            case _:
                await self.club.take(connection, request)

    async def _let_words_pass(self, connection: Connection, request: Request, now: float) -> None:
        """What somebody says to others with a request has to pass the door; a copy has, before."""
        person = connection.speaker
        memory = person.answers if person is not None else None
        if memory is None or not isinstance(request, Lasting):
            await self._door.check(connection, request, now)
        elif await memory.settled(request) is None:
            try:
                await self._door.check(connection, request, now)
            except Refusal as refusal:
                memory.keep(request, refused(refusal, request.id))
                raise

    async def _sit_down(self, connection: Connection, request: JoinTable) -> None:
        table = await self.floor.fetch(request.table, connection.person)
        if connection.person is None or table.id not in connection.person.seats:
            _check_plays(connection)
        if table.id not in connection.tables and len(connection.tables) >= MOST_TABLES:
            raise _too_many()
        try:
            await table.sit_down(connection, request)
        except Refusal as refusal:
            # it was put away in this moment: nobody who comes back is to notice
            if refusal.code is not Code.TABLE_CLOSED or not table.course.attendance.adjourned:
                raise
            table = await self.floor.fetch(request.table, connection.person)
            await table.sit_down(connection, request)

    async def _replay(self, connection: Connection, request: ListReplays | GetReplay) -> None:
        person = connection.speaker
        if person is None:
            return
        if isinstance(request, ListReplays):
            await self.replays.list(connection, person, request)
        else:
            await self.replays.get(connection, person, request)

    def snapshot(self, connection: Connection, topic: str) -> bytes | None:
        """What goes to a slow reader in place of what he has missed of a table, or other topic."""
        if topic == TOPIC:
            return self.lobby.snapshot(connection)
        if is_chat(topic):
            return self.chat.snapshot(connection, topic)
        table = self.floor.tables.get(topic)
        if table is None or connection not in table.room.members:
            return None
        return table.room.snapshot(connection)

    def _table_closed(self, table: str) -> None:
        self.lobby.closed(table)
        self.chat.closed(table)

    # --- start and end ------------------------------------------------------------------------

    async def take_up(self) -> int:
        """Bring back every table that was open; returns how many."""
        self.lobby.start()
        await self.club.load()
        tables = await self.floor.take_up()
        self.club.start()
        return tables

    async def stop(self) -> None:
        """Say goodbye to all and stop every table; everything is in the log."""
        self.closed = True
        await self.club.stop()
        await self.lobby.stop()
        await self.floor.stop()
        self.people.passwords.close()


def _check_plays(connection: Connection) -> None:
    if connection.person is not None:
        roles.check(connection.person.role, Right.PLAY)


def _too_many() -> Refusal:
    return Refusal(Code.TOO_MANY_TABLES, f"at most {MOST_TABLES} tables at a time")


async def _even_if_closed(action: Awaitable[None]) -> None:
    """A table that closes meanwhile needs no goodbye."""
    try:
        await action
    except Refusal as refusal:
        if refusal.code not in (Code.TABLE_CLOSED, Code.SHUTTING_DOWN):
            raise
