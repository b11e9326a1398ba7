"""The rails of a table as a solid: faces, ridges and points from the nose line outwards.

A cushion's top is a plane that rises from the nose to the wood at the feather strip, and its
facings stand upright above nose height.  The wood is level, goes out to the outer edge, and around
each pocket it ends at a rim, from which the liner goes down (``physics.pocket_walls``).  What lies
at nose height (noses, facings, jaw points) is in the edges and corners of ``physics.geometry``;
here are the faces behind it, the ridges where two faces meet outwards, and the points where ridges
end.  REFERENCES 1.1: width of the rail, of the cushion, height of the rail cap.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, cos, dist, hypot, pi, sin

import numpy as np
from numpy.typing import NDArray

from physics.layout import (
    CUSHION_DEPTH,
    FACE,
    HOLE_AX,
    HOLE_AY,
    HOLE_LINER,
    HOLE_X,
    HOLE_Y,
    POINT,
    RIDGE,
    TOP_A,
    TOP_B,
    TOP_C,
    TOP_HIGH,
    TOP_KIND,
    TOP_LEN,
    TOP_LOW,
    TOP_N,
    TOP_POCKET,
    TOP_RAIL,
    TOP_WIDTH,
    TOP_WOOD,
)

Array = NDArray[np.float64]
Point2 = tuple[float, float]
Point3 = tuple[float, float, float]

RIM_STEPS = 24  # chords of the wood's edge round a pocket
RIM = 1.01  # no point of a rim is further out than this share of the circle that it touches
LEAST_WOOD = 0.01  # m of wood left behind a pocket, however wide that is
SMALL = 1e-9  # m: faces and ridges less long than this are none


class _Mesh:
    """Rows as they are made, each with where it belongs."""

    def __init__(self) -> None:
        self.rows: list[Array] = []
        self.wood, self.rail, self.pocket = 0.0, -1.0, -1.0

    def belongs(self, wood: bool, rail: int = -1, pocket: int = -1) -> None:
        """What the rows that follow are part of."""
        self.wood, self.rail, self.pocket = float(wood), float(rail), float(pocket)

    def _add(self, kind: int, points: Sequence[Point3], normal: Array, length: float) -> None:
        row = np.zeros(TOP_WIDTH)
        row[TOP_KIND], row[TOP_LEN] = kind, length
        row[TOP_N : TOP_N + 3] = normal
        for at, k in ((TOP_A, 0), (TOP_B, 1), (TOP_C, 2)):
            row[at : at + 3] = points[min(k, len(points) - 1)]
        row[TOP_WOOD], row[TOP_RAIL], row[TOP_POCKET] = self.wood, self.rail, self.pocket
        row[TOP_LOW : TOP_LOW + 3] = np.min(points, axis=0)
        row[TOP_HIGH : TOP_HIGH + 3] = np.max(points, axis=0)
        self.rows.append(row)

    def face(self, a: Point3, b: Point3, c: Point3, towards: Point3) -> None:
        """A triangle whose normal is on the side of ``towards``."""
        normal = np.cross(np.subtract(b, a), np.subtract(c, a))
        size = float(np.linalg.norm(normal))
        if size > SMALL * SMALL:
            sense = 1.0 if float(np.dot(normal, towards)) > 0.0 else -1.0
            self._add(FACE, (a, b, c), sense * normal / size, 0.0)

    def ridge(self, a: Point3, b: Point3) -> None:
        """An edge where two faces meet outwards, and its ends."""
        along = np.subtract(b, a)
        size = float(np.linalg.norm(along))
        if size > SMALL:
            self._add(RIDGE, (a, b), along / size, size)

    def point(self, a: Point3) -> None:
        """An end of a ridge."""
        self._add(POINT, (a,), np.zeros(3), 0.0)


_UP: Point3 = (0.0, 0.0, 1.0)


class _Frame:
    """A table's heights, and where its rails end."""

    def __init__(self, half: Point2, nose: float, top: float, width: float, floor: float) -> None:
        self.half, self.nose, self.top, self.width = half, nose, max(top, nose), width
        self.wall = floor

    def height(self, deep: float) -> float:
        """Of a cushion's top ``deep`` behind the nose line."""
        return self.nose + (self.top - self.nose) * min(1.0, max(0.0, deep / CUSHION_DEPTH))

    def outer(self, axis: int, sign: float) -> float:
        """Coordinate of the outer edge."""
        return sign * (self.half[axis] + self.width)


