"""The store: everything the server asks of its database, and nothing else does.

Methods that write return once the write is on the disk (``storage.journal``).
"""

import asyncio
import time
from collections.abc import Callable, Sequence

import msgspec
from sqlalchemy import Executable, Row, func, insert, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from server.storage import schema
from server.storage.actions import ActionStore
from server.storage.archive import Archive
from server.storage.comebacks import ComebackStore
from server.storage.competitions import CompetitionStore
from server.storage.database import (
    forget_ours,
    holds_ours,
    is_missing,
    leave_to_others,
    make_engine,
    migrate,
    no_database,
    sqlite_file,
    told_to_people,
)
from server.storage.files import close_to_others
from server.storage.guests import GuestStore
from server.storage.journal import Journal, NotRead, Statement, is_at_fault, reason_of
from server.storage.matches import MatchStore
from server.storage.people import PeopleStore
from server.storage.place import Place
from server.storage.ratings import RatingStore
from server.storage.relations import RelationStore
from server.storage.requests import RequestStore
from server.storage.seasons import SeasonStore
from server.storage.silences import SilenceStore

_encode = msgspec.msgpack.encode
_READ_REAL_S = 10.0
_NEW_ORDER = insert(schema.orders)
_NEW_SHOT = insert(schema.shots)


class Store:
    """An open database."""

    def __init__(
        self, engine: AsyncEngine, place: Place | None, journal: Journal, made: bool = False
    ) -> None:
        """``made``: there was no such database before."""
        self.made = made
        self.journal = journal
        self.archive = Archive(self._read)
        self._engine = engine
        self.place = place
        self._start = 0
        self.matches = MatchStore(self._read, self._write, self._now)
        self.people = PeopleStore(self._read, self._write)
        self.actions = ActionStore(self._read, self._write)
        self.guests = GuestStore(self._read, self._write)
        self.comebacks = ComebackStore(self._read, self._write)
        self.ratings = RatingStore(self._read)
        self.relations = RelationStore(self._read, self._write)
        self.requests = RequestStore(self._read, self._write)
        self.silences = SilenceStore(self._read, self._write)
        self.seasons = SeasonStore(self._read)
        self.competitions = CompetitionStore(self._read, self._write)

    @classmethod
    async def open(cls, url: str, make: bool = True) -> "Store":
        """Open a database, bring its schema up to date and start to write.

        ``make``: one that isn't there is made.

        Raises:
            DatabaseInUse: another server has it open.
            DatabaseUnusable: there is no such database, or no driver for it.
        """
        with told_to_people(url):
            path = sqlite_file(url)
            if not make and is_missing(url):
                raise no_database(url)
            engine = make_engine(url)
            place = Place(path) if path is not None else None
        journal = Journal(engine)
        try:
            with told_to_people(url):
                if path is not None:
                    leave_to_others(path)
                await journal.connect()
                made = not await holds_ours(engine)
                if made and not make:
                    raise no_database(url)
                if path is not None:
                    close_to_others(path)
                await migrate(engine)
                await journal.start()
        except BaseException:
            await journal.close()
            await engine.dispose()
            if place is not None:
                place.release(as_it_was=True)
            raise
        return cls(engine, place, journal, made)

    async def close(self, undo: bool = False) -> None:
        """Write what waits and close.

        ``undo``: nothing has come of it; a database that was made for it is made unmade.
        """
        undo = undo and self.made
        await self.journal.close()
        if undo and self.place is None:
            await forget_ours(self._engine)
        await self._engine.dispose()
        if self.place is not None:
            self.place.release(as_it_was=undo)

    # --- starts -------------------------------------------------------------------------------

    async def last_clock(self) -> float:
        """The server's clock at the latest commit; 0 at first."""
        rows = await self._read(select(schema.ledger.c.clock))
        return float(rows[0][0])

    async def alive_at(self) -> float:
        """Unix time at which an earlier run of the server was alive last, 0 if there was none."""
        starts = schema.starts.c
        earlier = select(func.max(starts.wall_time)).where(starts.start < self._start)
        return float((await self._read(earlier))[0][0] or 0.0)

    def keep_clock(self, now: Callable[[], float]) -> None:
        """From now on every commit writes the clock down, so that a restart goes on from it."""
        self.journal.now = now

    async def note_start(self, clock: float) -> int:
        """Write down that a server starts; returns the number of this start, 1 the first."""
        await self.journal.write(insert(schema.starts).values(clock=clock, wall_time=time.time()))
        rows = await self._read(select(func.max(schema.starts.c.start)))
        self._start = int(rows[0][0])
        return self._start

    async def note_clock(self, clock: float) -> None:
        """Write the clock down, so that a restart goes on from it."""
        await self.journal.write(
            update(schema.starts)
            .where(schema.starts.c.start == self._start)
            .values(clock=clock, wall_time=time.time())
        )

    # --- the two doors ----------------------------------------------------------------------------

    def _now(self) -> float:
        return self.journal.now() if self.journal.now is not None else 0.0

    async def _write(self, *statements: Statement) -> None:
        await self.journal.write(*statements)

    async def _read(self, query: Executable) -> Sequence[Row]:  # type: ignore[type-arg]
        """Raises:
        NotRead: the database does not answer.
        """
        try:
            async with asyncio.timeout(_READ_REAL_S), self._engine.connect() as connection:
                result = await connection.execute(query)
                return result.fetchall()
        except (DBAPIError, OSError) as error:
            if is_at_fault(error):
                raise
            known = self.journal.outage is not None
            raise NotRead(f"can't be read: {reason_of(error)}", known) from error
