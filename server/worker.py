"""One physics worker process and the end of it that the server holds.

The server's end blocks, so it is used from a thread of the pool.  A worker that dies shows at once
as an end of file on the pipe; one that overruns its time is killed.  Spawn on every platform.
"""

import importlib
import multiprocessing
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

_SPAWN = multiprocessing.get_context("spawn")
_WARM_UP_LIMIT_S = 300.0


class WorkerDied(Exception):
    """The process ended in the middle of a job; another must take its place."""


class WorkerOverran(WorkerDied):
    """The job took longer than allowed; the process was killed."""


class JobFailed(Exception):
    """The function itself raised; the worker lives."""


def _function(place: str) -> Callable[[Any], Any]:
    module, name = place.split(":")
    found: Callable[[Any], Any] = getattr(importlib.import_module(module), name)
    return found


def _warm_up(place: str) -> None:
    module = importlib.import_module(place.split(":")[0])
    warm_up = getattr(module, "warm_up", None)
    if warm_up is not None:
        warm_up()


def _main(pipe: Connection, place: str) -> None:
    # Ctrl-C reaches every process of the terminal; the server says when a worker ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    function = _function(place)
    _warm_up(place)
    try:
        pipe.send(("ready", None))
    except OSError:
        return  # the server has gone meanwhile
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return  # the server is no more
        try:
            answer = ("done", function(job))
        except Exception as error:  # whatever a shot raises goes back to whoever asked for it
            answer = ("failed", f"{type(error).__name__}: {error}")
        try:
            pipe.send(answer)
        except OSError:
            return


class Worker:
    """A warm process that runs one function, one job at a time."""

    def __init__(self, place: str) -> None:
        """Start the process; ``place`` is the function as ``module:name``."""
        self._pipe, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(
            target=_main, args=(theirs, place), daemon=True, name="headstring-physics"
        )
        self._process.start()
        # Only the child may hold its end, or its death would not show as an end of file.
        theirs.close()
        self._lock = threading.Lock()
        self.warm = False

    @property
    def pid(self) -> int | None:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def wait_ready(self) -> None:
        """Block until the process is warm.

        Raises:
            WorkerDied: it isn't going to be.
        """
        self._receive(_WARM_UP_LIMIT_S)
        self.warm = True

    def run(self, job: object, limit_s: float) -> Any:
        """Block until the job is done and return what the function returned.

        Raises:
            JobFailed: the function raised.
            WorkerDied: the process is gone, killed by ``limit_s`` or otherwise.
        """
        with self._lock:
            try:
                self._pipe.send(job)
            except OSError as error:
                raise WorkerDied("the physics worker is gone") from error
            return self._receive(limit_s)

    def kill(self) -> None:
        """End the process at once; harmless when it has ended."""
        self._process.kill()
        self._process.join(2.0)

    def close(self) -> None:
        """End the process when it is idle; killed if it doesn't follow."""
        self._pipe.close()
        self._process.join(1.0)
        if self._process.is_alive():
            self.kill()

    def _receive(self, limit_s: float) -> Any:
        end = time.monotonic() + limit_s
        try:
            if not self._pipe.poll(max(0.0, end - time.monotonic())):
                self.kill()
                raise WorkerOverran(f"the physics took longer than {limit_s:g} s")
            kind, value = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise WorkerDied("the physics worker died") from error
        if kind == "failed":
            raise JobFailed(value)
        return value