def _deep(point: Point2, nose: Point2, normal: Point2) -> float:
    return (nose[0] - point[0]) * normal[0] + (nose[1] - point[1]) * normal[1]


def _cushion(
    mesh: _Mesh, frame: _Frame, outline: Sequence[Point2], nose: int, normal: Point2, rail: int,
    mitred: bool,
) -> tuple[Point2, Point2]:  # fmt: skip
    """The top and the facings of one cushion; the ends of its feather strip."""
    mesh.belongs(False, rail)
    corner = outline[nose]
    ends = []
    for end, k in ((outline[0], 0), (outline[-1], 1)):
        out = CUSHION_DEPTH - _deep(end, corner, normal)
        side = (outline[nose + k][0] - outline[nose + 1 - k][0],
                outline[nose + k][1] - outline[nose + 1 - k][1])  # fmt: skip
        size = hypot(*side)
        slant = out / size if mitred else 0.0
        ends.append((end[0] - out * normal[0] + slant * side[0],
                     end[1] - out * normal[1] + slant * side[1]))  # fmt: skip
    ring = [ends[0], *outline, ends[1]]
    tops = [(x, y, frame.height(_deep((x, y), corner, normal))) for x, y in ring]
    for k in range(1, len(tops) - 1):
        mesh.face(tops[0], tops[k], tops[k + 1], _UP)
    mesh.ridge(tops[0], tops[-1])
    mesh.point(tops[0])
    mesh.point(tops[-1])
    if mitred:
        return ends[0], ends[1]
    middle = (0.5 * (ends[0][0] + ends[1][0]), 0.5 * (ends[0][1] + ends[1][1]), 0.0)
    for k in range(len(tops) - 1):
        if k == nose + 1:
            continue
        a, b = tops[k], tops[k + 1]
        low_a, low_b = (a[0], a[1], frame.nose), (b[0], b[1], frame.nose)
        away = (a[0] - middle[0], a[1] - middle[1], 0.0)
        mesh.face(a, b, low_b, away)
        mesh.face(a, low_b, low_a, away)
        mesh.ridge(a, b)
    for k, top in enumerate(tops):
        strip = k in (0, len(tops) - 1)
        if top[2] <= frame.nose or (strip and dist(top, tops[1 if k == 0 else -2]) <= SMALL):
            continue
        mesh.ridge((top[0], top[1], frame.nose), top)
        if not strip:
            mesh.point(top)
    return ends[0], ends[1]


def _rim(hole: Array, start: Point2, end: Point2) -> list[Point2]:
    """Where the wood ends round a pocket, from one feather strip to the next.

    The chords touch the circle through the facings' ends from outside; the liner's top holds them.
    """
    cx, cy, radius = hole[HOLE_X], hole[HOLE_Y], hole[HOLE_LINER] / RIM
    axis = atan2(hole[HOLE_AY], hole[HOLE_AX])
    first = (atan2(start[1] - cy, start[0] - cx) - axis + pi) % (2.0 * pi) - pi
    last = (atan2(end[1] - cy, end[0] - cx) - axis + pi) % (2.0 * pi) - pi
    # From the ends on, which lie on the circle, half a step leads to where two tangents meet.
    step = (last - first) / (RIM_STEPS - 1)
    reach = radius / cos(0.5 * step)
    turns = [axis + first + (k + 0.5) * step for k in range(RIM_STEPS - 1)]
    return [start, *((cx + reach * cos(a), cy + reach * sin(a)) for a in turns), end]


