"""What is asked of stored matches by person: whom he met, how it ended, what was told of it.

Only reads, and only what everybody might watch, as far as it has been shown (``archive``).
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Row, select

from server.storage.archive import Wanted, page
from server.storage.logs import Read
from server.storage.packing import unpacked
from server.storage.schema import accounts, matches, orders, people
from shared_rules.replay import MatchResult, Told, read_told


class PlayedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match that is over.  ``seats``: person ids; ``score``: sets, or games where one decides,
    or the points of straight pool; ``opened_at``, ``ended_at``: Unix times."""

    match: str
    seats: tuple[str, str]
    names: tuple[str, str]
    ruleset: str
    preset: str
    discipline: str
    score: tuple[int, int]
    winner: int | None
    opened_at: float
    ended_at: float


class SeasonStore:
    """See the module; ``read`` carries a query out."""

    def __init__(self, read: Read) -> None:
        self._read = read

    async def person(self, person: str) -> str | None:
        """The name of a person by his id; None: there is none."""
        rows = await self._read(select(people.c.name).where(people.c.person == person))
        return str(rows[0].name) if rows else None

    async def named(self, key: str) -> str | None:
        """Who has a name: the account of that key, else the guest who came last; his id."""
        query = select(people.c.person).select_from(people.outerjoin(accounts))
        query = query.where(people.c.name_key == key)
        last = people.c.created_at.desc()
        rows = await self._read(query.order_by(accounts.c.person.is_(None), last).limit(1))
        return str(rows[0].person) if rows else None

    async def matches_of(self, person: str, now: float, most: int) -> list[PlayedMatch]:
        """The public matches of a person that are over as far as others know, the latest first.

        ``now``: by the server's clock.
        """
        wanted = Wanted(status="over", most=most, now=now)
        public = matches.c.watch == "everyone"
        found: dict[str, Row[Any]] = {}
        for seat in (matches.c.seat_0, matches.c.seat_1):
            rows = await self._read(page(wanted, "", seat == person, public))
            found |= {row.match: row for row in rows}
        played = [_played(row) for row in found.values()]
        return sorted((m for m in played if m), key=lambda m: m.opened_at, reverse=True)[:most]

    async def told(self, names: Sequence[str]) -> dict[str, list[tuple[float, Told]]]:
        """What was told of a few matches and when (server's clock), order by order."""
        found: dict[str, list[tuple[float, Told]]] = {name: [] for name in names}
        query = select(orders.c.match, orders.c.at, orders.c.told)
        query = query.where(orders.c.match.in_(names), orders.c.told.is_not(None))
        for row in await self._read(query.order_by(orders.c.match, orders.c.number)):
            found[row.match].append((row.at, read_told(unpacked(row.told))))
        return found


def _played(row: Row[Any]) -> PlayedMatch | None:
    """A match of the list; None: nothing is known of how it ended."""
    if row.result is None or row.seat_1 is None:
        return None
    result = msgspec.msgpack.decode(row.result, type=MatchResult)
    described = msgspec.msgpack.decode(row.description)  # plain: it may be an old one
    rules = described["ruleset"]
    score = result.sets if rules.get("match", {}).get("sets_to_win", 1) > 1 else result.games
    if rules.get("discipline") == "straight_pool" and any(result.scores):
        score = result.scores
    first, second = described["players"]
    return PlayedMatch(
        match=row.match,
        seats=(row.seat_0, row.seat_1),
        names=(first, second),
        ruleset=rules["id"],
        preset=described.get("frame", {}).get("preset", "9ft"),
        discipline=rules.get("discipline", "nine_ball"),
        score=score,
        winner=result.winner,
        opened_at=row.opened_at,
        ended_at=row.ended_at or row.opened_at,
    )
