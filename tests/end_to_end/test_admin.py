"""``headstring admin`` and ``headstring account``: the first administrator, then over the wire."""

import asyncio
import re
import stat
import sys
from pathlib import Path

import pytest

import headstring
from client.data_folder import Tokens, data_folder
from shared_rules import messages as m
from tests.server.bench_table import in_loop, serving
from tests.server.wire_client import WireClient

FIRST, SECOND = "correct horse 8", "battery staple 9"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own, and both passwords in the environment."""
    monkeypatch.setenv("HEADSTRING_DATA", str(tmp_path / "home"))
    monkeypatch.setenv("HEADSTRING_PASSWORD", FIRST)
    monkeypatch.setenv("HEADSTRING_NEW_PASSWORD", FIRST)
    return tmp_path


async def run(*words: str) -> int:
    """The command in a thread of its own, as it has a loop of its own."""
    return await asyncio.to_thread(headstring.main, list(words))


def test_the_first_administrator_and_what_he_does(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    database = str(home / "server.sqlite3")
    create = ("admin", "--database", database, "create", "Adam", "--role", "administrator")
    assert headstring.main(list(create)) == 1  # a name mistyped must not make a club of its own
    assert f"there is no database {database}" in capsys.readouterr().err
    assert not list(home.glob("server.sqlite3*"))
    assert headstring.main([*create[:3], "--new", *create[3:]]) == 0
    assert headstring.main(list(create)) == 1
    assert "is the name of an account" in capsys.readouterr().err

    @in_loop
    async def play() -> None:
        async with serving(home) as server:
            url = f"ws://127.0.0.1:{server.port}"
            assert await run(*create) == 1
            assert "ask that server, with --server" in capsys.readouterr().err
            as_adam = ("admin", "--server", url, "--account", "Adam")
            bob = await WireClient.connect(server.port, "Bob")
            assert await run(*as_adam, "suspend", "Bob", "--for", "7d", "--reason", "ruler") == 0
            await bob.until_closed()
            action = capsys.readouterr().out.split()[-1]
            assert await run(*as_adam, "people") == 0
            listed = capsys.readouterr().out
            assert "Adam" in listed and f"sanction {action}" in listed
            assert await run(*as_adam, "lift", action) == 0
            assert await run(*as_adam, "record", "--who", "Bob") == 0  # a guest who has gone
            assert action in capsys.readouterr().out
            assert await run(*as_adam, "record", "--who", "Rob") == 1
            assert "nobody is known as Rob" in capsys.readouterr().err
            assert await run(*as_adam, "record") == 0
            record = capsys.readouterr().out.splitlines()
            assert len(record) == 3 and "by the command line" in record[2]
            assert "undone" in record[1] and "in force" not in record[1]
            await _own_account(url, capsys, monkeypatch)

    play()
    assert headstring.main(["admin", "--database", database, "record"]) == 0
    assert "suspend" in capsys.readouterr().out
    if sys.platform != "win32":
        mode = (data_folder() / Tokens.FILE).stat().st_mode
        assert stat.S_IMODE(mode) == 0o600


async def _own_account(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    as_ann = ("account", "--server", url, "--account", "Ann")
    assert await run(*as_ann, "register") == 0
    assert await run(*as_ann, "sessions") == 0
    assert "(this one)" in capsys.readouterr().out
    assert await run("admin", "--server", url, "--account", "Ann", "people") == 1
    assert "does not allow" in capsys.readouterr().err
    monkeypatch.setenv("HEADSTRING_NEW_PASSWORD", SECOND)
    assert await run(*as_ann, "password") == 0
    token = Tokens().get(url, "Ann")
    assert await run(*as_ann, "revoke") == 0 and Tokens().get(url, "Ann") == token
    # a token that is worth nothing is dropped, and the password tried
    Tokens().keep(url, "Ann", "x" * 43)
    assert await run(*as_ann, "sessions") == 1
    assert "no account of that name and password" in capsys.readouterr().err
    monkeypatch.setenv("HEADSTRING_PASSWORD", SECOND)
    assert await run(*as_ann, "sessions") == 0
    assert Tokens().get(url, "Ann") not in (None, token)


def test_a_bot_plays_under_an_account(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong password ends it before anything is loaded; no guest comes in its place."""

    @in_loop
    async def play() -> None:
        async with serving(home) as server:
            url = f"ws://127.0.0.1:{server.port}"
            assert await run("bot", "--server", url, "--account", "Robot") == 1
            assert "no account of that name and password" in capsys.readouterr().err
            owner = await WireClient.connect(server.port)
            await owner.send(m.Hello(protocol=1, account="Robot", password=FIRST, register=True))
            await owner.until(lambda x: isinstance(x, m.Welcome))
            bot = asyncio.create_task(run("bot", "--server", url, "--account", "Robot", "--open"))
            watcher = await WireClient.connect(server.port, "Eve")
            tables: tuple[m.TableSummary, ...] = ()
            while not tables:
                tables = (await watcher.ask(m.ListTables)).tables
                await asyncio.sleep(0.1)
            assert tables[0].players == ("Robot", None)
            person = server.house.people.present_by_key("robot")
            assert person is not None and person.connection is not None and person.account
            await server.store.people.end_sessions(person.id)
            person.connection.on_hang_up()  # the line is cut: its token is worth nothing any more
            assert await bot == 1
            assert "sign in again" in capsys.readouterr().err

    play()


