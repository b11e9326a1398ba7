"""Writes that must be on the disk before anyone is told: one writer, many at a time.

Tables write independently; whatever waits while a commit runs goes into the next one together, so
that many tables cost few commits.  A write that fails fails alone.
"""

import asyncio
from collections.abc import Sequence

from sqlalchemy import Executable
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

_MOST_AT_A_TIME = 64

Write = tuple[tuple[Executable, ...], asyncio.Future[None]]


class NotStored(Exception):
    """The database did not take a write; nothing of it is there."""


class Journal:
    """The single writer of a database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._waiting: asyncio.Queue[Write | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self.commits = 0
        self._connection: AsyncConnection | None = None

    def start(self) -> None:
        """Begin to write; needs a running event loop."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="journal")

    async def write(self, *statements: Executable) -> None:
        """Carry out the statements as one; returns when they are on the disk.

        Raises:
            NotStored: they are not, none of them.
        """
        if self._task is None or self._task.done():
            raise NotStored("the database is closed")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((statements, done))
        # A caller that is cancelled must not cancel what may be on the disk already.
        await asyncio.shield(done)

    async def close(self) -> None:
        """Write what waits, then stop."""
        if self._task is not None:
            self._waiting.put_nowait(None)
            await self._task
            await self._drop_connection()

    async def _run(self) -> None:
        open_ = True
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
        while not self._waiting.empty():
            item = self._waiting.get_nowait()
            if item is not None:
                _fail(item, NotStored("the database is closed"))

    async def _write_all(self, batch: list[Write]) -> None:
        try:
            await self._commit([s for statements, _ in batch for s in statements])
        except Exception as error:  # whatever it was goes to who asked; the writer lives on
            if len(batch) == 1:
                reason = getattr(error, "orig", None) or error  # the driver's own words
                _fail(batch[0], NotStored(f"{type(error).__name__}: {reason}"))
                return
            for one in batch:  # one bad write must not take the others with it
                await self._write_all([one])
            return
        for _, done in batch:
            if not done.done():
                done.set_result(None)

    async def _commit(self, statements: Sequence[Executable]) -> None:
        # One connection is kept: taking one from the pool and giving it back costs as much again.
        if self._connection is None:
            self._connection = await self._engine.connect()
        try:
            for statement in statements:
                await self._connection.execute(statement)
            await self._connection.commit()
        except BaseException:
            await self._drop_connection()
            raise
        self.commits += 1

    async def _drop_connection(self) -> None:
        """Whatever was not committed is undone; the next write takes a new connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


def _fail(write: Write, error: NotStored) -> None:
    if not write[1].done():
        write[1].set_exception(error)
