"""Where compiled kernels are kept, and how several processes share the work of making them.

A build is a file named by kernel and key, written whole under another name and then renamed, with
a checksum in front: it is there and right, or it is not there.  Builds lie beside the sources, or,
where that folder is read-only, in the user's cache folder; both are searched.

Whoever compiles a kernel holds its lock meanwhile; who needs it too waits for the build instead of
making another.  Locks are the system's and die with their process, and nothing depends on them:
without one the same build is made twice.  The first process that misses a build starts helpers
for the other cores, which compile from the last kernel backwards.
"""

import atexit
import contextlib
import hashlib
import importlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import lru_cache
from pathlib import Path
from typing import IO, ClassVar

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

BESIDE = Path(__file__).resolve().parent / "__pycache__" / "kernels"
KEPT = 4  # builds of a kernel that a folder keeps, newest first
MOST_HELPERS = 3
POLL_S = 0.01
SAID = "headstring: compiling the physics (once after an installation or an update) ..."
_CHECKSUM = hashlib.sha256().digest_size


class _Help:
    """Whether this process has asked for help, or is a helper itself, and whom it started."""

    asked = False
    helpers: ClassVar[list[subprocess.Popen[bytes]]] = []


def _users_folder() -> Path:
    """The platform's place for what can be made again."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "headstring" / "kernels"


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


class _Own:
    """The folder for builds of this process, where none can be kept."""

    folder: Path | None = None


def is_private() -> bool:
    """Whether builds can't be kept, so that only what this process starts can use them."""
    return folders()[-1] == _Own.folder


@lru_cache
def folders() -> tuple[Path, ...]:
    """The folders that are searched; builds are written to the last one.

    The environment's HEADSTRING_KERNELS names one that is used instead of all others.
    """
    chosen = os.environ.get("HEADSTRING_KERNELS")
    first = Path(chosen) if chosen else BESIDE
    if _writable(first):
        return (first,)
    try:
        users = None if chosen else _users_folder()
    except RuntimeError:
        users = None  # a user without a home
    if users is not None and _writable(users):
        return (first, users)
    # Nowhere to keep anything: a folder for this process and those that it starts.
    _Own.folder = Path(tempfile.mkdtemp(prefix="headstring-kernels-"))
    atexit.register(shutil.rmtree, _Own.folder, ignore_errors=True)
    return (first, _Own.folder)


class KernelStore:
    """The builds of one kernel."""

    def __init__(self, name: str, key: str, quiet: bool = False) -> None:
        """``quiet``: small enough to be made without asking for help."""
        self._name = name
        self._quiet = quiet
        self._file = f"{name}-{key}.kernel"
        self._lock: IO[bytes] | None = None
        self._found: bytes | None = None

    def find(self) -> bool:
        """Whether somebody has made the build, and it is whole; it is in hand then."""
        if self._found is None:
            self._found = self._read()
        return self._found is not None

    def wait(self) -> bytes | None:
        """The build; None when the caller has to make it, and then it holds the lock.

        Waits while another process makes it.
        """
        while True:
            if self.find():
                found, self._found = self._found, None
                return found
            if self._lock is not None:
                if not self._quiet:
                    ask_for_help()
                return None
            if not self.acquire():
                time.sleep(POLL_S)
            # With the lock in hand look once more: its last holder has made the build.

    def keep(self, payload: bytes) -> None:
        """Keep the build."""
        folder = folders()[-1]
        try:
            with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
                file.write(hashlib.sha256(payload).digest() + payload)
            os.replace(file.name, folder / self._file)
            self._forget_old(folder)
        except OSError:
            # A full disk, or a folder that went away: the build in hand serves this process.
            pass

    def acquire(self) -> bool:
        """Take the lock, if nobody has it."""
        self._lock = lock(self._file)
        return self._lock is not None

    def release(self) -> None:
        """Give the lock back."""
        if self._lock is not None:
            self._lock.close()
            with contextlib.suppress(OSError):
                os.unlink(self._lock.name)
            self._lock = None

    def _read(self) -> bytes | None:
        for folder in folders():
            try:
                raw = (folder / self._file).read_bytes()
            except OSError:
                continue
            if hashlib.sha256(raw[_CHECKSUM:]).digest() == raw[:_CHECKSUM]:
                return raw[_CHECKSUM:]
        return None

    def _forget_old(self, folder: Path) -> None:
        builds = sorted(folder.glob(f"{self._name}-*.kernel"), key=lambda p: -p.stat().st_mtime)
        for old in builds[KEPT:]:
            old.unlink(missing_ok=True)


def lock(name: str) -> IO[bytes] | None:
    """A lock of all processes of this machine, or None while another holds it.

    Where there are no locks everybody gets one: builds are made twice then.
    """
    file = open(folders()[-1] / f"{name}.lock", "ab")  # noqa: SIM115
    try:
        if sys.platform == "win32":
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        file.close()
        return None
    except OSError:
        pass
    return file


def is_free(name: str) -> bool:
    """Whether nobody holds this lock."""
    place = lock(name)
    if place is not None:
        place.close()
    return place is not None


def start_python(code: str, outlives: bool = False) -> "subprocess.Popen[bytes] | None":
    """Start a process of ours that runs ``code``; None where that can't be.

    ``outlives``: it minds neither this process's end nor its terminal, and gives way to others.
    """
    if getattr(sys, "frozen", False):
        return None  # a bundled program can't be started as a Python
    environment = dict(os.environ)
    if is_private():
        environment["HEADSTRING_KERNELS"] = str(folders()[-1])
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW
        flags |= subprocess.BELOW_NORMAL_PRIORITY_CLASS if outlives else 0
    try:
        return subprocess.Popen(
            [sys.executable, "-c", code], cwd=Path(__file__).resolve().parents[1],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=environment, creationflags=flags, start_new_session=outlives,
        )  # fmt: skip
    except OSError:
        return None


def stop_python(process: "subprocess.Popen[bytes]") -> None:
    """End a process that ``outlives`` others, and those that it has started."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.terminate()
        else:
            os.killpg(process.pid, signal.SIGTERM)
    process.wait()


def ask_for_help() -> None:
    """Say once that the physics is being compiled, and start a helper for every other core."""
    if _Help.asked:
        return
    _Help.asked = True
    places = [f"helper-{number}" for number in range(min((os.cpu_count() or 1) - 1, MOST_HELPERS))]
    free = [place for place in places if is_free(place)]
    if free or not places:
        print(SAID, file=sys.stderr, flush=True)
    for place in free:
        helper = start_python(f"from physics.kernel_store import help_out as h; h({place!r})")
        if helper is not None:
            _Help.helpers.append(helper)


def wait_for_help() -> None:
    """Wait until the helpers have ended."""
    for helper in _Help.helpers:
        helper.wait()


def help_out(name: str) -> None:
    """What a helper does: compile what nobody has compiled yet, from the last kernel backwards."""
    _Help.asked = True
    place = lock(name)
    if place is None:
        return
    compiled = importlib.import_module("physics.compiled")
    importlib.import_module("physics.simulation")
    compiled.compile_for_others(tuple(compiled.declared.values()))
    place.close()
