"""Matches as they are looked at again: which there are, and what spectators were told of each.

Only reads.  Every question goes through an index, so that ten thousand stored matches answer as
fast as ten.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Row, Select, and_, case, func, or_, select, true

from server.storage.logs import Read, read_log
from server.storage.packing import unpacked
from server.storage.records import Terms
from server.storage.schema import matches, orders, people, shots
from shared_rules.commands import Order
from shared_rules.match import apply, new_match
from shared_rules.messages import ReplayEvent, ReplayShot, ReplaySummary
from shared_rules.replay import MatchResult, Told, read_told, told
from shared_rules.state import MatchDescription

PLAYED = ("running", "adjourned", "over")
_MOST_NAMESAKES = 100
_ROWS_AT_A_TIME = 64

Place = tuple[float, str]  # when a match was opened, and its id: where a page ends


@dataclass(frozen=True)
class Wanted:
    """Which matches: of whom (a key of names), when opened, after which in the list.

    ``every``: also those that only some might watch.  ``now``: by the server's clock; who was not
    at a table that is shown late knows of it only what has been shown.
    """

    player: str | None = None
    mine: bool = False
    status: str | None = None
    before: float | None = None
    after: float | None = None
    place: Place | None = None
    most: int = 20
    every: bool = False
    now: float = 0.0


@dataclass(frozen=True)
class Entry:
    """A match and who may see it.  ``shown``: as far as those who watch know."""

    summary: ReplaySummary
    shown: ReplaySummary
    terms: Terms
    seats: tuple[str, str | None]


def _seen(me: str, now: float) -> Select[Any]:
    """Matches with their status as ``me`` may know it, ``seen``."""
    seats = (matches.c.seat_0, func.coalesce(matches.c.seat_1, ""))
    hidden = and_(matches.c.hidden_until > now, *(seat != me for seat in seats))
    seen = case((hidden, matches.c.shown_status), else_=matches.c.status).label("seen")
    return select(matches, seen).where(seen.in_(PLAYED))


def page(wanted: Wanted, me: str, *conditions: ColumnElement[bool]) -> Select[Any]:
    """Matches that meet the conditions, the latest first."""
    opened, match = matches.c.opened_at, matches.c.match
    query = _seen(me, wanted.now).where(*conditions)
    if wanted.status is not None:
        query = query.where(query.selected_columns.seen == wanted.status)
    if wanted.before is not None:
        query = query.where(opened < wanted.before)
    if wanted.after is not None:
        query = query.where(opened >= wanted.after)
    if wanted.place is not None:
        at, last = wanted.place
        query = query.where(opened <= at, or_(opened < at, and_(opened == at, match < last)))
    return query.order_by(opened.desc(), match.desc()).limit(wanted.most + 1)


def pages(wanted: Wanted, me: str, namesakes: Sequence[str]) -> list[Select[Any]]:
    """The queries whose answers together hold the matches that ``me`` may see.

    Each runs along one index; one query for all of them would run along none.
    """
    seats = (matches.c.seat_0, matches.c.seat_1)
    public = true() if wanted.every else matches.c.watch == "everyone"
    my_own = or_(*(seat == me for seat in seats))
    if wanted.player is not None:
        visible = my_own if wanted.mine else or_(public, my_own)
        return [page(wanted, me, seat == name, visible) for name in namesakes for seat in seats]
    own = [page(wanted, me, seat == me) for seat in seats]
    return own if wanted.mine else [page(wanted, me, public), *own]


class Archive:
    """What a store's matches were; ``read`` carries a query out."""

    def __init__(self, read: Read) -> None:
        self._read = read

    async def find(self, wanted: Wanted, me: str) -> tuple[list[ReplaySummary], Place | None]:
        """Matches that a person may see, the latest first, and where the next page begins."""
        namesakes: list[str] = []
        if wanted.player is not None:
            named = select(people.c.person).where(people.c.name_key == wanted.player)
            named = named.order_by(people.c.created_at.desc()).limit(_MOST_NAMESAKES)
            namesakes = [row[0] for row in await self._read(named)]
        found: dict[Place, Row[Any]] = {}
        for query in pages(wanted, me, namesakes):
            found |= {(row.opened_at, row.match): row for row in await self._read(query)}
        places = sorted(found, reverse=True)
        shown = places[: wanted.most]
        more = shown[-1] if len(places) > len(shown) else None
        rows = [found[place] for place in shown]
        return [_summary(row, row.seen) for row in rows], more

    async def entry(self, match: str, now: float) -> Entry | None:
        """A match at ``now`` of the server's clock; None: there is none of this id to be seen."""
        rows = await self._read(_seen("", now).where(matches.c.match == match))
        if not rows:
            return None
        row = rows[0]
        terms = msgspec.msgpack.decode(row.terms, type=Terms)
        known, shown = _summary(row, row.status), _summary(row, row.seen)
        return Entry(known, shown, terms, (row.seat_0, row.seat_1))

    async def took_part(self, match: str, person: str) -> bool:
        """Whether a person gave orders in a match: a player, or its referee."""
        query = select(orders.c.number).where(orders.c.match == match, orders.c.person == person)
        return bool(await self._read(query.limit(1)))

    async def events(
        self, match: str, start: int, until: float, most_bytes: int
    ) -> tuple[list[ReplayEvent], int | None]:
        """What was told after event ``start`` up to a time, and from where to go on.

        At least one event, however large; not the beginning of a shot that isn't stored yet.
        """
        found: list[ReplayEvent] = []
        size = 0
        while True:
            rows = await self._read(_told_after(match, start, until))
            derived = await self._derived(match) if any(r.told is None for r in rows) else {}
            for row in rows[:_ROWS_AT_A_TIME]:
                data = unpacked(row.told or b"")
                record = derived[row.number] if row.told is None else read_told(data)
                if record.begins_shot and row.trajectory is None and row is rows[-1]:
                    return found, None  # nobody was told yet
                size += len(data) + len(row.trajectory or b"")
                if found and size > most_bytes:
                    return found, start
                found.append(_event(row, record))
                start = row.number
            if len(rows) <= _ROWS_AT_A_TIME:
                return found, None

    async def _derived(self, match: str) -> dict[int, Told]:
        """What orders say that were logged without it, before there were replays: judged anew."""
        query = select(matches.c.description).where(matches.c.match == match)
        description = (await self._read(query))[0][0]
        log = await read_log(self._read, match)
        return await asyncio.to_thread(_judged_anew, description, log)


