"""Nothing waits for the compiler: plain Python plays, others compile, and then it is changed over.

The processes in the background are stood in for; ``make soak`` has a real one.
"""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from physics import kernel_start, kernel_store
from tests.physics.test_compiled import ROOT, SOURCE, builds, load

SOAK = os.environ.get("HEADSTRING_SOAK") == "1"
CASES = "\n".join(
    json.dumps(case)
    for case in (
        {"id": "cut", "balls": {"0": {"pos": [-0.4, 0.0], "vel": [2.0, 0.0, 0.0]},
                                "1": {"pos": [0.3, 0.03]}}},
        {"id": "break", "rack": {"discipline": "nine_ball", "seed": 3, "gap": 2e-5,
                                 "cue_ball": [-0.635, 0.1]},
         "strike": {"speed": 6.0, "heading_deg": -3.0}},
    )
)  # fmt: skip


@pytest.fixture
def store(tmp_path, monkeypatch):
    """An empty folder for builds, and a process that has decided nothing yet."""
    folder = tmp_path / "kernels"
    folder.mkdir()
    monkeypatch.setattr(kernel_store, "folders", lambda: (folder,))
    monkeypatch.setattr(kernel_store._Help, "asked", True)
    monkeypatch.setattr(kernel_start._State, "plain", [])
    monkeypatch.setattr(kernel_start._State, "watcher", None)
    monkeypatch.setattr(kernel_start._State, "child", None)
    monkeypatch.setattr(kernel_start._State, "ending", threading.Event())
    yield folder
    kernel_start._State.ending.set()
    kernel_start.wait_until_compiled()


class Background:
    """In place of the process in the background: it ends when it is told to."""

    def __init__(self):
        self.ended = False
        self.started = 0

    def start(self, code, outlives=False):
        assert "compile_in_background" in code and outlives
        self.started += 1
        return self

    def poll(self):
        return 0 if self.ended else None


@pytest.fixture
def background(monkeypatch):
    process = Background()
    monkeypatch.setattr(kernel_store, "start_python", process.start)
    return process


def plays_plainly(kernel):
    return "called_from_outside" in repr(kernel.entry)


def test_an_empty_store_plays_at_once_says_so_and_changes_over(store, background, tmp_path, capfd):
    module = load(tmp_path, SOURCE)
    assert module.outer(1.5) == 6.0 and module.inner(1.5) == 3.0
    assert plays_plainly(module.outer) and plays_plainly(module.inner)
    assert background.started == 1 and not builds(store)
    assert capfd.readouterr().err == kernel_start.SAID + "\n"
    background.ended = True
    kernel_start.wait_until_compiled()
    assert not plays_plainly(module.outer) and not plays_plainly(module.inner)
    assert module.outer(1.5) == 6.0 and module.inner(1.5) == 3.0
    assert len(builds(store)) == 4  # both, and both ways in from Python


def test_a_full_store_is_used_at_once_and_nothing_is_said(store, background, tmp_path, capfd):
    with kernel_start.waiting():
        load(tmp_path, SOURCE).outer(1.0)
    module = load(tmp_path, SOURCE)
    assert module.outer(1.5) == 6.0 and not plays_plainly(module.outer)
    assert not background.started and not capfd.readouterr().err


@pytest.mark.parametrize("damage", [lambda b: b[:-40], lambda b: b[:50] + b"x" + b[51:], bytes])
def test_a_damaged_store_plays_plainly_and_is_mended(store, background, tmp_path, damage):
    with kernel_start.waiting():
        load(tmp_path, SOURCE).outer(1.0)
    (path,) = store.glob("*inner*.kernel")
    whole = path.read_bytes()
    path.write_bytes(damage(whole) if damage is not bytes else b"")
    module = load(tmp_path, SOURCE)
    assert module.outer(1.5) == 6.0 and plays_plainly(module.outer)
    background.ended = True
    kernel_start.wait_until_compiled()
    assert not plays_plainly(module.outer) and len(path.read_bytes()) > 100


def test_where_no_process_can_be_started_a_thread_compiles(store, tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_store, "start_python", lambda code, outlives=False: None)
    module = load(tmp_path, SOURCE)
    assert module.outer(1.5) == 6.0
    kernel_start.wait_until_compiled()
    assert not plays_plainly(module.outer) and module.outer(1.5) == 6.0


def test_what_another_process_compiles_is_waited_for(store, background, tmp_path, capfd):
    place = kernel_store.lock(kernel_start.PLACE)
    module = load(tmp_path, SOURCE)
    assert module.outer(1.5) == 6.0 and plays_plainly(module.outer)
    assert not background.started and not capfd.readouterr().err
    place.close()
    kernel_start.wait_until_compiled()
    assert not plays_plainly(module.outer)


def test_whoever_wants_it_compiled_does_not_wait_for_others(store, background, tmp_path):
    module = load(tmp_path, SOURCE)
    module.outer(1.5)
    kernel_start.finish()
    assert not plays_plainly(module.outer)
    background.ended = True
    kernel_start.wait_until_compiled()


def test_a_process_that_ends_meanwhile_loads_nothing_more(store, background, tmp_path):
    module = load(tmp_path, SOURCE)
    module.outer(1.5)
    watcher = kernel_start._State.watcher
    kernel_start._end()
    assert not watcher.is_alive() and plays_plainly(module.outer) and not builds(store)


def simulated(folder, **environment):
    """Results of the two cases from a process of its own, and what it said."""
    done = subprocess.run(
        [sys.executable, "-m", "headstring", "simulate", "-"], input=CASES, text=True, cwd=ROOT,
        capture_output=True, timeout=120, check=False,
        env={**os.environ, "HEADSTRING_KERNELS": str(folder), **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    for result in results:
        del result["wall_ms"]
    return results, done.stderr


def test_simulate_plays_the_same_from_an_empty_store(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_store, "folders", lambda: (tmp_path,))
    place = kernel_store.lock(kernel_start.PLACE)  # so that no process goes on compiling
    cold, said = simulated(tmp_path)
    place.close()
    assert cold == simulated(Path(kernel_store.BESIDE))[0] and not said
    assert not list(tmp_path.glob("*.kernel"))


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that can't be made")
def test_simulate_plays_where_nothing_can_be_kept_and_leaves_nothing_behind(tmp_path):
    results, said = simulated("/proc/no/such", TMPDIR=str(tmp_path))
    assert results == simulated(Path(kernel_store.BESIDE))[0]
    assert said == kernel_start.SAID + "\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not SOAK, reason="compiles everything: make soak")
def test_a_process_in_the_background_fills_the_store_and_ends(tmp_path):
    cold, said = simulated(tmp_path)
    assert said == kernel_start.SAID + "\n"
    again, said = simulated(tmp_path)
    assert again == cold and not said
    place = None
    while place is None:
        time.sleep(1.0)
        place = subprocess.run(
            [sys.executable, "-c", "from physics.kernel_store import is_free; "
             "import sys; sys.exit(not is_free('background'))"],
            cwd=ROOT, check=False, env={**os.environ, "HEADSTRING_KERNELS": str(tmp_path)},
        ).returncode == 0 or None  # fmt: skip
    kept = sorted(tmp_path.glob("*.kernel"))
    warm, said = simulated(tmp_path)
    assert warm == cold and not said and sorted(tmp_path.glob("*.kernel")) == kept
