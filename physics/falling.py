"""What a ball meets that has left the bed: the liner of a pocket, the bed, the floor.

Also which pocket's hole a place on the bed belongs to.  Times are seconds after a ball's T0.
"""

from math import hypot, sqrt

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.layout import (
    BOUNDED,
    CREEP,
    F_BED,
    F_FLOOR,
    F_LINER,
    F_SUNK,
    FALL_DEPTH,
    FEATURE,
    FEATURE_ID,
    FEATURE_T,
    FLOOR,
    GRAVITY,
    HALF_LENGTH,
    HALF_WIDTH,
    HOLE,
    HOLE_AX,
    HOLE_AY,
    HOLE_HALF,
    HOLE_MX,
    HOLE_MY,
    HOLE_RADIUS,
    HOLE_X,
    HOLE_Y,
    NEVER,
    POS,
    RADIUS,
    T0,
    TOUCH,
    VEL,
)

Array = NDArray[np.float64]


@kernel("i8(f8[:,::1], f8, f8)")
def hole_at(holes: Array, x: float, y: float) -> int:
    """The hole whose slate cut has this point inside, or -1."""
    for h in range(holes.shape[0]):
        dx, dy = x - holes[h, HOLE_X], y - holes[h, HOLE_Y]
        if dx * dx + dy * dy < holes[h, HOLE_RADIUS] ** 2:
            return h
    return -1


@kernel("i8(f8[:,::1], f8, f8)")
def nearest_hole(holes: Array, x: float, y: float) -> int:
    """The hole whose middle is nearest to this point."""
    best, least = 0, NEVER
    for h in range(holes.shape[0]):
        d = hypot(x - holes[h, HOLE_X], y - holes[h, HOLE_Y])
        if d < least:
            best, least = h, d
    return best


@kernel("b1(f8[:,::1], f8[::1], f8, f8)")
def _over_bed(holes: Array, par: Array, x: float, y: float) -> bool:
    """Whether there is bed (or a pocket's shelf or hole) under this point."""
    if par[BOUNDED] == 0.0:
        return True
    if abs(x) <= par[HALF_LENGTH] and abs(y) <= par[HALF_WIDTH]:
        return True
    for h in range(holes.shape[0]):
        px, py = x - holes[h, HOLE_MX], y - holes[h, HOLE_MY]
        depth = px * holes[h, HOLE_AX] + py * holes[h, HOLE_AY]
        aside = abs(px * holes[h, HOLE_AY] - py * holes[h, HOLE_AX])
        dx, dy = x - holes[h, HOLE_X], y - holes[h, HOLE_Y]
        centre = (holes[h, HOLE_X] - holes[h, HOLE_MX]) * holes[h, HOLE_AX] + (
            holes[h, HOLE_Y] - holes[h, HOLE_MY]
        ) * holes[h, HOLE_AY]
        if 0.0 <= depth <= centre and aside < holes[h, HOLE_HALF]:
            return True
        if dx * dx + dy * dy < holes[h, HOLE_RADIUS] ** 2:
            return True
    return False


@kernel("f8(f8, f8, f8, f8)")
def _fall_time(height: float, speed: float, gravity: float, least: float) -> float:
    """Seconds until a ball thrown up with ``speed`` has fallen by ``height``; after ``least``."""
    disc = speed * speed + 2.0 * gravity * height
    if disc < 0.0:
        return NEVER
    t: float = (speed + sqrt(disc)) / gravity
    if t > least:
        return t
    # Driven into what it lies on: it meets it now.
    return 0.0 if speed < 0.0 and abs(height) <= TOUCH else NEVER


@kernel("void(f8[:,::1], i8, f8, i8, i8)")
def offer(s: Array, i: int, t: float, kind: int, number: int) -> None:
    """Keep the earlier of the feature known and this one (``t`` after T0)."""
    if t < NEVER and s[i, T0] + t < s[i, FEATURE_T]:
        s[i, FEATURE_T] = s[i, T0] + t
        s[i, FEATURE] = kind
        s[i, FEATURE_ID] = number


@kernel("void(f8[:,::1], i8, f8[:,::1], f8[::1])")
def falling_features(s: Array, i: int, holes: Array, par: Array) -> None:
    """What a ball in a pocket meets besides cushions: the liner, and the depth that ends it.

    The liner is a cylinder that lets a ball's centre come to hole radius - R; a ball that cuts
    across the edge of the hole without coming so near its middle meets the slate at the cut.
    """
    h = int(s[i, HOLE])
    radius = s[i, RADIUS]
    offer(s, i, _fall_time(s[i, POS + 2] + FALL_DEPTH, s[i, VEL + 2], par[GRAVITY], 0.0),
           F_SUNK, h)  # fmt: skip
    dx, dy = s[i, POS] - holes[h, HOLE_X], s[i, POS + 1] - holes[h, HOLE_Y]
    d2 = dx * dx + dy * dy
    outward = dx * s[i, VEL] + dy * s[i, VEL + 1]
    speed2 = s[i, VEL] ** 2 + s[i, VEL + 1] ** 2
    if speed2 <= CREEP * CREEP:
        return
    for ring in range(2):
        reach = holes[h, HOLE_RADIUS] - (radius if ring == 0 else 0.0)
        inside = reach * reach - d2
        disc = outward * outward + speed2 * inside
        if disc <= 0.0:
            continue
        # The way out of the ring; none when it lies behind the ball.
        t = (sqrt(disc) - outward) / speed2
        if abs(inside) < 2.0 * reach * TOUCH and outward > 0.0:
            t = 0.0
        if t >= 0.0:
            offer(s, i, t, F_LINER, h)


@kernel("void(f8[:,::1], i8, f8[:,::1], f8[::1])")
def flight_features(s: Array, i: int, holes: Array, par: Array) -> None:
    """What a flying ball meets besides the rails: the bed, or the floor."""
    t = _fall_time(s[i, POS + 2] - s[i, RADIUS], s[i, VEL + 2], par[GRAVITY], 0.0)
    if t < NEVER and _over_bed(
        holes, par, s[i, POS] + s[i, VEL] * t, s[i, POS + 1] + s[i, VEL + 1] * t
    ):
        offer(s, i, t, F_BED, 0)
        return
    fall = s[i, POS + 2] - s[i, RADIUS] + par[FLOOR]
    offer(s, i, _fall_time(fall, s[i, VEL + 2], par[GRAVITY], 0.0), F_FLOOR, 0)
