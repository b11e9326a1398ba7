"""Backups made while a server runs, and brought back into either kind of database."""

import asyncio
import os
import shutil
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest

import headstring
from server.storage.backup import BackupError, back_up, check, restore
from server.storage.database import NoDatabase
from server.storage.lock import DatabaseInUse
from server.storage.store import Store
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.server import fake_physics as fake
from tests.server.bench_table import in_loop, serving, table_after_break
from tests.server.databases import Cluster, url_of
from tests.server.wire_client import WireClient

OLD = Path(__file__).parents[1] / "data" / "server" / "schema_0001.db"


async def _played_on(url: str, tmp_path: Path, ann: WireClient, bob: WireClient) -> None:
    """The match of a backup goes on on another database, and new rows find free numbers."""
    async with serving(tmp_path, database=url) as server:
        room = server.house.floor.tables[ann.table].room
        assert room.history.seq > 1000 * 2**32  # never a number that was told before
        for gone in (ann, bob):
            back = await WireClient.connect(server.port, token=gone.token)
            assert isinstance(await back.join(gone.table, last_seen=gone.seq), m.Accepted)
        await back.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert isinstance(await back.strike(fake.POT), m.Accepted)
        await back.until_state(lambda s: 1 not in s.balls and s.running is None)
        assert (await WireClient.connect(server.port, "Dan")).token
    async with serving(tmp_path, database=url) as server:
        assert ann.table in server.house.floor.tables


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_backup_of_a_running_server_is_played_on_either_kind(
    tmp_path: Path, cluster: Cluster
) -> None:
    file = tmp_path / "club.backup"
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        writing = asyncio.create_task(_write_on(server.store))
        made = await back_up(url_of(tmp_path), file)
        writing.cancel()
        assert made.rows["matches"] == 1 and made.rows["people"] == 2 and made.rows["shots"] == 2
        assert isinstance(await bob.strike(fake.SAFE), m.Accepted)  # after the backup
        with pytest.raises(BackupError, match="exists"):
            await back_up(url_of(tmp_path), file)
        with pytest.raises(DatabaseInUse):
            await restore(file, url_of(tmp_path), replace=True)
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [x for x in os.listdir(tmp_path) if "backup" in x] == [file.name]  # nothing beside it
    with pytest.raises(BackupError, match="not empty"):
        await restore(file, url_of(tmp_path))
    for url in (cluster.new_database(), f"sqlite+aiosqlite:///{tmp_path}/new.sqlite3"):
        assert await restore(file, url) == made
        await _played_on(url, tmp_path, ann, bob)
    await restore(file, url_of(tmp_path), replace=True)
    store = await Store.open(url_of(tmp_path))
    assert len(await store.matches.shots(ann.table)) == 2  # what came after the backup is gone
    await store.close()


async def _write_on(store: Store) -> None:
    while True:
        await store.note_clock(1.0)


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_backup_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    made = await restore(OLD, url_of(tmp_path), unsealed=True)
    assert made.revision == "0001"
    store = await Store.open(url_of(tmp_path))
    record = await store.matches.load(next(iter(await store.matches.open_tables())))
    assert record is not None
    again = await back_up(url_of(tmp_path), tmp_path / "again.backup")
    assert again.rows["orders"] == made.rows["orders"] and again.revision > "0001"
    await store.close()


