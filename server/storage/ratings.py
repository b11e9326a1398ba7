"""What is kept of ratings: a row for each player of each match that counted.

A row explains itself: rating before and after, the opponent's before, the expected and the real
score.  The present rating of somebody is what his latest row says.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Executable,
    Row,
    and_,
    case,
    delete,
    func,
    insert,
    select,
    true,
    update,
)  # fmt: skip

from server.storage import schema

_c = schema.ratings.c
Read = Callable[[Executable], Awaitable[Sequence[Row[Any]]]]


class RatingRow(msgspec.Struct, frozen=True, kw_only=True):
    """A match that counted, as one of its players sees it; see ``storage.schema``.

    ``number``: of the match among all that counted, in the order of their ends.  ``weight``: of
    the result.  ``shown_from``, ``told_from``: server's clock.
    """

    match: str
    person: str
    discipline: str
    number: int
    at: float
    opponent: str
    score: float
    expected: float
    before_rating: float
    before_deviation: float
    before_volatility: float
    after_rating: float
    after_deviation: float
    after_volatility: float
    opponent_rating: float
    opponent_deviation: float
    weight: float = 1.0
    discounted: bool = False
    shown_from: float = 0.0
    told_from: float = 0.0

    @property
    def share(self) -> float:
        """Of a whole match, so much it counts."""
        return 0.0 if self.discounted else self.weight


class Eyes(msgspec.Struct, frozen=True):
    """Who asks, at which time of the server's clock; None: the server itself, who knows all."""

    person: str | None = None
    now: float = 0.0

    def sees(self) -> ColumnElement[bool]:
        """Of tables that are shown late others know only what has been shown."""
        if self.person is None:
            return true()
        known_from = case((_c.person == self.person, _c.told_from), else_=_c.shown_from)
        return known_from <= self.now


ALL = Eyes()
_COUNTS = _c.discounted.is_(False)


class RatingStore:
    """The part of the store that is about ratings; ``read`` carries a query out."""

    def __init__(self, read: Read) -> None:
        self._read = read

    async def of_match(self, match: str) -> list[RatingRow]:
        """Both rows of a match, or none."""
        return await self._rows(select(schema.ratings).where(_c.match == match))

    async def last_number(self) -> int:
        """The number of the match that counted last; 0: none has."""
        rows = await self._read(select(func.max(_c.number)))
        return int(rows[0][0] or 0)

    async def latest(self, person: str, discipline: str, before: int) -> RatingRow | None:
        """The last row of a person before a number; None: he had no rating then."""
        query = select(schema.ratings).where(
            _c.person == person, _c.discipline == discipline, _c.number < before
        )
        rows = await self._rows(query.order_by(_c.number.desc()).limit(1))
        return rows[0] if rows else None

    async def between(self, pair: tuple[str, str], since: float) -> list[str]:
        """The matches of two against each other that counted since a Unix time."""
        one, other = pair
        query = select(_c.match).where(
            _c.person == one, _c.opponent == other, _c.at > since, _COUNTS
        )
        return [row[0] for row in await self._read(query)]

    async def current(self, person: str, eyes: Eyes = ALL) -> list[RatingRow]:
        """The latest row of a person in each discipline that counts and is known to who asks."""
        last = select(func.max(_c.number)).where(_c.person == person, _COUNTS, eyes.sees())
        last = last.group_by(_c.discipline)
        return await self._rows(
            select(schema.ratings)
            .where(_c.person == person, _c.number.in_(last))
            .order_by(_c.discipline)
        )

    async def counts(self, person: str, eyes: Eyes = ALL) -> dict[str, int]:
        """How many matches of a person have counted, by discipline."""
        query = select(_c.discipline, func.count().label("matches"))
        query = query.where(_c.person == person, _COUNTS, eyes.sees())
        return {
            row.discipline: int(row.matches)
            for row in await self._read(query.group_by(_c.discipline))
        }

    async def since(self, discipline: str, number: int) -> list[RatingRow]:
        """All rows of a discipline from a number on, in order, the two of a match together."""
        query = select(schema.ratings).where(_c.discipline == discipline, _c.number >= number)
        return await self._rows(query.order_by(_c.number, _c.person))

    async def history(
        self,
        person: str,
        discipline: str | None,
        before: float | None,
        most: int,
        eyes: Eyes = ALL,
    ) -> list[tuple[RatingRow, str]]:
        """What changed a person's ratings, the latest first, with the opponents' names."""
        people = schema.people.c
        query = (
            select(schema.ratings, people.name)
            .join(schema.people, people.person == _c.opponent)
            .where(_c.person == person, eyes.sees())
            .order_by(_c.at.desc(), _c.number.desc())
            .limit(most)
        )
        if discipline is not None:
            query = query.where(_c.discipline == discipline)
        if before is not None:
            query = query.where(_c.at < before)
        return [(_row(row), row.name) for row in await self._read(query)]

    async def _rows(self, query: Executable) -> list[RatingRow]:
        return [_row(row) for row in await self._read(query)]


def added(row: RatingRow) -> Executable:
    """A new row."""
    return insert(schema.ratings).values(msgspec.structs.asdict(row))


def changed(row: RatingRow) -> Executable:
    """Another content for the row of a match and a person."""
    its = and_(_c.match == row.match, _c.person == row.person)
    return update(schema.ratings).where(its).values(msgspec.structs.asdict(row))


def removed(match: str) -> Executable:
    """A match counts no more."""
    return delete(schema.ratings).where(_c.match == match)


def _row(row: Row[Any]) -> RatingRow:
    return RatingRow(**{field: getattr(row, field) for field in RatingRow.__struct_fields__})
