"""What goes in time, and whether the machine's clock may be believed about it.

A board without a battery starts with any time until its network has told it another, and somebody
may set a clock by hand.  What is deleted by such a time is gone for good, so nothing is at a start:
only once the clock has run evenly for a while, longer when it stands far from where the server was
last.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

log = logging.getLogger("headstring.server.tidying")

HOUR_S, DAY_S = 3600.0, 86_400.0
_FAR_S = 30 * DAY_S
_EVEN_S = 60.0  # by which the clock may be set within the while


class Believed:
    """Whether the machine's clock has run evenly since it was asked last."""

    def __init__(
        self,
        alive_at: float,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """``alive_at``: Unix time at which an earlier run was alive last; 0: there was none."""
        self._wall, self._monotonic = wall, monotonic
        self._apart = self._measured()
        far = alive_at > 0 and not -HOUR_S < wall() - alive_at < _FAR_S
        self.wait_s = DAY_S if far else HOUR_S

    def asked(self) -> bool:
        """False: it was set meanwhile.  ``wait_s``: when to ask again."""
        before, self._apart = self._apart, self._measured()
        even = abs(self._apart - before) <= _EVEN_S
        self.wait_s = DAY_S if even else HOUR_S
        return even

    def _measured(self) -> float:
        return self._wall() - self._monotonic()


class Tidying:
    """Ends what was abandoned and deletes what is of no use to anybody, once a day."""

    def __init__(
        self,
        end_abandoned: Callable[[], Awaitable[object]],
        forget_unused: Callable[[], Awaitable[object]],
        alive_at: float,
    ) -> None:
        self.believed = Believed(alive_at)
        self._end_abandoned = end_abandoned
        self._forget_unused = forget_unused

    async def run(self) -> None:
        """Go on for ever."""
        while True:
            await asyncio.sleep(self.believed.wait_s)
            await self.once()

    async def once(self) -> None:
        """Do it now, if the clock may be believed."""
        if not self.believed.asked():
            log.warning("the machine's clock was set: nothing is deleted within the next hour")
            return
        await self._end_abandoned()
        await self._forget_unused()
