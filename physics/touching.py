"""What touches at an instant: balls that hang together, and the cushions and bed at each."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.ball_contact import pose_pair
from physics.compiled import kernel
from physics.falling import hole_at
from physics.layout import (
    AIR,
    AT_ONCE,
    C_E,
    C_KIND,
    C_SPEED,
    CORNER_COS,
    CORNER_DX,
    CORNER_DY,
    CORNER_RADIUS,
    CORNER_X,
    CORNER_Y,
    EDGE_LEN,
    EDGE_NX,
    EDGE_NY,
    EDGE_TX,
    EDGE_TY,
    EDGE_X,
    EDGE_Y,
    F_BED,
    F_CORNER,
    F_EDGE,
    F_PAIR,
    HOLE,
    MOTION,
    N_CONTACTS,
    NOSE,
    PERCH,
    POCKETED,
    POS,
    PRESS_BALL,
    RADIUS,
    TOUCH,
)
from physics.motion import advance
from physics.surfaces import pose_feature

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Counters = NDArray[np.int64]

LONG_IN_POCKET = 100.0  # rounds at one instant


@kernel("b1(f8[:,::1], i8, i8)")
def _touch(s: Array, i: int, j: int) -> bool:
    """Whether balls ``i`` and ``j``, moved up to now, touch."""
    reach = s[i, RADIUS] + s[j, RADIUS] + TOUCH
    d2 = 0.0
    for x in range(3):
        d2 += (s[j, POS + x] - s[i, POS + x]) ** 2
    result: bool = d2 < reach * reach
    return result


@kernel("i8(f8[:,::1], f8, f8[:,::1], b1[::1], f8[::1])")
def pose_touching(s: Array, t: float, contacts: Array, reached: Flags, par: Array) -> int:
    """Pose all pairs that touch among what hangs together with the balls ``reached``; how many."""
    n = s.shape[0]
    for i in range(n):
        if s[i, MOTION] < POCKETED:
            advance(s, i, t)
    joined = np.zeros((n, n), np.bool_)
    count = 0
    more = True
    while more:
        more = False
        for i in range(n):
            for j in range(i + 1, n):
                if joined[i, j] or not (reached[i] or reached[j]) or count >= contacts.shape[0]:
                    continue
                if s[i, MOTION] >= POCKETED or s[j, MOTION] >= POCKETED or not _touch(s, i, j):
                    continue
                pose_pair(s, i, j, contacts, count, par)
                reached[i] = reached[j] = joined[i, j] = more = True
                count += 1
    return count


@kernel("b1(f8[:,::1], i8, f8, f8, f8[::1])")
def _at_nose(s: Array, i: int, gap: float, along: float, par: Array) -> bool:
    """Whether ball ``i`` touches a nose that is ``gap`` away; ``along`` is 0 abreast of it (m)."""
    radius, rise = s[i, RADIUS], s[i, POS + 2] - par[NOSE]
    if along != 0.0:
        return False
    if s[i, MOTION] != AIR:
        rise = par[NOSE] - radius
    return abs(sqrt(gap * gap + rise * rise) - radius) < TOUCH and gap > 0.0


@kernel("i8(f8[:,::1], i8, f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[::1], f8[:,::1], i8)")
def pose_standing(
    s: Array, i: int, edges: Array, corners: Array, holes: Array, tops: Array, par: Array,
    contacts: Array, k: int,
) -> int:  # fmt: skip
    """Pose from row ``k`` on the cushions and the bed that ball ``i`` touches; the next free row.

    The row of a bed comes last, so that it says what becomes of a ball that lands.
    """
    room = contacts.shape[0] - 1
    for e in range(edges.shape[0]):
        px, py = s[i, POS] - edges[e, EDGE_X], s[i, POS + 1] - edges[e, EDGE_Y]
        gap = px * edges[e, EDGE_NX] + py * edges[e, EDGE_NY]
        foot = px * edges[e, EDGE_TX] + py * edges[e, EDGE_TY]
        beside = max(0.0, -foot, foot - edges[e, EDGE_LEN])
        if k < room and _at_nose(s, i, gap, beside, par):
            pose_feature(s, i, F_EDGE, e, edges, corners, holes, tops, par, contacts, k)
            k += 1
    for c in range(corners.shape[0]):
        dx, dy = s[i, POS] - corners[c, CORNER_X], s[i, POS + 1] - corners[c, CORNER_Y]
        far = sqrt(dx * dx + dy * dy)
        abreast = dx * corners[c, CORNER_DX] + dy * corners[c, CORNER_DY]
        beside = max(0.0, corners[c, CORNER_COS] * far - abreast)
        if k < room and _at_nose(s, i, far - corners[c, CORNER_RADIUS], beside, par):
            pose_feature(s, i, F_CORNER, c, edges, corners, holes, tops, par, contacts, k)
            k += 1
    low = s[i, POS + 2] < s[i, RADIUS] + TOUCH and s[i, HOLE] < 0.0 and s[i, PERCH] < 0.0
    if k <= room and low and hole_at(holes, s[i, POS], s[i, POS + 1]) < 0:
        pose_feature(s, i, F_BED, -1, edges, corners, holes, tops, par, contacts, k)
        k += 1
    return k


@kernel("void(f8[:,::1], i8[::1])")
def part_in_pocket(contacts: Array, counters: Counters) -> None:
    """Let pairs that met too often at this instant part as what presses does, if spin can pay.

    A ball on the edge of a pocket that friction drives into another meets edge and ball by turns.
    """
    often = counters[AT_ONCE] / LONG_IN_POCKET
    for k in range(counters[N_CONTACTS]):
        if often > 1.0 and contacts[k, C_KIND] == F_PAIR:
            contacts[k, C_E] = max(contacts[k, C_E], often * PRESS_BALL / contacts[k, C_SPEED])
