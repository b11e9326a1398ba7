"""Where balls' centres pass the head string, the centre string and the long string.

A ball is where its centre is, and on the line is on neither side (RULES 0.2): a crossing is
recorded at the instant from which the centre lies strictly beyond.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.layout import AIR, NEVER, ROLL, SLIDE

Array = NDArray[np.float64]

HEAD_STRING = 0
CENTER_STRING = 1
LONG_STRING = 2
ON_LINE = 1e-12  # m


@kernel("i8(f8, f8, f8, f8, f8, i8, f8[::1])")
def _side_changes(d: float, v: float, a: float, until: float, least: float, side: int,
                  found: Array) -> int:  # fmt: skip
    """Times in [0, until] from which d + v t + a t^2 / 2 has another sign than before.

    ``side`` is the last strict side (0: none yet).  Writes at most two times, negative for a
    change to the lower side, as ``-1 - t``; returns how many, plus 10 when it ends below, 20 above.
    """
    times = np.empty(4)
    count = 0
    times[count] = 0.0
    count += 1
    half = 0.5 * a
    if half == 0.0:
        if v != 0.0 and 0.0 < -d / v < until:
            times[count] = -d / v
            count += 1
    else:
        disc = v * v - 4.0 * half * d
        if disc > 0.0:
            root = sqrt(disc)
            q = -0.5 * (v + root) if v >= 0.0 else -0.5 * (v - root)
            r1 = q / half
            r2 = d / q if q != 0.0 else r1
            if r1 > r2:
                r1, r2 = r2, r1
            for r in (r1, r2):
                if 0.0 < r < until:
                    times[count] = r
                    count += 1
    times[count] = until
    n = 0
    for k in range(count):
        middle = 0.5 * (times[k] + times[k + 1])
        value = d + (v + half * middle) * middle
        now = 1 if value > least else (-1 if value < -least else 0)
        if now != 0 and now != side:
            if side != 0 or k > 0 or abs(d) <= least:
                found[n] = times[k] if now > 0 else -1.0 - times[k]
                n += 1
            side = now
    return n + (10 if side < 0 else (20 if side > 0 else 0))


@kernel("i8(f8[:,::1], i8, i8, f8, f8, f8[:,::1])")
def string_crossings(
    pieces: Array, count: int, balls: int, head: float, end: float, out: Array
) -> int:
    """Crossings of ``count`` logged pieces: rows of time, ball, string, side (1 or -1), piece.

    ``end`` is when the run ended.  Returns the number of rows; ``out`` must have room.
    """
    rows = 0
    last = np.full(balls, -1)
    following = np.full(count, NEVER)
    for k in range(count):
        i = int(pieces[k, 0])
        if last[i] >= 0:
            following[last[i]] = pieces[k, 1]
        last[i] = k
    sides = np.zeros((balls, 3), np.int64)
    known = np.zeros(balls, np.int64)
    found = np.empty(4)
    for k in range(count):
        i = int(pieces[k, 0])
        for line in range(3):
            axis = 0 if line < 2 else 1
            d = pieces[k, 2 + axis] - (head if line == HEAD_STRING else 0.0)
            if known[i] == 0 and abs(d) > ON_LINE:
                sides[i, line] = 1 if d > 0.0 else -1
            motion = pieces[k, 17]
            if motion != ROLL and motion != SLIDE and motion != AIR:
                continue
            until = min(following[k], end) - pieces[k, 1]
            if until <= 0.0:
                continue
            code = _side_changes(d, pieces[k, 5 + axis], pieces[k, 8 + axis], until, ON_LINE,
                                 sides[i, line], found)  # fmt: skip
            for m in range(code % 10):
                if rows < out.shape[0]:
                    up = found[m] >= 0.0
                    out[rows, 0] = pieces[k, 1] + (found[m] if up else -1.0 - found[m])
                    out[rows, 1], out[rows, 2] = i, line
                    out[rows, 3], out[rows, 4] = (1.0 if up else -1.0), k
                    rows += 1
            if code >= 10:
                sides[i, line] = -1 if code < 20 else 1
        known[i] = 1
    return rows
