"""What holds at every instant of a run, read from its pieces without sampling.

Pieces are quadratics in time, so the squared distance of two balls, or of a ball and a point, is
a quartic: its least value lies at an end or where a cubic vanishes, and the roots of a cubic are
bracketed by its own turning points.
"""

import math

import numba
import numpy as np

#: Columns of a row: start, end, pos, vel, acc, spin, spin_acc, motion.
START, END, POS, VEL, ACC, SPIN, SPIN_ACC, MOTION, WIDTH = 0, 1, 2, 5, 8, 11, 14, 17, 18
NOTHING = 1e300
#: Of m g R: what the integration of a path about an edge may err by in energy, a piece.
LIP_SLACK = 1e-5


def rows_of(outcome, ball):
    """The pieces of a ball as rows; the last one ends with the run."""
    pieces = outcome.pieces[ball]
    rows = np.empty((len(pieces), WIDTH))
    for k, p in enumerate(pieces):
        end = pieces[k + 1].start if k + 1 < len(pieces) else max(outcome.duration, p.start)
        rows[k] = (p.start, end, *p.pos, *p.vel, *p.acc, *p.spin, *p.spin_acc, p.motion)
    return rows


@numba.njit(cache=True)
def _value(c, t):
    return c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * c[4])))


@numba.njit(cache=True)
def _cubic_root(d0, d1, d2, d3, a, b):
    """Root of a cubic in [a, b], where it is monotone, or NOTHING."""
    fa = d0 + a * (d1 + a * (d2 + a * d3))
    fb = d0 + b * (d1 + b * (d2 + b * d3))
    if (fa > 0.0) == (fb > 0.0):
        return NOTHING
    for _ in range(200):
        t = 0.5 * (a + b)
        if t in (a, b):
            break
        f = d0 + t * (d1 + t * (d2 + t * d3))
        if (f > 0.0) == (fa > 0.0):
            a = t
        else:
            b = t
    return 0.5 * (a + b)


@numba.njit(cache=True)
def least(c, until):
    """Least value of the quartic ``c`` in [0, until], and where."""
    best, at = _value(c, 0.0), 0.0
    f = _value(c, until)
    if f < best:
        best, at = f, until
    d0, d1, d2, d3 = c[1], 2.0 * c[2], 3.0 * c[3], 4.0 * c[4]
    turns = np.array([0.0, until, until, until])
    count = 1
    if d3 != 0.0:
        disc = 4.0 * d2 * d2 - 12.0 * d3 * d1
        if disc > 0.0:
            root = math.sqrt(disc)
            q = -0.5 * (2.0 * d2 + root) if d2 >= 0.0 else -0.5 * (2.0 * d2 - root)
            r1 = q / (3.0 * d3)
            r2 = d1 / q if q != 0.0 else r1
            for r in (min(r1, r2), max(r1, r2)):
                if 0.0 < r < until:
                    turns[count] = r
                    count += 1
    elif d2 != 0.0:
        r = -d1 / (2.0 * d2)
        if 0.0 < r < until:
            turns[count] = r
            count += 1
    turns[count] = until
    for k in range(count):
        t = _cubic_root(d0, d1, d2, d3, turns[k], turns[k + 1])
        if t < NOTHING:
            f = _value(c, t)
            if f < best:
                best, at = f, t
    return best, at


@numba.njit(cache=True)
def _quartic(p, q, at, flat, c):
    """Squared distance of two moving points from ``at`` on; ``flat``: in the plane."""
    for k in range(5):
        c[k] = 0.0
    for x in range(2 if flat else 3):
        sp, sq = at - p[START], at - q[START]
        d = (q[POS + x] - p[POS + x]) + (
            (q[VEL + x] + 0.5 * q[ACC + x] * sq) * sq - (p[VEL + x] + 0.5 * p[ACC + x] * sp) * sp
        )
        u = (q[VEL + x] + q[ACC + x] * sq) - (p[VEL + x] + p[ACC + x] * sp)
        b = 0.5 * (q[ACC + x] - p[ACC + x])
        c[0] += d * d
        c[1] += 2.0 * d * u
        c[2] += u * u + 2.0 * d * b
        c[3] += 2.0 * u * b
        c[4] += b * b


