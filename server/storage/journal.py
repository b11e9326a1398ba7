"""Writes that must be on the disk before anyone is told: one writer, many at a time.

Tables write independently; whatever waits while a commit runs goes into the next one together, so
that many tables cost few commits.  A write that is at fault fails alone.

A commit may fail without saying whether it has happened: the line to the database breaks, a disk
reports an error.  So every commit counts up one number in the database, the ledger's ``batch``.
After a failure the journal writes to the ledger until that works, and then the number that stands
there tells what became of the commit, for good.  Until it knows, whoever asked for the writes in
doubt gets no answer, and new writes are refused.
"""

import asyncio
import logging
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

from sqlalchemy import Connection, Executable, bindparam, select, update
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
    StatementError,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.logs import fields
from server.storage.lock import DatabaseInUse, lock_session
from server.storage.schema import ledger
from server.storage.writer import writer_of

log = logging.getLogger("headstring.server.journal")

_TAKEN_OVER = "another server has taken over the database"
_MOST_AT_A_TIME = 64
_PATIENCE_REAL_S = 10.0  # for one commit, and for one look at the ledger
_SLOW_REAL_S = 1.0  # a commit that takes longer is an outage as long as it lasts
_AGAIN_REAL_S = (0.05, 2.0)  # from one try to reach the database to the next: at first, at most
_VALUE_AT_FAULT = "22"  # the class of SQLSTATE for data that can't be
_AT_FAULT = (IntegrityError, DataError, ProgrammingError, NotSupportedError)
# After these SQLite has undone the transaction, and nothing of it is in the log file.
_UNDONE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED,
           sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)  # fmt: skip

Statement = Executable | tuple[Executable, Mapping[str, object]]
"""What is to be carried out; one that is carried out often is made once, and gets its values."""
Write = tuple[tuple[Statement, ...], asyncio.Future[None]]

_ENTER = (
    update(ledger)
    .where(ledger.c.writer == bindparam("ours"))
    .values(batch=ledger.c.batch + bindparam("step"), settled=ledger.c.settled + 1)
)
_ENTER_TIME = _ENTER.values(clock=bindparam("now"))


class NotStored(Exception):
    """The database did not take a write; nothing of it is there, nor will be.

    ``level``: of a line of the log that says so; in an outage the log has said it already.
    """

    def __init__(self, why: str, known: bool = False) -> None:
        super().__init__(why)
        self.level = logging.DEBUG if known else logging.ERROR


class NotRead(NotStored):
    """The database does not answer; nothing has changed."""


class TakenOver(Exception):
    """Another server has written to this database since: this one must not any more."""


class _InDoubt(Exception):
    """A commit failed, and may have happened all the same."""


