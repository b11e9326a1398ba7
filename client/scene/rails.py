"""Cushions and rails: the cloth-covered noses, and the wood behind them with its sights."""

import math

import numpy as np
from panda3d.core import NodePath

from client.scene.bed import hole_angles
from client.scene.layout import (
    CUSHION_WIDTH,
    Cushion,
    Layout,
    Pocket,
    Point2,
)
from client.scene.materials import clothe, coat
from client.scene.mesh import Mesh, arc, section_normals
from client.scene.quality import Quality

DRAFT = math.tan(math.radians(13.0))
"""Back draft of the facings (WPA 8: 12 to 15 degrees)."""
CORNER_RADIUS = 0.075
CORNER_STEPS = 8
WOOD = (0.31, 0.262, 0.238)
GRAIN = np.array([1.1, 4.0])
"""Tiles of the wood a metre, along the grain and across it."""
PEARL = (0.62, 0.60, 0.54)


def build_cushions(layout: Layout, quality: Quality) -> NodePath:
    """All cushions of a table."""
    mesh = Mesh()
    for cushion in layout.cushions:
        _cushion(mesh, cushion, layout.nose_height, layout.rail_top)
    return clothe(mesh.node("cushions"), "cushion", quality)


def _profile(nose: float, top: float) -> np.ndarray:
    """Section of a cushion: (metres behind the nose, height), from below over the nose to back."""
    back = top - 0.0005
    round_ = 0.0035
    turns = np.radians([-70, -35, 0, 30, 55, 76])
    rounding = [(round_ * (1 - math.cos(a)), nose + round_ * math.sin(a)) for a in turns]
    top_d, top_z = rounding[-1]
    slope = [
        (top_d + k * (CUSHION_WIDTH - top_d), top_z + k * (back - top_z))
        for k in (0.12, 0.3, 0.55, 1.0)
    ]
    behind = [(CUSHION_WIDTH, 0.0)]
    return np.array([(0.016, -0.001), (0.0075, nose * 0.5), *rounding, *slope, *behind])


def _cushion(mesh: Mesh, cushion: Cushion, nose: float, top: float) -> None:
    """One cushion: its long sheet, and the two facings that close it."""
    profile = _profile(nose, top)
    start, end = np.array(cushion.start), np.array(cushion.end)
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length
    out = np.array([along[1], -along[0]])
    draft = np.maximum(nose - profile[:, 1], 0) * DRAFT
    at_start = np.array([-cushion.at_start.reach(d) for d in profile[:, 0]]) + draft
    at_end = length + np.array([cushion.at_end.reach(d) for d in profile[:, 0]]) - draft
    points = np.empty((len(profile), 2, 3))
    for column, run in enumerate((at_start, at_end)):
        flat = start + run[:, None] * along + profile[:, :1] * out
        points[:, column, :2] = flat
        points[:, column, 2] = profile[:, 1]
    normals = np.empty_like(points)
    sides = section_normals(profile)
    normals[..., :2] = (sides[:, :1] * out)[:, None]
    normals[..., 2] = sides[:, 1:]
    uv = np.stack(
        [np.stack([at_start, at_end], axis=1), np.repeat(profile[:, :1], 2, axis=1)], axis=2
    )
    mesh.grid(points, normals, uv)
    for column, turn, sign in ((0, cushion.at_start, -1.0), (1, cushion.at_end, 1.0)):
        _facing(mesh, points[:, column], along * sign, out, turn.turn_deg, flip=column == 0)


def _facing(
    mesh: Mesh,
    edge: np.ndarray,
    along: np.ndarray,
    out: np.ndarray,
    turn_deg: float,
    flip: bool,
) -> None:
    """The face of a cushion's end, between its section and a line down its back."""
    turn = math.radians(turn_deg)
    flat = along * math.sin(turn) - out * math.cos(turn)
    normal = np.array([flat[0], flat[1], -DRAFT])
    normal /= np.linalg.norm(normal)
    back = edge.copy()
    back[:, :2] = edge[-1, :2]
    points = np.stack([edge, back], axis=1)
    uv = points[..., :2]
    mesh.grid(points, np.broadcast_to(normal, points.shape), uv, flip=flip)


def build_rails(layout: Layout, quality: Quality) -> NodePath:
    """The wood: four mitred rails, their rounded outside, the cabinet and its legs."""
    root = NodePath("rails")
    steps = quality.arc_steps
    tops = Mesh()
    inner = Mesh()
    for turn in (1.0, -1.0):
        for long_rail in (True, False):
            outline = _rail_outline(layout, long_rail, steps)
            points = np.array(outline) * turn
            _rail_top(tops, points, long_rail, layout.rail_top)
            _wall(inner, points[2 * (CORNER_STEPS + 1) :], layout.rail_top)
    _outside(tops, layout, quality)
    coat(tops.node("wood"), quality, WOOD, 0.018, 0.30, grain=1.0, dull=0.22).reparent_to(root)
    coat(inner.node("rail_inside"), quality, (0.05, 0.03, 0.02)).reparent_to(root)
    sights = Mesh()
    for x, y in layout.sights:
        sights.flat(_sight(x, y, layout), layout.rail_top + 0.0004)
    coat(sights.node("sights"), quality, PEARL, 0.05, 0.4).reparent_to(root)
    return root


