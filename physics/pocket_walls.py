"""The walls of a pocket as a flying ball meets them: facings, rounded jaws, drop edge, liner.

A facing is a plane that leans back below its upper edge (back draft), with an edge down either
end of it; both go on down to where a ball is gone.  The drop edge is a ring rounded with
EDGE_ROUND, before the facings' ends.  The liner is a cone that leans in over the pocket: at its top
it goes through the facings' ends, so that no ball between them can come beside it.  Planes, edges
and the cone have closed forms.  The distance to a ring has none of low degree: there the ball is
moved on for as long as it can't have met it yet, again and again.

Times are seconds after a ball's T0.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.arithmetic import length
from physics.compiled import kernel
from physics.contact_times import (
    first_descent,
    held_together,
    line_meeting,
    meets_now,
    sphere_meeting,
)
from physics.layout import (
    ACC,
    CREEP,
    DEPTH,
    DRAFT_COS,
    DRAFT_SIN,
    EDGE_LEN,
    EDGE_NEAR,
    EDGE_NX,
    EDGE_NY,
    EDGE_RAIL,
    EDGE_ROUND,
    EDGE_TX,
    EDGE_TY,
    EDGE_X,
    EDGE_Y,
    F_FACE,
    F_LINER,
    F_POST,
    F_RIM,
    FEATURE_T,
    GRAZE,
    HOLE,
    HOLE_AX,
    HOLE_AY,
    HOLE_LINER,
    HOLE_MX,
    HOLE_MY,
    HOLE_RADIUS,
    HOLE_THROAT,
    HOLE_X,
    HOLE_Y,
    LINER_COS,
    LINER_SIN,
    LINER_TAN,
    LINER_TOP,
    LIP,
    NEVER,
    NOSE,
    POS,
    RADIUS,
    T0,
    TOUCH,
    VEL,
)
from physics.offers import offer

Array = NDArray[np.float64]

MOST_STEPS = 2000  # towards a ring
LEAST_STEP = 1e-6  # s, of a ball that passes a ring
PRESSED_STEP = 1e-4  # s, of one that lies on it


@kernel("f8(f8[:,::1], i8, i8, f8)")
def place(s: Array, i: int, x: int, t: float) -> float:
    """Coordinate ``x`` of ball ``i``, ``t`` seconds after its T0."""
    result: float = s[i, POS + x] + (s[i, VEL + x] + 0.5 * s[i, ACC + x] * t) * t
    return result


@kernel("UniTuple(f8,2)(f8[:,::1], i8, f8, f8, f8, f8, f8)")
def _ring_gap(
    s: Array, i: int, x: float, y: float, z: float, ring: float, t: float
) -> tuple[float, float]:
    """Distance of ball ``i``'s centre from a level circle, and how fast it shrinks."""
    dx, dy = place(s, i, 0, t) - x, place(s, i, 1, t) - y
    dz = place(s, i, 2, t) - z
    flat = length(dx, dy)
    off = flat - ring
    size = length(off, dz)
    vx, vy = s[i, VEL] + s[i, ACC] * t, s[i, VEL + 1] + s[i, ACC + 1] * t
    vz = s[i, VEL + 2] + s[i, ACC + 2] * t
    out = (dx * vx + dy * vy) / flat if flat > 0.0 else length(vx, vy)
    return size, (-(off * out + dz * vz) / size if size > 0.0 else 0.0)


@kernel("f8(f8[:,::1], i8, f8, f8, f8, f8, f8, f8, f8)")
def _safe_step(
    s: Array, i: int, x: float, y: float, ring: float, gap: float, size: float, closing: float,
    t: float,
) -> float:  # fmt: skip
    """For how long from ``t`` on ball ``i`` can't come to a ring that is ``gap`` away.

    Either it is too slow and too far; or, within a quarter of its distances, the gap curves no
    more than by its acceleration and, inside the ring, by going round.
    """
    pull = sqrt(s[i, ACC] ** 2 + s[i, ACC + 1] ** 2 + s[i, ACC + 2] ** 2)
    speed2 = 0.0
    for k in range(3):
        speed2 += (s[i, VEL + k] + s[i, ACC + k] * t) ** 2
    speed = sqrt(speed2)
    if speed == 0.0 and pull == 0.0:
        return NEVER
    most = speed + sqrt(speed2 + 2.0 * pull * gap)
    far = 2.0 * gap / most if most > 0.0 else 0.0
    flat = length(place(s, i, 0, t) - x, place(s, i, 1, t) - y)
    quarter = 0.25 * min(flat, size)
    if quarter == 0.0:
        return far
    span = 2.0 * quarter / (speed + sqrt(speed2 + 2.0 * pull * quarter))
    inside = max(ring - flat, 0.0) + quarter
    bend = pull + 2.0 * (speed + pull * span) ** 2 * inside / (size * flat)
    near = (sqrt(closing * closing + 2.0 * bend * gap) - closing) / bend
    return max(far, min(near, span))


