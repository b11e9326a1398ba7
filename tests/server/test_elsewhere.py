"""Nobody is at two tables: a match that is adjourned doesn't go on with who plays elsewhere."""

import asyncio
from pathlib import Path

from shared_rules import messages as m
from shared_rules.state import Phase
from tests.server.bench_table import eventually, in_loop, serving, table_after_break
from tests.server.wire_client import WireClient

RULES = {"disconnect": {"grace_s": 2.0, "claim_s": 0.0, "budget_s": 30.0, "effect": "adjourn"}}


@in_loop
async def test_an_adjourned_match_waits_for_who_has_sat_down_elsewhere(tmp_path: Path) -> None:
    """Ann waits at the table that Bob has dropped from, then plays Cid; Bob comes back."""
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=RULES)
        first, tables = ann.table, server.house.floor.tables
        bob.cut()
        await eventually(lambda: tables[first].course.attendance.adjourned)
        second = await ann.open(overrides=RULES)
        cid = await WireClient.connect(server.port, "Cid")
        await cid.join(second, invitation=ann.invitation)
        bob = await WireClient.connect(server.port, token=bob.token)
        assert isinstance(await bob.join(first), m.Accepted)
        await asyncio.sleep(0.3)
        assert tables[first].course.attendance.adjourned
        record = await server.store.matches.load(first)
        assert record is not None and record.status == "adjourned"
        # Bob is told that she is away, and the match goes on once she is back from the other
        assert tables[first].room.absence.is_away(0)
        assert (await ann.join(first)).code == "already_playing"
        for client in (ann, cid):
            await client.ask(m.LeaveTable, table=second)
        await eventually(lambda: tables[second].course.attendance.adjourned)
        assert isinstance(await ann.join(first), m.Accepted)
        await bob.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
