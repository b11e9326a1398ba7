"""What is kept of people: guests, accounts, and the sessions of both.

Times are Unix times and are given; none is read here.  Writes return once they are on the disk.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Executable, Row, and_, delete, exists, func, insert, or_, select, update

from server.storage import schema
from server.storage.pins import PinStore
from server.storage.records import UNFINISHED, PersonRecord
from shared_rules.messages import AccountRole

_people, _accounts, _sessions, _actions, _matches = (
    schema.people.c, schema.accounts.c, schema.sessions.c, schema.actions.c, schema.matches.c,
)  # fmt: skip
_WITH_ACCOUNT = schema.people.outerjoin(schema.accounts)
_PERSON = (_people.person, _people.name, _accounts.role)


class SessionRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One device's way in.  ``token_hash`` finds it, ``session`` names it to people."""

    token_hash: bytes
    session: str
    person: str
    client: str
    created_at: float
    used_at: float


class ListedPerson(msgspec.Struct, frozen=True, kw_only=True):
    """A person as officials see him in a list."""

    record: PersonRecord
    name_key: str
    created_at: float
    used_at: float | None
    pin: bool = False


class PeopleStore(PinStore):
    """The part of the store that is about people."""

    # --- who there is -------------------------------------------------------------------------

    async def add_guest(
        self, person: PersonRecord, name_key: str, now: float, session: SessionRecord
    ) -> None:
        await self._write(new_person(person, name_key, now), new_session(session))

    async def add_account(
        self,
        person: PersonRecord,
        name_key: str,
        password_hash: str,
        now: float,
        session: SessionRecord,
    ) -> None:
        """A new person with an account."""
        await self._write(
            new_person(person, name_key, now),
            new_account(person, name_key, password_hash, now),
            new_session(session),
        )

    async def make_account(
        self, person: PersonRecord, name_key: str, password_hash: str, now: float
    ) -> None:
        """A guest has an account from now on."""
        await self._write(new_account(person, name_key, password_hash, now))

    async def person(self, person: str) -> PersonRecord | None:
        rows = await self._read(
            select(*_PERSON).select_from(_WITH_ACCOUNT).where(_people.person == person)
        )
        return _record(rows[0]) if rows else None

    async def account(self, name_key: str) -> tuple[PersonRecord, str] | None:
        """The account of a name, and its password's hash."""
        rows = await self._read(
            select(*_PERSON, _accounts.password_hash)
            .select_from(_WITH_ACCOUNT)
            .where(_accounts.name_key == name_key)
        )
        return (_record(rows[0]), rows[0].password_hash) if rows else None

    async def set_password(self, person: str, password_hash: str, but: str | None) -> None:
        """A new password; every other session than ``but`` ends."""
        await self._write(new_password(person, password_hash), *ended(person, but=but))

    async def rehash(self, person: str, old: str, new: str) -> None:
        """The same password or PIN under another profile, unless it has changed meanwhile."""
        await self._write(
            *(
                update(schema.accounts)
                .where(_accounts.person == person, column == old)
                .values({column.name: new})
                for column in (_accounts.password_hash, _accounts.pin_hash)
            )
        )

    async def count(self, role: AccountRole, now: float) -> int:
        """How many accounts have a role and aren't suspended."""
        suspended = select(_actions.person).where(
            _actions.act == "suspend",
            _actions.undone_at.is_(None),
            or_(_actions.until.is_(None), _actions.until > now),
            _actions.person.is_not(None),
        )
        rows = await self._read(
            select(func.count())
            .select_from(schema.accounts)
            .where(_accounts.role == role, _accounts.person.not_in(suspended))
        )
        return int(rows[0][0])

    async def bound(self, name_key: str) -> set[str]:
        """Those of that name who have a seat at an unfinished match."""
        at_a_seat = or_(_matches.seat_0 == _people.person, _matches.seat_1 == _people.person)
        unfinished = exists().where(at_a_seat, _matches.status.in_(UNFINISHED))
        rows = await self._read(
            select(_people.person).where(_people.name_key == name_key, unfinished)
        )
        return {row[0] for row in rows}

    async def tables_of(self, people: Sequence[str]) -> dict[str, set[str]]:
        """The unfinished matches at which each of these people has a seat."""
        seated = or_(_matches.seat_0.in_(people), _matches.seat_1.in_(people))
        rows = await self._read(
            select(_matches.match, _matches.seat_0, _matches.seat_1).where(
                seated, _matches.status.in_(UNFINISHED)
            )
        )
        return {p: {row[0] for row in rows if p in (row[1], row[2])} for p in people}

    async def listed(
        self, starts: str, after: tuple[str, str] | None, most: int
    ) -> list[ListedPerson]:
        """People by name, from the one after ``after`` (name key and person) on."""
        used = (
            select(func.max(_sessions.used_at))
            .where(_sessions.person == _people.person)
            .scalar_subquery()
        )
        query = (
            select(
                *_PERSON,
                _people.name_key,
                _people.created_at,
                used.label("used_at"),
                _accounts.pin_hash,
            )
            .select_from(_WITH_ACCOUNT)
            .order_by(_people.name_key, _people.person)
            .limit(most)
        )
        if starts:
            query = query.where(_people.name_key.startswith(starts, autoescape=True))
        if after is not None:
            key, person = after
            same = and_(_people.name_key == key, _people.person > person)
            query = query.where(or_(_people.name_key > key, same))
        return [
            ListedPerson(
                record=_record(row),
                name_key=row.name_key,
                created_at=row.created_at,
                used_at=row.used_at,
                pin=row.pin_hash is not None,
            )
            for row in await self._read(query)
        ]

    async def names(self, people: set[str]) -> dict[str, str]:
        """The names of people by id."""
        if not people:
            return {}
        rows = await self._read(
            select(_people.person, _people.name).where(_people.person.in_(people))
        )
        return {row.person: row.name for row in rows}

    # --- sessions -----------------------------------------------------------------------------

    async def session(self, token_hash: bytes) -> SessionRecord | None:
        rows = await self._read(select(schema.sessions).where(_sessions.token_hash == token_hash))
        return _session(rows[0]) if rows else None

    async def sessions(self, person: str) -> list[SessionRecord]:
        """All sessions of a person, the one used last first."""
        rows = await self._read(
            select(schema.sessions)
            .where(_sessions.person == person)
            .order_by(_sessions.used_at.desc(), _sessions.session)
        )
        return [_session(row) for row in rows]

    async def add_session(self, session: SessionRecord, ending: Sequence[str] = ()) -> None:
        """A new session; those of ``ending`` end with it."""
        statements: list[Executable] = [new_session(session)]
        if ending:
            statements.append(delete(schema.sessions).where(_sessions.session.in_(ending)))
        await self._write(*statements)

    async def use_session(self, session: str, client: str | None, now: float) -> None:
        """It is in use at ``now``, by this program (None: as before)."""
        values: dict[str, Any] = {"used_at": now}
        if client is not None:
            values["client"] = client
        await self._write(
            update(schema.sessions).where(_sessions.session == session).values(values)
        )

    async def end_sessions(
        self, person: str, session: str | None = None, but: str | None = None
    ) -> None:
        """End one session of a person, or all, or all but one."""
        await self._write(*ended(person, session, but))

    async def end_unused(self, before: float) -> None:
        """End every session that was used last before a time, but of who has an unfinished match:
        it may be his only way back to it."""
        at_a_seat = or_(_matches.seat_0 == _sessions.person, _matches.seat_1 == _sessions.person)
        bound = exists().where(at_a_seat, _matches.status.in_(UNFINISHED))
        await self._write(delete(schema.sessions).where(_sessions.used_at < before, ~bound))