@kernel("b1(f8[:,::1], i8, f8, f8, f8, f8, f8, f8)")
def _on_arc(
    s: Array, i: int, x: float, y: float, mx: float, my: float, cosine: float, t: float
) -> bool:
    dx, dy = place(s, i, 0, t) - x, place(s, i, 1, t) - y
    return dx * mx + dy * my >= cosine * length(dx, dy)


@kernel("f8(f8[:,::1], i8, f8, f8, f8, f8, f8, f8, f8, f8, f8)")
def ring_time(
    s: Array, i: int, x: float, y: float, z: float, ring: float, mx: float, my: float,
    cosine: float, reach: float, until: float,
) -> float:  # fmt: skip
    """When ball ``i`` comes within ``reach`` of an arc of a level circle, or NEVER.

    The circle has the radius ``ring``; what counts of it lies about the direction (mx, my) from
    its centre, to where the cosine of the angle from it is ``cosine``.
    """
    t = 0.0
    for _ in range(MOST_STEPS):
        size, closing = _ring_gap(s, i, x, y, z, ring, t)
        gap = size - reach
        if gap < TOUCH and closing > CREEP and _on_arc(s, i, x, y, mx, my, cosine, t):
            # Deep inside at the start: it is no longer outside of this.
            return t if gap > -EDGE_NEAR or t > 0.0 else NEVER
        step = _safe_step(s, i, x, y, ring, max(gap, 0.0), size, closing, t)
        t += max(step, PRESSED_STEP if gap < 0.0 else LEAST_STEP if gap < TOUCH else 0.0)
        if t > until or t >= NEVER:
            return NEVER
    return NEVER


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8[::1], f8)")
def _face_time(s: Array, i: int, edges: Array, e: int, par: Array, until: float) -> float:
    """When ball ``i`` meets the face of facing ``e``."""
    up, down = par[DRAFT_COS], par[DRAFT_SIN]
    nx, ny, nz = up * edges[e, EDGE_NX], up * edges[e, EDGE_NY], -down
    px, py = s[i, POS] - edges[e, EDGE_X], s[i, POS + 1] - edges[e, EDGE_Y]
    gap = px * nx + py * ny + (s[i, POS + 2] - par[NOSE]) * nz
    if gap <= 0.0:
        return NEVER
    near = gap - s[i, RADIUS]
    rate = s[i, VEL] * nx + s[i, VEL + 1] * ny + s[i, VEL + 2] * nz
    half = 0.5 * (s[i, ACC] * nx + s[i, ACC + 1] * ny + s[i, ACC + 2] * nz)
    if near < TOUCH:
        t = 0.0
        if rate >= -CREEP and not (rate < CREEP and held_together(-rate, 2.0 * half, until)):
            t = line_meeting(0.0, max(rate, 0.0), half, until)
    else:
        t = line_meeting(near, rate, half, until)
    if t >= NEVER:
        return NEVER
    height = place(s, i, 2, t) + s[i, RADIUS] * down
    foot = (place(s, i, 0, t) - edges[e, EDGE_X]) * edges[e, EDGE_TX]
    foot += (place(s, i, 1, t) - edges[e, EDGE_Y]) * edges[e, EDGE_TY]
    return t if -par[DEPTH] <= height <= par[NOSE] and 0.0 <= foot <= edges[e, EDGE_LEN] else NEVER


@kernel("void(f8[:,::1], i8, f8[::1], f8[::1])")
def post_line(edges: Array, number: int, par: Array, line: Array) -> None:
    """Upper end and downward direction of the edge at an end of a facing (2 edge + end)."""
    e = number // 2
    along = edges[e, EDGE_LEN] * (number % 2)
    down = par[DRAFT_SIN]
    line[0] = edges[e, EDGE_X] + along * edges[e, EDGE_TX]
    line[1] = edges[e, EDGE_Y] + along * edges[e, EDGE_TY]
    line[2] = par[NOSE]
    line[3], line[4] = -down * edges[e, EDGE_NX], -down * edges[e, EDGE_NY]
    line[5] = -par[DRAFT_COS]


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8[::1], f8)")
def _post_time(s: Array, i: int, edges: Array, number: int, par: Array, until: float) -> float:
    """When ball ``i`` meets the edge at an end of a facing."""
    line = np.empty(6)
    post_line(edges, number, par, line)
    d, u, b = np.empty(3), np.empty(3), np.empty(3)
    for x in range(3):
        d[x] = s[i, POS + x] - line[x]
        u[x], b[x] = s[i, VEL + x], 0.5 * s[i, ACC + x]
    foot, run, bend = 0.0, 0.0, 0.0
    for x in range(3):
        foot += d[x] * line[3 + x]
        run += u[x] * line[3 + x]
        bend += b[x] * line[3 + x]
    d2, closing, pull, u2 = 0.0, 0.0, 0.0, 0.0
    for x in range(3):
        d[x] -= foot * line[3 + x]
        u[x] -= run * line[3 + x]
        b[x] -= bend * line[3 + x]
        d2 += d[x] * d[x]
        u2 += u[x] * u[x]
        closing -= d[x] * u[x]
        pull += 2.0 * d[x] * b[x]
    size = sqrt(d2)
    radius = s[i, RADIUS]
    t = NEVER
    touching = size < radius + TOUCH
    if touching and size > 0.0 and meets_now(closing / size, pull / size, u2, size, until):
        t = 0.0
    if t > 0.0:
        t = sphere_meeting(d[0], d[1], d[2], u[0], u[1], u[2], b[0], b[1], b[2], radius, until,
                           touching)  # fmt: skip
    if t >= NEVER:
        return NEVER
    foot += (run + bend * t) * t
    return t if 0.0 <= foot <= (par[NOSE] + par[DEPTH]) / par[DRAFT_COS] else NEVER


