"""Closed-form motion of one ball: what it does by itself until something meets it.

REFERENCES 2: sliding, slip ``u`` keeps its direction and shrinks at 7/2 mu_s g; the ball slows
at mu_s g along it and the spin answers at 5/2 of that rate.  Rolling, it slows at mu_r g.  Spin
about the vertical dies at its own rate, whatever else the ball does.
"""

from math import copysign, sqrt

import numpy as np
from numpy.typing import NDArray

from physics.arithmetic import length
from physics.compiled import kernel
from physics.layout import (
    ACC,
    AIR,
    END_KIND,
    END_LIP,
    END_NONE,
    END_PERCH,
    END_ROLL,
    END_SLIP,
    END_SPIN,
    GRAVITY,
    HOLE,
    LIP_SPIN,
    LIP_VEL,
    MASS,
    MOTION,
    MU_ROLL,
    MU_SLIDE,
    NEVER,
    PERCH_VEL,
    POS,
    RADIUS,
    REST,
    ROLL,
    SLIDE,
    SPIN,
    SPIN_ACC,
    SPIN_DECEL,
    SPINNING,
    STILL,
    T0,
    T_END,
    VEL,
)

Array = NDArray[np.float64]


@kernel("void(f8[:,::1], i8, f8)")
def advance(s: Array, i: int, t: float) -> None:
    """Move the start of ball ``i``'s piece to ``t``, along its closed form."""
    dt = t - s[i, T0]
    if dt != 0.0:
        for k in range(3):
            s[i, POS + k] += (s[i, VEL + k] + 0.5 * s[i, ACC + k] * dt) * dt
            s[i, VEL + k] += s[i, ACC + k] * dt
            s[i, SPIN + k] += s[i, SPIN_ACC + k] * dt
        s[i, T0] = t


@kernel("void(f8[:,::1], f8)")
def advance_all(s: Array, t: float) -> None:
    """As ``advance``, of all balls."""
    for i in range(s.shape[0]):
        advance(s, i, t)


@kernel("void(f8[:,::1], i8, f8, f8)")
def _fly(s: Array, i: int, t: float, gravity: float) -> None:
    s[i, MOTION] = AIR
    s[i, T0] = t
    for k in range(3):
        s[i, ACC + k] = 0.0
        s[i, SPIN_ACC + k] = 0.0
    s[i, ACC + 2] = -gravity
    s[i, T_END] = NEVER
    s[i, END_KIND] = END_NONE


@kernel("void(f8[:,::1], i8, f8, f8)")
def _let_spin_die(s: Array, i: int, t: float, rate: float) -> None:
    wz = s[i, SPIN + 2]
    if abs(wz) * s[i, RADIUS] <= STILL:
        s[i, SPIN + 2] = 0.0
        s[i, SPIN_ACC + 2] = 0.0
        if s[i, MOTION] == SPINNING:
            s[i, MOTION] = REST
        return
    s[i, SPIN_ACC + 2] = -copysign(rate, wz)
    end = t + abs(wz) / rate
    if end < s[i, T_END]:
        s[i, T_END] = end
        s[i, END_KIND] = END_SPIN


