"""Who sits at a table and does nothing: away like one who has gone, and nothing runs for ever."""

from pathlib import Path
from typing import Any

import pytest

from server.idle import Idleness
from shared_rules import messages as m
from shared_rules.state import Phase, ShotClock
from tests.server import fake_physics as fake
from tests.server.bench_table import away_rules, eventually, in_loop, serving, table_after_break
from tests.server.wire_client import WireClient


def anybody(seat: int) -> bool:
    return True


def test_only_the_time_counts_that_one_is_waited_for_and_an_order_ends_it(a_state: Any) -> None:
    idleness = Idleness(100.0)
    idleness.look(a_state(Phase.AWAIT_SHOT, shooter=0), 0.0)
    assert idleness.due(anybody) == (100.0, 0)
    idleness.look(a_state(Phase.SHOT_RUNNING, shooter=0), 60.0, 0)
    assert idleness.due(anybody) is None
    idleness.look(a_state(Phase.AWAIT_SHOT, shooter=1), 70.0)
    assert idleness.due(anybody) == (170.0, 1)
    idleness.look(a_state(Phase.PLACE_CUE_ANYWHERE, shooter=0), 110.0)  # his clock ran out
    assert idleness.due(anybody) == (210.0, 0)
    idleness.look(a_state(Phase.AWAIT_SHOT, shooter=1), 150.0)
    assert idleness.due(anybody) == (210.0, 1), "60 s are left of his"
    assert idleness.due(lambda seat: seat == 0) is None
    idleness.forgive(1, 160.0)
    assert idleness.due(anybody) == (260.0, 1)


def test_zero_means_never(a_state: Any) -> None:
    idleness = Idleness(0.0)
    idleness.look(a_state(Phase.AWAIT_SHOT, shooter=0), 0.0)
    assert idleness.due(anybody) is None


@pytest.fixture
def a_state() -> Any:
    from tests.client.builders import state

    return state


@in_loop
async def test_who_sits_still_without_a_clock_is_away_until_he_strokes(tmp_path: Path) -> None:
    async with serving(tmp_path, idle_s=20.0) as server:
        ann, bob = await table_after_break(server, overrides=away_rules(grace_s=500.0))
        told = await ann.until_presence(1, here=False)
        assert told.players[1].absence == "idle" and told.players[1].claim_from is not None
        answer = await ann.ask(m.ClaimAbsence, table=ann.table, ask="win")
        assert answer.code == "grace_running"
        start = len(ann.seen)
        assert isinstance(await bob.strike(fake.POT), m.Accepted)
        await ann.until_presence(1, here=True, start=start)
        start = len(ann.seen)
        await ann.until_presence(1, here=False, start=start)  # and once more
        await bob.join(bob.table)  # he comes to the table again, which is enough
        await ann.until_presence(1, here=True, start=start)


@in_loop
async def test_his_opponent_gets_what_an_absence_gives(tmp_path: Path) -> None:
    """Nothing that he does, or agrees to, is needed: he may even be a program that only pings."""
    async with serving(tmp_path, idle_s=10.0) as server:
        ann, _ = await table_after_break(server, overrides=away_rules(grace_s=2.0, claim_s=5.0))
        state = await ann.until_state(lambda s: s.games == (1, 0))
        assert state.phase in (Phase.BETWEEN_GAMES, Phase.GAME_OVER)
        state = await ann.until_state(lambda s: s.phase is Phase.PLACE_CUE_FOR_BREAK)


@pytest.mark.parametrize("limit_s", [None, 10.0])
@in_loop
async def test_two_who_both_sit_still_are_adjourned_and_find_their_match_again(
    tmp_path: Path, limit_s: float | None
) -> None:
    """Lags and shot clocks that run out for both would else go on, and be logged, for ever."""
    clock = ShotClock(limit_s=limit_s) if limit_s else None
    idle_s, scale = (25.0, 10.0) if clock else (150.0, 60.0)  # two lags of a minute, and a half
    async with serving(tmp_path, idle_s=idle_s, time_scale=scale) as server:
        rules = away_rules(grace_s=100.0)
        if clock is None:
            ann, bob = [await WireClient.connect(server.port, name) for name in ("Ann", "Bob")]
            await ann.open(overrides=rules)
            await bob.join(ann.table)
        else:
            ann, bob = await table_after_break(server, overrides=rules, shot_clock=clock)
        for client in (ann, bob):
            closed = await client.until(lambda x: isinstance(x, m.TableClosed))
            assert "come back" in closed.reason
        await eventually(lambda: not server.house.floor.tables)
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.status == "adjourned" and len(record.orders) < 60
        for client in (ann, bob):
            assert isinstance(await client.join(ann.table), m.Accepted)
        await ann.until_state(lambda s: s.phase is not Phase.SUSPENDED)
        assert not server.house.floor.tables[ann.table].course.attendance.adjourned
