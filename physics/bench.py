"""How fast the physics is: ``headstring bench physics``.

Four shots on a 9-ft table, the whole ``simulate`` call with its events, warm; what a process costs
before its first shot, with compiled code and without; what it holds after many shots; 200 breaks,
the slowest against the median (field case FP-22); and how long trajectories are, in bytes.
"""

import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from physics.case_input import Posed, read_case
from physics.outcome import Outcome
from physics.record import record
from physics.simulation import simulate, spare_the_collector, warm_up

RUNS = 40
BREAKS = 200
MEMORY_SHOTS = 3000
RADIUS = 0.028575  # m
_NOTHING = (float("nan"), float("nan"))

_RACK = {"seed": 7, "gap": 2e-5}
#: The four shots, as cases; the cue ball is set moving so that another engine can play the same.
SHOTS: Mapping[str, Mapping[str, object]] = {
    "nine-ball break": {
        "rack": {"discipline": "nine_ball", **_RACK},
        "balls": {"0": {"pos": [-0.635, 0.0], "vel": [9.5, 0.01, 0.0]}},
    },
    "eight-ball break": {
        "rack": {"discipline": "eight_ball", **_RACK},
        "balls": {"0": {"pos": [-0.635, 0.0], "vel": [9.5, 0.01, 0.0]}},
    },
    "half-ball cut": {
        "balls": {
            "0": {"pos": [-0.4, 0.0], "vel": [2.0, 0.0, 0.0], "spin": [0.0, 70.0, 0.0]},
            "1": {"pos": [0.3, 0.028575]},
        },
    },
    "three-rail kick": {
        "balls": {
            "0": {"pos": [0.3, -0.45], "vel": [2.9, 2.3, 0.0], "spin": [-80.0, 101.0, -40.0]},
            "1": {"pos": [-0.9, -0.5]},
        },
    },
}


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of a shot's runs, and how large it is."""

    name: str
    runs: int
    median_ms: float
    p95_ms: float
    max_ms: float
    events: int
    encode_ms: float
    bytes: int


@dataclass(frozen=True, slots=True)
class PhysicsReport:
    """All figures of ``bench_physics``; ``str`` prints them."""

    cold_s: tuple[float, float, float]
    first_result_s: tuple[float, float]
    compiled_s: tuple[float, float]
    memory_mb: tuple[int, float, float]
    timings: tuple[Timing, ...]
    breaks: int
    break_median_ms: float
    break_slowest_ms: float
    break_events: tuple[float, int]
    break_bytes: tuple[float, int]
    ordinary_bytes: tuple[float, int]

    def __str__(self) -> str:
        load, warm, shot = self.cold_s
        lines = [
            f"a fresh process: {load:.2f} s to import, {warm:.2f} s to warm up, "
            f"{shot * 1000:.1f} ms for its first shot",
            f"to the first result: {self.first_result_s[0]:.2f} s with nothing compiled, "
            f"{self.first_result_s[1]:.2f} s from the store; compiled in the background after "
            f"{self.compiled_s[0]:.1f} s and {self.compiled_s[1]:.1f} s of processor time",
            f"a process after {self.memory_mb[0] // 10} and {self.memory_mb[0]} varied shots: "
            f"{self.memory_mb[1]:.0f} and {self.memory_mb[2]:.0f} MB at most",
            "",
            f"{'shot':<18}{'runs':>5}{'median':>10}{'p95':>10}{'max':>10}{'events':>8}"
            f"{'encode':>10}{'size':>9}",
        ]
        lines += [
            f"{t.name:<18}{t.runs:>5}{t.median_ms:>7.2f} ms{t.p95_ms:>7.2f} ms{t.max_ms:>7.2f} ms"
            f"{t.events:>8}{t.encode_ms:>7.2f} ms{t.bytes:>7} B"
            for t in self.timings
        ]
        ratio = self.break_slowest_ms / self.break_median_ms
        median_events, most_events = self.break_events
        lines += [
            "",
            f"{self.breaks} eight-ball breaks (the better of two runs each): "
            f"median {self.break_median_ms:.2f} ms, slowest {self.break_slowest_ms:.2f} ms "
            f"({ratio:.1f} times), events {median_events:.0f} (most {most_events})",
            f"trajectories of {self.breaks} nine-ball breaks: median {self.break_bytes[0]:.0f} B, "
            f"most {self.break_bytes[1]} B; of as many shots of one to three balls with english: "
            f"median {self.ordinary_bytes[0]:.0f} B, most {self.ordinary_bytes[1]} B",
        ]
        return "\n".join(lines)


