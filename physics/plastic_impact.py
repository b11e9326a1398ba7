"""What holds touching balls apart in one plastic impact: the least impulses that do.

Given touching things and their velocities, impulses J >= 0 along the normals are wanted after
which all part at given speeds or faster, and J = 0 where they part faster: a linear complementarity
problem.  Projected over-relaxation solves it (Jean 1999, "The non-smooth contact dynamics
method"); where that is slow, in long lines and heaps, what pushes is now and then solved as
equations (Morales, Nocedal and Smelyanskiy 2008, "An algorithm for the fast solution of symmetric
linear complementarity problems").
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.layout import C_A, C_B, C_KIND, C_N, CONTACT_WIDTH, F_PAIR, MASS, VEL

Array = NDArray[np.float64]

MOST_SWEEPS = 1500
RELAX = 1.5  # a line of a dozen balls is solved fastest with about this
STILL_SHARE = 1e-10  # of the fastest approach: changes smaller than this end the search
FEW_SWEEPS = 100  # most problems need fewer; after that equations help every
SOME_SWEEPS = 10  # sweeps, and what double precision
NOISE = 1e-14  # of the fastest ball's speed can't tell ends the search, too
FIRM = 1e-12  # of a contact's lightness: where more contacts push than must, this shares it out
MOST_LET_GO = 12  # contacts that pull, let go one after another before the sweeps go on
IDLE_SHARE = 1e-6  # of the greatest impulse: smaller ones are left to a later round


@kernel("f8[:,::1](f8[:,::1])")
def velocities(s: Array) -> Array:
    """Those of all balls, a row each."""
    vel = np.empty((s.shape[0], 3))
    for i in range(s.shape[0]):
        for x in range(3):
            vel[i, x] = s[i, VEL + x]
    return vel


@kernel("f8(f8[:,::1], f8[:,::1], i8)")
def parting(vel: Array, contacts: Array, k: int) -> float:
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
def put_impulse(s: Array, vel: Array, contacts: Array, k: int, push: float) -> None:
    """Put the normal impulse ``push`` of contact ``k`` on the velocities ``vel``."""
    a, b = int(contacts[k, C_A]), int(contacts[k, C_B])
    for x in range(3):
        if contacts[k, C_KIND] == F_PAIR:
            vel[a, x] -= push / s[a, MASS] * contacts[k, C_N + x]
            vel[b, x] += push / s[b, MASS] * contacts[k, C_N + x]
        else:
            vel[a, x] += push / s[a, MASS] * contacts[k, C_N + x]


@kernel("f8(f8[:,::1], f8[:,::1], i8)")
def _lightness(s: Array, contacts: Array, k: int) -> float:
    """How much faster the two things of contact ``k`` part for an impulse of 1 (1/kg)."""
    result: float = 1.0 / s[int(contacts[k, C_A]), MASS]
    if contacts[k, C_KIND] == F_PAIR:
        result += 1.0 / s[int(contacts[k, C_B]), MASS]
    return result


@kernel("f8(f8[:,::1], f8[:,::1], i8, i8)")
def _coupling(s: Array, contacts: Array, k: int, m: int) -> float:
    """How much faster contact ``k`` parts for an impulse of 1 at another, ``m`` (1/kg)."""
    total = 0.0
    for end in range(2 if contacts[k, C_KIND] == F_PAIR else 1):
        i = int(contacts[k, C_B if end else C_A])
        for other in range(2 if contacts[m, C_KIND] == F_PAIR else 1):
            if i != int(contacts[m, C_B if other else C_A]):
                continue
            # A pair's normal leads away from its first ball, a cushion's towards it.
            away = (end == 0 and contacts[k, C_KIND] == F_PAIR) != (
                other == 0 and contacts[m, C_KIND] == F_PAIR
            )
            along = 0.0
            for x in range(3):
                along += contacts[k, C_N + x] * contacts[m, C_N + x]
            total += (-along if away else along) / s[i, MASS]
    return total


@kernel("void(f8[:,::1], f8[::1], i8)")
def _solve_equations(a: Array, b: Array, size: int) -> None:
    """Replace ``b`` by the solution of ``a x = b`` (Cholesky's L D L^T)."""
    for p in range(size):
        for q in range(p):
            for r in range(q):
                a[p, q] -= a[p, r] * a[r, r] * a[q, r]
            a[p, q] /= a[q, q]
        for r in range(p):
            a[p, p] -= a[p, r] * a[p, r] * a[r, r]
    for p in range(size):
        for r in range(p):
            b[p] -= a[p, r] * b[r]
    for p in range(size - 1, -1, -1):
        b[p] /= a[p, p]
        for r in range(p + 1, size):
            b[p] -= a[r, p] * b[r]


@kernel("void(f8[:,::1], f8[:,::1], f8[:,::1], i8, f8[::1], f8[::1])")
def _equalise(
    s: Array, vel: Array, contacts: Array, count: int, wanted: Array, normal: Array
) -> None:  # fmt: skip
    """Let all that pushes part at just what is ``wanted``, as far as nothing has to pull for it."""
    a, b = np.empty((count, count)), np.empty(count)
    who = np.empty(count, np.int64)
    for _ in range(MOST_LET_GO):
        size = 0
        for k in range(count):
            if normal[k] > 0.0:
                who[size] = k
                size += 1
        for p in range(size):
            for q in range(p):
                a[p, q] = _coupling(s, contacts, who[p], who[q])
            a[p, p] = (1.0 + FIRM) * _lightness(s, contacts, who[p])
            b[p] = wanted[who[p]] - parting(vel, contacts, who[p])
        _solve_equations(a, b, size)
        share, blocked = 1.0, -1
        for p in range(size):
            if normal[who[p]] + share * b[p] < 0.0:
                share, blocked = -normal[who[p]] / b[p], p
        for p in range(size):
            k = who[p]
            push = -normal[k] if p == blocked else max(share * b[p], -normal[k])
            normal[k] += push
            put_impulse(s, vel, contacts, k, push)
        if blocked < 0:
            return
        normal[who[blocked]] = 0.0


@kernel("void(f8[:,::1], f8[:,::1], f8[:,::1], i8, f8[::1], f8[::1])")
def least_impulses(
    s: Array, vel: Array, contacts: Array, count: int, wanted: Array, normal: Array
) -> None:  # fmt: skip
    """Impulses ``normal`` >= 0 (kg m/s) after which contacts part at ``wanted`` or faster (m/s).

    ``vel`` is what ``normal`` has made of the velocities, before and after.  No impulse is larger
    than it must be.
    """
    fastest = 0.0
    for k in range(count):
        fastest = max(fastest, wanted[k] - parting(vel, contacts, k))
    still = STILL_SHARE * fastest
    for sweep in range(MOST_SWEEPS):
        if sweep >= FEW_SWEEPS and (sweep - FEW_SWEEPS) % SOME_SWEEPS == 0:
            _equalise(s, vel, contacts, count, wanted, normal)
            for k in range(count):
                i = int(contacts[k, C_A])
                speed = abs(vel[i, 0]) + abs(vel[i, 1]) + abs(vel[i, 2])
                still = max(still, NOISE * speed)
        change = 0.0
        for m in range(count):
            k = m if sweep % 2 == 0 else count - 1 - m
            lightness = _lightness(s, contacts, k)
            push = RELAX * (wanted[k] - parting(vel, contacts, k)) / lightness
            push = max(push, -normal[k])
            normal[k] += push
            change = max(change, abs(push) * lightness)
            put_impulse(s, vel, contacts, k, push)
        if change <= still:
            return


@kernel("void(f8[:,::1], f8[:,::1], f8[:,::1], i8, f8[::1], f8[::1], f8)")
def add_taps(
    s: Array, vel: Array, contacts: Array, count: int, wanted: Array, normal: Array, most: float
) -> None:
    """Add to the impulses ``normal``, which made ``vel``, those by which what presses parts.

    The balls are left with no more energy of motion than ``most`` (J).  On the way to the tapped
    velocities it is quadratic.  Small taps push less of what parts by itself than large ones do, so
    taps that cost too much are looked for once more, smaller.
    """
    for turn in range(2):
        tapped, more = np.copy(vel), np.copy(normal)
        least_impulses(s, tapped, contacts, count, wanted, more)
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
def drop_idle(s: Array, contacts: Array, count: int, normal: Array) -> int:
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
