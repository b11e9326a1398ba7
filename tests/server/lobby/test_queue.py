"""Quick match: who is served first, how far apart, and nobody twice."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.lobby.queue import Waiting, WaitingQueue
from shared_rules import messages as m
from tests.server.bench_table import eventually, in_loop, serving
from tests.server.lobby.test_challenges import SHORT, is_a, people, refused
from tests.server.rating.rated import in_lag


def waiting(name: str, rating: float, since: float, within: float = 400.0) -> Waiting:
    person: Any = SimpleNamespace(id=name, name=name)
    return Waiting(person, m.TableTerms(), b"terms", rating, within, since)


def pairs(queue: WaitingQueue, now: float) -> list[set[str]]:
    return [{a.person.id, b.person.id} for a, b in queue.pairs(now, lambda a, b: True)]


def filled(*entries: Waiting) -> WaitingQueue:
    queue = WaitingQueue()
    for entry in entries:
        queue.add(entry)
    return queue


def test_who_waits_longest_gets_the_nearest() -> None:
    queue = filled(
        waiting("new", 1500, 3.0), waiting("old", 1510, 0.0), waiting("near", 1520, 2.0),
        waiting("far", 1500, 1.0),
    )  # fmt: skip
    assert pairs(queue, 4.0) == [{"old", "far"}, {"near", "new"}]


def test_the_window_widens_up_to_what_each_allows() -> None:
    queue = filled(waiting("a", 1500, 0.0), waiting("b", 1650, 0.0))
    assert pairs(queue, 9.0) == [] and pairs(queue, 10.0) == [{"a", "b"}]
    queue = filled(waiting("a", 1500, 0.0), waiting("b", 1650, 0.0, within=100.0))
    assert pairs(queue, 1e6) == []


def test_who_asks_again_keeps_his_place_unless_he_wants_something_else() -> None:
    queue = filled(waiting("a", 1500, 0.0), waiting("a", 1600, 5.0))
    assert len(queue) == 1
    (found,) = queue._waiting.values()
    assert (found.since, found.rating) == (0.0, 1600)
    queue.add(Waiting(found.person, m.TableTerms(), b"other", 1600, 400.0, 7.0))
    (found,) = queue._waiting.values()
    assert found.since == 7.0


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.floats(800, 2400), st.floats(0, 60), st.floats(25, 800)), max_size=25))
def test_nobody_is_matched_twice_and_none_is_left_who_could_be(
    entries: list[tuple[float, float, float]],
) -> None:
    queue = filled(*(waiting(str(n), *e) for n, e in enumerate(entries)))
    found = queue.pairs(60.0, lambda a, b: True)
    matched = [w.person.id for pair in found for w in pair]
    assert len(matched) == len(set(matched))
    left = [w for w in queue._waiting.values() if w.person.id not in matched]
    for one in left:
        for other in left:
            apart = abs(one.rating - other.rating)
            assert one is other or apart > min(one.window(60.0), other.window(60.0))


@in_loop
async def test_two_who_want_the_same_are_seated(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob, cid = await people(server, "Ann", "Bob", "Cid")
        await ann.ask(m.QuickMatch, terms=SHORT)
        await cid.ask(m.QuickMatch, terms=m.TableTerms(ruleset="eight_ball"))
        await bob.ask(m.QuickMatch, terms=SHORT)
        found = [await client.until(is_a(m.MatchFound)) for client in (ann, bob)]
        assert found[0].table == found[1].table and found[0].how == "quick_match"
        assert [f.seat for f in found] == [0, 1]
        for client in (ann, bob):
            await in_lag(client, found[0].table)
        assert len(server.house.lobby.queue) == 1
        # BR-066: who has a match can't queue, also when he has left its table
        await ann.ask(m.LeaveTable, table=found[0].table)
        assert await refused(ann, m.QuickMatch, terms=SHORT) == "already_playing"
        away = await bob.until_presence(0, here=False)
        assert away.players[0] is not None and away.players[0].absence == "left"


@in_loop
async def test_leaving_the_connection_or_sitting_down_leaves_the_queue(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob, cid = await people(server, "Ann", "Bob", "Cid")
        await ann.ask(m.QuickMatch, terms=SHORT)
        await bob.ask(m.Relate, who="Cid", relation="block")
        ann.cut()
        await eventually(lambda: len(server.house.lobby.queue) == 0)
        await bob.ask(m.QuickMatch, terms=SHORT)
        await cid.ask(m.QuickMatch, terms=SHORT)
        await asyncio.sleep(1.2)  # blocked: they never meet
        assert len(server.house.lobby.queue) == 2 and not server.house.floor.tables
        await bob.open()
        assert (await bob.until(is_a(m.QueueLeft))).reason
        await cid.ask(m.LeaveQueue)
        assert len(server.house.lobby.queue) == 0


@in_loop
async def test_two_who_cannot_be_seated_are_told_once_and_wait_no_more(tmp_path: Path) -> None:
    async with serving(tmp_path, max_tables=1) as server:
        host, ann, bob = await people(server, "Host", "Ann", "Bob")
        await host.open()
        for client in (ann, bob):
            await client.ask(m.QuickMatch, terms=SHORT)
        for client in (ann, bob):
            left = await client.until(is_a(m.QueueLeft))
            assert left.reason == "all tables of this server are taken"
        assert len(server.house.lobby.queue) == 0
        await host.ask(m.LeaveTable, table=host.table)
        await eventually(lambda: not server.house.floor.tables)
        for client in (ann, bob):
            await client.ask(m.QuickMatch, terms=SHORT)
        for client in (ann, bob):
            await client.until(is_a(m.MatchFound))
            assert len([x for x in client.seen if isinstance(x, m.QueueLeft)]) == 1


@in_loop
async def test_who_would_have_been_the_opponent_of_one_who_has_gone_waits_on(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann, bob, cid = await people(server, "Ann", "Bob", "Cid")
        seat = server.house.lobby._seating.seat

        async def gone_first(pair: Any, *args: Any, **more: Any) -> str:
            server.house.lobby._seating.seat = seat  # type: ignore[method-assign]
            bob.cut()
            await eventually(lambda: pair[1].connection is None or pair[0].connection is None)
            return await seat(pair, *args, **more)

        server.house.lobby._seating.seat = gone_first  # type: ignore[method-assign]
        await ann.ask(m.QuickMatch, terms=SHORT)
        await bob.ask(m.QuickMatch, terms=SHORT)
        await eventually(lambda: len(server.house.lobby.queue) == 1)
        await cid.ask(m.QuickMatch, terms=SHORT)
        assert (await ann.until(is_a(m.MatchFound))).opponent == "Cid"
