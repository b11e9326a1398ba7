"""A ball that slides or rolls on the top of a rail, and tips over its edges: lasting contact.

The centre moves on the surface R above the rail: planes over its faces, cylinders round its
ridges, spheres round its points.  There is no closed form where the surface bends or slopes, so
steps are integrated and each is told as a piece of constant acceleration that joins the next.  A
ball that slips has friction ``mu N`` against the slip, one that rolls 5/7 of gravity's pull along
the surface and the rolling friction of what it lies on.  Over a ridge the surface turns away under
the ball, and the ball leaves it when gravity no longer holds it there, ``N < 0``.  That is the law
of a slate cut's edge (``physics.lip``) for an edge without a radius of its own.
"""

from math import copysign, sqrt

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.layout import (
    ACC,
    AIR,
    END_KIND,
    END_PERCH,
    GRAVITY,
    MOTION,
    MU_ROLL,
    MU_SLIDE,
    NEVER,
    OFF_TABLE,
    PERCH,
    PERCH_VEL,
    POS,
    RADIUS,
    SPIN,
    SPIN_ACC,
    SPIN_DECEL,
    T0,
    T_END,
    TOP_N,
    TOP_WOOD,
    VEL,
    WOOD_ROLL,
)
from physics.lip import note_energy
from physics.rail_tops import LEAST_UP, dot, nearest_top

Array = NDArray[np.float64]

MOST_STEPS = 50  # of a piece
STEP_TIME = 1e-3  # s
STEP_ANGLE = 0.02  # rad: what a step may turn about a ridge
SHORTEST_STEP = 2e-6  # s: what a ball may leave of a surface that ends
PIECE_ANGLE = 0.08  # rad: what a piece may turn about it
LOST = 1e-4  # m: a ball further off the surface has lost it
SAME_FACE = 1e-12  # 1 - cosine of the angle between normals that count as one


@kernel("void(f8[::1], f8[::1], f8[::1])")
def _cross(a: Array, b: Array, out: Array) -> None:
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@kernel("i8(f8[::1], f8[::1], f8[::1], f8[::1], f8, f8, f8, f8, f8, f8, f8, f8[::1])")
def _push(
    v: Array, w: Array, n: Array, acc: Array, load: float, mu: float, mu_roll: float,
    gravity: float, radius: float, h: float, twist: float, spin: Array,
) -> int:  # fmt: skip
    """Acceleration and rate of spin at normal force ``load`` a kg (m/s^2), for a step ``h``.

    A ball whose slip dies within the step rolls from its start on.
    """
    turning = np.empty(3)
    _cross(w, n, turning)
    slip2, pull2, speed2 = 0.0, 0.0, 0.0
    slip, pull = np.empty(3), np.empty(3)
    for x in range(3):
        slip[x] = v[x] - radius * turning[x]
        pull[x] = gravity * n[2] * n[x] - (gravity if x == 2 else 0.0)
        slip2 += slip[x] * slip[x]
        pull2 += pull[x] * pull[x]
    size, drawn = sqrt(slip2), sqrt(pull2)
    about = dot(w, n)
    slows = 0.0 if about == 0.0 else -copysign(min(twist, abs(about) / h), about)
    if size > 3.5 * mu * load * h or 2.0 * drawn > 7.0 * mu * load:
        hold = mu * load / size if size > 0.0 else 0.0
        _cross(n, slip, turning)
        for x in range(3):
            acc[x] = pull[x] - hold * slip[x]
            spin[x] = 2.5 * hold * turning[x] / radius + slows * n[x]
        return 0
    for x in range(3):
        v[x] -= 2.0 / 7.0 * slip[x]
        speed2 += v[x] * v[x]
    _cross(n, v, turning)
    for x in range(3):
        w[x] = turning[x] / radius + about * n[x]
    speed = sqrt(speed2)
    drag = mu_roll * load
    for x in range(3):
        acc[x] = 5.0 / 7.0 * pull[x]
        acc[x] -= drag * v[x] / speed if speed > drag * h else v[x] / h
        spin[x] = slows * n[x]
    if speed <= drag * h and 5.0 * drawn <= 7.0 * drag:
        return 2
    return 1