def _judged_anew(description: bytes, log: Sequence[Order]) -> dict[int, Told]:
    state = new_match(msgspec.msgpack.decode(description, type=MatchDescription))
    records: dict[int, Told] = {}
    for order in log:
        applied = apply(state, order)
        data = told(state, applied.state, order.by.value, applied.announcements)
        state = applied.state
        records[state.version] = read_told(data)
    return records


def _told_after(match: str, start: int, until: float) -> Select[Any]:
    shot_of = and_(shots.c.match == orders.c.match, shots.c.number == orders.c.number)
    columns = (orders.c.number, orders.c.at, orders.c.told, shots.c.shot, shots.c.started_at,
               shots.c.duration, shots.c.trajectory)  # fmt: skip
    return (
        select(*columns)
        .select_from(orders.outerjoin(shots, shot_of))
        .where(orders.c.match == match, orders.c.number > start, orders.c.at <= until)
        .order_by(orders.c.number)
        .limit(_ROWS_AT_A_TIME + 1)
    )


def _event(row: Row[Any], record: Told) -> ReplayEvent:
    shot = None
    if row.trajectory is not None:
        shot = ReplayShot(
            shot=row.shot,
            started_at=row.started_at,
            duration=row.duration,
            trajectory=row.trajectory,
        )
    return ReplayEvent(
        number=row.number,
        at=row.at,
        by=record.by,
        announcements=record.announcements,
        changes=record.changes,
        shot=shot,
    )


def _summary(row: Row[Any], status: Any) -> ReplaySummary:
    """A match as who knows it to be of this status may see it."""
    description = msgspec.msgpack.decode(row.description)  # plain: it may be an old one
    result = row.result and msgspec.msgpack.decode(row.result, type=MatchResult)
    return ReplaySummary(
        match=row.match,
        ruleset=description["ruleset"]["id"],
        players=tuple(description["players"]),
        status=status if status in PLAYED else "running",
        opened_at=row.opened_at,
        ended_at=row.ended_at if status == "over" else None,
        result=result if status == "over" else None,
    )
