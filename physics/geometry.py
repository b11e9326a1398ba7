"""The cushions, jaws and pockets of a table as plain lines: what a ball can meet.

Each cushion is an outline at nose height: throat, jaw point, nose, jaw point, throat, seen from
above.  A ball on the bed touches such a line when its centre is sqrt(R^2 - (h - R)^2) away: it
meets the upper edge, because nose and facings lean back below it by more than the contact's own
tilt of 15.7 degrees.  The facings' back draft of 12 to 15 degrees is a little less, so their
faces would be met 0.02 mm earlier: that is left out on the bed, while a ball off it, which may
come lower, meets the faces (``physics.pocket_walls``).  Rounded jaws are arcs: rows of
``corners`` with a radius.  Their outline has chords in place of them, for hulls and pictures.

REFERENCES 1.1, 1.2.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import cos, hypot, inf, pi, radians, sin, sqrt, tan

import numpy as np
from numpy.typing import NDArray

from physics.layout import (
    CORNER_WIDTH,
    CUSHION_DEPTH,
    EDGE_LEN,
    EDGE_ROUND,
    EDGE_WIDTH,
    EDGE_X,
    EDGE_Y,
    HOLE_RADIUS,
    HOLE_WIDTH,
    HOLE_Y,
    TOP_WIDTH,
)
from physics.rail_mesh import RIM, rail_rows, widened
from physics.table import TableSpec
from shared_rules.events import POCKETS, RAILS

Point = tuple[float, float]
Array = NDArray[np.float64]

HOLE_CLEARANCE = 0.010  # m, how much wider than half the throat the slate cut is
SKIRT = 0.15  # m, how far the outside of the rails goes down below the bed
JAW_STEPS = 24  # chords that stand for a rounded jaw where it is drawn
LEAST_THROAT = 0.005  # m, half of it: facings that converge more end where they leave this
LEAST_ROOM = 0.008  # m, by which a slate cut lets any ball down
LEAST_CUT = 0.35  # of its radius: so much of a slate cut lies before the facings' ends


@dataclass(frozen=True, slots=True)
class Cushion:
    """One cushion: ``outline`` from throat to throat at nose height, ``nose`` its index in it.

    ``rail`` and the pockets at either end are indices in RAILS and POCKETS (-1: none);
    ``normal`` points into the table; ``arcs`` are radius and turn of the jaws where they are round.
    """

    outline: tuple[Point, ...]
    nose: int
    rail: int
    pockets: tuple[int, int]
    normal: Point
    arcs: tuple[tuple[float, float], tuple[float, float]] = ((0.0, 0.0), (0.0, 0.0))


@dataclass(frozen=True, slots=True)
class Geometry:
    """A table's cushions; the arrays of edges, corners, holes and rails' tops (``layout``).

    ``rail_width`` is how far the rails go out from the noses, round their pockets (m).  No hole's
    edge comes nearer than ``holes_from`` to the long string (m).
    """

    cushions: tuple[Cushion, ...]
    edges: Array
    corners: Array
    holes: Array
    tops: Array
    rail_width: float
    holes_from: float = inf


def _jaw(
    point: Point, along: Point, outward: Point, turn: float, depth: float, radius: float
) -> list[Point]:
    """Outline from the nose's end into the pocket: a facing, or a rounded jaw and its end.

    ``along`` is the direction of the nose towards the pocket, ``outward`` off the table; the jaw
    turns by ``turn`` from the one to the other and ends ``depth`` behind the nose line.
    """
    if radius == 0.0:
        length = depth / sin(turn)
        step = (length * cos(turn), length * sin(turn))
        offsets = [(0.0, 0.0), step]
    else:
        offsets = []
        for k in range(JAW_STEPS + 1):
            angle = turn * k / JAW_STEPS
            offsets.append((radius * sin(angle), radius * (1.0 - cos(angle))))
        rest = depth - offsets[-1][1]
        if rest > 1e-6:
            last = offsets[-1]
            offsets.append((last[0] + rest / tan(turn), depth))
    return [
        (point[0] + a * along[0] + b * outward[0], point[1] + a * along[1] + b * outward[1])
        for a, b in offsets
    ]


def _jaw_ends(spec: TableSpec) -> tuple[float, float, float, float, float, float]:
    """How far noses end from corner and side pocket, turns, and depths of the outlines.

    Facings that converge so much that they would all but meet end sooner.
    """
    corner_round, side_round = spec.jaw_radius
    if corner_round > 0.0:
        # The mouth is narrowest where the jaw runs along the axis.
        quarter = pi / 4
        reach = corner_round * (sin(quarter) - (1.0 - cos(quarter)))
        corner = spec.corner_mouth / sqrt(2.0) + reach
        side = 0.5 * spec.side_mouth + side_round
        deep = max(CUSHION_DEPTH, corner_round * (1.0 - cos(quarter)) + 1e-3)
        return corner, side, quarter, 0.5 * pi - 1e-9, deep, side_round
    corner_turn = radians(180.0 - spec.corner_angle_deg)
    side_turn = radians(180.0 - spec.side_angle_deg)
    corner = spec.corner_mouth / sqrt(2.0)
    corner_deep = side_deep = CUSHION_DEPTH
    if corner_turn < 0.25 * pi:
        longest = (0.5 * spec.corner_mouth - LEAST_THROAT) / sin(0.25 * pi - corner_turn)
        corner_deep = min(corner_deep, longest * sin(corner_turn))
    if side_turn < 0.5 * pi:
        side_deep = min(side_deep, (0.5 * spec.side_mouth - LEAST_THROAT) * tan(side_turn))
    return corner, 0.5 * spec.side_mouth, corner_turn, side_turn, corner_deep, side_deep


def _cushions(spec: TableSpec) -> tuple[Cushion, ...]:
    x, y = 0.5 * spec.length, 0.5 * spec.width
    head, foot, left, right = (RAILS.index(r) for r in ("head", "foot", "left", "right"))
    if spec.pockets == "none":
        straight = [
            ((-x, -y), (-x, y), head, (1.0, 0.0)),
            ((x, -y), (x, y), foot, (-1.0, 0.0)),
            ((-x, y), (x, y), left, (0.0, -1.0)),
            ((-x, -y), (x, -y), right, (0.0, 1.0)),
        ]
        return tuple(Cushion((a, b), 0, rail, (-1, -1), n) for a, b, rail, n in straight)
    corner, side, corner_turn, side_turn, corner_deep, side_deep = _jaw_ends(spec)
    pocket: dict[str, int] = {name: k for k, name in enumerate(POCKETS)}
    corner_radius, side_radius = spec.jaw_radius
    made: list[Cushion] = []

    def add(
        a: Point, b: Point, rail: int, normal: Point, ends: tuple[str, str], b_is_side: bool
    ) -> None:
        along = (b[0] - a[0], b[1] - a[1])
        size = hypot(*along)
        along = (along[0] / size, along[1] / size)
        out = (-normal[0], -normal[1])
        back = (-along[0], -along[1])
        first = _jaw(a, back, out, corner_turn, corner_deep, corner_radius)
        if b_is_side:
            second = _jaw(b, along, out, side_turn, side_deep, side_radius)
        else:
            second = _jaw(b, along, out, corner_turn, corner_deep, corner_radius)
        outline = (*reversed(first), *second)
        pockets = (pocket[ends[0]], pocket[ends[1]])
        arcs = (
            (corner_radius, corner_turn),
            (side_radius, side_turn) if b_is_side else (corner_radius, corner_turn),
        )
        made.append(Cushion(outline, len(first) - 1, rail, pockets, normal, arcs))

    for sign, rail, end in ((-1.0, head, "head"), (1.0, foot, "foot")):
        add((sign * x, -y + corner), (sign * x, y - corner), rail, (-sign, 0.0),
            (f"{end}_right", f"{end}_left"), False)  # fmt: skip
        for across, flank, name in ((1.0, left, "left"), (-1.0, right, "right")):
            add((sign * (x - corner), across * y), (sign * side, across * y), flank,
                (0.0, -across), (f"{end}_{name}", f"side_{name}"), True)  # fmt: skip
    return tuple(made)


def _edge(cushion: Cushion, k: int, number: int) -> list[float]:
    """Row of the ``k``-th line of a cushion's outline."""
    (ax, ay), (bx, by) = cushion.outline[k], cushion.outline[k + 1]
    size = hypot(bx - ax, by - ay)
    tx, ty = (bx - ax) / size, (by - ay) / size
    if k == cushion.nose:
        return [ax, ay, tx, ty, *cushion.normal, size, number, cushion.rail, -1]
    nx, ny = -ty, tx
    if nx * cushion.normal[0] + ny * cushion.normal[1] < 0.0:
        nx, ny = ty, -tx
    pocket = cushion.pockets[0 if k < cushion.nose else 1]
    return [ax, ay, tx, ty, nx, ny, size, number, -1, pocket]


