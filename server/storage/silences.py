"""What is kept of who may write nothing at which table."""

from sqlalchemy import and_, delete, insert, select

from server.storage import schema
from server.storage.part import StorePart

_c = schema.silences.c


class SilenceStore(StorePart):
    """The part of the store that is about silences at tables."""

    async def of(self, match: str) -> list[str]:
        """Those who may write nothing at a table."""
        return [row[0] for row in await self._read(select(_c.person).where(_c.match == match))]

    async def add(self, match: str, person: str, by: str, reason: str, now: float) -> None:
        """Somebody may write nothing from now (Unix time) on, at the word of ``by``."""
        await self._write(
            insert(schema.silences).values(
                match=match, person=person, by_person=by, reason=reason, at=now
            )
        )

    async def remove(self, match: str, person: str) -> None:
        await self._write(
            delete(schema.silences).where(and_(_c.match == match, _c.person == person))
        )
