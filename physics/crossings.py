"""Where balls' centres pass the head string, the centre string and the long string.

A ball is where its centre is, and on the line is on neither side (RULES 0.2): a crossing is
recorded at the instant from which the centre lies strictly beyond.  It counts only once the
centre has come more than BEYOND past the line without turning back: a ball that runs along a
string wanders about it by the last digits of single precision, and crosses nothing.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.layout import AIR, NEVER, ROLL, SLIDE

Array = NDArray[np.float64]

HEAD_STRING = 0  # the centre string is 1
LONG_STRING = 2
ON_LINE = 1e-12  # m: nearer than this is on the line
BEYOND = 1e-6  # m: no crossing before the centre is this far past the line

# Columns of what is known of a ball at a string.
SIDE = 0  # the side on which it was last for certain: 1, -1, or 0 for neither yet
LEAN = 1  # the side on which it is at present, by however little
SINCE = 2  # from when (s)
SINCE_ROW = 3  # and in which piece
KNOWN_WIDTH = 4

CROSSING_HEAD = 5  # columns of a crossing before the state of its ball


@kernel("i8(f8, f8, f8, f8, f8[::1])")
def _passing_times(d: float, v: float, a: float, until: float, times: Array) -> int:
    """Times in [0, until] where d + v t + a t^2 / 2 is 0 or BEYOND on either side, and both ends.

    In order; returns how many (``times`` holds eight).
    """
    times[0] = 0.0
    count = 1
    half = 0.5 * a
    for k in range(3):
        c = d + (k - 1) * BEYOND
        if half == 0.0:
            if v != 0.0 and 0.0 < -c / v < until:
                times[count] = -c / v
                count += 1
            continue
        disc = v * v - 4.0 * half * c
        if disc <= 0.0:
            continue
        root = sqrt(disc)
        q = -0.5 * (v + root) if v >= 0.0 else -0.5 * (v - root)
        r1 = q / half
        r2 = c / q if q != 0.0 else r1
        if 0.0 < r1 < until:
            times[count] = r1
            count += 1
        if 0.0 < r2 < until and r2 != r1:
            times[count] = r2
            count += 1
    times[count] = until
    for k in range(1, count):
        t = times[k]
        m = k
        while times[m - 1] > t:
            times[m] = times[m - 1]
            m -= 1
        times[m] = t
    return count + 1


@kernel("i8(f8[::1], f8, f8, f8, f8, i8, f8, f8[::1], f8[:,::1], i8)")
def _follow(
    known: Array, d: float, v: float, a: float, start: float, row: int, until: float,
    times: Array, out: Array, rows: int,
) -> int:  # fmt: skip
    """Follow a ball through piece ``row`` past one string; how many rows ``out`` has then.

    Writes time, side and piece of each crossing to columns 0, 3 and 4.
    """
    count = _passing_times(d, v, a, until, times)
    for k in range(count - 1):
        middle = 0.5 * (times[k] + times[k + 1])
        value = d + (v + 0.5 * a * middle) * middle
        lean = 1.0 if value > ON_LINE else (-1.0 if value < -ON_LINE else 0.0)
        if lean != known[LEAN]:
            known[LEAN] = lean
            known[SINCE] = start + times[k]
            known[SINCE_ROW] = row
        if abs(value) > BEYOND and lean != known[SIDE]:
            known[SIDE] = lean
            if rows < out.shape[0]:
                out[rows, 0], out[rows, 3], out[rows, 4] = known[SINCE], lean, known[SINCE_ROW]
                rows += 1
    return rows


@kernel("void(f8[:,::1], i8, f8[:,::1], i8)")
def _write_state(pieces: Array, k: int, out: Array, row: int) -> None:
    """Write where the ball of piece ``k`` is at the time of a crossing, and how it moves."""
    t = out[row, 0] - pieces[k, 1]
    for x in range(3):
        v, a = pieces[k, 5 + x], pieces[k, 8 + x]
        out[row, 5 + x] = pieces[k, 2 + x] + (v + 0.5 * a * t) * t
        out[row, 8 + x] = v + a * t
        out[row, 11 + x] = pieces[k, 11 + x] + pieces[k, 14 + x] * t
    out[row, 14] = pieces[k, 17]


@kernel("i8(f8[:,::1], i8, i8, f8, f8, f8[:,::1])")
def string_crossings(
    pieces: Array, count: int, balls: int, head: float, end: float, out: Array
) -> int:
    """Crossings of ``count`` logged pieces: rows of time, ball, string, side (1 or -1), piece,
    and then place, velocity, spin and motion of the ball (columns in ``layout``, from 5 on).

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
    known = np.zeros((balls, 3, KNOWN_WIDTH))
    seen = np.zeros(balls, np.int64)
    times = np.empty(8)
    for k in range(count):
        i = int(pieces[k, 0])
        for line in range(3):
            axis = 0 if line < 2 else 1
            d = pieces[k, 2 + axis] - (head if line == HEAD_STRING else 0.0)
            if seen[i] == 0 and abs(d) > ON_LINE:
                known[i, line, SIDE] = known[i, line, LEAN] = 1.0 if d > 0.0 else -1.0
            motion = pieces[k, 17]
            if motion != ROLL and motion != SLIDE and motion != AIR:
                continue
            until = min(following[k], end) - pieces[k, 1]
            if until <= 0.0:
                continue
            before = rows
            rows = _follow(known[i, line], d, pieces[k, 5 + axis], pieces[k, 8 + axis],
                           pieces[k, 1], k, until, times, out, rows)  # fmt: skip
            for m in range(before, rows):
                out[m, 1], out[m, 2] = i, line
                _write_state(pieces, int(out[m, 4]), out, m)
        seen[i] = 1
    return rows