class Journal:
    """The single writer of a database.

    ``outage``: why nothing can be written now, or None.  ``on_standstill`` is called when writing
    comes to a standstill, be it an outage or a slow commit (True), and when it goes on (False).
    ``taken_over`` is set when another server has the database.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self.commits = 0
        self.on_commit: Callable[[float], object] = lambda _: None  # told how long it took
        self.outage: str | None = None
        self.on_standstill: Callable[[bool], object] = lambda _: None
        self.now: Callable[[], float] | None = None  # the clock that the ledger keeps
        self.taken_over = asyncio.Event()
        self._writer = secrets.token_hex(16)
        self._batch = 0
        self._slow = False
        self._stands = False
        self._in_doubt: list[Write] = []
        self._waiting: asyncio.Queue[Write | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self.writer = writer_of(engine, self._locked)

    @property
    def waiting(self) -> int:
        """Writes that wait for a commit."""
        return self._waiting.qsize()

    async def connect(self) -> None:
        """Take the database for this server, where the database itself can see to that.

        Raises:
            DatabaseInUse: another server has it.
        """
        await self.writer.run(lambda _connection: None)

    async def start(self) -> None:
        """Enter this server in the ledger and begin to write; the schema is up to date."""
        mine = update(ledger).values(writer=self._writer)

        def enter(connection: Connection) -> int:
            connection.execute(mine)
            batch = int(connection.execute(select(ledger.c.batch)).scalar_one())
            connection.commit()
            return batch

        self._batch = await self.writer.run(enter)
        self._task = asyncio.get_running_loop().create_task(self._run(), name="journal")

    async def write(self, *statements: Statement) -> None:
        """Carry out the statements as one; returns when they are on the disk.

        Raises:
            NotStored: they are not, none of them.
        """
        if self._task is None or self._task.done():
            raise NotStored("the database is closed")
        if self.outage is not None:
            raise NotStored(self.outage, known=True)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((statements, done))
        # A caller that is cancelled must not cancel what may be on the disk already.
        await asyncio.shield(done)

    async def abandon(self) -> None:
        """Wait for no database that doesn't answer: who is in doubt is cancelled."""
        if self._task is not None and self.outage is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def close(self) -> None:
        """Write what waits, then stop; in an outage at once."""
        if self._task is not None:
            self._waiting.put_nowait(None)
            await self.abandon()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._drop_connection(for_good=True)

    # --- the writer ---------------------------------------------------------------------------

    async def _run(self) -> None:
        open_ = True
        try:
            while open_:
                batch: list[Write] = []
                item = await self._waiting.get()
                while item is not None:
                    batch.append(item)
                    if self._waiting.empty() or len(batch) == _MOST_AT_A_TIME:
                        break
                    item = self._waiting.get_nowait()
                open_ = item is not None
                if batch:
                    await self._write_all(batch)
        except TakenOver as error:
            log.critical("%s", error)
            self.taken_over.set()
        finally:
            self._fail_waiting("the database is closed")
            for _, done in self._in_doubt:
                done.cancel()

    async def _write_all(self, batch: list[Write]) -> None:
        try:
            await self._commit([s for statements, _ in batch for s in statements])
        except TakenOver as error:
            _fail(batch, str(error))
            raise
        except _InDoubt as doubt:
            self._in_doubt = batch
            before = self._batch
            happened = await self._recovered(doubt.__cause__ or doubt) > before
            self._in_doubt = []
            if not happened:
                _fail(batch, reason_of(doubt.__cause__ or doubt), known=True)
                return
        except Exception as error:  # whatever it was goes to who asked; the writer lives on
            if not is_at_fault(error):
                _fail(batch, reason_of(error), known=True)
                await self._recovered(error)
            elif len(batch) == 1:
                _fail(batch, reason_of(error))
            else:
                for one in batch:  # one bad write must not take the others with it
                    await self._write_all([one])
            return
        for _, done in batch:
            if not done.done():
                done.set_result(None)

    async def _commit(self, statements: Sequence[Statement]) -> None:
        began = time.perf_counter()
        entry = self._entry(step=1)

        def work(connection: Connection) -> None:
            _enter(connection, entry)
            for statement in statements:
                if isinstance(statement, tuple):
                    connection.execute(*statement)
                else:
                    connection.execute(statement)
            try:
                connection.commit()
            except BaseException as error:
                if isinstance(error, Exception) and _surely_undone(error):
                    raise
                raise _InDoubt from error

        async with self._in_time():
            try:
                await self.writer.run(work)
            except asyncio.CancelledError as error:
                raise _InDoubt from error  # whatever it was doing, it may be done yet
        self._batch += 1
        self.commits += 1
        self.on_commit(time.perf_counter() - began)

    async def _recovered(self, error: BaseException) -> int:
        """The ledger's number, once it can be written again; until then there is an outage.

        Raises:
            TakenOver: another server has the database.
        """
        wait_s, longest_s = _AGAIN_REAL_S
        log.error("the database takes no writes", extra=fields(error=reason_of(error)))
        while True:
            self._stand(reason_of(error))
            self._fail_waiting(reason_of(error))
            try:
                self._batch = await self._settle()
                break
            except TakenOver:
                raise
            except Exception as again:  # for as long as it lasts
                error = again
                await asyncio.sleep(wait_s)
                wait_s = min(2 * wait_s, longest_s)
        log.warning("the database takes writes again")
        self._stand(None)
        return self._batch

    async def _settle(self) -> int:
        """The number of the last commit that happened.

        It is read in a transaction that writes and is committed.  On PostgreSQL the lock of the
        earlier session is gone then, so nothing of it can happen any more; on SQLite the frames
        that a failed commit may have left at the end of the log file are written over.
        """
        entry = self._entry(step=0)

        def work(connection: Connection) -> int:
            _enter(connection, entry)
            batch = int(connection.execute(select(ledger.c.batch)).scalar_one())
            connection.commit()
            return batch

        async with self._in_time():
            return await self.writer.run(work)

    def _entry(self, step: int) -> tuple[Executable, dict[str, object]]:
        entry: dict[str, object] = {"ours": self._writer, "step": step}
        if self.now is None:
            return _ENTER, entry
        return _ENTER_TIME, {**entry, "now": self.now()}

    # --- the connection -----------------------------------------------------------------------

    @asynccontextmanager
    async def _in_time(self) -> AsyncIterator[None]:
        """Bounds what is done with the connection; whatever goes wrong, it is given up."""
        slow = asyncio.get_running_loop().call_later(_SLOW_REAL_S, self._be_slow, True)
        try:
            async with asyncio.timeout(_PATIENCE_REAL_S):
                yield
        except BaseException:
            await self._drop_connection()
            raise
        finally:
            slow.cancel()
            self._be_slow(False)

    async def _locked(self, connection: AsyncConnection) -> None:
        try:
            await lock_session(connection)
        except DatabaseInUse:
            if self._task is not None:  # it was ours once: whose is it now?
                writer = await connection.scalar(select(ledger.c.writer))
                if writer != self._writer:
                    raise TakenOver(_TAKEN_OVER) from None
            raise

    async def _drop_connection(self, for_good: bool = False) -> None:
        """Whatever was not committed is undone; the next write takes a new connection."""
        try:
            async with asyncio.timeout(_PATIENCE_REAL_S):
                await (self.writer.close() if for_good else self.writer.drop())
        except Exception as error:  # it is broken, which is why it is dropped
            log.debug("closing a connection: %s", error)

    # --- outages ------------------------------------------------------------------------------

    def _stand(self, why: str | None) -> None:
        self.outage = why
        self._tell_standstill()

    def _be_slow(self, slow: bool) -> None:
        self._slow = slow
        self._tell_standstill()

    def _tell_standstill(self) -> None:
        stands = self._slow or self.outage is not None
        if stands != self._stands:
            self._stands = stands
            self.on_standstill(stands)

    def _fail_waiting(self, why: str) -> None:
        """What has not been tried has not happened."""
        while not self._waiting.empty():
            item = self._waiting.get_nowait()
            if item is None:
                self._waiting.put_nowait(None)  # the end stays the end
                return
            _fail([item], why, known=True)


def _enter(connection: Connection, entry: tuple[Executable, dict[str, object]]) -> None:
    """Write to the ledger, as long as it is ours.

    Raises:
        TakenOver: it isn't.
    """
    if connection.execute(*entry).rowcount != 1:
        raise TakenOver(_TAKEN_OVER)


def _fail(batch: Sequence[Write], why: str, known: bool = False) -> None:
    for _, done in batch:
        if not done.done():
            done.set_exception(NotStored(why, known))


def reason_of(error: BaseException) -> str:
    reason = getattr(error, "orig", None) or error  # the driver's own words
    return f"{type(error).__name__}: {reason}"


def is_at_fault(error: Exception) -> bool:
    """Whether it is what was to be written that is wrong, and not the database."""
    if isinstance(error, DBAPIError):
        # asyncpg's errors of a value come as a mere DBAPIError; its SQLSTATE tells
        state = getattr(error.orig, "sqlstate", None) or ""
        return isinstance(error, _AT_FAULT) or str(state).startswith(_VALUE_AT_FAULT)
    return isinstance(error, StatementError | TypeError | ValueError)


def _surely_undone(error: Exception) -> bool:
    """Whether a failed commit can't have happened."""
    if isinstance(error, IntegrityError):
        return True
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _UNDONE
