"""Players for the bench, in a process of their own: pairs that play one stroke after the other.

They read messages without their schema, which costs a tenth of the time, and do the plain thing:
the first option, a free place, a stroke at the lowest ball.
"""

import asyncio
import gc
import math
import random
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import msgpack

from physics.clearance import least_elevation_at
from physics.table import TABLES
from server.bench.line import Line
from server.speed import loop_factory
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.balls import CUE
from shared_rules.state import Phase, Stroke
from shared_rules.wire import write_message

State = dict[str, Any]
_MOVING = tuple(
    phase.value for phase in (Phase.SHOT_RUNNING, Phase.GAME_OVER, Phase.SET_OVER,
                              Phase.BETWEEN_GAMES, Phase.WAITING_FOR_PLAYERS, Phase.RERACK)
)  # fmt: skip
_RULES = {"match": {"games_to_win": 99}, "three_foul": {"limit": 9}}
_PATIENCE_S = 120.0
_TRIES = 20


@dataclass(frozen=True)
class Stroked:
    """A stroke and its trajectory: seconds of ``time.perf_counter``, one machine's processes share.

    ``had``: when each player had it.
    """

    shot: int
    sent: float
    had: tuple[float, float]

    @property
    def ms(self) -> float:
        """From the stroke to the later of the two."""
        return 1000 * (max(self.had) - self.sent)


@dataclass
class Played:
    """What the players of some tables have seen, up to now.

    ``cpu_s``: of their process.
    """

    strokes: list[Stroked] = field(default_factory=list)
    received_bytes: int = 0
    refused: int = 0
    cpu_s: float = 0.0


