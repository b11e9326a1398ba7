"""What other programs read: JSON and CSV at addresses that stay (docs/board.md)."""

import asyncio
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec

from server.clock import ServerClock
from server.storage.archive import Archive
from server.terms import code_key
from server.web.asked import Asked, HttpError
from server.web.board.export import Cell, csv_of, moment
from server.web.board.feed import Feed
from server.web.board.league import League
from server.web.board.players import Players, PlayerShown
from server.web.board.shapes import Match, Whole
from server.web.reply import Reply
from server.web.routes import Handler, Routes

JSON = "application/json; charset=utf-8"
CSV = "text/csv; charset=utf-8"
_ASK_AGAIN = "no-cache"  # it may be kept, and has an ETag
_PIECE_BYTES = 256 * 1024
_READS = 4  # of replays at a time

Named = Mapping[str, str]


class Api:
    """Answers ``/api/v1/…``."""

    def __init__(
        self,
        feed: Feed,
        league: League,
        players: Players,
        archive: Archive,
        clock: ServerClock,
        wall: Callable[[], float],
    ) -> None:
        self._feed = feed
        self._league = league
        self._players = players
        self._archive = archive
        self._clock = clock
        self._wall = wall
        self._turns = asyncio.Semaphore(_READS)

    def add_to(self, site: Routes, guarded: Callable[[Handler], Handler]) -> None:
        """All addresses; ``guarded``: who may not see gets nothing."""
        for pattern, handler in (
            ("board", self._board),
            ("tables", self._tables),
            ("tables/{table}", self._table),
            ("competitions", self._competitions),
            ("competitions/{competition}", self._competition),
            ("competitions/{competition}/matches.csv", self._matches_csv),
            ("competitions/{competition}/standings.csv", self._standings_csv),
            ("players", self._list),
            ("players.csv", self._list_csv),
            ("players/{player}", self._player),
            ("players/{player}/matches.csv", self._player_csv),
            ("matches/{match}", self._replay),
        ):
            site.add(f"/api/v1/{pattern}", guarded(handler))

    # --- tables -------------------------------------------------------------------------------

    async def _board(self, _asked: Asked, _named: Named) -> Reply:
        return _json(await asyncio.to_thread(self._league.overview, self._wall()))

    async def _tables(self, _asked: Asked, _named: Named) -> Reply:
        return _json({"clock": self._clock.now(), "tables": self._feed.tables()})

    async def _table(self, _asked: Asked, named: Named) -> Reply:
        found = self._feed.table(named["table"])
        if found is None:
            raise _missing("table")
        return _json({"clock": self._clock.now(), "table": found})

    # --- competitions -------------------------------------------------------------------------

    async def _competitions(self, _asked: Asked, _named: Named) -> Reply:
        board = await asyncio.to_thread(self._league.overview, self._wall())
        return _json({"competitions": board.competitions})

    async def _competition(self, _asked: Asked, named: Named) -> Reply:
        return await asyncio.to_thread(_json, await self._whole(named))  # a season may be large

    async def _whole(self, named: Named) -> Whole:
        name = named["competition"]
        found = await asyncio.to_thread(self._league.whole, name, self._wall())
        if found is None:
            raise _missing("competition")
        return found

    async def _matches_csv(self, _asked: Asked, named: Named) -> Reply:
        whole = await self._whole(named)
        heads = ("match", "stage", "round", "first", "second", "races", "score", "winner",
                 "ended_by", "ended_at", "station", "starts_at", "state")  # fmt: skip
        return _csv(heads, (_match_row(match) for match in whole.matches))

    async def _standings_csv(self, _asked: Asked, named: Named) -> Reply:
        whole = await self._whole(named)
        ties = list(whole.standings[0].tie_breaks) if whole.standings else []
        places = {one.id: one for one in whole.placings}
        heads = ("place", "name", "points", "played", "won", "drawn", "lost", "score_won",
                 "score_lost", *ties)  # fmt: skip
        rows = []
        for row in whole.standings:
            placing = places.get(row.id)
            place = row.place if placing is None else placing.first
            plain = (place, row.name, row.points, row.played, row.won, row.drawn, row.lost)
            rows.append((*plain, *row.score, *row.tie_breaks.values()))
        return _csv(heads, rows)

    # --- players ------------------------------------------------------------------------------

    async def _list(self, _asked: Asked, _named: Named) -> Reply:
        return _json({"players": await asyncio.to_thread(self._players.everybody)})

    async def _list_csv(self, _asked: Asked, _named: Named) -> Reply:
        players = await asyncio.to_thread(self._players.everybody)
        heads = ("id", "name", "competitions", "played", "won")
        rows = ((one.id, one.name, one.competitions, one.played, one.won) for one in players)
        return _csv(heads, rows)

    async def _player(self, _asked: Asked, named: Named) -> Reply:
        return _json(await self._shown(named))

    async def _shown(self, named: Named) -> PlayerShown:
        found = await self._players.shown(named["player"], self._wall())
        if found is None:
            raise _missing("player")
        return found

    async def _player_csv(self, _asked: Asked, named: Named) -> Reply:
        shown = await self._shown(named)
        heads = ("ended_at", "opponent", "won", "score", "score_opponent", "discipline",
                 "competition", "match")  # fmt: skip
        rows = (
            (moment(one.at), one.opponent_name, one.won, *one.score, one.discipline,
             one.competition_name, one.match)
            for one in shown.matches
        )  # fmt: skip
        return _csv(heads, rows)

    # --- replays ------------------------------------------------------------------------------

    async def _replay(self, asked: Asked, named: Named) -> Reply:
        """A piece of a match that everybody might watch, from after event ``start`` on."""
        match, start = code_key(named["match"]), asked.query.get("start", "0")
        if not start.isascii() or not start.isdigit() or len(start) > 9:
            raise HttpError(HTTPStatus.BAD_REQUEST, "start is the number of an event")
        async with self._turns:
            now = self._clock.now()
            entry = await self._archive.entry(match, now)
            if entry is None or entry.terms.watch != "everyone":
                raise _missing("match")
            until = now - entry.terms.delay_s
            events, more = await self._archive.events(match, int(start), until, _PIECE_BYTES)
        found = {
            "summary": entry.shown,
            "players": [entry.seats[0], entry.seats[1]],
            "events": events,
            "next": more,
        }
        return await asyncio.to_thread(_json, found)


def _match_row(match: Match) -> tuple[Cell, ...]:
    first, second = (side.name if side is not None else "" for side in match.sides)
    winner = next((s.name for s in match.sides if s is not None and s.id == match.winner), "")
    return (
        match.match, match.stage, match.round, first, second, _pair(match.races),
        _pair(match.score), winner, match.ended_by, moment(match.ended_at), match.station,
        moment(match.starts_at), match.state,
    )  # fmt: skip


def _pair(pair: tuple[int, int] | None) -> str:
    return "" if pair is None else f"{pair[0]}:{pair[1]}"


def _missing(what: str) -> HttpError:
    return HttpError(HTTPStatus.NOT_FOUND, f"there is no such {what}")


def _json(value: Any) -> Reply:
    return Reply(msgspec.json.encode(value), content_type=JSON, cache=_ASK_AGAIN)


def _csv(heads: tuple[str, ...], rows: Any) -> Reply:
    return Reply(csv_of(heads, rows), content_type=CSV, cache=_ASK_AGAIN)