@numba.njit(cache=True)
def nearest(a, b, reach, flat, gone):
    """Least distance of two balls (rows of pieces) beyond ``reach``, and when.

    Pieces of motion ``gone`` or more are no balls any more.  Distances beyond what matters are
    not worked out: the answer is then some positive gap.
    """
    c = np.empty(5)
    i, j = 0, 0
    best, when = NOTHING, 0.0
    while i < a.shape[0] and j < b.shape[0]:
        start = max(a[i, START], b[j, START])
        end = min(a[i, END], b[j, END])
        if end >= start and a[i, MOTION] < gone and b[j, MOTION] < gone:
            _quartic(a[i], b[j], start, flat, c)
            lasts = end - start
            u2, acc2 = 0.0, 0.0
            for x in range(3):
                u = (b[j, VEL + x] + b[j, ACC + x] * (start - b[j, START])) - (
                    a[i, VEL + x] + a[i, ACC + x] * (start - a[i, START])
                )
                u2 += u * u
                acc2 += (b[j, ACC + x] - a[i, ACC + x]) ** 2
            low = math.sqrt(c[0]) - (math.sqrt(u2) + 0.5 * math.sqrt(acc2) * lasts) * lasts - reach
            if low < 0.0 and low < best:
                d2, at = least(c, lasts)
                gap = math.sqrt(max(d2, 0.0)) - reach
                if gap < best:
                    best, when = gap, start + at
            elif low < best:
                best, when = low, start
        if a[i, END] <= b[j, END]:
            i += 1
        else:
            j += 1
    return best, when


@numba.njit(cache=True)
def deepest_overlap(a, b, reach, gone):
    """How deep two balls are ever inside each other (m, at least 0), and when."""
    gap, when = nearest(a, b, reach, False, gone)
    return max(-gap, 0.0), when


@numba.njit(cache=True)
def _path_box(p, box):
    """Box about the path of a piece in the plane."""
    until = p[END] - p[START]
    for x in range(2):
        d, v, a = p[POS + x], p[VEL + x], p[ACC + x]
        end = d + (v + 0.5 * a * until) * until
        box[2 * x], box[2 * x + 1] = min(d, end), max(d, end)
        if a != 0.0 and 0.0 < -v / a < until:
            top = d - 0.5 * v * v / a
            box[2 * x], box[2 * x + 1] = min(box[2 * x], top), max(box[2 * x + 1], top)


@numba.njit(cache=True)
def _off_point(p, x, y, z, reach, flat):
    """Least distance of a piece from a point, beyond ``reach``, and when."""
    point = np.zeros(WIDTH)
    point[POS], point[POS + 1], point[POS + 2], point[START] = x, y, z, p[START]
    c = np.empty(5)
    _quartic(p, point, p[START], flat, c)
    d2, at = least(c, p[END] - p[START])
    return math.sqrt(max(d2, 0.0)) - reach, p[START] + at


@numba.njit(cache=True)
def _roots(c0, c1, c2, until, out, count):
    """Append the roots in (0, until) of a quadratic to ``out``."""
    if c2 == 0.0:
        if c1 != 0.0 and 0.0 < -c0 / c1 < until:
            out[count] = -c0 / c1
            count += 1
        return count
    disc = c1 * c1 - 4.0 * c2 * c0
    if disc < 0.0:
        return count
    root = math.sqrt(disc)
    q = -0.5 * (c1 + root) if c1 >= 0.0 else -0.5 * (c1 - root)
    for r in (q / c2, c0 / q if q != 0.0 else q / c2):
        if 0.0 < r < until:
            out[count] = r
            count += 1
    return count


@numba.njit(cache=True)
def _off_edge(p, e, reach, depth, height, flies):
    """Least distance of a piece from the line of a straight cushion, beyond ``reach``, and when.

    ``e``: start, direction along, normal into the table, length.  On the bed the distance is in
    the plane and signed; only what is beside the line's own length and no deeper than ``depth``
    behind it counts.
    """
    until = p[END] - p[START]
    px, py = p[POS] - e[0], p[POS + 1] - e[1]
    g0 = px * e[4] + py * e[5]
    g1 = p[VEL] * e[4] + p[VEL + 1] * e[5]
    g2 = 0.5 * (p[ACC] * e[4] + p[ACC + 1] * e[5])
    f0 = px * e[2] + py * e[3]
    f1 = p[VEL] * e[2] + p[VEL + 1] * e[3]
    f2 = 0.5 * (p[ACC] * e[2] + p[ACC + 1] * e[3])
    z0, z1, z2 = p[POS + 2] - height, p[VEL + 2], 0.5 * p[ACC + 2]
    times = np.empty(12)
    times[0], times[1] = 0.0, until
    count = _roots(f0, f1, f2, until, times, 2)
    count = _roots(f0 - e[6], f1, f2, until, times, count)
    if flies:
        c = np.array([
            g0 * g0 + z0 * z0, 2.0 * (g0 * g1 + z0 * z1),
            g1 * g1 + 2.0 * g0 * g2 + z1 * z1 + 2.0 * z0 * z2, 2.0 * (g1 * g2 + z1 * z2),
            g2 * g2 + z2 * z2,
        ])  # fmt: skip
        times[count] = least(c, until)[1]
        count += 1
    else:
        count = _roots(g1, 2.0 * g2, 0.0, until, times, count)
        count = _roots(g0, g1, g2, until, times, count)
    best, when = NOTHING, 0.0
    for k in range(count):
        t = times[k]
        foot = f0 + (f1 + f2 * t) * t
        gap = g0 + (g1 + g2 * t) * t
        if not -1e-12 <= foot <= e[6] + 1e-12 or gap < -depth:
            continue
        off = (math.hypot(gap, z0 + (z1 + z2 * t) * t) if flies else gap) - reach
        if off < best:
            best, when = off, p[START] + t
    return best, when


