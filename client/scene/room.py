"""The room: a dark floor that the lamp spills on. It must not draw the eye."""

import math

from panda3d.core import NodePath

from client.scene.layout import Layout
from client.scene.mesh import Mesh, arc, lathe
from client.scene.quality import Quality
from client.scene.shaders import load_shader

RADIUS = 7.0
WALL_TOP = 3.2


def build_room(layout: Layout, quality: Quality) -> NodePath:
    """The floor under a table; a bed without rails has none."""
    root = NodePath("room")
    if layout.bounded:
        floor = Mesh()
        floor.flat(arc((0.0, 0.0), RADIUS, 0, 2 * math.pi, 48)[:-1], -layout.bed_height)
        node = floor.node("floor")
        node.set_shader(load_shader("floor", quality.level))
        node.reparent_to(root)
        walls = lathe([(RADIUS, -layout.bed_height), (RADIUS, WALL_TOP)], 48)
        node = walls.node("walls")
        node.set_two_sided(True)
        node.set_shader(load_shader("floor", quality.level))
        node.reparent_to(root)
    return root
