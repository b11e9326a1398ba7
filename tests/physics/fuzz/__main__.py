"""``make fuzz``: many posed shots, each held to what every run promises.

    python -m tests.physics.fuzz --cases 100000 --seed 1 --workers 2

Prints the failing cases as they come, cut down, one JSON line each as ``headstring simulate``
takes them, how far it is every 1000, and a count by kind at the end or when it is interrupted;
exit status 1 if any failed.  A run that was cut goes on with ``--from`` what it said last; a single
case is run with ``--only 17``.
"""

import argparse
import collections
import contextlib
import json
import multiprocessing
import sys
import time

from tests.physics.fuzz.poses import pose
from tests.physics.fuzz.shrink import shrink
from tests.physics.fuzz.trial import leave_interrupts, still, try_case, try_number

SLOW_S = 2.0  # of processor time: a case that takes more is told
SHOWN = 3  # failing cases that are cut down, of one kind and promise
CHUNK = 25
TOLD = 1000  # cases between two lines that say how far the run is


def main() -> int:
    """Run the fuzz from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.physics.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first", help="number to begin with")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", type=int, help="one case of this seed, told in full")
    options = parser.parse_args()
    if options.only is not None:
        case = pose(options.seed, options.only)
        print(json.dumps(case))
        print(*try_case(case, same=True, mirror=True, rails=True), sep="\n")
        return 0
    return _many(options)


def _many(options: argparse.Namespace) -> int:
    began = time.monotonic()
    kinds: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    seconds: list[float] = []
    shown: collections.Counter = collections.Counter()
    failed = 0
    jobs = [(options.seed, number) for number in range(options.first, options.cases)]
    with (
        multiprocessing.get_context("spawn").Pool(options.workers, leave_interrupts) as pool,
        contextlib.suppress(KeyboardInterrupt),
    ):
        for tried in pool.imap(try_number, jobs, chunksize=CHUNK):
            count = kinds[tried.kind]
            count["cases"] += 1
            count["refused"] += tried.refused is not None
            seconds.append(tried.seconds)
            names = {name for name, _ in tried.faults}
            if tried.seconds > SLOW_S:
                count["slow"] += 1
                print(f"{tried.number}: {tried.seconds:.1f} s, {tried.events} events", flush=True)
            failed += bool(names)
            for name in sorted(names):
                count[name] += 1
                shown[tried.kind, name] += 1
                if shown[tried.kind, name] <= SHOWN:
                    said = next(text for n, text in tried.faults if n == name)
                    small = shrink(pose(options.seed, tried.number), lambda c, n=name: still(c, n))
                    print(f"{name}: {said}\n{json.dumps(small)}", flush=True)
            if len(seconds) % TOLD == 0:
                print(
                    f"--from {tried.number + 1}: {len(seconds)} cases, {failed} failed", flush=True
                )
    if not seconds:
        return 0
    for kind, count in sorted(kinds.items()):
        print(f"{kind:14}", ", ".join(f"{n} {name}" for name, n in count.items() if n))
    seconds.sort()
    took, median = time.monotonic() - began, 1000.0 * seconds[len(seconds) // 2]
    first, last = options.first, options.first + len(seconds) - 1
    print(f"cases {first} to {last} of seed {options.seed} in {took:.0f} s: {failed} failed")
    print(f"processor time a case: median {median:.1f} ms, slowest {1000.0 * seconds[-1]:.0f} ms")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