def _arc(cushion: Cushion, side: int, number: int) -> list[float]:
    """Row of the rounded jaw at one end (0 or 1) of a cushion."""
    radius, turn = cushion.arcs[side]
    x, y = cushion.outline[cushion.nose + side]
    ox, oy = cushion.outline[cushion.nose + 1 - side]
    size = hypot(x - ox, y - oy)
    ax, ay = (x - ox) / size, (y - oy) / size
    nx, ny = cushion.normal
    c, s = cos(0.5 * turn), sin(0.5 * turn)
    return [x - radius * nx, y - radius * ny, number, cushion.pockets[side], radius,
            c * nx + s * ax, c * ny + s * ay, c]  # fmt: skip


def _back(cushion: Cushion, side: int, number: int) -> list[float] | None:
    """Row of what is left of a cushion's end behind its facing, straight back to the wood.

    Facings that end sooner than the cushion is deep leave some; None where they don't.
    """
    x, y = cushion.outline[0 if side == 0 else -1]
    nose, other = cushion.outline[cushion.nose + side], cushion.outline[cushion.nose + 1 - side]
    nx, ny = cushion.normal
    rest = CUSHION_DEPTH - (nose[0] - x) * nx - (nose[1] - y) * ny
    if rest <= 1e-6:
        return None
    size = hypot(nose[0] - other[0], nose[1] - other[1])
    ax, ay = (nose[0] - other[0]) / size, (nose[1] - other[1]) / size
    return [x, y, -nx, -ny, ax, ay, rest, number, -1, cushion.pockets[side]]


