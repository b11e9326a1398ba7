"""A match over real sockets, from the lag to match point; everyone is told the same."""

from pathlib import Path

import pytest

from shared_rules import commands as c
from shared_rules.match import replay
from shared_rules.state import Phase
from shared_rules.view import public_state
from tests.server import fake_physics as fake
from tests.server.bench_table import break_balls, in_debug_loop, lag, serving, two_players
from tests.server.wire_client import WireClient


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_race_to_two_is_the_same_for_players_spectator_and_log(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, overrides={"match": {"games_to_win": 2}})
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        await lag(ann, bob)
        await break_balls(ann, bob)
        await bob.strike(fake.MISS)
        await ann.until_state(lambda s: s.phase is Phase.PLACE_CUE_ANYWHERE)
        await ann.give(c.PlaceCue(x=0.0, y=0.2))
        await ann.strike(fake.NINE)
        await ann.until_state(lambda s: s.rack_number == 2 and s.racked)
        await ann.give(c.PlaceCue(x=-0.8, y=0.0))
        await ann.strike(fake.NINE)
        for client in (ann, bob, eve):
            await client.until_state(lambda s: s.phase is Phase.MATCH_OVER)
            assert client.state is not None and client.state.winner == 0
        assert ann.trajectories == bob.trajectories == eve.trajectories
        assert len(ann.trajectories) == 5
        assert ann.rulings == bob.rulings == eve.rulings
        assert ann.state == bob.state == eve.state
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.description is not None
        assert record.status == "over"
        assert public_state(replay(record.description, record.orders), None) == ann.state
        stored = await server.store.matches.shots(ann.table)
        assert [s.trajectory for s in stored] == list(ann.trajectories.values())
        for client in (ann, bob, eve):
            await client.close()
