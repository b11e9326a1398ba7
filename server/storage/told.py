"""Reading what was told of stored matches without a server, beside one that may run."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.storage.database import (
    holds_ours,
    is_missing,
    make_engine,
    no_database,
    told_to_people,
)
from server.storage.packing import unpacked
from server.storage.schema import accounts, matches, orders, people
from shared_rules.replay import Told, read_told


@dataclass(frozen=True)
class ToldMatch:
    """A match: its table's preset, its players' ids, and what was told at which time (server's
    clock), order by order."""

    match: str
    preset: str
    seats: tuple[str, str | None]
    told: tuple[tuple[float, Told], ...]


class ToldMatches:
    """Use ``async with told_matches(url) as stored``."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def since(self, opened_at: float) -> AsyncIterator[ToldMatch]:
        """The matches that were opened since a Unix time, the oldest first, one at a time."""
        begun = select(matches.c.match, matches.c.seat_0, matches.c.seat_1, matches.c.description)
        begun = begun.where(matches.c.description.is_not(None), matches.c.opened_at >= opened_at)
        rows = (await self._connection.execute(begun.order_by(matches.c.opened_at))).fetchall()
        for row in rows:
            yield await self._match(row)

    async def _match(self, row: Any) -> ToldMatch:
        log = select(orders.c.at, orders.c.told).where(orders.c.match == row.match)
        log = log.where(orders.c.told.is_not(None)).order_by(orders.c.number)
        told = (await self._connection.execute(log)).fetchall()
        frame = msgspec.msgpack.decode(row.description)["frame"]
        return ToldMatch(
            match=row.match,
            preset=frame["preset"],
            seats=(row.seat_0, row.seat_1),
            told=tuple((at, read_told(unpacked(data))) for at, data in told),
        )

    async def names(self) -> dict[str, tuple[str, bool]]:
        """Of everybody: his name, and whether he has an account."""
        query = select(people.c.person, people.c.name, accounts.c.role)
        rows = await self._connection.execute(query.select_from(people.outerjoin(accounts)))
        return {row.person: (row.name, row.role is not None) for row in rows}


@asynccontextmanager
async def told_matches(url: str) -> AsyncIterator[ToldMatches]:
    """The stored matches of a database.

    Raises:
        DatabaseUnusable: it can't be read, or there is none.
    """
    with told_to_people(url):
        if is_missing(url):
            raise no_database(url)
        engine = make_engine(url)
        try:
            if not await holds_ours(engine):
                raise no_database(url)
            async with engine.connect() as connection:
                yield ToldMatches(connection)
        finally:
            await engine.dispose()
