"""The feed: a websocket that tells pages what happens, and takes nothing from them.

What there is to tell are things with a number that grows whenever one of them changes.  A viewer
holds the number up to which it has everything; five times a second it is handed what is newer, if
it has read what it got.  So nobody waits for anybody, nothing piles up, and who reads slowly gets
the latest of each thing instead of all that happened.

Messages are JSON texts with ``m``: ``hello`` (first), ``table``, ``table_gone``, ``board``,
``competition`` (one has changed), ``tick`` (every two seconds: the time).
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from server.clock import ServerClock
from server.club.club import Club
from server.floor import Floor
from server.shots import frame_of
from server.table import Table
from server.web.board.league import League
from server.web.board.tables import TableShown, is_shown, table_shown
from server.websocket import Websocket

log = logging.getLogger("headstring.server.board")

PATH = "/board/feed"
_EVERY_REAL_S = 0.2
_TICK_REAL_S = 2.0
_BOARD_AGAIN_REAL_S = 10.0
_NOT_HEARD = 1008  # policy violation
_GOING = "the server goes down"
_encode = msgspec.json.encode


class _Viewer:
    """A page that is connected; ``upto``: the number of the latest thing that it has."""

    def __init__(self, socket: Websocket) -> None:
        self.socket = socket
        self.upto = 0


class Feed:
    """All viewers, and what there is to tell them."""

    def __init__(
        self,
        floor: Floor,
        club: Club,
        league: League,
        clock: ServerClock,
        wall: Callable[[], float],
    ) -> None:
        """``wall``: the Unix time."""
        self._floor = floor
        self._club = club
        self._league = league
        self._clock = clock
        self._wall = wall
        self._viewers: set[_Viewer] = set()
        self._number = 0
        self._things: dict[str, tuple[int, bytes]] = {}  # by key, in the order of their numbers
        self._seen: dict[str, object] = {}  # of each table what it was made of
        self._known: dict[str, object] = {}  # of each competition what it was
        self._board_at = -_BOARD_AGAIN_REAL_S
        self._tick_at = 0.0
        self._task: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._viewers)

    async def start(self) -> None:
        """Work the board out, so that the first to open it needn't wait; then begin to look."""
        await self._first()
        self._task = asyncio.create_task(self._run(), name="board")

    async def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def say_goodbye(self) -> None:
        """Close every page's line; they come back by themselves."""
        for viewer in self._viewers:
            viewer.socket.end(_GOING)

    async def serve(self, socket: Websocket) -> None:
        """One page, from its handshake to its end."""
        viewer = _Viewer(socket)
        socket.hand(self._hello(), text=True)
        self._viewers.add(viewer)
        if len(self._viewers) == 1:
            await self._look()
        self._tell(viewer)
        try:
            await socket.recv()
            await ServerConnection.close(socket, _NOT_HEARD, "this line takes nothing")
        except ConnectionClosed:
            pass
        finally:
            self._viewers.discard(viewer)

    # --- what there is to tell ----------------------------------------------------------------

    def tables(self) -> list[TableShown]:
        """Every table that is shown, those of competitions first."""
        found = [self._shown(table) for table in self._floor.tables.values() if is_shown(table)]
        return sorted(found, key=lambda one: (one.competition is None, _natural(one.station or "")))

    def table(self, name: str) -> TableShown | None:
        """A table by its name; None: there is none to be shown."""
        table = self._floor.open_table(name)
        return self._shown(table) if table is not None and is_shown(table) else None

    def _shown(self, table: Table) -> TableShown:
        return table_shown(table, self._club, frame_of(table.room.terms.preset))

    def _hello(self) -> bytes:
        return _encode({"m": "hello", "scale": self._clock.scale, **self._times()})

    def _times(self) -> dict[str, Any]:
        return {"clock": self._clock.now(), "at": self._wall()}

    def _put(self, key: str, message: dict[str, Any]) -> None:
        self._number += 1
        self._things.pop(key, None)
        self._things[key] = self._number, _encode(message)

    async def _look(self) -> None:
        """Note what has changed."""
        here: set[str] = set()
        for name, table in list(self._floor.tables.items()):
            if not is_shown(table):
                continue
            here.add(name)
            room = table.room
            made_of = (room.shown_seq, room.seats[0], room.seats[1], room.adjourned)
            if self._seen.get(name) != made_of:
                self._seen[name] = made_of
                self._put(f"table {name}", {"m": "table", "table": self._shown(table)})
        for name in self._seen.keys() - here:
            del self._seen[name]
            self._put(f"table {name}", {"m": "table_gone", "table": name})
        changed = False
        for name, competition in list(self._league.kept.items()):
            if self._known.get(name) is not competition:
                self._known[name] = competition
                changed = True
                told = {"m": "competition", "competition": name, "lines": len(competition.log)}
                self._put(f"competition {name}", told)
        now = time.monotonic()
        if changed or now - self._board_at >= _BOARD_AGAIN_REAL_S:
            self._board_at = now
            board = await asyncio.to_thread(self._league.overview, self._wall())
            self._put("board", {"m": "board", "board": board})

    # --- the round ----------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_EVERY_REAL_S)
            if not self._viewers:
                continue
            try:
                await self._look()
                self._tell_all()
            except Exception:
                log.exception("a fault of the server")

    async def _first(self) -> None:
        try:
            await self._look()
        except Exception:
            log.exception("a fault of the server")

    def _tell_all(self) -> None:
        now = time.monotonic()
        tick = None
        if now - self._tick_at >= _TICK_REAL_S:
            self._tick_at = now
            tick = _encode({"m": "tick", **self._times()})
        for viewer in list(self._viewers):
            self._tell(viewer)
            if tick is not None and viewer.socket.is_idle:
                viewer.socket.hand(tick, text=True)

    def _tell(self, viewer: _Viewer) -> None:
        """Hand over what is newer than what a viewer has, if it has read all that it got."""
        if viewer.upto == self._number or not viewer.socket.is_idle:
            return
        newer: list[bytes] = []
        for number, data in reversed(self._things.values()):
            if number <= viewer.upto:
                break
            newer.append(data)
        for data in reversed(newer):
            viewer.socket.hand(data, text=True)
        viewer.upto = self._number


def _natural(text: str) -> tuple[tuple[bool, int, str], ...]:
    """A key that puts table 2 before table 10."""
    parts: list[tuple[bool, int, str]] = []
    for word in text.split():
        parts.append((not word.isdigit(), int(word) if word.isdigit() else 0, word))
    return tuple(parts)
