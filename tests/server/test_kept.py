"""What the database keeps: once and no longer than it is of use."""

from pathlib import Path

import msgspec
import pytest
from sqlalchemy import select

from server.config import database_url
from server.storage import logs, schema
from server.storage.database import make_engine
from server.storage.journal import NotStored
from server.storage.migrating import upgrade
from server.storage.packing import packed, unpacked
from server.storage.people import SessionRecord
from server.storage.records import PersonRecord, Remembered, Terms
from server.storage.store import Store
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.commands import Actor, Order, StartMatch
from shared_rules.messages import oversight as acts
from shared_rules.ruleset import make_ruleset
from tests.server import fake_physics as fake
from tests.server.bench_table import in_debug_loop, in_loop, serving, table_after_break
from tests.server.databases import url_of
from tests.server.test_oversight import account, give, recorded

TERMS = Terms(ruleset=make_ruleset("nine_ball_wpa"), preset="9ft", invitation="ABCD2345")


def _session(person: str, used_at: float) -> SessionRecord:
    token = person.encode().ljust(32, b".")
    return SessionRecord(
        token_hash=token, session=person, person=person, client="", created_at=1.0, used_at=used_at
    )


async def _guest(store: Store, person: str, used_at: float) -> None:
    record = PersonRecord(person=person, name=person)
    await store.people.add_guest(record, person, 1.0, _session(person, used_at))


def _asked(number: int) -> Remembered:
    return Remembered(request=number, digest=b"d" * 32, answer=b"a")


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_guests_go_who_cannot_come_back_and_have_left_nothing(tmp_path: Path) -> None:
    store = await Store.open(url_of(tmp_path))
    for person in ("gone", "here", "lately", "played", "official"):
        await _guest(store, person, 50.0 if person == "lately" else 2.0)
    await store.matches.open_table("T1", "played", TERMS, _asked(1), 1.0)
    await store.people.make_account(
        PersonRecord(person="official", name="official"), "official", "hash", 1.0
    )
    await store.people.end_unused(10.0)
    assert await store.guests.forget({"here"}) == 1
    left = [p for p in ("gone", "here", "lately", "played", "official")
            if await store.people.person(p) is not None]  # fmt: skip
    assert left == ["here", "lately", "played", "official"]
    assert await store.guests.forget(()) == 1 and await store.guests.forget(()) == 0
    await store.close()


@in_debug_loop
async def test_many_guests_go_in_several_goes(tmp_path: Path) -> None:
    store = await Store.open(url_of(tmp_path))
    rows = [{"person": f"p{n:04}", "name": "x", "name_key": "x", "created_at": 1.0}
            for n in range(1200)]  # fmt: skip
    await store.journal.write(schema.people.insert().values(rows))
    assert await store.guests.forget({"p0007"}) == 1199
    await store.close()


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_requests_are_remembered_in_the_order_of_the_servers_clock(tmp_path: Path) -> None:
    """Tables that were opened stand between the orders, not before them all."""
    store = await Store.open(url_of(tmp_path))
    await _guest(store, "p1", 2.0)
    await store.matches.open_table("T1", "p1", TERMS, _asked(1), 10.0)
    order = Order(by=Actor.SERVER, at=11.0, command=StartMatch())
    await store.matches.append("T1", 1, order, person="p1", request=_asked(2))
    await store.matches.open_table("T2", "p1", TERMS, _asked(3), 12.0)
    order = Order(by=Actor.SERVER, at=13.0, command=StartMatch())
    await store.matches.append("T2", 1, order, person="p1", request=_asked(4))
    assert [r.request for r in await store.requests.latest("p1", 10)] == [1, 2, 3, 4]
    assert [r.request for r in await store.requests.latest("p1", 2)] == [3, 4]
    await store.close()


@in_loop
async def test_the_events_of_a_shot_are_kept_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        await bob.strike(fake.POT)
        await ann.until_state(lambda s: s.last_ruling is not None and s.last_ruling.shot == 3)
        record = await server.store.matches.load(ann.table)
        assert record is not None
        judged = [o.command for o in record.orders if isinstance(o.command, c.FinishShot)]
        shots = await server.store.matches.shots(ann.table)
        assert [(j.shot, j.events, j.balls) for j in judged] == [
            (s.shot, s.events, s.balls) for s in shots
        ]
        assert all(j.events and j.balls for j in judged)
        bodies = await server.store._read(select(schema.orders.c.body))
        assert not any(b"ball_ball" in row[0] for row in bodies)
        before = ann.state
    async with serving(tmp_path) as server:  # and the log still replays
        keeper = server.house.floor.tables[ann.table].course.keeper
        assert keeper is not None and before is not None
        assert keeper.state.balls == before.balls