def bench_physics(
    runs: int = RUNS, breaks: int = BREAKS, memory_shots: int = MEMORY_SHOTS, cold: bool = True
) -> PhysicsReport:
    """Measure everything; takes about a minute, much less without ``cold``, which compiles."""
    first, compiled = _first_results() if cold else (_NOTHING, _NOTHING)
    fresh = _cold_start()
    memory = (memory_shots, *_memory(memory_shots))
    warm_up()
    spare_the_collector()
    timings = tuple(_time_shot(name, runs) for name in SHOTS)
    times, events = _time_breaks(breaks)
    return PhysicsReport(
        fresh, first, compiled, memory, timings, breaks, statistics.median(times), max(times),
        (statistics.median(events), max(events)), _sizes(nine_ball_break, breaks),
        _sizes(ordinary, breaks),
    )  # fmt: skip


def posed(name: str) -> Posed:
    """One of the four shots, ready for the engine."""
    return read_case({"id": name, **SHOTS[name]})


def run(shot: Posed) -> Outcome:
    """The call that is measured."""
    return simulate(shot.world, shot.states, shot.impulses, shot.until)


def time_runs(call: Callable[[], object], runs: int) -> list[float]:
    """Milliseconds of each of ``runs`` calls, after three that don't count."""
    times = []
    for i in range(runs + 3):
        start = time.perf_counter()
        call()
        if i >= 3:
            times.append((time.perf_counter() - start) * 1000.0)
    return times


def percentile(times: Sequence[float], share: float) -> float:
    """The smallest of the times that ``share`` of them don't exceed."""
    ordered = sorted(times)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def _time_shot(name: str, runs: int) -> Timing:
    shot = posed(name)
    times = time_runs(lambda: run(shot), runs)
    outcome = run(shot)
    encoding = time_runs(lambda: record(shot.world, outcome).encode(), 10)
    return Timing(
        name, runs, statistics.median(times), percentile(times, 0.95), max(times),
        len(outcome.events), statistics.median(encoding),
        len(record(shot.world, outcome).encode()),
    )  # fmt: skip


def _time_breaks(n: int) -> tuple[list[float], list[int]]:
    """FP-22: eight-ball breaks of random seeds, headings within a degree."""
    draw = random.Random(22)
    times, events = [], []
    for i in range(n):
        shot = read_case({
            "id": f"break {i}",
            "rack": {"discipline": "eight_ball", "seed": draw.getrandbits(32), "gap": 2.8e-5,
                     "cue_ball": [-0.635, 0.0]},
            "strike": {"speed": 7.0, "heading_deg": draw.uniform(-1.0, 1.0)},
        })  # fmt: skip
        best = float("inf")
        for _ in range(2):
            start = time.perf_counter()
            outcome = run(shot)
            best = min(best, (time.perf_counter() - start) * 1000.0)
        times.append(best)
        events.append(len(outcome.events))
    return times, events


def _sizes(draw_shot: Callable[[random.Random], Posed], n: int) -> tuple[float, int]:
    """Bytes of the trajectories of ``n`` shots: the median and the most."""
    draw = random.Random(5)
    shots = [draw_shot(draw) for _ in range(n)]
    sizes = [len(record(shot.world, run(shot)).encode()) for shot in shots]
    return statistics.median(sizes), max(sizes)


def nine_ball_break(draw: random.Random) -> Posed:
    """A break of nine-ball from anywhere near the middle of the head string."""
    rack = {"discipline": "nine_ball", "seed": draw.getrandbits(32), "gap": 5e-5}
    return read_case({
        "id": "break", "rack": {**rack, "cue_ball": [-0.635, draw.uniform(-0.3, 0.3)]},
        "strike": {"speed": 8.5, "heading_deg": draw.uniform(-1.0, 1.0)},
    })  # fmt: skip