@numba.njit(cache=True)
def nearest_cushion(a, edges, corners, radius, height, depth, gone):
    """How near a ball ever comes to noses, facings and jaw points, beyond touching, and when.

    On the bed it touches them at sqrt(R^2 - (h - R)^2), in the air at its radius from the line at
    nose height.  Negative where it is inside.
    """
    flat = math.sqrt(max(0.0, radius * radius - (height - radius) ** 2))
    box = np.empty(4)
    best, when = NOTHING, 0.0
    for i in range(a.shape[0]):
        if a[i, MOTION] >= gone:
            continue
        _path_box(a[i], box)
        # On a rail, too, it is the distance in space that counts.
        flies = a[i, MOTION] == 4.0 or abs(a[i, POS + 2] - radius) > 1e-12
        reach = radius if flies else flat
        for k in range(edges.shape[0]):
            ax, ay = edges[k, 0], edges[k, 1]
            bx, by = ax + edges[k, 2] * edges[k, 6], ay + edges[k, 3] * edges[k, 6]
            far = max(reach, depth)
            if box[0] > max(ax, bx) + far or box[1] < min(ax, bx) - far:
                continue
            if box[2] > max(ay, by) + far or box[3] < min(ay, by) - far:
                continue
            off, at = _off_edge(a[i], edges[k], reach, depth, height, flies)
            if off < best:
                best, when = off, at
        for k in range(corners.shape[0]):
            x, y = corners[k, 0], corners[k, 1]
            if box[0] > x + reach or box[1] < x - reach:
                continue
            if box[2] > y + reach or box[3] < y - reach:
                continue
            off, at = _off_point(a[i], x, y, height, reach, not flies)
            if off < best:
                best, when = off, at
    return best, when


@numba.njit(cache=True)
def energy_at(a, i, t, mass, radius, gravity):
    """Energy of motion and height of a ball ``t`` seconds into its piece ``i`` (J)."""
    v2, w2 = 0.0, 0.0
    for x in range(3):
        v2 += (a[i, VEL + x] + a[i, ACC + x] * t) ** 2
        w2 += (a[i, SPIN + x] + a[i, SPIN_ACC + x] * t) ** 2
    z = a[i, POS + 2] + (a[i, VEL + 2] + 0.5 * a[i, ACC + 2] * t) * t
    return mass * (0.5 * v2 + 0.2 * radius * radius * w2 + gravity * z)


@numba.njit(cache=True)
def energy_steps(a, mass, radius, gravity, out):
    """Rows (time, gain) of a ball: what it gains where a piece begins.

    Returns the greatest gain within a piece.  Short pieces that stand for a path about an edge
    are no exact solutions: what they lose on the way counts with what the next one gains.
    """
    within = -NOTHING
    last = 0.0
    for i in range(a.shape[0]):
        first = energy_at(a, i, 0.0, mass, radius, gravity)
        out[i, 0], out[i, 1] = a[i, START], (first - last if i else 0.0)
        last = energy_at(a, i, a[i, END] - a[i, START], mass, radius, gravity)
        free = a[i, ACC] == 0.0 and a[i, ACC + 1] == 0.0 and a[i, ACC + 2] == -gravity
        on_bed = a[i, MOTION] != 4.0 and abs(a[i, POS + 2] - radius) <= 1e-12
        if a[i, MOTION] < 5.0 and not on_bed and not free:
            last = first + LIP_SLACK * mass * gravity * radius
        else:
            within = max(within, last - first)
    return within


@numba.njit(cache=True)
def largest_jump(a):
    """Greatest distance between the end of a piece and the start of the next (m), and when."""
    worst, when = 0.0, 0.0
    for i in range(a.shape[0] - 1):
        t = a[i, END] - a[i, START]
        d2 = 0.0
        for x in range(3):
            p = a[i, POS + x] + (a[i, VEL + x] + 0.5 * a[i, ACC + x] * t) * t
            d2 += (a[i + 1, POS + x] - p) ** 2
        if d2 > worst * worst:
            worst, when = math.sqrt(d2), a[i + 1, START]
    return worst, when
