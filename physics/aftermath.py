"""What becomes of balls after a round of contacts: impulses put on them, small hops swallowed."""

import numpy as np
from numpy.typing import NDArray

from physics.ball_contact import apply_pairs
from physics.closed_form import after_group, check_answers
from physics.compiled import kernel
from physics.cushion_law import apply_surfaces
from physics.layout import (
    ACC,
    AIR,
    C_A,
    C_B,
    C_KIND,
    C_LEANS,
    CREEP,
    E_TAKEOFF,
    F_BED,
    F_PAIR,
    F_RIM,
    HELD,
    HOLE,
    LEAST_BED_BOUNCE,
    LEAST_HOP,
    LIP,
    MOTION,
    NEVER,
    POS,
    RADIUS,
    SPIN,
    SPIN_ACC,
    T_END,
    VEL,
)
from physics.leaning import tap
from physics.lip import cling, cut_short

Array = NDArray[np.float64]


@kernel("void(f8[:,::1], i8, i8)")
def leave(s: Array, i: int, motion: int) -> None:
    """Take ball ``i`` out of play where it is."""
    s[i, MOTION] = motion
    for x in range(3):
        s[i, VEL + x] = 0.0
        s[i, ACC + x] = 0.0
        s[i, SPIN + x] = 0.0
        s[i, SPIN_ACC + x] = 0.0
    s[i, T_END] = NEVER


@kernel("void(f8[:,::1], f8[:,::1], i8, f8[:,::1], f8[::1])")
def apply_round(s: Array, contacts: Array, count: int, answers: Array, par: Array) -> None:
    """Put a round's impulses on the balls."""
    check_answers(s, contacts, count, answers)
    for k in range(count):
        cut_short(s, int(contacts[k, C_A]), par)
        if contacts[k, C_KIND] == F_PAIR:
            cut_short(s, int(contacts[k, C_B]), par)
    if contacts[0, C_KIND] == F_PAIR:
        if contacts[0, C_LEANS] > 0.0:
            tap(s, contacts, answers, par)
        else:
            apply_pairs(s, contacts, count, answers)
        return
    k = 0
    while k < count:
        i = int(contacts[k, C_A])
        last = after_group(contacts, k, count)
        apply_surfaces(s, contacts, k, last, answers, par, s[i, MOTION] != AIR)
        k = last


@kernel("i8(f8[:,::1], i8, i8, i8, b1, f8[:,::1])")
def land(s: Array, i: int, kind: int, number: int, pressed: bool, holes: Array) -> int:
    """Let bed and rails swallow small hops of ball ``i`` after a contact; what becomes of it.

    A ball on the bed that was ``pressed`` down by one above it meets the bed in a round of its own.

    Returns an event kind: E_TAKEOFF or 0.
    """
    if kind == F_BED:
        s[i, POS + 2] = s[i, RADIUS]
        s[i, HOLE] = s[i, LIP] = -1.0
        if s[i, VEL + 2] < LEAST_BED_BOUNCE:
            s[i, VEL + 2] = 0.0
        return 0
    if kind == F_RIM:
        s[i, HOLE] = number
    if s[i, MOTION] == AIR or s[i, HOLE] >= 0.0 or s[i, HELD] > 0.0:
        cling(s, i, holes)
        return 0
    if pressed and s[i, VEL + 2] < -CREEP:
        return 0
    if s[i, VEL + 2] < LEAST_HOP:
        s[i, VEL + 2] = 0.0
        return 0
    return E_TAKEOFF
