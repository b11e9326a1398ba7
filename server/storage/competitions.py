"""What is kept of competitions: their settings at the opening, their logs, their tables."""

import msgspec
from sqlalchemy import Executable, Row, insert, select

from server.competitions.acts import Entry, Pair
from server.competitions.setup import Settings
from server.storage import schema
from server.storage.part import StorePart
from server.storage.records import UNFINISHED

_encode = msgspec.msgpack.encode
_entry = msgspec.msgpack.Decoder(Entry)
_TABLES = (
    select(schema.competition_tables)
    .join(schema.matches, schema.matches.c.match == schema.competition_tables.c.match)
    .order_by(schema.matches.c.opened_at)
)
_settings = msgspec.msgpack.Decoder(Settings)


class LeagueTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table at which a match of a competition is played; ``sides``: by seat.

    ``board``: of a team match, its number from 1; the sides are then the players, not their teams.
    """

    table: str
    competition: str
    match: str
    sides: Pair
    board: int | None = None


class KeptCompetition(msgspec.Struct, frozen=True, kw_only=True):
    """A competition as it is stored."""

    id: str
    opened: Settings
    log: tuple[Entry, ...]


def opened(competition: str, settings: Settings, by: str, at: float) -> Executable:
    """A new competition, at a Unix time."""
    return insert(schema.competitions).values(
        competition=competition, settings=_encode(settings), by_id=by, at=at
    )


def line(competition: str, entry: Entry) -> Executable:
    """One more line of a log."""
    return insert(schema.competition_log).values(
        competition=competition,
        number=entry.number,
        at=entry.at,
        by_id=entry.by,
        body=_encode(entry),
    )


def at_table(table: LeagueTable) -> Executable:
    """That a match has a table."""
    return insert(schema.competition_tables).values(
        match=table.table,
        competition=table.competition,
        fixture=table.match,
        side_0=table.sides[0],
        side_1=table.sides[1],
        board=table.board,
    )


class CompetitionStore(StorePart):
    """The part of the store that is about competitions."""

    async def write(self, *statements: Executable) -> None:
        """Lines of logs, and what was asked for with them: all together."""
        await self._write(*statements)

    async def all(self) -> list[KeptCompetition]:
        """Every competition with its whole log, the oldest first."""
        columns, logs = schema.competitions.c, schema.competition_log.c
        rows = await self._read(
            select(logs.competition, logs.body).order_by(logs.competition, logs.number)
        )
        lines: dict[str, list[Entry]] = {}
        for row in rows:
            lines.setdefault(row.competition, []).append(_entry.decode(row.body))
        rows = await self._read(select(schema.competitions).order_by(columns.at))
        return [
            KeptCompetition(
                id=row.competition,
                opened=_settings.decode(row.settings),
                log=tuple(lines.get(row.competition, ())),
            )
            for row in rows
        ]

    async def tables(self) -> list[LeagueTable]:
        """Every table that a competition has had, the oldest first."""
        return [_at(row) for row in await self._read(_TABLES)]

    async def unfinished(self, competition: str) -> list[LeagueTable]:
        """Those of a competition whose match isn't over or closed."""
        of, matches = schema.competition_tables.c, schema.matches.c
        wanted = _TABLES.where(of.competition == competition, matches.status.in_(UNFINISHED))
        return [_at(row) for row in await self._read(wanted)]


def _at(row: Row) -> LeagueTable:  # type: ignore[type-arg]
    return LeagueTable(
        table=row.match,
        competition=row.competition,
        match=row.fixture,
        sides=(row.side_0, row.side_1),
        board=row.board,
    )
