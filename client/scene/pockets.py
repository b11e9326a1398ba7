"""Pockets: leather round the hole, a liner going down into the dark, and a bottom."""

import math

import numpy as np
from panda3d.core import NodePath

from client.scene.bed import LIP, hole_angles
from client.scene.layout import RAIL_TOP, Layout, Pocket
from client.scene.materials import coat
from client.scene.mesh import Mesh, arc
from client.scene.quality import Quality

DEPTH = 0.17
"""Bottom of a pocket below the bed, m."""
TRIM_WIDTH = 0.023
TRIM_RISE = 0.0045
LEATHER = (0.018, 0.014, 0.012)
PIT = (0.012, 0.010, 0.009)


def build_pockets(layout: Layout, quality: Quality) -> NodePath:
    """All pockets of a table."""
    root = NodePath("pockets")
    if not layout.pockets:
        return root
    trims, pits = Mesh(), Mesh()
    for pocket in layout.pockets:
        _trim(trims, pocket, quality.arc_steps)
        _pit(pits, pocket, quality.arc_steps)
    coat(trims.node("trims"), quality, LEATHER, 0.022, 0.10).reparent_to(root)
    coat(pits.node("pits"), quality, PIT, 0.0, 0.0, deep=True).reparent_to(root)
    return root


def _trim(mesh: Mesh, pocket: Pocket, steps: int) -> None:
    """The leather over the rail round the back of the hole, tapering into the facings."""
    low, high = hole_angles(pocket)
    angles = np.linspace(high - 0.06, low + 2 * math.pi + 0.06, steps + 1)
    part = np.linspace(0, 1, steps + 1)
    size = np.clip(np.minimum(part, 1 - part) / 0.16, 0, 1)
    size = np.sqrt(1 - (1 - size) ** 2)[None, :]
    turns = np.radians(np.linspace(180, 0, 9))[:, None]
    half = TRIM_WIDTH / 2 * size
    out = half * (1 + np.cos(turns)) - 0.0015
    rise = RAIL_TOP - 0.001 + (TRIM_RISE + 0.001) * size * np.sin(turns) ** 0.6
    inner = np.full_like(size, -0.0015)
    below = np.full_like(size, 0.0)
    outer = TRIM_WIDTH * size - 0.0015
    under = np.full_like(size, RAIL_TOP - 0.004)
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
