"""Ball on ball: what Bullet is asked, and how its answer is put on the two balls.

A lone pair is Bullet's altogether: normal impulse with restitution ``e``, and friction with the
coefficient mu(slip) of that pair (Alciatore's fit of Marlow 1994, REFERENCES 3).  Where several
pairs touch in one round, Bullet solves their normal impulses as one problem, without friction
(it multiplies per-body coefficients, so it can't give each pair its own), and the friction is
``min(mu(s) Jn, m_eff s)`` of our own, all pairs at once from the velocities after the normal
impulses, the slip limit shared among the contacts of a ball: so no order of the pairs matters
and no energy can come of it.

What Bullet answers in single precision goes to both balls equal and opposite, in double
precision along the exact line of centres: momentum is kept to the last digit.
"""

from math import exp, sqrt

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.contact_times import haste, held_together
from physics.layout import (
    ACC,
    AIR,
    BALANCE,
    C_A,
    C_B,
    C_E,
    C_KIND,
    C_LEANS,
    C_MU,
    C_N,
    C_POS,
    C_REL,
    C_SPEED,
    C_SPIN_A,
    C_SPIN_B,
    E_BALL,
    F_PAIR,
    J_DIR,
    J_NORMAL,
    J_OWN_FRICTION,
    J_TANGENT,
    LEANS_GENTLY,
    MASS,
    MOTION,
    MU_A,
    MU_B,
    MU_C,
    NEVER,
    NO_APPROACH,
    POS,
    PRESS_BALL,
    PRESS_FAINT,
    PRESS_FREE,
    PRESS_GROWTH,
    PRESSING,
    RADIUS,
    SPIN,
    T0,
    T_END,
    TAPS,
    TILT,
    VEL,
)
from physics.motion import kinetic_energy

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


@kernel("f8(f8, f8, f8, f8, f8)")
def bounce_factor(
    speed: float, pull: float, lasts: float, restitution: float, least: float
) -> float:
    """Restitution in use at an approach ``speed``, ``pull`` the acceleration apart (m/s^2).

    Where one presses on the other (for ``lasts`` seconds) the bounces would shrink for ever;
    there they part with at least ``least`` m/s, so that the pressing is a bounded number of small
    taps (callers let it grow with the taps there were).  The energy comes from spin, see
    ``pay_with_spin``.
    """
    # Whatever the search took to be held is so here, too: its normal may be a little steeper.
    if not held_together(0.0, 2.0 * pull, lasts):
        return restitution
    return max(restitution, (least if pull < PRESSING else PRESS_FAINT) / speed)


@kernel("f8(f8[:,::1], i8)")
def spin_energy(s: Array, i: int) -> float:
    """Energy of rotation of ball ``i`` (J)."""
    w2 = s[i, SPIN] ** 2 + s[i, SPIN + 1] ** 2 + s[i, SPIN + 2] ** 2
    result: float = 0.2 * s[i, MASS] * s[i, RADIUS] ** 2 * w2
    return result


@kernel("void(f8[:,::1], b1[::1], f8)")
def pay_with_spin(s: Array, who: Flags, gained: float) -> None:
    """Take kinetic energy ``gained`` (J) out of the spins of the balls marked in ``who``."""
    spinning = 0.0
    for i in range(who.shape[0]):
        if who[i]:
            spinning += spin_energy(s, i)
    if gained <= 0.0 or spinning <= 0.0:
        return
    factor = sqrt(max(0.0, 1.0 - gained / spinning))
    for i in range(who.shape[0]):
        if who[i]:
            for x in range(3):
                s[i, SPIN + x] *= factor


@kernel("f8(f8[:,::1], i8, i8)")
def closing_speed(s: Array, i: int, j: int) -> float:
    """Speed at which balls ``i`` and ``j``, moved up to now, approach along their centres."""
    size, speed = 0.0, 0.0
    for x in range(3):
        d = s[j, POS + x] - s[i, POS + x]
        size += d * d
        speed += d * (s[i, VEL + x] - s[j, VEL + x])
    return speed / sqrt(size)