@in_debug_loop
async def test_a_log_of_old_gives_up_what_its_shots_hold(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite3"
    engine = make_engine(database_url(str(path)))
    events = (fake.CueStrike(at=0.0), fake.Rest(at=1.0))
    balls = {0: fake.Position(0.25, 0.5)}
    whole = Order(by=Actor.SERVER, at=9.0, command=c.FinishShot(shot=1, events=events, balls=balls))
    strike = Order(
        by=Actor.SEAT_0, at=8.0,
        command=c.Strike(stroke=c.Stroke(speed=2.0, heading_deg=0.0)),
    )  # fmt: skip
    encode = msgspec.msgpack.encode
    async with engine.begin() as connection:
        await connection.run_sync(lambda x: upgrade(x, "0004"))
        for query, values in (
            ("INSERT INTO people VALUES ('p1', 'Ann', 'ann', 5.0)", ()),
            ("INSERT INTO matches (match, status, seat_0, terms, request, digest, answer,"
             " opened_at) VALUES ('T1', 'over', 'p1', x'00', 1, x'00', x'00', 6.0)", ()),
            ("INSERT INTO orders (match, number, at, body) VALUES ('T1', 1, 8.0, ?)",
             (encode(strike),)),
            ("INSERT INTO orders (match, number, at, body) VALUES ('T1', 2, 9.0, ?)",
             (encode(whole),)),
            ("INSERT INTO orders (match, number, at, body) VALUES ('T1', 3, 9.5, x'00')", ()),
            ("INSERT INTO shots VALUES ('T1', 1, 1, 8.0, 1.0, x'00', ?, ?)",
             (encode(events), encode(balls))),
        ):  # fmt: skip
            await connection.exec_driver_sql(query, values)
    await engine.dispose()
    store = await Store.open(database_url(str(path)))
    (body,) = await store._read(select(schema.orders.c.body).where(schema.orders.c.number == 2))
    assert len(body[0]) < len(encode(whole))
    await store.journal.write(schema.orders.delete().where(schema.orders.c.number == 3))
    assert await logs.read_log(store._read, "T1") == (strike, whole)
    (at,) = await store._read(select(schema.matches.c.at))
    assert at[0] == 8.0
    await store.close()


def test_what_is_packed_comes_back_and_so_does_what_never_was() -> None:
    for value in ({}, [1, 2], {"a": ["x" * 40] * 30}, [1.5] * 400):
        data = msgspec.msgpack.encode(value)
        assert unpacked(packed(data)) == unpacked(data) == data
        assert len(packed(data)) <= len(data)
    long = msgspec.msgpack.encode({"a": ["x" * 40] * 30})
    assert len(packed(long)) < len(long) / 4


@in_loop
async def test_an_officials_act_is_there_with_what_it_does_or_not_at_all(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, _ = await table_after_break(server)
        otto = await account(server, "Otto", "official")
        written = server.store.journal.write
        commits: list[int] = []

        async def watched(*statements: object) -> None:
            tables = {getattr(getattr(s, "table", None), "name", "") for s in statements}
            if "actions" in tables:
                commits.append(len(statements))
                if len(commits) == 1:
                    raise NotStored("the disk is full")
            await written(*statements)  # type: ignore[arg-type]

        server.store.journal.write = watched  # type: ignore[method-assign]
        award = acts.AwardTable(table=ann.table, seat=0, scope="game")
        assert (await give(otto, award, "x")).code == "internal"
        assert await recorded(otto) == () and ann.state is not None
        assert ann.state.games == (0, 0)
        assert isinstance(await give(otto, award, "x"), m.Accepted)
        await ann.until_state(lambda s: s.games == (1, 0))
        assert commits == [2, 2]  # the record and the order, as one
        await give(otto, acts.AdjournTable(table=ann.table), "late")
        await give(otto, acts.CloseTable(table=ann.table), "later")
        await give(otto, acts.ReopenTable(table=ann.table), "tomorrow")
        assert [a.act for a in await recorded(otto, table=ann.table)] == [
            "reopen_table", "close_table", "adjourn_table", "award",
        ]  # fmt: skip
        assert all(size >= 2 for size in commits)
