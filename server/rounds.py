"""What is looked after again and again while the server runs."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

EVERY_REAL_S = 0.5


class Rounds:
    """Does its work twice a second, from ``start`` to ``stop``; a fault ends one round at most."""

    def __init__(self, name: str, work: Callable[[], Awaitable[None]], log: logging.Logger) -> None:
        self._name, self._work, self._log = name, work, log
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin; needs a running event loop."""
        self._task = asyncio.create_task(self._run(), name=self._name)

    async def stop(self) -> None:
        """No more rounds; the one under way is broken off."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY_REAL_S)
            try:
                await self._work()
            except Exception:
                self._log.exception("a fault of the server")
