"""Finding the way to a table; the commands' options; what is kept between runs."""

import argparse
import json

import pytest

from client import address, command, data_folder
from client.net.session import Answer, Opened, Received, Session
from client.options import table_options
from client.play.arrival import Arrival, Plan
from client.play.settings import Settings, load_settings, save_settings
from shared_rules import messages as m
from shared_rules.state import ShotClock
from tests.client.builders import TABLE, snapshot, welcome


def signed_in(**changes) -> Session:
    session = Session("Ann")
    session.handle(Opened(0.0))
    session.take_outgoing()
    session.handle(Received(welcome(**changes), 0.0))
    return session


def summary(table, players=("Bob", None), **changes) -> m.TableSummary:
    fields = {
        "table": table, "ruleset": "nine_ball_epbf", "players": players, "phase": "LAG",
        "games": (0, 0), "sets": (0, 0), "games_to_win": 7, "sets_to_win": 1,
        "watch": "everyone", "private": False, "spectators": 0,
    }  # fmt: skip
    return m.TableSummary(**{**fields, **changes})


def test_a_named_table_is_joined_or_watched():
    for watching, kind in ((False, m.JoinTable), (True, m.WatchTable)):
        session = signed_in()
        Arrival(session, Plan(table="t9", invitation="abc", watching=watching)).step([])
        (sent,) = session.take_outgoing()
        assert isinstance(sent, kind) and sent.table == "t9" and sent.invitation == "abc"


def test_a_referee_takes_his_place_with_or_without_an_invitation():
    for code in ("abc", None):
        session = signed_in()
        plan = Plan(table="t9", invitation=code, watching=True, refereeing=True)
        Arrival(session, plan).step([])
        (sent,) = session.take_outgoing()
        assert isinstance(sent, m.OfficiateTable) and (sent.table, sent.invitation) == ("t9", code)
    options = argparse.Namespace(account=None, referee=True, table=None)
    assert command.run_watch(options) == 1


def test_ones_own_table_comes_first():
    session = signed_in(tables=("t3",))
    Arrival(session, Plan(opens=True)).step([])
    (sent,) = session.take_outgoing()
    assert isinstance(sent, m.JoinTable) and sent.table == "t3"


def test_a_table_is_opened_once_and_the_seat_is_told():
    told = []
    session = signed_in()
    arrival = Arrival(
        session, Plan(opens=True, open_options={"private": True}), lambda *a: told.append(a)
    )
    arrival.step([])
    arrival.step([])
    (sent,) = session.take_outgoing()
    assert isinstance(sent, m.OpenTable) and sent.private
    session.handle(Received(m.Accepted(re=sent.id, table=TABLE, invitation="code"), 0.1))
    session.handle(Received(snapshot(None, state=None, invitation="code"), 0.1))
    arrival.step(session.take_answers())
    arrival.step([])
    assert told == [(TABLE, "code")] and arrival.arrived


def test_the_first_free_seat_else_a_table_of_ones_own():
    session = signed_in()
    arrival = Arrival(session, Plan())
    arrival.step([])
    (asked,) = session.take_outgoing()
    tables = (summary("t1", ("A", "B")), summary("t2", private=True), summary("t3"))
    session.handle(Received(m.Tables(re=asked.id, tables=tables), 0.1))
    arrival.step([])
    (sent,) = session.take_outgoing()
    assert isinstance(sent, m.JoinTable) and sent.table == "t3"
    session = signed_in()
    arrival = Arrival(session, Plan())
    arrival.step([])
    (asked,) = session.take_outgoing()
    session.handle(Received(m.Tables(re=asked.id, tables=tables[:2]), 0.1))
    arrival.step([])
    assert isinstance(session.take_outgoing()[0], m.OpenTable)


def test_a_refused_table_is_a_sentence():
    session = signed_in()
    arrival = Arrival(session, Plan(table="gone"))
    arrival.step([])
    (sent,) = session.take_outgoing()
    answer = Answer(sent.id, sent, code="unknown_table", message="There is no such table.")
    arrival.step([answer])
    assert arrival.problem == "There is no such table."
    arrival.step([])
    assert session.take_outgoing() == []


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("pool.example.org", "ws://pool.example.org:4747"),
        ("10.0.0.7:9000", "ws://10.0.0.7:9000"),
        ("wss://pool.example.org/", "wss://pool.example.org"),
        ("ws://127.0.0.1:4747", "ws://127.0.0.1:4747"),
        ("[::1]", "ws://[::1]:4747"),
    ],
)
def test_an_address_may_be_short(text, url):
    assert address.websocket_url(text) == url


@pytest.mark.parametrize("text", ["http://x", "ws://", "://"])
def test_an_address_that_is_none_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError):
        address.websocket_url(text)


def parsed(add, *words) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add(parser)
    return parser.parse_args(words)


def test_options_become_a_table():
    options = parsed(
        command.add_play_arguments, "--open", "--race", "5", "--sets", "2", "--clock", "35",
        "--ruleset", "nine_ball_wpa", "--guide", "none", "--private",
    )  # fmt: skip
    assert table_options(options) == {
        "ruleset": "nine_ball_wpa",
        "overrides": {
            "match": {"games_to_win": 5, "sets_to_win": 2}, "aids": {"guide_line": "none"}
        },
        "shot_clock": ShotClock(limit_s=35.0),
        "private": True,
        "watch": "invited",
    }  # fmt: skip


@pytest.mark.parametrize(
    "words", [("--race", "0"), ("--clock", "1"), ("--size", "huge"), ("--size", "9x9")]
)
def test_senseless_options_are_refused(words, capsys):
    with pytest.raises(SystemExit):
        parsed(command.add_play_arguments, *words)
    assert "error" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["play", "watch", "bot", "demo"])
def test_every_command_explains_itself(name, capsys):
    add = getattr(command, f"add_{name}_arguments")
    parser = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter)
    add(parser)
    parser.print_help()
    assert f"headstring {name}" in capsys.readouterr().out


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADSTRING_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def test_tokens_and_settings_are_kept(folder):
    tokens = data_folder.Tokens()
    assert tokens.get("ws://a", "Ann") is None
    tokens.keep("ws://a", "Ann", "x" * 24)
    tokens.keep("ws://b", "Ann", "y" * 24)
    assert tokens.get("ws://a", "Ann") == "x" * 24
    save_settings(Settings(language="cs", name="Ann", quality="low", ui_scale=1.5))
    assert load_settings() == Settings(language="cs", name="Ann", quality="low", ui_scale=1.5)


def test_a_damaged_file_is_set_aside_and_told(folder, capsys):
    folder.mkdir()
    (folder / "settings.json").write_text("{broken", encoding="utf-8")
    assert load_settings().name == ""
    assert (folder / "settings.json.damaged").read_text(encoding="utf-8") == "{broken"
    assert "cannot be read" in capsys.readouterr().err


def test_settings_that_make_no_sense_give_way(folder):
    folder.mkdir()
    wrong = {"language": "xx", "quality": 7, "ui_scale": 99, "name": "n" * 99}
    (folder / "settings.json").write_text(json.dumps(wrong), encoding="utf-8")
    assert load_settings() in (Settings(language="en"), Settings(language="cs"))


@pytest.mark.parametrize(
    ("platform", "part"), [("win32", "Headstring"), ("darwin", "Library"), ("linux", "headstring")]
)
def test_each_system_has_its_own_folder(monkeypatch, platform, part):
    monkeypatch.delenv("HEADSTRING_DATA", raising=False)
    monkeypatch.setattr(data_folder.sys, "platform", platform)
    assert part in str(data_folder.data_folder())