# --- statements, for what is written as one ------------------------------------------------------


def new_person(person: PersonRecord, name_key: str, now: float) -> Executable:
    """A row of ``people``."""
    return insert(schema.people).values(
        person=person.person, name=person.name, name_key=name_key, created_at=now
    )


def new_account(
    person: PersonRecord, name_key: str, password_hash: str, now: float, pin_hash: str | None = None
) -> Executable:
    """The account of a person, with his role; ``password_hash``: empty for no password."""
    return insert(schema.accounts).values(
        person=person.person,
        name_key=name_key,
        password_hash=password_hash,
        pin_hash=pin_hash,
        role=person.role,
        created_at=now,
    )


def new_session(session: SessionRecord) -> Executable:
    """A row of ``sessions``."""
    return insert(schema.sessions).values(msgspec.structs.asdict(session))


def new_password(person: str, password_hash: str) -> Executable:
    """Another password for an account."""
    return (
        update(schema.accounts)
        .where(_accounts.person == person)
        .values(password_hash=password_hash)
    )


def new_role(person: str, role: AccountRole) -> Executable:
    """Another role for an account."""
    return update(schema.accounts).where(_accounts.person == person).values(role=role)


def ended(
    person: str, session: str | None = None, but: str | None = None
) -> tuple[Executable, ...]:
    """End one session of a person, or all, or all but one."""
    gone = delete(schema.sessions).where(_sessions.person == person)
    if session is not None:
        gone = gone.where(_sessions.session == session)
    if but is not None:
        gone = gone.where(_sessions.session != but)
    return (gone,)


def _record(row: Row) -> PersonRecord:  # type: ignore[type-arg]
    account = row.role is not None
    return PersonRecord(
        person=row.person, name=row.name, account=account, role=row.role or "player"
    )


def _session(row: Row) -> SessionRecord:  # type: ignore[type-arg]
    return SessionRecord(**row._mapping)
