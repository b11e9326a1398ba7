"""A machine's clock that is wrong deletes nothing, and keeps nobody from his match."""

import time
from pathlib import Path

import pytest
from sqlalchemy import func, select

from server.accounts.tokens import token_hash
from server.app import MatchServer
from server.storage import schema
from server.tidying import DAY_S, HOUR_S, Believed, Tidying
from shared_rules import messages as m
from tests.server.bench_table import eventually, in_loop, serving, two_players
from tests.server.wire_client import WireClient

YEAR_S = 365 * DAY_S


class _Clocks:
    """Of a machine: ``wall`` may be set, ``run`` moves both."""

    def __init__(self, wall: float) -> None:
        self.wall, self.monotonic = wall, 5.0

    def believed(self, alive_at: float) -> Believed:
        return Believed(alive_at, lambda: self.wall, lambda: self.monotonic)

    def run(self, seconds: float) -> None:
        self.wall += seconds
        self.monotonic += seconds


@pytest.mark.parametrize(
    ("down_s", "wait_s"),
    [(60.0, HOUR_S), (7 * DAY_S, HOUR_S), (400 * DAY_S, DAY_S), (-50 * YEAR_S, DAY_S)],
)
def test_a_clock_far_from_the_last_is_looked_at_for_longer(down_s: float, wait_s: float) -> None:
    last = 1_800_000_000.0
    clocks = _Clocks(last + down_s)
    believed = clocks.believed(last)
    assert believed.wait_s == wait_s
    clocks.run(wait_s)
    assert believed.asked() and believed.wait_s == DAY_S


def test_a_new_servers_clock_is_looked_at_for_an_hour() -> None:
    assert _Clocks(5.0).believed(0.0).wait_s == HOUR_S


@in_loop
async def test_nothing_is_deleted_within_an_hour_of_a_clock_that_was_set() -> None:
    done: list[str] = []

    async def end() -> None:
        done.append("ended")

    async def forget() -> None:
        done.append("forgotten")

    clocks = _Clocks(1_800_000_000.0)
    tidying = Tidying(end, forget, clocks.wall)
    tidying.believed = clocks.believed(clocks.wall)
    clocks.run(HOUR_S)
    clocks.wall += YEAR_S
    await tidying.once()
    assert done == [] and tidying.believed.wait_s == HOUR_S
    clocks.run(HOUR_S)
    clocks.wall += 2.0  # as a network's time sets it by and by
    await tidying.once()
    assert done == ["ended", "forgotten"]


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_one_start_with_the_clock_ahead_ends_no_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server)
        eve = await WireClient.connect(server.port, "Eve")
        table, tokens = ann.table, (ann.token, bob.token)
    right = time.time
    monkeypatch.setattr(time, "time", lambda: right() + 400 * DAY_S)
    async with serving(tmp_path) as server:
        server.house.people.wall = lambda: right() + 400 * DAY_S
        for token in tokens:  # the way back to a match, however late
            back = await WireClient.connect(server.port, token=token)
            assert isinstance(await back.join(table), m.Accepted)
        await server.house.people.forget_unused()  # once it was believed after all
    monkeypatch.setattr(time, "time", right)
    async with serving(tmp_path) as server:
        back = await WireClient.connect(server.port, token=tokens[0])
        assert isinstance(await back.join(table), m.Accepted)
        assert await server.store.people.session(token_hash(eve.token)) is None


@in_loop
async def test_a_start_alone_deletes_nothing(tmp_path: Path) -> None:
    """What is stored is set back, which is as if the machine's clock stood ahead."""

    async def set_all(by_days: int) -> None:
        async with serving(tmp_path) as server, server.store._engine.begin() as connection:
            for table, column in (("sessions", "used_at"), ("starts", "wall_time")):
                change = f"UPDATE {table} SET {column} = {column} + {by_days * DAY_S}"
                await connection.exec_driver_sql(change)

    async with serving(tmp_path) as server:
        eve = await WireClient.connect(server.port, "Eve")
    await set_all(-400)
    async with serving(tmp_path) as server:
        assert await server.store.people.session(token_hash(eve.token)) is not None
    await set_all(+400)
    async with serving(tmp_path) as server:
        back = await WireClient.connect(server.port)
        assert (await back.hello(token=eve.token)).name == "Eve"


async def tables_kept(server: MatchServer) -> int:
    rows = await server.store.matches._read(select(func.count()).select_from(schema.matches))
    return int(rows[0][0])


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_tables_at_which_nothing_began_are_forgotten_and_matches_are_not(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server)
        eve = await WireClient.connect(server.port, "Eve")
        for _ in range(3):
            empty = await eve.ask(m.OpenTable)
            await eve.ask(m.LeaveTable, table=empty.table)
        waiting = await eve.ask(m.OpenTable)
        await eventually(lambda: len(server.house.floor.tables) == 2)
        assert await tables_kept(server) == 5
        await server.house.people.forget_unused()
        assert await tables_kept(server) == 5, "within a day nothing goes"
        real = server.house.people.wall
        server.house.people.wall = lambda: real() + 2 * DAY_S
        await server.house.people.forget_unused()
        assert await tables_kept(server) == 2
        for table in (ann.table, waiting.table):
            assert await server.store.matches.load(table) is not None
        assert isinstance(await bob.join(bob.table), m.Accepted)
