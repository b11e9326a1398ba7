"""Pockets: leather round the hole and down its throat, and a net of cord below it."""

import math

import numpy as np
from panda3d.core import LVecBase3f, NodePath

from client.scene.bed import LIP, hole_angles
from client.scene.layout import Layout, Pocket
from client.scene.materials import coat
from client.scene.mesh import Mesh
from client.scene.quality import Quality
from client.scene.shaders import load_shader

DEPTH = 0.17
"""Bottom of a pocket below the bed, m."""
TRIM_WIDTH = 0.023
TRIM_RISE = 0.0045
THROAT = 0.030
"""How far the leather goes down into the hole, m."""
MESHES = 14
"""Meshes of a net round the hole."""
MESH_HEIGHT = 0.026
LEATHER = (0.050, 0.029, 0.019)
CORD = (0.62, 0.55, 0.42)
THREAD = (0.105, 0.070, 0.042)
STITCH_M, STITCH_EVERY_M = 0.0042, 0.0075
"""Length of a stitch, and from one to the next, m."""


def build_pockets(layout: Layout, quality: Quality) -> NodePath:
    """All pockets of a table."""
    root = NodePath("pockets")
    if not layout.pockets:
        return root
    trims, throats, nets, stitches = Mesh(), Mesh(), Mesh(), Mesh()
    for pocket in layout.pockets:
        _trim(trims, pocket, layout.rail_top, quality.arc_steps)
        _throat(throats, pocket, quality.arc_steps)
        _net(nets, pocket, quality.arc_steps)
        _stitches(stitches, pocket, layout.rail_top)
    coat(trims.node("trims"), quality, LEATHER, 0.005, 0.10, dull=0.40).reparent_to(root)
    coat(throats.node("throats"), quality, LEATHER, 0.0, 0.04, deep=True).reparent_to(root)
    nets_node = nets.node("nets")
    nets_node.set_shader(load_shader("net", quality.level))
    nets_node.set_shader_input("cord", LVecBase3f(*CORD))
    nets_node.reparent_to(root)
    if quality.level > 0:
        coat(stitches.node("stitches"), quality, THREAD, 0.0, 0.0).reparent_to(root)
    return root


def _stitches(mesh: Mesh, pocket: Pocket, rail_top: float) -> None:
    """The seam along the leather's outer edge, short of the facings."""
    low, high = hole_angles(pocket)
    inner, outer = pocket.radius + TRIM_WIDTH - 0.0052, pocket.radius + TRIM_WIDTH - 0.0042
    start, stop = high + 0.22, low + 2 * math.pi - 0.22
    count = int((stop - start) * outer / STITCH_EVERY_M)
    height = rail_top + TRIM_RISE * 0.86 + 0.0006
    half = STITCH_M / 2 / outer
    for at in np.linspace(start, stop, count):
        mesh.flat(
            [
                (pocket.centre[0] + r * math.cos(a), pocket.centre[1] + r * math.sin(a))
                for r, a in (
                    (inner, at - half), (outer, at - half), (outer, at + half), (inner, at + half)
                )
            ],
            height,
        )  # fmt: skip


def _trim(mesh: Mesh, pocket: Pocket, rail_top: float, steps: int) -> None:
    """The leather over the rail round the back of the hole, tapering into the facings."""
    low, high = hole_angles(pocket)
    angles = np.linspace(high - 0.06, low + 2 * math.pi + 0.06, steps + 1)
    part = np.linspace(0, 1, steps + 1)
    size = np.clip(np.minimum(part, 1 - part) / 0.16, 0, 1)
    size = np.sqrt(1 - (1 - size) ** 2)[None, :]
    turns = np.radians(np.linspace(180, 0, 9))[:, None]
    half = TRIM_WIDTH / 2 * size
    out = half * (1 + np.cos(turns)) - 0.0015
    rise = rail_top - 0.001 + (TRIM_RISE + 0.001) * size * np.sin(turns) ** 0.6
    inner = np.full_like(size, -0.0015)
    below = np.full_like(size, 0.0)
    outer = TRIM_WIDTH * size - 0.0015
    under = np.full_like(size, rail_top - 0.004)
    _sweep(mesh, pocket, angles, np.vstack([inner, out, outer]), np.vstack([below, rise, under]))


def _throat(mesh: Mesh, pocket: Pocket, steps: int) -> None:
    """The leather below the bed all round, with a rolled edge where the net is laced to it."""
    angles = np.linspace(0, 2 * math.pi, 2 * steps + 1)
    inset = 0.0005 - LIP
    across = np.array([inset + 0.004, inset - 0.004, inset - 0.0045, inset, inset, 0.004])
    height = np.array(
        [-THROAT - 0.004, -THROAT - 0.002, -THROAT + 0.003, -THROAT + 0.007, -0.006, 0]
    )
    ones = np.ones_like(angles)
    _sweep(mesh, pocket, angles, across[:, None] * ones, height[:, None] * ones)


def _net(mesh: Mesh, pocket: Pocket, steps: int) -> None:
    """A bag that hangs from the leather and narrows to a closed bottom.

    Its places on the net, (u, v), count meshes: round the hole, and downwards.
    """
    angles = np.linspace(0, 2 * math.pi, 2 * steps + 1)
    part = np.linspace(1, 0, 9)
    wall = pocket.radius - LIP - 0.001
    radii = wall * np.maximum(1 - 0.25 * part - 0.75 * part**5, 0.02)
    across = (radii - pocket.radius)[:, None] * np.ones_like(angles)
    height = (-THROAT + (THROAT - DEPTH) * part)[:, None] * np.ones_like(angles)
    way = np.hypot(np.diff(radii), np.diff(height[:, 0]))
    down = np.concatenate([np.cumsum(way[::-1])[::-1], [0.0]]) / MESH_HEIGHT
    uv = np.stack(
        [np.tile(angles * MESHES / (2 * math.pi), (9, 1)), np.tile(down[:, None], len(angles))],
        axis=2,
    )
    _sweep(mesh, pocket, angles, across, height, uv)


def _sweep(
    mesh: Mesh,
    pocket: Pocket,
    angles: np.ndarray,
    across: np.ndarray,
    height: np.ndarray,
    uv: np.ndarray | None = None,
) -> None:
    """Sections (rows) swept round the hole (columns), facing inwards and up.

    ``across`` is measured outwards from the hole's edge, m; ``uv`` is where it lies, by default.
    """
    side = np.stack([-np.diff(height, axis=0), np.diff(across, axis=0)], axis=2)
    side /= np.maximum(np.linalg.norm(side, axis=2, keepdims=True), 1e-9)
    tilt = np.concatenate([side[:1], side[:-1] + side[1:], side[-1:]])
    tilt /= np.maximum(np.linalg.norm(tilt, axis=2, keepdims=True), 1e-9)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = np.empty((*height.shape, 3))
    points[..., :2] = np.array(pocket.centre) + ring * (pocket.radius + across)[..., None]
    points[..., 2] = height
    normals = np.empty_like(points)
    normals[..., :2] = ring * tilt[..., :1]
    normals[..., 2] = tilt[..., 1]
    mesh.grid(points, normals, points[..., :2] if uv is None else uv)
