"""Ball on cushion: Bullet finds the contact and its normal impulse, the law is ours.

Bullet gets the ball with bed and cushion and solves the squeeze between the two as one problem,
without friction.  Its impulse at the nose is the measure in which ours is built up, step by step:
friction at the nose with ``mu_cushion``, and at the bed, which has to bear whatever presses the
ball down, with ``mu_slide``; each along the slip of the moment and never more than stops it.  The
impulse ends when the nose has given back ``e``^2 of the work that it took (energetic restitution,
Stronge).  This is the law of Mathavan, Jackson and Parkin 2010 (REFERENCES 4).  What presses on a
cushion parts from it by taps, whose impulse is fixed beforehand (``bounce_factor``).

Why not Bullet's own friction: it acts along one direction, that of the slip at the start, and a
rolling ball has no slip at the bed, so that direction is arbitrary.  Measured at 1.5 m/s over 24
headings of the rail (restitution 0.85, friction 0.2 and 0.2): stun banks are the same to 0.001
degrees, but a rolling ball in at 30/45/60 degrees leaves the rail in directions that differ by
4.1/3.7/2.3 degrees, 0.5/2.3/2.0 once it rolls again.  With this law they differ by under 1e-4.
docs/physics.md has three laws beside each other.

Restitution: unless the material gives a number, ``E_SLOW`` up to 1 m/s of normal speed and less
by ``E_SLOPE`` for each m/s beyond, never under ``E_LEAST`` (REFERENCES 4.1 suggests a clamp from
0.97 to 0.60 and slopes of 0 to 0.07 s/m).  The slope is fitted to the rebounds that Mathavan 2009
measured (K01) and the lengths that a ball runs (K12).  Jaws and facings give back JAW_SHARE of it.

Off the bed a jaw is a tangent plane to Bullet, friction and all.
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
    C_ON_BED,
    C_POS,
    C_REL,
    C_SPEED,
    C_SPIN_A,
    E_CUSHION,
    F_LINER,
    J_DIR,
    J_NORMAL,
    J_OWN_FRICTION,
    J_TANGENT,
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

E_SLOW = 0.97
E_SLOPE = 0.065
E_LEAST = 0.60
STEPS = 96  # in which Bullet's impulse is built up
MOST_STEPS = 8 * STEPS
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


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8)")
def _parting(s: Array, i: int, contacts: Array, k: int) -> float:
    """Speed at which ball ``i`` goes away from the cushion of contact ``k``, m/s."""
    speed = 0.0
    for x in range(3):
        speed += s[i, VEL + x] * contacts[k, C_N + x]
    return speed


@kernel("f8[:,::1](f8[:,::1], i8, i8)")
def _levers(contacts: Array, first: int, last: int) -> Array:
    """Unit vectors from the ball to its contacts."""
    levers = np.zeros((last - first, 3))
    for k in range(last - first):
        for x in range(3):
            levers[k, x] = -contacts[first + k, C_N + x]
    return levers


@kernel("void(f8[:,::1], i8, f8[:,::1], f8[:,::1], f8[::1], f8[::1], b1)")
def _push(
    s: Array, i: int, levers: Array, pushes: Array, loads: Array, par: Array, on_bed: bool
) -> None:
    """Small normal impulses ``loads`` at the contacts, and their friction into ``pushes``.

    The contacts act together, so that their order is nothing.
    """
    count, light = loads.shape[0], 1.0 / s[i, MASS]
    for k in range(count):
        for x in range(3):
            s[i, VEL + x] -= light * loads[k] * levers[k, x]
    for k in range(count):
        most = par[MU_CUSHION] * loads[k]
        x, y, z = levers[k, 0], levers[k, 1], levers[k, 2]
        pushes[k, 0], pushes[k, 1], pushes[k, 2] = friction(s, i, x, y, z, most)
    for k in range(count):
        x, y, z = levers[k, 0], levers[k, 1], levers[k, 2]
        shove(s, i, x, y, z, pushes[k, 0], pushes[k, 1], pushes[k, 2])
    if on_bed and s[i, VEL + 2] < 0.0:
        bears = -s[i, MASS] * s[i, VEL + 2]
        s[i, VEL + 2] = 0.0
        px, py, pz = friction(s, i, 0.0, 0.0, -1.0, par[MU_SLIDE] * bears)
        shove(s, i, 0.0, 0.0, -1.0, px, py, pz)


@kernel("void(f8[:,::1], i8, f8[:,::1], i8, i8, f8[:,::1], f8[::1], f8, b1)")
def _tap(
    s: Array, i: int, contacts: Array, first: int, last: int, answers: Array, par: Array,
    share: float, on_bed: bool,
) -> None:  # fmt: skip
    """Build up ``share`` of the impulses that are fixed beforehand."""
    count = last - first
    loads = np.empty(count)
    for k in range(count):
        loads[k] = answers[first + k, J_NORMAL] * share / STEPS
    levers = _levers(contacts, first, last)
    pushes = np.zeros((count, 3))
    for _ in range(STEPS):
        _push(s, i, levers, pushes, loads, par, on_bed)


@kernel("f8(f8, f8, f8, f8, f8, f8)")
def _part_of_step(
    parting: float, gain: float, load: float, taken: float, given: float, e: float
) -> float:
    """Part of a step of impulse ``load`` after which the nose has given back e^2 of its work.

    ``parting`` (m/s) at the start of the step grows by ``gain`` in a whole one.  Over 1: not yet.
    """
    if gain <= 0.0:
        return 2.0
    if parting < 0.0:
        taken += 0.5 * load * parting * parting / gain
    away = max(parting, 0.0)
    end = away * away + 2.0 * gain * (e * e * taken - given) / load
    return max(0.0, (sqrt(max(end, 0.0)) - parting) / gain)


@kernel("void(f8[:,::1], i8, f8[:,::1], i8, i8, f8[:,::1], f8[::1], f8, b1)")
def _bounce(
    s: Array, i: int, contacts: Array, first: int, last: int, answers: Array, par: Array,
    share: float, on_bed: bool,
) -> None:  # fmt: skip
    """Push until every nose has given back ``(share e)^2`` of the work that it took."""
    count = last - first
    levers = _levers(contacts, first, last)
    pushes = np.zeros((count, 3))
    loads = np.zeros(count)
    partings, gains = np.empty(count), np.zeros(count)
    taken, given = np.zeros(count), np.zeros(count)
    done = np.zeros(count, np.bool_)
    for k in range(count):
        partings[k] = _parting(s, i, contacts, first + k)
    for step in range(MOST_STEPS):
        pushing = False
        for k in range(count):
            loads[k] = 0.0
            if done[k]:
                continue
            if partings[k] >= 0.0 and taken[k] == 0.0:
                done[k] = True
                continue
            loads[k] = answers[first + k, J_NORMAL] / STEPS
            part = 2.0
            if step > 0:
                part = _part_of_step(
                    partings[k], gains[k], loads[k], taken[k], given[k],
                    share * contacts[first + k, C_E],
                )  # fmt: skip
            if part <= 1.0:
                done[k] = True
                loads[k] *= part
            pushing = pushing or loads[k] != 0.0
        if not pushing:
            return
        _push(s, i, levers, pushes, loads, par, on_bed)
        for k in range(count):
            now = _parting(s, i, contacts, first + k)
            was, partings[k] = partings[k], now
            gains[k] = now - was
            if was < 0.0 < now:
                taken[k] += 0.5 * loads[k] * was * was / gains[k]
                given[k] += 0.5 * loads[k] * now * now / gains[k]
            elif now <= 0.0:
                taken[k] -= 0.5 * loads[k] * (was + now)
            else:
                given[k] += 0.5 * loads[k] * (was + now)


@kernel("void(f8[:,::1], i8, f8[:,::1], i8, f8[:,::1], f8)")
def _hit(s: Array, i: int, contacts: Array, k: int, answers: Array, share: float) -> None:
    """Put ``share`` of Bullet's whole answer to contact ``k``, a tangent plane, on the ball."""
    x, y, z = -contacts[k, C_N], -contacts[k, C_N + 1], -contacts[k, C_N + 2]
    push, rub = share * answers[k, J_NORMAL], share * answers[k, J_TANGENT]
    shove(s, i, x, y, z, rub * answers[k, J_DIR] - push * x, rub * answers[k, J_DIR + 1] - push * y,
          rub * answers[k, J_DIR + 2] - push * z)  # fmt: skip
    if answers[k, J_OWN_FRICTION] == 1.0:
        px, py, pz = friction(s, i, x, y, z, contacts[k, C_MU] * push)
        shove(s, i, x, y, z, px, py, pz)