def _rail_outline(layout: Layout, long_rail: bool, steps: int) -> list[Point2]:
    """Top of the left long rail or the foot rail, counter-clockwise, mitred at the corners."""
    outer_x, outer_y = layout.outer
    half_x, half_y = layout.half_length + CUSHION_WIDTH, layout.half_width + CUSHION_WIDTH
    r = CORNER_RADIUS
    quarter = math.pi / 2
    if long_rail:
        ends = [(1, 1, quarter / 2, quarter), (-1, 1, quarter, quarter * 1.5)]
    else:
        ends = [(1, -1, -quarter / 2, 0.0), (1, 1, 0.0, quarter / 2)]
    outline: list[Point2] = []
    for sx, sy, low, high in ends:
        outline += arc((sx * (outer_x - r), sy * (outer_y - r)), r, low, high, CORNER_STEPS)
    if not layout.pockets:
        corners = [(sx * half_x, sy * half_y) for sx, sy, _, _ in reversed(ends)]
        return outline + corners
    first = _pocket_at(layout, ends[1][0], ends[1][1])
    last = _pocket_at(layout, ends[0][0], ends[0][1])
    outline += _half_hole(first, long_rail, steps // 2, leaving=False)
    if long_rail:
        side = _pocket_at(layout, 0, 1)
        low, high = hole_angles(side)
        outline += arc(side.centre, side.radius, low, high - 2 * math.pi, steps)
    outline += _half_hole(last, long_rail, steps // 2, leaving=True)
    return outline


def _pocket_at(layout: Layout, sx: int, sy: int) -> Pocket:
    """The pocket in a corner, or (sx 0) in the middle of a side."""
    for pocket in layout.pockets:
        x, y = pocket.centre
        if (abs(x) < 0.1 if sx == 0 else x * sx > 0.1) and y * sy > 0:
            return pocket
    raise LookupError(f"no pocket at ({sx}, {sy})")


def _half_hole(pocket: Pocket, long_rail: bool, steps: int, leaving: bool) -> list[Point2]:
    """Edge of a corner's hole between the mitre and the cut on this rail."""
    back = math.atan2(pocket.outward[1], pocket.outward[0])
    cut = pocket.cuts[0 if long_rail else 1]
    angle = math.atan2(cut[1] - pocket.centre[1], cut[0] - pocket.centre[0])
    swing = (angle - back + math.pi) % (2 * math.pi) - math.pi
    points = arc(pocket.centre, pocket.radius, back, back + swing, steps)
    return points[::-1] if leaving else points


def _rail_top(mesh: Mesh, points: np.ndarray, long_rail: bool, height: float) -> None:
    """A rail's level top, its grain along it."""
    shift = np.array([0.37 * float(points[0, 0] > 0), 0.2])

    def grain(places: np.ndarray) -> np.ndarray:
        along: np.ndarray = places if long_rail else places[:, ::-1]
        scaled: np.ndarray = along * GRAIN + shift
        return scaled

    mesh.flat([(float(x), float(y)) for x, y in points], height, grain)


def _wall(mesh: Mesh, points: np.ndarray, height: float) -> None:
    """The upright inside of a rail, seen where cushion and pocket leave it bare."""
    ring = points
    sheet = np.empty((2, len(ring), 3))
    sheet[..., :2] = ring[None]
    sheet[0, :, 2], sheet[1, :, 2] = height, 0.0
    step = np.diff(ring, axis=0, append=ring[-1:])
    step[-1] = step[-2]
    normal = np.stack([step[:, 1], -step[:, 0], np.zeros(len(ring))], axis=1)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    mesh.grid(sheet, np.stack([normal, normal]), sheet[..., :2], flip=False)


def _rounded(half_x: float, half_y: float, radius: float, steps: int) -> np.ndarray:
    """A rectangle with round corners, counter-clockwise and closed."""
    points: list[Point2] = []
    for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        centre = (sx * (half_x - radius), sy * (half_y - radius))
        points += arc(centre, radius, k * math.pi / 2, (k + 1) * math.pi / 2, steps)
    return np.array([*points, points[0]])


def _outside(mesh: Mesh, layout: Layout, quality: Quality) -> None:
    """The rails' rounded outer edge, the cabinet below, and four legs."""
    outer_x, outer_y = layout.outer
    bend = 0.012
    turns = np.radians([0, 25, 50, 75, 90])
    section = [
        (bend * (math.sin(a) - 1), layout.rail_top - bend * (1 - math.cos(a))) for a in turns
    ]
    section += [(0.0, -0.055), (-0.008, -0.066), (-0.030, -0.075), (-0.042, -0.27)]
    shape = np.array(section)
    tilt = section_normals(shape)
    steps = max(quality.arc_steps // 3, 6)
    base = _rounded(outer_x, outer_y, CORNER_RADIUS, steps)
    corner = np.sign(base) * (np.array([outer_x, outer_y]) - CORNER_RADIUS)
    way = (base - corner) / CORNER_RADIUS
    points = np.empty((len(shape), len(base), 3))
    points[..., :2] = base[None] + way[None] * shape[:, :1][:, None]
    points[..., 2] = shape[:, 1][:, None]
    normals = np.empty_like(points)
    normals[..., :2] = way[None] * tilt[:, :1][:, None]
    normals[..., 2] = tilt[:, 1][:, None]
    run = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(base, axis=0), axis=1))])
    uv = np.empty((*points.shape[:2], 2))
    uv[..., 0] = run[None] * GRAIN[0]
    uv[..., 1] = (shape[:, 1] * GRAIN[1])[:, None]
    mesh.grid(points, normals, uv)
    for sx in (1, -1):
        for sy in (1, -1):
            x, y = sx * (outer_x - 0.25), sy * (outer_y - 0.20)
            mesh.box((x - 0.075, y - 0.075, -layout.bed_height), (x + 0.075, y + 0.075, -0.26))


def _sight(x: float, y: float, layout: Layout) -> list[Point2]:
    """A diamond, longer across the rail."""
    on_long = abs(y) > layout.half_width
    dx, dy = (0.0065, 0.0115) if on_long else (0.0115, 0.0065)
    return [(x + dx, y), (x, y + dy), (x - dx, y), (x, y - dy)]
