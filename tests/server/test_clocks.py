"""Clocks through absences, time-outs and restarts: no time is lost, none is had twice."""

import time
from pathlib import Path
from typing import Any

import pytest

from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Option, Phase, ShotClock
from tests.server import fake_physics as fake
from tests.server.bench_table import (
    away_rules,
    back,
    eventually,
    in_loop,
    serving,
    table_after_break,
)
from tests.server.wire_client import WireClient


@in_loop
async def test_br_073_the_terms_are_fixed_and_every_return_ends_the_countdown(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        bob = await WireClient.connect(server.port, "Bob")
        keys: dict[str, Any] = {"overrides": away_rules(grace_s=60.0)}
        number = ann.next_id()
        opened = await ann.ask(m.OpenTable, id=number, shot_clock=ShotClock(limit_s=600.0), **keys)
        ann.table = opened.table
        await bob.join(ann.table)
        described = (await bob.until_state(lambda s: s.phase is Phase.LAG)).description
        # the same request with another clock, another table, a player's own hand: none of it
        again = await ann.ask(m.OpenTable, id=number, shot_clock=ShotClock(limit_s=5.0), **keys)
        assert again.code == "id_reused"
        assert (await ann.ask(m.OpenTable, shot_clock=None)).code == "already_playing"
        assert (await ann.give(c.ImposeShotClock(limit_s=5.0))).code == "not_allowed"
        absence = server.house.floor.tables[ann.table].room.absence
        ends = []
        for _ in range(3):
            bob.cut()
            await eventually(lambda: absence.is_away(1))
            away = absence.away(1)
            assert away is not None and away.claim_from is not None
            assert away.claim_from - away.since == 60.0
            ends.append(away.claim_from)
            bob = await back(server, bob)
            assert absence.away(1) is None and absence.due() is None
        assert ends == sorted(set(ends))
        assert bob.state is not None and bob.state.description == described


@in_loop
async def test_br_073_both_may_agree_on_another_shot_clock(tmp_path: Path) -> None:
    """One asks; what the other doesn't agree to is not done."""
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        for said, limit in ((Option.DISAGREE, None), (Option.AGREE, 45.0)):
            for act in (c.WarnSlowPlay(), c.ImposeShotClock(limit_s=45.0)):
                answer = await ann.give(c.Claim(act=act))
                if isinstance(act, c.ImposeShotClock) and said is Option.DISAGREE:
                    assert answer.code == "warning_required_first"
                    continue
                assert isinstance(answer, m.Accepted), answer
                await bob.until_state(lambda s: s.phase is Phase.DECIDE_CLAIM)
                await bob.give(c.Choose(option=said))
                await ann.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
                number = ann.state.shot_number + 1
                await bob.strike(fake.POT)  # one claim a stroke
                await ann.until_state(
                    lambda s, n=number: s.phase is Phase.AWAIT_SHOT and s.shot_number == n
                )
            clock = ann.state.clock.shot_clock
            assert (clock and clock.limit_s) == limit


@in_loop
async def test_br_074_the_opponents_absence_takes_none_of_my_time(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(
            server, overrides=away_rules(grace_s=500.0), shot_clock=ShotClock(limit_s=20.0)
        )
        before = bob.state
        assert before is not None
        bob.cut()
        await ann.until_presence(1, here=False)
        table = server.house.floor.tables[ann.table]
        keeper = table.course.keeper
        assert keeper is not None and keeper.state.clock == before.clock, "his own runs on"
        await ann.until_state(lambda s: s.shooter == 0)  # his time is over, and a foul
        mine = next(
            x for x in ann.seen if isinstance(x, m.RoomEvent) and ann.state_after(x).shooter == 0
            and ann.state_after(x).phase is Phase.PLACE_CUE_ANYWHERE
        )  # fmt: skip
        deadline = ann.state_after(mine).clock.deadline
        assert deadline is not None
        assert 19.0 < deadline - mine.clock <= 20.0, "the whole of mine"
        bob = await back(server, bob)
        bob.cut()
        await eventually(lambda: table.room.absence.is_away(1))
        assert keeper.state.clock.deadline == deadline
        assert table.room.absence.used[0] == 0.0
        assert keeper.state.time_outs_used == (0, 0)


@in_loop
async def test_br_078_a_time_out_leaves_the_shot_clock_as_it_was(tmp_path: Path) -> None:
    """What remained of the shot clock is shown meanwhile, and runs on afterwards, no shorter."""
    async with serving(tmp_path) as server:
        _, bob = await table_after_break(server, shot_clock=ShotClock(limit_s=200.0))
        assert bob.state is not None and bob.state.clock.deadline is not None
        deadline = bob.state.clock.deadline
        await bob.give(c.RequestTimeOut())
        state = await bob.until_state(lambda s: s.phase is Phase.TIME_OUT)
        event = bob.event_of(state)
        left = state.clock.remaining
        assert left == pytest.approx(deadline - event.clock, abs=2.0)
        assert state.clock.purpose == "time_out" and state.clock.deadline is not None
        await bob.give(c.EndTimeOut())
        state = await bob.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert state.clock.deadline is not None and state.clock.purpose == "shot"
        event = bob.event_of(state)
        assert state.clock.deadline - event.clock == pytest.approx(left, abs=2.0)
        record = await server.store.matches.load(bob.table)
        assert record is not None
        assert state.clock.deadline == record.orders[-1].at + (left or 0.0)
        assert (await bob.give(c.RequestTimeOut())).code == "time_out_used"


@in_loop
async def test_br_078_an_extension_is_there_once_in_each_rack(tmp_path: Path) -> None:
    """Both players are told the new deadline; used up, it is there again in the next rack."""
    async with serving(tmp_path) as server:
        clock = ShotClock(limit_s=200.0, extension_s=60.0)
        ann, bob = await table_after_break(server, shot_clock=clock)
        for rack in (1, 2):
            state = await bob.until_state(
                lambda s, n=rack: s.rack_number == n and s.clock.purpose == "shot"
            )
            player = (ann, bob)[state.shooter or 0]
            assert state.clock.deadline is not None
            await player.give(c.ExtendShot())
            for who in (ann, bob):
                told = await who.until_state(
                    lambda s, n=rack: s.rack_number == n and any(s.clock.extended)
                )
                assert told.clock.deadline == state.clock.deadline + 60.0
            assert (await player.give(c.ExtendShot())).code == "no_extension"
            if rack == 1:
                await player.strike(fake.NINE)


@in_loop
async def test_a_time_out_through_a_restart_keeps_both_clocks(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        _, bob = await table_after_break(server, shot_clock=ShotClock(limit_s=200.0))
        await bob.give(c.RequestTimeOut())
        before = await bob.until_state(lambda s: s.phase is Phase.TIME_OUT)
        ann_token = server.house.floor.tables[bob.table].room.seats[0]
        assert ann_token is not None
    async with serving(tmp_path) as server:
        bob = await back(server, bob)
        state = await bob.until_state(lambda s: s.phase is Phase.TIME_OUT)
        assert state.clock == before.clock
        await bob.give(c.EndTimeOut())
        # Ann is not back yet: the shot clock stands, with what remained of it
        state = await bob.until_state(lambda s: s.phase is Phase.SUSPENDED)
        assert state.clock.remaining == pytest.approx(before.clock.remaining, abs=1.0)


@in_loop
async def test_a_wall_clock_that_jumps_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = time.time
    async with serving(tmp_path) as server:
        _, bob = await table_after_break(server, shot_clock=ShotClock(limit_s=100.0))
        for jump in (86400.0, -86400.0):
            monkeypatch.setattr(time, "time", lambda jump=jump: real() + jump)
            bob.cut()
            bob = await back(server, bob)
            assert isinstance(await bob.strike(fake.POT), m.Accepted)
            state = await bob.until_state(
                lambda s: s.phase is Phase.AWAIT_SHOT and bool(s.last_ruling.pocketed)
            )
            assert state.clock.deadline is not None
            assert 0.0 < state.clock.deadline - server.clock.now() <= 100.0
