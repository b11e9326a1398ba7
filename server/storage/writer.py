"""Where the connection that writes lives, and how a piece of work gets to it.

A piece of work is a plain function of a SQLAlchemy connection: the same for every database.  On a
SQLite file it runs whole in a thread of its own.  An asynchronous driver for SQLite has such a
thread too, but crosses over to it three times for every statement, which cost more than the writing
did.  Elsewhere it runs on the event loop, by the engine's asynchronous driver.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.storage.database import is_in_memory, make_thread_engine

log = logging.getLogger("headstring.server.writer")

T = TypeVar("T")
Work = Callable[[Connection], T]


class Writer(Protocol):
    """One connection at a time, kept: taking one and giving it back costs as much again.

    ``engine``: what it comes from; ``connection``: the one in use.
    """

    engine: Engine

    @property
    def connection(self) -> Connection | None:
        """The connection, while there is one."""

    async def run(self, work: Work[T]) -> T:
        """Have the work done, on a new connection if there is none.

        Who is cancelled knows nothing: the work may be done all the same, but before any other.
        """

    async def drop(self) -> None:
        """Give the connection up; what it has not committed is undone."""

    async def close(self) -> None:
        """Drop, for good."""


def writer_of(
    engine: AsyncEngine, on_connect: Callable[[AsyncConnection], Awaitable[None]]
) -> Writer:
    """The writer for a database; ``on_connect`` is called where others may connect, too."""
    if engine.dialect.name == "sqlite" and not is_in_memory(engine):
        return ThreadWriter(make_thread_engine(engine))
    return LoopWriter(engine, on_connect)


class ThreadWriter:
    """Works in a thread of its own."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.connection: Connection | None = None  # changed in the thread only
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="headstring-journal")

    async def run(self, work: Work[T]) -> T:
        return await self._in_thread(lambda: work(self._connected()))

    async def drop(self) -> None:
        await self._in_thread(self._drop)

    async def close(self) -> None:
        await self.drop()
        self._thread.shutdown(wait=False)
        self.engine.dispose()

    async def _in_thread(self, function: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function)

    def _connected(self) -> Connection:
        if self.connection is None:
            self.connection = self.engine.connect()
        return self.connection

    def _drop(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()


class LoopWriter:
    """Works on the event loop."""

    def __init__(
        self, engine: AsyncEngine, on_connect: Callable[[AsyncConnection], Awaitable[None]]
    ) -> None:
        self.engine = engine.sync_engine
        self._async_engine = engine
        self._on_connect = on_connect
        self._connection: AsyncConnection | None = None

    @property
    def connection(self) -> Connection | None:
        return None if self._connection is None else self._connection.sync_connection

    async def run(self, work: Work[T]) -> T:
        if self._connection is None:
            self._connection = await self._connect()
        return await self._connection.run_sync(work)

    async def _connect(self) -> AsyncConnection:
        connection = await self._async_engine.connect()
        try:
            await self._on_connect(connection)
        except BaseException:
            await connection.invalidate()
            await connection.close()
            raise
        return connection

    async def drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if not is_in_memory(self._async_engine):  # it would be gone with its connection
            await connection.invalidate()  # the lock goes with the session
        await connection.close()

    async def close(self) -> None:
        await self.drop()
