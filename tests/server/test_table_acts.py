"""What officials do to tables: adjourned, closed, reopened, awarded, and taken back."""

from pathlib import Path

import pytest

from shared_rules import messages as m
from shared_rules.messages import oversight as acts
from shared_rules.state import Phase
from tests.server import fake_physics as fake
from tests.server.bench_table import eventually, in_debug_loop, in_loop, serving, table_after_break
from tests.server.signing_in import hello, signed_in
from tests.server.test_oversight import account, done, give, recorded


@in_debug_loop
async def test_a_match_is_adjourned_and_goes_on_when_both_are_back(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        before = ann.state
        otto = await account(server, "Otto", "official")
        assert before is not None
        await done(otto, acts.AdjournTable(table=ann.table), "fire alarm")
        for player in (ann, bob):
            closed = await player.until(lambda x: isinstance(x, m.TableClosed))
            assert closed.reason == "adjourned by an official: fire alarm"
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.status == "adjourned"
        # neither is bound by it, and it waits for both
        assert isinstance(await ann.ask(m.OpenTable), m.Accepted)
        (other,) = set(server.house.floor.tables) - {ann.table}
        await ann.ask(m.LeaveTable, table=other)
        seen, start = ann.seq, len(ann.seen)
        assert isinstance(await ann.join(ann.table, last_seen=seen), m.Accepted)
        snapshot = await ann.until(
            lambda x: isinstance(x, m.Snapshot) and x.table == ann.table and x.seq > seen, start
        )
        assert snapshot.state.phase is Phase.SUSPENDED
        assert isinstance(await bob.join(ann.table, last_seen=bob.seq), m.Accepted)
        state = await ann.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert (state.shooter, state.balls) == (before.shooter, before.balls)
        await bob.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert isinstance(await bob.strike(fake.POT), m.Accepted)


@in_loop
async def test_a_table_is_closed_and_reopened(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        otto = await account(server, "Otto", "official")
        closing = await done(otto, acts.CloseTable(table=ann.table.lower()), "lights out")
        await ann.until(lambda x: isinstance(x, m.TableClosed))
        assert (await ann.join(ann.table)).code == "unknown_table"
        assert (await give(otto, acts.CloseTable(table=ann.table))).code == "unknown_table"
    async with serving(tmp_path) as server:
        otto = await signed_in(server, token=otto.token)
        assert not server.house.floor.tables
        await done(otto, acts.ReopenTable(table=ann.table), "lights on")
        assert (await give(otto, acts.ReopenTable(table=ann.table))).code == "wrong_state"
        _, kept = await recorded(otto, table=ann.table)
        assert (kept.action, kept.undone_by, kept.undone_reason) == (closing, "Otto", "lights on")
        players = []
        for old in (ann, bob):
            back, welcome = await hello(server, token=old.token)
            assert welcome.tables == (ann.table,)
            assert isinstance(await back.join(ann.table), m.Accepted)
            players.append(back)
        await players[1].until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert isinstance(await players[1].strike(fake.POT), m.Accepted)


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_an_award_and_how_it_is_taken_back(tmp_path: Path) -> None:
    """BR-052: an adjourned match can be awarded, and resumed."""
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        otto = await account(server, "Otto", "official")
        await done(otto, acts.AwardTable(table=ann.table, seat=0, scope="game"), "wrong balls")
        state = await ann.until_state(lambda s: s.games == (1, 0))
        assert ann.said("game_won")[-1].reason == "wrong balls"
        await done(otto, acts.AdjournTable(table=ann.table), "late")
        await done(otto, acts.AwardTable(table=ann.table, seat=1), "Ann has left the club")
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.status == "over"
        await eventually(lambda: not server.house.people.present_by_key("bob").seats)  # type: ignore[union-attr]
        await done(otto, acts.ReopenTable(table=ann.table), "it was another Ann")
        award = (await recorded(otto, table=ann.table))[1]
        assert (award.act, award.undone_reason) == ("award", "it was another Ann")
        for player in (ann, bob):
            assert isinstance(await player.join(ann.table), m.Accepted)
        state = await ann.until_state(lambda s: s.phase is not Phase.SUSPENDED)
        assert state.games == (1, 0) and state.winner is None


@in_loop
async def test_a_match_played_to_its_end_stays_over(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides={"match": {"games_to_win": 1}})
        otto = await account(server, "Otto", "official")
        await bob.strike(fake.NINE)
        await ann.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        assert (await give(otto, acts.AwardTable(table=ann.table, seat=0))).code == "match_over"
        assert (await give(otto, acts.AdjournTable(table=ann.table))).code == "wrong_state"
        assert (await give(otto, acts.ReopenTable(table=ann.table))).code == "match_over"
    async with serving(tmp_path) as server:
        otto = await signed_in(server, token=otto.token)
        assert (await give(otto, acts.ReopenTable(table=ann.table))).code == "match_over"
        assert await recorded(otto) == ()


@in_loop
async def test_nothing_is_done_to_a_table_while_balls_roll(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=1.0) as server:
        ann, bob = await table_after_break(server)
        otto = await account(server, "Otto", "official")
        await bob.strike(fake.SAFE, fake.SLOW_DEG)
        await ann.until_state(lambda s: s.phase is Phase.SHOT_RUNNING)
        for act in (
            acts.CloseTable(table=ann.table),
            acts.AdjournTable(table=ann.table),
            acts.AwardTable(table=ann.table, seat=0),
        ):
            assert (await give(otto, act)).code == "balls_moving"
        assert await recorded(otto) == ()
