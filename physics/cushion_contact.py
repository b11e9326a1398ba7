"""Ball on cushion: what Bullet is asked, restitution, and friction along the slip of the moment.

Restitution: unless the material gives a number, ``E_SLOW`` up to 1 m/s of normal speed and less
by ``E_SLOPE`` for each m/s beyond, never under ``E_LEAST`` (REFERENCES 4.1 suggests a clamp from
0.97 to 0.60 and slopes of 0 to 0.07 s/m).  The slope is fitted to the rebounds that Mathavan 2009
measured (K01) and the lengths that a ball runs (K12).  Jaws and facings give back JAW_SHARE of it.

``physics.cushion_law`` says what becomes of the answer.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.ball_contact import bounce_factor
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
    C_ON_BED,
    C_POS,
    C_REL,
    C_SPEED,
    C_SPIN_A,
    E_CUSHION,
    F_LINER,
    MASS,
    MU_CUSHION,
    MU_SLIDE,
    NO_APPROACH,
    POS,
    PRESS_GROWTH,
    PRESS_RAIL,
    RADIUS,
    SPIN,
    T0,
    T_END,
    TAPS,
    VEL,
)

Array = NDArray[np.float64]

E_SLOW = 0.97
E_SLOPE = 0.065
E_LEAST = 0.60


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


@kernel("UniTuple(f8,3)(f8[:,::1], i8, f8, f8, f8, f8)")
def friction(
    s: Array, i: int, x: float, y: float, z: float, most: float
) -> tuple[float, float, float]:
    """Friction impulse on ball ``i`` at the lever (x, y, z), a unit vector from its centre.

    Against the slip, ``most`` at most, and no more than stops it: 2/7 m slip.
    """
    m, radius = s[i, MASS], s[i, RADIUS]
    wx, wy, wz = s[i, SPIN], s[i, SPIN + 1], s[i, SPIN + 2]
    ux = s[i, VEL] + radius * (wy * z - wz * y)
    uy = s[i, VEL + 1] + radius * (wz * x - wx * z)
    uz = s[i, VEL + 2] + radius * (wx * y - wy * x)
    along = ux * x + uy * y + uz * z
    ux, uy, uz = ux - along * x, uy - along * y, uz - along * z
    slip = sqrt(ux * ux + uy * uy + uz * uz)
    share = -min(most / slip, m / 3.5) if slip > 0.0 else 0.0
    return share * ux, share * uy, share * uz


@kernel("void(f8[:,::1], i8, f8, f8, f8, f8, f8, f8)")
def shove(
    s: Array, i: int, x: float, y: float, z: float, px: float, py: float, pz: float
) -> None:  # fmt: skip
    """Impulse (px, py, pz) on ball ``i`` at the lever (x, y, z), a unit vector from its centre."""
    light = 1.0 / s[i, MASS]
    turns = light / (0.4 * s[i, RADIUS])
    s[i, VEL] += light * px
    s[i, VEL + 1] += light * py
    s[i, VEL + 2] += light * pz
    s[i, SPIN] += turns * (y * pz - z * py)
    s[i, SPIN + 1] += turns * (z * px - x * pz)
    s[i, SPIN + 2] += turns * (x * py - y * px)


@kernel("b1(f8[:,::1], i8)")
def is_plane(contacts: Array, k: int) -> bool:
    """Whether contact ``k`` is one tangent plane to Bullet: liner, bed, a jaw met in flight."""
    in_flight = contacts[k, C_CUSHION] < 0.0 and contacts[k, C_ON_BED] == 0.0
    result: bool = in_flight or contacts[k, C_KIND] >= F_LINER
    return result
