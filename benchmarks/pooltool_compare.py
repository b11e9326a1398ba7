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

ROUNDS, OURS, THEIRS = 12, 30, 8
"""Turns, and the warm runs of each side in one: caches are the runner's own after the first."""


def main(arguments):
    """Run both in turns and print the table."""
    if arguments == ["--pooltool"]:
        return answer_for_pooltool()
    if len(arguments) != 1:
        print(__doc__)
        return 2
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a checkout that isn't installed
    from physics.bench import SHOTS, posed, run
    from physics.simulation import warm_up

    warm_up()
    shots = {name: posed(name) for name in SHOTS}
    with subprocess.Popen(
        [arguments[0], __file__, "--pooltool"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True,
    ) as pooltool:  # fmt: skip

        def ask(question):
            pooltool.stdin.write(json.dumps(question) + "\n")
            pooltool.stdin.flush()
            return json.loads(pooltool.stdout.readline())

        theirs = ask({name: as_data(shot) for name, shot in shots.items()})
        print(f"pooltool {theirs['version']}, first shot of its process {theirs['first_s']:.1f} s")
        print(f"{'shot':<18}{'ours':>12}{'events':>8}{'pooltool':>14}{'events':>8}{'ratio':>8}")
        for name, shot in shots.items():
            run(shot)
            rounds = [(timed(lambda s=shot: run(s), OURS), ask(name)) for _ in range(ROUNDS)]
            ours = statistics.median(ms for times, _ in rounds for ms in times)
            other = statistics.median(ms for _, times in rounds for ms in times)
            print(
                f"{name:<18}{ours:>9.2f} ms{len(run(shot).events):>8}{other:>11.2f} ms"
                f"{theirs['events'][name]:>8}{other / ours:>8.1f}"
            )
        pooltool.stdin.close()
    print(f"medians of {ROUNDS} turns of {OURS} and {THEIRS} warm runs; ms of processor time")
    return 0


def timed(shot, runs):
    """Milliseconds of this process's processors for each of some runs."""
    times = []
    for _ in range(runs):
        begin = time.process_time()
        shot()
        times.append((time.process_time() - begin) * 1000)
    return times


def as_data(shot):
    """A shot of ours as plain data for the other side."""
    balls = {str(s.ball): {"pos": s.pos, "vel": s.vel, "spin": s.spin} for s in shot.states}
    return {"length": shot.world.table.length, "width": shot.world.table.width, "balls": balls}


def answer_for_pooltool():
    """The other side, in the environment of pooltool: first all shots come, then names to time."""
    import importlib.metadata

    start = time.perf_counter()
    import pooltool

    shots = json.loads(sys.stdin.readline())
    systems = {name: system(pooltool, shot) for name, shot in shots.items()}
    events = {}
    pooltool.simulate(next(iter(systems.values())))
    first_s = time.perf_counter() - start
    for name, shot in systems.items():
        events[name] = len(pooltool.simulate(shot).events)
    version = importlib.metadata.version("pooltool-billiards")
    say({"version": version, "first_s": first_s, "events": events})
    for line in sys.stdin:
        fresh = [systems[json.loads(line)].copy() for _ in range(THEIRS)]
        say(timed(lambda f=fresh: pooltool.simulate(f.pop(), inplace=True), THEIRS))
    return 0


def say(answer):
    """One line to the side that asks."""
    print(json.dumps(answer), flush=True)


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
