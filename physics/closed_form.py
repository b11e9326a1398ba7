"""What of a round is for Bullet; the closed form for the rest, and what its answers are good for.

Two things that press part by a tap whose impulse is fixed beforehand, and an approach that is a
small part of a fast pass is lost in single precision.  Such contacts have their normal impulse in
closed form.  So has one whose approach Bullet did not see.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.cushion_contact import is_plane
from physics.layout import (
    C_A,
    C_B,
    C_E,
    C_FINE,
    C_KIND,
    C_LEANS,
    C_N,
    C_ON_BED,
    C_REL,
    C_SPEED,
    C_SPIN_A,
    C_SPIN_B,
    F_PAIR,
    IMPULSE_WIDTH,
    J_NORMAL,
    J_OWN_FRICTION,
    MASS,
    RADIUS,
)

Array = NDArray[np.float64]

NOISE = 2e-3  # of an impulse at a cushion: what Bullet's hulls may be off by
# An approach under this part of the relative speed, of centres or surfaces, is lost in single
# precision.
FINE = 1e-5


@kernel("b1(f8[:,::1], f8[:,::1], i8)")
def _too_fine(s: Array, contacts: Array, k: int) -> bool:
    """Whether contact ``k`` is a tap of two things that press, or lost in single precision."""
    if contacts[k, C_E] > 1.0 or contacts[k, C_LEANS] > 0.0:
        return True
    vx, vy, vz = contacts[k, C_REL], contacts[k, C_REL + 1], contacts[k, C_REL + 2]
    wx, wy, wz = contacts[k, C_SPIN_A], contacts[k, C_SPIN_A + 1], contacts[k, C_SPIN_A + 2]
    fastest = sqrt(vx * vx + vy * vy + vz * vz)
    turns = s[int(contacts[k, C_A]), RADIUS] * sqrt(wx * wx + wy * wy + wz * wz)
    if contacts[k, C_KIND] == F_PAIR:
        wx, wy, wz = contacts[k, C_SPIN_B], contacts[k, C_SPIN_B + 1], contacts[k, C_SPIN_B + 2]
        turns += s[int(contacts[k, C_B]), RADIUS] * sqrt(wx * wx + wy * wy + wz * wz)
    fine: bool = contacts[k, C_SPEED] < FINE * max(fastest, turns)
    return fine


@kernel("i8(f8[:,::1], i8, i8)")
def after_group(contacts: Array, k: int, count: int) -> int:
    """Where the contacts end that are one problem with ``k``: the cushions that a ball is at."""
    last = k + 1
    if is_plane(contacts, k):
        return last
    while last < count and contacts[last, C_A] == contacts[k, C_A]:
        last += 1
    return last


@kernel("void(f8[:,::1], f8[:,::1], i8, f8[:,::1])")
def _answer(s: Array, contacts: Array, k: int, answers: Array) -> None:
    """Answer contact ``k`` with its normal impulse, friction being left to our own law."""
    mass = s[int(contacts[k, C_A]), MASS]
    if contacts[k, C_KIND] == F_PAIR:
        mass = 1.0 / (1.0 / mass + 1.0 / s[int(contacts[k, C_B]), MASS])
    for x in range(IMPULSE_WIDTH):
        answers[k, x] = 0.0
    answers[k, J_NORMAL] = (1.0 + contacts[k, C_E]) * contacts[k, C_SPEED] * mass
    answers[k, J_OWN_FRICTION] = 1.0


@kernel("b1(f8[:,::1], f8[:,::1], i8, f8[:,::1])")
def answer_fine(s: Array, contacts: Array, count: int, answers: Array) -> bool:
    """Answer what of a round is too fine for Bullet; whether there is anything to ask it.

    The rows that it is to answer have C_FINE 0, and their answers are 0 so far.
    """
    asks = False
    k = 0
    while k < count:
        last = after_group(contacts, k, count)
        fine = False
        for m in range(k, last):
            fine = fine or _too_fine(s, contacts, m)
        for m in range(k, last):
            contacts[m, C_FINE] = 1.0 if fine else 0.0
            if fine:
                _answer(s, contacts, m, answers)
            else:
                for x in range(IMPULSE_WIDTH):
                    answers[m, x] = 0.0
        asks = asks or not fine
        k = last
    return asks


@kernel("void(f8[:,::1], f8[:,::1], i8, f8[:,::1])")
def check_answers(s: Array, contacts: Array, count: int, answers: Array) -> None:
    """Take single precision's noise out of Bullet's answers, and answer where it saw no approach.

    One cushion and the bed together push ``(1 + e) m c / (1 - nz^2)``.  Bullet's hulls give that
    to a few parts in 10,000, not the same ones on all sides of a table, and friction that is built
    up in steps of such an impulse tells left from right.
    """
    k = 0
    while k < count:
        last = after_group(contacts, k, count)
        if last == k + 1 and contacts[k, C_FINE] == 0.0 and not is_plane(contacts, k):
            nz = contacts[k, C_N + 2]
            bounce = (1.0 + contacts[k, C_E]) * contacts[k, C_SPEED]
            exact = bounce * s[int(contacts[k, C_A]), MASS] / (1.0 - nz * nz)
            near = abs(answers[k, J_NORMAL] - exact) < NOISE * exact
            if contacts[k, C_ON_BED] == 1.0 and near:
                answers[k, J_NORMAL] = exact
        for m in range(k, last):
            if contacts[m, C_FINE] == 0.0 and not answers[m, J_NORMAL] > 0.0:
                _answer(s, contacts, m, answers)
        k = last
