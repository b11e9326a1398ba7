"""Leaving and dropping: two graces, claims that are always answered, both away."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from server.app import MatchServer
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.server import fake_physics as fake
from tests.server.bench_table import (
    away_rules,
    back,
    break_balls,
    eventually,
    in_loop,
    lag,
    serving,
    table_after_break,
)
from tests.server.wire_client import WireClient


async def _claim(client: WireClient, ask: str = "win", **fields: Any) -> Any:
    return await client.ask(m.ClaimAbsence, table=client.table, ask=ask, **fields)


async def _until_claimable(server: MatchServer, client: WireClient) -> None:
    """Return once the grace of client's opponent, Bob, is over."""
    away = server.house.floor.tables[client.table].room.absence.away(1)
    assert away is not None and away.claim_from is not None
    await asyncio.sleep(server.clock.real(away.claim_from - server.clock.now()) + 0.01)


# --- two kinds of absence ------------------------------------------------------------------------


@in_loop
async def test_the_other_is_told_whether_he_left_or_was_cut_off_and_how_long_he_has(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=away_rules(grace_s=60.0))
        start = len(ann.seen)
        bob.cut()
        told = await ann.until_presence(1, here=False, start=start)
        dropped = told.players[1]
        assert dropped is not None and dropped.absence == "dropped"
        assert dropped.claim_from is not None and dropped.away_until is not None
        assert 50.0 < dropped.claim_from - told.clock <= 60.0
        assert dropped.away_until - dropped.claim_from == pytest.approx(600.0)
        bob = await back(server, bob)
        start = len(ann.seen)
        await bob.ask(m.LeaveTable, table=bob.table)
        await bob.close()  # the socket's end makes no difference
        told = await ann.until_presence(1, here=False, start=start)
        left = told.players[1]
        assert left is not None and left.absence == "left" and left.claim_from is not None
        assert left.claim_from - told.clock <= 1.0
        # who comes to the table sees the same
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        snapshot = await eve.until(lambda x: isinstance(x, m.Snapshot))
        assert snapshot.players[1] == left and snapshot.players[0].absence is None


# --- claims --------------------------------------------------------------------------------------


@in_loop
async def test_br_069_a_claim_after_the_grace_ends_the_match_for_all(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        overrides = away_rules(effect="award_match")
        ann, bob = await table_after_break(server, overrides=overrides)
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        bob.cut()
        await ann.until_presence(1, here=False)
        await _until_claimable(server, ann)
        request = m.ClaimAbsence(id=ann.next_id(), table=ann.table)
        answer = await ann.ask_again(request)
        assert isinstance(answer, m.Accepted)
        for client in (ann, eve):
            state = await client.until_state(lambda s: s.phase is Phase.MATCH_OVER)
            assert state.version == answer.version  # the claim is the ruling: nothing is waited for
            assert state.winner == 0 and client.said("match_won")[0].reason == "absent"
        assert await ann.ask_again(request) == answer  # carried out once
        assert (await _claim(ann)).code == "match_over"


@in_loop
async def test_br_069_without_a_claim_it_comes_by_itself_at_the_limit_that_was_told(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, time_scale=20.0) as server:
        overrides = away_rules(effect="award_match", claim_s=4.0)
        ann, bob = await table_after_break(server, overrides=overrides)
        bob.cut()
        told = await ann.until_presence(1, here=False)
        assert told.players[1] is not None and told.players[1].away_until is not None
        await ann.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        over = next(
            x for x in ann.seen if isinstance(x, m.RoomEvent) and ann.state_after(x).winner == 0
        )
        assert over.clock >= told.players[1].away_until and over.by == "server"


@in_loop
async def test_br_070_a_claim_is_never_silent_while_the_opponent_comes_and_goes(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=away_rules(grace_s=20.0))
        assert (await _claim(ann)).code == "opponent_present"
        for _ in range(3):
            bob.cut()
            await eventually(lambda: server.house.floor.tables[ann.table].room.absence.is_away(1))
            refused = await _claim(ann)
            assert refused.code == "grace_running" and "left to come back" in refused.message
            bob = await back(server, bob)
            assert (await _claim(ann, "adjourn")).code == "opponent_present"
        assert ann.state is not None and ann.state.games == (0, 0)


@in_loop
async def test_br_070_a_claim_in_the_moment_of_his_return_is_granted_or_refused_whole(
    tmp_path: Path,
) -> None:
    """Whichever is first counts; what is answered and what is played are the same."""
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=away_rules(grace_s=1.0))
        won = 0
        for round_ in range(2):
            await ann.until_state(lambda s: s.racked and s.phase is not Phase.GAME_OVER)
            bob.cut()
            await eventually(lambda: server.house.floor.tables[ann.table].room.absence.is_away(1))
            await _until_claimable(server, ann)
            asked = (_claim(ann), back(server, bob))
            if round_:
                bob, answer = await asyncio.gather(*reversed(asked))
            else:
                answer, bob = await asyncio.gather(*asked)
            if isinstance(answer, m.Accepted):
                won += 1
            else:
                assert answer.code == "opponent_present" and answer.message
            await ann.ask(m.Ping)
            assert ann.state is not None and ann.state.games == (won, 0)


