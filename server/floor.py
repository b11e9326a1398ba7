"""The floor: every table of a server; which there are, opening one, bringing them back.

No sockets here, and no people but those at the tables.
"""

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Callable, Iterator

from server import admission
from server.absence import Absence
from server.accounts.roles import Right
from server.clock import ServerClock
from server.config import ServerConfig
from server.connection import Connection
from server.course import Course
from server.crowding import TableShares
from server.elsewhere import leave_adjourned
from server.gallery import Gallery, Scene
from server.history import History, first_number
from server.keeper import MatchKeeper, RunShot, Settled
from server.logs import fields
from server.memory import Tell, once, remember
from server.metrics import Metrics
from server.people import People
from server.person import Person
from server.rating.book import RatingBook
from server.room import SEATS, Room
from server.storage.records import UNFINISHED, MatchRecord, Statements, Terms
from server.storage.store import Store
from server.surroundings import Surroundings
from server.table import Table, going_down
from server.table_list import is_listed, is_wanted, summary_of
from server.terms import code_key, describe, new_code, terms_of
from shared_rules.messages import Accepted, ListTables, OpenTable, TableSummary
from shared_rules.refusal import Code, Refusal
from shared_rules.state import MatchState

log = logging.getLogger("headstring.server.floor")

_MOST_LISTED = 500
_LATE_REAL_S = 1.0  # for what follows a shot that ends at the last moment


