"""A database's files: closed to others, and never made because a name was mistyped."""

import asyncio
import os
import socket
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import headstring
from server.app import MatchServer
from server.config import database_url
from server.listener import PortUnusable
from server.storage.backup import back_up, restore
from server.storage.database import DatabaseUnusable, NoDatabase
from server.storage.lock import DatabaseInUse
from server.storage.store import Store
from shared_rules import messages as m
from tests.server.bench_table import config, in_loop, serving
from tests.server.databases import Cluster, url_of
from tests.server.fake_physics import InlinePool
from tests.server.wire_client import WireClient

OLD = Path(__file__).parents[1] / "data" / "server" / "schema_0001.db"
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")


def _modes(folder: Path) -> dict[str, int]:
    return {p.name: stat.S_IMODE(p.stat().st_mode) for p in folder.glob("club.sqlite3*")}


def _there(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


@contextmanager
def _taken_port() -> Iterator[int]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def _open_to_all(folder: Path) -> None:
    for path in folder.glob("club.sqlite3*"):
        path.chmod(0o644)


@posix
@in_loop
async def test_all_files_of_a_running_server_are_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "club.sqlite3"
    names = {file.name + suffix for suffix in ("", "-wal", "-shm", ".lock")}
    before = os.umask(0o022)
    try:
        for n in range(2):  # made, and found as an earlier version left them
            async with serving(tmp_path, database=str(file)) as server:
                await (await WireClient.connect(server.port, f"Ann {n}")).open()
                assert _modes(tmp_path) == dict.fromkeys(names, 0o600)
            _open_to_all(tmp_path)
        (tmp_path / "club.sqlite3-wal").touch(0o644)  # left by a power cut
        async with serving(tmp_path, database=str(file)) as server:
            assert len(server.house.floor.tables) == 2
            assert _modes(tmp_path) == dict.fromkeys(names, 0o600)
        await back_up(database_url(str(file)), tmp_path / "it.backup")
        await restore(tmp_path / "it.backup", database_url(str(tmp_path / "club.sqlite3.new")))
        assert set(_modes(tmp_path).values()) == {0o600}
    finally:
        os.umask(before)


@posix
@in_loop
async def test_a_backup_is_private_where_there_are_no_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError("no links here")

    url = database_url(str(tmp_path / "club.sqlite3"))
    await (await Store.open(url)).close()
    monkeypatch.setattr(os, "link", no_links)
    await back_up(url, tmp_path / "it.backup")
    assert stat.S_IMODE((tmp_path / "it.backup").stat().st_mode) == 0o600


@posix
@in_loop
async def test_looking_at_the_files_takes_no_lock_away(tmp_path: Path) -> None:
    """Closing a file ends every POSIX lock that its process has on it, SQLite's too."""
    file = tmp_path / "club.sqlite3"
    store = await Store.open(database_url(str(file)))
    with closing(sqlite3.connect(file, isolation_level=None)) as writing:
        writing.execute("BEGIN IMMEDIATE")
        with pytest.raises(Exception, match="another server uses the database"):
            await Store.open(database_url(str(file)))
        code = (
            "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], timeout=0.1)\n"
            "c.execute('BEGIN IMMEDIATE')"
        )
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, str(file), stderr=asyncio.subprocess.PIPE
        )
        _, said = await process.communicate()
        assert b"database is locked" in said
    await store.close()


@pytest.mark.parametrize(
    "words",
    [
        ("admin", "--database", "{}", "people"),
        ("admin", "--database", "{}", "create", "Adam", "--role", "administrator"),
        ("admin", "--config", "{}.toml", "people"),
        ("backup", "out.backup", "--database", "{}"),
        ("backup", "out.backup", "--config", "{}.toml"),
        ("review", "--database", "{}"),
    ],
)
def test_no_command_makes_a_database_of_a_mistyped_name(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = tmp_path / "clbu.sqlite3.toml"
    settings.write_text('[database]\nurl = "clbu.sqlite3"\n')
    file = tmp_path / "clbu.sqlite3"
    assert headstring.main([word.format(file) for word in words]) == 1
    assert f"headstring {words[0]}: there is no database {file}" in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == [settings.name]
    file.touch()  # nor of an empty file
    assert headstring.main([word.format(file) for word in words]) == 1
    assert "headstring" in capsys.readouterr().err and file.stat().st_size == 0


@in_loop
async def test_another_programs_file_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "photos.sqlite3"
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE photos (name TEXT)")
    before = file.read_bytes()
    with pytest.raises(DatabaseUnusable, match="another program"):
        await Store.open(database_url(str(file)))
    with closing(sqlite3.connect(file)) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("photos",)]
    assert file.read_bytes() == before and _there(tmp_path) == [file.name]


@in_loop
async def test_an_empty_postgresql_database_is_none_either(cluster: Cluster) -> None:
    url = cluster.new_database()
    with pytest.raises(NoDatabase):
        await Store.open(url, make=False)
    store = await Store.open(url)
    assert store.made
    await store.close()
    again = await Store.open(url, make=False)
    assert not again.made
    await again.close()


