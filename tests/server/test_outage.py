"""Databases that break: a commit whose outcome isn't known, a disk that takes nothing, restarts.

Nothing is told that isn't stored, nobody loses time to it, and the match goes on by itself.
"""

import asyncio
import logging
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from sqlalchemy import Connection, event
from sqlalchemy.exc import DBAPIError, OperationalError

from server.app import MatchServer
from server.storage import database
from server.storage.journal import NotStored
from server.storage.people import new_person
from server.storage.records import PersonRecord, ShotRecord
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import ShotClock, Stroke
from shared_rules.view import public_state
from tests.server import fake_physics as fake
from tests.server.bench_table import eventually, in_loop, serving, table_after_break
from tests.server.commit_proxy import CommitProxy
from tests.server.databases import Cluster, standing_for
from tests.server.wire_client import RAISED_DEG, WireClient

Side = Literal["before", "after"]


def _stroke(client: WireClient, speed: float = fake.POT) -> m.Play:
    return client.play(
        c.Strike(stroke=Stroke(speed=speed, heading_deg=0.0, elevation_deg=RAISED_DEG))
    )


async def _check_once(server: MatchServer, request: m.Play, shots: int) -> None:
    """A request is in the log once, and so is every shot."""
    record = await server.store.matches.load(request.table)
    assert record is not None
    strokes = [o for o in record.orders if isinstance(o.command, c.Strike)]
    assert sum(order.command == request.command for order in strokes) == 1
    assert len(await server.store.matches.shots(request.table)) == shots


@pytest.mark.parametrize("side", ["before", "after"])
def test_the_line_to_postgresql_breaks_at_a_commit(
    tmp_path: Path, cluster: Cluster, side: Side
) -> None:
    @in_loop
    async def play() -> None:
        async with (
            CommitProxy(cluster) as proxy,
            serving(tmp_path, database=proxy.url) as server,
        ):
            ann, bob = await table_after_break(server)
            before = bob.state
            request = _stroke(bob)
            proxy.cut = side
            answer = await bob.ask_again(request)
            assert proxy.cuts == 1
            if side == "before":  # it didn't happen, and the same may be sent again
                assert isinstance(answer, m.Refused) and answer.code == "internal"
                keeper = server.house.floor.tables[bob.table].course.keeper
                assert keeper is not None and public_state(keeper.state, None) == before
                assert isinstance(await bob.ask_again(request), m.Accepted)
            else:
                assert isinstance(answer, m.Accepted)
            for client in (ann, bob):
                await client.until_state(lambda s: 1 not in s.balls and s.running is None)
            await _check_once(server, request, shots=3)
            assert isinstance(await bob.strike(fake.SAFE), m.Accepted)

    play()


