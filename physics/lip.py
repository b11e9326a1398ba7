"""A ball on the rounded edge of a slate cut: lasting contact, in short pieces.

The edge is rounded with a radius r_d: the centre of a ball that rolls over it keeps R + r_d from a
circle, that of the slate cut, r_d under the cloth.  On that surface the ball moves under gravity
and the friction of the cloth, sliding or rolling, in any direction; it leaves where it would have
to be pulled to stay (square to the edge: where g cos(a) < v^2 / (R + r_d), at 0.57 m/s at once,
REFERENCES 1.2), or rolls back onto the bed.  There is no closed form, so steps are integrated
(leapfrog, friction as an impulse that at most ends the slip) and each is told as a piece of
constant acceleration that joins the next without a gap.  Rolling friction is left out here.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.arithmetic import length
from physics.compiled import kernel
from physics.layout import (
    ACC,
    AIR,
    CREEP,
    EDGE_NEAR,
    EDGE_ROUND,
    END_KIND,
    END_LIP,
    GRAVITY,
    HOLE,
    HOLE_RADIUS,
    HOLE_X,
    HOLE_Y,
    LEAST_BED_BOUNCE,
    LEAST_TAP,
    LIP,
    LIP_SPIN,
    LIP_VEL,
    MOTION,
    MU_SLIDE,
    PATH_ENERGY,
    PERCH,
    POS,
    RADIUS,
    SPIN,
    SPIN_ACC,
    T0,
    T_END,
    VEL,
)

Array = NDArray[np.float64]

STEP_ANGLE = 0.06  # rad, most that a piece turns
STEP_TIME = 0.015  # s, most that it lasts
SUBSTEPS = 24


@kernel("f8(f8[::1], f8[:,::1], i8, f8[::1])")
def edge_normal(p: Array, holes: Array, h: int, n: Array) -> float:
    """Distance of ``p`` from the circle about which edge ``h`` is rounded; ``n`` from it to ``p``.

    Outside the slate cut ``n`` is upright: there the bed is flat.
    """
    dx, dy = p[0] - holes[h, HOLE_X], p[1] - holes[h, HOLE_Y]
    flat = length(dx, dy)
    inside = flat - holes[h, HOLE_RADIUS]
    up = p[2] + EDGE_ROUND
    if inside >= 0.0 or flat == 0.0:
        n[0], n[1], n[2] = 0.0, 0.0, 1.0
        return float(up)
    size: float = length(inside, up)
    n[0], n[1], n[2] = inside * dx / flat / size, inside * dy / flat / size, up / size
    return size


@kernel("b1(f8[::1], f8[:,::1], i8)")
def _over_bed(p: Array, holes: Array, h: int) -> bool:
    """Whether ``p`` is outside slate cut ``h``, by the measure of the search (``search``)."""
    out: bool = length(p[0] - holes[h, HOLE_X], p[1] - holes[h, HOLE_Y]) >= holes[h, HOLE_RADIUS]
    return out


@kernel("f8(f8[::1], f8[::1], f8[::1], f8, f8)")
def _energy(p: Array, v: Array, w: Array, radius: float, gravity: float) -> float:
    """Energy of a ball by its mass (J/kg)."""
    v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    w2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    result: float = 0.5 * v2 + 0.2 * radius * radius * w2 + gravity * p[2]
    return result


@kernel("void(f8[::1], f8[::1], f8[::1], f8, f8, f8)")
def _spend(p: Array, v: Array, w: Array, radius: float, gravity: float, most: float) -> None:
    """Slow a ball at ``p`` down, rolling as it rolls, to no more energy than ``most`` (J/kg)."""
    excess = _energy(p, v, w, radius, gravity) - most
    if excess <= 0.0:
        return
    moving = _energy(p, v, w, radius, gravity) - gravity * p[2]
    share = sqrt(max(0.0, 1.0 - excess / moving)) if moving > 0.0 else 0.0
    for x in range(3):
        v[x] *= share
        w[x] *= share


@kernel("void(f8[:,::1], i8, f8[::1])")
def note_energy(s: Array, i: int, par: Array) -> None:
    """A piece of an integrated path begins: what energy ball ``i`` has on it at the most."""
    p, v, w = s[i, POS : POS + 3], s[i, VEL : VEL + 3], s[i, SPIN : SPIN + 3]
    s[i, PATH_ENERGY] = _energy(p, v, w, s[i, RADIUS], par[GRAVITY])


@kernel("void(f8[:,::1], i8, f8[::1])")
def cut_short(s: Array, i: int, par: Array) -> None:
    """A contact ends a piece of ball ``i`` before its time, if it is one of an integrated path.

    Within the piece, a parabola for an arc, the speed is up to a ten-thousandth off: what that
    adds is no energy of the ball's.
    """
    if s[i, LIP] < 0.0 and s[i, PERCH] < 0.0:
        return
    p, v, w = s[i, POS : POS + 3], s[i, VEL : VEL + 3], s[i, SPIN : SPIN + 3]
    _spend(p, v, w, s[i, RADIUS], par[GRAVITY], s[i, PATH_ENERGY])


@kernel("f8(f8[::1], f8[::1], f8[::1], f8[:,::1], i8, f8, f8)")
def _press(p: Array, v: Array, n: Array, holes: Array, h: int, arm: float, gravity: float) -> float:
    """Normal force on a ball that stays on the edge, by its mass (m/s^2); negative: it leaves."""
    dx, dy = p[0] - holes[h, HOLE_X], p[1] - holes[h, HOLE_Y]
    flat = length(dx, dy)
    round_about = (v[1] * dx - v[0] * dy) / flat
    across2 = v[0] ** 2 + v[1] ** 2 + v[2] ** 2 - round_about * round_about
    inward = length(n[0], n[1])
    force: float = gravity * n[2] - across2 / arm + round_about * round_about * inward / flat
    return force


@kernel("UniTuple(f8,6)(f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8)")
def _kick(
    v0: float, v1: float, v2: float, w0: float, w1: float, w2: float,
    n0: float, n1: float, n2: float, radius: float, falls: float, rubs: float,
) -> tuple[float, float, float, float, float, float]:  # fmt: skip
    """Velocity and spin after gravity along the edge, and friction on it, for a short while.

    ``falls`` is what gravity gives in it, ``rubs`` what sliding friction does (m/s).
    """
    v2 -= falls
    along = v0 * n0 + v1 * n1 + v2 * n2
    v0, v1, v2 = v0 - along * n0, v1 - along * n1, v2 - along * n2
    u0 = v0 - radius * (w1 * n2 - w2 * n1)
    u1 = v1 - radius * (w2 * n0 - w0 * n2)
    u2 = v2 - radius * (w0 * n1 - w1 * n0)
    slip2 = u0 * u0 + u1 * u1 + u2 * u2
    if slip2 > 0.0:
        share = -min(rubs / sqrt(slip2), 1.0 / 3.5)
        u0, u1, u2 = share * u0, share * u1, share * u2
        v0, v1, v2 = v0 + u0, v1 + u1, v2 + u2
        turn = 1.0 / (0.4 * radius)
        w0 -= turn * (n1 * u2 - n2 * u1)
        w1 -= turn * (n2 * u0 - n0 * u2)
        w2 -= turn * (n0 * u1 - n1 * u0)
    return v0, v1, v2, w0, w1, w2


@kernel("void(f8[::1], f8[::1], f8[::1], f8[:,::1], i8, f8, f8)")
def _slip_along(
    p: Array, v: Array, n: Array, holes: Array, h: int, arm: float, lasts: float
) -> None:
    """Move along the edge: ``p`` stays on it, ``v`` tangent to it and as fast; ``n`` follows."""
    speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    for x in range(3):
        p[x] += v[x] * lasts
    size = edge_normal(p, holes, h, n)
    along = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
    rest2 = 0.0
    for x in range(3):
        p[x] += (arm - size) * n[x]
        v[x] -= along * n[x]
        rest2 += v[x] * v[x]
    if rest2 > 0.0:
        share = sqrt(speed2 / rest2)
        for x in range(3):
            v[x] *= share


@kernel("f8(f8[::1], f8[::1], f8[::1], f8[::1], f8[:,::1], i8, f8, f8, f8, f8, f8, f8)")
def _glide(
    p: Array, v: Array, w: Array, n: Array, holes: Array, h: int, radius: float, arm: float,
    press: float, mu: float, gravity: float, step: float,
) -> float:  # fmt: skip
    """Go on along the edge for ``step`` s: half of the forces, the way, half of the forces.

    Returns the normal force at the end of it.
    """
    half = 0.5 * step
    for turn in range(2):
        if turn == 1:
            _slip_along(p, v, n, holes, h, arm, step)
            press = _press(p, v, n, holes, h, arm, gravity)
        v[0], v[1], v[2], w[0], w[1], w[2] = _kick(
            v[0], v[1], v[2], w[0], w[1], w[2], n[0], n[1], n[2], radius, gravity * half,
            mu * max(press, 0.0) * half,
        )  # fmt: skip
    return press


@kernel("void(f8[:,::1], i8, f8, f8[:,::1], f8[::1])")
def ride(s: Array, i: int, t: float, holes: Array, par: Array) -> None:
    """Start the next short piece of ball ``i`` on its edge, or let it leave the edge (LIP < 0)."""
    h = int(s[i, HOLE])
    radius, gravity = s[i, RADIUS], par[GRAVITY]
    arm = radius + EDGE_ROUND
    p, v, w = s[i, POS : POS + 3].copy(), s[i, VEL : VEL + 3].copy(), s[i, SPIN : SPIN + 3].copy()
    n = np.empty(3)
    sunk = arm - edge_normal(p, holes, h, n)
    note_energy(s, i, par)
    if _over_bed(p, holes, h):
        out = v[0] * (p[0] - holes[h, HOLE_X]) + v[1] * (p[1] - holes[h, HOLE_Y])
        if out > 0.0:
            s[i, LIP], s[i, HOLE] = -1.0, -1.0
            s[i, POS + 2], s[i, VEL + 2] = radius, 0.0
            return
    press = _press(p, v, n, holes, h, arm, gravity)
    if press <= 0.0:
        s[i, LIP] = -1.0
        return
    speed = sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
    if sunk > 0.0:
        # It sank in by the sag of a piece that was cut short: to come up costs what that gave, and
        # one that can't pay stays where it is.
        left = speed * speed - 2.0 * gravity * sunk * n[2]
        if left > 0.0:
            for x in range(3):
                v[x] *= sqrt(left) / speed
        else:
            arm -= sunk
    lasts = STEP_TIME
    if speed * lasts > STEP_ANGLE * arm:
        lasts = STEP_ANGLE * arm / speed
    step = lasts / SUBSTEPS
    taken = 0
    while taken < SUBSTEPS and press > 0.0:
        press = _glide(p, v, w, n, holes, h, radius, arm, press, par[MU_SLIDE], gravity, step)
        taken += 1
        out = v[0] * (p[0] - holes[h, HOLE_X]) + v[1] * (p[1] - holes[h, HOLE_Y])
        if out > 0.0 and _over_bed(p, holes, h):
            break
    _spend(p, v, w, radius, gravity, s[i, PATH_ENERGY])
    lasts = taken * step
    s[i, MOTION] = AIR
    s[i, T0] = t
    for x in range(3):
        s[i, ACC + x] = 2.0 * (p[x] - s[i, POS + x] - s[i, VEL + x] * lasts) / (lasts * lasts)
        s[i, SPIN_ACC + x] = (w[x] - s[i, SPIN + x]) / lasts
        s[i, LIP_VEL + x], s[i, LIP_SPIN + x] = v[x], w[x]
    s[i, T_END] = t + lasts
    s[i, END_KIND] = END_LIP


@kernel("void(f8[:,::1], i8, f8[:,::1])")
def cling(s: Array, i: int, holes: Array) -> None:
    """After a contact of ball ``i`` in its pocket: does it stay on the edge, or go on to it?

    One that parts from it by less than the cloth swallows stays; one that is pushed into it meets
    it in the next round.
    """
    was_on = s[i, LIP] >= 0.0
    s[i, LIP] = -1.0
    if s[i, HOLE] < 0.0:
        return
    n = np.empty(3)
    at = s[i, POS : POS + 3].copy()
    gap = edge_normal(at, holes, int(s[i, HOLE]), n) - s[i, RADIUS] - EDGE_ROUND
    if abs(gap) > EDGE_NEAR or n[2] <= 0.0 or _over_bed(at, holes, int(s[i, HOLE])):
        return
    parts = s[i, VEL] * n[0] + s[i, VEL + 1] * n[1] + s[i, VEL + 2] * n[2]
    least = LEAST_TAP if was_on else LEAST_BED_BOUNCE
    if -CREEP <= parts < least:
        for x in range(3):
            s[i, VEL + x] -= parts * n[x]
        s[i, LIP] = 1.0


@kernel("void(f8[:,::1], i8, f8[:,::1], f8[::1])")
def reach_lip(s: Array, i: int, holes: Array, par: Array) -> None:
    """Ball ``i`` comes to the edge of its hole from the bed: it follows it if slow enough."""
    n = np.empty(3)
    h = int(s[i, HOLE])
    p = s[i, POS : POS + 3].copy()
    edge_normal(p, holes, h, n)
    arm = s[i, RADIUS] + EDGE_ROUND
    inside = length(p[0] - holes[h, HOLE_X], p[1] - holes[h, HOLE_Y]) - holes[h, HOLE_RADIUS]
    near = abs(inside) < EDGE_NEAR
    press = _press(p, s[i, VEL : VEL + 3].copy(), n, holes, h, arm, par[GRAVITY])
    s[i, LIP] = 1.0 if near and press > 0.0 else -1.0
