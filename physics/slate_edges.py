"""The slate round a pocket as a flying ball meets it: the rounded edge of its cut, and under it.

The edge is a ring rounded with EDGE_ROUND, before the facings' ends; from it the side of the cut
goes down to where a ball is gone and recedes as the liner does, so that none comes under the bed,
and none rolls round in it without end.  The distance to a ring has no closed form of low degree:
there the ball is moved on for as long as it can't have met it yet, again and again.

Times are seconds after a ball's T0.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.arithmetic import length
from physics.compiled import kernel
from physics.contact_times import first_descent, meeting_after, meets_now, sphere_meeting
from physics.layout import (
    ACC,
    CREEP,
    EDGE_NEAR,
    EDGE_ROUND,
    GRAZE,
    HOLE_AX,
    HOLE_AY,
    HOLE_MX,
    HOLE_MY,
    HOLE_RADIUS,
    HOLE_THROAT,
    HOLE_X,
    HOLE_Y,
    LINER_COS,
    LINER_SIN,
    LINER_TAN,
    NEVER,
    POS,
    RADIUS,
    TOUCH,
    VEL,
)

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


@kernel("f8(f8[:,::1], i8)")
def middle_to_throat(holes: Array, h: int) -> float:
    """How far before the middle of hole ``h`` the facings end (m)."""
    x, y = holes[h, HOLE_X] - holes[h, HOLE_MX], holes[h, HOLE_Y] - holes[h, HOLE_MY]
    result: float = x * holes[h, HOLE_AX] + y * holes[h, HOLE_AY] - holes[h, HOLE_THROAT]
    return result


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


@kernel("b1(f8[:,::1], i8, f8[:,::1], i8, b1, f8)")
def _behind_rim(s: Array, i: int, holes: Array, h: int, below: bool, t: float) -> bool:
    """Whether ball ``i`` is at an end of the edge of pocket ``h`` then: at its height, or below."""
    before: bool = before_rim(holes, h, place(s, i, 0, t), place(s, i, 1, t))
    return not before and (place(s, i, 2, t) < -EDGE_ROUND) == below


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8, b1, f8)")
def _end_time(
    s: Array, i: int, holes: Array, h: int, side: float, below: bool, until: float
) -> float:
    """When flying ball ``i`` meets an end of the edge of pocket ``h``, from behind it.

    A ball that circles in the pocket comes round to it: there the slate begins.  The end is a
    quarter of a sphere, and ``below`` it a post.
    """
    x, y = rim_end(holes, h, side)
    dx, dy, dz = s[i, POS] - x, s[i, POS + 1] - y, s[i, POS + 2] + EDGE_ROUND
    ux, uy, uz = s[i, VEL], s[i, VEL + 1], s[i, VEL + 2]
    bx, by, bz = 0.5 * s[i, ACC], 0.5 * s[i, ACC + 1], 0.5 * s[i, ACC + 2]
    if below:
        dz = uz = bz = 0.0
    reach = s[i, RADIUS] + EDGE_ROUND
    size = sqrt(dx * dx + dy * dy + dz * dz)
    touching = abs(size - reach) < TOUCH
    t = NEVER
    if touching:
        closing, pull = -(dx * ux + dy * uy + dz * uz), 2.0 * (dx * bx + dy * by + dz * bz)
        if meets_now(closing / size, pull / size, ux * ux + uy * uy + uz * uz, size, until):
            t = 0.0
    if t > 0.0:
        t = sphere_meeting(dx, dy, dz, ux, uy, uz, bx, by, bz, reach, until, touching)
    for _ in range(2):
        if t >= NEVER or _behind_rim(s, i, holes, h, below, t):
            return t
        t = meeting_after(dx, dy, dz, ux, uy, uz, bx, by, bz, reach, t, until)
    return NEVER


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8, f8, f8)")
def cone_time(
    s: Array, i: int, holes: Array, h: int, room: float, slope: float, until: float
) -> float:
    """When the centre of ball ``i`` comes out of a cone round the middle of hole ``h``.

    It is ``room`` wide at the height of the cloth, and less by ``slope`` for all that is above.
    """
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
    return t


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8[::1], f8)")
def _ring_time(s: Array, i: int, holes: Array, h: int, par: Array, until: float) -> float:
    """When flying ball ``i`` meets the rounded edge of pocket ``h``, before the facings' ends."""
    x, y, ring = holes[h, HOLE_X], holes[h, HOLE_Y], holes[h, HOLE_RADIUS]
    cosine = middle_to_throat(holes, h) / ring
    reach = s[i, RADIUS] + EDGE_ROUND
    t = ring_time(s, i, x, y, -EDGE_ROUND, ring, -holes[h, HOLE_AX], -holes[h, HOLE_AY], cosine,
                  reach, until)  # fmt: skip
    if t >= NEVER:
        return NEVER
    inside = length(place(s, i, 0, t) - x, place(s, i, 1, t) - y) < ring
    return t if inside and place(s, i, 2, t) >= -EDGE_ROUND - reach * par[LINER_SIN] else NEVER


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8[::1], f8)")
def _side_time(s: Array, i: int, holes: Array, h: int, par: Array, until: float) -> float:
    """When flying ball ``i`` meets the side of the slate cut of pocket ``h``, under its edge."""
    reach, slope = s[i, RADIUS] + EDGE_ROUND, par[LINER_TAN]
    room = holes[h, HOLE_RADIUS] - reach / par[LINER_COS] - slope * EDGE_ROUND
    t = cone_time(s, i, holes, h, room, slope, until)
    if t >= NEVER or place(s, i, 2, t) >= -EDGE_ROUND - reach * par[LINER_SIN]:
        return NEVER
    return t if before_rim(holes, h, place(s, i, 0, t), place(s, i, 1, t)) else NEVER