@in_loop
async def test_files_that_cannot_be_brought_back(tmp_path: Path) -> None:
    url = url_of(tmp_path)
    damaged, other, later = (tmp_path / name for name in ("damaged", "other", "later"))
    data = bytearray(OLD.read_bytes())
    for at in range(20_000, len(data), 4096):
        data[at : at + 200] = bytes(200)
    damaged.write_bytes(data)
    other.write_bytes(b"no database at all")
    shutil.copy(OLD, later)
    with sqlite3.connect(later) as file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
    file.close()
    missing = tmp_path / "missing"
    wrong = {damaged: "damaged", other: "no backup", later: "later version", missing: "no file"}
    for path, why in wrong.items():
        with pytest.raises(BackupError, match=why):
            await restore(path, url, unsealed=True)
    with pytest.raises(BackupError, match="no seal"):
        await restore(OLD, url)
    store = await Store.open(url)  # nothing of it has come in
    assert await store.matches.open_tables() == []
    await store.close()


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database, file = str(tmp_path / "db.sqlite3"), str(tmp_path / "file")
    assert headstring.main(["backup", file, "--database", database]) == 1
    assert "there is no database" in capsys.readouterr().err
    old = ["restore", str(OLD), "--database", database, "--unsealed"]
    assert headstring.main(old[:-1]) == 1
    assert "has no seal" in capsys.readouterr().err and not Path(database).exists()
    assert headstring.main(old) == 0
    assert headstring.main(old) == 1
    assert "not empty" in capsys.readouterr().err
    assert headstring.main([*old, "--replace"]) == 0
    assert headstring.main(["backup", file, "--database", database]) == 0
    assert "3 matches" in capsys.readouterr().out
    assert headstring.main(["backup", file, "--database", database]) == 1
    assert "never writes over" in capsys.readouterr().err
    assert headstring.main(["backup", "--check", file]) == 0
    assert f"{file} is whole: schema" in capsys.readouterr().out
    _damage(Path(file), b"Ann", b"Anm")
    assert headstring.main(["backup", "--check", file]) == 1
    assert "is damaged: its content" in capsys.readouterr().err


def _damage(file: Path, found: bytes, put: bytes) -> None:
    """Change bytes within a row, which SQLite itself doesn't notice."""
    data = file.read_bytes()
    assert found in data and len(found) == len(put)
    file.write_bytes(data.replace(found, put, 1))
    with closing(sqlite3.connect(file)) as there:
        assert there.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_backup_damaged_within_a_row_is_not_brought_back(
    tmp_path: Path, cluster: Cluster
) -> None:
    file = tmp_path / "club.backup"
    async with serving(tmp_path) as server:
        await table_after_break(server)
        await back_up(url_of(tmp_path), file)
    whole = check(file)
    with closing(sqlite3.connect(file)) as there:
        (body,) = there.execute("SELECT body FROM orders WHERE length(body) > 40").fetchone()
    _damage(file, body[-12:], bytes(12))
    for url in (cluster.new_database(), f"sqlite+aiosqlite:///{tmp_path}/new.sqlite3"):
        with pytest.raises(BackupError, match="damaged"):
            await restore(file, url)
        with pytest.raises(NoDatabase):  # nothing of it has come in, nor is anything left
            await Store.open(url, make=False)
    assert not (tmp_path / "new.sqlite3").exists()
    new = f"sqlite+aiosqlite:///{tmp_path}/new.sqlite3"
    assert (await restore(file, new, unsealed=True)).rows == whole.rows  # by who insists
    with closing(sqlite3.connect(tmp_path / "new.sqlite3")) as there:
        names = {name for (name,) in there.execute("SELECT name FROM sqlite_master")}
    assert "shots" in names and "backup_seal" not in names


@in_loop
async def test_a_seal_that_was_taken_off_or_changed_is_missed(tmp_path: Path) -> None:
    file = tmp_path / "club.backup"
    shutil.copy(OLD, tmp_path / "server.sqlite3")
    await (await Store.open(url_of(tmp_path))).close()
    await back_up(url_of(tmp_path), file)
    check(file)
    for spoil, why in (
        ("UPDATE backup_seal SET sha256 = zeroblob(32)", "damaged"),
        ("DELETE FROM backup_seal", "damaged"),
        ("DROP TABLE backup_seal", "no seal"),
    ):
        with closing(sqlite3.connect(file)) as there:
            there.execute(spoil)
            there.commit()
        with pytest.raises(BackupError, match=why):
            check(file)
