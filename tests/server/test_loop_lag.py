"""The measure of the event loop: counts by size, and what was our own work."""

import asyncio
import time

from server.loop_lag import Delays, LoopLag
from tests.server.bench_table import eventually, in_loop


def test_delays_are_counted_by_size() -> None:
    delays = Delays()
    for ms in (0.0, 0.5, 1.0, 1.5, 20.0, 20.1, 5000.0):
        delays.add(ms)
    assert delays.counts == [3, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1]
    assert delays.over(20.0) == 2 and delays.over(1000.0) == 1
    assert delays.longest_ms == 5000.0 and sum(delays.counts) == 7


@in_loop
async def test_a_stall_of_our_own_is_told_from_waiting() -> None:
    lag = LoopLag()
    lag.start()
    await asyncio.sleep(0)
    time.sleep(0.15)  # noqa: ASYNC251 - the loop stands still, and nothing is computed
    await eventually(lambda: lag.late.longest_ms > 0)
    assert lag.late.over(50.0) >= 1 and lag.own.over(50.0) == 0
    lag.reset()
    until = time.thread_time() + 0.15
    while time.thread_time() < until:
        pass
    await eventually(lambda: lag.own.over(50.0) == 1)
    assert lag.late.longest_ms >= lag.own.longest_ms > 100.0
    lag.stop()
    ticks = sum(lag.late.counts)
    await asyncio.sleep(0.05)
    assert sum(lag.late.counts) == ticks