@kernel("i8(f8[::1], f8[::1], f8[::1], f8[::1], f8, f8, f8[:,::1], f8[::1])")
def _step(
    c: Array, v: Array, w: Array, near: Array, radius: float, h: float, tops: Array, par: Array
) -> int:
    """One step on the surface; ``near`` holds normal and distance.  0 slides, 1 rolls, 2 rests,
    -1 leaves it."""
    n = near[:3].copy()
    at = nearest_top(tops, c, radius + LOST, near)
    if at < 0 or n[2] < LEAST_UP:
        return -1
    on_face = dot(n, tops[at, TOP_N : TOP_N + 3]) > 1.0 - SAME_FACE
    load = par[GRAVITY] * n[2]
    if not on_face:
        # How fast the normal turns, from where the ball would be without the surface.
        on, ahead = np.empty(3), np.empty(4)
        for x in range(3):
            on[x] = c[x] + v[x] * h
        if nearest_top(tops, on, radius + LOST, ahead) < 0:
            return -1
        load -= (dot(v, ahead[:3]) - dot(v, n)) / h
        if load < 0.0:
            return -1
    mu_roll = par[MU_ROLL] * (WOOD_ROLL if tops[at, TOP_WOOD] == 1.0 else 1.0)
    acc, spin = np.empty(3), np.empty(3)
    how = _push(v, w, n, acc, load, par[MU_SLIDE], mu_roll, par[GRAVITY], radius, h,
                par[SPIN_DECEL], spin)  # fmt: skip
    if how == 2:
        return 2
    for x in range(3):
        c[x] += (v[x] + 0.5 * acc[x] * h) * h
        v[x] += acc[x] * h
        w[x] += spin[x] * h
    if nearest_top(tops, c, radius + LOST, near) < 0:
        return -1
    # Back to the surface, the velocity turned into it; what height that costs or gives is paid by
    # the speed, that of a rolling ball with its turning.
    away = dot(v, near[:3])
    left = dot(v, v) - away * away
    paid = (10.0 / 7.0 if how == 1 else 2.0) * par[GRAVITY] * (radius - near[3]) * near[2]
    scale = sqrt(max(0.0, dot(v, v) - paid) / left) if left > 0.0 else 0.0
    for x in range(3):
        c[x] += (radius - near[3]) * near[x]
        v[x] = scale * (v[x] - away * near[x])
    if how == 1:
        about = dot(w, n)
        turning = np.empty(3)
        _cross(near[:3].copy(), v, turning)
        for x in range(3):
            w[x] = turning[x] / radius + about * near[x]
    return how


@kernel("void(f8[:,::1], i8, f8, f8[:,::1], f8[::1])")
def sit(s: Array, i: int, t: float, tops: Array, par: Array) -> None:
    """Start the next piece of ball ``i`` on a rail; it may leave it (PERCH < 0) or rest there.

    A ball that rests on a rail is off the table (D8.5), whatever spin about the vertical is left.
    """
    c, v, w = s[i, POS : POS + 3].copy(), s[i, VEL : VEL + 3].copy(), s[i, SPIN : SPIN + 3].copy()
    near, first = np.empty(4), np.empty(4)
    radius = s[i, RADIUS]
    s[i, PERCH] = -1.0
    at = nearest_top(tops, c, radius + LOST, near)
    if at < 0:
        return
    first[:] = near
    flat = dot(near[:3], tops[at, TOP_N : TOP_N + 3]) > 1.0 - SAME_FACE
    lasts, how = 0.0, -1
    for k in range(MOST_STEPS):
        speed = sqrt(dot(v, v))
        h = min(STEP_TIME, STEP_ANGLE * radius / speed) if speed > 0.0 else STEP_TIME
        before_c, before_v, before_w = c.copy(), v.copy(), w.copy()
        before_n = near[:3].copy()
        now = _step(c, v, w, near, radius, h, tops, par)
        while now < 0 and k == 0 and h > SHORTEST_STEP:
            # What it lies on ends within the step: it goes as far as that.
            c[:], v[:], w[:], near[:] = before_c, before_v, before_w, first
            h *= 0.5
            now = _step(c, v, w, near, radius, h, tops, par)
        if now == 2 and k == 0:
            s[i, MOTION] = OFF_TABLE
            for x in range(3):
                s[i, VEL + x] = s[i, ACC + x] = s[i, SPIN + x] = s[i, SPIN_ACC + x] = 0.0
            s[i, T0], s[i, T_END] = t, NEVER
            return
        if now < 0 or now == 2 or (k > 0 and now != how):
            c, v, w = before_c, before_v, before_w
            break
        how = now
        lasts += h
        # A piece is all on a face, or all on a ridge.
        turned = 1.0 - dot(first[:3], near[:3])
        if turned > (SAME_FACE if flat else 0.5 * PIECE_ANGLE**2):
            break
        if not flat and 1.0 - dot(before_n, near[:3]) < SAME_FACE:
            break
    if lasts == 0.0:
        return
    note_energy(s, i, par)
    s[i, PERCH] = float(how)
    s[i, MOTION] = AIR
    s[i, T0], s[i, T_END], s[i, END_KIND] = t, t + lasts, END_PERCH
    for x in range(3):
        s[i, ACC + x] = 2.0 * (c[x] - s[i, POS + x] - s[i, VEL + x] * lasts) / (lasts * lasts)
        s[i, SPIN_ACC + x] = (w[x] - s[i, SPIN + x]) / lasts
        s[i, PERCH_VEL + x] = v[x]
