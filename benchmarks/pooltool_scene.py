"""Frames a second of pooltool 0.6.0's own table, off-screen, beside ours on the same renderer.

    .venv/bin/python benchmarks/pooltool_scene.py /tmp/pooltool/bin/python

The argument is the Python of the environment that has pooltool (``benchmarks/README.md``); the same
file runs there with ``--pooltool``.  Both draw a break of the same fifteen balls and the cue ball
at 1280x720 and read the pixels of the last frame back.  Pooltool's settings are its own defaults
(shadows off, room and floor on), and it draws without a HUD; ours is the whole client.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

SIZE = (1280, 720)
FRAMES = 60
LONGEST_S = 20.0
"""No longer on one of them: in software a frame of pooltool's takes a second."""


def main(arguments):
    """Run both and print the figures."""
    if arguments == ["--pooltool"]:
        json.dump(frames_of_pooltool(), sys.stdout)
        return 0
    if len(arguments) != 1:
        print(__doc__)
        return 2
    done = subprocess.run(
        [arguments[0], __file__, "--pooltool"], text=True, stdout=subprocess.PIPE, check=True
    )
    theirs = json.loads(done.stdout.splitlines()[-1])
    ours = frames_of_ours()
    print(f"{'':<22}{'frames/s':>10}{'processor':>12}{'ratio':>8}")
    print(f"{'pooltool ' + theirs['version']:<22}{theirs['rate']:>10.1f}{theirs['ms']:>9.1f} ms")
    for tier, (rate, ms) in ours.items():
        ratio = rate / theirs["rate"]
        print(f"{'ours, ' + tier:<22}{rate:>10.1f}{ms:>9.1f} ms{ratio:>8.1f}")
    print(f"{theirs['renderer']}; from the side of the table, at most {FRAMES} frames")
    return 0


def timed(frame, read_back):
    """Frames a second and processor time (ms) a frame."""
    for _ in range(3):
        frame()
    read_back()
    began, processor = time.perf_counter(), time.process_time()
    drawn = 0
    while drawn < FRAMES and time.perf_counter() - began < LONGEST_S:
        frame()
        drawn += 1
    read_back()
    wall, processor = time.perf_counter() - began, time.process_time() - processor
    return drawn / wall, 1000 * processor / drawn


def frames_of_ours():
    """Rates of our whole client, tier by tier."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a checkout that isn't installed
    from client.bench.breaking import Breaking, break_trajectory
    from client.scene.quality import QUALITIES
    from client.scene.window import WindowOptions, grab, open_window

    base = open_window(WindowOptions(size=SIZE, offscreen=True))
    trajectory = break_trajectory()
    found = {}
    for tier in QUALITIES:
        table = Breaking(base, tier, trajectory)
        table.look("orbit")

        def frame(table=table):
            table.frame()
            base.taskMgr.step()

        found[tier] = timed(frame, lambda: grab(base))
        table.close()
    return found


def frames_of_pooltool():
    """Rate of pooltool's scene, in the environment of pooltool."""
    import importlib.metadata

    from panda3d.core import load_prc_file_data

    load_prc_file_data("", "load-display p3headlessgl\naudio-library-name null\nsync-video 0")
    import pooltool
    from pooltool.ani.animate import FrameStepper
    from pooltool.ani.globals import Global

    table = pooltool.Table.default()
    balls = pooltool.get_rack(pooltool.GameType.EIGHTBALL, table)
    shot = pooltool.System(table=table, balls=balls, cue=pooltool.Cue(cue_ball_id="cue"))
    shot.strike(V0=8, phi=pooltool.aim.at_ball(shot, "1"))
    pooltool.simulate(shot, inplace=True)
    frames, _ = FrameStepper().iterator(shot, size=SIZE, fps=60)
    window = Global.base.win
    rate, ms = timed(lambda: next(frames), window.get_screenshot)
    return {
        "version": importlib.metadata.version("pooltool-billiards"),
        "renderer": str(window.get_gsg().driver_renderer),
        "rate": rate,
        "ms": ms,
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