@kernel("void(f8[:,::1], i8, f8, f8[::1])")
def begin(s: Array, i: int, t: float, par: Array) -> None:
    """Start the piece that follows from position, velocity and spin of ball ``i`` at ``t``."""
    radius = s[i, RADIUS]
    if s[i, HOLE] >= 0.0 or s[i, VEL + 2] != 0.0 or s[i, POS + 2] != radius:
        _fly(s, i, t, par[GRAVITY])
        return
    s[i, T0] = t
    ux = s[i, VEL] - radius * s[i, SPIN + 1]
    uy = s[i, VEL + 1] + radius * s[i, SPIN]
    slip = length(ux, uy)
    speed = length(s[i, VEL], s[i, VEL + 1])
    s[i, ACC + 2] = 0.0
    if slip > STILL:
        rate = par[MU_SLIDE] * par[GRAVITY]
        s[i, MOTION] = SLIDE
        s[i, ACC] = -rate * ux / slip
        s[i, ACC + 1] = -rate * uy / slip
        s[i, SPIN_ACC] = 2.5 * s[i, ACC + 1] / radius
        s[i, SPIN_ACC + 1] = -2.5 * s[i, ACC] / radius
        s[i, T_END] = t + slip / (3.5 * rate)
        s[i, END_KIND] = END_SLIP
    elif speed > STILL:
        rate = par[MU_ROLL] * par[GRAVITY]
        s[i, MOTION] = ROLL
        # What slip is left dies as any does, or to take it for none would give the spin energy.
        s[i, VEL] -= 2.0 / 7.0 * ux
        s[i, VEL + 1] -= 2.0 / 7.0 * uy
        speed = length(s[i, VEL], s[i, VEL + 1])
        s[i, SPIN] = -s[i, VEL + 1] / radius
        s[i, SPIN + 1] = s[i, VEL] / radius
        s[i, ACC] = -rate * s[i, VEL] / speed
        s[i, ACC + 1] = -rate * s[i, VEL + 1] / speed
        s[i, SPIN_ACC] = -s[i, ACC + 1] / radius
        s[i, SPIN_ACC + 1] = s[i, ACC] / radius
        s[i, T_END] = t + speed / rate
        s[i, END_KIND] = END_ROLL
    else:
        for k in range(2):
            s[i, VEL + k] = 0.0
            s[i, SPIN + k] = 0.0
            s[i, ACC + k] = 0.0
            s[i, SPIN_ACC + k] = 0.0
        s[i, MOTION] = SPINNING
        s[i, T_END] = NEVER
        s[i, END_KIND] = END_NONE
    _let_spin_die(s, i, t, par[SPIN_DECEL])


@kernel("void(f8[:,::1], i8)")
def settle(s: Array, i: int) -> None:
    """Make exact what ends at the end of a piece: no slip, no speed, or no vertical spin."""
    kind = s[i, END_KIND]
    radius = s[i, RADIUS]
    if kind == END_SLIP:
        if length(s[i, VEL], s[i, VEL + 1]) <= STILL:
            s[i, VEL] = 0.0
            s[i, VEL + 1] = 0.0
        s[i, SPIN] = -s[i, VEL + 1] / radius
        s[i, SPIN + 1] = s[i, VEL] / radius
    elif kind == END_ROLL:
        for k in range(2):
            s[i, VEL + k] = 0.0
            s[i, SPIN + k] = 0.0
    elif kind == END_SPIN:
        s[i, SPIN + 2] = 0.0
    elif kind == END_LIP:
        for k in range(3):
            s[i, VEL + k], s[i, SPIN + k] = s[i, LIP_VEL + k], s[i, LIP_SPIN + k]
    elif kind == END_PERCH:
        for k in range(3):
            s[i, VEL + k] = s[i, PERCH_VEL + k]


@kernel("f8(f8[:,::1], i8)")
def kinetic_energy(s: Array, i: int) -> float:
    """Translation and rotation of ball ``i`` (J)."""
    v = s[i, VEL] ** 2 + s[i, VEL + 1] ** 2 + s[i, VEL + 2] ** 2
    w = s[i, SPIN] ** 2 + s[i, SPIN + 1] ** 2 + s[i, SPIN + 2] ** 2
    result: float = 0.5 * s[i, MASS] * (v + 0.4 * s[i, RADIUS] ** 2 * w)
    return result


@kernel("f8(f8, f8)")
def contact_distance(radius: float, nose: float) -> float:
    """Horizontal distance from centre to nose line at contact: sqrt(R^2 - (h - R)^2) (m)."""
    return sqrt(max(0.0, radius * radius - (nose - radius) ** 2))
