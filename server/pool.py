"""Warm physics workers: jobs in, results out, the dead replaced.

Each worker is driven from a thread of its own, so the event loop never waits for physics.
"""

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from server.worker import JobFailed, Worker, WorkerDied

log = logging.getLogger("headstring.server.pool")

_RETRY_S = 1.0
_SAY_EVERY_S = 5.0


class ShotFailed(Exception):
    """A shot could not be simulated; the table must be as before it."""


class Pool(Protocol):
    """What plays shots."""

    @property
    def living(self) -> int:
        """Workers that are warm."""

    @property
    def waiting(self) -> int:
        """Jobs that wait for a worker."""

    @property
    def restarts(self) -> int:
        """Workers that were replaced."""

    async def start(self) -> None:
        """Be ready for jobs."""

    async def run(self, job: object) -> Any:
        """Result of a job; raises ``ShotFailed``."""

    async def close(self) -> None:
        """Take no more jobs."""


class WorkerPool:
    """``size`` workers that run ``place`` (``module:function``)."""

    def __init__(
        self,
        place: str,
        size: int,
        limit_s: float,
        patience_s: float = 30.0,
        early: bool = False,
    ) -> None:
        """``limit_s``: for one job; ``patience_s``: for a free worker, real seconds both.

        ``early``: jobs are taken before the workers are warm, and wait for the first.
        """
        self.place = place
        self.size = size
        self.limit_s = limit_s
        self.patience_s = patience_s
        self._restarts = 0
        self._waiting = 0
        self.workers: list[Worker] = []
        self._idle: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        # one thread a worker, and one to start a replacement while all others are busy
        self._threads = ThreadPoolExecutor(size + 1, thread_name_prefix="headstring-pool")
        self._replacing: set[asyncio.Task[None]] = set()
        self._closed = False
        self._early = early
        self._starting: asyncio.Task[None] | None = None

    @property
    def living(self) -> int:
        return sum(worker.warm and worker.alive for worker in self.workers)

    @property
    def waiting(self) -> int:
        return self._waiting

    @property
    def restarts(self) -> int:
        return self._restarts

    async def start(self) -> None:
        """Start all workers; unless it is ``early``, wait until they are warm, saying so.

        Raises:
            WorkerDied: a worker can't start at all.  One that is ``early`` says so in the log, and
                no shot can be played.
        """
        starting = asyncio.create_task(self._start())
        if not self._early:
            await starting
            return
        self._starting = starting
        starting.add_done_callback(_failed_early)

    async def _start(self) -> None:
        for number in range(self.size):
            began = time.monotonic()
            log.info("starting physics worker %d of %d ...", number + 1, self.size)
            # One after the other: what the first compiles, the others find in the cache.
            self._idle.put_nowait(await self._spawn())
            log.info("physics worker warm after %.1f s", time.monotonic() - began)

    async def run(self, job: object) -> Any:
        """Run a job on the next free worker.

        Raises:
            ShotFailed: it raised, overran, or its worker died; or there was no worker for it.
        """
        self._waiting += 1
        try:
            if self._starting is not None and not self.living:
                await asyncio.wait((self._starting,))
            async with asyncio.timeout(self.patience_s):
                worker = await self._living()
        except TimeoutError as error:
            raise ShotFailed("no physics worker is free") from error
        finally:
            self._waiting -= 1
        try:
            result = await self._in_thread(worker.run, job, self.limit_s)
        except JobFailed as error:
            self._idle.put_nowait(worker)
            raise ShotFailed(str(error)) from error
        except WorkerDied as error:
            self._replace(worker)
            raise ShotFailed(str(error)) from error
        except asyncio.CancelledError:
            # its answer would go to the next job
            self._replace(worker)
            raise
        self._idle.put_nowait(worker)
        return result

    async def close(self) -> None:
        """End all workers."""
        self._closed = True
        beside = [*self._replacing, *([self._starting] if self._starting is not None else ())]
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await asyncio.gather(*(asyncio.to_thread(w.close) for w in self.workers))
        self._threads.shutdown(wait=False)

    async def _in_thread(self, function: Any, *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    async def _spawn(self) -> Worker:
        worker: Worker = await self._in_thread(Worker, self.place)
        self.workers.append(worker)
        try:
            await self._warm(worker)
        except WorkerDied:
            self.workers.remove(worker)
            raise
        return worker

    async def _warm(self, worker: Worker) -> None:
        """Wait until a worker is warm, and say so where that takes long."""
        began = time.monotonic()
        warming = asyncio.ensure_future(self._in_thread(worker.wait_ready))
        warming.add_done_callback(_seen)  # who waits may be cancelled
        while not warming.done():
            await asyncio.wait((warming,), timeout=_SAY_EVERY_S)
            if not warming.done():
                waited = time.monotonic() - began
                log.info("the physics worker is loading, %.0f s so far ...", waited)
        warming.result()

    async def _living(self) -> Worker:
        """The next free worker that has not died while it was idle."""
        while True:
            worker = await self._idle.get()
            if worker.alive:
                return worker
            self._replace(worker)

    def _replace(self, worker: Worker) -> None:
        self.workers.remove(worker)
        if self._closed:
            worker.kill()
            return
        self._restarts += 1
        log.warning("physics worker %s is lost; starting another", worker.pid)
        task = asyncio.get_running_loop().create_task(self._fill(worker))
        self._replacing.add(task)
        task.add_done_callback(self._replacing.discard)

    async def _fill(self, lost: Worker) -> None:
        await self._in_thread(lost.kill)
        while not self._closed:
            try:
                self._idle.put_nowait(await self._spawn())
                return
            except WorkerDied as error:
                log.error("a physics worker can't start: %s", error)
                await asyncio.sleep(_RETRY_S)


def _seen(warming: asyncio.Future[Any]) -> None:
    """A worker that nobody waits for any more may die unsaid."""
    if not warming.cancelled():
        warming.exception()


def _failed_early(starting: asyncio.Task[None]) -> None:
    if not starting.cancelled() and (problem := starting.exception()) is not None:
        log.error("no physics worker could be started: %s", problem)
