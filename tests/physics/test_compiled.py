"""Kernels are compiled one by one, never run stale, and shared by processes."""

import importlib.util
import linecache
import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.errors import TypingError

from physics import compiled, kernel_start, kernel_store
from physics.kernel_store import KernelStore, folders

ROOT = Path(__file__).resolve().parents[2]
SOURCE = '''
from physics.compiled import kernel

RATE = 2.0

@kernel("f8(f8)")
def inner(x):
    return RATE * x

@kernel("f8(f8)")
def outer(x):
    """Twice the inner one."""
    return inner(x) + inner(x)
'''


@pytest.fixture(autouse=True)
def declared(monkeypatch):
    """Kernels made up here are none of the physics' when the test is over."""
    monkeypatch.setattr(compiled, "declared", dict(compiled.declared))


@pytest.fixture
def store(tmp_path, monkeypatch):
    """An empty folder for builds."""
    folder = tmp_path / "kernels"
    folder.mkdir()
    monkeypatch.setattr(kernel_store, "folders", lambda: (folder,))
    monkeypatch.setattr(kernel_store._Help, "asked", True)
    monkeypatch.setattr(kernel_start._State, "waits", True)
    return folder


def load(tmp_path, text):
    """The kernels of a module with this text; the first call of one compiles it."""
    path = tmp_path / "kernels_under_test.py"
    path.write_text(text)
    # Two texts of one length within a second would share their byte code.
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        spec = importlib.util.spec_from_file_location("kernels_under_test", path)
        module = importlib.util.module_from_spec(spec)
        linecache.checkcache(str(path))
        sys.modules["kernels_under_test"] = module
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


def builds(folder):
    return {p.name.removesuffix(".kernel") for p in folder.glob("*.kernel")}


def test_only_what_an_edit_changes_is_compiled_again_and_nothing_is_stale(store, tmp_path):
    module = load(tmp_path, SOURCE)
    assert module.outer(1.5) == 6.0
    before = builds(store)
    assert len(before) == 3  # the two, and the way in from Python

    same = load(tmp_path, "# a comment\n\n\n" + SOURCE.replace("Twice", "Two times"))
    assert same.outer(1.5) == 6.0
    assert builds(store) == before

    # A constant of the callee: its build is another, the caller's the same, and its result new.
    module = load(tmp_path, SOURCE.replace("RATE = 2.0", "RATE = 3.0"))
    assert module.outer(1.5) == 9.0
    new = builds(store) - before
    assert {name.rsplit("-", 1)[0] for name in new} == {"kernels_under_test.inner"}

    # The callee's signature: both change.
    changed = SOURCE.replace('@kernel("f8(f8)")\ndef inner', '@kernel("i8(f8)")\ndef inner')
    before = builds(store)
    assert load(tmp_path, changed).outer(1.6) == 6.0
    assert {"kernels_under_test.inner", "kernels_under_test.outer"} <= {
        name.rsplit("-", 1)[0] for name in builds(store) - before
    }


def test_a_kernel_may_not_name_what_could_change_unseen(store, tmp_path):
    text = SOURCE.replace("RATE = 2.0", "RATE = [2.0]").replace("RATE *", "RATE[0] *")
    with pytest.raises(TypeError, match="may name numbers"):
        load(tmp_path, text).inner(1.0)


def test_a_local_name_hides_a_constant(store, tmp_path):
    text = SOURCE.replace("    return RATE * x", "    RATE = 5.0\n    return RATE * x")
    assert load(tmp_path, text).inner(1.0) == 5.0


@pytest.mark.parametrize("damage", [lambda b: b[:-40], lambda b: b[:50] + b"x" + b[51:], bytes])
def test_a_damaged_build_is_made_again(store, tmp_path, damage):
    assert load(tmp_path, SOURCE).outer(1.0) == 4.0
    for path in store.glob("*.kernel"):
        whole = path.read_bytes()
        path.write_bytes(damage(whole) if damage is not bytes else b"")
    assert load(tmp_path, SOURCE).outer(1.0) == 4.0
    assert all(len(p.read_bytes()) > 100 for p in store.glob("*.kernel"))


