"""How fast the server answers a stroke: ``headstring bench server``.

Starts a server of its own as a process, two clients on loopback play strokes at it, and the time
from sending a stroke to having its trajectory is measured at the player and at a spectator.  The
server's own figure (stroke taken up to trajectory handed to the sockets) is read from its log.
"""

import asyncio
import math
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from physics.clearance import least_elevation_at
from physics.table import TABLES
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.balls import CUE
from shared_rules.state import MatchState, Phase, Stroke
from shared_rules.wire import read_server_message, write_message

_STROKES = 80
_TIME_SCALE = 200.0
_LIMIT_S = 120.0
_MOVING = (Phase.SHOT_RUNNING, Phase.GAME_OVER, Phase.SET_OVER, Phase.BETWEEN_GAMES)


@dataclass(frozen=True)
class ServerReport:
    """Milliseconds from stroke to trajectory, sorted; and what the server says itself."""

    player_ms: tuple[float, ...]
    spectator_ms: tuple[float, ...]
    own: str
    warm_s: float

    def __str__(self) -> str:
        return "\n".join(
            (
                f"server start, physics warm     {self.warm_s:8.1f} s",
                f"strokes measured               {len(self.player_ms):8d}",
                _line("stroke sent to trajectory had, player", self.player_ms),
                _line("                          spectator  ", self.spectator_ms),
                f"in the server alone: {self.own}",
            )
        )


def _line(what: str, values: tuple[float, ...]) -> str:
    if not values:
        return f"{what}: none"
    p99 = values[min(len(values) - 1, math.ceil(0.99 * len(values)) - 1)]
    median = statistics.median(values)
    return f"{what}  median {median:6.2f} ms   p99 {p99:6.2f} ms   max {values[-1]:6.2f} ms"


class _Seat:
    """A client that keeps the table's state and when each trajectory came."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.table = ""
        self.state: MatchState | None = None
        self.had: dict[int, float] = {}
        self.refused: m.Refused | None = None
        self._ids = time.time_ns() // 1000
        self._news = asyncio.Condition()
        self._task = asyncio.create_task(self._read())

    async def ask(self, kind: type, **fields: object) -> None:
        self._ids += 1
        await self.socket.send(write_message(kind(id=self._ids, **fields)))

    async def give(self, command: c.PlayerCommand) -> None:
        await self.ask(m.Play, table=self.table, command=command)

    async def until_seated(self) -> None:
        """Return once the table is known.

        Raises:
            RuntimeError: it was refused.
        """
        async with self._news:
            while not self.table:
                if self.refused is not None:
                    raise RuntimeError(f"the server refused: {self.refused.message}")
                await self._news.wait()

    async def until_changed(self, version: int) -> MatchState:
        """The state once it is newer than ``version`` and somebody is to act."""
        async with self._news:
            while self.state is None or self.state.version <= version or _busy(self.state):
                await self._news.wait()
            return self.state

    async def close(self) -> None:
        await self.socket.close()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _read(self) -> None:
        async for data in self.socket:
            now = time.perf_counter()
            message = read_server_message(data if isinstance(data, bytes) else data.encode())
            async with self._news:
                if isinstance(message, m.Snapshot | m.RoomEvent):
                    self.state, self.table = message.state, message.table
                    if message.in_flight is not None:
                        self.had.setdefault(message.in_flight.shot, now)
                elif isinstance(message, m.Accepted) and message.table:
                    self.table = message.table
                elif isinstance(message, m.Refused):
                    self.refused = message
                self._news.notify_all()


def _busy(state: MatchState) -> bool:
    unracked = state.phase is Phase.PLACE_CUE_FOR_BREAK and not state.racked
    return state.phase in _MOVING or unracked


def bench_server(strokes: int = _STROKES) -> ServerReport:
    """Measure; takes some ten seconds, at most two minutes."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        process = _start(Path(folder) / "bench.sqlite3")
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline().rsplit(":", 1)[1])
            warm_s = time.perf_counter() - began
            player, spectator = asyncio.run(_play(port, strokes))
        finally:
            process.terminate()
            _, logged = process.communicate(timeout=20)
    found = re.search(r"strokes: (.*)", logged)
    own = found.group(1) if found else "not stated"
    return ServerReport(player, spectator, own, warm_s)


