"""Touching balls that push each other about without end are settled as one problem.

Rounds of pairs (``physics.loop``) let a blow run through touching balls as it should.  But where
little is given back, or against a rail, speeds even out by a constant factor a round, and that has
no end.  So when MOST_ROUNDS have come at one instant, or fewer among balls that have tapped each
other before and approach no faster than taps part, all contacts of the balls that touch, with
each other, cushions and bed, are one plastic impact: impulses J >= 0 along the normals, so that
nothing approaches any more, and J = 0 where things part (``physics.plastic_impact``).  What presses
parts by its tap.  This is Moreau's law of impact with a restitution of 0.  Friction follows from
the normal impulses as in every other round.  Balls over a pocket and leaning
balls have ways of their own: ``physics.holding``, ``physics.leaning``.
"""

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
from physics.plastic_impact import (
    add_taps,
    drop_idle,
    least_impulses,
    parting,
    put_impulse,
    velocities,
)
from physics.touching import part_in_pocket, pose_standing, pose_touching

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Counters = NDArray[np.int64]

MOST_ROUNDS = 24  # at one instant
# m/s: what is settled and moves less than this is held by the cloth.  Contacts of balls last about
# 0.2 ms (docs/engine.md), in which sliding friction takes 0.4 mm/s; an impulse leaves that out.
CLOTH_HOLDS = 2e-4
# What balls do that jam for very long is nothing that anybody could tell from lying still, and in
# places it would have no end.  So after so many rounds the cloth holds more and more.
LONG_AT_ONCE = 25.0  # rounds at one instant
LONG = 200.0  # rounds of a whole shot: a break has a hundred


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


@kernel("void(f8[:,::1], f8[:,::1], i8, f8[::1], f8[:,::1])")
def _rub(s: Array, contacts: Array, count: int, normal: Array, answers: Array) -> None:
    """Put the normal impulses and the friction that they cause on the balls."""
    vel = velocities(s)
    pairs = 0
    for k in range(count):
        put_impulse(s, vel, contacts, k, normal[k])
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
    vel = velocities(s)
    energy, moving, spare = 0.0, 0.0, 0.0
    taps = False
    for k in range(count):
        presses = contacts[k, C_E] > 1.0 and contacts[k, C_KIND] != F_BED
        if presses and parting(vel, contacts, k) <= CREEP:
            wanted[k] = contacts[k, C_E] * contacts[k, C_SPEED]
            tapping[int(contacts[k, C_A])] = taps = True
            if contacts[k, C_KIND] == F_PAIR:
                tapping[int(contacts[k, C_B])] = True
    for i in range(n):
        energy += kinetic_energy(s, i)
        moving += kinetic_energy(s, i) - spin_energy(s, i)
        if tapping[i]:
            spare += 0.5 * spin_energy(s, i) + PRESS_FREE * s[i, MASS]
    least_impulses(s, vel, contacts, count, np.zeros(count), normal)
    if taps:
        add_taps(s, vel, contacts, count, wanted, normal, moving + spare)
    count = drop_idle(s, contacts, count, normal)
    _rub(s, contacts, count, normal, answers)
    for i in range(n):
        energy -= kinetic_energy(s, i)
    pay_with_spin(s, tapping, -energy)
    return count


@kernel("void(f8[:,::1], f8[:,::1], i8)")
def _grip(s: Array, contacts: Array, count: int) -> None:
    """Let the cloth take slips under CLOTH_HOLDS from balls that were settled, once and for all.

    Else each slip, as it ends, would drive its ball into the next, which makes 2/7 of that slip
    again.  A ball on which the cloth has a grip rolls as it is pushed, 7/5 as heavy.
    """
    gripped = np.zeros(s.shape[0], np.bool_)
    for k in range(count):
        for end in range(2 if contacts[k, C_KIND] == F_PAIR else 1):
            i = int(contacts[k, C_B if end else C_A])
            ux, uy = (
                s[i, VEL] - s[i, RADIUS] * s[i, SPIN + 1],
                s[i, VEL + 1] + s[i, RADIUS] * s[i, SPIN],
            )
            on_bed = s[i, MOTION] != AIR and s[i, LIP] < 0.0 and s[i, PERCH] < 0.0
            if gripped[i] or not on_bed or length(ux, uy) >= CLOTH_HOLDS:
                continue
            gripped[i] = True
            s[i, VEL] -= ux / 3.5
            s[i, VEL + 1] -= uy / 3.5
    heavy, vel = np.copy(s), velocities(s)
    for i in range(s.shape[0]):
        if gripped[i]:
            heavy[i, MASS] *= 1.4
    least_impulses(heavy, vel, contacts, count, np.zeros(count), np.zeros(count))
    for i in range(s.shape[0]):
        for x in range(3):
            s[i, VEL + x] = vel[i, x]
        if gripped[i]:
            s[i, SPIN], s[i, SPIN + 1] = -vel[i, 1] / s[i, RADIUS], vel[i, 0] / s[i, RADIUS]


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
    vel = velocities(s)
    for i in range(held.shape[0]):
        if held[i]:
            vel[i, 0] = vel[i, 1] = 0.0
    more = True
    while more:
        more = False
        for k in range(pairs):
            if touching[k, C_KIND] != F_PAIR or parting(vel, touching, k) > -CREEP:
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
    _grip(s, rows, count)
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