def test_a_build_that_another_process_makes_is_waited_for(store, tmp_path):
    mine, theirs = KernelStore("k", "1"), KernelStore("k", "1")
    assert theirs.acquire()
    assert not mine.acquire()
    theirs.release()
    assert mine.acquire()
    mine.release()


def test_a_folder_keeps_the_newest_builds_only(store, tmp_path):
    for rate in range(8):
        load(tmp_path, SOURCE.replace("2.0", f"{rate}.0")).inner(1.0)
    names = [name.rsplit("-", 1)[0] for name in builds(store)]
    assert names.count("kernels_under_test.inner") == kernel_store.KEPT
    assert load(tmp_path, SOURCE.replace("2.0", "7.0")).inner(1.0) == 7.0


def test_where_the_sources_are_read_only_the_users_folder_serves(tmp_path, monkeypatch):
    monkeypatch.delenv("HEADSTRING_KERNELS", raising=False)
    monkeypatch.setattr(kernel_store, "BESIDE", Path("/proc/no/such"))
    monkeypatch.setattr(kernel_store, "_users_folder", lambda: tmp_path / "cache")
    folders.cache_clear()
    try:
        assert folders() == (Path("/proc/no/such"), tmp_path / "cache")
    finally:
        folders.cache_clear()


def test_a_build_beside_read_only_sources_is_found(store, tmp_path, monkeypatch):
    assert load(tmp_path, SOURCE).inner(1.0) == 2.0
    other = tmp_path / "users"
    other.mkdir()
    monkeypatch.setattr(kernel_store, "folders", lambda: (store, other))
    assert load(tmp_path, SOURCE).inner(1.0) == 2.0
    assert not builds(other)


def test_processes_that_start_together_make_each_build_once(tmp_path):
    """On an empty store: every build is written once, and all of them compute the same."""
    (tmp_path / "shared_kernels.py").write_text(SOURCE)
    folder = tmp_path / "kernels"
    folder.mkdir()
    script = (
        "import sys; from pathlib import Path; import physics.kernel_store as store\n"
        f"store.folders = lambda: (Path({str(folder)!r}),)\n"
        "store._Help.asked = True\n"
        "import physics.kernel_start as start; start._State.waits = True\n"
        "made = []; save = store.KernelStore.keep\n"
        "def counted(self, *data): made.append(self._name); save(self, *data)\n"
        "store.KernelStore.keep = counted\n"
        "import shared_kernels; print(len(made), shared_kernels.outer(1.5), len(made))\n"
    )
    paths = os.pathsep.join([str(tmp_path), str(ROOT)])
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": paths},
        )
        for _ in range(3)
    ]  # fmt: skip
    said = [process.communicate(timeout=120)[0].split() for process in running]
    assert all(value == "6.0" for _, value, _ in said)
    assert sum(int(made) for _, _, made in said) == 3


def test_helpers_compile_what_others_run(store, tmp_path):
    """A build made where its callees have no address yet works where they have one."""
    module = load(tmp_path, SOURCE.replace("2.0", "11.0"))
    compiled.compile_for_others((module.inner, module.outer))
    assert len(builds(store)) == 2
    assert load(tmp_path, SOURCE.replace("2.0", "11.0")).outer(1.0) == 22.0
    assert len(builds(store)) == 3  # the way in from Python is made where it is used


def test_what_does_not_compile_is_told_each_time_and_locks_nobody_out(store, tmp_path):
    wrong = SOURCE.replace("return RATE * x", "return RATE * x.y")
    for _ in range(2):
        with pytest.raises(TypingError, match="'y'"):
            load(tmp_path, wrong).outer(1.0)
    assert not list(store.glob("*.lock"))
