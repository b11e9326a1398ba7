"""Lines on the cloth: bands and rings with soft edges, and nodes that are drawn anew."""

import math
from collections.abc import Sequence

import numpy as np
from panda3d.core import GeomNode, LVecBase4f, NodePath, TransparencyAttrib

from client.scene.mesh import Mesh, arc
from client.scene.quality import Quality
from client.scene.shaders import load_shader

Colour = tuple[float, float, float, float]

LINE_HEIGHT = 0.0012
SOFT_EDGE = 0.004
"""Room for the softened edge of a line on either side, m."""
WHITE: Colour = (1.0, 1.0, 1.0, 0.80)


class Strength:
    """How strong lines are: as they are, or for high contrast solid and twice as broad."""

    loud = False


STRENGTH = Strength()


class Sketch:
    """A node whose geometry is replaced whenever it is drawn anew."""

    def __init__(self, parent: NodePath, name: str, tier: Quality, above: bool = False):
        """An empty sketch; ``above`` draws it over everything."""
        self._holder = GeomNode(name)
        self.node = parent.attach_new_node(self._holder)
        self.node.set_shader(load_shader("overlay", tier.level))
        self.node.set_transparency(TransparencyAttrib.M_alpha)
        self.node.set_depth_write(False)
        self.node.set_depth_offset(2)
        self.style(WHITE)
        if above:
            self.node.set_depth_test(False)
            self.node.set_bin("fixed", 20)
        self.node.hide()

    def style(self, colour: Colour, soft: bool = True, dashes: float = 0.0) -> None:
        """Colour, soft line edges, and dashes a metre (0: a whole line)."""
        if STRENGTH.loud and colour[3] > 0.5:
            colour = (*colour[:3], 1.0)
        self.node.set_color_scale(colour)
        self.node.set_shader_input("shape", LVecBase4f(float(soft), dashes, 0, 0))

    def draw(self, mesh: Mesh) -> None:
        """Replace what is drawn, and show it; nothing to draw, as a line of no length, hides it."""
        self._holder.remove_all_geoms()
        if mesh.empty:
            self.hide()
            return
        self._holder.add_geoms_from(mesh.node("fresh").node())
        self.node.show()

    def hide(self) -> None:
        """Take it away."""
        self.node.hide()


def ribbon(mesh: Mesh, points: Sequence[Sequence[float]], width: float, z: float) -> None:
    """A level band of ``width`` (m) along points (x, y), added to a mesh.

    The mesh is a little wider, so that the shader can soften the band's edges.
    """
    width *= 2.0 if STRENGTH.loud else 1.0
    line = np.asarray([p[:2] for p in points], float)
    keep = np.concatenate([[True], np.linalg.norm(np.diff(line, axis=0), axis=1) > 1e-6])
    line = line[keep]
    if len(line) < 2:
        return
    step = np.diff(line, axis=0)
    run = np.linalg.norm(step, axis=1)
    side = np.stack([-step[:, 1], step[:, 0]], axis=1) / run[:, None]
    at = np.vstack([side[:1], side[:-1] + side[1:], side[-1:]])
    # At a bend the band keeps its width across each leg; a hairpin is not drawn out to infinity.
    size = np.linalg.norm(at, axis=1, keepdims=True)
    at = at / np.maximum(size, 1e-6)
    lean = np.clip(np.sum(at * np.vstack([side, side[-1:]]), axis=1, keepdims=True), 0.35, 1.0)
    at = at / lean * (width / 2 + SOFT_EDGE)
    sheet = np.empty((2, len(line), 3))
    sheet[0, :, :2], sheet[1, :, :2] = line + at, line - at
    sheet[..., 2] = z
    uv = np.empty((2, len(line), 2))
    uv[..., 0] = np.concatenate([[0], np.cumsum(run)])
    reach = 1 + SOFT_EDGE / (width / 2)
    uv[0, :, 1], uv[1, :, 1] = reach, -reach
    up = np.zeros_like(sheet)
    up[..., 2] = 1.0
    mesh.grid(sheet, up, uv)


def ring(mesh: Mesh, centre: Sequence[float], radius: float, width: float, z: float) -> None:
    """A level ring of ``width`` (m), added to a mesh."""
    circle = arc((centre[0], centre[1]), radius, 0, 2 * math.pi, 40)
    ribbon(mesh, circle, width, z)
