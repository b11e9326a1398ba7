"""What plays until kernels are compiled: a kernel's first call decides.

If the store has all that the call needs, that is loaded and plays.  If not, plain Python plays at
once (``physics.interpreted``), and a process in the background compiles everything, once on a
machine: it goes on when this one ends, at a lower priority, and ends by itself.  A thread of this
process loads the builds when they are there and changes over; in the middle of a shot if need be,
since results are the same to the last bit.
"""

import atexit
import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Protocol

from physics import kernel_store

SAID = (
    "headstring: compiling the physics in the background (once after an installation or an "
    "update, about 20 s); shots are slower until then"
)
NICE = 5  # of the process in the background: a shot comes first, and still it gets its share
POLL_S = 0.1
PLACE = "background"  # of the one process that compiles; its lock


class Kernel(Protocol):
    """What is decided for (``physics.compiled.Kernel``)."""

    @property
    def fresh(self) -> bool: ...
    @property
    def needed(self) -> "tuple[Kernel, ...]": ...
    def kept(self) -> bool: ...
    def prepare(self) -> None: ...
    def use_compiled(self) -> None: ...
    def use_plain(self) -> None: ...


class _State:
    """What this process has decided; changed with the lock in hand."""

    lock = threading.RLock()
    waits = False
    plain: ClassVar[list[Kernel]] = []
    watcher: threading.Thread | None = None
    child: subprocess.Popen[bytes] | None = None
    ending = threading.Event()


def get_ready(kernel: Kernel) -> None:
    """Decide how a kernel is called from Python, if it isn't decided yet."""
    with _State.lock:
        if not kernel.fresh:
            return
        if _State.waits or kernel.kept():
            kernel.use_compiled()
            return
        kernel.use_plain()
        _State.plain.append(kernel)
        if _State.watcher is None:
            _State.child = _start_background()
            _State.watcher = threading.Thread(
                target=_change_over, name="headstring-kernels", daemon=True
            )
            _State.watcher.start()
            atexit.register(_end)


@contextmanager
def waiting() -> Iterator[None]:
    """While this lasts, kernels that are called for the first time are compiled, in all threads."""
    _State.waits = True
    try:
        yield
    finally:
        _State.waits = False


def finish() -> None:
    """Compile, here and now, what has played as plain Python so far."""
    with _State.lock:
        for kernel in _State.plain:
            kernel.use_compiled()
        _State.plain.clear()


def wait_until_compiled() -> None:
    """Block until nothing plays as plain Python any more; others compile meanwhile."""
    watcher = _State.watcher
    if watcher is not None:
        watcher.join()


def _start_background() -> "subprocess.Popen[bytes] | None":
    """Say that the physics is being compiled, and let a process do it; None: another one does."""
    if not kernel_store.is_free(PLACE):
        return None
    print(SAID, file=sys.stderr, flush=True)
    return kernel_store.start_python(
        "from physics.kernel_start import compile_in_background as c; c()", outlives=True
    )


def compile_in_background() -> None:
    """What the process in the background does: compile all that a shot needs."""
    if sys.platform != "win32":
        os.nice(NICE)
    place = kernel_store.lock(PLACE)
    while place is None:
        time.sleep(POLL_S)
        place = kernel_store.lock(PLACE)
    from physics.simulation import warm_up

    warm_up()
    kernel_store.wait_for_help()
    place.close()


def _change_over() -> None:
    """What the thread does: wait for the builds, load them and let them play.

    Where no process could be started it compiles them itself.
    """
    child = _State.child
    while child.poll() is None if child is not None else not kernel_store.is_free(PLACE):
        if _State.ending.wait(POLL_S):
            return
    while True:
        with _State.lock:
            if not _State.plain:
                _State.watcher = None
                break
            kernel = _State.plain[0]
        for each in kernel.needed:
            # One by one, so that another's first call never waits long.
            with _State.lock:
                if _State.ending.is_set():
                    return
                each.prepare()
        with _State.lock:
            kernel.use_compiled()
            if kernel in _State.plain:
                _State.plain.remove(kernel)
    if gc.get_freeze_count():
        # This process is to play many shots (``physics.simulation.spare_the_collector``).
        gc.collect()
        gc.freeze()


def _end() -> None:
    """When this process ends: nothing is loaded any more, and a folder of its own is cleared."""
    _State.ending.set()
    watcher = _State.watcher
    if watcher is not None:
        watcher.join()
    if _State.child is not None and kernel_store.is_private():
        kernel_store.stop_python(_State.child)
