"""One server a SQLite database, however it is named and whatever becomes of the locked file;
a restore that gets past all that ends the server at its next commit."""

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from server.config import database_url
from server.storage.backup import back_up, restore
from server.storage.lock import DatabaseInUse
from server.storage.store import Store
from tests.server.bench_table import eventually, in_loop, serving
from tests.server.wire_client import WireClient

posix = pytest.mark.skipif(sys.platform == "win32", reason="an open file can't be deleted")


@posix
@in_loop
async def test_a_link_is_the_database_that_it_leads_to(tmp_path: Path) -> None:
    file, link = tmp_path / "club.sqlite3", tmp_path / "link.sqlite3"
    link.symlink_to(file)
    (tmp_path / "folder").symlink_to(tmp_path)
    for first, second in ((file, link), (link, file), (file, tmp_path / "folder" / file.name)):
        store = await Store.open(database_url(str(first)))
        with pytest.raises(DatabaseInUse):
            await Store.open(database_url(str(second)))
        await back_up(database_url(str(second)), backup := tmp_path / "it.backup")
        with pytest.raises(DatabaseInUse):
            await restore(backup, database_url(str(second)), replace=True)
        backup.unlink()
        await store.close()
    assert not (tmp_path / "link.sqlite3.lock").exists()


@posix
@in_loop
async def test_a_database_with_two_names_is_refused_under_either(tmp_path: Path) -> None:
    """A second server could take the other name, whose lock is another file."""
    file, other = tmp_path / "club.sqlite3", tmp_path / "other.sqlite3"
    await (await Store.open(database_url(str(file)))).close()
    other.hardlink_to(file)
    for name in (file, other):
        with pytest.raises(DatabaseInUse, match="hard link"):
            await Store.open(database_url(str(name)))
    other.unlink()
    await (await Store.open(database_url(str(file)))).close()


@posix
@in_loop
async def test_a_lock_that_is_deleted_is_made_again(tmp_path: Path) -> None:
    url = database_url(str(tmp_path / "club.sqlite3"))
    store = await Store.open(url)
    lock = tmp_path / "club.sqlite3.lock"
    lock.unlink()
    assert store.place is not None
    store.place.hold()
    store.place.hold()
    with pytest.raises(DatabaseInUse):
        await Store.open(url)
    lock.unlink()
    other = await Store.open(url)  # was faster
    with pytest.raises(DatabaseInUse):
        store.place.hold()
    await other.close()
    await store.close()


@posix
@in_loop
async def test_a_server_whose_database_is_replaced_under_it_ends(tmp_path: Path) -> None:
    """The backup is its own, made while it ran: the mark in its ledger is this server's."""
    file = tmp_path / "club.sqlite3"
    async with serving(tmp_path, database=str(file)) as server:
        ann = await WireClient.connect(server.port, "Ann")
        await ann.open()
        await back_up(database_url(str(file)), tmp_path / "it.backup")
        (tmp_path / "club.sqlite3.lock").unlink()
        await restore(tmp_path / "it.backup", database_url(str(file)), replace=True)
        with pytest.raises(Exception, match="another server has taken over"):
            await server.store.note_clock(1.0)
        await eventually(server.store.journal.taken_over.is_set)
    assert [name for name in os.listdir(tmp_path) if ".part" in name] == []
    with closing(sqlite3.connect(file)) as there:
        assert there.execute("SELECT count(*) FROM people").fetchone() == (1,)
    async with serving(tmp_path, database=str(file)) as server:
        assert len(server.house.floor.tables) == 1
