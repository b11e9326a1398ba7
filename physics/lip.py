"""A slow ball tips over the rounded edge of a slate cut: lasting contact, in short pieces.

The centre of a ball that rolls over an edge of radius r_d moves on a circle of radius R + r_d.
With ``a`` the angle from the vertical, rolling gives ``a'' = 5/7 g sin(a) / (R + r_d)``, and the
ball leaves the edge when gravity can no longer hold it there: ``g cos(a) = (R + r_d) a'^2``.  One
that comes faster than sqrt(g (R + r_d)), 0.57 m/s, leaves at once (REFERENCES 1.2).  There is no
closed form, so steps are integrated and each is told as a piece of constant acceleration that
joins the next without a gap.  Along the edge the ball goes straight on.
"""

from math import cos, hypot, sin

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.layout import (
    ACC,
    AIR,
    EDGE_ROUND,
    END_KIND,
    END_LIP,
    HOLE,
    HOLE_X,
    HOLE_Y,
    LIP,
    LIP_NX,
    LIP_NY,
    LIP_RATE,
    MOTION,
    POS,
    RADIUS,
    ROLL,
    SPIN,
    SPIN_ACC,
    T0,
    T_END,
    VEL,
)

Array = NDArray[np.float64]

STEP_ANGLE = 0.08  # rad, most that a piece turns
STEP_TIME = 0.025  # s, most that it lasts
SUBSTEPS = 16


@kernel("void(f8[:,::1], i8)")
def face_lip(s: Array, i: int) -> None:
    """Velocity and rolling spin of ball ``i`` from its angle and rate on the edge."""
    nx, ny = s[i, LIP_NX], s[i, LIP_NY]
    along = s[i, VEL + 1] * nx - s[i, VEL] * ny
    speed = (s[i, RADIUS] + EDGE_ROUND) * s[i, LIP_RATE]
    up, over = cos(s[i, LIP]), sin(s[i, LIP])
    s[i, VEL] = speed * up * nx - along * ny
    s[i, VEL + 1] = speed * up * ny + along * nx
    s[i, VEL + 2] = -speed * over
    # Rolling: spin = (from the edge to the centre) x velocity / R.
    ux, uy, uz = over * nx, over * ny, up
    vx, vy, vz = s[i, VEL], s[i, VEL + 1], s[i, VEL + 2]
    s[i, SPIN] = (uy * vz - uz * vy) / s[i, RADIUS]
    s[i, SPIN + 1] = (uz * vx - ux * vz) / s[i, RADIUS]
    s[i, SPIN + 2] = (ux * vy - uy * vx) / s[i, RADIUS]


@kernel("void(f8[:,::1], i8, f8[:,::1], f8)")
def reach_lip(s: Array, i: int, holes: Array, gravity: float) -> None:
    """Ball ``i`` comes to the edge of its hole: it tips over it if it rolls slowly enough.

    A ball that still slides there leaves the edge at once, as a fast one does.
    """
    h = int(s[i, HOLE])
    nx, ny = holes[h, HOLE_X] - s[i, POS], holes[h, HOLE_Y] - s[i, POS + 1]
    size = hypot(nx, ny)
    arm = s[i, RADIUS] + EDGE_ROUND
    speed = (s[i, VEL] * nx + s[i, VEL + 1] * ny) / size
    s[i, LIP] = -1.0
    slow = speed > 0.0 and speed * speed < gravity * arm
    if slow and s[i, MOTION] == ROLL:
        s[i, LIP] = 0.0
        s[i, LIP_RATE] = speed / arm
        s[i, LIP_NX], s[i, LIP_NY] = nx / size, ny / size
        face_lip(s, i)


@kernel("void(f8[:,::1], i8, f8, f8)")
def tip(s: Array, i: int, t: float, gravity: float) -> None:
    """Start the next short piece of ball ``i`` on the edge, or let it leave the edge (LIP < 0)."""
    arm = s[i, RADIUS] + EDGE_ROUND
    angle, rate = s[i, LIP], s[i, LIP_RATE]
    if gravity * cos(angle) <= arm * rate * rate:
        s[i, LIP] = -1.0
        return
    pull = 5.0 / 7.0 * gravity / arm
    lasts = min(STEP_TIME, STEP_ANGLE / rate)
    h = lasts / SUBSTEPS
    new, speed = angle, rate
    for _ in range(SUBSTEPS):
        # Leapfrog.
        speed += 0.5 * h * pull * sin(new)
        new += h * speed
        speed += 0.5 * h * pull * sin(new)
    ahead = arm * (sin(new) - sin(angle))
    drop = arm * (cos(new) - cos(angle))
    half = 0.5 * lasts * lasts
    forward = (ahead - arm * rate * cos(angle) * lasts) / half
    s[i, MOTION] = AIR
    s[i, T0] = t
    s[i, ACC] = forward * s[i, LIP_NX]
    s[i, ACC + 1] = forward * s[i, LIP_NY]
    s[i, ACC + 2] = (drop + arm * rate * sin(angle) * lasts) / half
    for x in range(3):
        s[i, SPIN_ACC + x] = 0.0
    s[i, LIP], s[i, LIP_RATE] = new, speed
    s[i, T_END] = t + lasts
    s[i, END_KIND] = END_LIP
