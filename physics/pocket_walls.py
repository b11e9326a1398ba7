"""The walls of a pocket as a flying ball meets them: facings and liner.

A facing is a plane that leans back below its upper edge (back draft), with an edge down either
end of it; both go on down to where a ball is gone.  The liner is a cone that leans in over the
pocket: at its top it goes through the facings' ends, so that no ball between them can come beside
it.  Between the facings the slate is before it (``physics.slate_edges``).

Times are seconds after a ball's T0.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.arithmetic import length
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
    CREEP,
    DEPTH,
    DRAFT_COS,
    DRAFT_SIN,
    EDGE_LEN,
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
    HOLE,
    HOLE_AX,
    HOLE_AY,
    HOLE_LINER,
    HOLE_RADIUS,
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
from physics.slate_edges import cone_time, middle_to_throat, place, slate_time

Array = NDArray[np.float64]


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
    lasts = (par[NOSE] + par[DEPTH]) / par[DRAFT_COS]
    for _ in range(2):
        if t >= NEVER or 0.0 <= foot + (run + bend * t) * t <= lasts:
            return t
        t = meeting_after(d[0], d[1], d[2], u[0], u[1], u[2], b[0], b[1], b[2], radius, t, until)
    return NEVER


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8[::1], f8)")
def _liner_time(s: Array, i: int, holes: Array, h: int, par: Array, until: float) -> float:
    """When ball ``i`` meets the liner of pocket ``h``.

    The cone is there behind the facings' ends, and all round below the slate's edge.
    """
    radius, slope = s[i, RADIUS], par[LINER_TAN]
    room = holes[h, HOLE_LINER] + slope * par[LINER_TOP] - radius / par[LINER_COS]
    t = cone_time(s, i, holes, h, room, slope, until)
    if t >= NEVER:
        return NEVER
    x, y = place(s, i, 0, t) - holes[h, HOLE_X], place(s, i, 1, t) - holes[h, HOLE_Y]
    height = place(s, i, 2, t) + radius * par[LINER_SIN]
    size = length(x, y)
    wall = holes[h, HOLE_LINER] + slope * (par[LINER_TOP] - height)
    ahead = (x * holes[h, HOLE_AX] + y * holes[h, HOLE_AY]) * wall
    behind = ahead >= -middle_to_throat(holes, h) * size and height < par[LINER_TOP]
    return t if height < -EDGE_ROUND or behind else NEVER


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
            offer(s, i, slate_time(s, i, holes, h, par, until), F_RIM, h)
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
