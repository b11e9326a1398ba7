"""What officials have done to people and tables, and what of it is in force.

Times are Unix times and are given; none is read here.  Writes return once they are on the disk.
"""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Executable, Row, insert, or_, select, update

from server.storage import schema
from server.storage.part import StorePart

_actions = schema.actions.c

SANCTIONS = ("suspend", "mute")
LASTING = (*SANCTIONS, "discount")
"""What holds until it is over or taken back."""


class ActionRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Something that an official did; see ``storage.schema``."""

    action: str
    at: float
    by_person: str | None
    act: str
    person: str | None
    match: str | None
    reason: str
    until: float | None
    body: bytes
    request: int | None = None
    digest: bytes | None = None
    undone_at: float | None = None
    undone_by: str | None = None
    undone_reason: str | None = None
    address: str | None = None

    def in_force(self, now: float) -> bool:
        """Whether it is a sanction, or a discount of a match, that holds at ``now``."""
        lasting = self.until is None or self.until > now
        return self.act in LASTING and self.undone_at is None and lasting


class ActionStore(StorePart):
    """The part of the store that is about officials' acts."""

    async def record(
        self, action: ActionRecord, *effects: Executable, before: Sequence[Executable] = ()
    ) -> None:
        """An official's act and what it does to people, as one; ``before``: what it refers to."""
        await self._write(*before, recorded(action), *effects)

    async def action(self, action: str) -> ActionRecord | None:
        rows = await self._read(select(schema.actions).where(_actions.action == action))
        return _action(rows[0]) if rows else None

    async def action_of_request(self, by_person: str, request: int) -> ActionRecord | None:
        rows = await self._read(
            select(schema.actions).where(
                _actions.by_person == by_person, _actions.request == request
            )
        )
        return _action(rows[0]) if rows else None

    async def sanctions(self, people: Sequence[str], now: float) -> list[ActionRecord]:
        """The sanctions in force at ``now`` against any of these people."""
        rows = await self._read(
            select(schema.actions).where(
                _actions.person.in_(people),
                _actions.act.in_(SANCTIONS),
                _actions.undone_at.is_(None),
                or_(_actions.until.is_(None), _actions.until > now),
            )
        )
        return [_action(row) for row in rows]

    async def actions(
        self, person: str | None, match: str | None, before: float | None, most: int
    ) -> list[ActionRecord]:
        """What officials have done, the latest first."""
        query = select(schema.actions).order_by(_actions.at.desc(), _actions.action).limit(most)
        if person is not None:
            query = query.where(_actions.person == person)
        if match is not None:
            query = query.where(_actions.match == match)
        if before is not None:
            query = query.where(_actions.at < before)
        return [_action(row) for row in await self._read(query)]

    async def last_action(self, match: str, act: str) -> ActionRecord | None:
        """The latest act of a kind on a table that has not been taken back."""
        rows = await self._read(
            select(schema.actions)
            .where(_actions.match == match, _actions.act == act, _actions.undone_at.is_(None))
            .order_by(_actions.at.desc())
            .limit(1)
        )
        return _action(rows[0]) if rows else None


# --- statements, for what is written as one ------------------------------------------------------


def recorded(action: ActionRecord) -> Executable:
    """A row of ``actions``."""
    return insert(schema.actions).values(msgspec.structs.asdict(action))


def undone(action: str, by: str | None, reason: str, now: float) -> Executable:
    """An act is taken back; once."""
    return (
        update(schema.actions)
        .where(_actions.action == action, _actions.undone_at.is_(None))
        .values(undone_at=now, undone_by=by, undone_reason=reason)
    )


def without_address(action: str) -> Executable:
    """A sanction closes its guest's address no more."""
    return update(schema.actions).where(_actions.action == action).values(address=None)


def _action(row: Row) -> ActionRecord:  # type: ignore[type-arg]
    return ActionRecord(**row._mapping)
