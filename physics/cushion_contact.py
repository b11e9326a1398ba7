"""Ball on cushion: Bullet finds the contact and its normal impulse, the friction is our law.

Bullet gets the ball with bed and cushion and solves the squeeze between the two as one problem,
without friction: that gives the normal impulse at the nose.  Friction acts while that impulse
builds up: at the nose with ``mu_cushion``, and at the bed, which has to bear whatever presses the
ball down, with ``mu_slide``; each along the slip of the moment and never more than stops it
(the structure of Mathavan, Jackson & Parkin 2010, REFERENCES 4).

Why not Bullet's own friction: it acts along one direction, that of the slip at the start, and a
rolling ball has no slip at the bed, so that direction is arbitrary.  Measured at 1.5 m/s over 24
headings of the rail (restitution 0.85, friction 0.2 and 0.2): stun banks are the same to 0.001
degrees, but a rolling ball in at 30/45/60 degrees leaves the rail in directions that differ by
4.1/3.7/2.3 degrees, 0.5/2.3/2.0 once it rolls again.  With this law they differ by under 1e-4.

Restitution: unless the material gives a number, ``E_SLOW`` up to 1 m/s of normal speed and less
by ``E_SLOPE`` for each m/s beyond, never under ``E_LEAST`` (REFERENCES 4.1 suggests slopes of 0
to 0.07 s/m).  Fitted to K01, K02 and K12: square rolling rebounds 0.93/0.91/0.89 at 1/2/3 m/s
(asked 0.7-1.0/0.66-0.96/0.6-0.9), total travel at 3/7/12/20 mph 1.97/3.35/4.35/5.35 lengths
(asked 1.68/3.00/3.69/4.71, 22 %).  Jaws and facings give back JAW_SHARE of it.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.ball_contact import bounce_factor, pay_with_spin, spin_energy
from physics.compiled import kernel
from physics.layout import (
    ACC,
    C_A,
    C_B,
    C_CUSHION,
    C_E,
    C_KIND,
    C_MU,
    C_N,
    C_POS,
    C_REL,
    C_SPEED,
    C_SPIN_A,
    E_CUSHION,
    J_NORMAL,
    MASS,
    MU_CUSHION,
    MU_SLIDE,
    NO_APPROACH,
    POS,
    PRESS_FREE,
    PRESS_GROWTH,
    PRESS_RAIL,
    RADIUS,
    SPIN,
    T0,
    T_END,
    TAPS,
    VEL,
)
from physics.motion import kinetic_energy

Array = NDArray[np.float64]

E_SLOW = 0.92
E_SLOPE = 0.025
E_LEAST = 0.5
STEPS = 48  # of the build-up of the impulse
MOST_TRIES = 60  # to find impulses that make no energy


@kernel("f8(f8, f8[::1])")
def cushion_restitution(speed: float, par: Array) -> float:
    """Restitution of a cushion at a normal approach ``speed`` (m/s)."""
    if par[E_CUSHION] >= 0.0:
        return float(par[E_CUSHION])
    return max(E_LEAST, min(E_SLOW, E_SLOW - E_SLOPE * (speed - 1.0)))


@kernel("void(f8[:,::1], i8, i8, i8, i8, f8[::1], f8[:,::1], i8, f8[::1], b1)")
def pose_surface(
    s: Array, i: int, kind: int, number: int, cushion: int, normal: Array,
    contacts: Array, k: int, par: Array, is_cushion: bool,
) -> None:  # fmt: skip
    """Write row ``k`` of the contacts: ball ``i`` against something that stands still.

    ``normal`` points from the surface to the ball.  For a ball on the bed the speed of approach
    is that of its horizontal motion along the tilted normal.
    """
    speed = 0.0
    for x in range(3):
        speed -= s[i, VEL + x] * normal[x]
    speed = max(speed, NO_APPROACH)
    contacts[k, C_KIND] = kind
    contacts[k, C_A] = i
    contacts[k, C_B] = number
    contacts[k, C_CUSHION] = cushion
    contacts[k, C_SPEED] = speed
    contacts[k, C_MU] = par[MU_CUSHION] if is_cushion else par[MU_SLIDE]
    if is_cushion:
        pull = 0.0
        for x in range(3):
            pull += s[i, ACC + x] * normal[x]
        e = cushion_restitution(speed, par)
        least = PRESS_RAIL * (1.0 + s[i, TAPS] / PRESS_GROWTH)
        contacts[k, C_E] = bounce_factor(speed, pull, s[i, T_END] - s[i, T0], e, least)
        if contacts[k, C_E] > 1.0:
            s[i, TAPS] += 1.0
    for x in range(3):
        contacts[k, C_N + x] = normal[x]
        contacts[k, C_REL + x] = s[i, VEL + x]
        contacts[k, C_SPIN_A + x] = s[i, SPIN + x]
        contacts[k, C_POS + x] = s[i, POS + x]


@kernel("void(f8[:,::1], i8, f8[::1], f8, f8[::1])")
def friction(s: Array, i: int, lever: Array, most: float, push: Array) -> None:
    """Friction impulse on ball ``i`` at ``lever`` (unit vector from its centre), into ``push``.

    Against the slip, ``most`` at most, and no more than stops it: 2/7 m slip.
    """
    m, radius = s[i, MASS], s[i, RADIUS]
    along = 0.0
    for x in range(3):
        y, z = (x + 1) % 3, (x + 2) % 3
        push[x] = s[i, VEL + x] + radius * (s[i, SPIN + y] * lever[z] - s[i, SPIN + z] * lever[y])
        along += push[x] * lever[x]
    slip = 0.0
    for x in range(3):
        push[x] -= along * lever[x]
        slip += push[x] * push[x]
    slip = sqrt(slip)
    size = min(most, m * slip / 3.5)
    for x in range(3):
        push[x] = -size * push[x] / slip if slip > 0.0 else 0.0


@kernel("void(f8[:,::1], i8, f8[::1], f8[::1])")
def shove(s: Array, i: int, lever: Array, push: Array) -> None:
    """Impulse ``push`` on ball ``i`` at ``lever`` (unit vector from its centre)."""
    m, radius = s[i, MASS], s[i, RADIUS]
    for x in range(3):
        y, z = (x + 1) % 3, (x + 2) % 3
        s[i, VEL + x] += push[x] / m
        s[i, SPIN + x] += (lever[y] * push[z] - lever[z] * push[y]) / (0.4 * m * radius)


@kernel("void(f8[:,::1], i8, f8[:,::1], i8, i8, f8[:,::1], f8[::1], f8, b1)")
def _build_up(
    s: Array, i: int, contacts: Array, first: int, last: int, answers: Array, par: Array,
    share: float, on_bed: bool,
) -> None:  # fmt: skip
    """Let the impulses grow in STEPS; contacts act together, so that their order is nothing."""
    count = last - first
    levers = np.empty((count, 3))
    pushes = np.empty((count, 3))
    down = np.array([0.0, 0.0, -1.0])
    push = np.zeros(3)
    for _ in range(STEPS):
        for k in range(count):
            load = answers[first + k, J_NORMAL] * share / STEPS
            for x in range(3):
                levers[k, x] = -contacts[first + k, C_N + x]
                s[i, VEL + x] -= load * levers[k, x] / s[i, MASS]
        for k in range(count):
            load = answers[first + k, J_NORMAL] * share / STEPS
            friction(s, i, levers[k], par[MU_CUSHION] * load, pushes[k])
        for k in range(count):
            shove(s, i, levers[k], pushes[k])
        if on_bed and s[i, VEL + 2] < 0.0:
            load = -s[i, MASS] * s[i, VEL + 2]
            s[i, VEL + 2] = 0.0
            friction(s, i, down, par[MU_SLIDE] * load, push)
            shove(s, i, down, push)


@kernel("void(f8[:,::1], f8[:,::1], i8, i8, f8[:,::1], f8[::1], b1)")
def apply_cushions(
    s: Array, contacts: Array, first: int, last: int, answers: Array, par: Array, on_bed: bool
) -> None:
    """Put the cushion contacts ``first`` to ``last`` (of one ball, one round) on that ball.

    No energy comes of it: where friction and impulse together would add some, all impulses are
    lowered until they don't, or until the spin of a ball that presses can pay for it.
    """
    i = int(contacts[first, C_A])
    before = kinetic_energy(s, i)
    pressing = False
    for k in range(first, last):
        pressing = pressing or contacts[k, C_E] > 1.0
    vel, spin = np.empty(3), np.empty(3)
    for x in range(3):
        vel[x], spin[x] = s[i, VEL + x], s[i, SPIN + x]
    share, less = 1.0, 1e-6
    for _ in range(MOST_TRIES):
        _build_up(s, i, contacts, first, last, answers, par, share, on_bed)
        gained = kinetic_energy(s, i) - before
        if gained <= 0.0:
            return
        if pressing and gained <= spin_energy(s, i) + PRESS_FREE * s[i, MASS]:
            who = np.zeros(s.shape[0], np.bool_)
            who[i] = True
            pay_with_spin(s, who, gained)
            return
        for x in range(3):
            s[i, VEL + x], s[i, SPIN + x] = vel[x], spin[x]
        share *= 1.0 - less
        less = min(4.0 * less, 0.3)
