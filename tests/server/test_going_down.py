"""SIGTERM: what becomes of shots in flight, of clocks, and of who is connected."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest

from client.net.link import Link
from client.net.session import LinkEvent, Session
from server import systemd
from server.config import database_url
from server.storage.store import Store
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import MatchState, Phase, ShotClock, Stroke
from tests.server import fake_physics as fake
from tests.server.bench_table import eventually, in_loop, pause_in_log, serving, table_after_break
from tests.server.lobby.test_challenges import SHORT
from tests.server.rating.rated import lose, match
from tests.server.wire_client import RAISED_DEG, WireClient

_ROOT = Path(__file__).parents[2]
_TABLES = 50
_SCALE = 2.0
_LIMIT_S = 100.0
_PATIENCE_S = 240.0  # two servers load, on a machine that may be busy


class FakeProcess:
    """A server with fake physics as a process, on a port that stays the same.

    As a context it is ended at the end, if it still runs then.
    """

    def __init__(self, database: str, port: int) -> None:
        self.port = port
        words = [sys.executable, "-m", "tests.server.fake_server", str(port), database, str(_SCALE)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(words, cwd=_ROOT, stdin=pipe, stdout=pipe, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failed: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def start(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write("go\n")
        self.process.stdin.close()
        assert "listens" in self.process.stdout.readline()

    async def terminate(self) -> int:
        return await self.end(signal.SIGTERM)

    async def end(self, number: int) -> int:
        """End it by a signal; returns the exit status."""
        self.process.send_signal(number)
        code = await asyncio.to_thread(self.process.wait, 60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


class _Player:
    """Our own client without a window: whatever it does after a cut it does by itself."""

    def __init__(self, port: int, name: str) -> None:
        self.session = Session(name)
        self.link = Link(f"ws://127.0.0.1:{port}", self._deliver, back_off_s=(0.2,))
        self.task = asyncio.create_task(self.link.run())
        self.news = asyncio.Event()

    def _deliver(self, event: LinkEvent) -> None:
        self.session.handle(event)
        self.flush()
        self.news.set()

    def flush(self) -> None:
        for message in self.session.take_outgoing():
            self.link.send(message)

    @property
    def state(self) -> MatchState | None:
        return self.session.view.state if self.session.view is not None else None

    @property
    def phase(self) -> Phase | None:
        return self.state.phase if self.state is not None else None

    async def until(self, wanted: Callable[[], bool]) -> None:
        while not wanted():
            self.news.clear()
            await self.news.wait()

    def strike(self, speed: float, heading_deg: float) -> None:
        stroke = Stroke(speed=speed, heading_deg=heading_deg, elevation_deg=RAISED_DEG)
        self.session.play(c.Strike(stroke=stroke), unchanged=False)
        self.flush()

    async def close(self) -> None:
        self.link.close()
        await self.task


async def _lag_runs(port: int, number: int) -> tuple[_Player, _Player]:
    """Two players whose lag runs: for 1.5 s, or for 15."""
    ann, bob = _Player(port, f"Ann {number}"), _Player(port, f"Bob {number}")
    ann.session.open_table(shot_clock=ShotClock(limit_s=30.0))
    await ann.until(lambda: ann.session.view is not None and ann.session.view.known)
    assert ann.session.view is not None
    bob.session.join(ann.session.view.table)
    bob.flush()
    heading = fake.ENDLESS_DEG if number % 2 else fake.SLOW_DEG
    for player, speed in ((ann, 3.0), (bob, 2.0)):
        await player.until(lambda player=player: player.phase is Phase.LAG)
        player.strike(speed, heading)
    for player in (ann, bob):
        await player.until(lambda player=player: player.phase is Phase.SHOT_RUNNING)
    return ann, bob


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM there")
def test_br_118_sigterm_during_fifty_live_shots_costs_nobody_anything(tmp_path: Path) -> None:
    """BR-118: half of the shots end within the grace, half don't; no match is lost by it."""
    asyncio.run(asyncio.wait_for(_fifty_live_shots(tmp_path), _PATIENCE_S))


async def _fifty_live_shots(tmp_path: Path) -> None:
    database, port = database_url(str(tmp_path / "db.sqlite3")), free_port()
    with FakeProcess(database, port) as server, FakeProcess(database, port) as next_server:
        await _fifty_through(server, next_server, database)


async def _fifty_through(server: FakeProcess, next_server: FakeProcess, database: str) -> None:
    port = server.port
    await asyncio.to_thread(server.start)
    # the short ones last, so that they run when the signal comes
    long = await asyncio.gather(*(_lag_runs(port, n) for n in range(1, _TABLES, 2)))
    short = await asyncio.gather(*(_lag_runs(port, n) for n in range(0, _TABLES, 2)))
    everybody = [player for pair in (*long, *short) for player in pair]

    assert await server.terminate() == 0
    assert all(p.session.phase == "lost" for p in everybody)  # and trying again by itself
    store = await Store.open(database)
    for pair in (*long, *short):
        assert pair[0].session.view is not None
        record = await store.matches.load(pair[0].session.view.table)
        assert record is not None and record.status == "running" and record.last_shot is not None
        orders = [order.command for order in record.orders]
        assert not [order for order in orders if isinstance(order, c.AwardLoss)]
        judged = any(isinstance(order, c.FinishShot) for order in orders)
        assert judged == (pair in short), orders[-2:]
    await store.close()

    await asyncio.to_thread(next_server.start)
    for player in everybody:
        await player.until(lambda player=player: player.session.phase == "ready")
    for pair in short:
        for player in pair:
            await player.until(lambda player=player: player.phase is Phase.LAG_CHOICE)
            assert player.state is not None and player.state.decider == 0
    for pair in long:
        for player in pair:
            view = player.session.view
            running = player.phase is Phase.SHOT_RUNNING and view is not None and view.shot
            # fifteen seconds: over, where a hundred people took longer than that to come back
            assert running or player.phase is Phase.LAG_CHOICE
    for player in everybody:
        assert player.state is not None and player.state.games == (0, 0)
        await player.close()
    assert await next_server.terminate() == 0


