"""``/healthz``: the process lives.  ``/readyz``: it can do its work, or why not."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus

from server.clock import ServerClock
from server.house import House
from server.pool import Pool
from server.storage.journal import NotStored
from server.storage.store import Store
from server.web.asked import Asked
from server.web.reply import Reply, text_reply

_WRITE_REAL_S = 2.0
_LOOK_AGAIN_REAL_S = 5.0  # strangers may ask, and each look is a write


async def healthz(_asked: Asked, _named: Mapping[str, str]) -> Reply:
    """That the event loop answers."""
    return text_reply("ok")


class Readiness:
    """Whether players can play now."""

    def __init__(self, house: House, store: Store, pool: Pool, clock: ServerClock) -> None:
        self._house = house
        self._store = store
        self._pool = pool
        self._clock = clock
        self._looked_at: float | None = None
        self._fault: str | None = None
        self._looking = asyncio.Lock()

    async def readyz(self, _asked: Asked, _named: Mapping[str, str]) -> Reply:
        """200, or 503 with what is missing, one reason a line."""
        reasons = await self.reasons()
        if reasons:
            return text_reply("\n".join(reasons), HTTPStatus.SERVICE_UNAVAILABLE)
        return text_reply("ready")

    async def reasons(self) -> list[str]:
        """What keeps the server from its work; empty: nothing."""
        if self._house.stopping:
            return ["the server is going down"]
        if self._house.closed:
            return ["the server is starting"]
        found = [] if self._pool.living else ["no physics worker is warm"]
        fault = await self._database_fault()
        return found if fault is None else [*found, fault]

    async def _database_fault(self) -> str | None:
        """Why the database takes no writes, as of a few seconds ago at most."""
        async with self._looking:
            now = asyncio.get_running_loop().time()
            if self._looked_at is None or now - self._looked_at >= _LOOK_AGAIN_REAL_S:
                self._fault = await self._write()
                self._looked_at = asyncio.get_running_loop().time()
            return self._fault

    async def _write(self) -> str | None:
        try:
            async with asyncio.timeout(_WRITE_REAL_S):
                await self._store.note_clock(self._clock.now())
        except NotStored:
            return "the database takes no writes"
        except TimeoutError:
            return "the database does not answer"
        return None
