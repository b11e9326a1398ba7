"""The server that is measured, in a process of its own, and the figures that it gives out."""

import asyncio
import gc
import logging
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from server.app import MatchServer
from server.config import ServerConfig, database_url
from server.speed import loop_factory, settle_collector

SPAWN = multiprocessing.get_context("spawn")
_START_LIMIT_S = 300.0
_ANSWER_LIMIT_S = 60.0


def resident_kib(pid: int | None = None) -> int:
    """Memory that a process holds (default: this one); 0 where the system doesn't tell."""
    status = Path(f"/proc/{pid or 'self'}/status")
    if sys.platform != "linux" or not status.exists():
        return 0
    words = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(words.split()[1])


def cpu_s(pid: int | None) -> float:
    """Processor time that another process has had; 0 where the system doesn't tell."""
    about = Path(f"/proc/{pid}/stat")
    if sys.platform != "linux" or not about.exists():
        return 0.0
    words = about.read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Figures:
    """What the server says of the time since it was asked last.

    ``cpu_s``: of the server's own process; ``workers_cpu_s``: of its workers; ``late``, ``own``:
    see ``server.loop_lag``; ``collected_ms``: the longest pause of the garbage collector.
    """

    seconds: float
    cpu_s: float
    workers_cpu_s: float
    strokes_ms: tuple[float, ...]
    ticks: int
    late_over_20: int
    late_longest_ms: float
    own_over_20: int
    own_longest_ms: float
    collected_ms: float
    commits: int
    encoded: int
    handed: int
    snapshots: int
    resident_kib: int
    workers_kib: int


class Served:
    """The process; ``port`` is its port."""

    def __init__(self, pipe: Connection, port: int, warm_s: float, loop: str) -> None:
        self.port = port
        self.warm_s = warm_s
        self.loop = loop
        self._pipe = pipe

    def figures(self) -> Figures:
        """Figures since the last call."""
        self._pipe.send("figures")
        found: Figures = self._answer()
        return found

    def collect(self) -> None:
        """Have it collect its garbage, before memory is compared."""
        self._pipe.send("collect")
        self._answer()

    def _answer(self) -> Any:
        if not self._pipe.poll(_ANSWER_LIMIT_S):
            raise TimeoutError("the server gives no figures")
        return self._pipe.recv()


@contextmanager
def served(**settings: Any) -> Iterator[Served]:
    """A running server with these settings, on any port, in a database of its own."""
    began = time.perf_counter()
    ours, theirs = SPAWN.Pipe()
    process = SPAWN.Process(target=_main, args=(theirs, settings), name="headstring-measured")
    process.start()
    theirs.close()
    try:
        if not ours.poll(_START_LIMIT_S):
            raise TimeoutError("the server does not start")
        port, loop = ours.recv()
        yield Served(ours, port, time.perf_counter() - began, loop)
        ours.send("stop")
        process.join(_ANSWER_LIMIT_S)
    finally:
        if process.is_alive():
            process.kill()
        process.join()


def _main(pipe: Connection, settings: dict[str, Any]) -> None:
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    fast = settings.pop("fast", True)
    folder = settings.pop("folder")
    # all come from one address, and on a busy machine they come slowly
    unbounded = {
        "messages_per_s": 1e6,
        "new_people_per_s": 1e6,
        "new_people_burst": 1e6,
        "connections_per_address": 1_000_000,
        "tables_per_address": 100_000,
        "new_tables_burst": 1e6,
        "max_handshakes": 100_000,
        "sign_in_real_s": 120.0,
    }
    config = ServerConfig(
        port=0,
        database=database_url(str(Path(folder) / "bench.sqlite3")),
        **(unbounded | settings),
    )
    with asyncio.Runner(loop_factory=loop_factory(fast)) as runner:
        runner.run(_serve(config, pipe))


async def _serve(config: ServerConfig, pipe: Connection) -> None:
    server = await MatchServer.start(config)
    settle_collector()
    loop = asyncio.get_running_loop()
    pipe.send((server.port, type(loop).__module__.partition(".")[0]))
    asked: asyncio.Queue[str] = asyncio.Queue()

    def listen() -> None:
        word = ""
        while word != "stop":
            try:
                word = pipe.recv()
            except EOFError:
                word = "stop"
            loop.call_soon_threadsafe(asked.put_nowait, word)

    threading.Thread(target=listen, daemon=True).start()
    gauge = _Gauge(server)
    while (word := await asked.get()) != "stop":
        if word == "collect":
            gc.collect()
            pipe.send(None)
        else:
            pipe.send(gauge.read())
    await server.stop()


class _Gauge:
    """Reads the server's counts, each time since the last."""

    def __init__(self, server: MatchServer) -> None:
        self._server = server
        self._began_collecting = 0.0
        self._collected_ms = 0.0
        gc.callbacks.append(self._collecting)
        self._before = self._counts()
        server.house.metrics.lag.reset()

    def _collecting(self, phase: str, _about: dict[str, int]) -> None:
        if phase == "start":
            self._began_collecting = time.perf_counter()
        else:
            took = 1000 * (time.perf_counter() - self._began_collecting)
            self._collected_ms = max(self._collected_ms, took)

    def _counts(self) -> tuple[float, ...]:
        metrics, store = self._server.house.metrics, self._server.store
        return (
            time.perf_counter(),
            time.process_time(),
            sum(cpu_s(worker.pid) for worker in getattr(self._server.pool, "workers", [])),
            store.journal.commits,
            metrics.events_encoded,
            metrics.events_handed,
            metrics.snapshots_encoded,
        )

    def read(self) -> Figures:
        metrics = self._server.house.metrics
        counts = self._counts()
        seconds, own_s, workers_s, *rest = (
            now - then for now, then in zip(counts, self._before, strict=True)
        )
        commits, encoded, handed, snapshots = (int(count) for count in rest)
        workers = getattr(self._server.pool, "workers", [])
        lag = metrics.lag
        figures = Figures(
            seconds=seconds,
            cpu_s=own_s,
            workers_cpu_s=workers_s,
            strokes_ms=tuple(sorted(1000 * s for s in metrics.stroke_s)),
            ticks=sum(lag.late.counts),
            late_over_20=lag.late.over(20.0),
            late_longest_ms=lag.late.longest_ms,
            own_over_20=lag.own.over(20.0),
            own_longest_ms=lag.own.longest_ms,
            collected_ms=self._collected_ms,
            commits=commits,
            encoded=encoded,
            handed=handed,
            snapshots=snapshots,
            resident_kib=resident_kib(),
            workers_kib=sum(resident_kib(worker.pid) for worker in workers),
        )
        self._before, self._collected_ms = counts, 0.0
        metrics.stroke_s.clear()
        lag.reset()
        return figures
