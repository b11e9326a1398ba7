"""Balls that lie still off the bed: jammed in a mouth, over the edge of a pocket, on other balls.

What holds such a ball is a handful of contacts that press on each other.  The engine plays them as
small taps; a ball that has not moved by STAY_FAR for STAY_LONG, though gravity would have taken it
further than a hundred times that, or that has met STAY_MOST things meanwhile, is held: it lies
still until it is hit or what lies against it goes away.

On two others or more, or on one and a rail, a ball stays where friction holds them all: with
``mu_ball`` over a third (0.11 is measured), a cloth on which nothing rolls, or a line of balls
behind the one that bears it.  What taps lose, though nothing moves, would let it sink into them; so
it is held as soon as it has tapped one and another by turns PROPPED_MOST times, some 50 ms, in
which any other pile falls by millimetres.  On one ball nothing stays.
"""

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.layout import (
    ACC,
    AIR,
    HELD,
    HOLE,
    LIP,
    MOTION,
    NEVER,
    POCKETED,
    POS,
    PROPPED_MOST,
    PROPPED_WAKES,
    RADIUS,
    REST,
    SPIN,
    SPIN_ACC,
    STAY,
    STAY_FAR,
    STAY_HITS,
    STAY_LONG,
    STAY_MOST,
    STAY_ON,
    STAY_SLOW,
    STAY_T,
    T0,
    T_END,
    VEL,
    WAKES,
)

Array = NDArray[np.float64]

ELSE, LEANED_ON, ON_RAIL = -1, -2, -3  # where a ball leans that leans on no ball
BESIDE = 0.002  # m: a ball nearer than this may be what holds another


@kernel("f8(f8[:,::1], i8)")
def _speed2(s: Array, i: int) -> float:
    result: float = s[i, VEL] ** 2 + s[i, VEL + 1] ** 2 + s[i, VEL + 2] ** 2
    return result


@kernel("void(f8[:,::1], i8, f8)")
def _look_again(s: Array, i: int, t: float) -> None:
    """Ball ``i`` is free; whether it stays where it is is looked at from now on."""
    s[i, HELD], s[i, STAY_HITS], s[i, STAY_T] = 0.0, 0.0, t
    for x in range(3):
        s[i, STAY + x] = s[i, POS + x]


@kernel("f8(f8[:,::1], i8)")
def _wakes2(s: Array, i: int) -> float:
    """Squared speed with which ball ``i``, or one beside it, sets ``i`` free when it is held."""
    least = WAKES if s[i, HOLE] >= 0.0 else PROPPED_WAKES
    return least * least


@kernel("b1(f8[:,::1], i8, f8)")
def _stays(s: Array, i: int, t: float) -> bool:
    """Whether ball ``i``, which has not moved by STAY_FAR, is to be held."""
    many = s[i, STAY_HITS] > STAY_MOST and _speed2(s, i) < STAY_SLOW * STAY_SLOW
    in_pocket: bool = t - s[i, STAY_T] > STAY_LONG or many
    on_others: bool = s[i, STAY_HITS] > PROPPED_MOST
    return in_pocket if s[i, HOLE] >= 0.0 else on_others


@kernel("void(f8[:,::1], i8, f8, i8)")
def note_stay(s: Array, i: int, t: float, on: int) -> None:
    """After a contact of ball ``i``: is it held, or a held one free again?

    ``on`` is the ball on which it leans there, LEANED_ON if one leans on it, ON_RAIL at the nose or
    the top of a rail, ELSE at anything else.
    """
    held = s[i, HELD] > 0.0
    in_pocket = s[i, HOLE] >= 0.0
    if not (in_pocket or held or s[i, MOTION] == AIR) or s[i, MOTION] >= POCKETED:
        s[i, HELD] = 0.0
        return
    moved = 0.0
    for x in range(3):
        moved += (s[i, POS + x] - s[i, STAY + x]) ** 2
    if in_pocket or (on not in (ELSE, LEANED_ON) and on != s[i, STAY_ON]):
        s[i, STAY_HITS] += 1.0
        s[i, STAY_ON] = float(on)
    flies = on == ELSE and not in_pocket and not held
    if moved > STAY_FAR * STAY_FAR or flies or (held and _speed2(s, i) > _wakes2(s, i)):
        _look_again(s, i, t)
    elif _stays(s, i, t):
        s[i, HELD] = 1.0


@kernel("void(f8[:,::1], i8, f8)")
def hold_still(s: Array, i: int, t: float) -> None:
    """Ball ``i`` lies still where it is held."""
    s[i, MOTION] = REST
    s[i, LIP] = -1.0
    s[i, T0] = t
    s[i, T_END] = NEVER
    for x in range(3):
        s[i, VEL + x] = s[i, ACC + x] = s[i, SPIN + x] = s[i, SPIN_ACC + x] = 0.0


@kernel("i8(f8[:,::1], i8, f8)")
def wake_held(s: Array, i: int, t: float) -> int:
    """A held ball beside ball ``i`` that is let go since ``i`` moves away, or -1."""
    if s[i, MOTION] == REST:
        return -1
    speed2 = _speed2(s, i)
    for j in range(s.shape[0]):
        if j == i or s[j, HELD] == 0.0 or speed2 < _wakes2(s, j):
            continue
        size2 = 0.0
        for x in range(3):
            size2 += (s[j, POS + x] - s[i, POS + x]) ** 2
        if size2 < (s[i, RADIUS] + s[j, RADIUS] + BESIDE) ** 2:
            _look_again(s, j, t)
            return j
    return -1