def _edge_rows(cushions: tuple[Cushion, ...]) -> tuple[Array, Array]:
    edges: list[list[float]] = []
    corners: list[list[float]] = []
    for number, cushion in enumerate(cushions):
        points, nose = cushion.outline, cushion.nose
        # How many lines on either side of the nose are chords of an arc.
        chords = [JAW_STEPS if radius > 0.0 else 0 for radius, _ in cushion.arcs]
        for k in range(len(points) - 1):
            if k == nose or k < nose - chords[0] or k > nose + chords[1]:
                edges.append(_edge(cushion, k, number))
        if cushion.pockets[0] < 0:
            continue
        for side in (0, 1):
            if back := _back(cushion, side, number):
                edges.append(back)
                far = [back[k] + back[EDGE_LEN] * back[k + 2] for k in (EDGE_X, EDGE_Y)]
                corners.append([*far, number, cushion.pockets[side], 0.0, 1.0, 0.0, -1.0])
        corners += [_arc(cushion, side, number) for side in (0, 1) if chords[side]]
        for k, (px, py) in enumerate(points):
            side = 0 if k <= nose else 1
            smooth = 0 < k <= nose if side == 0 else nose < k < len(points) - 1
            if not (chords[side] and smooth):
                corners.append([px, py, number, cushion.pockets[side], 0.0, 1.0, 0.0, -1.0])
    return (
        np.array(edges, dtype=np.float64).reshape(-1, EDGE_WIDTH),
        np.array(corners, dtype=np.float64).reshape(-1, CORNER_WIDTH),
    )


