"""What is kept of whom people follow, have muted for themselves, or have blocked."""

from sqlalchemy import and_, delete, insert, select

from server.storage import schema
from server.storage.part import StorePart
from shared_rules.messages.lobby import Relation

_c = schema.relations.c


class RelationStore(StorePart):
    """The part of the store that is about relations between people."""

    async def of(self, person: str) -> list[tuple[Relation, str, str]]:
        """Kind, person and name of everybody to whom a person has a relation."""
        query = select(_c.kind, _c.other, schema.people.c.name).where(_c.person == person)
        rows = await self._read(query.join(schema.people, schema.people.c.person == _c.other))
        return [(row.kind, row.other, row.name) for row in rows]

    async def add(self, person: str, kind: Relation, other: str, now: float) -> None:
        """A new relation, since a Unix time."""
        await self._write(
            insert(schema.relations).values(person=person, kind=kind, other=other, since=now)
        )

    async def remove(self, person: str, kind: Relation, other: str) -> None:
        its = and_(_c.person == person, _c.kind == kind, _c.other == other)
        await self._write(delete(schema.relations).where(its))
