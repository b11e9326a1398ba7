"""The tops of the rails: what a flying ball meets there, and where it is nearest to one.

Rows are faces, ridges and points (``physics.rail_mesh``).  A flying ball meets a face when its
centre comes within R of the plane over the face (a quadratic in time), a ridge or a point when it
comes within R of it (quartics).
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.contact_times import (
    held_together,
    line_meeting,
    meeting_after,
    meets_now,
    sphere_meeting,
)
from physics.layout import (
    ACC,
    AIR,
    CREEP,
    F_TOP,
    FACE,
    HELD,
    HOLE,
    LEAST_TOP_BOUNCE,
    MOTION,
    NEVER,
    PERCH,
    POS,
    RADIUS,
    SHALLOW,
    TOP_A,
    TOP_B,
    TOP_C,
    TOP_HIGH,
    TOP_KIND,
    TOP_LEN,
    TOP_LOW,
    TOP_N,
    TOUCH,
    VEL,
)
from physics.offers import offer

Array = NDArray[np.float64]

SLIPPED_IN = 1e-6  # m: a ball that has sunk into a face by less than this touches it
ASIDE = 2e-6  # m: so far beyond its edges a face still bears a ball
AS_NEAR = 1e-12  # m: faces whose distances differ by less are as near
NEAR_TOP = 2e-6  # m: a ball nearer than this to a top touches it
LEAST_UP = 0.05  # upward part of a normal under which nothing can lie on a face


@kernel("f8(f8[::1], f8[::1])")
def dot(a: Array, b: Array) -> float:
    """Scalar product of two vectors."""
    result: float = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return result


@kernel("f8(f8[:,::1], i8, i8, i8, i8, f8[::1])")
def _edge_dot(tops: Array, k: int, start: int, end: int, origin: int, at: Array) -> float:
    """Of face ``k``: the edge between two corners (their columns), times ``at`` - ``origin``."""
    total = 0.0
    for x in range(3):
        total += (tops[k, end + x] - tops[k, start + x]) * (at[x] - tops[k, origin + x])
    return total


@kernel("void(f8[:,::1], i8, f8[::1], f8[::1])")
def nearest_on_face(tops: Array, k: int, at: Array, out: Array) -> None:
    """The point of face ``k`` nearest to ``at``, into ``out`` (Ericson 2005, 5.1.5)."""
    d1 = _edge_dot(tops, k, TOP_A, TOP_B, TOP_A, at)
    d2 = _edge_dot(tops, k, TOP_A, TOP_C, TOP_A, at)
    d3 = _edge_dot(tops, k, TOP_A, TOP_B, TOP_B, at)
    d4 = _edge_dot(tops, k, TOP_A, TOP_C, TOP_B, at)
    d5 = _edge_dot(tops, k, TOP_A, TOP_B, TOP_C, at)
    d6 = _edge_dot(tops, k, TOP_A, TOP_C, TOP_C, at)
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    # Shares of the corners b and c in the point; the rest is a's.
    if d1 <= 0.0 and d2 <= 0.0:
        of_b, of_c = 0.0, 0.0
    elif d3 >= 0.0 and d4 <= d3:
        of_b, of_c = 1.0, 0.0
    elif vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        of_b, of_c = d1 / (d1 - d3), 0.0
    elif d6 >= 0.0 and d5 <= d6:
        of_b, of_c = 0.0, 1.0
    elif vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        of_b, of_c = 0.0, d2 / (d2 - d6)
    elif va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        of_c = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        of_b = 1.0 - of_c
    else:
        of_b, of_c = vb / (va + vb + vc), vc / (va + vb + vc)
    for x in range(3):
        a = tops[k, TOP_A + x]
        out[x] = a + of_b * (tops[k, TOP_B + x] - a) + of_c * (tops[k, TOP_C + x] - a)


@kernel("i8(f8[:,::1], f8[::1], f8, f8[::1])")
def nearest_top(tops: Array, at: Array, reach: float, out: Array) -> int:
    """The face nearest to a point and within ``reach`` of it, or -1.

    ``out`` gets the unit vector from the face to the point, and the distance.  By ASIDE beyond an
    edge of it that is the face's normal, as in ``_face_time``: else a ball that goes over the edge
    would be turned down along the ridge and into the plane of the face again, without end.  Of
    faces that meet in the nearest place it is the one over which the point is, or nearly.
    """
    best = -1
    least, most = reach, 0.0
    point = np.empty(3)
    for k in range(tops.shape[0]):
        if tops[k, TOP_KIND] != FACE:
            continue
        away = False
        for x in range(3):
            away = away or at[x] < tops[k, TOP_LOW + x] - least - AS_NEAR
            away = away or at[x] > tops[k, TOP_HIGH + x] + least + AS_NEAR
        if away:
            continue
        nearest_on_face(tops, k, at, point)
        distance = sqrt((at[0] - point[0]) ** 2 + (at[1] - point[1]) ** 2 + (at[2] - point[2]) ** 2)
        if not 0.0 < distance < least + (AS_NEAR if best >= 0 else 0.0):
            continue
        upright = 0.0
        for x in range(3):
            upright += (at[x] - point[x]) / distance * tops[k, TOP_N + x]
        if best < 0 or distance < least - AS_NEAR or upright > most:
            best, least, most = k, distance, upright
            for x in range(3):
                out[x] = (at[x] - point[x]) / distance
            out[3] = distance
    if most > 0.0 and out[3] * out[3] * (1.0 - most * most) < ASIDE * ASIDE:
        for x in range(3):
            out[x] = tops[best, TOP_N + x]
        out[3] *= most
    return best


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8)")
def _face_time(s: Array, i: int, tops: Array, k: int, until: float) -> float:
    """When flying ball ``i`` meets face ``k``, in seconds after its T0."""
    normal = tops[k, TOP_N : TOP_N + 3]
    radius = s[i, RADIUS]
    gap, rate, half = -radius, 0.0, 0.0
    for x in range(3):
        gap += (s[i, POS + x] - tops[k, TOP_A + x]) * normal[x]
        rate += s[i, VEL + x] * normal[x]
        half += 0.5 * s[i, ACC + x] * normal[x]
    # A ball that lies against a ridge may be behind the plane of a face beyond it, and comes out.
    if -SLIPPED_IN < gap < TOUCH:
        pressed = rate < CREEP and held_together(-rate, 2.0 * half, until)
        t = 0.0 if rate < -CREEP or pressed else line_meeting(max(gap, 0.0), rate, half, until)
    else:
        t = line_meeting(gap, rate, half, until)
    if t >= NEVER:
        return NEVER
    foot, point = np.empty(3), np.empty(3)
    for x in range(3):
        foot[x] = s[i, POS + x] + (s[i, VEL + x] + 0.5 * s[i, ACC + x] * t) * t
        foot[x] -= radius * normal[x]
    nearest_on_face(tops, k, foot, point)
    aside = (foot[0] - point[0]) ** 2 + (foot[1] - point[1]) ** 2 + (foot[2] - point[2]) ** 2
    return t if aside < ASIDE * ASIDE else NEVER


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8)")
def _ridge_time(s: Array, i: int, tops: Array, k: int, until: float) -> float:
    """When flying ball ``i`` meets ridge or point ``k``, in seconds after its T0."""
    d, u, b = np.empty(3), np.empty(3), np.empty(3)
    for x in range(3):
        d[x] = s[i, POS + x] - tops[k, TOP_A + x]
        u[x] = s[i, VEL + x]
        b[x] = 0.5 * s[i, ACC + x]
    along = tops[k, TOP_N : TOP_N + 3]
    d0, u0, b0 = dot(d, along), dot(u, along), dot(b, along)
    for x in range(3):
        d[x] -= d0 * along[x]
        u[x] -= u0 * along[x]
        b[x] -= b0 * along[x]
    radius, length = s[i, RADIUS], tops[k, TOP_LEN]
    d2 = dot(d, d)
    # Nearer than counts as an overlap: who rolls off a ridge's end passes its point as near by.
    touching = (radius - SLIPPED_IN) ** 2 < d2 < (radius + SHALLOW) ** 2
    touching = touching and -TOUCH <= d0 <= length + TOUCH
    lasts = until
    if touching:
        size = sqrt(d2)
        closing = -dot(d, u) / size
        pull = 2.0 * dot(d, b) / size
        # What presses presses no longer than the ridge lasts.
        left = length - d0 if u0 > 0.0 else d0
        if u0 != 0.0:
            lasts = min(until, max(left, 0.0) / abs(u0))
        if meets_now(closing, pull, dot(u, u), size, lasts):
            return 0.0
    t = sphere_meeting(d[0], d[1], d[2], u[0], u[1], u[2], b[0], b[1], b[2], radius, until,
                       touching)  # fmt: skip
    if t < lasts < until and touching:
        # As little does it meet what it comes to overlap only beyond the ridge's end.
        overlaps = sphere_meeting(d[0], d[1], d[2], u[0], u[1], u[2], b[0], b[1], b[2], radius,
                                  lasts, touching)  # fmt: skip
        if overlaps >= NEVER:
            t = meeting_after(d[0], d[1], d[2], u[0], u[1], u[2], b[0], b[1], b[2], radius, t,
                              until)  # fmt: skip
    for _ in range(2):
        if t >= NEVER or -TOUCH <= d0 + (u0 + b0 * t) * t <= length + TOUCH:
            return t
        t = meeting_after(d[0], d[1], d[2], u[0], u[1], u[2], b[0], b[1], b[2], radius, t, until)
    return NEVER


@kernel("void(f8[:,::1], i8, f8, f8[:,::1])")
def top_features(s: Array, i: int, until: float, tops: Array) -> None:
    """Faces, ridges and points of the rails that flying ball ``i`` meets in ``until`` seconds."""
    low, high = np.empty(3), np.empty(3)
    for x in range(3):
        p, v, a = s[i, POS + x], s[i, VEL + x], s[i, ACC + x]
        end = p + (v + 0.5 * a * until) * until
        low[x], high[x] = min(p, end), max(p, end)
        if a != 0.0 and 0.0 < -v / a < until:
            turn = p - 0.5 * v * v / a
            low[x], high[x] = min(low[x], turn), max(high[x], turn)
    far = s[i, RADIUS] + 2.0 * SLIPPED_IN
    for k in range(tops.shape[0]):
        x = 0
        while (
            x < 3
            and high[x] >= tops[k, TOP_LOW + x] - far
            and low[x] <= tops[k, TOP_HIGH + x] + far
        ):
            x += 1
        if x < 3:
            continue
        if tops[k, TOP_KIND] == FACE:
            offer(s, i, _face_time(s, i, tops, k, until), F_TOP, k)
        else:
            offer(s, i, _ridge_time(s, i, tops, k, until), F_TOP, k)


@kernel("void(f8[:,::1], i8, i8, f8[:,::1], f8[::1])")
def top_normal(s: Array, i: int, k: int, tops: Array, normal: Array) -> None:
    """Unit vector from row ``k`` of the rails to ball ``i``, which touches it."""
    if tops[k, TOP_KIND] == FACE:
        for x in range(3):
            normal[x] = tops[k, TOP_N + x]
        return
    d0 = 0.0
    for x in range(3):
        normal[x] = s[i, POS + x] - tops[k, TOP_A + x]
        d0 += normal[x] * tops[k, TOP_N + x]
    for x in range(3):
        normal[x] -= d0 * tops[k, TOP_N + x]
    size = sqrt(dot(normal, normal))
    for x in range(3):
        normal[x] /= size


@kernel("void(f8[:,::1], i8, f8[:,::1])")
def perch(s: Array, i: int, tops: Array) -> None:
    """After a contact: let ball ``i`` slide or roll on a rail that it hardly bounces off.

    One that comes out of a pocket and lies on a rail is in the pocket no more.
    """
    if s[i, MOTION] != AIR:
        return
    out = np.empty(4)
    radius = s[i, RADIUS]
    if nearest_top(tops, s[i, POS : POS + 3].copy(), radius + NEAR_TOP, out) < 0:
        return
    leaving = dot(s[i, VEL : VEL + 3], out[:3])
    if out[2] < LEAST_UP or abs(out[3] - radius) > NEAR_TOP:
        return
    if -CREEP <= leaving < LEAST_TOP_BOUNCE * out[2]:
        for x in range(3):
            s[i, VEL + x] -= leaving * out[x]
        s[i, PERCH], s[i, HOLE], s[i, HELD] = 0.0, -1.0, 0.0
