"""What a client holds after many racks, and after many tables in the same window.

Every frame that is drawn is read back: Mesa's software renderer keeps the frames that nobody has
read, and their hundreds of megabytes are none of the client's.
"""

import gc
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from client.bench.breaking import Breaking, break_trajectory
from client.scene.table import TableScene
from client.scene.window import WindowOptions, grab, open_window
from physics.table import TABLES
from physics.trajectory import Trajectory

SIZE = (640, 360)
STEP_S = 0.35
"""Of a break every so many seconds are a frame; every fourth of these is drawn."""
CHANGES = ("9ft", "8ft", "7ft", "uk7ft")


def main(sizes: Mapping[str, int]) -> None:
    """Print the figures; ``racks`` and ``tables`` of ``sizes`` say how many."""
    base = open_window(WindowOptions(size=SIZE, offscreen=True))
    blob = break_trajectory().encode()
    print("memory: of the client's process, read when the garbage has been collected")
    table = Breaking(base, "low", Trajectory.decode(blob))
    racks, before, early = sizes["racks"], held_mb(), 0.0
    began = time.perf_counter()
    for number in range(racks):
        table.rack()
        for k in range(25):
            table.frame(STEP_S)
            if k % 4 == 0:
                base.taskMgr.step()
                grab(base)
        if number == racks // 10:
            early = held_mb()
    after = held_mb()
    print(
        f"{racks} racks: {before:.0f} MB before, {early:.0f} after {racks // 10}, {after:.0f} at "
        f"the end ({1024 * (after - early) / max(racks - racks // 10, 1):.1f} KB a rack), "
        f"{time.perf_counter() - began:.0f} s",
        flush=True,
    )
    table.close()
    tables, early = sizes["tables"], 0.0
    building = 0.0
    for number in range(tables):
        at = time.perf_counter()
        scene = TableScene(base, TABLES[CHANGES[number % len(CHANGES)]], "high")
        building += time.perf_counter() - at
        base.taskMgr.step()
        grab(base)
        scene.destroy()
        if number == tables // 4:
            early = held_mb()
    after = held_mb()
    print(
        f"{tables} tables: {early:.0f} MB after {tables // 4}, {after:.0f} at the end "
        f"({1024 * (after - early) / max(tables - tables // 4, 1):.1f} KB a table), "
        f"{1000 * building / max(tables, 1):.0f} ms to build one"
    )


def held_mb() -> float:
    """Memory that the process holds now, MB; its largest so far where the system tells no more."""
    gc.collect()
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    if sys.platform == "win32":
        return float("nan")
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1024 * 1024 if sys.platform == "darwin" else 1024)
