"""What a ball meets apart from balls, as contacts: normals of cushions, jaws, bed and liner."""

from math import hypot, sqrt

import numpy as np
from numpy.typing import NDArray

from physics.compiled import kernel
from physics.cushion_contact import pose_surface
from physics.layout import (
    AIR,
    C_E,
    CORNER_CUSHION,
    CORNER_X,
    CORNER_Y,
    CREEP,
    E_BED,
    E_LINER,
    E_WOOD,
    EDGE_CUSHION,
    EDGE_LEN,
    EDGE_NX,
    EDGE_NY,
    EDGE_RAIL,
    EDGE_TX,
    EDGE_TY,
    EDGE_X,
    EDGE_Y,
    F_CORNER,
    F_EDGE,
    F_LINER,
    F_TOP,
    FEATURE,
    FEATURE_ID,
    HOLE_X,
    HOLE_Y,
    JAW_SHARE,
    LINER_LEAN,
    MOTION,
    NOSE,
    POS,
    RADIUS,
    TOP_WOOD,
    TOUCH,
    VEL,
)
from physics.rail_tops import top_normal

Array = NDArray[np.float64]


@kernel(
    "void(f8[:,::1], i8, i8, i8, f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[::1],f8[:,::1], i8)"
)
def _pose(
    s: Array, i: int, kind: int, number: int, edges: Array, corners: Array, holes: Array,
    tops: Array, par: Array, contacts: Array, k: int,
) -> None:  # fmt: skip
    """Write row ``k`` of the contacts: ball ``i`` at a feature."""
    normal = np.zeros(3)
    cushion = -1
    if kind == F_EDGE:
        nx, ny = edges[number, EDGE_NX], edges[number, EDGE_NY]
        px, py = s[i, POS] - edges[number, EDGE_X], s[i, POS + 1] - edges[number, EDGE_Y]
        gap = px * nx + py * ny
        normal[0], normal[1], normal[2] = gap * nx, gap * ny, s[i, POS + 2] - par[NOSE]
        cushion = int(edges[number, EDGE_CUSHION])
    elif kind == F_CORNER:
        normal[0] = s[i, POS] - corners[number, CORNER_X]
        normal[1] = s[i, POS + 1] - corners[number, CORNER_Y]
        normal[2] = s[i, POS + 2] - par[NOSE]
        cushion = int(corners[number, CORNER_CUSHION])
    elif kind == F_LINER:
        normal[0] = holes[number, HOLE_X] - s[i, POS]
        normal[1] = holes[number, HOLE_Y] - s[i, POS + 1]
        flat = hypot(normal[0], normal[1])
        lean = LINER_LEAN
        steep = (normal[0] * s[i, VEL] + normal[1] * s[i, VEL + 1]) / flat
        if steep * sqrt(1.0 - lean * lean) - lean * s[i, VEL + 2] > -CREEP:
            lean = 0.0
        normal[2] = -flat * lean / sqrt(1.0 - lean * lean)
    elif kind == F_TOP:
        top_normal(s, i, number, tops, normal)
    else:
        normal[2] = 1.0
    size = sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2)
    for x in range(3):
        normal[x] /= size
    pose_surface(s, i, kind, number, cushion, normal, contacts, k, par, cushion >= 0)
    jaw = kind == F_CORNER or (kind == F_EDGE and edges[number, EDGE_RAIL] < 0.0)
    if jaw and contacts[k, C_E] <= 1.0:
        contacts[k, C_E] *= JAW_SHARE
    if cushion < 0:
        contacts[k, C_E] = E_LINER if kind == F_LINER else par[E_BED]
        if kind == F_TOP and tops[number, TOP_WOOD] == 1.0:
            contacts[k, C_E] = E_WOOD


@kernel("i8(f8[:,::1], i8, f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[::1], f8[:,::1], i8)")
def pose_features(
    s: Array, i: int, edges: Array, corners: Array, holes: Array, tops: Array, par: Array,
    contacts: Array, k: int,
) -> int:  # fmt: skip
    """Write contacts of ball ``i`` from row ``k`` on; how many.

    The feature that its row names, and any other cushion that it touches and approaches at the
    same time (where two straight rails meet, FP-01).
    """
    kind, number = int(s[i, FEATURE]), int(s[i, FEATURE_ID])
    _pose(s, i, kind, number, edges, corners, holes, tops, par, contacts, k)
    if kind != F_EDGE or s[i, MOTION] == AIR:
        return 1
    count = 1
    radius = s[i, RADIUS]
    reach = sqrt(max(0.0, radius * radius - (par[NOSE] - radius) ** 2))
    for e in range(edges.shape[0]):
        px, py = s[i, POS] - edges[e, EDGE_X], s[i, POS + 1] - edges[e, EDGE_Y]
        gap = px * edges[e, EDGE_NX] + py * edges[e, EDGE_NY]
        foot = px * edges[e, EDGE_TX] + py * edges[e, EDGE_TY]
        rate = s[i, VEL] * edges[e, EDGE_NX] + s[i, VEL + 1] * edges[e, EDGE_NY]
        touches = abs(gap - reach) < TOUCH and 0.0 <= foot <= edges[e, EDGE_LEN]
        if e != number and touches and rate < -CREEP and count < 2:
            _pose(s, i, F_EDGE, e, edges, corners, holes, tops, par, contacts, k + count)
            count += 1
    return count
