"""Many stored matches for the bench: a database filled at once, and what is asked of it.

The matches are short and alike; what is measured goes by their number.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
from sqlalchemy import insert

from server.config import database_url
from server.names import name_key
from server.shots import frame_of
from server.storage import schema
from server.storage.archive import Wanted
from server.storage.records import Terms
from server.storage.store import Store
from shared_rules.commands import Actor, Order, StartMatch
from shared_rules.match import apply, new_match
from shared_rules.replay import MatchResult, told
from shared_rules.ruleset import make_ruleset
from shared_rules.state import MatchDescription

_TIMES = 15
_OPENED = 5
_PEOPLE = 200
_UNFINISHED = 20
ROWS = 500  # at a time
_encode = msgspec.msgpack.encode


@dataclass(frozen=True)
class Asked:
    """What one question cost: milliseconds, the median of some times and the longest."""

    what: str
    median_ms: float
    longest_ms: float


def asked_of(matches: int) -> list[Asked]:
    """Fill a database with so many matches and ask it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        return asyncio.run(_ask(database_url(str(Path(folder) / "stored.sqlite3")), matches))


async def _ask(url: str, matches: int) -> list[Asked]:
    store = await Store.open(url)
    await fill(store, matches)
    await store.close()
    opened_ms = []
    for _ in range(_OPENED):
        began = time.perf_counter()
        store = await Store.open(url)
        opened_ms.append(1000 * (time.perf_counter() - began))
        await store.close()
    store = await Store.open(url)
    archive = store.archive
    of_one = Wanted(player=name_key("Player 1"))
    middle = Wanted(place=(float(matches // 2), f"M{matches // 2:08d}"))
    found = [
        Asked("the database opens", statistics.median(opened_ms), max(opened_ms)),
        await _timed("tables to bring back", store.matches.open_tables),
        await _timed("one of them, with its log", lambda: store.matches.load("M00000000")),
        await _timed("replays: the first page", lambda: archive.find(Wanted(), "nobody")),
        await _timed("replays: a page in the middle", lambda: archive.find(middle, "nobody")),
        await _timed("replays: one's own", lambda: archive.find(Wanted(mine=True), "P1")),
        await _timed(
            "replays: of a player",
            lambda: archive.find(of_one, "nobody"),
        ),
        await _timed("requests that a person has made", lambda: store.requests.latest("P1", 256)),
    ]
    await store.close()
    return found


async def _timed(what: str, ask: Callable[[], Awaitable[object]]) -> Asked:
    times = []
    for _ in range(_TIMES):
        began = time.perf_counter()
        await ask()
        times.append(1000 * (time.perf_counter() - began))
    return Asked(what, statistics.median(times), max(times))


async def fill(
    store: Store, matches: int, people: int = _PEOPLE, unfinished: int = _UNFINISHED
) -> None:
    """So many short matches of so many people."""
    rules = make_ruleset("nine_ball_epbf")
    terms = _encode(Terms(ruleset=rules, preset="9ft", invitation="ABCD2345"))
    result = _encode(MatchResult(winner=0, games=(7, 5), sets=(1, 0)))
    order = Order(by=Actor.SERVER, at=1.0, command=StartMatch())
    members = [
        {"person": f"P{n}", "name": name, "name_key": name_key(name), "created_at": 0.0}
        for n, name in ((n, f"Player {n}") for n in range(people))
    ]
    rows: list[dict[str, object]] = []
    log: list[dict[str, object]] = []
    for n in range(matches):
        seats = n % people, (n + 1) % people
        match = f"M{n:08d}"
        description = MatchDescription(
            match_id=match,
            players=(f"Player {seats[0]}", f"Player {seats[1]}"),
            ruleset=rules,
            frame=frame_of("9ft"),
        )
        before = new_match(description)
        applied = apply(before, order)
        rows.append(
            {
                "match": match,
                "status": "running" if n < unfinished else "over",
                "seat_0": f"P{seats[0]}",
                "seat_1": f"P{seats[1]}",
                "terms": terms,
                "watch": "everyone",
                "description": _encode(description),
                "result": result,
                "request": n,
                "digest": bytes(32),
                "answer": b"",
                "opened_at": float(n),
                "ended_at": float(n),
            }
        )
        log.append(
            {
                "match": match,
                "number": 1,
                "at": float(n),
                "body": _encode(order),
                "told": told(before, applied.state, "server", applied.announcements),
                "person": f"P{seats[0]}",
                "request": n,
                "digest": bytes(32),
                "answer": b"",
            }
        )
    for table, values in ((schema.people, members), (schema.matches, rows), (schema.orders, log)):
        for first in range(0, len(values), ROWS):
            await store.journal.write(insert(table).values(values[first : first + ROWS]))
