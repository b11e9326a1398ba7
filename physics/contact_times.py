"""When two things next touch: the first downward root of a quartic, found without guessing.

A distance between two pieces of constant acceleration, squared, is a quartic in time.  The roots
of its second derivative split it where the first is monotone, those of the first where it is
monotone itself; the first falling stretch that passes zero holds the root, and a bracketed
Newton search polishes it.  Nothing degenerates when the leading coefficients vanish (two balls
that slow down alike, FP-10), and a pass that is not deeper than GRAZE is a miss (FP-17).
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.layout import CREEP, GRAZE, NEVER, SHALLOW, SINK, STEEP

Array = NDArray[np.float64]


@kernel("b1(f8, f8, f8)")
def held_together(closing: float, pull: float, lasts: float) -> bool:
    """Whether things that touch and hardly move would come to overlap in ``lasts`` seconds.

    ``closing`` is their speed of approach (m/s), ``pull`` the acceleration that parts them
    (m/s^2, negative where it presses them together).  An overlap under SHALLOW is none.
    """
    if pull > 0.0:
        lasts = min(lasts, max(closing, 0.0) / pull)
    return (closing - 0.5 * pull * lasts) * lasts > SHALLOW


@kernel("b1(f8, f8, f8, f8, f8)")
def meets_now(closing: float, pull: float, speed2: float, size: float, lasts: float) -> bool:
    """Whether two things that touch, their middles ``size`` m apart, meet at once.

    ``closing`` and ``pull`` as for ``held_together``; ``speed2`` is the square of their relative
    velocity.  The way of what passes bends off by itself, at ``speed2 / size``: an approach so
    nearly tangential that it overlaps by less than SHALLOW before that parts them is none, or a
    ball that shoots through between two that touch it would never be done with them.
    """
    if closing > CREEP and closing * closing * size > 2.0 * SHALLOW * speed2:
        return True
    return closing > -CREEP and held_together(closing, pull + speed2 / size, lasts)


@kernel("f8(f8, f8, f8, f8, f8, f8, f8, f8, f8)")
def haste(
    dx: float, dy: float, dz: float, ux: float, uy: float, uz: float,
    bx: float, by: float, bz: float,
) -> float:  # fmt: skip
    """How high a ball that leans on another would hop, in units of SINK; NEVER if none leans.

    At the touching, ``d + u t + b t^2`` is the way from one to the other.  One leans whose line of
    centres is steep and that something presses on the other.
    """
    size = sqrt(dx * dx + dy * dy + dz * dz)
    if abs(dz) <= STEEP * size:
        return NEVER
    closing = (dx * ux + dy * uy + dz * uz) / size
    pressing = -2.0 * (dx * bx + dy * by + dz * bz) - (ux * ux + uy * uy + uz * uz)
    if pressing <= 0.0:
        return NEVER
    return 0.5 * closing * closing * size / (pressing * SINK)


@kernel("f8(f8,f8,f8,f8,f8,f8,f8,b1)")
def _bracketed_root(
    c0: float, c1: float, c2: float, c3: float, c4: float, a: float, b: float, falling: bool
) -> float:
    """Root in [a, b] of a quartic that is monotone there and changes sign."""
    t = 0.5 * (a + b)
    for _ in range(80):
        f = c0 + t * (c1 + t * (c2 + t * (c3 + t * c4)))
        g = c1 + t * (2.0 * c2 + t * (3.0 * c3 + t * 4.0 * c4))
        if (f > 0.0) == falling:
            a = t
        else:
            b = t
        step = t - f / g if g != 0.0 else 0.5 * (a + b)
        if not (a < step < b):
            step = 0.5 * (a + b)
        if abs(step - t) <= 2e-16 * abs(t) or step in (a, b):
            return step
        t = step
    return t


@kernel("f8(f8,f8,f8,f8,f8,f8,f8)")
def first_descent(
    c0: float, c1: float, c2: float, c3: float, c4: float, until: float, depth: float
) -> float:
    """First t in (0, until] where c0 + .. + c4 t^4 falls through 0 to below -depth, or NEVER."""
    # Where the second derivative vanishes.
    qa, qb, qc = 12.0 * c4, 6.0 * c3, 2.0 * c2
    k1, k2 = until, until
    if qa != 0.0:
        disc = qb * qb - 4.0 * qa * qc
        if disc > 0.0:
            root = sqrt(disc)
            q = -0.5 * (qb + root) if qb >= 0.0 else -0.5 * (qb - root)
            r1 = q / qa
            r2 = qc / q if q != 0.0 else r1
            if r1 > r2:
                r1, r2 = r2, r1
            if 0.0 < r1 < until:
                k1 = r1
                if r2 < until:
                    k2 = r2
            elif 0.0 < r2 < until:
                k1 = r2
    elif qb != 0.0:
        r1 = -qc / qb
        if 0.0 < r1 < until:
            k1 = r1
    left = 0.0
    f_left = c0
    start = 0.0
    g_start = c1
    for piece in range(3):
        stop = k1 if piece == 0 else (k2 if piece == 1 else until)
        if stop <= start and piece > 0:
            continue
        g_stop = c1 + stop * (2.0 * c2 + stop * (3.0 * c3 + stop * 4.0 * c4))
        # The first derivative is monotone here: at most one turning point.
        turn = stop
        if (g_start < 0.0 < g_stop) or (g_start > 0.0 > g_stop):
            turn = _bracketed_root(
                c1, 2.0 * c2, 3.0 * c3, 4.0 * c4, 0.0, start, stop, g_start > 0.0
            )
        for half in range(2):
            end = turn if half == 0 else stop
            if half == 1 and turn >= stop:
                continue
            f_end = c0 + end * (c1 + end * (c2 + end * (c3 + end * c4)))
            if f_left > 0.0 and f_end < -depth:
                return _bracketed_root(c0, c1, c2, c3, c4, left, end, True)
            left = end
            f_left = f_end
        start = stop
        g_start = g_stop
        if stop >= until:
            break
    return NEVER


@kernel("f8(f8, f8, f8, f8, f8, f8)")
def next_descent(c1: float, c2: float, c3: float, c4: float, until: float, depth: float) -> float:
    """As ``first_descent``, of two things that touch at t = 0 and do not meet there.

    What little they approach parts them by itself (``meets_now``), but it counts for when they come
    back: over a second of flight 0.01 mm/s are 10 um.
    """
    if c1 < 0.0:
        t: float = first_descent(0.0, c1, c2, c3, c4, until, depth)
        if t < NEVER:
            return t
    return first_descent(0.0, max(c1, 0.0), c2, c3, c4, until, depth)


@kernel("f8(f8,f8,f8,f8,f8,f8,f8,f8,f8,f8,f8,b1)")
def sphere_meeting(
    dx: float, dy: float, dz: float,
    ux: float, uy: float, uz: float,
    bx: float, by: float, bz: float,
    reach: float, until: float, touching: bool,
) -> float:  # fmt: skip
    """First t where |d + u t + b t^2| falls to ``reach``, or NEVER; ``b`` is half an acceleration.

    ``touching``: at t = 0 the distance is ``reach``, and the caller has decided that this is no
    contact; only a later one counts, and only if they would come to overlap by what matters.
    """
    d2 = dx * dx + dy * dy + dz * dz
    u2 = ux * ux + uy * uy + uz * uz
    b2 = bx * bx + by * by + bz * bz
    far = sqrt(u2) * until + sqrt(b2) * until * until + reach
    if d2 > far * far:
        return NEVER
    c1 = 2.0 * (dx * ux + dy * uy + dz * uz)
    c0 = d2 - reach * reach
    c2 = u2 + 2.0 * (dx * bx + dy * by + dz * bz)
    c3 = 2.0 * (ux * bx + uy * by + uz * bz)
    if c1 >= 0.0 and c2 >= 0.0 and c3 >= 0.0:
        return NEVER
    if touching:
        return next_descent(c1, c2, c3, b2, until, 2.0 * reach * SHALLOW)
    return first_descent(c0, c1, c2, c3, b2, until, 2.0 * reach * GRAZE)


@kernel("f8(f8,f8,f8,f8,f8,f8,f8)")
def descent_after(
    c1: float, c2: float, c3: float, c4: float, after: float, until: float, depth: float
) -> float:
    """The descent of a quartic, as in ``first_descent``, that follows the one at ``after``.

    What has an end is passed beside it and met afterwards by a ball that rises and falls.
    """
    t = first_descent(
        0.0,
        c1 + after * (2.0 * c2 + after * (3.0 * c3 + after * 4.0 * c4)),
        c2 + after * (3.0 * c3 + after * 6.0 * c4),
        c3 + after * 4.0 * c4,
        c4,
        until - after,
        depth,
    )
    return after + t if t < NEVER else NEVER


@kernel("f8(f8,f8,f8,f8,f8,f8,f8,f8,f8,f8,f8,f8)")
def meeting_after(
    dx: float, dy: float, dz: float,
    ux: float, uy: float, uz: float,
    bx: float, by: float, bz: float,
    reach: float, after: float, until: float,
) -> float:  # fmt: skip
    """The time of ``sphere_meeting`` that follows the one ``after``, or NEVER."""
    return descent_after(
        2.0 * (dx * ux + dy * uy + dz * uz),
        ux * ux + uy * uy + uz * uz + 2.0 * (dx * bx + dy * by + dz * bz),
        2.0 * (ux * bx + uy * by + uz * bz),
        bx * bx + by * by + bz * bz,
        after,
        until,
        2.0 * reach * GRAZE,
    )


@kernel("f8(f8,f8,f8,f8)")
def line_meeting(c0: float, c1: float, c2: float, until: float) -> float:
    """First t in (0, until] where c0 + c1 t + c2 t^2 falls through 0, or NEVER."""
    if c2 == 0.0:
        if c1 >= 0.0:
            return NEVER
        t = -c0 / c1
    else:
        disc = c1 * c1 - 4.0 * c2 * c0
        if disc <= 0.0:
            return NEVER
        root = sqrt(disc)
        # The falling root is (-c1 - root) / (2 c2), written so that nothing cancels.
        t = 2.0 * c0 / (root - c1) if c1 < 0.0 else -(c1 + root) / (2.0 * c2)
    return t if 0.0 < t <= until else NEVER
