"""The cushions, jaws and pockets of a table as plain lines: what a ball can meet.

Each cushion is an outline at nose height: throat, jaw point, nose, jaw point, throat, seen from
above.  A ball on the bed touches such a line when its centre is sqrt(R^2 - (h - R)^2) away: it
meets the upper edge, because nose and facings lean back below it (back draft) by more than the
contact's own tilt of 15.7 degrees.  (WPA asks 12 to 15 degrees of the facings; a face leaning so
would be met 0.02 mm earlier.)  The same outlines, with that lean, are the hulls that Bullet gets.

REFERENCES 1.1, 1.2.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import cos, hypot, pi, radians, sin, sqrt, tan

import numpy as np
from numpy.typing import NDArray

from physics.layout import CORNER_WIDTH, CUSHION_DEPTH, EDGE_WIDTH, HOLE_WIDTH, TOP_WIDTH
from physics.rail_mesh import rail_rows
from physics.table import TableSpec
from shared_rules.events import POCKETS, RAILS

Point = tuple[float, float]
Array = NDArray[np.float64]

HOLE_CLEARANCE = 0.010  # m, how much wider than half the throat the slate cut is
SKIRT = 0.15  # m, how far the outside of the rails goes down below the bed
JAW_STEPS = 6  # chords of a rounded jaw


@dataclass(frozen=True, slots=True)
class Cushion:
    """One cushion: ``outline`` from throat to throat at nose height, ``nose`` its index in it.

    ``rail`` and the pockets at either end are indices in RAILS and POCKETS (-1: none);
    ``normal`` points into the table.
    """

    outline: tuple[Point, ...]
    nose: int
    rail: int
    pockets: tuple[int, int]
    normal: Point


@dataclass(frozen=True, slots=True)
class Geometry:
    """A table's cushions; the arrays of edges, corners, holes and rails' tops (``layout``)."""

    cushions: tuple[Cushion, ...]
    edges: Array
    corners: Array
    holes: Array
    tops: Array


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
    """How far noses end from corner and side pocket, turns, and depths of the outlines."""
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
    return corner, 0.5 * spec.side_mouth, corner_turn, side_turn, CUSHION_DEPTH, CUSHION_DEPTH


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
        made.append(Cushion(outline, len(first) - 1, rail, pockets, normal))

    for sign, rail, end in ((-1.0, head, "head"), (1.0, foot, "foot")):
        add((sign * x, -y + corner), (sign * x, y - corner), rail, (-sign, 0.0),
            (f"{end}_right", f"{end}_left"), False)  # fmt: skip
        for across, flank, name in ((1.0, left, "left"), (-1.0, right, "right")):
            add((sign * (x - corner), across * y), (sign * side, across * y), flank,
                (0.0, -across), (f"{end}_{name}", f"side_{name}"), True)  # fmt: skip
    return tuple(made)


def _edge_rows(cushions: tuple[Cushion, ...]) -> tuple[Array, Array]:
    edges: list[list[float]] = []
    corners: list[list[float]] = []
    for number, cushion in enumerate(cushions):
        points = cushion.outline
        for k in range(len(points) - 1):
            (ax, ay), (bx, by) = points[k], points[k + 1]
            size = hypot(bx - ax, by - ay)
            tx, ty = (bx - ax) / size, (by - ay) / size
            nx, ny = -ty, tx
            if nx * cushion.normal[0] + ny * cushion.normal[1] < 0.0:
                nx, ny = ty, -tx
            is_nose = k == cushion.nose
            rail = cushion.rail if is_nose else -1
            pocket = -1 if is_nose else cushion.pockets[0 if k < cushion.nose else 1]
            if is_nose:
                nx, ny = cushion.normal
            edges.append([ax, ay, tx, ty, nx, ny, size, number, rail, pocket])
        if cushion.pockets[0] >= 0:
            for k, (px, py) in enumerate(points):
                pocket = cushion.pockets[0 if k <= cushion.nose else 1]
                corners.append([px, py, number, pocket])
    return (
        np.array(edges, dtype=np.float64).reshape(-1, EDGE_WIDTH),
        np.array(corners, dtype=np.float64).reshape(-1, CORNER_WIDTH),
    )


def _hole_rows(spec: TableSpec) -> Array:
    """Slate cuts: circles whose nearest point to the table lies a shelf behind the mouth line."""
    x, y = 0.5 * spec.length, 0.5 * spec.width
    _, _, corner_turn, side_turn, corner_deep, side_deep = _jaw_ends(spec)
    rows: list[list[float]] = []
    for name in POCKETS:
        end, _, flank = name.partition("_")
        sy = 1.0 if flank == "left" else -1.0
        if end == "side":
            axis, mouth, half, shelf = (0.0, sy), (0.0, sy * y), 0.5 * spec.side_mouth, (
                spec.side_shelf
            )  # fmt: skip
            throat = half - (0.0 if spec.jaw_radius[1] else side_deep / tan(side_turn))
        else:
            sx = -1.0 if end == "head" else 1.0
            root = sqrt(0.5)
            axis, half, shelf = (sx * root, sy * root), 0.5 * spec.corner_mouth, spec.corner_shelf
            middle = half * root
            mouth = (sx * (x - middle), sy * (y - middle))
            narrow = corner_deep / sin(corner_turn) * sin(0.25 * pi - corner_turn)
            throat = half - (0.0 if spec.jaw_radius[0] else narrow)
        radius = throat + HOLE_CLEARANCE
        centre = shelf + radius
        rows.append([
            mouth[0] + centre * axis[0], mouth[1] + centre * axis[1], radius,
            mouth[0], mouth[1], axis[0], axis[1], half,
        ])  # fmt: skip
    return np.array(rows, dtype=np.float64).reshape(-1, HOLE_WIDTH)


@lru_cache(maxsize=64)
def build_geometry(spec: TableSpec) -> Geometry:
    """Derive a table's cushions, jaws and holes from its measures."""
    if not spec.bounded:
        empty = np.zeros
        return Geometry((), empty((0, EDGE_WIDTH)), empty((0, CORNER_WIDTH)),
                        empty((0, HOLE_WIDTH)), empty((0, TOP_WIDTH)))  # fmt: skip
    cushions = _cushions(spec)
    edges, corners = _edge_rows(cushions)
    holes = np.zeros((0, HOLE_WIDTH)) if spec.pockets == "none" else _hole_rows(spec)
    tops = rail_rows(
        (0.5 * spec.length, 0.5 * spec.width), spec.nose_height, spec.rail_top, spec.rail_width,
        SKIRT, [(c.outline, c.nose, c.rail, c.pockets, c.normal) for c in cushions], holes,
    )  # fmt: skip
    return Geometry(cushions, edges, corners, holes, tops)
