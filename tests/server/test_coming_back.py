"""Who comes back finds everything as it was, and sits at one table only."""

import asyncio
import time
from pathlib import Path

import pytest

from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Phase, ShotClock
from tests.server import fake_physics as fake
from tests.server.bench_table import (
    away_rules,
    back,
    eventually,
    in_loop,
    lag,
    pause_in_log,
    serving,
    table_after_break,
    two_players,
)
from tests.server.wire_client import WireClient


@in_loop
async def test_br_060_fouls_score_and_clock_are_as_they_were(tmp_path: Path) -> None:
    """Three games to one, Ann on two fouls, a clock that runs: nothing of it is begun anew."""
    async with serving(tmp_path) as server:
        ann, bob = await two_players(
            server, overrides={"match": {"games_to_win": 5}}, shot_clock=ShotClock(limit_s=600.0)
        )
        await lag(ann, bob)
        for rack in (1, 2, 3):
            await ann.until_state(lambda s, n=rack: s.rack_number == n and s.racked)
            await ann.give(c.PlaceCue(x=-0.8, y=0.0))
            await ann.strike(fake.NINE)
        await ann.until_state(lambda s: s.rack_number == 4 and s.racked)
        await ann.give(c.Concede())
        await bob.until_state(lambda s: s.rack_number == 5 and s.racked)
        await bob.give(c.PlaceCue(x=-0.8, y=0.0))
        await bob.strike(fake.BREAK)
        for _ in range(2):
            await ann.until_state(lambda s: s.phase is Phase.AWAIT_SHOT and s.shooter == 0)
            await ann.strike(fake.MISS)
            await bob.until_state(lambda s: s.phase is Phase.PLACE_CUE_ANYWHERE)
            await bob.give(c.PlaceCue(x=0.0, y=0.3))
            await bob.strike(fake.SAFE)
        before = await ann.until_state(lambda s: s.phase is Phase.AWAIT_SHOT and s.shooter == 0)
        assert (before.games, before.consecutive_fouls) == ((3, 1), (2, 0))
        assert before.warned == (True, False) and before.clock.deadline is not None
        await ann.give(c.RequestTimeOut())
        await ann.until_state(lambda s: s.phase is Phase.TIME_OUT)
        await ann.give(c.EndTimeOut())
        before = await ann.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert before.time_outs_used_in_last_set == (1, 0)  # of the only set
        ann.cut()
        assert (await back(server, ann)).state == before
        stopped, stopped_at = server.clock.now(), time.monotonic()
    await asyncio.sleep(1.0)  # ten seconds, if it counted
    async with serving(tmp_path) as server:  # and after a restart
        started_at = time.monotonic()
        ann, bob = await back(server, ann), await back(server, bob)
        state = await ann.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        for name in (
            "games", "consecutive_fouls", "warned", "time_outs_used_in_last_set", "balls",
            "shooter",
        ):  # fmt: skip
            assert getattr(state, name) == getattr(before, name), name
        paused, resumed = await pause_in_log(server, ann.table)
        ran = paused - stopped  # until the old server had ended, and since the new one began
        assert 0.0 <= ran < (started_at - stopped_at - 1.0) * server.clock.scale + 1.0
        assert state.clock.deadline is not None and before.clock.deadline is not None
        assert state.clock.deadline - resumed == pytest.approx(before.clock.deadline - paused)
        assert (await ann.give(c.RequestTimeOut())).code == "time_out_used"


@in_loop
async def test_br_061_a_token_brings_back_who_was_forgotten_also_after_a_restart(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        eve = await WireClient.connect(server.port, "Eve")
        await eve.close()
        await eventually(lambda: len(server.house.people) == 0)
        again = await WireClient.connect(server.port)
        assert (await again.hello(token=eve.token)).name == "Eve"
        ann, bob = await table_after_break(server)
        await bob.close()
    async with serving(tmp_path) as server:
        again = await WireClient.connect(server.port)
        assert (await again.hello(token=eve.token)).name == "Eve"
        ann, bob = await back(server, ann), await back(server, bob)
        await bob.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert isinstance(await bob.strike(fake.POT), m.Accepted)


@in_loop
async def test_br_061_a_valid_token_outlives_the_sweeping_of_old_sessions(tmp_path: Path) -> None:
    """What is swept away is told so, and whoever it was comes in anew at once."""
    async with serving(tmp_path) as server:
        people = server.house.people
        eve = await WireClient.connect(server.port, "Eve")
        await eve.close()
        await eventually(lambda: len(people) == 0)
        now = people.wall()
        for days, comes in ((89.0, True), (89.0 + 91.0, False)):
            people.wall = lambda days=days: now + days * 86_400.0
            await people.forget_unused()
            again = await WireClient.connect(server.port)
            await again.send(m.Hello(protocol=m.PROTOCOL, token=eve.token))
            answer = await again.until(lambda x: isinstance(x, m.Welcome | m.Refused))
            if comes:
                assert answer.name == "Eve"
                await again.close()
                await eventually(lambda: len(people) == 0)
            else:
                assert answer.code == "bad_token"
                assert (await again.hello("Eve")).name == "Eve"


@pytest.mark.parametrize("first", ["drop", "join"])
@in_loop
async def test_br_065_dropping_while_the_opponent_joins_seats_nobody_twice(
    tmp_path: Path, first: str
) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        await ann.open(overrides=away_rules(grace_s=60.0))
        bob = await WireClient.connect(server.port, "Bob")
        if first == "drop":
            ann.cut()
            joined = await bob.join(ann.table)
        else:
            joining = asyncio.create_task(bob.join(ann.table))
            await asyncio.sleep(0)
            ann.cut()
            joined = await joining
        assert isinstance(joined, m.Accepted)
        told = await bob.until_presence(0, here=False)
        assert told.players[0] is not None and told.players[0].away_until is not None
        new = await WireClient.connect(server.port)
        assert (await new.hello(token=ann.token)).tables == (ann.table,)
        assert (await new.ask(m.OpenTable)).code == "already_playing"
        assert isinstance(await new.join(ann.table), m.Accepted)
        await new.until_state(lambda s: s.phase is Phase.LAG)


@in_loop
async def test_br_066_who_leaves_a_match_starts_no_other_and_the_countdown_is_seen(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=away_rules(left_grace_s=30.0))
        await bob.ask(m.LeaveTable, table=bob.table)
        told = await ann.until_presence(1, here=False)
        assert told.players[1] is not None and told.players[1].claim_from is not None
        eve = await WireClient.connect(server.port, "Eve")
        other = await eve.open()
        assert (await bob.ask(m.OpenTable)).code == "already_playing"
        assert (await bob.ask(m.JoinTable, table=other)).code == "already_playing"
