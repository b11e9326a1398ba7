"""A table that is shown late: nobody who is not at it learns its end anywhere else before."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from server import ending
from server.rating.fold import Contest, Fold, Terms
from shared_rules import messages as m
from shared_rules.messages import oversight as acts
from tests.server.bench_table import in_loop, serving
from tests.server.lobby.test_challenges import refused
from tests.server.rating.rated import RATED, lose, match, rating
from tests.server.test_oversight import account, done
from tests.server.wire_client import WireClient

DELAY_S = 30.0  # three real seconds
LATE = replace(RATED, delay_s=DELAY_S)


async def known(eve: WireClient, table: str) -> set[Any]:
    """All that somebody who isn't at a table can find out of it and of its players."""
    start = len(eve.seen)
    await eve.ask(m.LeaveLobby)
    await eve.ask(m.EnterLobby)
    shown = await eve.until(lambda x: isinstance(x, m.LobbyShown), start)
    found: set[Any] = {("rating", p.name, tuple(p.ratings)) for p in shown.people}
    found |= {("status", p.name, p.status) for p in shown.people if p.name in ("Ann", "Bob")}
    found |= {("lobby", t.status, t.games) for t in shown.tables if t.table == table}
    listed = (await eve.ask(m.ListTables)).tables
    found |= {("tables", t.phase == "MATCH_OVER", t.games) for t in listed if t.table == table}
    for status in (None, "running", "over", "adjourned"):
        for row in (await eve.ask(m.ListReplays, status=status)).matches:
            if row.match == table:
                found.add(("replays", status, row.status, row.ended_at is None, row.result))
    replay = await eve.ask(m.GetReplay, match=table)
    found.add(("replay", replay.summary.status, replay.summary.result))
    for who in ("Ann", "Bob"):
        of_him = await rating(eve, who=who)
        found.add(("rated", who, of_him.ratings, of_him.changes))
    asked = await eve.ask(m.Challenge, who="Bob")
    found.add(("free", getattr(asked, "code", "yes")))
    if isinstance(asked, m.Accepted):
        await eve.ask(m.WithdrawChallenge, challenge=asked.challenge)
    return found


async def _later(eve: WireClient, table: str, clock: float) -> set[Any]:
    await _at(eve, clock)
    return await known(eve, table)


async def _at(eve: WireClient, clock: float) -> None:
    for _ in range(600):
        if (await eve.ask(m.Ping)).clock >= clock:
            return
        await asyncio.sleep(0.1)
    raise AssertionError("the clock does not get there")


async def _seen_to_begin(eve: WireClient, table: str) -> None:
    for _ in range(600):
        if (await eve.ask(m.GetReplay, match=table)).events:
            return
        await asyncio.sleep(0.1)
    raise AssertionError("nothing is shown")


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_result_is_nowhere_before_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ending, "_EMPTY_REAL_S", 0.01)  # who has played goes: no table closes so
    async with serving(tmp_path) as server:
        ann, bob = [await account(server, name, "player") for name in ("Ann", "Bob")]
        eve = await WireClient.connect(server.port, "Eve")
        table = await match(ann, bob, LATE)
        await _seen_to_begin(eve, table)
        before = await known(eve, table)
        await lose(ann, bob)
        ended = (await eve.ask(m.Ping)).clock
        mine = await rating(bob)
        assert mine.changes[0].score == 1.0 and mine.ratings[0].rating > 1500.0
        (own,) = (await bob.ask(m.ListReplays, status="over")).matches
        assert own.result is not None
        for player in (ann, bob):
            await player.ask(m.LeaveTable, table=table)
        await asyncio.sleep(0.3)
        assert await known(eve, table) == before
        assert (await eve.ask(m.Ping)).clock < ended + DELAY_S
        after = await _later(eve, table, ended + DELAY_S)
        told = {row[0] for row in before ^ after}
        assert {"replays", "rated", "rating", "status", "lobby", "free", "replay"} <= told
        assert (await rating(eve, who="Bob")).changes == mine.changes