def ordinary(draw: random.Random) -> Posed:
    """A stroke with english at the first of one to three balls, which it hits more or less full."""
    while True:
        places = [(draw.uniform(-1.0, -0.5), draw.uniform(-0.5, 0.5))]
        for _ in range(draw.randint(1, 3)):
            places.append((draw.uniform(-0.4, 1.1), draw.uniform(-0.55, 0.55)))
        apart = (math.dist(p, q) for i, p in enumerate(places) for q in places[:i])
        if min(apart) > 2.2 * RADIUS:
            break
    (x, y), (tx, ty) = places[0], places[1]
    widest = math.asin(1.7 * RADIUS / math.dist(places[0], places[1]))
    heading = math.atan2(ty - y, tx - x) + draw.uniform(-1.0, 1.0) * widest
    tip = [draw.uniform(-0.3, 0.3), draw.uniform(-0.3, 0.3)]
    strike = {"speed": draw.uniform(0.8, 4.0), "heading_deg": math.degrees(heading), "tip": tip}
    balls = {str(k): {"pos": list(place)} for k, place in enumerate(places)}
    return read_case({"id": "shot", "balls": balls, "strike": strike})


def _cold_start() -> tuple[float, float, float]:
    """Seconds of a fresh process to import, to warm up, and for its first shot."""
    script = (
        "import time; a = time.perf_counter()\n"
        "from physics.bench import posed, run\n"
        "from physics.simulation import warm_up\n"
        "b = time.perf_counter(); warm_up(); c = time.perf_counter()\n"
        "shot = posed('half-ball cut'); d = time.perf_counter(); run(shot)\n"
        "print(b - a, c - b, time.perf_counter() - d)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300
    )
    load, warm, shot = (float(x) for x in done.stdout.split())
    return load, warm, shot


def _first_results() -> tuple[tuple[float, float], tuple[float, float]]:
    """Seconds to the result of one case: with an empty store, and with a full one.

    Also seconds from an empty store until everything is compiled, and processor time until then.
    """
    case = json.dumps({"id": "cut", **SHOTS["half-ball cut"]})
    script = (
        "import os, sys\n"
        "from physics.case import run_case, read_line\n"
        f"case = read_line({case!r}); run_case(case); print(flush=True)\n"
        "from physics.kernel_start import wait_until_compiled\n"
        "wait_until_compiled(); run_case(case); print(sum(os.times()[:4]))\n"
    )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environment = {**os.environ, "HEADSTRING_KERNELS": folder}
        start = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, env=environment,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            process.stdout.readline()
            cold = time.perf_counter() - start
            processor = float(process.stdout.readline())
            compiled = time.perf_counter() - start
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "headstring", "simulate", "-"], input=case, text=True,
            capture_output=True, check=True, timeout=300, env=environment,
        )  # fmt: skip
        return (cold, time.perf_counter() - start), (compiled, processor)


def _memory(shots: int) -> tuple[float, float]:
    """Most megabytes that a process held after a tenth of so many varied shots, and after all."""
    if sys.platform == "win32":
        return float("nan"), float("nan")  # Windows doesn't tell a process its own peak
    script = (
        "import random, resource, sys\n"
        "from physics.bench import varied, run\n"
        "from physics.record import record\n"
        f"n = {shots}; draw = random.Random(3)\n"
        "scale = 1 << 20 if sys.platform == 'darwin' else 1 << 10\n"
        "for i in range(n):\n"
        "    shot = varied(draw); record(shot.world, run(shot)).encode()\n"
        "    if i + 1 in (max(n // 10, 1), n):\n"
        "        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    first, *rest = (float(x) for x in done.stdout.split())
    return first, rest[-1] if rest else first


def varied(draw: random.Random) -> Posed:
    """A shot of its own: a break in ten, else a stroke at one to three balls."""
    if draw.random() < 0.1:
        rack = {"discipline": "nine_ball", "seed": draw.getrandbits(32), "gap": 5e-5}
        return read_case({
            "id": "break", "rack": {**rack, "cue_ball": [-0.635, 0.0]},
            "strike": {"speed": 8.0, "heading_deg": draw.uniform(-1.0, 1.0)},
        })  # fmt: skip
    balls = {"0": {"pos": [draw.uniform(-1.1, -0.5), draw.uniform(-0.5, 0.5)]}}
    for number in range(1, draw.randint(2, 4)):
        x = -0.5 + 0.5 * number
        balls[str(number)] = {"pos": [x + draw.uniform(-0.15, 0.15), draw.uniform(-0.5, 0.5)]}
    strike = {"speed": draw.uniform(0.5, 5.0), "heading_deg": draw.uniform(-45.0, 45.0)}
    return read_case({"id": "shot", "balls": balls, "strike": strike})