def test_backup_and_restore_take_the_database_of_the_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("club", "other"):
        (tmp_path / f"{name}.toml").write_text(f'[database]\nurl = "{name}.sqlite3"\n')

    @in_loop
    async def fill() -> None:
        async with serving(tmp_path, database=str(tmp_path / "club.sqlite3")) as server:
            ann = await WireClient.connect(server.port, "Ann")
            assert isinstance(await ann.ask(m.OpenTable), m.Accepted)

    fill()
    backup = str(tmp_path / "it.backup")
    assert headstring.main(["backup", backup, "--config", str(tmp_path / "club.toml")]) == 0
    assert "1 matches" in capsys.readouterr().out
    assert headstring.main(["restore", backup, "--config", str(tmp_path / "other.toml")]) == 0
    said = capsys.readouterr().out
    assert str(tmp_path / "other.sqlite3") in said and "1 matches" in said
    (tmp_path / "club.toml").write_text("[database]\nulr = 1\n")
    assert headstring.main(["backup", backup, "--config", str(tmp_path / "club.toml")]) == 2
    assert "is database.url meant?" in capsys.readouterr().err


# --- starts that can't go on ----------------------------------------------------------------------


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_start_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    with _taken_port() as port:
        for _ in range(2):
            with pytest.raises(PortUnusable):
                await MatchServer.start(config(tmp_path, port=port), InlinePool())
            assert _there(tmp_path) == []
            with pytest.raises(NoDatabase):
                await Store.open(url_of(tmp_path), make=False)
            assert _there(tmp_path) == []
        async with serving(tmp_path) as server:
            ann = await WireClient.connect(server.port, "Ann")
            await ann.open()
        with pytest.raises(PortUnusable):
            await MatchServer.start(config(tmp_path, port=port), InlinePool())
    async with serving(tmp_path) as server:  # what was there is left alone
        assert ann.table in server.house.floor.tables


@in_loop
async def test_a_start_that_is_broken_off_leaves_nothing_behind(tmp_path: Path) -> None:
    for pauses in (1, 5, 20, 50):
        starting = asyncio.create_task(MatchServer.start(config(tmp_path), InlinePool()))
        for _ in range(pauses):
            await asyncio.sleep(0.0005)
        starting.cancel()
        (came,) = await asyncio.gather(starting, return_exceptions=True)
        if isinstance(came, MatchServer):
            await came.stop()
            return
        assert _there(tmp_path) == []


@in_loop
async def test_an_empty_file_stays_an_empty_file(tmp_path: Path) -> None:
    file = tmp_path / "server.sqlite3"
    file.touch()
    with _taken_port() as port, pytest.raises(PortUnusable):
        await MatchServer.start(config(tmp_path, port=port), InlinePool())
    assert _there(tmp_path) == [file.name] and file.stat().st_size == 0


@in_loop
async def test_who_is_turned_away_takes_nothing_with_him(tmp_path: Path) -> None:
    """A second server that finds the database locked, also while it is being made."""
    store = await Store.open(url_of(tmp_path))
    with pytest.raises(DatabaseInUse):
        await Store.open(url_of(tmp_path))
    before = _there(tmp_path)
    assert "server.sqlite3" in before and "server.sqlite3.lock" in before
    await store.people.end_unused(0.0)
    await store.close()


@pytest.mark.parametrize(
    "words",
    [
        ("serve", "--port", "0", "--database", "{}"),
        ("admin", "--new", "--database", "{}", "create", "Adam", "--role", "administrator"),
        ("restore", str(OLD), "--unsealed", "--database", "{}"),
    ],
)
def test_no_folder_is_made_of_a_mistyped_path(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "clbu" / "server.sqlite3"
    assert headstring.main([word.format(file) for word in words]) == 1
    assert f"there is no folder {file.parent}" in capsys.readouterr().err
    assert _there(tmp_path) == []


def test_ones_own_data_folder_is_made_and_goes_again_with_a_failed_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "share" / "of mine"))
    with _taken_port() as port:
        words = ["serve", "--port", str(port), "--workers", "1"]
        assert headstring.main(words) == 1
    assert "it is in use" in capsys.readouterr().err and _there(tmp_path) == []
    url = database_url("")

    @in_loop
    async def start() -> None:
        await (await Store.open(url)).close()

    start()
    assert "server.sqlite3" in _there(tmp_path)


def test_an_account_that_cannot_be_made_leaves_no_new_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEADSTRING_NEW_PASSWORD", "1234567890")
    file = str(tmp_path / "db.sqlite3")
    words = ["admin", "--database", file, "--new", "create", "Adam", "--role", "administrator"]
    assert headstring.main(words) == 1
    assert "among the first" in capsys.readouterr().err and _there(tmp_path) == []
    monkeypatch.setenv("HEADSTRING_NEW_PASSWORD", "correct horse 8")
    assert headstring.main(words) == 0
