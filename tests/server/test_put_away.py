"""Adjourned matches need no table: they leave memory, and come back from the log when wanted."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server import ending
from server.app import MatchServer
from server.storage.records import AbsenceRecord
from shared_rules import messages as m
from shared_rules.messages import oversight as acts
from shared_rules.state import Phase
from tests.server import fake_physics as fake
from tests.server.bench_table import (
    away_rules,
    back,
    eventually,
    in_loop,
    serving,
    table_after_break,
)
from tests.server.test_oversight import account, done
from tests.server.wire_client import WireClient


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "_EMPTY_REAL_S", 0.1)


async def _put_away(server: MatchServer, **fields: Any) -> tuple[WireClient, WireClient]:
    """A table after the break that both have left, adjourned and no longer in memory."""
    ann, bob = await table_after_break(server, overrides=away_rules(), **fields)
    for client in (ann, bob):
        await client.close()
    await eventually(lambda: ann.table not in server.house.floor.tables)
    record = await server.store.matches.load(ann.table)
    assert record is not None and record.status == "adjourned"
    return ann, bob


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_br_053_a_match_that_both_left_is_put_away_and_goes_on_when_both_are_back(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await _put_away(server)
        people = server.house.people
        await eventually(lambda: len(people) == 0)  # nothing of it is in memory
        # the name is still his
        eve = await WireClient.connect(server.port)
        await eve.send(m.Hello(protocol=m.PROTOCOL, name="Ann"))
        assert (await eve.until(lambda x: isinstance(x, m.Refused))).code == "name_taken"
        new = await WireClient.connect(server.port)
        assert (await new.hello(token=ann.token)).tables == (ann.table,)
        # who has no seat there brings nothing back
        dan = await WireClient.connect(server.port, "Dan")
        assert (await dan.join(ann.table)).code == "unknown_table"
        assert (await dan.watch(ann.table)).code == "unknown_table"
        assert not server.house.floor.tables
        assert isinstance(await new.join(ann.table, last_seen=ann.seq), m.Accepted)
        snapshot = await new.until(lambda x: isinstance(x, m.Snapshot))
        assert snapshot.seq > ann.seq and snapshot.state.phase is Phase.SUSPENDED
        bob = await back(server, bob)
        state = await bob.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert state.shooter == 1 and ann.state is not None and state.balls == ann.state.balls
        assert isinstance(await bob.strike(fake.SAFE), m.Accepted)


@in_loop
async def test_br_052_a_table_that_is_put_away_takes_no_place_on_the_server(tmp_path: Path) -> None:
    async with serving(tmp_path, max_tables=1) as server:
        ann, _ = await _put_away(server)
        eve = await WireClient.connect(server.port, "Eve")
        await eve.open()
        new = await WireClient.connect(server.port, token=ann.token)
        assert (await new.join(ann.table)).code == "too_many_tables"  # for now
        await eve.ask(m.LeaveTable, table=eve.table)
        await eventually(lambda: not server.house.floor.tables)
        assert isinstance(await new.join(ann.table), m.Accepted)


@in_loop
async def test_who_comes_back_alone_to_an_adjourned_match_waits_and_cannot_claim_it(
    tmp_path: Path,
) -> None:
    """Not at night, nor when he has been cut off and is back again, nor after a restart."""
    async with serving(tmp_path, time_scale=100.0) as server:
        ann, bob = await _put_away(server)
        for _ in range(2):
            new = await back(server, ann)
            await new.until_state(lambda s: s.phase is Phase.SUSPENDED)
            late = server.clock.now() + 30.0  # ten graces
            await eventually(lambda late=late: server.clock.now() > late)  # type: ignore[misc]
            for ask in ("win", "adjourn"):
                answer = await new.ask(m.ClaimAbsence, table=ann.table, ask=ask)
                assert answer.code == "play_suspended", answer
            new.cut()
        await eventually(lambda: ann.table not in server.house.floor.tables)
    async with serving(tmp_path, time_scale=100.0) as server:
        new = await back(server, ann)
        late = server.clock.now() + 30.0
        await eventually(lambda: server.clock.now() > late)
        answer = await new.ask(m.ClaimAbsence, table=ann.table)
        assert answer.code == "play_suspended"
        bob = await back(server, bob)
        await bob.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        # now it is as always
        await bob.ask(m.LeaveTable, table=bob.table)
        room = server.house.floor.tables[ann.table].room
        await eventually(
            lambda: (
                (a := room.absence.away(1)) is not None
                and a.claim_from is not None
                and a.claim_from < server.clock.now()
            )
        )
        assert isinstance(await new.ask(m.ClaimAbsence, table=ann.table), m.Accepted)


@in_loop
async def test_spectators_are_told_why_and_a_player_keeps_the_table(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=away_rules(effect="adjourn"))
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        await bob.close()
        room = server.house.floor.tables[ann.table].room
        await eventually(
            lambda: (
                (a := room.absence.away(1)) is not None
                and a.claim_from is not None
                and a.claim_from < server.clock.now()
            )
        )
        answer = await ann.ask(m.ClaimAbsence, table=ann.table, ask="adjourn")
        assert isinstance(answer, m.Accepted)
        await ann.until_state(lambda s: s.phase is Phase.SUSPENDED)
        assert (await ann.ask(m.Ping)).re
        assert ann.table in server.house.floor.tables
        await ann.close()
        closed = await eve.until(lambda x: isinstance(x, m.TableClosed))
        assert "adjourned" in closed.reason


@in_loop
async def test_a_start_leaves_adjourned_matches_in_the_log_and_officials_reach_them(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann, _ = await _put_away(server)
    async with serving(tmp_path) as server:
        assert not server.house.floor.tables and len(server.house.people) == 0
        otto = await account(server, "Otto", "official")
        listed = await otto.ask(m.ListPeople, starts="ann")
        assert listed.people[0].tables == (ann.table,)
        waiting = await otto.ask(m.ListReplays, status="adjourned")
        assert [found.match for found in waiting.matches] == [ann.table]
        await done(otto, acts.AwardTable(table=ann.table, seat=0), "Bob has left the club")
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.status == "over"
        assert (await otto.ask(m.ListReplays, status="adjourned")).matches == ()


@in_loop
async def test_an_official_closes_a_match_that_is_put_away(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, _ = await _put_away(server, watch="nobody")
        otto = await account(server, "Otto", "official")
        waiting = await otto.ask(m.ListReplays, status="adjourned")
        assert [found.match for found in waiting.matches] == [ann.table]
        dan = await WireClient.connect(server.port, "Dan")  # who might not watch it
        assert (await dan.ask(m.ListReplays, status="adjourned")).matches == ()
        await done(otto, acts.CloseTable(table=ann.table), "the season is over")
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.status == "closed"
        new = await WireClient.connect(server.port, token=ann.token)
        assert (await new.join(ann.table)).code == "unknown_table"


# --- absences over a restart ---------------------------------------------------------------------


Absences = tuple[AbsenceRecord, AbsenceRecord]


async def _stored_absences(
    server: MatchServer, table: str, wanted: Callable[[Absences], bool]
) -> Absences:
    """What the log says of who is away, once it says what is wanted: it is written in passing."""
    for _ in range(3000):
        record = await server.store.matches.load(table)
        assert record is not None
        if wanted(record.absences):
            return record.absences
        await asyncio.sleep(0.01)
    raise AssertionError(f"the absences have not been stored: {record.absences}")


@in_loop
async def test_an_absence_that_runs_goes_on_over_a_restart(tmp_path: Path) -> None:
    rules = away_rules(grace_s=300.0)
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=rules)
        start = len(ann.seen)
        await bob.ask(m.LeaveTable, table=bob.table)
        before = (await ann.until_presence(1, here=False, start=start)).players[1]
        assert before is not None and before.absence == "left"
        here, gone = await _stored_absences(server, ann.table, lambda a: a[1].kind == "left")
        since = gone.since
        assert since is not None and here.since is None
    async with serving(tmp_path, restart_pause_s=50.0) as server:
        room = server.house.floor.tables[ann.table].room
        away = room.absence.away(1)
        assert away is not None and (away.kind, away.since) == ("left", since)
        # his grace of a second is long over; what comes of it waits for the published pause
        assert away.claim_from is not None and away.until == before.away_until
        assert 0.0 <= away.claim_from - server.clock.now() <= 50.0
        bob = await back(server, bob)
        await bob.ask(m.Ping)
        assert room.absence.used[1] == pytest.approx(server.clock.now() - since, abs=20.0)
        await _stored_absences(server, ann.table, lambda a: a[1].since is None)
