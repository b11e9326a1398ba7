"""Servers are found on a local network: two computers, a cable, and no internet."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.end_to_end.nets import Computer, need_namespaces, two_computers, until
from tests.end_to_end.processes import ROOT

LONG = pytest.mark.skipif(not os.environ.get("HEADSTRING_SOAK"), reason="make soak")
LISTENS = "Headstring listens on ws://0.0.0.0:"


@contextmanager
def served(computer: Computer, folder, *servers: tuple[str, ...]) -> Iterator[list]:
    """Servers there, each a process of its own; ``servers``: the name and more options of each."""
    made, logs = [], []
    for name, *options in servers:
        words = computer.command(
            *("serve", "--host", "0.0.0.0", "--port", "0", "--workers", "1", "--name", name),
            *("--database", str(folder / f"{len(made)}.sqlite3"), *options),
        )
        logs.append((folder / f"{len(made)}.log").open("w+"))
        made.append(
            subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=logs[-1], text=True)
        )
    try:
        for process, log in zip(made, logs, strict=True):
            line = process.stdout.readline()
            assert line.startswith(LISTENS), (line, log.seek(0), log.read())
        yield made
    finally:
        for process, log in zip(made, logs, strict=True):
            process.kill()
            process.wait()
            process.stdout.close()
            log.close()


def end(process: subprocess.Popen) -> None:
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0


def ask(computer: Computer, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        computer.command(*words),
        check=False, cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def find(computer: Computer, seconds: float = 2.0) -> list[dict]:
    done = ask(computer, "find", "--json", "--seconds", str(seconds))
    assert "Traceback" not in done.stderr
    found = json.loads(done.stdout)
    assert done.returncode == (0 if found else 1), done.stderr
    return found


@pytest.fixture
def computers() -> Iterator[tuple[Computer, Computer]]:
    need_namespaces()
    with two_computers() as made:
        yield made


def test_servers_are_found_told_apart_and_gone_when_they_end(computers, tmp_path):
    here, there = computers
    servers = (("Klub U Stromu", "--guests", "lan"), ("Klub U Stromu",))
    with served(there, tmp_path, *servers) as (one, _):
        found = find(here)
        assert [f["name"] for f in found] == ["Klub U Stromu"] * 2
        assert len({f["url"] for f in found}) == 2
        for server in found:
            assert server["host"] == there.address and server["answers"]
            assert server["url"] == f"ws://{there.address}:{server['port']}"
            assert server["why_not"] is None and server["protocol"] == 1
        (ours,) = [f for f in found if f["guests"] == "lan"]
        visit = ask(here, "replays", "--server", ours["url"])
        assert visit.returncode == 0, visit.stderr
        end(one)
        assert [f["guests"] for f in find(here)] == ["yes"]
    told = (tmp_path / "1.log").read_text() + (tmp_path / "0.log").read_text()
    assert "another server on this network has the same name" in told


@LONG
def test_a_network_that_comes_later_goes_and_comes_again(computers, tmp_path):
    here, there = computers
    there.pull_the_plug()
    with served(there, tmp_path, ("Late",)):
        assert find(here) == []
        there.pull_the_plug(out=False)
        until(lambda: [f["name"] for f in find(here)] == ["Late"])
        there.pull_the_plug()
        there.address = "192.168.77.9"
        there.pull_the_plug(out=False)
        until(lambda: [f["host"] for f in find(here)] == ["192.168.77.9"])


@LONG
def test_a_computer_without_any_network_serves_and_says_so(computers, tmp_path):
    here, _ = computers
    here.go_down()
    with served(here, tmp_path, ("Alone",)) as (process,):
        done = ask(here, "find")
        assert done.returncode == 1 and "this computer is on no network" in done.stderr
        end(process)