def _meeting(hole: Array, end: Point2, back: Point2) -> Point2:
    """Where a feather strip comes to the circle of a hole; its end where it lies outside.

    ``back`` is the unit vector from the strip's end along it.
    """
    dx, dy = end[0] - hole[HOLE_X], end[1] - hole[HOLE_Y]
    along = dx * back[0] + dy * back[1]
    short = (hole[HOLE_LINER] / RIM) ** 2 - dx * dx - dy * dy
    inside = along * along + short
    # From outside, or the circle itself, it may still lead through it.
    if short <= 0.0 and (along >= 0.0 or inside <= 0.0):
        return end
    way = inside**0.5 - along
    return end[0] + way * back[0], end[1] + way * back[1]


def _on_ray(
    centre: Point2, through: Point2, path: Sequence[Point2], leg: int
) -> tuple[int, Point2]:
    """The leg of a polyline that a ray meets first, from ``leg`` on, and where."""
    rx, ry = through[0] - centre[0], through[1] - centre[1]
    for k in range(leg, len(path) - 1):
        (ax, ay), (bx, by) = path[k], path[k + 1]
        before = rx * (ay - centre[1]) - ry * (ax - centre[0])
        after = rx * (by - centre[1]) - ry * (bx - centre[0])
        if before == after or before * after > 0.0:
            continue
        share = before / (before - after)
        x, y = ax + share * (bx - ax), ay + share * (by - ay)
        if rx * (x - centre[0]) + ry * (y - centre[1]) > 0.0:
            return k, (x, y)
    raise ValueError(f"the wood round the pocket at {centre} is open")


def _pocket(
    mesh: _Mesh, frame: _Frame, hole: Array, number: int, start: Sequence[Point2],
    end: Sequence[Point2],
) -> None:  # fmt: skip
    """The wood round a pocket.

    ``start`` and ``end`` are, on either side, the point of the feather strip where the rim begins
    and the two corners of the rail's straight part: inner and outer.
    """
    mesh.belongs(True, -1, number)
    rim = _rim(hole, start[0], end[0])
    (ax, ay), (bx, by) = start[2], end[2]
    path = [*start, *reversed(end)]
    if abs(hole[HOLE_AX]) > SMALL:
        path.insert(3, (max(ax, bx, key=abs), max(ay, by, key=abs)))
    high = frame.top
    leg, outer = 0, path[0]
    for k in range(len(rim) - 1):
        p, q = rim[k : k + 2]
        # As seen from the hole's middle, or a face would reach over the hole.
        last = k == len(rim) - 2
        centre = (hole[HOLE_X], hole[HOLE_Y])
        to, on = (len(path) - 2, path[-1]) if last else _on_ray(centre, q, path, leg)
        # The ends see all of the path there that leads back beside them.
        spread, other, far = (q, p, outer) if last else (p, q, on)
        for a, b in pairwise([outer, *path[leg + 1 : to + 1], on]):
            mesh.face((*spread, high), (*a, high), (*b, high), _UP)
        mesh.face((*other, high), (*far, high), (*spread, high), _UP)
        mesh.ridge((*p, high), (*q, high))
        mesh.point((*p, high))
        leg, outer = to, on
    mesh.point((*rim[-1], high))


def _outer_edges(mesh: _Mesh, frame: _Frame) -> None:
    """The outer edge, and the upper end of what hangs under it."""
    x, y = frame.outer(0, 1.0), frame.outer(1, 1.0)
    corners = ((x, y), (-x, y), (-x, -y), (x, -y))
    rails = (2, 0, 3, 1)
    for k in range(4):
        mesh.belongs(True, rails[k])
        a, b = corners[k], corners[(k + 1) % 4]
        mesh.ridge((*a, frame.top), (*b, frame.top))
        mesh.point((*a, frame.top))
        middle = (a[0] + b[0], a[1] + b[1], 0.0)
        mesh.face((*a, frame.top), (*b, frame.top), (*b, -frame.wall), middle)
        mesh.face((*a, frame.top), (*b, -frame.wall), (*a, -frame.wall), middle)


