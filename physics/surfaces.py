"""What a ball meets apart from balls, as contacts: normals of cushions, jaws, bed and liner."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from physics.arithmetic import length
from physics.compiled import kernel
from physics.cushion_contact import cushion_restitution, pose_surface
from physics.layout import (
    AIR,
    C_E,
    C_MU,
    C_ON_BED,
    C_SPEED,
    CORNER_RADIUS,
    CORNER_X,
    CORNER_Y,
    CREEP,
    DRAFT_COS,
    DRAFT_SIN,
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
    F_BED,
    F_CORNER,
    F_EDGE,
    F_FACE,
    F_LINER,
    F_POST,
    F_RIM,
    F_TOP,
    FEATURE,
    FEATURE_ID,
    HOLE_X,
    HOLE_Y,
    JAW_SHARE,
    LEAST_PART,
    LEAST_TAP,
    LINED,
    LINED_LONG,
    LINER_TAN,
    MOTION,
    MU_CUSHION,
    NOSE,
    POS,
    PRESS_GROWTH,
    RADIUS,
    STAY_HITS,
    TOP_WOOD,
    TOUCH,
    VEL,
)
from physics.pocket_walls import post_line
from physics.rail_tops import top_normal
from physics.slate_edges import from_slate

Array = NDArray[np.float64]


@kernel("void(f8[:,::1], i8, i8, f8[:,::1], f8[::1], f8[::1])")
def _from_corner(s: Array, i: int, number: int, corners: Array, par: Array, normal: Array) -> None:
    """From a jaw point, or the nearest place of a rounded jaw, to ball ``i``."""
    normal[0] = s[i, POS] - corners[number, CORNER_X]
    normal[1] = s[i, POS + 1] - corners[number, CORNER_Y]
    normal[2] = s[i, POS + 2] - par[NOSE]
    flat = length(normal[0], normal[1])
    if flat > 0.0:
        part = 1.0 - corners[number, CORNER_RADIUS] / flat
        normal[0] *= part
        normal[1] *= part


@kernel("void(f8[:,::1], i8, i8, i8, f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[::1], f8[::1])")
def _normal(
    s: Array, i: int, kind: int, number: int, edges: Array, corners: Array, holes: Array,
    tops: Array, par: Array, normal: Array,
) -> None:  # fmt: skip
    """From the feature to ball ``i``; of any length."""
    if kind == F_EDGE:
        nx, ny = edges[number, EDGE_NX], edges[number, EDGE_NY]
        px, py = s[i, POS] - edges[number, EDGE_X], s[i, POS + 1] - edges[number, EDGE_Y]
        gap = px * nx + py * ny
        normal[0], normal[1], normal[2] = gap * nx, gap * ny, s[i, POS + 2] - par[NOSE]
    elif kind == F_CORNER:
        _from_corner(s, i, number, corners, par, normal)
    elif kind == F_FACE:
        normal[0] = par[DRAFT_COS] * edges[number, EDGE_NX]
        normal[1] = par[DRAFT_COS] * edges[number, EDGE_NY]
        normal[2] = -par[DRAFT_SIN]
    elif kind == F_POST:
        line = np.empty(6)
        post_line(edges, number, par, line)
        foot = 0.0
        for x in range(3):
            foot += (s[i, POS + x] - line[x]) * line[3 + x]
        for x in range(3):
            normal[x] = s[i, POS + x] - line[x] - foot * line[3 + x]
    elif kind == F_RIM:
        from_slate(s, i, holes, number, par, normal)
    elif kind == F_LINER:
        normal[0] = holes[number, HOLE_X] - s[i, POS]
        normal[1] = holes[number, HOLE_Y] - s[i, POS + 1]
        normal[2] = -length(normal[0], normal[1]) * par[LINER_TAN]
    elif kind == F_TOP:
        top_normal(s, i, number, tops, normal)
    else:
        normal[2] = 1.0


@kernel(
    "void(f8[:,::1], i8, i8, i8, f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[::1],f8[:,::1], i8)"
)
def pose_feature(
    s: Array, i: int, kind: int, number: int, edges: Array, corners: Array, holes: Array,
    tops: Array, par: Array, contacts: Array, k: int,
) -> None:  # fmt: skip
    """Write row ``k`` of the contacts: ball ``i`` at a feature.

    C_CUSHION is the number of the cushion whose nose is met, -1 for anything else.  What flies
    in a pocket, or lies on a ball and a rail by turns, does not bounce ever less: taps slower than
    LEAST_TAP lose nothing.  What circles along a liner for long makes larger ones.
    """
    normal = np.zeros(3)
    _normal(s, i, kind, number, edges, corners, holes, tops, par, normal)
    size = sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2)
    for x in range(3):
        normal[x] /= size
    nose = kind == F_EDGE and edges[number, EDGE_RAIL] >= 0.0
    jaw = kind in (F_FACE, F_POST, F_CORNER) or (kind == F_EDGE and not nose)
    on_bed = s[i, MOTION] != AIR
    cushion = int(edges[number, EDGE_CUSHION]) if nose else -1
    pose_surface(s, i, kind, number, cushion, normal, contacts, k, par, nose or (jaw and on_bed))
    contacts[k, C_ON_BED] = 1.0 if on_bed else 0.0
    if nose or (jaw and on_bed):
        if jaw and contacts[k, C_E] <= 1.0:
            contacts[k, C_E] *= JAW_SHARE
        return
    speed = contacts[k, C_SPEED]
    if jaw:
        contacts[k, C_MU] = par[MU_CUSHION]
        contacts[k, C_E] = JAW_SHARE * cushion_restitution(speed, par)
    else:
        contacts[k, C_E] = par[E_LINER] if kind == F_LINER else par[E_BED]
        if kind == F_TOP and tops[number, TOP_WOOD] == 1.0:
            contacts[k, C_E] = E_WOOD
        if kind == F_TOP and speed < LEAST_TAP and s[i, STAY_HITS] > 1.0:
            contacts[k, C_E] = 1.0
    grown = 1.0
    if kind == F_LINER:
        s[i, LINED] += 1.0
        grown = max(1.0, 1.0 + (s[i, LINED] - LINED_LONG) / PRESS_GROWTH)
    if speed < LEAST_TAP * grown and kind != F_BED and kind != F_TOP:
        contacts[k, C_E] = max(1.0, LEAST_PART * grown / speed)


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
    pose_feature(s, i, kind, number, edges, corners, holes, tops, par, contacts, k)
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
            pose_feature(s, i, F_EDGE, e, edges, corners, holes, tops, par, contacts, k + count)
            count += 1
    return count
