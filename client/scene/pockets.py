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
    """The leather over the rail round the back of the hole, throat to throat."""
    low, high = hole_angles(pocket)
    angles = np.linspace(high - 0.03, low + 2 * math.pi + 0.03, steps + 1)
    width, rise = 0.024, 0.0045
    turns = np.radians(np.linspace(180, 0, 9))
    middle = width / 2 - 0.0015
    section = [(-0.0015, 0.0)]
    section += [
        (middle + width / 2 * math.cos(a), RAIL_TOP + rise * math.sin(a) ** 0.6) for a in turns
    ]
    section += [(width - 0.0015, RAIL_TOP - 0.004)]
    _sweep(mesh, pocket, angles, np.array(section))


def _pit(mesh: Mesh, pocket: Pocket, steps: int) -> None:
    """The wall below the bed all round, and the bottom."""
    angles = np.linspace(0, 2 * math.pi, 2 * steps + 1)
    wall = pocket.radius - LIP + 0.0005
    inset = wall - pocket.radius
    _sweep(mesh, pocket, angles, np.array([(inset, -DEPTH), (inset, -0.006), (0.004, 0.0)]))
    bottom = arc(pocket.centre, wall, 0, 2 * math.pi, 2 * steps)[:-1]
    mesh.flat(bottom, -DEPTH)


def _sweep(mesh: Mesh, pocket: Pocket, angles: np.ndarray, section: np.ndarray) -> None:
    """A section (metres out from the hole's edge, height) swept round the hole, facing inwards."""
    step = np.diff(section, axis=0)
    side = np.stack([-step[:, 1], step[:, 0]], axis=1)
    side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-9)
    tilt = np.vstack([side[:1], side[:-1] + side[1:], side[-1:]])
    tilt /= np.maximum(np.linalg.norm(tilt, axis=1, keepdims=True), 1e-9)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = np.empty((len(section), len(angles), 3))
    radius = pocket.radius + section[:, 0]
    points[..., :2] = np.array(pocket.centre) + ring[None] * radius[:, None, None]
    points[..., 2] = section[:, 1][:, None]
    normals = np.empty_like(points)
    normals[..., :2] = ring[None] * tilt[:, 0][:, None, None]
    normals[..., 2] = tilt[:, 1][:, None]
    mesh.grid(points, normals, points[..., :2])
