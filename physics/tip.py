"""The tip of the cue as a body that balls can meet while the cue follows through.

After the blow the tip is a small sphere that moves along the cue's line, slowed at a constant
rate by the player's arm (``physics.follow_through``), until it stops and is lifted.  A ball that
comes back to it, or that it catches up with, is hit as in the stroke itself: the impulse acts
along the cue where the tip's friction allows it, else at the edge of the friction cone, with the
tip's restitution, against the mass of the whole cue (TP A.30, with a ball that moves).  What the
ball gains the cue loses.  A contact law of our own: Bullet is not asked.

A tip contact lasts CONTACT_S in life (REFERENCES 5: 1 to 2 ms), while impulses have no length.  So
what the tip gives within that time of its last impulse is the same contact going on, and a
contact that goes on for longer than LONG_CONTACT is longer than in a normal stroke.
"""

from math import copysign, sqrt

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.contact_times import held_together, sphere_meeting
from physics.cushion_contact import shove
from physics.layout import (
    ACC,
    CREEP,
    E_LONG_CONTACT,
    E_RECONTACT,
    E_TIP_ON_OTHER,
    F_TIP,
    LONG_CONTACT,
    MASS,
    NEVER,
    POS,
    RADIUS,
    SPIN,
    T0,
    T_END,
    TIP_DIR,
    TIP_E,
    TIP_FIRST,
    TIP_HITS,
    TIP_LAST,
    TIP_MASS,
    TIP_MU,
    TIP_POS,
    TIP_RADIUS,
    TIP_SLOWS,
    TIP_SPEED,
    TIP_T0,
    TIP_TOLD,
    TIP_UNTIL,
    TOUCH,
    VEL,
)
from physics.motion import kinetic_energy
from physics.offers import offer

Array = NDArray[np.float64]

CONTACT_S = 0.0015
"""How long a tip contact lasts, s: the middle of 1 to 2 ms (REFERENCES 5)."""
TIP_PART = 0.005
"""Ball and tip part with at least this, m/s, or a ball that leans on the tip would never leave."""
PART_SHARE = 0.05
"""Of the tip's speed: a slow cue parts with so much of it.  The cue's motion pays for parting."""
MOST_HITS = 32.0
"""After so many impulses of one stroke the cue is taken away: a ball is jammed against it."""


@kernel("f8(f8[:,::1], i8, i8, f8)")
def _tip_time(s: Array, i: int, k: int, now: float) -> float:
    """When ball ``i`` meets the tip that struck ball ``k``, approaching (s, absolute), or NEVER."""
    ti, tk = now - s[i, T0], now - s[k, TIP_T0]
    d, u, b = np.empty(3), np.empty(3), np.empty(3)
    speed, slows = s[k, TIP_SPEED], s[k, TIP_SLOWS]
    d2, du = 0.0, 0.0
    for x in range(3):
        way = s[k, TIP_DIR + x]
        d[x] = s[i, POS + x] + (s[i, VEL + x] + 0.5 * s[i, ACC + x] * ti) * ti
        d[x] -= s[k, TIP_POS + x] + way * (speed - 0.5 * slows * tk) * tk
        u[x] = s[i, VEL + x] + s[i, ACC + x] * ti - way * (speed - slows * tk)
        b[x] = 0.5 * (s[i, ACC + x] + way * slows)
        d2 += d[x] * d[x]
        du += d[x] * u[x]
    reach = s[i, RADIUS] + s[k, TIP_RADIUS]
    until = min(s[i, T_END], s[k, TIP_UNTIL]) - now
    touching = d2 < (reach + TOUCH) ** 2
    if touching:
        size = sqrt(d2)
        closing = -du / size
        if closing > CREEP:
            return now
        if closing > -CREEP:
            pull, u2 = 0.0, 0.0
            for x in range(3):
                pull += 2.0 * d[x] * b[x] / size
                u2 += u[x] * u[x]
            if held_together(closing, pull + u2 / size, until):
                return now
    t = sphere_meeting(d[0], d[1], d[2], u[0], u[1], u[2], b[0], b[1], b[2], reach, until, touching)
    return now + t if t < NEVER else NEVER


@kernel("void(f8[:,::1], i8, f8)")
def tip_features(s: Array, i: int, now: float) -> None:
    """Offer ball ``i``, at ``now``, the tips that still move."""
    for k in range(s.shape[0]):
        if now < s[k, TIP_UNTIL]:
            t = _tip_time(s, i, k, now)
            if t < NEVER:
                offer(s, i, t - s[i, T0], F_TIP, k)


@kernel("void(f8[:,::1], i8, f8)")
def _move_tip(s: Array, k: int, t: float) -> None:
    dt = t - s[k, TIP_T0]
    for x in range(3):
        s[k, TIP_POS + x] += s[k, TIP_DIR + x] * (s[k, TIP_SPEED] - 0.5 * s[k, TIP_SLOWS] * dt) * dt
    s[k, TIP_SPEED] = max(0.0, s[k, TIP_SPEED] - s[k, TIP_SLOWS] * dt)
    s[k, TIP_T0] = t