@kernel("f8(f8[:,::1], i8, i8)")
def lean(s: Array, i: int, j: int) -> float:
    """As ``haste``, of two balls that touch now and one of which is off the bed.

    Of two in the air the lower counts as carried: in a pile it has just been tapped from below.
    """
    if s[i, MOTION] != AIR and s[j, MOTION] != AIR:
        return NEVER
    d, u, b = np.empty(3), np.empty(3), np.empty(3)
    for x in range(3):
        d[x] = s[j, POS + x] - s[i, POS + x]
        u[x] = s[j, VEL + x] - s[i, VEL + x]
        b[x] = 0.5 * (s[j, ACC + x] - s[i, ACC + x])
    if s[i, MOTION] == AIR and s[j, MOTION] == AIR:
        for x in range(3):
            b[x] = 0.5 * s[j, ACC + x] if d[2] > 0.0 else -0.5 * s[i, ACC + x]
    return haste(d[0], d[1], d[2], u[0], u[1], u[2], b[0], b[1], b[2])


@kernel("b1(f8[:,::1], i8, i8)")
def leans(s: Array, i: int, j: int) -> bool:
    """Whether one of two balls that touch now only leans on the other."""
    return lean(s, i, j) < LEANS_GENTLY


@kernel("void(f8[::1], f8[::1])")
def _unbalance(n: Array, rel: Array) -> None:
    """Tilt the line of centres ``n`` of a ball that would stand on another, straight above it.

    One that moves on, at ``rel``, stands nowhere.
    """
    level = sqrt(n[0] * n[0] + n[1] * n[1])
    across = sqrt(rel[0] * rel[0] + rel[1] * rel[1])
    if level >= BALANCE or across * TILT > 0.25 * rel[2] * n[2]:
        return
    if level == 0.0:
        n[0] = level = 1.0
    n[0], n[1] = n[0] / level * TILT, n[1] / level * TILT
    n[2] = (1.0 if n[2] > 0.0 else -1.0) * sqrt(1.0 - TILT * TILT)


@kernel("void(f8[:,::1], i8, i8, f8[:,::1], i8, f8[::1])")
def pose_pair(s: Array, i: int, j: int, contacts: Array, k: int, par: Array) -> None:
    """Write row ``k`` of the contacts: balls ``i`` and ``j``, touching, moved up to now."""
    n = np.empty(3)
    rel = np.empty(3)
    size = 0.0
    for x in range(3):
        n[x] = s[j, POS + x] - s[i, POS + x]
        rel[x] = s[i, VEL + x] - s[j, VEL + x]
        size += n[x] * n[x]
    size = sqrt(size)
    for x in range(3):
        n[x] /= size
    leaning = leans(s, i, j)
    if leaning:
        _unbalance(n, rel)
    speed = 0.0
    pull = 0.0
    for x in range(3):
        speed += rel[x] * n[x]
        pull -= (s[i, ACC + x] - s[j, ACC + x]) * n[x]
    speed = max(speed, NO_APPROACH)
    # Slip of the surfaces: of a's at the contact relative to b's.
    ri, rj = s[i, RADIUS], s[j, RADIUS]
    w = np.empty(3)
    for x in range(3):
        w[x] = ri * s[i, SPIN + x] + rj * s[j, SPIN + x]
    slip = 0.0
    for x in range(3):
        y, z = (x + 1) % 3, (x + 2) % 3
        u = rel[x] - speed * n[x] + (w[y] * n[z] - w[z] * n[y])
        slip += u * u
    slip = sqrt(slip)
    contacts[k, C_KIND] = F_PAIR
    contacts[k, C_A] = i
    contacts[k, C_B] = j
    contacts[k, C_MU] = par[MU_A] + par[MU_B] * exp(-par[MU_C] * slip)
    contacts[k, C_LEANS] = 1.0 if leaning else 0.0
    # What presses bounces on its taps, not on what it is made of: their waves die where they come.
    taps = max(s[i, TAPS], s[j, TAPS])
    least = PRESS_BALL * (1.0 + taps / PRESS_GROWTH)
    restitution = par[E_BALL]
    if taps > 0.0 and speed <= 2.0 * least and not leaning:
        restitution = 0.0
        s[i, TAPS] = s[j, TAPS] = taps
    lasts = min(s[i, T_END], s[j, T_END]) - s[i, T0]
    bounce = bounce_factor(speed, pull, lasts, restitution, least)
    contacts[k, C_E] = 1.0 if leaning else bounce
    if contacts[k, C_E] > 1.0:
        s[i, TAPS] += 1.0
        s[j, TAPS] += 1.0
    contacts[k, C_SPEED] = speed
    for x in range(3):
        contacts[k, C_N + x] = n[x]
        contacts[k, C_REL + x] = rel[x]
        contacts[k, C_SPIN_A + x] = s[i, SPIN + x]
        contacts[k, C_SPIN_B + x] = s[j, SPIN + x]
        contacts[k, C_POS + x] = s[i, POS + x]