@kernel("f8(f8[:,::1], i8, f8[:,::1], i8, f8[::1], f8)")
def slate_time(s: Array, i: int, holes: Array, h: int, par: Array, until: float) -> float:
    """When flying ball ``i`` meets the slate round pocket ``h``: edge, side, or an end of them."""
    t = min(_ring_time(s, i, holes, h, par, until), _side_time(s, i, holes, h, par, until))
    for side in (-1.0, 1.0):
        t = min(t, _end_time(s, i, holes, h, side, False, until))
        t = min(t, _end_time(s, i, holes, h, side, True, until))
    return t


@kernel("void(f8[:,::1], i8, f8[:,::1], i8, f8[::1], f8[::1])")
def from_slate(s: Array, i: int, holes: Array, h: int, par: Array, normal: Array) -> None:
    """From the slate round pocket ``h`` to ball ``i``, which touches it; of any length."""
    dx, dy = s[i, POS] - holes[h, HOLE_X], s[i, POS + 1] - holes[h, HOLE_Y]
    up = s[i, POS + 2] + EDGE_ROUND
    if before_rim(holes, h, s[i, POS], s[i, POS + 1]):
        flat = length(dx, dy)
        inward = max(holes[h, HOLE_RADIUS] - flat, 0.0) / flat if flat > 0.0 else 0.0
        normal[0], normal[1] = -inward * dx, -inward * dy
        normal[2] = max(up, -inward * flat * par[LINER_TAN])
        return
    # An end of it: the one that the ball touches, of two such the one that it approaches.
    reach = s[i, RADIUS] + EDGE_ROUND
    aside = dy * holes[h, HOLE_AX] - dx * holes[h, HOLE_AY]
    least, most = NEVER, 0.0
    for turn in range(2):
        x, y = rim_end(holes, h, 1.0 if (aside > 0.0) == (turn == 0) else -1.0)
        ex, ey, ez = s[i, POS] - x, s[i, POS + 1] - y, max(up, 0.0)
        size = sqrt(ex * ex + ey * ey + ez * ez)
        off = max(abs(size - reach) - EDGE_NEAR, 0.0)
        approach = -(ex * s[i, VEL] + ey * s[i, VEL + 1] + ez * s[i, VEL + 2]) / size
        if off < least or (off == least and approach > most):
            least, most = off, approach
            normal[0], normal[1], normal[2] = ex, ey, ez
