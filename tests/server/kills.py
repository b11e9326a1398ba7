"""SIGKILL at any instant: a server under load is killed again and again, and nothing is lost.

    python -m tests.server.kills --kills 50 --database sqlite        (make kills)

Real processes, real physics.  Players strike as fast as they are let, spectators watch; all come
back by themselves.  Everything that anybody was told is kept and held against the database in the
end: what was acknowledged is there once, states and trajectories are those that were announced,
and no clock ran out for the time that the server was down.
"""

import argparse
import asyncio
import contextlib
import math
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from physics.clearance import least_elevation_at
from physics.table import TABLES
from server.storage.store import Store
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.balls import CUE
from shared_rules.match import apply, new_match
from shared_rules.state import MatchState, Phase, ShotClock, Stroke
from shared_rules.view import public_state
from tests.server.databases import Cluster
from tests.server.wire_client import WireClient

_ROOT = Path(__file__).parents[2]
_SCALE = 20.0
_LIMIT_S = 300.0  # of a shot clock: no honest player runs into it, a lost one would


class Server:
    """A server that can be killed, and is then started again on the same port."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    async def start(self) -> None:
        command = [sys.executable, "-m", "headstring", "serve", "--port", str(self.port),
                   "--workers", "1", "--database", self.database, "--time-scale", str(_SCALE),
                   "--log-level", "error"]  # fmt: skip
        self.process = await asyncio.to_thread(
            subprocess.Popen, command, cwd=_ROOT, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        line = await asyncio.to_thread(self.process.stdout.readline)
        assert line.startswith("Headstring listens on"), line
        self.port = int(line.rsplit(":", 1)[1])

    async def end(self, number: int) -> None:
        assert self.process is not None and self.process.stdout is not None
        self.process.send_signal(number)
        await asyncio.to_thread(self.process.wait)
        self.process.stdout.close()


class Person:
    """Somebody who comes back whenever the line is cut.  ``clients``: one for each time."""

    def __init__(self, server: Server, name: str, seat: int | None) -> None:
        self.server = server
        self.name = name
        self.seat = seat
        self.table = ""
        self.clients: list[WireClient] = []
        self.accepted: list[tuple[m.Play, m.Accepted]] = []
        self.unanswered: m.Play | None = None
        self.back_s: list[float] = []

    @property
    def client(self) -> WireClient:
        return self.clients[-1]

    async def come(self) -> None:
        """Sign in, or come back: to the table as well, once there is one."""
        token = self.client.token if self.clients else ""
        began = time.monotonic()
        while True:
            with contextlib.suppress(OSError, AssertionError, TimeoutError):
                port = self.server.port
                new = await WireClient.connect(port, name="" if token else self.name, token=token)
                if self.table:
                    kind = m.WatchTable if self.seat is None else m.JoinTable
                    answer = await new.ask(kind, table=self.table)
                    assert isinstance(answer, m.Accepted), answer
                    new.table = self.table
                break
            await asyncio.sleep(0.05)
        if self.clients:
            self.back_s.append(time.monotonic() - began)
        self.clients.append(new)

    async def play(self, luck: random.Random) -> None:
        """Do what is to be done, for ever; a request without an answer is sent again."""
        while True:
            try:
                if self.client._task.done():
                    await self.come()
                if self.unanswered is not None:
                    await self._send(self.unanswered)
                elif (command := self._command(luck)) is not None:
                    state = self.client.state
                    version = state.version if state is not None else None
                    await self._send(self.client.play(command, version=version))
                else:
                    await asyncio.sleep(0.01)
            except Exception as error:
                if not self.client._task.done() and not _cut(error):
                    raise
                await asyncio.sleep(0.02)

    async def _send(self, request: m.Play) -> None:
        self.unanswered = request
        answer = await self.client.ask_again(request)
        if isinstance(answer, m.Accepted):
            self.accepted.append((request, answer))
        elif answer.fault == "server":
            return  # again, later
        self.unanswered = None
        await asyncio.sleep(0.005)

    def _command(self, luck: random.Random) -> c.PlayerCommand | None:
        state = self.client.state
        if state is None or self.seat is None:
            return None
        if state.phase is Phase.LAG and state.lag is not None:
            if state.lag.struck[self.seat]:
                return None
            speed = 1.45 - 0.1 * self.seat
            return c.Strike(stroke=Stroke(speed=speed, heading_deg=0.0, elevation_deg=6.0))
        if state.decider == self.seat:
            return c.Choose(option=state.options[0])
        if state.decider is not None or state.shooter != self.seat or state.running is not None:
            return None
        if state.phase is Phase.PLACE_CUE_FOR_BREAK and not state.racked:
            return None
        if state.cue_in_hand != "none" and not state.cue_placed:
            x, y = (-0.8, 0.0) if state.cue_in_hand == "head" else _free_place(state)
            return c.PlaceCue(x=x, y=y)
        return _stroke(state, luck)


def _cut(error: Exception) -> bool:
    return isinstance(error, OSError | AssertionError | TimeoutError) or "close" in str(error)


def _free_place(state: MatchState) -> tuple[float, float]:
    others = [at for ball, at in state.balls.items() if ball != CUE]
    places = ((-1.0 + 0.01 * n, 0.31) for n in range(200))
    return next(p for p in places if all(math.dist(p, at) > 0.08 for at in others))


def _stroke(state: MatchState, luck: random.Random) -> c.Strike | None:
    if CUE not in state.balls:
        return None
    cue = state.balls[CUE]
    target = state.balls[min(ball for ball in state.balls if ball != CUE)]
    heading = math.degrees(math.atan2(target[1] - cue[1], target[0] - cue[0]))
    table = TABLES[state.description.frame.preset]
    raised = least_elevation_at(table, state.balls, CUE, heading, (0.0, 0.0))
    speed = 9.0 if state.is_break else luck.uniform(1.0, 5.0)
    return c.Strike(stroke=Stroke(speed=speed, heading_deg=heading, elevation_deg=raised))


class Crowd:
    """Tables of two players and a spectator each."""

    def __init__(self, server: Server, tables: int, seed: int) -> None:
        self.luck = random.Random(seed)
        self.tables = [
            [Person(server, f"{role} {number}", seat) for role, seat in
             (("Ann", 0), ("Bob", 1), ("Eve", None))]
            for number in range(tables)
        ]  # fmt: skip

    @property
    def people(self) -> list[Person]:
        return [person for table in self.tables for person in table]

    async def sit_down(self) -> None:
        rules = {"match": {"games_to_win": 99}, "three_foul": {"limit": 9}}
        for ann, bob, eve in self.tables:
            for person in (ann, bob, eve):
                await person.come()
            name = await ann.client.open(overrides=rules, shot_clock=ShotClock(limit_s=_LIMIT_S))
            await bob.client.join(name)
            await eve.client.watch(name)
            for person in (ann, bob, eve):
                person.table = name

    def start(self) -> list[asyncio.Task[None]]:
        return [asyncio.create_task(person.play(self.luck)) for person in self.people]


async def run(url: str, kills: int, tables: int = 3, seed: int = 1) -> dict[str, float]:
    """Play, kill, check; figures by name.

    Raises:
        AssertionError: something that was told isn't true.
    """
    server = Server(url)
    await server.start()
    try:
        return await _run(server, kills, Crowd(server, tables, seed))
    finally:
        if server.process is not None:
            server.process.kill()


async def _run(server: Server, kills: int, crowd: Crowd) -> dict[str, float]:
    await crowd.sit_down()
    playing = crowd.start()
    for _ in range(kills):
        await asyncio.sleep(crowd.luck.uniform(0.2, 2.0))
        await server.end(signal.SIGKILL)
        await server.start()
        for task in playing:
            if task.done():
                task.result()
    await asyncio.sleep(2.0)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await server.end(signal.SIGTERM)
    figures = await _check(server.database, crowd)
    back = sorted(s for person in crowd.people for s in person.back_s)
    figures |= {"kills": kills, "back, median s": back[len(back) // 2], "back, most s": back[-1]}
    return figures


async def _check(url: str, crowd: Crowd) -> dict[str, float]:
    """Hold what was told against the database."""
    store = await Store.open(url)
    counts = {"acknowledged": 0, "announced": 0, "orders": 0, "shots": 0, "trajectories": 0}
    for table in crowd.tables:
        name = table[0].table
        record = await store.matches.load(name)
        assert record is not None and record.description is not None
        states = [new_match(record.description)]
        for order in record.orders:
            states.append(apply(states[-1], order).state)
        stored = {shot.shot: shot.trajectory for shot in await store.matches.shots(name)}
        counts["orders"] += len(record.orders)
        counts["shots"] += len(stored)
        requests: list[int] = []
        for person in table:
            for request, answer in person.accepted:
                assert answer.version is not None and answer.version <= len(record.orders), (
                    f"{person.name} was told {answer}, and {name} has {len(record.orders)} orders"
                )
                order = record.orders[answer.version - 1]
                assert order.command == request.command, f"{person.name}: {request} is {order}"
                requests.append(answer.version)
            for client in person.clients:
                try:
                    check_told(client, person.seat, states, stored, counts)
                except AssertionError as error:
                    raise AssertionError(f"{person.name} at {name}: {error}") from error
                assert not client.said("clock_ran_out"), f"{person.name}: somebody's time ran out"
        twice = [version for version, count in Counter(requests).items() if count > 1]
        assert not twice, f"two requests at {name} were answered by the same order: {twice}"
        counts["acknowledged"] += len(requests)
    await store.close()
    return {name: float(count) for name, count in counts.items()}


def check_told(
    client: WireClient,
    seat: int | None,
    states: list[MatchState],
    stored: dict[int, bytes],
    counts: dict[str, int],
) -> None:
    """Everything that a client was told is in the log: its states, and its trajectories.

    ``states``: after each order; ``stored``: trajectories by shot.
    """
    for message in client.seen:
        state = getattr(message, "state", None)
        if isinstance(message, m.RoomEvent):
            state = client.state_after(message)
        if state is not None:
            number = state.version
            assert number < len(states), f"state {number} was told and is not stored"
            stored_one = public_state(states[number], seat)  # type: ignore[arg-type]
            assert stored_one == state, f"state {number} is {stored_one}, told was {state}"
            counts["announced"] += 1
        flight = getattr(message, "in_flight", None)
        if flight is not None:
            assert flight.shot in stored, f"shot {flight.shot} was told and is not stored"
            same = stored[flight.shot] == flight.trajectory
            assert same, f"another trajectory of shot {flight.shot} was told than is stored"
            counts["trajectories"] += 1


def main(arguments: list[str] | None = None) -> int:
    """Run on the databases asked for; prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), action="append")
    options = parser.parse_args(arguments)
    for kind in options.database or ["sqlite", "postgresql"]:
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            url = f"sqlite+aiosqlite:///{folder}/db.sqlite3"
            if kind == "postgresql":
                cluster = Cluster(durable=True)
                stack.callback(cluster.close)
                url = cluster.new_database()
            began = time.monotonic()
            try:
                figures = asyncio.run(run(url, options.kills, options.tables, options.seed))
            except (AssertionError, TimeoutError) as error:
                if kind == "sqlite":
                    kept = shutil.copytree(folder, tempfile.mkdtemp(), dirs_exist_ok=True)
                    print(f"the database is kept in {kept}", flush=True)
                raise SystemExit(f"{kind}, seed {options.seed}: {error or repr(error)}") from error
            figures["minutes"] = (time.monotonic() - began) / 60
        print(kind, ", ".join(f"{name} {value:g}" for name, value in figures.items()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
