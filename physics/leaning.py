"""A ball that leans on another, from above: gentle taps that make no energy.

What lies on a ball rolls off it within about half a second, but bounces that shrink would never
let it come to that.  So a hop that would rise less than SINK / 2 is not played: the ball is let in
by SINK (``search.pair_time``), which is what two balls give way under the weight of one (Hertz:
1.6 um, with the 8.06e8 N/m^1.5 of docs/engine.md), and comes out as fast as it fell in.  Its
height pays for that, and hops last ``2 sqrt(SINK / g)`` at least, 0.6 ms.  A ball that spins by
some hundred rad/s stands like a top (about the vertical, ``w^2 > 70 g / R``), for longer than
anybody waits: after MOST_TAPS its taps part faster and faster, for which its spin pays, until it
hops off.  What carries the lower
ball, bed or rail, bears the vertical part of the tap; where that is work, on a ball that climbs the
edge of a pocket, spin pays for it.  Friction follows from what is borne, as in
any contact.  A contact law of our own, for speeds of millimetres a second: Bullet is not asked.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.arithmetic import length
from physics.ball_contact import closing_speed, own_friction, pay_with_spin, push_pair, spin_energy
from physics.compiled import kernel
from physics.cushion_contact import friction, shove
from physics.layout import (
    AIR,
    C_A,
    C_B,
    C_N,
    GRAVITY,
    J_NORMAL,
    J_OWN_FRICTION,
    LIP,
    MASS,
    MOTION,
    MU_ROLL,
    MU_SLIDE,
    NO_APPROACH,
    PERCH,
    POS,
    PRESS_BALL,
    RADIUS,
    SINK,
    SPIN,
    STILL,
    STOOD,
    VEL,
)
from physics.motion import kinetic_energy

Array = NDArray[np.float64]

REFINES = 3  # of the impulse, until they part as fast as they met
MOST_TRIES = 12
MOST_TAPS = 1000.0  # what falls by itself has 600; after twice that taps part with 4 STANDS_TAP
STANDS_TAP = PRESS_BALL
DEEP = 30.0 * SINK  # m: what is let in further hops out again, if spin can pay for it


@kernel("b1(f8[:,::1], i8)")
def _carried(s: Array, i: int) -> bool:
    """Whether ball ``i`` lies on the bed, on a rail or on the edge of a pocket."""
    result: bool = s[i, MOTION] != AIR or s[i, PERCH] >= 0.0 or s[i, LIP] >= 0.0
    return result


@kernel("f8(f8[:,::1], i8, f8)")
def _bear(s: Array, i: int, upward: float) -> float:
    """Give a carried ball its ``upward`` speed back; the impulse for it (kg m/s)."""
    pressed: float = s[i, MASS] * (upward - s[i, VEL + 2])
    s[i, VEL + 2] = upward
    return pressed


@kernel("void(f8[:,::1], i8, f8)")
def _brake(s: Array, i: int, most: float) -> None:
    """Rolling friction of what ball ``i`` has to bear: an impulse ``most`` (kg m/s) at the most.

    A ball that still slips has the friction of sliding alone, as between contacts.
    """
    radius = s[i, RADIUS]
    vx, vy, wx, wy = s[i, VEL], s[i, VEL + 1], s[i, SPIN], s[i, SPIN + 1]
    speed = length(vx, vy)
    if speed == 0.0 or length(vx - radius * wy, vy + radius * wx) > STILL + 1e-9 * speed:
        return
    share = max(0.0, 1.0 - most / (s[i, MASS] * speed))
    for x in range(2):
        s[i, VEL + x] *= share
        s[i, SPIN + x] *= share


@kernel("f8(f8[:,::1], f8[:,::1], f8[:,::1], i8, f8, f8[::1])")
def _push(
    s: Array, contacts: Array, answers: Array, carried: int, push: float, par: Array
) -> float:
    """Put a normal impulse ``push`` (kg m/s) and its friction on two balls.

    Returns the speed at which they part then.  ``carried`` is the lower ball, which bed or rail
    bears up, or -1.
    """
    a, b = int(contacts[0, C_A]), int(contacts[0, C_B])
    n, impulse = np.empty(3), np.empty(3)
    for x in range(3):
        n[x] = contacts[0, C_N + x]
        impulse[x] = -push * n[x]
    upward = s[carried, VEL + 2] if carried >= 0 else 0.0
    pressed = 0.0
    push_pair(s, a, b, n, impulse)
    if carried >= 0:
        pressed += _bear(s, carried, upward)
    answers[0, J_NORMAL], answers[0, J_OWN_FRICTION] = push, 1.0
    own_friction(s, contacts, 1, answers)
    if carried >= 0:
        pressed += _bear(s, carried, upward)
    if carried >= 0 and s[carried, POS + 2] == s[carried, RADIUS] and pressed > 0.0:
        px, py, pz = friction(s, carried, 0.0, 0.0, -1.0, par[MU_SLIDE] * pressed)
        shove(s, carried, 0.0, 0.0, -1.0, px, py, pz)
        _brake(s, carried, par[MU_ROLL] * pressed)
    return -closing_speed(s, a, b)


@kernel("f8(f8[:,::1], i8, i8)")
def _depth(s: Array, a: int, b: int) -> float:
    """How far two balls are let into each other (m)."""
    size2 = 0.0
    for x in range(3):
        size2 += (s[b, POS + x] - s[a, POS + x]) ** 2
    result: float = s[a, RADIUS] + s[b, RADIUS] - sqrt(size2)
    return result


@kernel("void(f8[:,::1], f8[:,::1], f8[:,::1], f8[::1])")
def tap(s: Array, contacts: Array, answers: Array, par: Array) -> None:
    """Put the tap that row 0 of ``contacts`` poses on its two balls.

    They part as fast as they met, whatever friction does along the line of centres; less fast
    where that would make energy, faster where one has stood there for long and spins.
    """
    a, b = int(contacts[0, C_A]), int(contacts[0, C_B])
    low = a if contacts[0, C_N + 2] > 0.0 else b
    high = a + b - low
    s[high, STOOD] += 1.0
    carried = low if _carried(s, low) else -1
    # A path about an edge or on a rail that this contact cuts short has lost a little of its speed.
    closing = 0.0
    for x in range(3):
        closing += (s[a, VEL + x] - s[b, VEL + x]) * contacts[0, C_N + x]
    closing = max(closing, NO_APPROACH)
    lightness = 1.0 / s[a, MASS] + 1.0 / s[b, MASS]
    if carried >= 0:
        lightness -= contacts[0, C_N + 2] ** 2 / s[carried, MASS]
    before = np.empty((2, 6))
    for k in range(2):
        i = b if k else a
        for x in range(3):
            before[k, x], before[k, 3 + x] = s[i, VEL + x], s[i, SPIN + x]
    energy = kinetic_energy(s, a) + kinetic_energy(s, b)
    spare, parts = 0.0, closing
    deep = _depth(s, a, b)
    if s[high, STOOD] > MOST_TAPS or deep > DEEP:
        spare = 0.5 * (spin_energy(s, a) + spin_energy(s, b))
        least = sqrt(2.0 * par[GRAVITY] * deep) if deep > DEEP else 0.0
        if s[high, STOOD] > MOST_TAPS:
            least = max(least, STANDS_TAP * (s[high, STOOD] / MOST_TAPS) ** 2)
        parts = max(closing, min(least, sqrt(closing * closing + 2.0 * spare * lightness)))
    push, plain = (closing + parts) / lightness, 2.0 * closing / lightness
    most = 2.0 * push
    for attempt in range(MOST_TRIES):
        for k in range(2):
            i = b if k else a
            for x in range(3):
                s[i, VEL + x], s[i, SPIN + x] = before[k, x], before[k, 3 + x]
        parting = _push(s, contacts, answers, carried, push, par)
        gained = kinetic_energy(s, a) + kinetic_energy(s, b) - energy
        if attempt < REFINES:
            push = min(push * (closing + parts) / max(closing + parting, closing), most)
        elif gained <= min(spare, spin_energy(s, a) + spin_energy(s, b)):
            break
        else:
            # Friction may have left too little spin to pay.  Without more than the plain impulse
            # nothing is to be paid.
            push = plain + 0.5 * (push - plain) if attempt < MOST_TRIES - 2 else plain
    # To bear a ball that climbs an edge is work, too, and even the plain impulse may ask for it.
    paying = np.zeros(s.shape[0], np.bool_)
    paying[a] = paying[b] = True
    pay_with_spin(s, paying, kinetic_energy(s, a) + kinetic_energy(s, b) - energy)
