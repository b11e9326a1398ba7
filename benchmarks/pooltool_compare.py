"""The four shots of ``headstring bench physics`` in pooltool 0.6.0 and in ours, side by side.

    .venv/bin/python benchmarks/pooltool_compare.py /tmp/pooltool/bin/python

The argument is the Python of the environment that has pooltool (``benchmarks/README.md``); the
same file runs there with ``--pooltool``, gets the balls as JSON and answers with its times.
Pooltool's models are its own defaults; table measures, ball, cloth and start are ours.
"""

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 30


def main(arguments):
    """Run both and print the table."""
    if arguments == ["--pooltool"]:
        json.dump(time_pooltool(json.load(sys.stdin)), sys.stdout)
        return 0
    if len(arguments) != 1:
        print(__doc__)
        return 2
    shots, ours = time_ours()
    done = subprocess.run(
        [arguments[0], __file__, "--pooltool"], input=json.dumps(shots), text=True,
        stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    theirs = json.loads(done.stdout.splitlines()[-1])
    print(f"pooltool {theirs['version']}, first shot of its process {theirs['first_s']:.1f} s")
    print(f"{'shot':<18}{'ours':>12}{'events':>8}{'pooltool':>14}{'events':>8}{'ratio':>8}")
    for name, (ms, events) in ours.items():
        their_ms, their_events = theirs["shots"][name]
        print(
            f"{name:<18}{ms:>9.2f} ms{events:>8}{their_ms:>11.2f} ms{their_events:>8}"
            f"{their_ms / ms:>8.1f}"
        )
    print(f"medians of {RUNS} warm runs each")
    return 0


def time_ours():
    """Shots as plain data for the other side, and our median and number of events for each."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a checkout that isn't installed
    from physics.bench import SHOTS, posed, run, time_runs
    from physics.simulation import warm_up

    warm_up()
    shots, times = {}, {}
    for name in SHOTS:
        shot = posed(name)
        shots[name] = {
            "length": shot.world.table.length,
            "width": shot.world.table.width,
            "balls": {
                str(s.ball): {"pos": s.pos, "vel": s.vel, "spin": s.spin} for s in shot.states
            },
        }
        times[name] = (
            statistics.median(time_runs(lambda s=shot: run(s), RUNS)),
            len(run(shot).events),
        )
    return shots, times


def time_pooltool(shots):
    """Median and number of events of each shot, in the environment of pooltool."""
    import importlib.metadata

    start = time.perf_counter()
    import pooltool

    systems = {name: system(pooltool, shot) for name, shot in shots.items()}
    pooltool.simulate(next(iter(systems.values())))
    out = {
        "version": importlib.metadata.version("pooltool-billiards"),
        "first_s": time.perf_counter() - start,
        "shots": {},
    }
    for name, shot in systems.items():
        pooltool.simulate(shot)
        times = []
        for _ in range(RUNS):
            fresh = shot.copy()
            begin = time.perf_counter()
            pooltool.simulate(fresh, inplace=True)
            times.append((time.perf_counter() - begin) * 1000)
        out["shots"][name] = statistics.median(times), len(fresh.events)
    return out


def system(pooltool, shot):
    """A shot of ours in pooltool's frame: its y is our x, its x our -y, from a corner."""
    import numpy as np

    length, width = shot["length"], shot["width"]
    specs = pooltool.objects.PocketTableSpecs(
        l=length, w=width, cushion_height=0.03629025, corner_pocket_width=0.1159,
        side_pocket_width=0.1286,
    )  # fmt: skip
    balls = {}
    for name, state in shot["balls"].items():
        (x, y, z), (vx, vy, vz), (wx, wy, wz) = state["pos"], state["vel"], state["spin"]
        ball = pooltool.Ball.create(
            name, m=0.170097, R=0.028575, u_s=0.2, u_r=0.01, e_b=0.95, g=9.81,
            u_sp_proportionality=10.0 / (2.5 * 9.81),
        )  # fmt: skip
        moving = any((vx, vy, vz, wx, wy, wz))
        rvw = np.array([(width / 2 - y, x + length / 2, z), (-vy, vx, vz), (-wy, wx, wz)])
        ball.state = pooltool.objects.BallState(rvw, 2 if moving else 0, 0.0)
        balls[name] = ball
    return pooltool.System(
        table=pooltool.Table.from_table_specs(specs), balls=balls,
        cue=pooltool.Cue(cue_ball_id="0"),
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
