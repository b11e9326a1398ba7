"""Touching balls that push each other about without end are settled as one problem.

Rounds of pairs (``physics.loop``) let a blow run through touching balls as it should.  But where
little is given back, or against a rail, speeds even out by a constant factor a round, and that has
no end.  So when MOST_ROUNDS have come at one instant, or fewer among balls that have tapped each
other before and approach no faster than taps part, all contacts of the balls that touch, with
each other, cushions and bed, are one plastic impact: impulses J >= 0 along the normals, so that
nothing approaches any more, and J = 0 where things part.  What presses parts by its tap.  This is
Moreau's law of impact with a restitution of 0, solved by projected over-relaxation in double
precision (Jean 1999, "The non-smooth contact dynamics method").  Friction follows from the normal
impulses as in every other round.  Balls over a pocket and leaning
balls have ways of their own: ``physics.holding``, ``physics.leaning``.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.arithmetic import length
from physics.ball_contact import own_friction, pay_with_spin, spin_energy
from physics.compiled import kernel
from physics.cushion_contact import friction, shove
from physics.event_log import write_state
from physics.layout import (
    AIR,
    AT_ONCE,
    C_A,
    C_B,
    C_E,
    C_KIND,
    C_LEANS,
    C_MU,
    C_N,
    C_SPEED,
    CONTACT_WIDTH,
    CREEP,
    F_BED,
    F_CORNER,
    F_EDGE,
    F_PAIR,
    HOLE,
    J_NORMAL,
    J_OWN_FRICTION,
    LIP,
    MASS,
    MOTION,
    N_CONTACTS,
    PERCH,
    PRESS_FREE,
    PRESS_GROWTH,
    PRESS_RAIL,
    RADIUS,
    ROUND,
    ROUND_ROWS,
    SPIN,
    TAPS,
    VEL,
)
from physics.lip import cut_short
from physics.motion import kinetic_energy
from physics.touching import part_in_pocket, pose_standing, pose_touching

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Counters = NDArray[np.int64]

MOST_ROUNDS = 24  # at one instant
MOST_SWEEPS = 1500
RELAX = 1.5  # a line of a dozen balls is solved fastest with about this
STILL_SHARE = 1e-10  # of the fastest approach: changes smaller than this end the search
# m/s: what is settled and moves less than this is held by the cloth.  Contacts of balls last about
# 0.2 ms (docs/engine.md), in which sliding friction takes 0.4 mm/s; an impulse leaves that out.
CLOTH_HOLDS = 2e-4
# What balls do that jam for very long is nothing that anybody could tell from lying still, and in
# places it would have no end.  So after so many rounds the cloth holds more and more.
LONG_AT_ONCE = 25.0  # rounds at one instant
LONG = 200.0  # rounds of a whole shot: a break has a hundred
IDLE_SHARE = 1e-6  # of the greatest impulse: smaller ones are left to a later round


@kernel("b1(f8[:,::1], i8[::1], f8[:,::1])")
def weary(s: Array, counters: Counters, contacts: Array) -> bool:
    """Whether there were so many rounds at this instant that the one posed is to be settled."""
    taps, fastest = 0.0, 0.0
    for k in range(counters[N_CONTACTS]):
        if contacts[k, C_KIND] not in (F_PAIR, F_EDGE, F_CORNER, F_BED):
            return False
        if contacts[k, C_KIND] == F_PAIR and contacts[k, C_LEANS] == 1.0:
            return False
        taps = max(taps, s[int(contacts[k, C_A]), TAPS])
        if contacts[k, C_KIND] == F_PAIR:
            taps = max(taps, s[int(contacts[k, C_B]), TAPS])
        fastest = max(fastest, contacts[k, C_SPEED])
    patience = float(MOST_ROUNDS)
    if fastest <= 2.0 * PRESS_RAIL * (1.0 + taps / PRESS_GROWTH):
        patience /= 1.0 + taps
    result: bool = counters[AT_ONCE] > patience
    return result


@kernel("f8[:,::1](f8[:,::1])")
def _velocities(s: Array) -> Array:
    """Those of all balls, a row each."""
    vel = np.empty((s.shape[0], 3))
    for i in range(s.shape[0]):
        for x in range(3):
            vel[i, x] = s[i, VEL + x]
    return vel


@kernel("f8(f8[:,::1], f8[:,::1], i8)")
def _parting(vel: Array, contacts: Array, k: int) -> float:
    """Speed at which the two things of contact ``k`` go apart, at the velocities ``vel`` (m/s)."""
    a, b = int(contacts[k, C_A]), int(contacts[k, C_B])
    speed = 0.0
    for x in range(3):
        if contacts[k, C_KIND] == F_PAIR:
            speed += (vel[b, x] - vel[a, x]) * contacts[k, C_N + x]
        else:
            speed += vel[a, x] * contacts[k, C_N + x]
    return speed


@kernel("void(f8[:,::1], f8[:,::1], f8[:,::1], i8, f8)")
def _push(s: Array, vel: Array, contacts: Array, k: int, push: float) -> None:
    """Put the normal impulse ``push`` of contact ``k`` on the velocities ``vel``."""
    a, b = int(contacts[k, C_A]), int(contacts[k, C_B])
    for x in range(3):
        if contacts[k, C_KIND] == F_PAIR:
            vel[a, x] -= push / s[a, MASS] * contacts[k, C_N + x]
            vel[b, x] += push / s[b, MASS] * contacts[k, C_N + x]
        else:
            vel[a, x] += push / s[a, MASS] * contacts[k, C_N + x]


@kernel("void(f8[:,::1], f8[:,::1], f8[:,::1], i8, f8[::1], f8[::1])")
def _solve(s: Array, vel: Array, contacts: Array, count: int, wanted: Array, normal: Array) -> None:
    """Impulses ``normal`` >= 0 (kg m/s) after which contacts part at ``wanted`` or faster (m/s).

    ``vel`` is what ``normal`` has made of the velocities, before and after.  No impulse is larger
    than it must be.
    """
    fastest = 0.0
    for k in range(count):
        fastest = max(fastest, wanted[k] - _parting(vel, contacts, k))
    for sweep in range(MOST_SWEEPS):
        change = 0.0
        for m in range(count):
            k = m if sweep % 2 == 0 else count - 1 - m
            lightness = 1.0 / s[int(contacts[k, C_A]), MASS]
            if contacts[k, C_KIND] == F_PAIR:
                lightness += 1.0 / s[int(contacts[k, C_B]), MASS]
            push = RELAX * (wanted[k] - _parting(vel, contacts, k)) / lightness
            push = max(push, -normal[k])
            normal[k] += push
            change = max(change, abs(push) * lightness)
            _push(s, vel, contacts, k, push)
        if change <= STILL_SHARE * fastest:
            return


@kernel("void(f8[:,::1], f8[:,::1], f8[:,::1], i8, f8[::1], f8[::1], f8)")
def _tap(
    s: Array, vel: Array, contacts: Array, count: int, wanted: Array, normal: Array, most: float
) -> None:
    """Add to the impulses ``normal``, which made ``vel``, those by which what presses parts.

    The balls are left with no more energy of motion than ``most`` (J).  On the way to the tapped
    velocities it is quadratic.  Small taps push less of what parts by itself than large ones do, so
    taps that cost too much are looked for once more, smaller.
    """
    for turn in range(2):
        tapped, more = np.copy(vel), np.copy(normal)
        _solve(s, tapped, contacts, count, wanted, more)
        left, rise, bend = most, 0.0, 0.0
        for i in range(s.shape[0]):
            for x in range(3):
                step = tapped[i, x] - vel[i, x]
                left -= 0.5 * s[i, MASS] * vel[i, x] ** 2
                rise += s[i, MASS] * vel[i, x] * step
                bend += 0.5 * s[i, MASS] * step * step
        left, share = max(left, 0.0), 1.0
        if rise + bend > left:
            root = sqrt(rise * rise + 4.0 * bend * left)
            share = 2.0 * left / (rise + root) if rise > 0.0 else (root - rise) / (2.0 * bend)
        if share == 1.0 or turn == 1:
            for k in range(count):
                normal[k] += share * (more[k] - normal[k])
            return
        for k in range(count):
            wanted[k] *= sqrt(min(1.0, left / bend))


@kernel("i8(f8[:,::1], f8[:,::1], i8, f8[::1])")
def _drop_idle(s: Array, contacts: Array, count: int, normal: Array) -> int:
    """Leave out what takes no impulse worth the name; how many rows are left."""
    most, kept = 0.0, 0
    for k in range(count):
        most = max(most, normal[k])
    for k in range(count):
        if normal[k] > IDLE_SHARE * most:
            for x in range(CONTACT_WIDTH):
                contacts[kept, x] = contacts[k, x]
            normal[kept] = normal[k]
            kept += 1
    return kept


@kernel("void(f8[:,::1], f8[:,::1], i8, f8[::1], f8[:,::1])")
def _rub(s: Array, contacts: Array, count: int, normal: Array, answers: Array) -> None:
    """Put the normal impulses and the friction that they cause on the balls."""
    vel = _velocities(s)
    pairs = 0
    for k in range(count):
        _push(s, vel, contacts, k, normal[k])
        if contacts[k, C_KIND] == F_PAIR:
            answers[k, J_NORMAL], answers[k, J_OWN_FRICTION] = normal[k], 1.0
            pairs += 1
    for i in range(s.shape[0]):
        for x in range(3):
            s[i, VEL + x] = vel[i, x]
    own_friction(s, contacts, pairs, answers)
    for k in range(pairs, count):
        i = int(contacts[k, C_A])
        x, y, z = -contacts[k, C_N], -contacts[k, C_N + 1], -contacts[k, C_N + 2]
        px, py, pz = friction(s, i, x, y, z, contacts[k, C_MU] * normal[k])
        shove(s, i, x, y, z, px, py, pz)


@kernel("i8(f8[:,::1], f8[:,::1], i8, f8[:,::1])")
def _settle(s: Array, contacts: Array, count: int, answers: Array) -> int:
    """Solve the ``count`` contacts and move the balls; how many took part."""
    n = s.shape[0]
    wanted, normal = np.zeros(count), np.zeros(count)
    tapping = np.zeros(n, np.bool_)
    vel = _velocities(s)
    energy, moving, spare = 0.0, 0.0, 0.0
    taps = False
    for k in range(count):
        presses = contacts[k, C_E] > 1.0 and contacts[k, C_KIND] != F_BED
        if presses and _parting(vel, contacts, k) <= CREEP:
            wanted[k] = contacts[k, C_E] * contacts[k, C_SPEED]
            tapping[int(contacts[k, C_A])] = taps = True
            if contacts[k, C_KIND] == F_PAIR:
                tapping[int(contacts[k, C_B])] = True
    for i in range(n):
        energy += kinetic_energy(s, i)
        moving += kinetic_energy(s, i) - spin_energy(s, i)
        if tapping[i]:
            spare += 0.5 * spin_energy(s, i) + PRESS_FREE * s[i, MASS]
    _solve(s, vel, contacts, count, np.zeros(count), normal)
    if taps:
        _tap(s, vel, contacts, count, wanted, normal, moving + spare)
    count = _drop_idle(s, contacts, count, normal)
    _rub(s, contacts, count, normal, answers)
    for i in range(n):
        energy -= kinetic_energy(s, i)
    pay_with_spin(s, tapping, -energy)
    return count


@kernel("f8(i8[::1])")
def _cloth_holds(counters: Counters) -> float:
    """Speed under which the cloth stops what was settled (m/s)."""
    long = counters[ROUND] / LONG
    result: float = CLOTH_HOLDS * max(1.0, counters[AT_ONCE] / LONG_AT_ONCE, long * long)
    return result


@kernel("void(f8[:,::1], f8[:,::1], i8, b1[::1], f8[:,::1])")
def _leave_out(s: Array, contacts: Array, count: int, reached: Flags, before: Array) -> None:
    """Balls that took no part after all go on as they did, though their paths were cut short."""
    for i in range(s.shape[0]):
        part = False
        for k in range(count):
            pair = contacts[k, C_KIND] == F_PAIR
            part = part or i == contacts[k, C_A] or (pair and i == contacts[k, C_B])
        if reached[i] and not part and (s[i, LIP] >= 0.0 or s[i, PERCH] >= 0.0):
            for x in range(3):
                s[i, VEL + x], s[i, SPIN + x] = before[i, 3 + x], before[i, 6 + x]


@kernel("b1(f8[:,::1], f8[:,::1], i8)")
def _bears(s: Array, contacts: Array, count: int) -> bool:
    """Whether one of the balls is in the air: it presses for good, and they have to give way."""
    for k in range(count):
        if s[int(contacts[k, C_A]), MOTION] == AIR:
            return True
        if contacts[k, C_KIND] == F_PAIR and s[int(contacts[k, C_B]), MOTION] == AIR:
            return True
    return False


@kernel("void(f8[:,::1], f8[:,::1], i8, f8[:,::1], i8, f8)")
def _hold(
    s: Array, contacts: Array, count: int, touching: Array, pairs: int, most: float
) -> None:  # fmt: skip
    """Let the cloth stop balls that took part and neither move nor slip by ``most`` (m/s).

    ``contacts`` are those that took impulses, ``touching`` all that there are.  None is
    stopped that something else moves on: that would approach it anew, at once and without end (a
    fast ball that pushes two aside and passes between them).
    """
    held = np.zeros(s.shape[0], np.bool_)
    for k in range(count):
        held[int(contacts[k, C_A])] = True
        if contacts[k, C_KIND] == F_PAIR:
            held[int(contacts[k, C_B])] = True
    for i in range(held.shape[0]):
        radius = s[i, RADIUS]
        ux, uy = s[i, VEL] - radius * s[i, SPIN + 1], s[i, VEL + 1] + radius * s[i, SPIN]
        slow = length(s[i, VEL], s[i, VEL + 1]) < most and length(ux, uy) < most
        held[i] = held[i] and slow
    vel = _velocities(s)
    for i in range(held.shape[0]):
        if held[i]:
            vel[i, 0] = vel[i, 1] = 0.0
    more = True
    while more:
        more = False
        for k in range(pairs):
            if touching[k, C_KIND] != F_PAIR or _parting(vel, touching, k) > -CREEP:
                continue
            for side in range(2):
                i = int(touching[k, C_B if side else C_A])
                if held[i]:
                    held[i], more = False, True
                    for x in range(2):
                        vel[i, x] = s[i, VEL + x]
    for i in range(held.shape[0]):
        if held[i]:
            for x in range(2):
                s[i, VEL + x] = s[i, SPIN + x] = 0.0


@kernel(
    "b1(f8[:,::1], f8[:,::1], f8, f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[::1],"
    "f8[:,::1], f8[:,::1], i8[::1])"
)
def settles(
    s: Array, before: Array, t: float, edges: Array, corners: Array, holes: Array, tops: Array,
    par: Array, contacts: Array, answers: Array, counters: Counters,
) -> bool:  # fmt: skip
    """Settle the round that is posed, if its time has come; False if Bullet is to be asked."""
    if not weary(s, counters, contacts):
        return False
    n = s.shape[0]
    reached = np.zeros(n, np.bool_)
    posed = counters[N_CONTACTS]
    for k in range(posed):
        reached[int(contacts[k, C_A])] = True
        if contacts[k, C_KIND] == F_PAIR:
            reached[int(contacts[k, C_B])] = True
    rows = np.zeros((3 * ROUND_ROWS, CONTACT_WIDTH))
    taps = np.empty(n)
    for i in range(n):
        taps[i] = s[i, TAPS]
    count = pose_touching(s, t, rows, reached, par)
    for i in range(n):
        if reached[i]:
            count = pose_standing(s, i, edges, corners, holes, tops, par, rows, count)
    for i in range(n):
        s[i, TAPS] = taps[i]
    for i in range(n):
        if reached[i] and s[i, HOLE] >= 0.0:
            part_in_pocket(contacts, counters)
            return False
        if reached[i]:
            write_state(s, i, before[i], 0)
    for i in range(n):
        if reached[i]:
            cut_short(s, i, par)
    touching, pairs = np.copy(rows), count
    count = _settle(s, rows, count, answers)
    _leave_out(s, rows, count, reached, before)
    if count == 0:
        return False
    if not _bears(s, rows, count):
        _hold(s, rows, count, touching, pairs, _cloth_holds(counters))
    kept = 0
    for k in range(count):
        on_bed = rows[k, C_KIND] == F_BED and s[int(rows[k, C_A]), MOTION] != AIR
        if not on_bed and kept < contacts.shape[0]:
            for x in range(CONTACT_WIDTH):
                contacts[kept, x] = rows[k, x]
            kept += 1
    counters[N_CONTACTS] = kept
    return True
