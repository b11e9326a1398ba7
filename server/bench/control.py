"""How quiet the machine is: an idle event loop's delays, and the load average."""

import asyncio
import os
import time
from multiprocessing.connection import Connection

from server.bench.served import SPAWN
from server.loop_lag import LoopLag

_SECONDS = 3.0


def quietness() -> str:
    """In words: an idle loop in a process of its own, for some seconds."""
    # no pool: its semaphores outlive a bench that is cut off
    ours, theirs = SPAWN.Pipe()
    process = SPAWN.Process(target=_tell, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    line = ours.recv()
    process.join()
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "not told"
    return f"machine: {os.cpu_count()} processors, load average {load}; {line}"


def _tell(pipe: Connection) -> None:
    pipe.send(_idle())


def _idle() -> str:
    lag = LoopLag()

    async def wait() -> None:
        lag.start()
        await asyncio.sleep(_SECONDS)
        lag.stop()

    began = time.process_time()
    asyncio.run(wait())
    ticks = sum(lag.late.counts)
    return (
        f"an idle loop's tick is late by {lag.late.total_ms / max(ticks, 1):.2f} ms on average, "
        f"at most {lag.late.longest_ms:.1f} ms "
        f"({time.process_time() - began:.2f} s of processor in {_SECONDS:g} s)"
    )
