"""The store: migrations, the single writer, one server a file, what comes back."""

import asyncio
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from msgspec.structs import replace
from sqlalchemy import insert, inspect, select

from server.config import database_url
from server.storage import schema
from server.storage.database import make_engine, migrate, revisions
from server.storage.journal import Journal, NotStored
from server.storage.lock import DatabaseInUse
from server.storage.migrating import alembic_config, upgrade
from server.storage.people import SessionRecord
from server.storage.records import AbsenceRecord, PersonRecord, Remembered, Terms
from server.storage.store import Store
from shared_rules.commands import Actor, Order, StartMatch
from shared_rules.ruleset import make_ruleset
from tests.server.bench_table import in_debug_loop
from tests.server.databases import url_of


def _session(name: str, token_hash: bytes) -> SessionRecord:
    return SessionRecord(
        token_hash=token_hash, session=name, person="p1", client="", created_at=1.0, used_at=2.0
    )


@in_debug_loop
async def test_the_one_token_of_old_is_the_first_session(tmp_path: Path) -> None:
    """A database of revision 0001, with a match that refers to its people."""
    path = tmp_path / "old.sqlite3"
    engine = make_engine(database_url(str(path)))
    async with engine.begin() as connection:
        await connection.run_sync(lambda c: upgrade(c, "0001"))
        for row in (
            "INSERT INTO people VALUES ('p1', 'Ann', 'ann', x'61', 5.0)",
            "INSERT INTO matches (match, status, seat_0, terms, request, digest, answer, opened_at)"
            " VALUES ('T1', 'waiting', 'p1', x'00', 1, x'00', x'00', 6.0)",
        ):
            await connection.exec_driver_sql(row)
    await engine.dispose()
    store = await Store.open(database_url(str(path)))
    session = await store.people.session(b"a")
    assert session is not None and (session.person, session.created_at) == ("p1", 5.0)
    assert await store.people.person("p1") == PersonRecord(person="p1", name="Ann")
    assert await store.matches.open_tables() == ["T1"]
    with pytest.raises(NotStored):  # references count again
        await store.people.add_session(replace(_session("s2", b"x"), person="nobody"))
    await store.close()


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_migrations_make_the_schema_that_the_code_uses(tmp_path: Path) -> None:
    engine = make_engine(url_of(tmp_path))
    await migrate(engine)
    await migrate(engine)  # again: nothing to do
    async with engine.connect() as connection:
        found = await connection.run_sync(
            lambda c: {
                table: {
                    column["name"]: column["nullable"] for column in inspect(c).get_columns(table)
                }
                for table in inspect(c).get_table_names()
                if table != "alembic_version"
            }
        )
    wanted = {
        name: {column.name: bool(column.nullable) for column in table.columns}
        for name, table in schema.metadata.tables.items()
    }
    assert found == wanted
    await engine.dispose()


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_a_database_that_is_up_to_date_is_opened_without_looking_through_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = make_engine(url_of(tmp_path))
    await migrate(engine)

    def never(_connection: object) -> None:
        raise AssertionError("nothing was to be changed")

    monkeypatch.setattr("server.storage.migrating.upgrade", never)
    await migrate(engine)
    async with engine.begin() as connection:
        await connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0008'")
    with pytest.raises(AssertionError, match="nothing was to be changed"):
        await migrate(engine)
    await engine.dispose()


