"""The bed: cloth up to the drop edges, rolled over them, with head string and spots."""

import math

import numpy as np
from panda3d.core import NodePath

from client.scene.layout import CUSHION_WIDTH, Layout, Pocket, Point2
from client.scene.lines import Sketch, ribbon
from client.scene.materials import clothe
from client.scene.mesh import Mesh, arc
from client.scene.quality import Quality

LIP = 0.0048
"""Radius of the drop edge, m (REFERENCES 1.2: 3.2 to 6.4 mm)."""
MARK_HEIGHT = 0.0004


def hole_angles(pocket: Pocket) -> tuple[float, float]:
    """Angles (radians) of the hole's edge on the bed's side, counter-clockwise, cut to cut."""
    inward = math.atan2(-pocket.outward[1], -pocket.outward[0])
    x, y = pocket.cuts[0][0] - pocket.centre[0], pocket.cuts[0][1] - pocket.centre[1]
    spread = abs((math.atan2(y, x) - inward + math.pi) % (2 * math.pi) - math.pi)
    return inward - spread, inward + spread


def build_bed(layout: Layout, quality: Quality) -> NodePath:
    """The cloth of the bed with everything marked on it."""
    root = NodePath("bed")
    mesh = Mesh()
    outline = bed_outline(layout, quality.arc_steps)
    mesh.flat(outline, 0.0)
    clothe(mesh.node("cloth"), "bed", quality).reparent_to(root)
    if layout.pockets:
        lips = Mesh()
        for pocket in layout.pockets:
            _lip(lips, pocket, quality.arc_steps)
        clothe(lips.node("lips"), "cushion", quality).reparent_to(root)
    if layout.bounded:
        _marks(layout, quality).reparent_to(root)
    return root


def bed_outline(layout: Layout, steps: int) -> list[Point2]:
    """Edge of the cloth, counter-clockwise, with the holes of the pockets cut out."""
    edge = CUSHION_WIDTH if layout.bounded else 2.0
    x, y = layout.half_length + edge, layout.half_width + edge
    if not layout.pockets:
        return [(-x, -y), (x, -y), (x, y), (-x, y)]
    around = sorted(layout.pockets, key=lambda p: math.atan2(p.centre[1] / y, p.centre[0] / x))
    points: list[Point2] = []
    for pocket in around:
        low, high = hole_angles(pocket)
        points += arc(pocket.centre, pocket.radius, high, low, steps)
    return points


def _lip(mesh: Mesh, pocket: Pocket, steps: int) -> None:
    """The cloth that rolls over the drop edge of one pocket."""
    low, high = hole_angles(pocket)
    angles = np.linspace(low, high, steps + 1)
    turn = np.radians([0, 30, 60, 90, 90])
    inset = LIP * np.sin(turn)
    drop = LIP * (np.cos(turn) - 1) - np.array([0, 0, 0, 0, 0.012])
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = np.empty((len(turn), len(angles), 3))
    points[..., :2] = np.array(pocket.centre) + ring[None] * (pocket.radius - inset)[:, None, None]
    points[..., 2] = drop[:, None]
    normals = np.empty_like(points)
    normals[..., :2] = -ring[None] * np.sin(turn)[:, None, None]
    normals[..., 2] = np.cos(turn)[:, None]
    mesh.grid(points, normals, points[..., :2], flip=False)


def _marks(layout: Layout, quality: Quality) -> NodePath:
    """The line across the bed, and the spots; a baulk line has no spot on it."""
    marks = NodePath("marks")
    x, half = layout.line_x, layout.half_width
    string = Sketch(marks, "line", quality)
    string.style((0.9, 0.93, 0.95, 0.36))
    line = Mesh()
    ribbon(line, [(x, -half), (x, half)], 0.0022, MARK_HEIGHT)
    string.draw(line)
    spots = [("foot_spot", layout.foot_spot, 0.0085)]
    if x == layout.head_string_x:
        spots.append(("head_spot", layout.head_spot, 0.0055))
    for name, spot, radius in spots:
        sticker = Sketch(marks, name, quality)
        sticker.style((0.02, 0.02, 0.03, 0.72), soft=False)
        dot = Mesh()
        dot.flat(arc(spot, radius, 0, 2 * math.pi, 24)[:-1], MARK_HEIGHT)
        sticker.draw(dot)
    return marks