def _start(database: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "headstring", "serve", "--port", "0", "--workers", "1",
         "--database", str(database), "--time-scale", str(_TIME_SCALE)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


async def _play(port: int, strokes: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    async with asyncio.timeout(_LIMIT_S):
        seats = [await _enter(port, name) for name in ("Bench A", "Bench B", "Bench watcher")]
        rules = {"match": {"games_to_win": 99}, "three_foul": {"limit": 9}}
        await seats[0].ask(m.OpenTable, overrides=rules)
        await seats[0].until_seated()
        await seats[1].ask(m.JoinTable, table=seats[0].table)
        await seats[2].ask(m.WatchTable, table=seats[0].table)
        await seats[1].until_changed(0)
        sent: dict[int, float] = {}
        state = await _lag(seats)
        while len(sent) < strokes and state.phase is not Phase.MATCH_OVER:
            state = await _act(seats, state, sent)
        await seats[2].until_changed(state.version - 1)
        for seat in seats:
            await seat.close()
    players = tuple(sorted(_times(sent, seats[0].had)))
    return players, tuple(sorted(_times(sent, seats[2].had)))


def _times(sent: dict[int, float], had: dict[int, float]) -> list[float]:
    return [1000 * (had[shot] - at) for shot, at in sent.items() if shot in had]


async def _enter(port: int, name: str) -> _Seat:
    socket = await connect(f"ws://127.0.0.1:{port}", compression=None, max_size=None)
    seat = _Seat(socket)
    await socket.send(write_message(m.Hello(protocol=m.PROTOCOL, name=name)))
    return seat


async def _lag(seats: list[_Seat]) -> MatchState:
    """Lag until somebody has won it."""
    state = await seats[0].until_changed(1)
    while state.phase is Phase.LAG:
        for seat, speed in zip(seats[:2], (1.45, 1.4), strict=True):
            # Over the head rail from anywhere near the head string.
            level = Stroke(speed=speed, heading_deg=0.0, elevation_deg=6.0)
            await seat.give(c.Strike(stroke=level))
        state = await seats[0].until_changed(state.version + 2)
    return state


async def _act(seats: list[_Seat], state: MatchState, sent: dict[int, float]) -> MatchState:
    """Whoever is to act does the plain thing: the first option, a place, a stroke at the lowest."""
    actor = state.shooter if state.decider is None else state.decider
    seat = seats[1 if actor == 1 else 0]
    if state.decider is not None:
        await seat.give(c.Choose(option=state.options[0]))
    elif state.cue_in_hand != "none" and not state.cue_placed:
        x, y = (-0.8, 0.0) if state.cue_in_hand == "head" else _free_place(state)
        await seat.give(c.PlaceCue(x=x, y=y))
    else:
        speed = 9.0 if state.is_break else 3.0
        heading = _towards_lowest(state)
        table = TABLES[state.description.frame.preset]
        raised = least_elevation_at(table, state.balls, CUE, heading, (0.0, 0.0))
        stroke = Stroke(speed=speed, heading_deg=heading, elevation_deg=raised)
        sent[state.shot_number + 1] = time.perf_counter()
        await seat.give(c.Strike(stroke=stroke))
    changed = await seats[0].until_changed(state.version)
    await seats[1].until_changed(state.version)
    return changed


def _free_place(state: MatchState) -> tuple[float, float]:
    """Somewhere on a long line with room for the cue ball; nine balls can't fill it."""
    others = [at for ball, at in state.balls.items() if ball != CUE]
    places = ((-1.0 + 0.01 * n, 0.31) for n in range(200))
    return next(p for p in places if all(math.dist(p, at) > 0.08 for at in others))


def _towards_lowest(state: MatchState) -> float:
    cue = state.balls[CUE]
    target = state.balls[min(ball for ball in state.balls if ball != CUE)]
    return math.degrees(math.atan2(target[1] - cue[1], target[0] - cue[0]))
