"""Sanctions against guests, as they concern who comes after them by the same name or address."""

from sqlalchemy import or_, select, update

from server.storage import schema
from server.storage.actions import SANCTIONS, ActionRecord
from server.storage.part import StorePart

_people, _actions = schema.people.c, schema.actions.c


class ComebackStore(StorePart):
    """The part of the store that is about guests who come again as others."""

    async def of_newcomer(
        self, name_key: str, address: str, now: float, since: float, person: str | None = None
    ) -> list[ActionRecord]:
        """Sanctions in force at ``now`` against guests of that name, or whose address was this at
        a time later than ``since``.

        ``person``: only those that are older than this one's first coming; none against himself.
        """
        alike = select(_people.person).where(_people.name_key == name_key)
        from_there = (_actions.address == address) & (_actions.at > since)
        query = select(schema.actions).where(
            or_(_actions.person.in_(alike), from_there),
            _actions.act.in_(SANCTIONS),
            _actions.undone_at.is_(None),
            or_(_actions.until.is_(None), _actions.until > now),
        )
        if person is not None:
            came = select(_people.created_at).where(_people.person == person).scalar_subquery()
            query = query.where(_actions.at <= came, _actions.person != person)
        return [ActionRecord(**row._mapping) for row in await self._read(query)]

    async def forget_addresses(self, before: float) -> None:
        """Delete the addresses that were written down before a Unix time."""
        old = (_actions.at <= before) & _actions.address.is_not(None)
        if await self._read(select(_actions.action).where(old).limit(1)):
            await self._write(update(schema.actions).where(old).values(address=None))