class Floor:
    """All tables of one server."""

    def __init__(
        self,
        store: Store,
        clock: ServerClock,
        config: ServerConfig,
        run_shot: RunShot,
        start: int,
        people: People,
        metrics: Metrics,
        ratings: RatingBook,
    ) -> None:
        """``start``: the number of this start of the server, for the numbers of room events."""
        self.tables: dict[str, Table] = {}
        self.ratings = ratings
        self.on_seated: Callable[[Person, str], None] = lambda person, table: None
        self.on_closed: Callable[[str], None] = lambda table: None
        self.hears: Callable[[str, str], bool] = lambda reader, speaker: True
        self.settling: Callable[[str, MatchState, MatchState], Settled] = _nothing
        self.stopping = False  # the server is going down: no match begins any more
        self._being_opened: set[str] = set()
        self._shares = TableShares(config)
        self._store = store
        self._clock = clock
        self._config = config
        self._first = first_number(start)  # above the numbers of every room there has been
        self._people = people
        self._opening = asyncio.Lock()
        self._fetching = asyncio.Lock()  # one table at a time is brought back, and once
        self._around = Surroundings(
            store=store,
            clock=clock,
            config=config,
            metrics=metrics,
            run_shot=run_shot,
            is_free=self.is_free,
            let_go=people.let_go,
            removed=self._removed,
            seated=self._seated,
            hears=self._hears,
            ratings=ratings,
            settling=lambda table: lambda before, after: self.settling(table, before, after),
        )

    def open_table(self, name: str) -> Table | None:
        """The table of that name, if one is open, however the name is written."""
        return self.tables.get(code_key(name))

    def room_of(self, name: str) -> Room | None:
        """The room of an open table."""
        table = self.open_table(name)
        return table.room if table is not None else None

    def find(self, name: str) -> Table:
        """The table of that name.

        Raises:
            Refusal: ``unknown_table``.
        """
        table = self.open_table(name)
        if table is None:
            raise Refusal(Code.UNKNOWN_TABLE, f"there is no table {name!r} here")
        return table

    async def fetch(self, name: str, person: Person | None) -> Table:
        """The table of that name; one that is put away is brought back for a player of its match,
        and for who may be the referee of any.

        Raises:
            Refusal: ``unknown_table``; ``too_many_tables``.
        """
        name = code_key(name)
        if name not in self.tables and person is not None and not self.stopping:
            if person.may(Right.OFFICIATE):
                await self.bring_back(name)
            elif name in (await self._store.people.tables_of([person.id]))[person.id]:
                self._check_room(person)
                await self.bring_back(name)
        if person is not None and name in person.seats and name not in self._shares:
            self._hold(name, person)
        return self.find(name)

    def listed(self, person: Person | None = None) -> Iterator[Table]:
        """Tables that anybody may watch, or sit down at; a person's own, and all for officials."""
        return (table for table in self.tables.values() if is_listed(table, person))

    def seen_late(self) -> dict[str, Table]:
        """Players, by id, of tables that are shown late and whose match others see going on."""
        return {
            person.id: table
            for table in self.tables.values()
            if table.room.is_late and not table.room.seen_to_end
            for person in table.room.seats
            if person is not None
        }

    def seems_free(self, person: Person, to: Person) -> bool:
        """Whether somebody plays at no table, as far as another may know."""
        table = self.seen_late().get(person.id)
        late = table is not None and table.room.seat_of(to) is None
        return self.is_free(person, "") and not late

    def summaries(
        self, wanted: ListTables, person: Person | None = None
    ) -> tuple[TableSummary, ...]:
        """The list of tables that are wanted, as far as one message goes."""
        found = (table for table in list(self.listed(person)) if is_wanted(table, wanted))
        return tuple(summary_of(table) for table in itertools.islice(found, _MOST_LISTED))

    def is_free(self, person: Person, but: str) -> bool:
        """Whether a person plays at no table but this one; adjourned matches don't bind him."""
        return not any(name != but and self._binds(name) for name in person.seats)

    def _binds(self, name: str) -> bool:
        if name in self._being_opened:
            return True
        return name in self.tables and not self.tables[name].course.attendance.adjourned

    def plays_at(self, person: Person) -> Table | None:
        """The table that binds a person; None: he is free."""
        bound = (self.tables.get(name) for name in person.seats if self._binds(name))
        return next((table for table in bound if table is not None), None)

    async def open(self, connection: Connection, request: OpenTable) -> None:
        """Open a table and sit its opener down; answers the request itself.

        Raises:
            Refusal, NotStored: there is no new table.
        """
        await once(
            connection,
            request,
            lambda tell: self._open_new(connection, request, tell),
            lambda answer: self._show_again(connection, answer.table),
        )

    async def _open_new(self, connection: Connection, request: OpenTable, tell: Tell) -> None:
        async with self._opening:
            person = connection.speaker
            if person is None:
                return
            terms = terms_of(request)
            admission.check_rated(terms, person.account)
            self._shares.count_opening(connection.address)
            name = await self._new_name()
            with self._binding(name, person):
                answer = Accepted(
                    re=request.id,
                    table=name,
                    invitation=terms.invitation,
                    referee_invitation=terms.referee_invitation,
                )
                now = self._clock.now()
                await self._store.matches.open_table(
                    name, person.id, terms, remember(request, answer), now
                )
                table = self._make(name, terms, (person, None), None)
            log.info("table opened", extra=fields(table=name, ruleset=terms.ruleset.id))
            if connection.speaker is person:
                table.enter(connection, 0, lambda: tell(answer))
            else:  # he has come back elsewhere meanwhile
                tell(answer)
                table.course.attendance.left(0, "dropped")
            table.start()
        self._seated(person, name)

    async def open_match(
        self,
        pair: tuple[Person, Person],
        terms: Terms,
        also: Callable[[str], Statements],
        announce: Callable[[Table], None],
    ) -> str:
        """Open a table with both seats taken, in one transaction; returns its name.

        Whoever has gone meanwhile is at the table too, absent.

        Args:
            also: from the table's name to what is written with it.
            announce: called before anything of the table is shown.

        Raises:
            Refusal, NotStored: there is no new table.
        """
        async with self._opening:
            name = await self._new_name()
            with self._binding(name, *pair):
                first, second = pair
                description = describe(name, terms, (first.name, second.name))
                ids = (first.id, second.id)
                await self._store.matches.open_match(
                    name, ids, terms, description, self._clock.now(), also(name)
                )
                run = self._around.run_shot
                keeper = MatchKeeper.begin(description, self._store, self._clock, run)
                table = self._make(name, terms, pair, keeper)
            log.info("table opened", extra=fields(table=name, ruleset=terms.ruleset.id))
            announce(table)
            for seat in SEATS:
                table.show_to(seat)
            table.start()
        for person in pair:
            self._seated(person, name)
        return name

    @contextlib.contextmanager
    def _binding(self, name: str, *people: Person) -> Iterator[None]:
        """While a table is being opened its people can't sit down elsewhere, nor be forgotten.

        Raises:
            Refusal: ``already_playing``, ``too_many_tables``; ``server_restart``.
        """
        if self.stopping:
            raise going_down()
        for person in people:
            if not self.is_free(person, ""):
                raise Refusal(Code.ALREADY_PLAYING, f"{person.name} plays at a table already")
        self._check_room(people[0])
        self._hold(name, people[0])
        self._being_opened.add(name)
        for person in people:
            person.seats.add(name)
        try:
            yield
        except BaseException:
            self._shares.drop(name)
            for person in people:
                person.seats.discard(name)
                self._around.let_go(person)
            raise
        finally:
            self._being_opened.discard(name)

    def _check_room(self, person: Person) -> None:
        if len(self.tables) >= self._config.max_tables:
            raise Refusal(Code.TOO_MANY_TABLES, "all tables of this server are taken")
        place = person.connection.address if person.connection is not None else ""
        self._shares.check_room(place)

    def _hold(self, name: str, person: Person) -> None:
        """A table counts for the address that its opener is at now."""
        if person.connection is not None:
            self._shares.hold(name, person.connection.address)

    async def _show_again(self, connection: Connection, name: str | None) -> None:
        """An open table once more, for a request that was answered before."""
        table = self.tables.get(name or "")
        if table is not None:
            with contextlib.suppress(Refusal):  # it closes, or he plays elsewhere
                await table.show_again(connection)

    async def _new_name(self) -> str:
        """A name that no table ever had: it stays the id of the match."""
        while await self._store.matches.has_match(name := new_code(6)):
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
        config = self._config
        history = History(self._first, config.history_events, config.history_bytes)
        absence = Absence(terms.ruleset.disconnect, used_s)
        clock, metrics = self._clock, self._around.metrics
        gallery = Gallery(
            name, clock, Scene(history.seq), terms.delay_s, config.delayed_bytes, metrics
        )
        room = Room(name, terms, clock, history, absence, gallery, metrics)
        for seat in SEATS:
            person = room.seats[seat] = seats[seat]
            if person is not None:
                person.seats.add(name)
        table = Table(room, Course(room, keeper, self._around))
        self.tables[name] = table
        return table

    def _removed(self, name: str) -> None:
        self._shares.drop(name)
        table = self.tables.pop(name, None)
        if table is not None:  # it may be brought back
            self._first = max(self._first, table.room.history.seq + 1)
        self.on_closed(name)

    def _seated(self, person: Person, name: str) -> None:
        others = person.seats - {name}
        leave_adjourned(person, [self.tables[one] for one in others if one in self.tables])
        self.on_seated(person, name)

    def _hears(self, reader: str, speaker: str) -> bool:
        return self.hears(reader, speaker)

    async def bring_back(self, name: str) -> None:
        """An unfinished table of the log, unless it is open."""
        async with self._fetching:
            record = await self._store.matches.load(name) if name not in self.tables else None
            if record is not None and record.status in UNFINISHED:
                await self._take_up(record)

    async def take_up(self) -> int:
        """Bring back every table that was open when the server ended; returns how many."""
        count = 0
        for name in await self._store.matches.open_tables():
            try:
                record = await self._store.matches.load(name)
                if record is not None:
                    await self._take_up(record)
                    count += 1
            except Exception:  # one log that can't be read must not keep the others away
                log.exception(
                    "a table can't be brought back; its log is untouched", extra=fields(table=name)
                )
        return count

    async def _take_up(self, record: MatchRecord) -> None:
        first = await self._people.recall(record.seats[0])
        second = record.seats[1] and await self._people.recall(record.seats[1])
        keeper = None
        if record.description is not None:
            run = self._around.run_shot
            # a long match takes some tenths of a second to replay
            keeper = await asyncio.to_thread(
                MatchKeeper.restore, record, self._store, self._clock, run
            )
        used_s = (record.absences[0].used_s, record.absences[1].used_s)
        table = self._make(record.match, record.terms, (first, second or None), keeper, used_s)
        await table.course.take_up(record)
        table.start()

    async def wind_down(self, grace_real_s: float) -> None:
        """Take nothing new, and let shots end that do within the grace; clocks stand then."""
        by = self._clock.now() + grace_real_s * self._clock.scale
        tables = [asyncio.create_task(table.wind_down(by)) for table in self.tables.values()]
        if tables:
            _, late = await asyncio.wait(tables, timeout=grace_real_s + _LATE_REAL_S)
            for task in late:
                task.cancel()

    async def stop(self) -> None:
        """Stop every table; everything is in the log."""
        await asyncio.gather(*(table.stop() for table in self.tables.values()))


def _nothing(table: str, before: MatchState, after: MatchState) -> Settled:
    return contextlib.nullcontext(())
