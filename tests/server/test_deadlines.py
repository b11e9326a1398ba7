"""At the deadline: what was sent in time counts, what comes later does not, nothing overtakes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from server.app import MatchServer
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.match import replay
from shared_rules.state import Phase, ShotClock
from shared_rules.view import public_state
from tests.faults.proxy import FaultProxy, Way
from tests.server import fake_physics as fake
from tests.server.bench_table import (
    break_balls,
    eventually,
    in_loop,
    lag,
    serving,
    table_after_break,
    two_players,
)
from tests.server.wire_client import WireClient

LIMIT = ShotClock(limit_s=10.0)  # a second of a server at ten times the pace
UP, DOWN = Way(0.3), Way(0.15)
PLENTY = {"credit_most_real_s": 5.0, "credit_quota_real_s": 5.0}
NONE = {"credit_most_real_s": 0.0}


@asynccontextmanager
async def _far_bob(
    tmp_path: Path, credit: dict[str, float]
) -> AsyncIterator[tuple[MatchServer, WireClient, WireClient]]:
    """Ann near and Bob at the end of a long line; it is his turn, and his clock runs."""
    async with (
        serving(tmp_path, **credit, ping_players_real_s=0.1) as server,
        FaultProxy(server.port, UP, DOWN) as proxy,
    ):
        ann = await WireClient.connect(server.port, "Ann")
        bob = await WireClient.connect(proxy.port, "Bob")
        name = await ann.open(shot_clock=LIMIT)
        await bob.join(name)
        for client in (ann, bob):
            await client.until_state(lambda s: s.phase is Phase.LAG)
        await ann.strike(3.0)
        await bob.strike(2.0)
        state = await ann.until_state(lambda s: s.phase is Phase.LAG_CHOICE)
        await ann.give(c.Choose(option=state.options[0]))
        await ann.until_state(lambda s: s.racked)
        await break_balls(ann, bob)
        yield server, ann, bob


async def _until_before_deadline(server: MatchServer, client: WireClient, real_s: float) -> None:
    assert client.state is not None and client.state.clock.deadline is not None
    left = client.state.clock.deadline - server.clock.now()
    await asyncio.sleep(server.clock.real(left) - real_s)


async def _strike_at_the_last_moment(server: MatchServer, bob: WireClient) -> Any:
    assert bob.state is not None
    await _until_before_deadline(server, bob, 0.1)
    return await bob.strike(fake.SAFE, version=bob.state.version)


@in_loop
async def test_a_stroke_sent_in_time_that_comes_after_the_deadline_counts(tmp_path: Path) -> None:
    async with _far_bob(tmp_path, PLENTY) as (server, ann, bob):
        assert isinstance(await _strike_at_the_last_moment(server, bob), m.Accepted)
        state = await ann.until_state(lambda s: s.shooter == 0 and s.phase is Phase.AWAIT_SHOT)
        assert state.consecutive_fouls == (0, 0) and not ann.said("clock_ran_out")
        (credited,) = ann.said("credited")
        assert credited.seat == 1 and 0.0 < credited.late_s < 50.0
        # the others can see how long his line is
        assert ann.presence is not None and ann.presence.players[1] is not None
        assert (ann.presence.players[1].round_trip_s or 0.0) >= 0.45
        # the credit is in the log, and the log replays to the same match
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.description is not None
        (order,) = [o for o in record.orders if o.credit_s]
        assert isinstance(order.command, c.Strike) and order.credit_s > credited.late_s
        assert public_state(replay(record.description, record.orders), None) == state


@in_loop
async def test_without_a_credit_it_is_too_late(tmp_path: Path) -> None:
    async with _far_bob(tmp_path, NONE) as (server, ann, bob):
        answer = await _strike_at_the_last_moment(server, bob)
        assert answer.code == "time_is_up"
        state = await ann.until_state(lambda s: s.shooter == 0)
        assert state.consecutive_fouls == (0, 1)


@in_loop
async def test_what_comes_after_the_credit_is_refused_as_too_late(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, shot_clock=ShotClock(limit_s=5.0))
        assert bob.state is not None
        version = bob.state.version
        await bob.until_state(lambda s: s.shooter == 0)
        assert (await bob.strike(fake.SAFE, version=version)).code == "time_is_up"
        # a turn that ended otherwise is another matter
        assert (await ann.give(c.Concede(), version=version - 1)).code == "stale_state"


@in_loop
async def test_a_clock_does_not_overtake_a_stroke_that_has_come(tmp_path: Path) -> None:
    """The server is busy with something else when the deadline passes: nobody's fault but its."""
    async with serving(tmp_path, **NONE) as server:
        ann, bob = await two_players(server, shot_clock=LIMIT)
        await lag(ann, bob)
        await break_balls(ann, bob)
        append = server.store.matches.append

        async def slowly(match: str, number: int, order: c.Order, *more: Any) -> None:
            if isinstance(order.command, c.ChangeCue):
                await asyncio.sleep(0.8)
            await append(match, number, order, *more)

        server.store.matches.append = slowly  # type: ignore[method-assign]
        await _until_before_deadline(server, bob, 0.5)
        slow = asyncio.create_task(ann.give(c.ChangeCue(cue="break")))
        await asyncio.sleep(0.1)
        assert isinstance(await bob.strike(fake.SAFE), m.Accepted)
        assert isinstance(await slow, m.Accepted)
        state = await ann.until_state(lambda s: s.shooter == 0 and s.phase is Phase.AWAIT_SHOT)
        assert state.consecutive_fouls == (0, 0) and not ann.said("clock_ran_out")
        credit = server.house.floor.tables[ann.table].course.deadlines._credit
        assert credit._left == [2.0, 2.0]  # what the server's own delay took is not charged


@in_loop
async def test_br_072_a_clock_that_reaches_zero_while_he_is_away_is_ruled_by_the_server(
    tmp_path: Path,
) -> None:
    """Who is not connected has no credit: the ruling is due at the deadline itself."""
    async with serving(tmp_path, **PLENTY) as server:
        ann, bob = await table_after_break(server, shot_clock=LIMIT)
        course = server.house.floor.tables[ann.table].course
        player = course.room.player(1)
        assert player is not None and course.keeper is not None
        player.line.measured(2.0)
        deadline = course.keeper.state.clock.deadline
        due = course._duty()
        assert deadline is not None and due is not None and due[0] > deadline
        bob.cut()
        await eventually(lambda: course.room.player(1) is None)
        due = course._duty()
        assert due is not None and due[0] == deadline
        state = await ann.until_state(lambda s: s.shooter == 0)
        assert state.consecutive_fouls == (0, 1)


@in_loop
async def test_br_072_the_ruling_is_there_within_a_quarter_of_a_second(tmp_path: Path) -> None:
    """In real time, against a plain timer of the same event loop set for the deadline."""
    async with serving(tmp_path, time_scale=1.0) as server:
        ann, bob = await table_after_break(server, shot_clock=ShotClock(limit_s=5.0))
        room = server.house.floor.tables[ann.table].room
        bob.cut()
        await eventually(lambda: room.player(1) is None)
        assert ann.state is not None and ann.state.clock.deadline is not None
        loop = asyncio.get_running_loop()
        struck_zero: asyncio.Future[float] = loop.create_future()
        loop.call_later(
            ann.state.clock.deadline - server.clock.now(),
            lambda: struck_zero.set_result(loop.time()),
        )
        state = await ann.until_state(lambda s: s.shooter == 0)
        told_at = loop.time()
        assert state.consecutive_fouls == (0, 1) and ann.said("clock_ran_out")
        assert told_at - await struck_zero < 0.25