@kernel("void(f8[:,::1], i8, f8[:,::1], i8, i8, b1)")
def _come_no_nearer(
    s: Array, i: int, contacts: Array, first: int, last: int, on_bed: bool
) -> None:  # fmt: skip
    """Take from ball ``i`` what approach is left at the contacts, and nothing else."""
    for k in range(first, last):
        up = 0.0 if on_bed else contacts[k, C_N + 2]
        nx, ny = contacts[k, C_N], contacts[k, C_N + 1]
        along = s[i, VEL] * nx + s[i, VEL + 1] * ny + s[i, VEL + 2] * up
        if along < 0.0:
            along /= nx * nx + ny * ny + up * up
            s[i, VEL] -= along * nx
            s[i, VEL + 1] -= along * ny
            s[i, VEL + 2] -= along * up


@kernel("void(f8[:,::1], f8[:,::1], i8, i8, f8[:,::1], f8[::1], b1)")
def apply_surfaces(
    s: Array, contacts: Array, first: int, last: int, answers: Array, par: Array, on_bed: bool
) -> None:
    """Put the contacts ``first`` to ``last`` (of one ball, one round) on that ball.

    Cushions, or one tangent plane that a ball meets off the bed.  No energy comes of it: where the
    last digits of friction and impulse would add some, or a tap, all of them are lowered until they
    don't, or until the spin of a ball that presses can pay.  What is so gentle that its energy is
    lost among the last digits comes no nearer, that's all.
    """
    i = int(contacts[first, C_A])
    plane = is_plane(contacts, first)
    before = kinetic_energy(s, i)
    pressing = False
    for k in range(first, last):
        pressing = pressing or contacts[k, C_E] > 1.0
    vel, spin = np.empty(3), np.empty(3)
    for x in range(3):
        vel[x], spin[x] = s[i, VEL + x], s[i, SPIN + x]
    share, less = 1.0, 1e-6
    for _ in range(MOST_TRIES):
        if plane:
            _hit(s, i, contacts, first, answers, share)
        elif pressing:
            _tap(s, i, contacts, first, last, answers, par, share, on_bed)
        else:
            _bounce(s, i, contacts, first, last, answers, par, share, on_bed)
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
    _come_no_nearer(s, i, contacts, first, last, on_bed)
