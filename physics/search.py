"""The next contact of each ball: with another ball, a cushion, a jaw, a drop edge, bed or liner.

Times are absolute.  A result holds until one of the balls begins a new piece, so after a contact
only the pairs and features of the balls that it moved are looked up again.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.arithmetic import length
from physics.compiled import kernel
from physics.contact_times import (
    descent_after,
    first_descent,
    haste,
    held_together,
    line_meeting,
    meets_now,
    next_descent,
    sphere_meeting,
)
from physics.falling import flight_features, nearest_hole
from physics.layout import (
    ACC,
    AIR,
    BOUNDED,
    CORNER_COS,
    CORNER_DX,
    CORNER_DY,
    CORNER_RADIUS,
    CORNER_X,
    CORNER_Y,
    CREEP,
    CUSHION_DEPTH,
    DEPTH,
    DRAFT_COS,
    DRAFT_SIN,
    EDGE_LEN,
    EDGE_NX,
    EDGE_NY,
    EDGE_TX,
    EDGE_TY,
    EDGE_X,
    EDGE_Y,
    F_CORNER,
    F_DROP,
    F_EDGE,
    F_NONE,
    FEATURE,
    FEATURE_T,
    GRAZE,
    HALF_LENGTH,
    HALF_WIDTH,
    HOLE,
    HOLE_RADIUS,
    HOLE_X,
    HOLE_Y,
    LEANS_STILL,
    LONGEST_RUN,
    MOTION,
    NEVER,
    NOSE,
    PERCH,
    POCKETED,
    POS,
    RADIUS,
    ROLL,
    SHALLOW,
    SINK,
    SPINNING,
    T0,
    T_END,
    TOUCH,
    VEL,
)
from physics.offers import offer
from physics.pocket_walls import facing_features, pocket_features
from physics.rail_tops import top_features
from physics.slate_edges import place, ring_time
from physics.tip import tip_features

Array = NDArray[np.float64]

LEAST_LET_IN = 0.25  # of SINK: a leaning ball falls as far at least before it is tapped
SLIPPED_IN = 1e-6  # m: a ball nearer than this behind a nose line counts as touching it


@kernel("f8(f8[:,::1], i8, i8, f8)")
def pair_time(s: Array, i: int, j: int, now: float) -> float:
    """When balls ``i`` and ``j`` next touch while approaching, or NEVER (s, absolute)."""
    mi, mj = s[i, MOTION], s[j, MOTION]
    if mi >= POCKETED or mj >= POCKETED:
        return NEVER
    if mi <= SPINNING and mj <= SPINNING:
        return NEVER
    ti, tj = now - s[i, T0], now - s[j, T0]
    dx = (s[j, POS] + (s[j, VEL] + 0.5 * s[j, ACC] * tj) * tj) - (
        s[i, POS] + (s[i, VEL] + 0.5 * s[i, ACC] * ti) * ti
    )
    dy = (s[j, POS + 1] + (s[j, VEL + 1] + 0.5 * s[j, ACC + 1] * tj) * tj) - (
        s[i, POS + 1] + (s[i, VEL + 1] + 0.5 * s[i, ACC + 1] * ti) * ti
    )
    dz = (s[j, POS + 2] + (s[j, VEL + 2] + 0.5 * s[j, ACC + 2] * tj) * tj) - (
        s[i, POS + 2] + (s[i, VEL + 2] + 0.5 * s[i, ACC + 2] * ti) * ti
    )
    ux = (s[j, VEL] + s[j, ACC] * tj) - (s[i, VEL] + s[i, ACC] * ti)
    uy = (s[j, VEL + 1] + s[j, ACC + 1] * tj) - (s[i, VEL + 1] + s[i, ACC + 1] * ti)
    uz = (s[j, VEL + 2] + s[j, ACC + 2] * tj) - (s[i, VEL + 2] + s[i, ACC + 2] * ti)
    bx = 0.5 * (s[j, ACC] - s[i, ACC])
    by = 0.5 * (s[j, ACC + 1] - s[i, ACC + 1])
    bz = 0.5 * (s[j, ACC + 2] - s[i, ACC + 2])
    reach = s[i, RADIUS] + s[j, RADIUS]
    d2 = dx * dx + dy * dy + dz * dz
    until = min(min(s[i, T_END], s[j, T_END]) - now, LONGEST_RUN)
    touching = d2 < (reach + TOUCH) * (reach + TOUCH)
    flies = mi == AIR or mj == AIR
    if touching and flies and haste(dx, dy, dz, ux, uy, uz, bx, by, bz) < LEANS_STILL:
        # On rungs of its own, or each tap from elsewhere would let it in anew and deeper.
        rung = int(max(0.0, (reach - sqrt(d2)) / SINK) + LEAST_LET_IN) + 1
        reach, touching = reach - rung * SINK, False
    elif touching:
        size = sqrt(d2)
        closing = -(dx * ux + dy * uy + dz * uz) / size
        pull = 2.0 * (dx * bx + dy * by + dz * bz) / size
        if meets_now(closing, pull, ux * ux + uy * uy + uz * uz, size, until):
            return now
    t = NEVER
    if touching and flies and d2 < (reach - 1.5 * SINK) * (reach - 1.5 * SINK):
        # What was let in on lower rungs and hops out of it is let in on the first again, or each
        # such hop would begin deeper.
        t = sphere_meeting(dx, dy, dz, ux, uy, uz, bx, by, bz, reach - SINK, until, False)
    if t >= NEVER:
        t = sphere_meeting(dx, dy, dz, ux, uy, uz, bx, by, bz, reach, until, touching)
    if t < NEVER and flies and not touching:
        hop = haste(
            dx + (ux + bx * t) * t, dy + (uy + by * t) * t, dz + (uz + bz * t) * t,
            ux + 2.0 * bx * t, uy + 2.0 * by * t, uz + 2.0 * bz * t, bx, by, bz,
        )  # fmt: skip
        if hop < LEANS_STILL:
            t = sphere_meeting(
                dx, dy, dz, ux, uy, uz, bx, by, bz, reach - SINK, until, False
            )  # fmt: skip
    return now + t if t < NEVER else NEVER


@kernel("UniTuple(f8,4)(f8[:,::1], i8, f8)")
def _path_box(s: Array, i: int, until: float) -> tuple[float, float, float, float]:
    """Smallest and greatest x and y of ball ``i`` in the ``until`` seconds after its T0."""
    low = np.empty(2)
    high = np.empty(2)
    for k in range(2):
        p, v, a = s[i, POS + k], s[i, VEL + k], s[i, ACC + k]
        end = p + (v + 0.5 * a * until) * until
        low[k], high[k] = min(p, end), max(p, end)
        if a != 0.0:
            turn = -v / a
            if 0.0 < turn < until:
                top = p + 0.5 * v * turn
                low[k], high[k] = min(low[k], top), max(high[k], top)
    return low[0], high[0], low[1], high[1]


@kernel("b1(f8[:,::1], i8, f8[:,::1], i8, f8)")
def _beside_line(s: Array, i: int, edges: Array, e: int, t: float) -> bool:
    """Whether ball ``i`` is between the ends of edge ``e`` then."""
    foot = (place(s, i, 0, t) - edges[e, EDGE_X]) * edges[e, EDGE_TX]
    foot += (place(s, i, 1, t) - edges[e, EDGE_Y]) * edges[e, EDGE_TY]
    beside: bool = 0.0 <= foot <= edges[e, EDGE_LEN]
    return beside


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8[::1], f8, f8)")
def _edge_time(
    s: Array, i: int, edges: Array, e: int, par: Array, reach: float, until: float
) -> float:
    """When ball ``i`` meets edge ``e``, in seconds after its T0."""
    nx, ny = edges[e, EDGE_NX], edges[e, EDGE_NY]
    tx, ty = edges[e, EDGE_TX], edges[e, EDGE_TY]
    px, py = s[i, POS] - edges[e, EDGE_X], s[i, POS + 1] - edges[e, EDGE_Y]
    gap = px * nx + py * ny
    rate = s[i, VEL] * nx + s[i, VEL + 1] * ny
    half = 0.5 * (s[i, ACC] * nx + s[i, ACC + 1] * ny)
    foot = px * tx + py * ty
    length = edges[e, EDGE_LEN]
    if s[i, MOTION] == AIR:
        z, zv, za = s[i, POS + 2] - par[NOSE], s[i, VEL + 2], 0.5 * s[i, ACC + 2]
        radius = s[i, RADIUS]
        d2 = gap * gap + z * z
        touches = d2 < (radius + TOUCH) ** 2 and 0.0 <= foot <= length
        c0, c1 = d2 - radius * radius, 2.0 * (gap * rate + z * zv)
        if touches:
            closing = -0.5 * c1 / radius
            pull = 2.0 * (gap * half + z * za) / radius
            if meets_now(closing, pull, rate * rate + zv * zv, radius, until):
                return 0.0
        c2 = rate * rate + 2.0 * gap * half + zv * zv + 2.0 * z * za
        c3, c4 = 2.0 * (rate * half + zv * za), half * half + za * za
        depth = 2.0 * radius * (SHALLOW if touches else GRAZE)
        if touches:
            t = next_descent(c1, c2, c3, c4, until, depth)
        else:
            t = first_descent(c0, c1, c2, c3, c4, until, depth)
        if t < NEVER and not _beside_line(s, i, edges, e, t):
            t = descent_after(c1, c2, c3, c4, t, until, depth)
    else:
        near = gap - reach
        if -SLIPPED_IN < near < TOUCH and -TOUCH <= foot <= length + TOUCH:
            pressed = rate < CREEP and held_together(-rate, 2.0 * half, until)
            if rate < -CREEP or pressed:
                return 0.0
            if near <= 0.0:
                near = 0.0
            if near + (rate + half * until) * until > -SHALLOW:
                return NEVER
        t = line_meeting(near, rate, half, until)
    return t if t < NEVER and _beside_line(s, i, edges, e, t) else NEVER


@kernel("f8(f8[:,::1], i8, f8, f8, f8, f8, f8)")
def _point_time(
    s: Array, i: int, x: float, y: float, z: float, reach: float, until: float
) -> float:
    """When ball ``i`` comes within ``reach`` of a point (in the plane, unless it flies)."""
    dx, dy = s[i, POS] - x, s[i, POS + 1] - y
    flies = s[i, MOTION] == AIR
    dz = s[i, POS + 2] - z if flies else 0.0
    vz = s[i, VEL + 2] if flies else 0.0
    az = 0.5 * s[i, ACC + 2] if flies else 0.0
    near = reach + TOUCH
    d2 = dx * dx + dy * dy + dz * dz
    touching = d2 < near * near
    if touching:
        size = sqrt(d2)
        closing = -(dx * s[i, VEL] + dy * s[i, VEL + 1] + dz * vz) / size
        pull = (dx * s[i, ACC] + dy * s[i, ACC + 1] + dz * 2.0 * az) / size
        speed2 = s[i, VEL] ** 2 + s[i, VEL + 1] ** 2 + vz * vz
        if meets_now(closing, pull, speed2, size, until):
            return 0.0
    return sphere_meeting(
        dx, dy, dz, s[i, VEL], s[i, VEL + 1], vz, 0.5 * s[i, ACC], 0.5 * s[i, ACC + 1], az,
        reach, until, touching,
    )  # fmt: skip


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8)")
def _drop_time(s: Array, i: int, holes: Array, h: int, until: float) -> float:
    """When the centre of ball ``i``, on the bed, passes the edge of hole ``h`` (s after its T0).

    One that goes outwards passes none, however little and whatever pulls it back: by that measure
    balls leave the edge for the bed (``lip.ride``).
    """
    r = holes[h, HOLE_RADIUS]
    dx, dy = s[i, POS] - holes[h, HOLE_X], s[i, POS + 1] - holes[h, HOLE_Y]
    if length(dx, dy) < r:
        return 0.0
    at_edge = dx * dx + dy * dy <= r * r
    if at_edge and dx * s[i, VEL] + dy * s[i, VEL + 1] <= 0.0:
        return 0.0
    return sphere_meeting(
        dx, dy, 0.0, s[i, VEL], s[i, VEL + 1], 0.0, 0.5 * s[i, ACC], 0.5 * s[i, ACC + 1], 0.0,
        r, until, at_edge,
    )  # fmt: skip


@kernel("b1(f8[:,::1], i8, f8, f8, f8, f8)")
def _beside(edges: Array, e: int, x0: float, x1: float, y0: float, y1: float) -> bool:
    """Whether edge ``e`` lies all outside of a box."""
    ax, ay = edges[e, EDGE_X], edges[e, EDGE_Y]
    bx = ax + edges[e, EDGE_LEN] * edges[e, EDGE_TX]
    by = ay + edges[e, EDGE_LEN] * edges[e, EDGE_TY]
    along: bool = max(ax, bx) < x0 or min(ax, bx) > x1
    return along or max(ay, by) < y0 or min(ay, by) > y1


@kernel("void(f8[:,::1], i8, f8, f8, f8[:,::1], f8[:,::1], f8[::1])")
def _cushion_features(
    s: Array, i: int, now: float, until: float, edges: Array, corners: Array, par: Array
) -> None:
    """Noses, facings and jaw points that ball ``i`` meets in the ``until`` seconds from ``now``."""
    radius = s[i, RADIUS]
    flies = s[i, MOTION] == AIR
    reach = sqrt(max(0.0, radius * radius - (par[NOSE] - radius) ** 2))
    x0, x1, y0, y1 = _path_box(s, i, until)
    # Below their upper edges facings lean back.
    far = radius + (par[NOSE] + par[DEPTH]) * par[DRAFT_SIN] / par[DRAFT_COS] if flies else reach
    far += 2.0 * TOUCH
    for e in range(edges.shape[0]):
        if _beside(edges, e, x0 - far, x1 + far, y0 - far, y1 + far):
            continue
        offer(s, i, _edge_time(s, i, edges, e, par, reach, until), F_EDGE, e)
        if flies:
            facing_features(s, i, until, edges, e, par)
    until = min(until, s[i, FEATURE_T] - now)
    x0, x1, y0, y1 = _path_box(s, i, until)
    near = radius if flies else reach
    for c in range(corners.shape[0]):
        cx, cy, ring = corners[c, CORNER_X], corners[c, CORNER_Y], corners[c, CORNER_RADIUS]
        far = near + ring + 2.0 * TOUCH
        if cx < x0 - far or cx > x1 + far or cy < y0 - far or cy > y1 + far:
            continue
        mx, my, cosine = corners[c, CORNER_DX], corners[c, CORNER_DY], corners[c, CORNER_COS]
        if flies and ring > 0.0:
            t = ring_time(s, i, cx, cy, par[NOSE], ring, mx, my, cosine, near, until)
        else:
            t = _point_time(s, i, cx, cy, par[NOSE], near + ring, until)
            if t < NEVER and ring > 0.0:
                dx, dy = place(s, i, 0, t) - cx, place(s, i, 1, t) - cy
                if dx * mx + dy * my < cosine * length(dx, dy):
                    t = NEVER
        offer(s, i, t, F_CORNER, c)


@kernel("void(f8[:,::1], i8, f8, f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[::1])")
def find_feature(
    s: Array, i: int, now: float, edges: Array, corners: Array, holes: Array, tops: Array,
    par: Array,
) -> None:  # fmt: skip
    """Look up what ball ``i``, whose piece starts ``now``, meets next apart from balls."""
    s[i, FEATURE_T] = NEVER
    s[i, FEATURE] = F_NONE
    motion = s[i, MOTION]
    if motion >= POCKETED:
        return
    tip_features(s, i, now)
    if motion < ROLL or s[i, PERCH] >= 0.0:
        return
    radius = s[i, RADIUS]
    flies = motion == AIR
    if flies:
        flight_features(s, i, holes, par)
        until = min(min(s[i, T_END], s[i, FEATURE_T]) - now, LONGEST_RUN)
        pocket_features(s, i, until, holes, par)
    if par[BOUNDED] == 0.0:
        return
    reach = sqrt(max(0.0, radius * radius - (par[NOSE] - radius) ** 2))
    until = min(min(s[i, T_END], s[i, FEATURE_T]) - now, LONGEST_RUN)
    x0, x1, y0, y1 = _path_box(s, i, until)
    far = radius if flies else reach
    lx, ly = par[HALF_LENGTH] - far - TOUCH, par[HALF_WIDTH] - far - TOUCH
    if x0 <= -lx or x1 >= lx or y0 <= -ly or y1 >= ly:
        _cushion_features(s, i, now, until, edges, corners, par)
        # A falling ball still meets the rim with what is above its height.
        above = s[i, POS + 2] + radius > par[NOSE]
        if flies and (s[i, HOLE] < 0.0 or s[i, VEL + 2] > 0.0 or above):
            top_features(s, i, min(until, s[i, FEATURE_T] - now), tops)
        until = min(until, s[i, FEATURE_T] - now)
    if flies:
        return
    x0, x1, y0, y1 = _path_box(s, i, until)
    for h in range(holes.shape[0]):
        r = holes[h, HOLE_RADIUS]
        hx, hy = holes[h, HOLE_X], holes[h, HOLE_Y]
        if hx < x0 - r or hx > x1 + r or hy < y0 - r or hy > y1 + r:
            continue
        offer(s, i, _drop_time(s, i, holes, h, until), F_DROP, h)
    for k in range(2):
        # Behind the cushions there is no slate, however far a pocket's shelf is said to reach.
        edge = (par[HALF_LENGTH] if k == 0 else par[HALF_WIDTH]) + CUSHION_DEPTH
        if holes.shape[0] == 0 or max(-(x0, y0)[k], (x1, y1)[k]) < edge:
            continue
        for side in (-1.0, 1.0):
            left = edge - side * s[i, POS + k]
            rate, half = -side * s[i, VEL + k], -0.5 * side * s[i, ACC + k]
            t = line_meeting(left, rate, half, until) if left > 0.0 else 0.0
            if t < NEVER:
                offer(s, i, t, F_DROP, nearest_hole(holes, s[i, POS], s[i, POS + 1]))
