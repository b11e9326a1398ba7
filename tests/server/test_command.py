"""``headstring serve``: its options, what it says, what it refuses."""

import argparse
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from server.command import add_arguments, run
from server.config import DEFAULT_PORT, database_url
from server.config.sources import config_of


def _options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


def test_defaults_are_for_this_machine_only() -> None:
    config = config_of(_options())
    assert (config.host, config.port, config.time_scale) == ("127.0.0.1", DEFAULT_PORT, 1.0)
    assert database_url(config.database).endswith("server.sqlite3")


def test_options_reach_the_settings(tmp_path: Path) -> None:
    options = _options("--port", "0", "--workers", "3", "--time-scale", "20", "--name", "Club")
    config = config_of(options)
    assert (config.port, config.workers, config.time_scale, config.name) == (0, 3, 20.0, "Club")


@pytest.mark.parametrize("words", [["--port", "99999"], ["--workers", "0"], ["--time-scale", "0"]])
def test_settings_that_make_no_sense_are_named(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(_options(*words)) == 2
    assert f"headstring serve: {words[0]}: " in capsys.readouterr().err


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = ["--port", port, "--workers", "1", "--database", str(tmp_path / "db.sqlite3")]
        assert run(_options(*words)) == 1
    said = capsys.readouterr().err
    assert f"port {port}: it is in use" in said and "Traceback" not in said


def test_a_server_may_have_a_file_for_every_connection() -> None:
    if sys.platform == "win32":
        return  # no such limit there
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(before[0], 512), before[1]))
    try:
        run(_options("--port", "0", "--database", "postgresql+nosuch://club"))
        allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert allowed >= min(8192, before[1])


@pytest.mark.parametrize(
    ("database", "why"),
    [
        ("sqlite:///club.sqlite3", "no driver"),
        ("postgresql+nosuch://club:secret@db/x", "club:***@db"),
        ("{folder}", "is a folder"),
        ("{folder}/letter.txt/db", "letter.txt"),
        ("{folder}/letter.txt", "not a database"),
        ("{folder}/newer.sqlite3", "another version"),
    ],
)
def test_a_database_that_cannot_be_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], database: str, why: str
) -> None:
    (tmp_path / "letter.txt").write_text("Dear club, this is no database at all. " * 40)
    with closing(sqlite3.connect(tmp_path / "newer.sqlite3")) as newer:
        newer.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        newer.execute("INSERT INTO alembic_version VALUES ('9999')")
        newer.commit()
    place = database.format(folder=tmp_path)
    assert run(_options("--port", "0", "--database", place)) == 1
    said = capsys.readouterr().err
    assert said.startswith("headstring serve:") and why in said
    assert "Traceback" not in said and "secret" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGHUP")
@pytest.mark.parametrize(
    ("terminal", "ignored", "ends"),
    [(True, False, True), (True, True, False), (False, False, False)],
)
def test_sighup_ends_what_a_terminal_controls(terminal: bool, ignored: bool, ends: bool) -> None:
    """Wherever the log goes; not under nohup, nor without a terminal."""
    code = (
        "import os, pty, signal, sys\n"
        "terminal, ignored = sys.argv[1] == 'True', sys.argv[2] == 'True'\n"
        "if ignored: signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "if not terminal:\n"
        "    os.getpid() == os.getsid(0) or os.setsid()\n"
        "    from server.running import hangs_up\n"
        "    sys.exit(10 + hangs_up())\n"
        "child, line = pty.fork()\n"  # a session whose terminal is the line
        "if child == 0:\n"
        "    from server.running import hangs_up\n"
        "    os._exit(10 + hangs_up())\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    words = [sys.executable, "-c", code, str(terminal), str(ignored)]
    asked = subprocess.run(words, start_new_session=False, capture_output=True, check=False)
    assert asked.returncode == 10 + ends, asked.stderr