@kernel("f8(f8[:,::1], i8)")
def middle_to_throat(holes: Array, h: int) -> float:
    """How far before the middle of hole ``h`` the facings end (m)."""
    x, y = holes[h, HOLE_X] - holes[h, HOLE_MX], holes[h, HOLE_Y] - holes[h, HOLE_MY]
    result: float = x * holes[h, HOLE_AX] + y * holes[h, HOLE_AY] - holes[h, HOLE_THROAT]
    return result


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8[::1], f8)")
def _liner_time(s: Array, i: int, holes: Array, h: int, par: Array, until: float) -> float:
    """When ball ``i`` meets the liner of pocket ``h``.

    The cone is there behind the facings' ends, and all round below the slate's edge.
    """
    radius, slope = s[i, RADIUS], par[LINER_TAN]
    room = holes[h, HOLE_LINER] + slope * par[LINER_TOP] - radius / par[LINER_COS]
    dx, dy = s[i, POS] - holes[h, HOLE_X], s[i, POS + 1] - holes[h, HOLE_Y]
    ux, uy, uz = s[i, VEL], s[i, VEL + 1], -slope * s[i, VEL + 2]
    bx, by, bz = 0.5 * s[i, ACC], 0.5 * s[i, ACC + 1], -0.5 * slope * s[i, ACC + 2]
    w = room - slope * s[i, POS + 2]
    flat = length(dx, dy)
    t = NEVER
    if abs(w - flat) < TOUCH and flat > 0.0 and (dx * ux + dy * uy) / flat - uz > CREEP:
        t = 0.0
    if t > 0.0:
        # (room - slope z)^2 - (x^2 + y^2) falls through 0.
        t = first_descent(
            w * w - flat * flat,
            2.0 * (w * uz - dx * ux - dy * uy),
            uz * uz + 2.0 * w * bz - (ux * ux + uy * uy + 2.0 * (dx * bx + dy * by)),
            2.0 * (uz * bz - ux * bx - uy * by),
            bz * bz - bx * bx - by * by,
            until,
            2.0 * abs(w) * GRAZE,
        )
    if t >= NEVER:
        return NEVER
    x, y = place(s, i, 0, t) - holes[h, HOLE_X], place(s, i, 1, t) - holes[h, HOLE_Y]
    height = place(s, i, 2, t) + radius * par[LINER_SIN]
    size = length(x, y)
    wall = holes[h, HOLE_LINER] + slope * (par[LINER_TOP] - height)
    ahead = (x * holes[h, HOLE_AX] + y * holes[h, HOLE_AY]) * wall
    behind = ahead >= -middle_to_throat(holes, h) * size and height < par[LINER_TOP]
    return t if height < -EDGE_ROUND or behind else NEVER


@kernel("UniTuple(f8,2)(f8[:,::1], i8, f8)")
def rim_end(holes: Array, h: int, side: float) -> tuple[float, float]:
    """Where the rounded edge of pocket ``h`` ends at its left (1) or right (-1) facing."""
    back = middle_to_throat(holes, h)
    aside = side * sqrt(max(0.0, holes[h, HOLE_RADIUS] * holes[h, HOLE_RADIUS] - back * back))
    x = holes[h, HOLE_X] - back * holes[h, HOLE_AX] - aside * holes[h, HOLE_AY]
    return x, holes[h, HOLE_Y] - back * holes[h, HOLE_AY] + aside * holes[h, HOLE_AX]


