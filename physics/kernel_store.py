"""Where compiled kernels are kept, and how several processes share the work of making them.

A build is a file named by kernel and key, written whole under another name and then renamed, with
a checksum in front: it is there and right, or it is not there.  Builds lie beside the sources, or,
where that folder is read-only, in the user's cache folder; both are searched.

Whoever compiles a kernel holds its lock meanwhile; who needs it too waits for the build instead of
making another.  Locks are the system's and die with their process, and nothing depends on them:
without one the same build is made twice.  The first process that misses a build starts helpers
for the other cores, which compile from the last kernel backwards.
"""

# numba has no types.
# mypy: allow-untyped-calls
import contextlib
import hashlib
import importlib
import os
import pickle
import subprocess
import sys
import tempfile
import time
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, ClassVar

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

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


@lru_cache
def folders() -> tuple[Path, ...]:
    """The folders that are searched; builds are written to the last one.

    The environment's HEADSTRING_KERNELS names one that is used instead of all others.
    """
    chosen = os.environ.get("HEADSTRING_KERNELS")
    if chosen:
        Path(chosen).mkdir(parents=True, exist_ok=True)
        return (Path(chosen),)
    if _writable(BESIDE):
        return (BESIDE,)
    try:
        users = _users_folder()
    except RuntimeError:
        users = None  # a user without a home
    if users is not None and _writable(users):
        return (BESIDE, users)
    # Nowhere to keep anything: a folder for this process alone, which nobody else can prepare.
    return (BESIDE, Path(tempfile.mkdtemp(prefix="headstring-kernels-")))


class KernelStore(_Cache):
    """The builds of one kernel, as numba's dispatcher asks for them."""

    def __init__(self, name: str, key: str, quiet: bool = False) -> None:
        """``quiet``: small enough to be made without asking for help."""
        self._name = name
        self._quiet = quiet
        self._file = f"{name}-{key}.kernel"
        self._lock: IO[bytes] | None = None

    @property
    def cache_path(self) -> str:
        return str(folders()[-1])

    @property
    def known(self) -> bool:
        """Whether somebody has made the build."""
        return any((folder / self._file).exists() for folder in folders())

    def load_overload(self, sig: object, target_context: Any) -> Any:
        """The build; None when the caller has to make it, and then it holds the lock.

        Waits while another process makes it.
        """
        target_context.refresh()
        while True:
            payload = self._read()
            if payload is not None:
                return CompileResult._rebuild(target_context, *payload)
            if self._lock is not None:
                if not self._quiet:
                    ask_for_help()
                return None
            if not self.acquire():
                time.sleep(POLL_S)
            # With the lock in hand look once more: its last holder has made the build.

    def save_overload(self, sig: object, data: Any) -> None:
        """Keep the build and let go of the lock."""
        payload = dumps(data._reduce())
        folder = folders()[-1]
        try:
            with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
                file.write(hashlib.sha256(payload).digest() + payload)
            os.replace(file.name, folder / self._file)
            self._forget_old(folder)
        except OSError:
            # A full disk, or a folder that went away: the build in hand serves this process.
            pass
        self.release()

    def acquire(self) -> bool:
        """Take the lock, if nobody has it."""
        self._lock = _lock(f"{self._file}.lock")
        return self._lock is not None

    def release(self) -> None:
        """Give the lock back."""
        if self._lock is not None:
            self._lock.close()
            with contextlib.suppress(OSError):
                os.unlink(self._lock.name)
            self._lock = None

    def enable(self) -> None:
        """The store is always on."""

    def disable(self) -> None:
        """The store is always on."""

    def flush(self) -> None:
        """Nothing is held back."""

    def _read(self) -> tuple[Any, ...] | None:
        for folder in folders():
            try:
                raw = (folder / self._file).read_bytes()
            except OSError:
                continue
            if hashlib.sha256(raw[_CHECKSUM:]).digest() == raw[:_CHECKSUM]:
                payload: tuple[Any, ...] = pickle.loads(raw[_CHECKSUM:])
                return payload
        return None

    def _forget_old(self, folder: Path) -> None:
        builds = sorted(folder.glob(f"{self._name}-*.kernel"), key=lambda p: -p.stat().st_mtime)
        for old in builds[KEPT:]:
            old.unlink(missing_ok=True)


def _lock(name: str) -> IO[bytes] | None:
    """A lock of all processes of this machine, or None while another holds it.

    Where there are no locks everybody gets one: builds are made twice then.
    """
    file = open(folders()[-1] / name, "ab")  # noqa: SIM115
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


def ask_for_help() -> None:
    """Say once that the physics is being compiled, and start a helper for every other core."""
    if _Help.asked:
        return
    _Help.asked = True
    helpers = min((os.cpu_count() or 1) - 1, MOST_HELPERS)
    if getattr(sys, "frozen", False):
        helpers = 0  # a bundled program can't be started as a Python
    free = [number for number in range(helpers) if _is_free(number)]
    if free or not helpers:
        print(SAID, file=sys.stderr, flush=True)
    for number in free:
        command = [
            sys.executable,
            "-c",
            f"from physics.kernel_store import help_out as h; h({number})",
        ]
        _Help.helpers.append(
            subprocess.Popen(
                command, cwd=Path(__file__).resolve().parents[1], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
        )  # fmt: skip


def _is_free(number: int) -> bool:
    place = _lock(f"helper-{number}.lock")
    if place is not None:
        place.close()
    return place is not None


def help_out(number: int) -> None:
    """What a helper does: compile what nobody has compiled yet, from the last kernel backwards."""
    _Help.asked = True
    place = _lock(f"helper-{number}.lock")
    if place is None:
        return
    from physics import compiled

    with compiled.declared_only() as kernels:
        importlib.import_module("physics.simulation")
    compiled.compile_for_others(kernels)
    place.close()
