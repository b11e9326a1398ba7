"""The house: everybody who is here and every table, and what each request does.

Steps of a session come in; answers go into outboxes.  No sockets here.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable

from server.absence import Absence
from server.clock import ServerClock
from server.config import ServerConfig
from server.connection import MOST_TABLES, Connection
from server.course import Course, Surroundings
from server.history import History, first_number
from server.keeper import MatchKeeper, RunShot
from server.memory import remember
from server.metrics import Metrics
from server.people import People, Person
from server.room import SEATS, Room
from server.session import Carry, HangUp, Refuse, Relay, Request, SignIn, Step, refused
from server.shots import frame_of, usual_table
from server.storage.journal import NotStored
from server.storage.records import MatchRecord, Terms
from server.storage.store import Store
from server.table import Table
from shared_rules.messages import (
    PROTOCOL,
    Accepted,
    Goodbye,
    Hello,
    JoinTable,
    LeaveTable,
    ListTables,
    OfficiateTable,
    OpenTable,
    Ping,
    Play,
    Pong,
    Tables,
    TableSummary,
    WatchTable,
    Welcome,
)
from shared_rules.refusal import Code, Fault, Refusal
from shared_rules.ruleset import make_ruleset
from shared_rules.state import Phase

log = logging.getLogger("headstring.server.house")

_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that are taken for another
_MOST_LISTED = 500


def _code(length: int) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


class House:
    """All people and tables of one server."""

    def __init__(
        self, store: Store, clock: ServerClock, config: ServerConfig, run_shot: RunShot, start: int
    ) -> None:
        """``start``: the number of this start of the server, for the numbers of room events."""
        self.metrics = Metrics()
        self.people = People(store, config)
        self.tables: dict[str, Table] = {}
        self.closed = True  # to newcomers, until the tables are back and again at the end
        self._store = store
        self._clock = clock
        self._config = config
        self._start = start
        self._opening = asyncio.Lock()
        self._around = Surroundings(
            store=store,
            clock=clock,
            config=config,
            metrics=self.metrics,
            run_shot=run_shot,
            is_free=self._is_free,
            let_go=self.people.let_go,
            removed=self._removed,
        )

    # --- steps --------------------------------------------------------------------------------

    async def take(self, connection: Connection, step: Step, now: float) -> None:
        """Carry out what a session made of a message; ``now`` in real seconds."""
        re: int | None = None
        try:
            match step:
                case Refuse(refused=message):
                    self.metrics.refused[message.code] += 1
                    connection.send(message)
                case HangUp(refused=message, goodbye=goodbye):
                    self.metrics.refused[message.code] += 1
                    connection.send(message)
                    connection.hang_up(goodbye)
                case Relay(aim=aim):
                    table = self.tables.get(aim.table)
                    if table is not None:
                        table.relay(connection, aim)
                case SignIn(hello=hello):
                    await self._sign_in(connection, hello, now)
                case Carry(request=request):
                    re = request.id
                    await self._request(connection, request)
        except Refusal as refusal:
            if refusal.fault is Fault.CLIENT or refusal.code is Code.WRONG_INVITATION:
                connection.session.penalise(now)
            self._refuse(connection, refusal, re)
        except NotStored as error:
            log.error("not stored: %s", error)
            sorry = Refusal(Code.INTERNAL, "it could not be stored; nothing changed")
            self._refuse(connection, sorry, re)
        except Exception:  # our fault, and not that of the others on this server
            log.exception("a fault of the server")
            sorry = Refusal(Code.INTERNAL, "a fault of the server; nothing changed")
            self._refuse(connection, sorry, re)

    def _refuse(self, connection: Connection, refusal: Refusal, re: int | None) -> None:
        self.metrics.refused[refusal.code.value] += 1
        connection.send(refused(refusal, re))

    async def gone(self, connection: Connection) -> None:
        """A connection is closed."""
        connection.closed = True
        person = connection.person
        await self._leave_all(connection)
        if person is not None and person.connection is connection:
            person.connection = None
            self.people.let_go(person)

    # --- signing in ---------------------------------------------------------------------------

    async def _sign_in(self, connection: Connection, hello: Hello, now: float) -> None:
        if self.closed:
            raise Refusal(Code.SHUTTING_DOWN, "the server is going down; come back in a minute")
        if hello.token is not None:
            token = hello.token
            person = await self.people.come_back(token, connection.address, now)
        else:
            name = hello.name or ""
            person, token = await self.people.sign_in(name, connection.address, now)
        earlier, person.connection = person.connection, connection
        connection.person = person
        connection.session.signed_in = True
        if earlier is not None and earlier is not connection:
            # The one who holds the token decides; a half-open socket may linger for long.
            earlier.hang_up(Goodbye(reason="you have come back elsewhere", come_back=False))
            await self._leave_all(earlier)
        connection.send(
            Welcome(
                protocol=PROTOCOL,
                server=self._config.name,
                name=person.name,
                token=token,
                clock=self._clock.now(),
                time_scale=self._clock.scale,
                tables=tuple(sorted(person.seats)),
            )
        )

    async def _leave_all(self, connection: Connection) -> None:
        for name in list(connection.tables):
            table = self.tables.get(name)
            if table is not None:
                await _even_if_closed(table.gone(connection))

    # --- requests -----------------------------------------------------------------------------

    async def _request(self, connection: Connection, request: Request) -> None:
        match request:
            case Ping():
                connection.send(Pong(re=request.id, clock=self._clock.now()))
            case ListTables():
                connection.send(Tables(re=request.id, tables=self._summaries()))
            case OpenTable():
                await self._open(connection, request)
            case JoinTable():
                await self._table(request.table).sit_down(connection, request)
            case WatchTable():
                if len(connection.tables) >= MOST_TABLES:
                    raise Refusal(Code.TOO_MANY_TABLES, f"at most {MOST_TABLES} tables at a time")
                await self._table(request.table).watch(connection, request)
            case OfficiateTable():
                await self._table(request.table).officiate(connection, request)
            case LeaveTable():
                await self._table(request.table).leave(connection, request)
            case Play():
                await self._table(request.table).play(connection, request)

    def _table(self, name: str) -> Table:
        table = self.tables.get(name.strip().upper())
        if table is None:
            raise Refusal(Code.UNKNOWN_TABLE, f"there is no table {name!r}")
        return table

    async def _open(self, connection: Connection, request: OpenTable) -> None:
        async with self._opening:
            person = connection.person
            if person is None or person.connection is not connection:
                return
            known = person.answers.find(request)
            if known is not None:
                connection.send(known)
                self._show_again(connection, known.table if isinstance(known, Accepted) else None)
                return
            try:
                await self._open_new(connection, person, request)
            except Refusal as refusal:
                person.answers.keep(request, refused(refusal, request.id))
                raise

    async def _open_new(self, connection: Connection, person: Person, request: OpenTable) -> None:
        """Open the table that was asked for.

        Raises:
            Refusal, NotStored: there is no new table.
        """
        terms = self._terms(request)
        if not self._is_free(person, ""):
            raise Refusal(Code.ALREADY_PLAYING, "you play at a table already")
        if len(self.tables) >= self._config.max_tables:
            raise Refusal(Code.TOO_MANY_TABLES, "all tables of this server are taken")
        name = self._new_name()
        answer = Accepted(
            re=request.id,
            table=name,
            invitation=terms.invitation,
            referee_invitation=terms.referee_invitation,
        )
        await self._store.open_table(name, person.id, terms, remember(request, answer))
        person.answers.keep(request, answer)
        table = self._make(name, terms, (person, None), None)
        table.enter(connection, 0, answer)
        table.start()

    def _show_again(self, connection: Connection, name: str | None) -> None:
        """An open table's snapshot once more, for a request that was answered before."""
        table = self.tables.get(name or "")
        if table is not None and connection in table.room.members:
            table.room.welcome(connection, None)

    def _terms(self, request: OpenTable) -> Terms:
        ruleset = make_ruleset(request.ruleset, request.overrides)
        preset = request.table or usual_table(ruleset.discipline)
        frame_of(preset)
        return Terms(
            ruleset=ruleset,
            preset=preset,
            invitation=_code(8),
            shot_clock=request.shot_clock,
            watch=request.watch,
            private=request.private,
            referee_invitation=_code(8) if request.referee else None,
        )

    def _new_name(self) -> str:
        while (name := _code(6)) in self.tables:
            pass
        return name

    def _make(
        self,
        name: str,
        terms: Terms,
        seats: tuple[Person | None, Person | None],
        keeper: MatchKeeper | None,
        used_s: tuple[float, float] = (0.0, 0.0),
    ) -> Table:
        rules = terms.ruleset.disconnect
        config = self._config
        history = History(first_number(self._start), config.history_events, config.history_bytes)
        absence = Absence(rules.grace_s, rules.budget_s, used_s)
        room = Room(name, terms, self._clock, history, absence)
        for seat in SEATS:
            person = room.seats[seat] = seats[seat]
            if person is not None:
                person.seats.add(name)
        table = Table(room, Course(room, keeper, self._around))
        self.tables[name] = table
        return table

    def _is_free(self, person: Person, but: str) -> bool:
        """Whether a person plays at no table but this one; adjourned matches don't bind him."""
        return all(
            name == but or name not in self.tables or self.tables[name].course.attendance.adjourned
            for name in person.seats
        )

    def _removed(self, name: str) -> None:
        self.tables.pop(name, None)

    def _summaries(self) -> tuple[TableSummary, ...]:
        return tuple(_summary(table) for table in list(self.tables.values())[:_MOST_LISTED])

    # --- start and end ------------------------------------------------------------------------

    async def take_up(self) -> int:
        """Bring back every unfinished table of the log; returns how many."""
        count = 0
        for name in await self._store.unfinished():
            try:
                record = await self._store.load(name)
                if record is not None:
                    await self._take_up(record)
                    count += 1
            except Exception:  # one log that can't be read must not keep the others away
                log.exception("table %s can't be brought back; its log is untouched", name)
        return count

    async def _take_up(self, record: MatchRecord) -> None:
        first = await self.people.recall(record.seats[0])
        second = record.seats[1] and await self.people.recall(record.seats[1])
        keeper = None
        if record.description is not None:
            run = self._around.run_shot
            keeper = MatchKeeper.restore(record, self._store, self._clock, run)
        table = self._make(
            record.match, record.terms, (first, second or None), keeper, record.used_s
        )
        await table.course.take_up(record)
        table.start()

    async def stop(self) -> None:
        """Say goodbye to all and stop every table; everything is in the log."""
        self.closed = True
        await asyncio.gather(*(table.stop() for table in self.tables.values()))


async def _even_if_closed(action: Awaitable[None]) -> None:
    """A table that closes meanwhile needs no goodbye."""
    try:
        await action
    except Refusal as refusal:
        if refusal.code not in (Code.TABLE_CLOSED, Code.SHUTTING_DOWN):
            raise


def _summary(table: Table) -> TableSummary:
    room, terms = table.room, table.room.terms
    state = room.state
    names = tuple(person.name if person is not None else None for person in room.seats)
    clock = state.clock.shot_clock if state is not None else terms.shot_clock
    return TableSummary(
        table=table.id,
        ruleset=terms.ruleset.id,
        players=(names[0], names[1]),
        phase=(state.phase if state is not None else Phase.WAITING_FOR_PLAYERS).value,
        games=state.games if state is not None else (0, 0),
        sets=state.sets if state is not None else (0, 0),
        games_to_win=terms.ruleset.match.games_to_win,
        sets_to_win=terms.ruleset.match.sets_to_win,
        watch=terms.watch,
        private=terms.private,
        spectators=room.spectators,
        shot_clock_s=clock.limit_s if clock is not None else None,
        referee=terms.referee_invitation is not None,
    )
