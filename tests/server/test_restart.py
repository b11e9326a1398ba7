"""Restarts: asked for, or with SIGKILL in the middle of things; what was told is still true."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from server.pool import ShotFailed
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.match import replay
from shared_rules.state import Option, Phase, ShotClock, Stroke
from shared_rules.view import public_state
from tests.server import fake_physics as fake
from tests.server.bench_table import (
    eventually,
    in_loop,
    lag,
    real_lag,
    serving,
    table_after_break,
    two_players,
)
from tests.server.wire_client import WireClient

_ROOT = Path(__file__).parents[2]


class Process:
    """``headstring serve`` as a process of its own."""

    def __init__(self, database: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "headstring", "serve", "--port", "0", "--workers", "1",
             "--database", str(database), "--log-level", "warning", *options],
            cwd=_ROOT, stdout=subprocess.PIPE, text=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Headstring listens on ws://127.0.0.1:"), line
        self.port = int(line.rsplit(":", 1)[1])

    @classmethod
    async def start(cls, database: Path, *options: str) -> "Process":
        return await asyncio.to_thread(cls, database, *options)

    async def kill(self) -> None:
        """No warning at all (SIGKILL)."""
        self.process.kill()
        await self._over()

    async def stop(self) -> int:
        """Ask it to end, as Ctrl-C does; returns the exit status."""
        if sys.platform == "win32":
            self.process.send_signal(signal.CTRL_BREAK_EVENT)
        else:
            self.process.send_signal(signal.SIGINT)
        return await self._over()

    async def _over(self) -> int:
        code = await asyncio.to_thread(self.process.wait, 10)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


async def _back(port: int, gone: WireClient) -> WireClient:
    client = await WireClient.connect(port, token=gone.token)
    answer = await client.join(gone.table, last_seen=gone.seq)
    assert isinstance(answer, m.Accepted), answer
    return client


def test_sigkill_in_the_middle_of_a_match_loses_nothing_and_ctrl_c_is_a_goodbye(
    tmp_path: Path,
) -> None:
    @in_loop
    async def play() -> None:
        database = tmp_path / "db.sqlite3"
        server = await Process.start(database, "--time-scale", "20")
        ann, bob = await two_players(server)  # type: ignore[arg-type]
        state = await real_lag(ann, bob)
        breaker, shot = (ann if state.decider == 0 else bob), state.shot_number + 1
        await breaker.give(c.Choose(option=Option.BREAK))
        await breaker.until_state(lambda s: s.racked)
        await breaker.give(c.PlaceCue(x=-0.8, y=0.0))
        stroke = breaker.play(
            c.Strike(stroke=Stroke(speed=9.0, heading_deg=0.0, elevation_deg=4.0))
        )
        accepted = await breaker.ask_again(stroke)
        assert isinstance(accepted, m.Accepted)
        await server.kill()

        server = await Process.start(database, "--time-scale", "20")
        new_ann, new_bob = await _back(server.port, ann), await _back(server.port, bob)
        new_breaker = new_ann if breaker is ann else new_bob
        assert await new_breaker.ask_again(stroke) == accepted  # known, not played again
        state = await new_ann.until_state(
            lambda s: s.phase not in (Phase.SHOT_RUNNING, Phase.SUSPENDED)
        )
        assert state.shot_number == shot and state.last_ruling is not None
        assert state.last_ruling.shot == shot and state.last_ruling.first_contact == 1
        assert await new_bob.until_state(lambda s: s.version == state.version) == state
        assert await server.stop() == 0  # and no process is left behind
        for client in (new_ann, new_bob):
            await client.until_closed()
            assert isinstance(client.seen[-1], m.Goodbye) and client.seen[-1].come_back

    play()


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_restart_that_is_asked_for(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, shot_clock=ShotClock(limit_s=100.0))
        before = bob.state
        number = server.house.floor.tables[ann.table].room.history.seq
    assert before is not None
    async with serving(tmp_path) as server:
        assert list(server.house.floor.tables) == [ann.table]
        welcome = await (await WireClient.connect(server.port)).hello(token=ann.token)
        assert welcome.tables == (ann.table,) and welcome.name == "Ann"
        new_ann = await _back(server.port, ann)
        assert new_ann.snapshot is not None and new_ann.snapshot.seq > number
        state = new_ann.state
        assert state is not None and state.phase is Phase.SUSPENDED  # no clock runs meanwhile
        new_bob = await _back(server.port, bob)
        state = await new_bob.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert (state.balls, state.games, state.shooter) == (before.balls, before.games, 1)
        assert state.clock.deadline is not None
        left = state.clock.deadline - server.clock.now()
        assert 50.0 < left <= 100.0
        await new_bob.strike(fake.POT)
        await new_ann.until_state(lambda s: 1 not in s.balls)
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.description is not None
        assert public_state(replay(record.description, record.orders), None) == (
            await new_ann.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        )


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_waiting_table_is_still_open_after_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        await ann.open(private=True)
    async with serving(tmp_path) as server:
        bob = await WireClient.connect(server.port, "Bob")
        assert (await bob.join(ann.table)).code == "wrong_invitation"
        assert isinstance(await bob.join(ann.table, invitation=ann.invitation), m.Accepted)
        await bob.until_state(lambda s: s.phase is Phase.LAG)


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_stored_shot_goes_on_and_an_unstored_one_is_simulated_again(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, time_scale=0.1) as server:
        ann, bob = await two_players(server)
        await ann.strike(3.0)
        await bob.strike(2.0)
        await ann.until_state(lambda s: s.phase is Phase.SHOT_RUNNING)
        trajectory = ann.trajectories[1]
    async with serving(tmp_path) as server:
        pool = server.pool
        assert isinstance(pool, fake.InlinePool)
        new_ann, new_bob = await _back(server.port, ann), await _back(server.port, bob)
        await new_ann.until_state(lambda s: s.phase is Phase.LAG_CHOICE)
        assert pool.jobs == []
        await new_ann.give(c.Choose(option=Option.BREAK))
        await new_ann.until_state(lambda s: s.racked)
        await new_ann.give(c.PlaceCue(x=-0.8, y=0.1))
        stored = await server.store.matches.shots(ann.table)
        assert [s.trajectory for s in stored] == [trajectory]
        await _strike_and_die(server, new_ann)
        await new_bob.close()
    async with serving(tmp_path) as server:
        new_ann = await _back(server.port, ann)
        await new_ann.until_state(lambda s: s.phase is not Phase.SHOT_RUNNING)
        pool = server.pool
        assert isinstance(pool, fake.InlinePool) and len(pool.jobs) == 1
        assert len(await server.store.matches.shots(ann.table)) == 2


@in_loop
async def test_no_clock_runs_when_a_shot_ends_before_anybody_is_back(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, shot_clock=ShotClock(limit_s=5.0))
        assert isinstance(await bob.strike(fake.SAFE, fake.SLOW_DEG), m.Accepted)
        await ann.until_state(lambda s: s.phase is Phase.SHOT_RUNNING)
    async with serving(tmp_path) as server:
        keeper = server.house.floor.tables[ann.table].course.keeper
        assert keeper is not None
        await eventually(lambda: keeper.state.phase is Phase.SUSPENDED)
        assert keeper.state.last_ruling is not None and keeper.state.last_ruling.shot == 3
        await _back(server.port, bob)
        new_ann = await _back(server.port, ann)
        state = await new_ann.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert state.shooter == 0 and state.consecutive_fouls == (0, 0)


async def _strike_and_die(server: object, client: WireClient) -> None:
    """The stroke is in the log and acknowledged; then nothing more is written."""

    async def never(job: object) -> None:
        await asyncio.sleep(3600)
        raise ShotFailed("never")

    keeper = server.house.floor.tables[client.table].course.keeper  # type: ignore[attr-defined]
    keeper._run = never
    assert isinstance(await client.strike(fake.BREAK), m.Accepted)


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_answers_are_known_after_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        _, bob = await table_after_break(server)
        request = bob.play(c.DeclarePushOut())
        first = await bob.ask_again(request)
        assert isinstance(first, m.Accepted)
    async with serving(tmp_path) as server:
        new = await _back(server.port, bob)
        assert await new.ask_again(request) == first


@in_loop
async def test_a_log_that_cannot_be_read_does_not_keep_the_others_away(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server)
        await lag(ann, bob)
        dan = await WireClient.connect(server.port, "Dan")
        await dan.open()
    import sqlite3

    with sqlite3.connect(os.fspath(tmp_path / "server.sqlite3")) as connection:
        connection.execute("UPDATE orders SET body = x'00' WHERE number = 3")
    connection.close()
    async with serving(tmp_path) as server:
        assert list(server.house.floor.tables) == [dan.table]
        assert (await _join(server.port, ann)).code == "internal"


async def _join(port: int, gone: WireClient) -> object:
    client = await WireClient.connect(port, token=gone.token)
    return await client.join(gone.table)