@kernel("f8(f8, f8[::1], f8[::1], f8[::1])")
def push_line(mu: float, normal: Array, along: Array, push: Array) -> float:
    """Direction of a tip's impulse into ``push``: along the cue, or the edge of its friction cone.

    ``normal`` points from tip to ball, ``along`` the way of the cue, unit vectors both.  Returns
    the cosine between the push and the cue.
    """
    lean = 0.0
    for x in range(3):
        lean += normal[x] * along[x]
    hold = 1.0 / sqrt(1.0 + mu * mu)
    if lean >= hold:
        for x in range(3):
            push[x] = along[x]
        return 1.0
    side = sqrt(max(1.0 - lean * lean, 0.0))
    if side == 0.0:
        for x in range(3):
            push[x] = normal[x]
        return lean
    for x in range(3):
        push[x] = hold * (normal[x] + mu * (along[x] - lean * normal[x]) / side)
    return hold * (lean + mu * side)


@kernel("b1(f8[:,::1], i8, i8)")
def _hit(s: Array, i: int, k: int) -> bool:
    """The impulse of tip ``k`` on ball ``i``, both moved up to now, and what it costs the cue.

    Whether they still approach after it, as where spin makes the ball climb along the tip.
    """
    normal, along, push = np.empty(3), np.empty(3), np.empty(3)
    size = 0.0
    for x in range(3):
        normal[x] = s[i, POS + x] - s[k, TIP_POS + x]
        along[x] = s[k, TIP_DIR + x]
        size += normal[x] * normal[x]
    size = sqrt(size)
    for x in range(3):
        normal[x] /= size
    cosine = push_line(s[k, TIP_MU], normal, along, push)
    lever = np.empty(3)
    for x in range(3):
        lever[x] = -normal[x]
    leaving, closing = 0.0, 0.0
    for x in range(3):
        y, z = (x + 1) % 3, (x + 2) % 3
        u = s[i, VEL + x] - s[k, TIP_SPEED] * along[x]
        closing -= u * normal[x]
        u += s[i, RADIUS] * (s[i, SPIN + y] * lever[z] - s[i, SPIN + z] * lever[y])
        leaving += u * push[x]
    if leaving >= 0.0:
        # Spin carries the surface away from the tip, the ball comes on all the same.
        leaving = -closing
        cosine = 0.0
        for x in range(3):
            push[x] = normal[x]
            cosine += normal[x] * along[x]
    grip = 0.0
    for x in range(3):
        grip += normal[x] * push[x]
    inverse = (1.0 + 2.5 * (1.0 - grip * grip)) / s[i, MASS] + cosine * cosine / s[k, TIP_MASS]
    least = min(TIP_PART, PART_SHARE * s[k, TIP_SPEED])
    size = (max(-s[k, TIP_E] * leaving, least) - leaving) / inverse
    for x in range(3):
        push[x] *= size
    energy = kinetic_energy(s, i) + 0.5 * s[k, TIP_MASS] * s[k, TIP_SPEED] ** 2
    shove(s, i, lever[0], lever[1], lever[2], push[0], push[1], push[2])
    s[k, TIP_SPEED] -= size * cosine / s[k, TIP_MASS]
    gained = kinetic_energy(s, i) + 0.5 * s[k, TIP_MASS] * s[k, TIP_SPEED] ** 2 - energy
    if gained > 0.0:
        paid = s[k, TIP_SPEED] ** 2 - 2.0 * gained / s[k, TIP_MASS]
        s[k, TIP_SPEED] = copysign(sqrt(max(paid, 0.0)), s[k, TIP_SPEED])
    closing = 0.0
    for x in range(3):
        closing -= (s[i, VEL + x] - s[k, TIP_SPEED] * along[x]) * normal[x]
    return closing > 0.0


@kernel("i8(f8[:,::1], i8, f8, i8, f8[::1])")
def meet_tip(s: Array, i: int, t: float, k: int, par: Array) -> int:
    """Ball ``i`` meets the tip that struck ball ``k``; the event that it is, or 0 for none.

    A cue that is thrown back, or has hit MOST_HITS times, is out of the way from now on.
    """
    _move_tip(s, k, t)
    if _hit(s, i, k):
        _hit(s, i, k)
    s[k, TIP_HITS] += 1.0
    s[k, TIP_UNTIL] = -1.0
    if s[k, TIP_SPEED] > 0.0 and s[k, TIP_HITS] < MOST_HITS:
        s[k, TIP_UNTIL] = t + s[k, TIP_SPEED] / s[k, TIP_SLOWS]
    if i != k:
        return E_TIP_ON_OTHER
    kind = 0
    if t > s[k, TIP_LAST] + CONTACT_S:
        s[k, TIP_FIRST] = t
        s[k, TIP_TOLD] = 0.0
        kind = E_RECONTACT
    elif t + CONTACT_S > s[k, TIP_FIRST] + par[LONG_CONTACT] and s[k, TIP_TOLD] == 0.0:
        s[k, TIP_TOLD] = 1.0
        kind = E_LONG_CONTACT
    s[k, TIP_LAST] = t
    return kind