def widened(half: Point2, rail_width: float, holes: Array) -> float:
    """How wide rails are that leave some wood behind their pockets (m), at least ``rail_width``."""
    width = rail_width
    for hole in holes:
        for axis, at in ((0, hole[HOLE_X]), (1, hole[HOLE_Y])):
            width = max(width, abs(at) + hole[HOLE_LINER] + LEAST_WOOD - half[axis])
    return width


def rail_rows(
    half: Point2, nose_height: float, rail_top: float, rail_width: float, skirt: float,
    cushions: Sequence[tuple[Sequence[Point2], int, int, tuple[int, int], Point2]], holes: Array,
) -> Array:  # fmt: skip
    """The rows of a table's rails (columns in ``layout``).

    Args:
        half: half the length and half the width between the noses (m).
        nose_height, rail_top, rail_width: of the table (m); ``skirt`` is how far the outside of
            the rails goes down below the bed.
        cushions: of each its outline at nose height, index of the nose in it, rail, pockets at
            either end, and normal into the table (``physics.geometry.Cushion``).
        holes: the slate cuts.
    """
    frame = _Frame(half, nose_height, rail_top, rail_width, skirt)
    mesh = _Mesh()
    rims: dict[int, list[tuple[Point2, Point2, Point2]]] = {}
    for outline, nose, rail, pockets, normal in cushions:
        mitred = pockets[0] < 0
        ends = _cushion(mesh, frame, outline, nose, normal, rail, mitred)
        axis = 0 if normal[0] != 0.0 else 1
        edge = frame.outer(axis, -normal[axis])
        size = hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1])
        along = ((ends[1][0] - ends[0][0]) / size, (ends[1][1] - ends[0][1]) / size)
        quad: list[Point2] = []
        for k in (0, 1):
            point = ends[k]
            if mitred:
                across = frame.outer(1 - axis, 1.0 if point[1 - axis] > 0.0 else -1.0)
                quad += [point, (edge, across) if axis == 0 else (across, edge)]
                continue
            sense = 1.0 if k == 0 else -1.0
            hole = holes[pockets[k]]
            meeting = _meeting(hole, point, (sense * along[0], sense * along[1]))
            # The straight part ends where the hole, or the strip, is no longer beside it.
            back = sense * along[1 - axis]
            clear = (hole[HOLE_Y] if axis == 0 else hole[HOLE_X]) + back * hole[HOLE_LINER]
            clear = back * max(back * clear, back * meeting[1 - axis])
            inner = (point[0], clear) if axis == 0 else (clear, point[1])
            out = (edge, clear) if axis == 0 else (clear, edge)
            rims.setdefault(pockets[k], []).append((meeting, inner, out))
            quad += [inner, out]
        mesh.belongs(True, rail)
        a, out_a, b, out_b = ((*p, frame.top) for p in quad)
        mesh.face(a, b, out_b, _UP)
        mesh.face(a, out_b, out_a, _UP)
    for pocket, (start, end) in rims.items():
        hole = holes[pocket]
        # Counter-clockwise about the hole's axis.
        turn = (start[0][0] - hole[HOLE_X]) * hole[HOLE_AY] - (start[0][1] - hole[HOLE_Y]) * hole[
            HOLE_AX
        ]
        first, last = (start, end) if turn > 0.0 else (end, start)
        _pocket(mesh, frame, hole, pocket, first, last)
    _outer_edges(mesh, frame)
    return np.array(mesh.rows, dtype=np.float64).reshape(-1, TOP_WIDTH)