@in_debug_loop
async def test_sqlite_survives_a_power_cut_by_its_settings(tmp_path: Path) -> None:
    engine = make_engine(url_of(tmp_path))
    async with engine.connect() as connection:
        mode = (await connection.exec_driver_sql("PRAGMA journal_mode")).scalar()
        synchronous = (await connection.exec_driver_sql("PRAGMA synchronous")).scalar()
    assert (mode, synchronous) == ("wal", 2)  # 2 = FULL
    await engine.dispose()


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_two_servers_cannot_have_one_database(tmp_path: Path) -> None:
    store = await Store.open(url_of(tmp_path))
    with pytest.raises(DatabaseInUse):
        await Store.open(url_of(tmp_path))
    await store.close()
    again = await Store.open(url_of(tmp_path))
    await again.close()


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_many_writes_share_commits_and_a_bad_one_fails_alone(tmp_path: Path) -> None:
    engine = make_engine(url_of(tmp_path))
    await migrate(engine)
    journal = Journal(engine)
    await journal.start()
    rows = [
        insert(schema.starts).values(start=1000 + n, clock=0.0, wall_time=0.0) for n in range(30)
    ]
    rows.append(
        insert(schema.starts).values(start=1007, clock=0.0, wall_time=0.0)
    )  # a number twice
    results = await asyncio.gather(*(journal.write(r) for r in rows[1:]), return_exceptions=True)
    assert [type(r) for r in results if r is not None] == [NotStored]
    await asyncio.gather(
        *(journal.write(insert(schema.starts).values(clock=1.0, wall_time=0.0)) for _ in range(40))
    )
    assert journal.commits < 40
    await journal.close()
    with pytest.raises(NotStored):
        await journal.write(rows[0])
    async with engine.connect() as connection:
        assert len((await connection.execute(select(schema.starts))).fetchall()) == 29 + 40
    await engine.dispose()


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_a_cancelled_writer_does_not_stop_the_others(tmp_path: Path) -> None:
    engine = make_engine(url_of(tmp_path))
    await migrate(engine)
    journal = Journal(engine)
    await journal.start()
    row = insert(schema.starts).values(clock=0.0, wall_time=0.0)
    task = asyncio.create_task(journal.write(row))
    await asyncio.sleep(0)
    task.cancel()
    await journal.write(row)
    await journal.close()
    async with engine.connect() as connection:  # what was handed over is written all the same
        assert len((await connection.execute(select(schema.starts))).fetchall()) == 2
    await engine.dispose()


@pytest.mark.usefixtures("on_both")
@in_debug_loop
async def test_what_was_written_comes_back(tmp_path: Path) -> None:
    store = await Store.open(url_of(tmp_path))
    assert await store.last_clock() == 0.0
    assert await store.note_start(0.0) == 1
    store.keep_clock(lambda: 12.75)
    ann = PersonRecord(person="p1", name="Ann")
    await store.people.add_guest(ann, "ann", 1.0, _session("s1", b"h" * 32))
    terms = Terms(ruleset=make_ruleset("nine_ball_wpa"), preset="9ft", invitation="ABCD2345")
    request = Remembered(request=5, digest=b"d" * 32, answer=b"a")
    await store.matches.open_table("T1", "p1", terms, request, 12.0)
    await store.matches.append("T1", 1, Order(by=Actor.SERVER, at=12.5, command=StartMatch()))
    with pytest.raises(NotStored):
        await store.matches.append("T1", 1, Order(by=Actor.SERVER, at=13.0, command=StartMatch()))
    absences = (
        AbsenceRecord(used_s=1.5),
        AbsenceRecord(used_s=2.5, kind="left", since=12.25),
    )
    await store.matches.save_absences("T1", absences)
    await store.close()
    store = await Store.open(url_of(tmp_path))
    assert await store.last_clock() == 12.75
    assert await store.note_start(12.5) == 2
    record = await store.matches.load("T1")
    assert record is not None and record.terms == terms and record.absences == absences
    assert [order.at for order in record.orders] == [12.5]
    assert await store.requests.latest("p1", 10) == [request]
    assert await store.people.person("p1") == ann
    assert await store.people.session(b"h" * 32) == _session("s1", b"h" * 32)
    assert await store.people.session(b"x" * 32) is None
    assert await store.matches.open_tables() == ["T1"]
    await store.matches.set_status("T1", "over")
    assert await store.matches.open_tables() == []
    assert await store.matches.load("T2") is None
    await store.close()


def test_the_revisions_of_this_build_are_those_of_its_migrations() -> None:
    script = ScriptDirectory.from_config(alembic_config())
    assert revisions() == {each.revision for each in script.walk_revisions()}
    assert script.get_heads() == [max(revisions())]
