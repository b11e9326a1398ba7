"""Pockets: leather round the hole, a liner going down into the dark, and a bottom."""

import math

import numpy as np
from panda3d.core import NodePath

from client.scene.bed import LIP, hole_angles
from client.scene.layout import Layout, Pocket
from client.scene.materials import coat
from client.scene.mesh import Mesh, arc
from client.scene.quality import Quality

DEPTH = 0.17
"""Bottom of a pocket below the bed, m."""
TRIM_WIDTH = 0.023
TRIM_RISE = 0.0045
LEATHER = (0.038, 0.024, 0.017)
PIT = (0.044, 0.028, 0.020)
THREAD = (0.36, 0.28, 0.17)
STITCH_M, STITCH_EVERY_M = 0.0042, 0.0075
"""Length of a stitch, and from one to the next, m."""


def build_pockets(layout: Layout, quality: Quality) -> NodePath:
    """All pockets of a table."""
    root = NodePath("pockets")
    if not layout.pockets:
        return root
    trims, pits, stitches = Mesh(), Mesh(), Mesh()
    for pocket in layout.pockets:
        _trim(trims, pocket, layout.rail_top, quality.arc_steps)
        _pit(pits, pocket, quality.arc_steps)
        _stitches(stitches, pocket, layout.rail_top)
    coat(trims.node("trims"), quality, LEATHER, 0.020, 0.16, dull=0.16).reparent_to(root)
    coat(pits.node("pits"), quality, PIT, 0.0, 0.0, deep=True).reparent_to(root)
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


def _pit(mesh: Mesh, pocket: Pocket, steps: int) -> None:
    """The wall below the bed all round, and the bottom."""
    angles = np.linspace(0, 2 * math.pi, 2 * steps + 1)
    wall = pocket.radius - LIP + 0.0005
    inset = wall - pocket.radius
    across = np.array([inset, inset, 0.004])[:, None] * np.ones_like(angles)
    height = np.array([-DEPTH, -0.006, 0.0])[:, None] * np.ones_like(angles)
    _sweep(mesh, pocket, angles, across, height)
    bottom = arc(pocket.centre, wall, 0, 2 * math.pi, 2 * steps)[:-1]
    mesh.flat(bottom, -DEPTH)


def _sweep(
    mesh: Mesh, pocket: Pocket, angles: np.ndarray, across: np.ndarray, height: np.ndarray
) -> None:
    """Sections (rows) swept round the hole (columns), facing inwards and up.

    ``across`` is measured outwards from the hole's edge, m.
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
    mesh.grid(points, normals, points[..., :2])