@contextmanager
def _broken_commit(server: MatchServer, side: Side) -> Iterator[None]:
    """The journal's next commit reports an I/O error, before or after it has happened."""
    commit, broken = Connection.commit, server.store.journal.writer.connection

    def once(connection: Connection) -> None:
        if connection is not broken:
            commit(connection)
            return
        if side == "after":
            commit(connection)
        raise OperationalError("COMMIT", None, sqlite3.OperationalError("disk I/O error"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "commit", once)
        yield


@pytest.mark.parametrize("side", ["before", "after"])
def test_sqlite_reports_an_error_of_the_disk_at_a_commit(tmp_path: Path, side: Side) -> None:
    @in_loop
    async def play() -> None:
        async with serving(tmp_path) as server:
            _, bob = await table_after_break(server)
            request = _stroke(bob)
            with _broken_commit(server, side):
                answer = await bob.ask_again(request)
            assert isinstance(answer, m.Refused if side == "before" else m.Accepted)
            if side == "before":
                assert isinstance(await bob.ask_again(request), m.Accepted)
            await bob.until_state(lambda s: 1 not in s.balls and s.running is None)
            await _check_once(server, request, shots=3)

    play()


@pytest.mark.parametrize("side", ["before", "after"])
def test_a_table_in_doubt_is_silent_until_the_database_answers(
    tmp_path: Path, cluster: Cluster, side: Side
) -> None:
    """Others are refused at once meanwhile, and the clock stands still."""

    @in_loop
    async def play() -> None:
        async with (
            CommitProxy(cluster) as proxy,
            serving(tmp_path, database=proxy.url) as server,
        ):
            ann, bob = await table_after_break(server, shot_clock=ShotClock(limit_s=100.0))
            dan = await WireClient.connect(server.port, "Dan")
            request = _stroke(bob)
            proxy.cut, proxy.closed = side, True
            told = len(ann.seen)
            asked = asyncio.create_task(bob.ask_again(request))
            await eventually(lambda: server.store.journal.outage is not None)
            refused = await dan.ask(m.OpenTable)
            assert isinstance(refused, m.Refused) and refused.code == "internal"
            clock = server.clock.now()
            await asyncio.sleep(0.3)
            assert server.clock.now() == clock  # scaled ten times, it would have gone on 3 s
            assert not asked.done()
            assert not [x for x in ann.seen[told:] if isinstance(x, m.RoomEvent)]
            proxy.closed = False
            answer = await asked
            assert isinstance(answer, m.Refused if side == "before" else m.Accepted)
            assert server.store.journal.outage is None
            if side == "before":
                assert isinstance(await bob.ask_again(request), m.Accepted)
            await ann.until_state(lambda s: 1 not in s.balls and s.running is None)
            await _check_once(server, request, shots=3)
            assert isinstance(await dan.ask(m.OpenTable), m.Accepted)

    play()


def test_a_server_in_doubt_can_be_stopped_and_the_next_one_knows(
    tmp_path: Path, cluster: Cluster
) -> None:
    @in_loop
    async def play() -> None:
        async with CommitProxy(cluster) as proxy:
            async with serving(tmp_path, database=proxy.url) as server:
                _, bob = await table_after_break(server)
                request = _stroke(bob)
                proxy.cut, proxy.closed = "after", True
                asked = asyncio.create_task(bob.ask_again(request))
                await eventually(lambda: server.store.journal.outage is not None)
            asked.cancel()
            proxy.closed = False
            async with serving(tmp_path, database=proxy.url) as server:
                back = await WireClient.connect(server.port, token=bob.token)
                assert isinstance(await back.join(bob.table), m.Accepted)
                assert isinstance(await back.ask_again(request), m.Accepted)
                await eventually(
                    lambda: 1 not in server.house.floor.tables[bob.table].course.keeper.state.balls  # type: ignore[union-attr]
                )
                await _check_once(server, request, shots=3)

    play()


@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_postgresql_restarts_in_the_middle_of_a_match(
    tmp_path: Path, cluster: Cluster, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The log tells of it in two lines, however much is asked for meanwhile."""

    @in_loop
    async def play() -> None:
        async with serving(tmp_path, database=cluster.new_database()) as server:
            ann, bob = await table_after_break(server)
            await asyncio.to_thread(cluster.stop, how)
            try:
                request = _stroke(bob)
                for _ in range(3):
                    answer = await bob.ask_again(request)
                    assert isinstance(answer, m.Refused) and answer.code == "internal"
                assert server.store.journal.outage is not None
                # what only reads is refused as well
                listed = await bob.ask(m.ListReplays)
                assert isinstance(listed, m.Refused) and listed.code == "internal"
            finally:
                await asyncio.to_thread(cluster.start)
            await eventually(lambda: server.store.journal.outage is None)
            assert isinstance(await bob.ask_again(request), m.Accepted)
            await ann.until_state(lambda s: 1 not in s.balls and s.running is None)
            await _check_once(server, request, shots=3)
            assert (await WireClient.connect(server.port, "Dan")).token  # reading works again too

    play()
    ours = [r for r in caplog.records if r.name.startswith("headstring.server")]
    lines = [r.getMessage() for r in ours if r.levelno >= logging.WARNING]
    assert lines == ["the database takes no writes", "the database takes writes again"]


async def _refused_for_a_while(ann: WireClient, bob: WireClient, request: m.Play) -> None:
    """What is asked for is refused, nobody is told anything, and nobody's clock runs out."""
    began, told = time.monotonic(), len(ann.seen)
    while time.monotonic() - began < 1.2:  # longer than the shot clock, scaled
        answer = await bob.ask_again(request)
        assert isinstance(answer, m.Refused) and answer.code == "internal"
        await asyncio.sleep(0.1)
    assert not [x for x in ann.seen[told:] if isinstance(x, m.RoomEvent)]


async def _goes_on(server: MatchServer, ann: WireClient, bob: WireClient, request: m.Play) -> None:
    await eventually(lambda: server.store.journal.outage is None)
    assert isinstance(await bob.ask_again(request), m.Accepted)
    await ann.until_state(lambda s: 1 not in s.balls and s.running is None)
    await _check_once(server, request, shots=3)


@in_loop
async def test_a_file_that_may_not_be_written(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, shot_clock=ShotClock(limit_s=8.0))
        request = _stroke(bob)
        journal = server.store.journal

        def read_only(connection: Any, _record: object) -> None:
            connection.cursor().execute("PRAGMA query_only=ON")

        for change in (event.listen, event.remove):
            change(journal.writer.engine, "connect", read_only)
            await journal._drop_connection()
            if change is event.listen:
                await _refused_for_a_while(ann, bob, request)
        await _goes_on(server, ann, bob, request)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(mount, check=False).returncode != 0:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@in_loop
async def test_a_full_disk(tmp_path: Path, small_disk: Path) -> None:
    async with serving(small_disk) as server:
        ann, bob = await table_after_break(server, shot_clock=ShotClock(limit_s=8.0))
        request = _stroke(bob)
        filler = small_disk / "filler"
        with pytest.raises(OSError, match="No space"), filler.open("wb") as file:
            while True:
                file.write(bytes(4096))
                file.flush()
        await _refused_for_a_while(ann, bob, request)
        filler.unlink()
        await _goes_on(server, ann, bob, request)


@in_loop
async def test_a_full_file_takes_what_still_fits(tmp_path: Path) -> None:
    """SQLite says of a file that may not grow that the disk is full."""
    async with serving(tmp_path) as server:
        _, bob = await table_after_break(server)
        large = ShotRecord(
            number=999, shot=999, started_at=0.0, duration=1.0, trajectory=bytes(200_000),
            events=(), balls={},
        )  # fmt: skip
        journal = server.store.journal
        await journal.writer.run(lambda line: line.exec_driver_sql("PRAGMA max_page_count=1"))
        with pytest.raises(NotStored, match="full"):
            await server.store.matches.save_shot(bob.table, large)
        await eventually(lambda: journal.outage is None)
        assert len(await server.store.matches.shots(bob.table)) == 2
        await server.store.matches.save_shot(bob.table, large)


def test_a_file_that_somebody_else_has_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_MS", 100)

    @in_loop
    async def play() -> None:
        async with serving(tmp_path) as server:
            ann, bob = await table_after_break(server)
            request = _stroke(bob)
            other = sqlite3.connect(tmp_path / "server.sqlite3", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            answer = await bob.ask_again(request)
            assert isinstance(answer, m.Refused) and answer.code == "internal"
            other.execute("ROLLBACK")
            other.close()
            await eventually(lambda: server.store.journal.outage is None)
            assert isinstance(await bob.ask_again(request), m.Accepted)
            await ann.until_state(lambda s: 1 not in s.balls and s.running is None)
            await _check_once(server, request, shots=3)

    play()


def test_a_value_that_postgresql_can_not_hold_is_no_outage(
    tmp_path: Path, cluster: Cluster
) -> None:
    """Its drivers tell of it by the class of the SQLSTATE alone."""

    @in_loop
    async def play() -> None:
        with standing_for(tmp_path, cluster.new_database()):
            async with serving(tmp_path) as server:
                journal, stood = server.store.journal, list[bool]()
                journal.on_standstill = stood.append
                wrong = new_person(PersonRecord(person="p", name="a\0b"), "ab", 0.0)
                right = new_person(PersonRecord(person="q", name="ab"), "ab", 0.0)
                done = await asyncio.gather(
                    journal.write(wrong), journal.write(right), return_exceptions=True
                )
                assert isinstance(done[0], NotStored) and done[1] is None
                assert True not in stood
                with pytest.raises(DBAPIError):
                    await server.store.people.account("a\0b")
                assert await server.store.people.person("q") is not None
                ann = await WireClient.connect(server.port, "Ann")
                assert (await ann.ask(m.GetRating, who="a\0b")).code == "malformed"

    play()


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_server_that_was_replaced_writes_nothing_more(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        _, bob = await table_after_break(server)
        journal = server.store.journal
        async with server.store._engine.begin() as connection:
            await connection.exec_driver_sql("UPDATE ledger SET writer = 'another'")
        answer = await bob.ask_again(_stroke(bob))
        assert isinstance(answer, m.Refused) and answer.code == "internal"
        assert journal.taken_over.is_set()
        with pytest.raises(NotStored):
            await server.store.note_clock(1.0)
        assert len(await server.store.matches.shots(bob.table)) == 2


@in_loop
async def test_a_wall_clock_that_jumps_moves_no_deadline(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, shot_clock=ShotClock(limit_s=300.0))
        clock, wall = server.clock.now(), time.time
        with pytest.MonkeyPatch.context() as patch:
            for ball, jump_s in ((1, -1e8), (2, 1e8)):
                patch.setattr(time, "time", lambda jump_s=jump_s: wall() + jump_s)
                assert isinstance(await bob.strike(fake.POT), m.Accepted)
                state = await bob.until_state(
                    lambda s, ball=ball: ball not in s.balls and s.running is None
                )
                assert state.clock.deadline is not None
                assert clock < state.clock.deadline < server.clock.now() + 300.0
        assert not bob.said("clock_ran_out") and not ann.said("clock_ran_out")