@kernel("void(f8[:,::1], i8, i8, f8[::1], f8[::1])")
def push_pair(s: Array, i: int, j: int, n: Array, impulse: Array) -> None:
    """Give ball ``i`` the impulse (kg m/s) and ball ``j`` its opposite, at their contact."""
    mi, mj = s[i, MASS], s[j, MASS]
    ri, rj = s[i, RADIUS], s[j, RADIUS]
    for x in range(3):
        y, z = (x + 1) % 3, (x + 2) % 3
        twist = n[y] * impulse[z] - n[z] * impulse[y]
        s[i, VEL + x] += impulse[x] / mi
        s[j, VEL + x] -= impulse[x] / mj
        s[i, SPIN + x] += twist / (0.4 * mi * ri)
        s[j, SPIN + x] += twist / (0.4 * mj * rj)


@kernel("f8(f8[:,::1], i8, i8, f8[::1], f8[::1])")
def _slip(s: Array, i: int, j: int, n: Array, u: Array) -> float:
    """Velocity ``u`` of ball ``i``'s surface at the contact relative to ``j``'s; its size (m/s)."""
    along, slip = 0.0, 0.0
    for x in range(3):
        along += (s[i, VEL + x] - s[j, VEL + x]) * n[x]
    for x in range(3):
        y, z = (x + 1) % 3, (x + 2) % 3
        wy = s[i, RADIUS] * s[i, SPIN + y] + s[j, RADIUS] * s[j, SPIN + y]
        wz = s[i, RADIUS] * s[i, SPIN + z] + s[j, RADIUS] * s[j, SPIN + z]
        u[x] = s[i, VEL + x] - s[j, VEL + x] - along * n[x] + (wy * n[z] - wz * n[y])
        slip += u[x] * u[x]
    return sqrt(slip)


@kernel("void(f8[:,::1], f8[:,::1], i8, f8[:,::1])")
def _leave_to_own_friction(s: Array, contacts: Array, k: int, answers: Array) -> None:
    """Take friction from Bullet's answer to pair ``k`` where it would drive the slip, not brake it.

    Single precision does that where the balls are fast and hardly slip.
    """
    i, j = int(contacts[k, C_A]), int(contacts[k, C_B])
    n = contacts[k, C_N : C_N + 3]
    u = np.empty(3)
    _slip(s, i, j, n, u)
    along, work, size2 = 0.0, 0.0, 0.0
    for x in range(3):
        along += answers[k, J_DIR + x] * n[x]
    for x in range(3):
        push = answers[k, J_TANGENT] * (answers[k, J_DIR + x] - along * n[x])
        work += push * u[x]
        size2 += push * push
    if work + 1.75 * size2 * (1.0 / s[i, MASS] + 1.0 / s[j, MASS]) > 0.0:
        answers[k, J_TANGENT], answers[k, J_OWN_FRICTION] = 0.0, 1.0


