"""What the kernels write down: pieces as they begin, events with the balls before and after."""

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.layout import (
    ACC,
    EVENT_HEAD,
    F_PAIR,
    HOLE,
    MOTION,
    N_EVENTS,
    N_PIECES,
    PERCH,
    POS,
    ROLL,
    SLIDE,
    SPIN,
    SPIN_ACC,
    STATE_LOG,
    T0,
    VEL,
)

Array = NDArray[np.float64]
Counters = NDArray[np.int64]


@kernel("void(f8[:,::1], i8, f8[::1], i8)")
def write_state(s: Array, i: int, row: Array, at: int) -> None:
    """Write place, velocity, spin and motion of ball ``i`` from column ``at`` of a row on."""
    for x in range(3):
        row[at + x] = s[i, POS + x]
        row[at + 3 + x] = s[i, VEL + x]
        row[at + 6 + x] = s[i, SPIN + x]
    row[at + 9] = s[i, MOTION]


@kernel("void(f8[:,::1], i8, f8[:,::1], i8[::1])")
def log_piece(s: Array, i: int, pieces: Array, counters: Counters) -> None:
    """Append the piece that ball ``i`` begins."""
    row = pieces[counters[N_PIECES]]
    row[0], row[1] = i, s[i, T0]
    for x in range(3):
        row[2 + x] = s[i, POS + x]
        row[5 + x] = s[i, VEL + x]
        row[8 + x] = s[i, ACC + x]
        row[11 + x] = s[i, SPIN + x]
        row[14 + x] = s[i, SPIN_ACC + x]
    row[17], row[18] = s[i, MOTION], s[i, HOLE]
    if s[i, PERCH] >= 0.0:
        row[17] = ROLL if s[i, PERCH] == 1.0 else SLIDE
    counters[N_PIECES] += 1


@kernel("void(f8[:,::1], f8[:,::1], i8, f8, i8, i8, i8, f8[:,::1], i8[::1])")
def log_event(
    s: Array, before: Array, kind: int, t: float, i: int, other: int, turn: int,
    events: Array, counters: Counters,
) -> None:  # fmt: skip
    """Append an event of ball ``i`` (and ball ``other`` of a pair), states before and after."""
    row = events[counters[N_EVENTS]]
    row[0], row[1], row[2], row[3], row[4] = kind, t, i, other, turn
    for x in range(STATE_LOG):
        row[EVENT_HEAD + x] = before[i, x]
    write_state(s, i, row, EVENT_HEAD + STATE_LOG)
    if kind == F_PAIR:
        for x in range(STATE_LOG):
            row[EVENT_HEAD + 2 * STATE_LOG + x] = before[other, x]
        write_state(s, other, row, EVENT_HEAD + 3 * STATE_LOG)
    counters[N_EVENTS] += 1