def test_the_settings_file_names_the_database(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = home / "server.toml"
    settings.write_text('[database]\nurl = "club.sqlite3"\n[people]\npassword_memory_kib = 128\n')
    create = ("admin", "--config", str(settings), "create", "Adam", "--role", "administrator")
    assert headstring.main([*create[:3], "--new", *create[3:]]) == 0
    assert (home / "club.sqlite3").exists()  # beside the settings, whose server would find it
    assert headstring.main(["admin", "--config", str(settings), "people"]) == 0
    assert "Adam" in capsys.readouterr().out
    # another database goes before it
    other = ("--database", str(home / "other.sqlite3"), "people")
    assert headstring.main(["admin", "--config", str(settings), *other]) == 1
    assert f"there is no database {home / 'other.sqlite3'}" in capsys.readouterr().err
    settings.write_text("[database]\nurl = 5\n")
    assert headstring.main(["admin", "--config", str(settings), "people"]) == 1
    assert "database.url" in capsys.readouterr().err
    assert headstring.main(["admin", "people"]) == 2
    assert "give --server, --database or --config" in capsys.readouterr().err


def test_pins_are_given_out_on_a_sheet_and_let_members_in(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    database = str(home / "server.sqlite3")
    admin = ("admin", "--database", database)
    assert headstring.main([*admin, "--new", "create", "Adam", "--role", "administrator"]) == 0
    assert headstring.main([*admin, "create", "Ann"]) == 0
    assert headstring.main([*admin, "pin", "Ann"]) == 0
    (ann,) = re.findall(r"the PIN is (\d{6}) now", capsys.readouterr().out)
    assert headstring.main([*admin, "pins"]) == 2
    names = home / "names.txt"
    names.write_text("Jan Novák\n\nEva\n", encoding="utf-8")

    @in_loop
    async def play() -> None:
        async with serving(home) as server:
            url = f"ws://127.0.0.1:{server.port}"
            there = ("admin", "--server", url, "--account", "Adam")
            capsys.readouterr()
            assert await run(*there, "pins", "Nobody") == 1
            assert "Nobody: nobody is known as Nobody" in capsys.readouterr().err
            assert await run(*there, "pins", "--create", "--file", str(names)) == 0
            sheet = capsys.readouterr().out
            made = dict(re.findall(r"^(\w.*?) +(\d{6})$", sheet, re.MULTILINE))
            assert sorted(made) == ["Eva", "Jan Novák"]
            assert await run(*there, "pins") == 0  # all have one
            assert not re.search(r"\d{6}$", capsys.readouterr().out, re.MULTILINE)
            assert await run(*there, "pins", "Ann") == 1
            assert "Ann has one already" in capsys.readouterr().err
            assert await run(*there, "pins", "--anew", "Ann") == 0
            again = re.findall(r"^Ann +(\d{6})$", capsys.readouterr().out, re.MULTILINE)
            assert again and again != [ann]
            monkeypatch.setenv("HEADSTRING_PASSWORD", made["Jan Novák"])
            own = ("account", "--server", url, "--account", "Jan Novák")
            assert await run(*own, "pin") == 0
            (new,) = re.findall(r"the PIN is (\d{6}) now", capsys.readouterr().out)
            monkeypatch.setenv("HEADSTRING_PASSWORD", new)
            assert await run(*own, "pin", "--remove") == 0
            monkeypatch.setenv("HEADSTRING_PASSWORD", FIRST)
            assert await run(*there, "take-pin", "Eva") == 0
            assert await run(*there, "people") == 0
            assert re.search(r"Ann +player, PIN", capsys.readouterr().out)

    play()