@in_loop
async def test_nor_after_a_restart_or_a_clock_that_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path) as server:
        ann, bob = [await account(server, name, "player") for name in ("Ann", "Bob")]
        eve = await WireClient.connect(server.port, "Eve")
        table = await match(ann, bob, LATE)
        await lose(ann, bob)
        ended = (await eve.ask(m.Ping)).clock
    real = time.time
    monkeypatch.setattr("time.time", lambda: real() + 7200.0)
    async with serving(tmp_path) as server:
        eve = await WireClient.connect(server.port, "Eve")
        bob = await WireClient.connect(server.port, token=bob.token)
        await eve.ask(m.EnterLobby)
        shown = await eve.until(lambda x: isinstance(x, m.LobbyShown))
        assert {p.name: p.ratings for p in shown.people} == {"Eve": {}, "Bob": {}}
        assert (await rating(eve, who="Bob")).changes == ()
        (row,) = (await eve.ask(m.ListReplays, status="running")).matches
        assert (row.match, row.result) == (table, None)
        assert (await eve.ask(m.ListReplays, status="over")).matches == ()
        assert len((await rating(bob)).changes) == 1
        await _at(eve, ended + DELAY_S)
        assert len((await rating(eve, who="Bob")).changes) == 1
        told = await eve.until(lambda x: isinstance(x, m.LobbyChanges) and x.people)
        assert told.people[0].ratings["nine_ball"] > 1500


@in_loop
async def test_an_adjournment_is_nowhere_before_its_time(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "official")
        ann, bob = [await account(server, name, "player") for name in ("Ann", "Bob")]
        eve = await WireClient.connect(server.port, "Eve")
        table = await match(ann, bob, LATE)
        await _seen_to_begin(eve, table)
        await done(adam, acts.AdjournTable(table=table))
        ended = (await eve.ask(m.Ping)).clock
        for status, wanted in (("running", [table]), ("adjourned", [])):
            rows = (await eve.ask(m.ListReplays, status=status)).matches
            assert [row.match for row in rows] == wanted
        (own,) = (await ann.ask(m.ListReplays, status="adjourned")).matches
        assert own.match == table
        await _at(eve, ended + DELAY_S)
        (row,) = (await eve.ask(m.ListReplays, status="adjourned")).matches
        assert row.match == table


def test_what_was_reckoned_from_a_hidden_match_is_hidden_as_long() -> None:
    """Cid plays Bob at once: his own row would tell him how Bob has played at the late table."""
    fold = Fold()
    for person in ("ann", "bob", "cid"):
        fold.begin(person, None)
    late, _ = fold.play(Contest("1", "d", ("ann", "bob")), 1, 1.0, 0, Terms(shown_at=100.0))
    assert (late.shown_from, late.told_from) == (100.0, 0.0)
    again, _ = fold.play(Contest("2", "d", ("bob", "ann")), 2, 2.0, 0, Terms())
    assert (again.shown_from, again.told_from) == (100.0, 0.0)  # both were there
    bob, cid = fold.play(Contest("3", "d", ("bob", "cid")), 3, 3.0, 0, Terms())
    assert (bob.shown_from, bob.told_from) == (100.0, 0.0)
    assert (cid.shown_from, cid.told_from) == (100.0, 100.0)


@in_loop
async def test_a_table_is_listed_for_whom_it_is_of_use(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "official")
        ann = await WireClient.connect(server.port, "Ann")
        bob = await WireClient.connect(server.port, "Bob")
        eve = await WireClient.connect(server.port, "Eve")

        async def listed(who: WireClient) -> int:
            return len((await who.ask(m.ListTables)).tables)

        for fields, free, full in (
            ({"watch": "nobody", "private": True}, 0, 0),
            ({"watch": "invited", "private": True}, 0, 0),
            ({"watch": "nobody"}, 1, 0),
            ({"watch": "everyone", "private": True}, 1, 1),
        ):
            table = await ann.open(**fields)
            assert (await listed(eve), await listed(ann), await listed(adam)) == (free, 1, 1)
            assert isinstance(await bob.join(table, invitation=ann.invitation), m.Accepted)
            assert (await listed(eve), await listed(bob), await listed(adam)) == (full, 1, 1)
            await eve.ask(m.LeaveLobby)
            await eve.ask(m.EnterLobby)
            shown = [x for x in eve.seen if isinstance(x, m.LobbyShown)][-1]
            assert len(shown.tables) == full
            names = {p.name: p.table for p in shown.people}
            assert names["Ann"] == (table if fields["watch"] == "everyone" else None)
            await done(adam, acts.CloseTable(table=table))
        assert await refused(eve, m.WatchTable, table=table) == "unknown_table"