@kernel("void(f8[:,::1], f8[:,::1], i8, f8[:,::1])")
def own_friction(s: Array, contacts: Array, count: int, answers: Array) -> None:
    """Friction of a round with several pairs, from the velocities after the normal impulses."""
    pushes = np.zeros((count, 3))
    for k in range(count):
        if answers[k, J_OWN_FRICTION] == 0.0:
            continue
        i, j = int(contacts[k, C_A]), int(contacts[k, C_B])
        shared_i, shared_j = 0, 0
        for other in range(count):
            a, b = int(contacts[other, C_A]), int(contacts[other, C_B])
            shared_i += 1 if i in (a, b) else 0
            shared_j += 1 if j in (a, b) else 0
        u = np.empty(3)
        slip = _slip(s, i, j, contacts[k, C_N : C_N + 3], u)
        if slip == 0.0:
            continue
        stop = slip / (3.5 * (1.0 / s[i, MASS] + 1.0 / s[j, MASS])) / max(shared_i, shared_j)
        size = min(contacts[k, C_MU] * answers[k, J_NORMAL], stop)
        for x in range(3):
            pushes[k, x] = -size * u[x] / slip
    for k in range(count):
        if answers[k, J_OWN_FRICTION] != 0.0:
            push_pair(
                s, int(contacts[k, C_A]), int(contacts[k, C_B]), contacts[k, C_N : C_N + 3],
                pushes[k],
            )  # fmt: skip


@kernel("f8(f8[:,::1], f8[:,::1], i8, f8[:,::1], f8)")
def _affordable(s: Array, contacts: Array, count: int, answers: Array, spare: float) -> float:
    """Share of the normal impulses of a round at which they gain no more energy than ``spare``.

    The energy that they give is quadratic in them, so this has a closed form.  It is 1 but for
    balls that press and hardly turn, and for what single precision adds where ``e_ball`` is 1.
    """
    taken = 0.0
    pushed = np.zeros((s.shape[0], 3))
    for k in range(count):
        i, j = int(contacts[k, C_A]), int(contacts[k, C_B])
        for x in range(3):
            push = answers[k, J_NORMAL] * contacts[k, C_N + x]
            taken += push * (s[i, VEL + x] - s[j, VEL + x])
            pushed[i, x] -= push
            pushed[j, x] += push
    given = 0.0
    for i in range(s.shape[0]):
        size2 = pushed[i, 0] ** 2 + pushed[i, 1] ** 2 + pushed[i, 2] ** 2
        given += 0.5 * size2 / s[i, MASS]
    if given - taken <= spare:
        return 1.0
    root = sqrt(taken * taken + 4.0 * given * spare)
    # Impulses that push apart what parts already take nothing: written so that nothing cancels.
    return 2.0 * spare / (root - taken) if taken < 0.0 else (taken + root) / (2.0 * given)


@kernel("void(f8[:,::1], f8[:,::1], i8, f8[:,::1])")
def apply_pairs(s: Array, contacts: Array, count: int, answers: Array) -> None:
    """Put Bullet's answers for a round of ball-ball contacts on the balls.

    No energy comes of it: what taps need is paid with spin, half of it at the most.
    """
    energy, spare = 0.0, 0.0
    tapping = np.zeros(s.shape[0], np.bool_)
    for k in range(count):
        if contacts[k, C_E] > 1.0:
            tapping[int(contacts[k, C_A])] = tapping[int(contacts[k, C_B])] = True
    for i in range(s.shape[0]):
        energy += kinetic_energy(s, i)
        if tapping[i]:
            spare += 0.5 * spin_energy(s, i) + PRESS_FREE * s[i, MASS]
    share = _affordable(s, contacts, count, answers, spare)
    for k in range(count):
        if answers[k, J_TANGENT] != 0.0:
            _leave_to_own_friction(s, contacts, k, answers)
    impulse = np.empty(3)
    for k in range(count):
        i, j = int(contacts[k, C_A]), int(contacts[k, C_B])
        n = contacts[k, C_N : C_N + 3]
        answers[k, J_NORMAL] *= share
        jn, jt = answers[k, J_NORMAL], share * answers[k, J_TANGENT]
        along = 0.0
        for x in range(3):
            along += answers[k, J_DIR + x] * n[x]
        for x in range(3):
            impulse[x] = -jn * n[x] + jt * (answers[k, J_DIR + x] - along * n[x])
        push_pair(s, i, j, n, impulse)
    own_friction(s, contacts, count, answers)
    for i in range(s.shape[0]):
        energy -= kinetic_energy(s, i)
    pay_with_spin(s, tapping, -energy)