@in_loop
async def test_while_it_goes_down_nothing_begins_and_nobody_is_let_in(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=2.0) as server:
        ann, bob = await table_after_break(server, shot_clock=ShotClock(limit_s=_LIMIT_S))
        await bob.strike(fake.SAFE, fake.SLOW_DEG)
        dan = await WireClient.connect(server.port, "Dan")
        going = asyncio.create_task(server.stop(5.0))
        await eventually(lambda: server.house.stopping)
        assert (await dan.ask(m.OpenTable)).code == "shutting_down"
        assert (await dan.watch(ann.table)).code == "shutting_down"
        assert (await ann.give(c.Concede())).code == "shutting_down"
        with pytest.raises(Exception, match="503"):
            await WireClient.connect(server.port)
        await going
        await ann.until_closed()
        assert ann.rulings and isinstance(ann.seen[-1], m.Goodbye) and ann.seen[-1].come_back
        state = ann.state
        assert state is not None and state.phase is Phase.SUSPENDED and state.shooter == 0
        assert state.last_ruling is not None and state.clock.deadline is None
    async with serving(tmp_path, time_scale=2.0) as server:
        new = [await WireClient.connect(server.port, token=one.token) for one in (ann, bob)]
        for client in new:
            assert isinstance(await client.join(ann.table), m.Accepted)
        state = await new[0].until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert state.consecutive_fouls == (0, 0) and state.clock.deadline is not None
        paused, resumed = await pause_in_log(server, ann.table)
        after = [ann.state_after(x).clock for x in ann.seen if isinstance(x, m.RoomEvent)]
        ran = [clock.deadline for clock in after if clock.deadline is not None][-1]
        assert state.clock.deadline - resumed == pytest.approx(ran - paused)
        assert 0.0 <= _LIMIT_S - (ran - paused) < 5.0, "stopped when the shot was judged"


@in_loop
async def test_while_it_goes_down_no_match_begins_in_any_way(tmp_path: Path) -> None:
    """An accepted challenge, a rematch, a quick match: what was offered goes with the server."""
    async with serving(tmp_path) as server:
        names = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay")
        ann, bob, cid, dan, eve, fay = [await WireClient.connect(server.port, n) for n in names]
        over = await match(ann, bob, SHORT)
        await lose(bob, ann)
        await ann.ask(m.Rematch, table=over)
        challenge = await cid.ask(m.Challenge, who="Dan", terms=SHORT)
        tables = set(server.house.floor.tables)
        server.house.floor.stopping = True
        assert (await bob.ask(m.Rematch, table=over)).code == "shutting_down"
        answer = m.AnswerChallenge(id=dan.next_id(), challenge=challenge.challenge, accept=True)
        assert (await dan.ask_again(answer)).code == "shutting_down"
        for client in (eve, fay):
            await client.ask(m.QuickMatch, terms=SHORT)
        await asyncio.sleep(1.2)  # the lobby has looked twice
        assert set(server.house.floor.tables) == tables and len(server.house.lobby.queue) == 2
        everybody = (ann, bob, cid, dan, eve, fay)
        found = [x for client in everybody for x in client.seen if isinstance(x, m.MatchFound)]
        assert all(x.table == over for x in found)


@in_loop
async def test_a_second_signal_waits_for_no_shot(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=2.0) as server:
        _, bob = await table_after_break(server)
        await bob.strike(fake.SAFE, fake.ENDLESS_DEG)  # 15 s
        hasten = asyncio.Event()
        going = asyncio.create_task(server.stop(60.0, hasten))
        await eventually(lambda: server.house.stopping)
        await asyncio.sleep(0.1)
        assert not going.done()
        hasten.set()
        async with asyncio.timeout(8):
            await going


@in_loop
async def test_a_shot_that_ends_too_late_is_not_waited_for(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=2.0) as server:
        _, bob = await table_after_break(server)
        await bob.strike(fake.SAFE, fake.ENDLESS_DEG)  # 15 s
        async with asyncio.timeout(8):
            await server.stop(10.0)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such socket there")
def test_systemd_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        systemd.notify("READY=1")
        assert listening.recv(100) == b"READY=1"
        monkeypatch.setenv("WATCHDOG_USEC", "40000")
        monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))

        async def feed() -> None:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(systemd.feed_watchdog(), 0.1)

        asyncio.run(feed())
        assert listening.recv(100) == b"WATCHDOG=1" and listening.recv(100) == b"WATCHDOG=1"
        monkeypatch.setenv("WATCHDOG_PID", "1")
        asyncio.run(asyncio.wait_for(systemd.feed_watchdog(), 1))  # another's watchdog
    systemd.notify("READY=1")  # nobody listens any more: no error
    monkeypatch.delenv("NOTIFY_SOCKET")
    systemd.notify("READY=1")