@kernel("b1(f8[:,::1], i8, f8, f8)")
def before_rim(holes: Array, h: int, x: float, y: float) -> bool:
    """Whether the rounded edge of pocket ``h`` is there in the direction of (x, y)."""
    dx, dy = x - holes[h, HOLE_X], y - holes[h, HOLE_Y]
    ahead = -(dx * holes[h, HOLE_AX] + dy * holes[h, HOLE_AY]) * holes[h, HOLE_RADIUS]
    there: bool = ahead >= middle_to_throat(holes, h) * length(dx, dy)
    return there


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8, f8)")
def _rim_end_time(s: Array, i: int, holes: Array, h: int, side: float, until: float) -> float:
    """When flying ball ``i`` meets an end of the rounded edge of pocket ``h``, from behind it.

    A ball that circles in the pocket comes round to it: there the slate begins.
    """
    x, y = rim_end(holes, h, side)
    dx, dy, dz = s[i, POS] - x, s[i, POS + 1] - y, s[i, POS + 2] + EDGE_ROUND
    ux, uy, uz = s[i, VEL], s[i, VEL + 1], s[i, VEL + 2]
    ax, ay, az = s[i, ACC], s[i, ACC + 1], s[i, ACC + 2]
    reach = s[i, RADIUS] + EDGE_ROUND
    size = sqrt(dx * dx + dy * dy + dz * dz)
    touching = abs(size - reach) < TOUCH
    t = NEVER
    if touching:
        closing, pull = -(dx * ux + dy * uy + dz * uz), dx * ax + dy * ay + dz * az
        if meets_now(closing / size, pull / size, ux * ux + uy * uy + uz * uz, size, until):
            t = 0.0
    if t > 0.0:
        t = sphere_meeting(dx, dy, dz, ux, uy, uz, 0.5 * ax, 0.5 * ay, 0.5 * az, reach, until,
                           touching)  # fmt: skip
    if t >= NEVER or before_rim(holes, h, place(s, i, 0, t), place(s, i, 1, t)):
        return NEVER
    return t


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8)")
def _rim_time(s: Array, i: int, holes: Array, h: int, until: float) -> float:
    """When flying ball ``i`` meets the rounded edge of pocket ``h``, before the facings' ends."""
    x, y, ring = holes[h, HOLE_X], holes[h, HOLE_Y], holes[h, HOLE_RADIUS]
    cosine = middle_to_throat(holes, h) / ring
    t = ring_time(s, i, x, y, -EDGE_ROUND, ring, -holes[h, HOLE_AX], -holes[h, HOLE_AY], cosine,
                  s[i, RADIUS] + EDGE_ROUND, until)  # fmt: skip
    if t >= NEVER:
        return NEVER
    inside = length(place(s, i, 0, t) - x, place(s, i, 1, t) - y) < ring
    return t if inside else NEVER


@kernel("void(f8[:,::1], i8, f8, f8[:,::1], f8[::1])")
def pocket_features(s: Array, i: int, until: float, holes: Array, par: Array) -> None:
    """Offer what flying ball ``i`` meets of a pocket in the ``until`` seconds after its T0."""
    radius = s[i, RADIUS]
    for h in range(holes.shape[0]):
        # Only of pockets that its path comes near.
        size = holes[h, HOLE_RADIUS] + 2.0 * radius
        dx, dy = s[i, POS] - holes[h, HOLE_X], s[i, POS + 1] - holes[h, HOLE_Y]
        ux, uy = s[i, VEL], s[i, VEL + 1]
        t = 0.0
        u2 = ux * ux + uy * uy
        if u2 > 0.0:
            t = min(max(-(dx * ux + dy * uy) / u2, 0.0), until)
        bend = 0.5 * length(s[i, ACC], s[i, ACC + 1]) * min(until, 1.0) ** 2
        if length(dx + ux * t, dy + uy * t) > size + bend:
            continue
        if s[i, LIP] < 0.0 or s[i, HOLE] != h:
            # One that rides on an edge keeps to it; its short pieces are chords of that path.
            offer(s, i, _rim_time(s, i, holes, h, until), F_RIM, h)
            for side in (-1.0, 1.0):
                offer(s, i, _rim_end_time(s, i, holes, h, side, until), F_RIM, h)
        offer(s, i, _liner_time(s, i, holes, h, par, until), F_LINER, h)
        until = min(until, s[i, FEATURE_T] - s[i, T0])


@kernel("void(f8[:,::1], i8, f8, f8[:,::1], i8, f8[::1])")
def facing_features(s: Array, i: int, until: float, edges: Array, e: int, par: Array) -> None:
    """Offer what flying ball ``i`` meets of facing ``e`` below its upper edge."""
    if edges[e, EDGE_RAIL] >= 0.0:
        return
    offer(s, i, _face_time(s, i, edges, e, par, until), F_FACE, e)
    for end in range(2):
        offer(s, i, _post_time(s, i, edges, 2 * e + end, par, until), F_POST, 2 * e + end)
