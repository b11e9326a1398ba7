"""What a flying ball meets apart from cushions, rails and pockets: the bed, the floor.

Or the depth at which a pocket keeps it.  Also which pocket's hole a
place on the bed belongs to.  Times are seconds after a ball's T0.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.arithmetic import length
from physics.compiled import kernel
from physics.layout import (
    BOUNDED,
    DEPTH,
    F_BED,
    F_FLOOR,
    F_SUNK,
    FLOOR,
    GRAVITY,
    HALF_LENGTH,
    HALF_WIDTH,
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
    RAIL_WIDTH,
    TOUCH,
    VEL,
)
from physics.offers import offer

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
        d = length(x - holes[h, HOLE_X], y - holes[h, HOLE_Y])
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


@kernel("void(f8[:,::1], i8, f8[:,::1], f8[::1])")
def flight_features(s: Array, i: int, holes: Array, par: Array) -> None:
    """What a flying ball meets besides the rails: the bed, or the floor."""
    t = _fall_time(s[i, POS + 2] - s[i, RADIUS], s[i, VEL + 2], par[GRAVITY], 0.0)
    if t < NEVER:
        x, y = s[i, POS] + s[i, VEL] * t, s[i, POS + 1] + s[i, VEL + 1] * t
        if _over_bed(holes, par, x, y) and hole_at(holes, x, y) < 0:
            offer(s, i, t, F_BED, 0)
            return
    if holes.shape[0] > 0:
        t = _fall_time(s[i, POS + 2] + par[DEPTH], s[i, VEL + 2], par[GRAVITY], 0.0)
        if t < NEVER:
            x, y = s[i, POS] + s[i, VEL] * t, s[i, POS + 1] + s[i, VEL + 1] * t
            # What comes down this far within the rails' outer edge does so in a pocket.
            if max(abs(x) - par[HALF_LENGTH], abs(y) - par[HALF_WIDTH]) < par[RAIL_WIDTH]:
                offer(s, i, t, F_SUNK, nearest_hole(holes, x, y))
                return
    fall = s[i, POS + 2] - s[i, RADIUS] + par[FLOOR]
    offer(s, i, _fall_time(fall, s[i, VEL + 2], par[GRAVITY], 0.0), F_FLOOR, 0)
