"""The clients in ``examples/`` play a rack against each other, with their line cut on the way."""

import base64
import json
import math
import re
import shutil
import subprocess
import sys

import pytest

from physics.bench import posed, run
from physics.record import record
from physics.trajectory import Trajectory
from tests.end_to_end.processes import ROOT, serving

LIMIT_S = 600.0  # ends a test that hangs
PYTHON = [sys.executable, "client.py"]
FOLDERS = {"python": ROOT / "examples" / "python", "node": ROOT / "examples" / "node"}


def _node_flags():
    """What makes this machine's node know websockets (22: nothing, 20: a flag); None: nothing."""
    if shutil.which("node") is None:
        return None
    for flags in ([], ["--experimental-websocket"]):
        command = ["node", *flags, "-p", "typeof WebSocket"]
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        if told.stdout.strip() == "function":
            return flags
    return None


FLAGS = _node_flags()
WITH_NODE = pytest.mark.skipif(FLAGS is None, reason="there is no node that knows websockets")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("examples") / "db.sqlite3", "--time-scale", "40") as url:
        yield url


def _start(language, url, *options):
    command = {"python": PYTHON, "node": ["node", *(FLAGS or ()), "client.mjs"]}[language]
    return subprocess.Popen(
        [*command, url, *options],
        cwd=FOLDERS[language],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )


def _said(process):
    try:
        said, _ = process.communicate(timeout=LIMIT_S)
    finally:
        process.kill()
    assert process.returncode == 0, said
    return said


@pytest.mark.parametrize("language", ["python", pytest.param("node", marks=WITH_NODE)])
def test_two_play_a_rack(server, language):
    names = f"Ann {language}", f"Bob {language}"
    opener = _start(language, server, "--name", names[0], "--open", "--draw")
    joiner = _start(language, server, "--name", names[1], "--cut", "1")  # he lags, at least
    told = [_said(process) for process in (joiner, opener)]

    (winner,) = {re.findall(r"^match_won (.*)$", said, re.M)[-1] for said in told}
    assert winner in names
    # Both were told of every shot, in order, also the one whose line was cut.
    rulings = [re.findall(r"^shot (\d+), (.*)$", said, re.M) for said in told]
    assert rulings[0] == rulings[1]
    assert [int(number) for number, _ in rulings[0]] == list(range(1, len(rulings[0]) + 1))
    assert "connection lost" in told[0] and "connection lost" not in told[1]
    drawn = re.findall(r"^shot (\d+) after [\d.]+ s\n\+-+\+\n\|", told[1], re.M)
    assert drawn and set(drawn) <= {number for number, _ in rulings[1]}


@WITH_NODE
@pytest.mark.parametrize("case", ["nine-ball break", "three-rail kick"])
def test_the_reader_for_node_agrees(case):
    shot = posed(case)
    blob = record(shot.world, run(shot)).encode()
    ours = Trajectory.decode(blob)
    times = [ours.duration * k / 40 for k in range(42)]
    program = """
        import { readTrajectory } from "./trajectory.mjs";
        const [blob, times] = process.argv.slice(1).map((text) => JSON.parse(text));
        const shot = readTrajectory(Uint8Array.from(Buffer.from(blob, "base64")));
        const at = (t) => Object.fromEntries([...shot.balls.keys()].map((b) => [b, shot.at(b, t)]));
        console.log(JSON.stringify([times.map(at), shot.contacts.map((contact) => contact.at)]));
    """
    told = subprocess.run(
        [
            *("node", "--input-type=module", "-e", program),
            json.dumps(base64.b64encode(blob).decode()),
            json.dumps(times),
        ],
        cwd=FOLDERS["node"],
        capture_output=True,
        check=True,
        text=True,
    )
    places, contacts = json.loads(told.stdout)
    for at, theirs in zip(times, places, strict=True):
        for ball, want in ours.states_at(at).items():
            assert math.dist(theirs[str(ball)], want.pos) < 1e-9
    assert contacts == pytest.approx([contact.at for contact in ours.contacts], abs=1e-9)
