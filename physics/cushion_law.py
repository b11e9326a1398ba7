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

Off the bed a jaw is a tangent plane to Bullet, friction and all.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.ball_contact import pay_with_spin, spin_energy
from physics.compiled import kernel
from physics.cushion_contact import friction, is_plane, shove
from physics.layout import (
    C_A,
    C_E,
    C_MU,
    C_N,
    J_DIR,
    J_NORMAL,
    J_OWN_FRICTION,
    J_TANGENT,
    MASS,
    MU_CUSHION,
    MU_SLIDE,
    PRESS_FREE,
    RADIUS,
    SPIN,
    VEL,
)
from physics.motion import kinetic_energy

Array = NDArray[np.float64]

STEPS = 96  # in which Bullet's impulse is built up
MOST_STEPS = 8 * STEPS
MOST_TRIES = 60  # to find impulses that make no energy


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
    if gain <= 0.0 or parting < -2.0 * gain:
        return 2.0
    if parting < 0.0:
        taken += 0.5 * load * parting * parting / gain
    away = max(parting, 0.0)
    end = away * away + 2.0 * gain * (e * e * taken - given) / load
    return max(0.0, (sqrt(max(end, 0.0)) - parting) / gain)


@kernel("UniTuple(f8,6)(f8,f8,f8,f8,f8,f8,f8,f8,f8,f8,f8,f8)")
def _rubbed(
    vx: float, vy: float, vz: float, wx: float, wy: float, wz: float,
    x: float, y: float, z: float, m: float, radius: float, most: float,
) -> tuple[float, float, float, float, float, float]:  # fmt: skip
    """Velocity and spin after ``friction`` at the lever (x, y, z), put on as by ``shove``."""
    ux = vx + radius * (wy * z - wz * y)
    uy = vy + radius * (wz * x - wx * z)
    uz = vz + radius * (wx * y - wy * x)
    along = ux * x + uy * y + uz * z
    ux, uy, uz = ux - along * x, uy - along * y, uz - along * z
    slip = sqrt(ux * ux + uy * uy + uz * uz)
    share = -min(most / slip, m / 3.5) if slip > 0.0 else 0.0
    px, py, pz = share * ux, share * uy, share * uz
    light = 1.0 / m
    turns = light / (0.4 * radius)
    return (
        vx + light * px, vy + light * py, vz + light * pz,
        wx + turns * (y * pz - z * py), wy + turns * (z * px - x * pz),
        wz + turns * (x * py - y * px),
    )  # fmt: skip


@kernel("void(f8[:,::1], i8, f8[:,::1], i8, f8[:,::1], f8[::1], f8, b1)")
def _bounce_off_one(
    s: Array, i: int, contacts: Array, k: int, answers: Array, par: Array, share: float,
    on_bed: bool,
) -> None:  # fmt: skip
    """As ``_bounce``, to the last bit, off one cushion: that is nearly every one, and most of the
    time of a shot that runs over rails."""
    m, radius = s[i, MASS], s[i, RADIUS]
    light = 1.0 / m
    vx, vy, vz = s[i, VEL], s[i, VEL + 1], s[i, VEL + 2]
    wx, wy, wz = s[i, SPIN], s[i, SPIN + 1], s[i, SPIN + 2]
    nx, ny, nz = contacts[k, C_N], contacts[k, C_N + 1], contacts[k, C_N + 2]
    whole, e = answers[k, J_NORMAL] / STEPS, share * contacts[k, C_E]
    parting, gain = vx * nx + vy * ny + vz * nz, 0.0
    taken, given = 0.0, 0.0
    step, done = 0, parting >= 0.0
    while step < MOST_STEPS and not done:
        load = whole
        part = _part_of_step(parting, gain, load, taken, given, e) if step > 0 else 2.0
        if part <= 1.0:
            done = True
            load *= part
        if load == 0.0:
            break
        push = light * load
        vx, vy, vz = vx + push * nx, vy + push * ny, vz + push * nz
        vx, vy, vz, wx, wy, wz = _rubbed(
            vx, vy, vz, wx, wy, wz, -nx, -ny, -nz, m, radius, par[MU_CUSHION] * load
        )
        if on_bed and vz < 0.0:
            bears = -m * vz
            vx, vy, vz, wx, wy, wz = _rubbed(
                vx, vy, 0.0, wx, wy, wz, 0.0, 0.0, -1.0, m, radius, par[MU_SLIDE] * bears
            )
        was, parting = parting, vx * nx + vy * ny + vz * nz
        gain = parting - was
        if was < 0.0 < parting:
            taken += 0.5 * load * was * was / gain
            given += 0.5 * load * parting * parting / gain
        elif parting <= 0.0:
            taken -= 0.5 * load * (was + parting)
        else:
            given += 0.5 * load * (was + parting)
        step += 1
        done = done or (parting >= 0.0 and taken == 0.0)
    s[i, VEL], s[i, VEL + 1], s[i, VEL + 2] = vx, vy, vz
    s[i, SPIN], s[i, SPIN + 1], s[i, SPIN + 2] = wx, wy, wz


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
        elif last == first + 1:
            _bounce_off_one(s, i, contacts, first, answers, par, share, on_bed)
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
