"""What is kept of matches: the table and its terms, the log of orders, shots, absences.

Methods that write return once the write is on the disk (``storage.journal``).
"""

import time
from collections.abc import Awaitable, Callable

import msgspec
from sqlalchemy import (
    Executable,
    Row,
    and_,
    case,
    delete,
    exists,
    func,
    insert,
    null,
    select,
    update,
)

from server.storage import logs, schema
from server.storage.journal import Statement
from server.storage.packing import packed
from server.storage.part import Rows, StorePart
from server.storage.records import (
    OPEN,
    AbsenceRecord,
    MatchRecord,
    Remembered,
    ShotRecord,
    Statements,
    Status,
    Terms,
)
from shared_rules.commands import Order
from shared_rules.replay import MatchResult
from shared_rules.state import MatchDescription

_encode = msgspec.msgpack.encode
_NEW_ORDER = insert(schema.orders)
_NEW_SHOT = insert(schema.shots)


class MatchStore(StorePart):
    """The part of the store that is about matches."""

    def __init__(
        self,
        read: Callable[[Executable], Awaitable[Rows]],
        write: Callable[..., Awaitable[None]],
        now: Callable[[], float],
    ) -> None:
        """``now``: the server's clock."""
        super().__init__(read, write)
        self._now = now

    async def open_table(
        self, match: str, person: str, terms: Terms, request: Remembered, at: float
    ) -> None:
        """A table is open, its first seat taken, at ``at`` of the server's clock."""
        await self._write(
            insert(schema.matches).values(
                match=match,
                status="waiting",
                seat_0=person,
                terms=_encode(terms),
                watch=terms.watch,
                delay_s=terms.delay_s,
                request=request.request,
                digest=request.digest,
                answer=request.answer,
                at=at,
                opened_at=time.time(),
            )
        )

    async def open_match(
        self,
        match: str,
        people: tuple[str, str],
        terms: Terms,
        description: MatchDescription,
        at: float,
        also: Statements = (),
    ) -> None:
        """A table is open with both seats taken, at ``at`` of the server's clock; ``also``: what
        is written with it."""
        await self._write(
            insert(schema.matches).values(
                match=match,
                status="running",
                seat_0=people[0],
                seat_1=people[1],
                terms=_encode(terms),
                watch=terms.watch,
                delay_s=terms.delay_s,
                description=_encode(description),
                request=0,
                digest=b"",
                answer=b"",
                at=at,
                opened_at=time.time(),
            ),
            *also,
        )

    async def seat(self, match: str, person: str, description: MatchDescription) -> None:
        """The second player sits down: the match can begin."""
        await self._write(
            update(schema.matches)
            .where(schema.matches.c.match == match)
            .values(seat_1=person, description=_encode(description), status="running")
        )

    async def append(
        self,
        match: str,
        number: int,
        order: Order,
        told: bytes | None = None,
        person: str | None = None,
        request: Remembered | None = None,
        status: Status | None = None,
        result: MatchResult | None = None,
        also: Statements = (),
    ) -> None:
        """The next order of the log: what is told of it, the request that it came from, and the
        match's status and result after it; ``also``: what else is written with it."""
        row: dict[str, object] = {"match": match, "number": number, "at": order.at}
        row |= {"body": logs.stored(order), "told": told and packed(told)}
        row |= dict.fromkeys(("person", "request", "digest", "answer"))
        if person is not None and request is not None:
            row |= {"person": person, **msgspec.structs.asdict(request)}
        statements: list[Statement] = [(_NEW_ORDER, row)]
        if status is not None:
            statements.append(_status(match, status, order.at, result))
        await self._write(*statements, *also)

    async def save_shot(self, match: str, shot: ShotRecord) -> None:
        row = msgspec.structs.asdict(shot)
        row |= {"match": match, "events": packed(_encode(shot.events))}
        row |= {"balls": _encode(shot.balls)}
        await self._write((_NEW_SHOT, row))

    async def set_status(self, match: str, status: Status | None, also: Statements = ()) -> None:
        """Another status (None: the same), and what belongs to the change."""
        changed = [] if status is None else [_status(match, status, self._now())]
        if also or changed:
            await self._write(*also, *changed)

    async def reopen(self, record: MatchRecord, drop_last: bool, also: Statements) -> None:
        """A match goes on, adjourned; ``drop_last``: without its last order.

        ``also``: what else is written with it.
        """
        orders = schema.orders.c
        last = and_(orders.match == record.match, orders.number == len(record.orders))
        status: Status = "waiting" if record.description is None else "adjourned"
        dropped = [delete(schema.orders).where(last)] if drop_last else []
        await self._write(*dropped, _status(record.match, status, self._now()), *also)

    async def save_absences(
        self, match: str, absences: tuple[AbsenceRecord, AbsenceRecord]
    ) -> None:
        values: dict[str, object] = {}
        for seat, kept in enumerate(absences):
            values |= {f"used_{seat}": kept.used_s, f"away_{seat}": kept.since}
            values |= {f"away_kind_{seat}": kept.kind}
        await self._write(
            update(schema.matches).where(schema.matches.c.match == match).values(values)
        )

    async def has_match(self, match: str) -> bool:
        """Whether there ever was a table of this name."""
        matches = schema.matches.c
        return bool(await self._read(select(matches.match).where(matches.match == match)))

    async def seats(self, match: str) -> tuple[str, str | None] | None:
        """The ids of those who have seats at a table; None: there never was such a table."""
        matches = schema.matches.c
        rows = await self._read(
            select(matches.seat_0, matches.seat_1).where(matches.match == match)
        )
        return (rows[0][0], rows[0][1]) if rows else None

    async def standing(self, match: str) -> tuple[Status, int]:
        """Where the match of a table stands, and its version: how many orders it has had.

        Raises:
            LookupError: there is no such table.
        """
        matches, orders = schema.matches.c, schema.orders.c
        version = select(func.max(orders.number)).where(orders.match == match).scalar_subquery()
        rows = await self._read(select(matches.status, version).where(matches.match == match))
        if not rows:
            raise LookupError(f"there is no table {match}")
        return rows[0][0], int(rows[0][1] or 0)

    async def forget_never_begun(self, before: float) -> None:
        """Delete tables opened before a Unix time that closed with no second player, and to which
        no row of any table refers, such as an official's act."""
        its = schema.matches.c
        referring = [
            key.parent for table in schema.metadata.sorted_tables for key in table.foreign_keys
            if key.column is its.match
        ]  # fmt: skip
        empty = [its.status == "closed", its.seat_1.is_(None), its.opened_at < before]
        nothing = [~exists().where(column == its.match) for column in referring]
        await self._write(delete(schema.matches).where(*empty, *nothing))

    async def open_tables(self) -> list[str]:
        """Tables that a restart must bring back, oldest first; adjourned ones can wait."""
        matches = schema.matches.c
        rows = await self._read(
            select(matches.match).where(matches.status.in_(OPEN)).order_by(matches.opened_at)
        )
        return [row[0] for row in rows]

    async def load(self, match: str) -> MatchRecord | None:
        """A table with its whole log; None: there is no such table."""
        rows = await self._read(select(schema.matches).where(schema.matches.c.match == match))
        if not rows:
            return None
        row = rows[0]
        orders = await logs.read_log(self._read, match)
        shots = await self.shots(match, last_only=True)
        described = row.description
        return MatchRecord(
            match=match,
            status=row.status,
            seats=(row.seat_0, row.seat_1),
            terms=msgspec.msgpack.decode(row.terms, type=Terms),
            description=described and msgspec.msgpack.decode(described, type=MatchDescription),
            absences=(
                AbsenceRecord(used_s=row.used_0, kind=row.away_kind_0, since=row.away_0),
                AbsenceRecord(used_s=row.used_1, kind=row.away_kind_1, since=row.away_1),
            ),
            orders=orders,
            last_shot=shots[0] if shots else None,
        )

    async def shots(self, match: str, last_only: bool = False) -> list[ShotRecord]:
        """The stored shots of a match in order, or only the last one."""
        number = schema.shots.c.number
        query = select(schema.shots).where(schema.shots.c.match == match)
        query = query.order_by(number.desc()).limit(1) if last_only else query.order_by(number)
        return [_shot(row) for row in await self._read(query)]


def _status(match: str, status: Status, at: float, result: MatchResult | None = None) -> Executable:
    """Another status, at ``at`` of the server's clock; of a late table it is shown later."""
    ended = time.time() if status in ("over", "closed") else None
    was = schema.matches.c
    return (
        update(schema.matches)
        .where(was.match == match)
        .values(
            status=status,
            ended_at=ended,
            result=result and _encode(result),
            shown_status=case((was.hidden_until > at, was.shown_status), else_=was.status),
            hidden_until=case((was.delay_s > 0, at + was.delay_s), else_=null()),
        )
    )


def _shot(row: Row) -> ShotRecord:  # type: ignore[type-arg]
    return ShotRecord(
        number=row.number,
        shot=row.shot,
        started_at=row.started_at,
        duration=row.duration,
        trajectory=row.trajectory,
        events=logs.read_events(row.events),
        balls=logs.read_balls(row.balls),
    )
