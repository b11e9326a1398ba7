"""Frames a second of the whole client in each tier: sixteen balls of a running break, HUD, views.

Off-screen at 1280x720.  Mesa's software renderer lets the program run dozens of frames ahead, so a
rate counts only with the pixels of the last frame read back; for the slowest frames every frame is
read back, which costs a millisecond or two of its own.  Processor time is what stays the same on a
machine that has other things to do.
"""

import os
import time
from collections.abc import Mapping

from client.bench.breaking import Breaking, break_trajectory
from client.scene.quality import QUALITIES
from client.scene.window import WindowOptions, grab, open_window, renderer_name

VIEWS = ("cue", "overhead", "broadcast", "orbit")
SIZE = (1280, 720)
FRAMES = 150
SINGLE = 100


def main(sizes: Mapping[str, int]) -> None:
    """Print the figures; ``frames`` in ``sizes`` changes how many are drawn in each view."""
    count, single = sizes.get("frames", FRAMES), min(sizes.get("frames", SINGLE), SINGLE)
    base = open_window(WindowOptions(size=SIZE, offscreen=True))
    print(f"frames: the whole client at {SIZE[0]}x{SIZE[1]}, {renderer_name(base)}, "
          f"{os.cpu_count()} cores; a break runs")  # fmt: skip
    print(f"{'tier':<8}{'view':<11}{'frames/s':>9}{'processor':>12}{'Python':>10}"
          f"{'median':>10}{'p99':>10}")  # fmt: skip
    trajectory = break_trajectory()
    for tier in QUALITIES:
        table = Breaking(base, tier, trajectory)
        for view in VIEWS:
            table.look(view)
            rate, processor, python = _rate(base, table, count)
            median, slow = _single(base, table, single)
            print(
                f"{tier:<8}{view:<11}{rate:>9.1f}{processor:>9.1f} ms{python:>7.2f} ms"
                f"{median:>7.1f} ms{slow:>7.1f} ms",
                flush=True,
            )
        table.close()


def _rate(base, table: Breaking, count: int) -> tuple[float, float, float]:
    """Frames a second, processor time (ms) and time in Python (ms) of a frame."""
    table.rack()
    for _ in range(min(count, 10)):
        table.frame()
        base.taskMgr.step()
    grab(base)
    began, processor, python = time.perf_counter(), time.process_time(), 0.0
    for _ in range(count):
        at = time.perf_counter()
        table.frame()
        python += time.perf_counter() - at
        base.taskMgr.step()
    grab(base)
    wall, processor = time.perf_counter() - began, time.process_time() - processor
    return count / wall, 1000 * processor / count, 1000 * python / count


def _single(base, table: Breaking, count: int) -> tuple[float, float]:
    """Median and 99th percentile (ms) of frames that are each read back."""
    table.rack()
    times = []
    for _ in range(count):
        at = time.perf_counter()
        table.frame()
        grab(base)
        times.append(1000 * (time.perf_counter() - at))
    times.sort()
    return times[count // 2], times[min(int(0.99 * count), count - 1)]
