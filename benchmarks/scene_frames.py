"""Frames a second of the 3-D table off-screen at 1280x720: 16 moving balls and the cue.

Run from the checkout: ``PYTHONPATH=. .venv/bin/python benchmarks/scene_frames.py medium``.  The
picture is read back at the end, since a software renderer lets the program run ahead of it.
"""

import math
import sys
import time

from client.scene.table import TableScene
from client.scene.window import WindowOptions, grab, open_window
from physics.table import TABLES

FRAMES = 200


def main(tier: str) -> None:
    base = open_window(WindowOptions(size=(1280, 720), offscreen=True))
    scene = TableScene(base, TABLES["9ft"], tier)
    scene.cameras.set_mode("broadcast", True)

    def draw(frames: int) -> None:
        for k in range(frames):
            turn = 0.02 * k
            poses = {}
            for ball in range(16):
                place = turn + 0.4 * ball
                position = (0.9 * math.cos(place), 0.45 * math.sin(place), 0.028575)
                poses[ball] = (position, (math.cos(turn), math.sin(turn), 0.0, 0.0))
            scene.show_balls(poses)
            scene.show_cue((0.0, 0.0, 0.028575), 5.0 * turn, 0.0, (0.0, 0.0), 0.1)
            scene.update(1 / 60)
            base.taskMgr.step()
        grab(base)

    draw(30)
    wall, processor = time.perf_counter(), time.process_time()
    draw(FRAMES)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    print(f"{tier}: {FRAMES / wall:.1f} frames/s, {1000 * processor / FRAMES:.1f} ms of processor")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "medium")
