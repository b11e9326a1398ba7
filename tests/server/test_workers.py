"""Physics workers that die, hang or fail: the shot is void, the table as before, play goes on."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from server.pool import ShotFailed, WorkerPool
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.server import fake_physics as fake
from tests.server.bench_table import in_loop, serving, table_after_break


@pytest.mark.parametrize("speed", [fake.DIES, fake.HANGS], ids=["dies", "hangs"])
def test_a_worker_is_lost_in_the_middle_of_a_shot(tmp_path: Path, speed: float) -> None:
    """BR-051: the shot is void, the table as it was, and the next stroke is taken."""

    @in_loop
    async def play() -> None:
        # one that dies is noticed at once: nothing waits for the limit
        limit = 0.8 if speed == fake.HANGS else 300.0
        async with serving(tmp_path, workers=True, shot_limit_real_s=limit) as server:
            ann, bob = await table_after_break(server)
            before = bob.state
            assert before is not None
            answer = await bob.strike(speed)
            assert isinstance(answer, m.Accepted)
            await ann.until(lambda x: isinstance(x, m.RoomEvent) and ann.said("shot_voided") != [])
            for client in (ann, bob):
                state = await client.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
                assert (state.balls, state.shooter) == (before.balls, before.shooter)
                assert state.consecutive_fouls == before.consecutive_fouls
            async with asyncio.timeout(2.0):
                answer = await bob.strike(fake.POT)
            assert isinstance(answer, m.Accepted)  # another worker has taken its place
            await ann.until_state(lambda s: 1 not in s.balls)
            assert server.pool.restarts == 1  # type: ignore[attr-defined]
            assert server.house.metrics.void_shots == 1

    play()


@in_loop
async def test_a_worker_that_dies_idle_costs_no_shot(tmp_path: Path) -> None:
    async with serving(tmp_path, workers=True) as server:
        ann, bob = await table_after_break(server)
        pool = server.pool
        assert isinstance(pool, WorkerPool)
        (worker,) = pool.workers
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        while worker.alive:
            await bob.ask(m.Ping)
        await bob.strike(fake.POT)
        await ann.until_state(lambda s: 1 not in s.balls)
        assert server.house.metrics.void_shots == 0


@in_loop
async def test_a_job_that_raises_keeps_its_worker(tmp_path: Path) -> None:
    pool = WorkerPool("tests.server.fake_physics:play", 1, 5.0)
    await pool.start()
    with pytest.raises(ShotFailed):
        await pool.run("no job")
    assert pool.restarts == 0 and pool.workers[0].alive
    await pool.close()
    assert not pool.workers[0].alive


@in_loop
async def test_a_shot_that_the_rules_cannot_make_sense_of_is_void(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        before = bob.state
        await bob.strike(fake.VANISH)
        await ann.until(lambda x: isinstance(x, m.RoomEvent) and ann.said("shot_voided") != [])
        state = await bob.until_state(lambda s: s.phase is Phase.AWAIT_SHOT and s.shot_number > 2)
        assert before is not None and (state.balls, state.shooter) == (before.balls, 1)
        await bob.strike(fake.POT)
        await ann.until_state(lambda s: 1 not in s.balls)


@in_loop
async def test_no_shot_waits_for_ever_for_a_worker(tmp_path: Path) -> None:
    pool = WorkerPool("tests.server.fake_physics:play", 1, 5.0, patience_s=0.1)
    with pytest.raises(ShotFailed, match="no physics worker"):
        await pool.run("a job, and nobody to do it")
    await pool.close()


@in_loop
async def test_an_early_pool_takes_jobs_at_once_and_they_wait_for_a_worker() -> None:
    pool = WorkerPool("tests.server.fake_physics:play", 1, 5.0, patience_s=0.0, early=True)
    await pool.start()
    assert pool.living == 0
    with pytest.raises(ShotFailed, match="AttributeError"):  # what the worker said of this job
        await pool.run("no job")
    assert pool.living == 1
    await pool.close()


@in_loop
async def test_an_early_pool_without_workers_plays_no_shot_and_says_why(
    caplog: pytest.LogCaptureFixture,
) -> None:
    pool = WorkerPool("tests.server.fake_physics_that_is_not:play", 1, 5.0, 0.1, early=True)
    await pool.start()
    with pytest.raises(ShotFailed, match="no physics worker"):
        await pool.run("a job, and nobody to do it")
    assert "no physics worker could be started" in caplog.text
    await pool.close()
