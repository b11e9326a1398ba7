"""The board of a large club: how soon it opens, and how soon a result stands there.

Members, competitions and stored matches as of some years; the asking program runs beside the
server on the same loop, so its own work is in the figures too.
"""

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import insert
from websockets.asyncio.client import connect

from server import competitions
from server.app import MatchServer
from server.bench.stored import ROWS, Asked, fill
from server.competitions import acts as a
from server.competitions.competition import Competition
from server.competitions.setup import RoundRobin, Settings
from server.config import ServerConfig
from server.storage import schema
from server.storage.store import Store

MEMBERS = 500
COMPETITIONS = 50
_ENTRANTS = 29  # a round robin of 406 matches
_GOING_ON = 5
_OPENED = 9
_RESULTS = 9
_OPENS_WITH = (
    "/board", "/board/static/board.css", "/board/static/board.js", "/board/static/tv.js",
    "/board/static/manrope.ttf",
)  # fmt: skip
_encode = msgspec.msgpack.encode


def board_of(matches: int) -> list[Asked]:
    """What opening the board and entering results cost with so many stored matches."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        return asyncio.run(_measure(str(Path(folder) / "board.sqlite3"), matches))


async def _measure(path: str, matches: int) -> list[Asked]:
    config = ServerConfig(port=0, database=path, workers=1)
    store = await Store.open(f"sqlite+aiosqlite:///{path}")
    await fill(store, matches, MEMBERS, unfinished=0)
    await _fill_competitions(store)
    await store.close()
    server = await MatchServer.start(config)
    try:
        found = [await _timed("the board opens", 1, lambda: _open(server.port))]
        found.append(await _timed("the board opens again", _OPENED, lambda: _open(server.port)))
        found.append(await _results(server))
        member = "/api/v1/players/P1"
        for what, times, path in (
            ("a member's page, the first time", 1, member),
            ("a member's page", 5, member),
            ("the list of members", 5, "/api/v1/players"),
        ):
            ask = _asker(server.port, path)
            found.append(await _timed(what, times, ask))
        return found
    finally:
        await server.stop()


def _asker(port: int, path: str) -> Callable[[], Awaitable[object]]:
    return lambda: _get(port, path)


async def _timed(what: str, times: int, ask: Callable[[], Awaitable[object]]) -> Asked:
    took, worked = [], []
    for _ in range(times):
        began, work = time.perf_counter(), time.process_time()
        await ask()
        took.append(1000 * (time.perf_counter() - began))
        worked.append(1000 * (time.process_time() - work))
    what = f"{what} ({statistics.median(worked):.0f} ms of processor)"
    return Asked(what, statistics.median(took), max(took))


async def _get(port: int, path: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
    data = await reader.read()
    writer.close()
    if not data.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"{path}: {data[:80]!r}")
    return data


async def _open(port: int) -> None:
    """Page, style, scripts, font; then the line, until it has told of the board."""
    for path in _OPENS_WITH:
        await _get(port, path)
    async with connect(f"ws://127.0.0.1:{port}/board/feed", compression=None) as feed:
        await _board(feed, lambda board: True)


async def _board(feed: Any, wanted: Callable[[dict[str, Any]], bool]) -> None:
    while True:
        told = json.loads(await feed.recv())
        if told["m"] == "board" and wanted(told["board"]):
            return


async def _results(server: MatchServer) -> Asked:
    """From the entry of a result to its being told."""
    book = server.house.club.book
    took = []
    async with connect(f"ws://127.0.0.1:{server.port}/board/feed", compression=None) as feed:
        await _board(feed, lambda board: True)
        for n in range(_RESULTS):
            name = f"C{COMPETITIONS - 1 - n % _GOING_ON:05d}"
            match = next(m for m in reversed(book.kept[name].fixtures.values()) if m.is_open)
            first, second = match.sides
            assert first is not None and second is not None
            act = a.Result(match=match.id, sides=(first, second), score=(5, n % 5))
            began = time.perf_counter()
            async with book.lock(name):
                await book.record(name, "bench", act)
            key = (name, match.id)
            await _board(feed, lambda board, key=key: key in _told(board))  # type: ignore[misc]
            took.append(1000 * (time.perf_counter() - began))
            await asyncio.sleep(0.13)  # at another moment of the round each time
    return Asked("a result is on the board", statistics.median(took), max(took))


def _told(board: dict[str, Any]) -> set[tuple[str, str]]:
    return {(one["competition"], one["match"]) for one in board["results"]}


async def _fill_competitions(store: Store) -> None:
    heads: list[dict[str, object]] = []
    lines: list[dict[str, object]] = []
    for n in range(COMPETITIONS):
        name = f"C{n:05d}"
        competition = _competition(n)
        heads.append(
            {
                "competition": name,
                "settings": _encode(competition.opened),
                "by_id": "bench",
                "at": float(n),
            }
        )
        lines += [
            {
                "competition": name,
                "number": line.number,
                "at": line.at,
                "by_id": line.by,
                "body": _encode(line),
            }
            for line in competition.log
        ]
    for table, rows in ((schema.competitions, heads), (schema.competition_log, lines)):
        for first in range(0, len(rows), ROWS):
            await store.journal.write(insert(table).values(rows[first : first + ROWS]))


def _competition(n: int) -> Competition:
    """A round robin; the last ones go on, the others are over."""
    made = competitions.new(Settings(name=f"Night {n}", format=RoundRobin(), late_s=1e9))
    lines: list[a.Entry] = []

    def say(act: a.AnyAct) -> None:
        lines.append(a.Entry(number=len(lines) + 1, at=float(len(lines)), by="bench", act=act))

    for k in range(_ENTRANTS):
        who = (n * 10 + k) % MEMBERS
        say(a.Entered(entrant=a.Entrant(id=f"P{who}", name=f"Player {who}")))
    say(a.StationsSet(stations=tuple(f"{n}.{k}" for k in range(8))))
    entered = competitions.replay(made.opened, lines)
    say(competitions.draw(entered, seed=n))
    fixtures = list(competitions.replay(made.opened, lines).fixtures.values())
    goes_on = n >= COMPETITIONS - _GOING_ON
    for turn, match in enumerate(fixtures[: len(fixtures) // 2] if goes_on else fixtures):
        first, second = match.sides
        assert first is not None and second is not None
        score = (5, turn % 5) if turn % 3 else (turn % 5, 5)
        say(a.Result(match=match.id, sides=(first, second), score=score))
    return competitions.replay(made.opened, lines)