@in_loop
async def test_who_comes_and_goes_uses_up_his_budget(tmp_path: Path) -> None:
    """Each time his grace is shorter, until there is none."""
    async with serving(tmp_path) as server:
        overrides = away_rules(grace_s=6.0, claim_s=600.0, budget_s=8.0)
        ann, bob = await table_after_break(server, overrides=overrides)
        absence = server.house.floor.tables[ann.table].room.absence
        for _ in range(2):
            bob.cut()
            await eventually(lambda: absence.is_away(1))
            await asyncio.sleep(0.3)
            bob = await back(server, bob)
        assert absence.used[1] >= 6.0
        bob.cut()
        state = await ann.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        assert state.winner == 0  # with the budget the match is lost, claimed or not


@in_loop
async def test_a_claim_wins_the_game_where_the_ruleset_says_so_and_the_next_has_a_new_grace(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=away_rules())
        bob.cut()
        await ann.until_presence(1, here=False)
        await _until_claimable(server, ann)
        assert isinstance(await _claim(ann), m.Accepted)
        state = await ann.until_state(lambda s: s.games == (1, 0))
        assert state.phase is Phase.GAME_OVER
        assert (await _claim(ann)).code == "grace_running"
        bob = await back(server, bob)
        await bob.until_state(lambda s: s.racked and s.rack_number == 2)


@in_loop
async def test_the_claimant_may_adjourn_instead(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=away_rules(effect="adjourn"))
        before = ann.state
        bob.cut()
        await ann.until_presence(1, here=False)
        await _until_claimable(server, ann)
        assert (await _claim(ann)).code == "not_allowed"  # by these rules nobody loses by it
        assert isinstance(await _claim(ann, "adjourn"), m.Accepted)
        await ann.until_state(lambda s: s.phase is Phase.SUSPENDED)
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.status == "adjourned"
        assert (await _claim(ann)).code == "play_suspended"
        bob = await back(server, bob)
        state = await bob.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert before is not None and state.balls == before.balls


@in_loop
async def test_claims_of_those_who_have_none(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        eve = await WireClient.connect(server.port, "Eve")
        eve.table = await eve.open()
        assert (await _claim(eve)).code == "wrong_state"  # nobody has come yet
        ann, bob = await table_after_break(server, overrides=away_rules(grace_s=1.0))
        await eve.watch(ann.table)
        assert (await _claim(eve)).code == "not_at_this_table"
        await bob.strike(fake.SAFE, fake.SLOW_DEG)
        bob.cut()
        await ann.until_presence(1, here=False)
        await _until_claimable(server, ann)
        assert (await _claim(ann)).code == "balls_moving"
        await ann.until_state(lambda s: s.phase is Phase.AWAIT_SHOT and s.shooter == 0)
        assert isinstance(await _claim(ann), m.Accepted)


@in_loop
async def test_a_claim_is_known_after_a_restart(tmp_path: Path) -> None:
    request = None
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=away_rules())
        bob.cut()
        await ann.until_presence(1, here=False)
        await _until_claimable(server, ann)
        request = m.ClaimAbsence(id=ann.next_id(), table=ann.table)
        answer = await ann.ask_again(request)
        assert isinstance(answer, m.Accepted)
    async with serving(tmp_path) as server:
        ann = await back(server, ann)
        assert await ann.ask_again(request) == answer
        assert ann.state is not None and ann.state.games == (1, 0)


# --- both away -----------------------------------------------------------------------------------


@in_loop
async def test_br_052_a_table_that_both_have_left_is_adjourned_and_binds_nobody(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=away_rules())
        for client in (ann, bob):
            await client.ask(m.LeaveTable, table=client.table)
        attendance = server.house.floor.tables[ann.table].course.attendance
        await eventually(lambda: attendance.adjourned)
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.status == "adjourned"
        first = ann.table
        assert await ann.open() != first
        await bob.join(ann.table)
        await bob.until_state(lambda s: s.phase is Phase.LAG)


@in_loop
async def test_br_053_both_cut_off_at_once_the_state_is_saved_and_an_official_may_award_it(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        opened = await ann.ask(m.OpenTable, overrides=away_rules(), referee=True)
        ann.table = opened.table
        bob = await WireClient.connect(server.port, "Bob")
        await bob.join(ann.table)
        await ann.until_state(lambda s: s.phase is Phase.LAG)
        await lag(ann, bob)
        await break_balls(ann, bob)
        before = ann.state
        ref = await WireClient.connect(server.port, "Ref")
        ref.table = ann.table
        await ref.ask(m.OfficiateTable, table=ann.table, invitation=opened.referee_invitation)
        ann.cut()
        bob.cut()
        attendance = server.house.floor.tables[ann.table].course.attendance
        await eventually(lambda: attendance.adjourned)
        # it can be taken up again with everything where it was ...
        ann, bob = await back(server, ann), await back(server, bob)
        state = await bob.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert before is not None and (state.balls, state.shooter) == (before.balls, 1)
        # ... or awarded
        ann.cut()
        bob.cut()
        await eventually(lambda: attendance.adjourned)
        loss = c.AwardLoss(seat=1, scope="match", reason="did not come back")
        assert isinstance(await ref.give(loss), m.Accepted)
        state = await ref.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        assert state.winner == 0
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.status == "over"