class Seat(Line):
    """One player's connection; keeps the table's state and when each trajectory came."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.table = ""
        self.state: State | None = None
        self.had: dict[int, float] = {}
        self.refused = ""
        self._name = name
        self._ids = time.time_ns() // 1000
        self._news = asyncio.Event()
        self._entered: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def enter(cls, port: int, name: str) -> "Seat":
        """Connect and sign in."""
        loop = asyncio.get_running_loop()
        _, seat = await loop.create_connection(lambda: cls(name), "127.0.0.1", port)
        async with asyncio.timeout(_PATIENCE_S):
            await seat._entered
        return seat

    def opened(self) -> None:
        self.say(write_message(m.Hello(protocol=m.PROTOCOL, name=self._name)))
        self._entered.set_result(None)

    def ask(self, kind: type, **fields: object) -> None:
        """Send a request."""
        self._ids += 1
        self.refused = ""
        self.say(write_message(kind(id=self._ids, **fields)))

    def give(self, command: c.PlayerCommand) -> None:
        """Send a command for the table."""
        self.ask(m.Play, table=self.table, command=command)

    async def until_changed(self, version: int) -> State:
        """The state once it is newer than ``version`` and somebody is to act, or after a refusal.

        Raises:
            TimeoutError: nothing has come for two minutes.
        """
        async with asyncio.timeout(_PATIENCE_S):
            while not self.refused and (
                self.state is None or self.state["version"] <= version or _busy(self.state)
            ):
                await self._next()
        if self.state is None:
            raise RuntimeError(f"the server refused: {self.refused}")
        return self.state

    async def until_seated(self) -> None:
        """Return once the table is known."""
        async with asyncio.timeout(_PATIENCE_S):
            while not self.table and not self.refused:
                await self._next()
        if self.refused:
            raise RuntimeError(f"the server refused: {self.refused}")

    async def until_had(self, shot: int) -> float:
        """When the trajectory of a shot came."""
        async with asyncio.timeout(_PATIENCE_S):
            while shot not in self.had:
                await self._next()
        return self.had.pop(shot)

    def lost(self, error: Exception | None) -> None:
        self.refused = f"the connection is closed: {error}"
        self._news.set()

    def take(self, data: bytes, now: float) -> None:
        message: dict[str, Any] = msgpack.unpackb(data, strict_map_key=False)
        kind = message["m"]
        if kind in ("snapshot", "room_event"):
            self.table = message["table"]
            if kind == "snapshot":
                self.state = message["state"]
            else:
                self.state = {**(self.state or {}), **message["changes"]}
            flight = message["in_flight"]
            if flight is not None:
                self.had[flight["shot"]] = now
        elif kind == "accepted" and message["table"]:
            self.table = message["table"]
        elif kind == "refused":
            self.refused = message["message"]
        self._news.set()

    async def _next(self) -> None:
        self._news.clear()
        await self._news.wait()


def _busy(state: State) -> bool:
    unracked = state["phase"] == Phase.PLACE_CUE_FOR_BREAK.value and not state["racked"]
    return state["phase"] in _MOVING or unracked


class Pair:
    """Two players at a table of their own."""

    def __init__(self, number: int, played: Played) -> None:
        self.number = number
        self.seats: list[Seat] = []
        self._luck = random.Random(number)
        self._played = played

    async def play(self, port: int, wait_s: float, opened: "asyncio.Queue[str] | None") -> None:
        """Sit down after some seconds and play until cancelled."""
        await asyncio.sleep(wait_s)
        for side in "AB":
            self.seats.append(await Seat.enter(port, f"Bench {self.number} {side}"))
        first, second = self.seats
        first.ask(m.OpenTable, overrides=_RULES)
        await first.until_seated()
        second.ask(m.JoinTable, table=first.table)
        await second.until_seated()
        if opened is not None:
            opened.put_nowait(first.table)
        state = await self._lag()
        while True:
            state = await self._act(state)

    async def _lag(self) -> State:
        """Lag until somebody has won it."""
        first, second = self.seats
        state = await first.until_changed(0)
        await second.until_changed(0)
        while state["phase"] == Phase.LAG.value:
            for seat, speed in zip(self.seats, (1.45, 1.4), strict=True):
                # Over the head rail from anywhere near the head string.
                speed += self._luck.uniform(-0.02, 0.02)
                seat.give(c.Strike(stroke=Stroke(speed=speed, heading_deg=0.0, elevation_deg=6.0)))
            state = await first.until_changed(state["version"] + 2)
        return state

    async def _act(self, state: State) -> State:
        """Whoever is to act does the plain thing."""
        decider = state["decider"]
        actor = state["shooter"] if decider is None else decider
        seat = self.seats[1 if actor == 1 else 0]
        await seat.until_changed(state["version"] - 1)
        if decider is not None:
            seat.give(c.Choose(option=state["options"][0]))
        elif state["cue_in_hand"] != "none" and not state["cue_placed"]:
            seat.give(self._placing(state))
        else:
            return await self._strike(seat, state)
        return await self._follow(seat, state)

    async def _strike(self, seat: Seat, state: State) -> State:
        stroke = self._stroke(state)
        shot = state["shot_number"] + 1
        sent = time.perf_counter()
        seat.give(c.Strike(stroke=stroke))
        after = await self._follow(seat, state)
        if after["version"] > state["version"]:
            had = [await one.until_had(shot) for one in self.seats]
            self._played.strokes.append(Stroked(shot, sent, (had[0], had[1])))
        return after

    async def _follow(self, seat: Seat, state: State) -> State:
        """The state after it; the same when it was refused."""
        after = await seat.until_changed(state["version"])
        if seat.refused:
            self._played.refused += 1
            await asyncio.sleep(0.05)  # a mistake of ours must not become a flood
        return after

    def _placing(self, state: State) -> c.PlaceCue:
        others = [at for ball, at in state["balls"].items() if ball != CUE]
        for _ in range(_TRIES):
            at = (-0.8, self._luck.uniform(-0.3, 0.3))
            if state["cue_in_hand"] != "head":
                at = (self._luck.uniform(-1.1, 1.1), self._luck.uniform(-0.5, 0.5))
            if all(math.dist(at, other) > 0.08 for other in others):
                break
        return c.PlaceCue(x=at[0], y=at[1])

    def _stroke(self, state: State) -> Stroke:
        balls = {ball: (at[0], at[1]) for ball, at in state["balls"].items()}
        cue = balls[CUE]
        target = balls[min(ball for ball in balls if ball != CUE)]
        heading = math.degrees(math.atan2(target[1] - cue[1], target[0] - cue[0]))
        heading += self._luck.uniform(-1.0, 1.0)
        speed = 9.0 if state["is_break"] else self._luck.uniform(1.5, 5.0)
        table = TABLES[state["description"]["frame"]["preset"]]
        raised = least_elevation_at(table, balls, CUE, heading, (0.0, 0.0))
        return Stroke(speed=speed, heading_deg=heading, elevation_deg=raised)


def main(pipe: Connection, port: int, pairs: int, ramp_s: float) -> None:
    """Play until told ``stop``; ``tables``, ``read`` ask for the tables, and what was seen."""
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(_main(pipe, port, pairs, ramp_s))


async def _main(pipe: Connection, port: int, pairs: int, ramp_s: float) -> None:
    gc.freeze()
    gc.set_threshold(100_000, 50, 1000)
    loop = asyncio.get_running_loop()
    played, worked = Played(), 0.0
    opened: asyncio.Queue[str] = asyncio.Queue()
    everyone = [Pair(number, played) for number in range(pairs)]
    tasks = [
        asyncio.create_task(pair.play(port, ramp_s * pair.number / pairs, opened))
        for pair in everyone
    ]
    while (word := await loop.run_in_executor(None, pipe.recv)) != "stop":
        failed = next((t for t in tasks if t.done() and t.exception() is not None), None)
        if failed is not None:
            pipe.send(RuntimeError(f"a player failed: {failed.exception()!r}"))
        elif word == "tables":
            pipe.send([await opened.get() for _ in range(pairs)])
        else:
            seats = [seat for pair in everyone for seat in pair.seats]
            worked, before = time.process_time(), worked
            received = sum(seat.bytes for seat in seats)
            pipe.send(Played(played.strokes, received, played.refused, worked - before))
            played.strokes = []
            for seat in seats:
                seat.bytes = 0
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for pair in everyone:
        for seat in pair.seats:
            seat.leave()
