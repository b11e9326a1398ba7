"""Requests are carried out once, whatever comes between; what is kept of them is bounded."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from server.memory import AnswerMemory, MemoryOfTheGone
from server.storage.journal import NotStored
from server.storage.people import new_person
from server.storage.records import PersonRecord, Remembered
from server.storage.requests import MOST_KEPT
from server.storage.store import Store
from shared_rules import messages as m
from tests.server.bench_table import eventually, in_loop, serving
from tests.server.databases import url_of
from tests.server.lobby.test_challenges import SHORT, is_a, people, refused
from tests.server.rating.rated import lose, match
from tests.server.wire_client import WireClient


@in_loop
async def test_a_copy_from_a_new_connection_waits_for_the_first(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        (ann,) = await people(server, "Ann")
        begun, go_on = asyncio.Event(), asyncio.Event()
        real: Any = server.store.matches.open_table

        async def slow(*args: Any) -> None:
            begun.set()
            await go_on.wait()
            await real(*args)

        server.store.matches.open_table = slow  # type: ignore[method-assign]
        request = m.OpenTable(id=ann.next_id())
        await ann.send(request)
        await begun.wait()
        new = await WireClient.connect(server.port, token=ann.token)
        asking = asyncio.create_task(new.ask_again(request))
        await asyncio.sleep(0.1)
        go_on.set()
        answer = await asking
        assert isinstance(answer, m.Accepted) and list(server.house.floor.tables) == [answer.table]
        shown = await new.until(is_a(m.Snapshot))  # he is at his table, on the new connection
        assert shown.table == answer.table and shown.seat == 0
        room = server.house.floor.tables[answer.table or ""].room
        assert len(room.members) == 1 and not room.absence.is_away(0)


@in_loop
async def test_a_guest_without_a_seat_is_refused_alike_after_a_cut(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        (ann,) = await people(server, "Ann")
        request = m.Challenge(id=ann.next_id(), who="Bob")
        first = await ann.ask_again(request)
        assert first.code == "not_here"
        ann.cut()
        await eventually(lambda: len(server.house.people) == 0)
        await people(server, "Bob")
        new = await WireClient.connect(server.port, token=ann.token)
        assert await new.ask_again(request) == first
        other = m.Challenge(id=request.id, who="Cid")
        assert (await new.ask_again(other)).code == "id_reused"


@in_loop
async def test_who_asks_again_is_told_what_no_longer_stands(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        (ann,) = await people(server, "Ann")
        asked = m.Challenge(id=ann.next_id())
        made = await ann.ask_again(asked)
        waiting = m.QuickMatch(id=ann.next_id())
        await ann.ask_again(waiting)
        await ann.ask_again(waiting)
        assert isinstance(await ann.ask(m.Ping), m.Pong)
        assert not any(isinstance(x, m.QueueLeft | m.ChallengeOver) for x in ann.seen)
        ann.cut()
        await eventually(lambda: len(server.house.people) == 0)
        new = await WireClient.connect(server.port, token=ann.token)
        assert await new.ask_again(asked) == made
        over = await new.until(is_a(m.ChallengeOver))
        assert (over.challenge, over.outcome) == (made.challenge, "gone")
        await new.ask_again(waiting)
        await new.until(is_a(m.QueueLeft))


@in_loop
async def test_a_rematch_that_could_not_be_stored_is_offered_still(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await people(server, "Ann", "Bob")
        table = await match(ann, bob, SHORT)
        await lose(bob, ann)
        await ann.ask(m.Rematch, table=table)
        real: Any = server.store.matches.open_match

        async def full(*args: Any) -> None:
            raise NotStored("the disk is full")

        server.store.matches.open_match = full  # type: ignore[method-assign]
        assert await refused(bob, m.Rematch, table=table) == "internal"
        server.store.matches.open_match = real  # type: ignore[method-assign]
        await bob.ask(m.Rematch, table=table)
        found = await ann.until(lambda x: isinstance(x, m.MatchFound) and x.how == "rematch")
        assert found.table != table


@in_loop
async def test_two_words_of_a_rematch_in_the_same_moment(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await people(server, "Ann", "Bob")
        table = await match(ann, bob, SHORT)
        await lose(bob, ann)
        await asyncio.gather(ann.ask(m.Rematch, table=table), bob.ask(m.Rematch, table=table))
        for client in (ann, bob):
            await client.until(lambda x: isinstance(x, m.MatchFound) and x.how == "rematch")
        assert len(server.house.floor.tables) == 2


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_no_more_than_the_latest_requests_are_kept(tmp_path: Path) -> None:
    store = await Store.open(url_of(tmp_path))
    for name in ("p1", "p2"):
        person = PersonRecord(person=name, name=name)
        await store.journal.write(new_person(person, name, 0.0))
    for number in range(1, MOST_KEPT + 20):
        row = Remembered(request=number, digest=bytes(32), answer=b"x")
        await store.requests.keep("p1", row, float(number))
    await store.requests.keep("p2", Remembered(request=5, digest=bytes(32), answer=b"y"), 1.0)
    kept = await store.requests.latest("p1", 10_000)
    assert [row.request for row in kept] == list(range(20, MOST_KEPT + 20))
    assert [row.request for row in await store.requests.latest("p2", 10)] == [5]
    again = Remembered(request=20, digest=bytes(32), answer=b"z")
    await store.requests.keep("p1", again, 1000.0)
    assert (await store.requests.latest("p1", 10_000))[-1] == again
    await store.close()


def test_the_longest_gone_are_forgotten_first() -> None:
    def memory(answers: int) -> AnswerMemory:
        rows = [
            Remembered(
                request=n,
                digest=bytes(32),
                answer=b"\x82\xa1m\xa8accepted\xa2re\x01",
            )
            for n in range(1, answers + 1)
        ]
        return AnswerMemory(rows)

    gone = MemoryOfTheGone(most=10)
    gone.keep("a", memory(6))
    gone.keep("b", memory(0))
    gone.keep("c", memory(4))
    gone.keep("d", memory(1))
    assert gone.take("a") is None and gone.take("b") is None
    for person, count in (("c", 4), ("d", 1)):
        found = gone.take(person)
        assert found is not None and len(found) == count
        assert gone.take(person) is None


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_guest_who_cannot_come_back_is_forgotten_with_his_requests(tmp_path: Path) -> None:
    store = await Store.open(url_of(tmp_path))
    await store.journal.write(new_person(PersonRecord(person="p1", name="p1"), "p1", 0.0))
    await store.requests.keep("p1", Remembered(request=1, digest=bytes(32), answer=b""), 1.0)
    assert await store.guests.forget(()) == 1
    assert await store.requests.latest("p1", 1) == []
    await store.close()
