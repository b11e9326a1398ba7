"""How late the event loop is: a tick that is due every few milliseconds, and when it comes.

A machine that is busy with something else delays the tick too.  So what the loop's own thread has
computed meanwhile is measured beside it: a stall of ours is one in which our thread was at work.
"""

import asyncio
import time
from bisect import bisect_left
from dataclasses import dataclass, field

BOUNDS_MS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
_EVERY_S = 0.01


@dataclass
class Delays:
    """Delays counted by size, and the longest; milliseconds.

    ``counts``: those up to each of ``BOUNDS_MS``, and last those above all of them.
    """

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_MS) + 1))
    total_ms: float = 0.0
    longest_ms: float = 0.0

    def add(self, ms: float) -> None:
        """Count one."""
        self.counts[bisect_left(BOUNDS_MS, ms)] += 1
        self.total_ms += ms
        self.longest_ms = max(self.longest_ms, ms)

    def over(self, bound_ms: float) -> int:
        """How many were longer than one of the bounds."""
        return sum(self.counts[BOUNDS_MS.index(bound_ms) + 1 :])


class LoopLag:
    """Measures while it runs.  ``late``: by the clock; ``own``: of that, our thread's own work."""

    def __init__(self) -> None:
        self.late = Delays()
        self.own = Delays()
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self._worked = 0.0

    def start(self) -> None:
        """Begin; needs a running event loop."""
        self._plan(asyncio.get_running_loop())

    def stop(self) -> None:
        """Measure no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def reset(self) -> None:
        """Forget what was measured."""
        self.late, self.own = Delays(), Delays()

    def _plan(self, loop: asyncio.AbstractEventLoop) -> None:
        self._due = time.perf_counter() + _EVERY_S
        self._worked = time.thread_time()
        self._timer = loop.call_later(_EVERY_S, self._tick, loop)

    def _tick(self, loop: asyncio.AbstractEventLoop) -> None:
        late = max(0.0, time.perf_counter() - self._due)
        worked = time.thread_time() - self._worked
        self.late.add(1000 * late)
        self.own.add(1000 * min(late, worked))
        self._plan(loop)