def _throat(
    cushions: tuple[Cushion, ...], pocket: int, mouth: Point, axis: Point
) -> tuple[float, float]:
    """Half the throat of a pocket, and how far behind the mouth line the facings end."""
    for cushion in cushions:
        for side, point in ((0, cushion.outline[0]), (1, cushion.outline[-1])):
            if cushion.pockets[side] == pocket:
                px, py = point[0] - mouth[0], point[1] - mouth[1]
                return abs(px * axis[1] - py * axis[0]), px * axis[0] + py * axis[1]
    raise ValueError(f"no cushion ends at pocket {pocket}")


def _hole_rows(spec: TableSpec, cushions: tuple[Cushion, ...]) -> Array:
    """Slate cuts: circles whose edge, its rounding included, begins a shelf behind the mouth line.

    They are HOLE_CLEARANCE wider than half the throat, but let every ball down.  However far a
    shelf is said to reach, it leaves a hole between the facings.  The liner stands on the same
    centre and goes through the facings' ends.
    """
    x, y = 0.5 * spec.length, 0.5 * spec.width
    root = sqrt(0.5)
    least = max(spec.ball.radius, spec.cue_ball.radius) + EDGE_ROUND + LEAST_ROOM
    rows: list[list[float]] = []
    for number, name in enumerate(POCKETS):
        end, _, flank = name.partition("_")
        sy = 1.0 if flank == "left" else -1.0
        if end == "side":
            axis, mouth = (0.0, sy), (0.0, sy * y)
            half, shelf = 0.5 * spec.side_mouth, spec.side_shelf
        else:
            sx = -1.0 if end == "head" else 1.0
            half, shelf = 0.5 * spec.corner_mouth, spec.corner_shelf
            axis, mouth = (sx * root, sy * root), (sx * (x - half * root), sy * (y - half * root))
        throat, deep = _throat(cushions, number, mouth, axis)
        radius = max(throat + HOLE_CLEARANCE, least)
        short = deep - shelf + EDGE_ROUND
        if short > throat:
            # The cut reaches back to both facings' ends, however far behind the shelf they are.
            radius = max(radius, 0.5 * (short + throat * throat / short))
        centre = min(shelf - EDGE_ROUND, max(deep - LEAST_CUT * radius, 0.0)) + radius
        liner = RIM * hypot(throat, centre - deep)
        rows.append([
            mouth[0] + centre * axis[0], mouth[1] + centre * axis[1], radius,
            mouth[0], mouth[1], axis[0], axis[1], half, deep, liner,
        ])  # fmt: skip
    return np.array(rows, dtype=np.float64).reshape(-1, HOLE_WIDTH)


@lru_cache(maxsize=64)
def build_geometry(spec: TableSpec) -> Geometry:
    """Derive a table's cushions, jaws and holes from its measures."""
    if not spec.bounded:
        empty = np.zeros
        return Geometry((), empty((0, EDGE_WIDTH)), empty((0, CORNER_WIDTH)),
                        empty((0, HOLE_WIDTH)), empty((0, TOP_WIDTH)), 0.0)  # fmt: skip
    cushions = _cushions(spec)
    edges, corners = _edge_rows(cushions)
    holes = np.zeros((0, HOLE_WIDTH)) if spec.pockets == "none" else _hole_rows(spec, cushions)
    half = (0.5 * spec.length, 0.5 * spec.width)
    width = widened(half, spec.rail_width, holes)
    tops = rail_rows(
        half, spec.nose_height, spec.rail_top, width, SKIRT,
        [(c.outline, c.nose, c.rail, c.pockets, c.normal) for c in cushions], holes,
    )  # fmt: skip
    holes_from = min((abs(h[HOLE_Y]) - h[HOLE_RADIUS] for h in holes.tolist()), default=inf)
    return Geometry(cushions, edges, corners, holes, tops, width, holes_from)
