"""Offline play: the private server, the house bot and the table together, as programs."""

import argparse
import socket
import subprocess
import sys
import time

import pytest
from websockets.sync.client import connect

from client.command import BOT_NAME, add_bot_arguments, run_bot
from client.offline import ROOT, NotStarted, PrivateServer, surroundings
from client.play.arrival import Plan
from client.play.hand import Mode
from client.play.party import Party
from client.play.settings import Settings
from client.scene import WindowOptions, open_window
from physics.simulation import warm_up
from shared_rules import messages as m
from shared_rules.state import Phase
from shared_rules.wire import read_server_message, write_message

# Nothing here is slow: these end a test that hangs, on a machine that has ten other things to do.
PATIENCE_S = 180.0
LONGEST_S = 600.0
OPTIONS = {"overrides": {"match": {"games_to_win": 1}}, "private": True, "watch": "nobody"}


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    made = tmp_path_factory.mktemp("data")
    patch.setenv("HEADSTRING_DATA", str(made))
    yield made
    patch.undo()


@pytest.fixture(scope="module")
def server(folder):
    made = PrivateServer(folder / "other.sqlite3")
    made.start()
    yield made
    made.stop()


def test_no_setting_of_the_users_own_server_reaches_the_private_one():
    mine = {"HEADSTRING_DATABASE_URL": "club.sqlite3", "HEADSTRING_CONFIG": "club.toml",
            "HEADSTRING_PASSWORD": "secret", "HEADSTRING_LIMITS_NONSENSE": "1"}  # fmt: skip
    rest = {"HEADSTRING_DATA": "here", "HEADSTRING_KERNELS": "there", "PATH": "/bin"}
    assert surroundings(mine | rest) == rest


def test_the_private_server_starts_whatever_the_user_has_set(folder, monkeypatch):
    monkeypatch.setenv("HEADSTRING_LISTEN_PORT", "no port")
    monkeypatch.setenv("HEADSTRING_CONFIG", str(folder / "none.toml"))
    monkeypatch.setenv("HEADSTRING_PEOPLE_GUESTS", "no")
    server = PrivateServer(folder / "set.sqlite3")
    try:
        assert server.start().startswith("ws://127.0.0.1:")
        with connect(server.url, compression=None, proxy=None) as line:
            line.send(write_message(m.Hello(protocol=m.PROTOCOL, name="Ann")))
            assert isinstance(read_server_message(line.recv(PATIENCE_S)), m.Welcome)
    finally:
        server.stop()


class Evening:
    """``headstring play`` but for the window, which is off-screen."""

    def __init__(self, server=None, plan=None) -> None:
        base = open_window(WindowOptions(size=(640, 360), offscreen=True))
        settings = Settings(quality="low", name="Ann")
        self.party = Party(
            base, settings, plan or Plan(open_options=OPTIONS), server, 4, time_scale=8.0
        )
        self.app, self.session = self.party.app, self.party.session

    def until(self, condition, longest=PATIENCE_S) -> None:
        end = time.monotonic() + longest
        while not condition():
            assert time.monotonic() < end, (self.session.phase, self.session.reason, self.state)
            self.app.step()
            time.sleep(0.004)

    @property
    def state(self):
        return self.session.view.state if self.session.view is not None else None

    def tap(self, key: str) -> None:
        self.app.inputs.press(key)
        self.app.step()
        self.app.inputs.release(key)
        self.app.step()

    def close(self) -> None:
        self.party.close()


def test_a_person_plays_the_house_bot_and_finds_the_match_again_after_cut_and_restart():
    warm_up()
    first = Evening()
    try:
        first.app.step()
        assert "private server" in first.app.hud.model.banner
        first.until(lambda: first.app.mode is Mode.AIM)
        assert first.state.phase is Phase.LAG
        table = first.session.view.table
        assert first.session.view.name_of(1) == BOT_NAME
        first.app.hand.aim.speed = 1.33
        first.tap("space")
        first.until(lambda: first.state.phase is Phase.SHOT_RUNNING)
        number = first.state.running.number
        first.party.connection.cut()
        first.until(lambda: first.session.phase == "lost")
        first.until(lambda: first.session.phase == "ready")
        first.until(lambda: first.state.phase is not Phase.SHOT_RUNNING)
        assert first.state.last_ruling.shot == number
        version = first.state.version
    finally:
        first.close()
    again = Evening()
    try:
        again.until(lambda: again.state is not None)
        assert again.session.view.table == table and again.session.view.seat == 0
        assert again.state.version >= version and again.state.last_ruling is not None
        assert again.party.problem == ""
        company = again.party._company
        gone = company.bot._program
        gone.process.kill()
        again.until(lambda: company.bot._program is not gone)  # another one is sent
        company.server._program.process.kill()
        again.until(lambda: again.party.problem)
        assert "private server has ended" in again.party.problem
    finally:
        again.close()


def test_a_table_that_is_not_there_is_a_sentence_on_the_screen(server):
    evening = Evening(server.url, Plan(table="gone", watching=True))
    try:
        evening.until(lambda: evening.party.problem)
        evening.app.step()
        assert evening.party.problem[1:] in evening.app.hud.model.banner
        evening.tap("escape")
        assert evening.app.finished
    finally:
        evening.close()


def test_a_second_server_on_the_same_database_says_why_it_does_not_start(server):
    second = PrivateServer(server.database)
    second.prepare()  # touches nothing yet, and waits
    assert second.alive
    with pytest.raises(NotStarted, match=r"did not start: .*another server uses"):
        second.start()
    assert server.alive and not second.alive


def test_a_folder_that_cannot_be_written_is_a_sentence_with_a_way_out(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("HEADSTRING_DATA", str(tmp_path / "file"))
    with pytest.raises(NotStarted, match=r"can't be written to .* HEADSTRING_DATA"):
        PrivateServer().start()


def test_a_server_ends_with_the_program_that_started_it(folder):
    code = (
        "import os; from client.offline import PrivateServer\n"
        "server = PrivateServer(); print(server.start(), flush=True)\n"
        "os._exit(9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=LONGEST_S,
        check=False,
    )  # fmt: skip
    assert done.returncode == 9, done.stderr
    host, port = done.stdout.strip().removeprefix("ws://").split(":")
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            socket.create_connection((host, int(port)), 5.0).close()
        except ConnectionRefusedError:
            break
        assert time.monotonic() < end, "the orphan lives on"
        time.sleep(0.05)


def test_a_bot_that_cannot_sit_down_says_so_and_fails(server, capsys):
    parser = argparse.ArgumentParser()
    add_bot_arguments(parser)
    assert run_bot(parser.parse_args(["--server", server.url, "--table", "gone"])) == 1
    assert capsys.readouterr().err.startswith("headstring bot:")


def test_the_demo_plays_a_race_and_leaves_its_pictures(folder, tmp_path):
    pictures = tmp_path / "pictures"
    done = subprocess.run(
        [sys.executable, "-m", "headstring", "demo", "--race", "1", "--speed", "60", "--level", "4",
         "--folder", str(pictures)],
        cwd=ROOT, capture_output=True, text=True, timeout=LONGEST_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "game to" in done.stdout and "the match is over" in done.stdout
    found = {p.stem for p in pictures.glob("*.png")}
    assert {"1-lag", "2-rack", "3-break", "6-end"} <= found
    assert str(pictures.resolve()) in done.stdout
