"""Requests that were carried out and that neither an order nor an opened table holds.

A person's latest 256 of all that is remembered count, so no more of these are kept.
"""

import msgspec
from sqlalchemy import Executable, delete, insert, select

from server.storage import schema
from server.storage.part import StorePart
from server.storage.records import Remembered

MOST_KEPT = 256
_c, _orders, _matches = schema.requests.c, schema.orders.c, schema.matches.c


def remembering(person: str, request: Remembered, at: float) -> tuple[Executable, ...]:
    """What is written with what a request did, at ``at`` of the server's clock."""
    last = (
        select(_c.at).where(_c.person == person).order_by(_c.at.desc()).limit(1)
        .offset(MOST_KEPT - 1)
    )  # fmt: skip
    row = {"person": person, "at": at, **msgspec.structs.asdict(request)}
    his = delete(schema.requests).where(_c.person == person)
    # an id that he has used again, so long after that it isn't known any more, takes its place
    same, too_old = (
        his.where(_c.request == request.request),
        his.where(_c.at < last.scalar_subquery()),
    )
    return (same, insert(schema.requests).values(row), too_old)


class RequestStore(StorePart):
    """The part of the store that knows what was asked."""

    async def keep(self, person: str, request: Remembered, at: float) -> None:
        """A request that nothing else is written with."""
        await self._write(*remembering(person, request, at))

    async def latest(self, person: str, most: int) -> list[Remembered]:
        """The last requests of a person that were carried out, oldest first."""
        given = await self._read(
            select(_orders.at, _orders.request, _orders.digest, _orders.answer)
            .where(_orders.person == person)
            .order_by(_orders.at.desc(), _orders.number.desc())
            .limit(most)
        )
        opened = await self._read(
            select(_matches.at, _matches.request, _matches.digest, _matches.answer)
            .where(_matches.seat_0 == person, _matches.request > 0)
            .order_by(_matches.at.desc())
            .limit(most)
        )
        others = await self._read(
            select(_c.at, _c.request, _c.digest, _c.answer)
            .where(_c.person == person)
            .order_by(_c.at.desc())
            .limit(most)
        )
        # by the server's clock, which nothing sets back
        found = [*reversed(opened), *reversed(others), *reversed(given)]
        rows = sorted(found, key=lambda row: row.at)
        return [Remembered(request=r, digest=d, answer=a) for _, r, d, a in rows][-most:]
