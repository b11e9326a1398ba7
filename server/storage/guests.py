"""Guests who can't come back and have left nothing behind: their rows are of no use to anybody.

A guest's only way back is a token.  Without one, and without anything in the database that refers
to him (a match, an order, an act of an official), he is forgotten, with what he has asked.
"""

from collections.abc import Container
from typing import Any

import msgspec
from sqlalchemy import Column, ColumnElement, Select, delete, exists, func, or_, select

from server.storage.part import StorePart
from server.storage.records import PersonRecord
from server.storage.schema import (
    accounts,
    competition_tables,
    matches,
    metadata,
    people,
    requests,
    sessions,
)
from shared_rules.state import Seat

_AT_A_TIME = 500


def _forgettable() -> Select[Any]:
    """People to whom no row of any table refers: neither account nor session nor match."""
    referring = [
        key.parent for table in metadata.sorted_tables for key in table.foreign_keys
        if key.column is people.c.person and table is not requests
    ]  # fmt: skip
    nothing = [~exists().where(column == people.c.person) for column in referring]
    return select(people.c.person).where(*nothing).order_by(people.c.person).limit(_AT_A_TIME)


class Left(msgspec.Struct, frozen=True):
    """An adjourned match that a guest has left; ``gone``: who has not been here since, guest or
    not."""

    match: str
    gone: tuple[Seat, ...]


def _unused(person: Column[str], before: float) -> ColumnElement[bool]:
    """Nobody has come as this person since a time (Unix)."""
    return ~exists().where(sessions.c.person == person, sessions.c.used_at >= before)


class GuestStore(StorePart):
    """The part of the store that finds and forgets guests."""

    async def left(self, before: float) -> list[Left]:
        """Adjourned matches of guests who were last here before a time; those of a competition
        are its officials' business."""
        seats = (matches.c.seat_0, matches.c.seat_1)
        unused = [_unused(seat, before) for seat in seats]
        guests = [~exists().where(accounts.c.person == seat) for seat in seats]
        rows = await self._read(
            select(matches.c.match, *unused)
            .where(matches.c.status == "adjourned", matches.c.seat_1.is_not(None))
            .where(or_(*(guest & gone for guest, gone in zip(guests, unused, strict=True))))
            .where(~exists().where(competition_tables.c.match == matches.c.match))
        )
        both: tuple[Seat, Seat] = (0, 1)
        return [Left(row[0], tuple(seat for seat in both if row[1 + seat])) for row in rows]

    async def named(self, key: str, most: int) -> list[tuple[PersonRecord, float]]:
        """Guests of a name who may come back, here or not, with their last use (Unix time)."""
        used = func.max(sessions.c.used_at).label("used_at")
        found = (
            select(people.c.person, people.c.name, used)
            .join(sessions, sessions.c.person == people.c.person)
            .where(people.c.name_key == key)
            .where(~exists().where(accounts.c.person == people.c.person))
            .group_by(people.c.person, people.c.name)
            .order_by(used.desc())
            .limit(most)
        )
        rows = await self._read(found)
        return [(PersonRecord(person=r.person, name=r.name), r.used_at) for r in rows]

    async def forget(self, but: Container[str]) -> int:
        """Delete them, except ``but``; returns how many there were."""
        count, last = 0, ""
        while True:
            rows = await self._read(_forgettable().where(people.c.person > last))
            if not rows:
                return count
            last = rows[-1][0]
            gone = [row[0] for row in rows if row[0] not in but]
            if gone:
                await self._write(
                    delete(requests).where(requests.c.person.in_(gone)),
                    delete(people).where(people.c.person.in_(gone)),
                )
            count += len(gone)
