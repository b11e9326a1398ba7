"""The balls: painted in their colours, moved to where the trajectory says, numbers and all."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from panda3d.core import (
    LMatrix3f,
    LQuaternionf,
    LVecBase4f,
    LVector3f,
    NodePath,
    PTA_LVecBase4f,
)

from client.scene.materials import give_texture, linear, shade_blended
from client.scene.mesh import Mesh, sphere
from client.scene.quality import Quality
from client.scene.shaders import load_shader
from shared_rules.balls import CUE, LAG_A, LAG_B

Vec3 = tuple[float, float, float]
Quat = tuple[float, float, float, float]
Pose = tuple[Vec3, Quat]

MOST_BALLS = 18
NEIGHBOURS = 6
"""Balls that can touch one on a bed; as in ``ball.frag``."""
REACH = 9.0
"""Distance in radii beyond which a ball does nothing to another's looks."""

COLOURS = {
    1: (255, 207, 17),
    2: (43, 72, 189),
    3: (187, 27, 8),
    4: (86, 16, 109),
    5: (252, 122, 53),
    6: (49, 154, 114),
    7: (141, 39, 43),
    8: (14, 14, 16),
}
"""Eight-bit colours of balls 1 to 8; 9 to 15 wear those of 1 to 7 as a stripe.

The usual hues, their lightness set so that every two are at least 26 apart (CIE 1976) to who lacks
one of the three cones as well; see :mod:`client.scene.colour_vision`.
"""
RED, YELLOW = (190, 16, 24), (250, 200, 30)
"""Of the two groups of black ball."""
IVORY = (246, 242, 228)
PALE_YELLOW = (244, 226, 140)
RED_DOT = (196, 24, 30)
BLUE_RING = (24, 60, 170)
DOTS, SOLID, STRIPE, RINGS = 0.0, 1.0, 2.0, 3.0
DISC = 0.48
"""Radius of the white disc under a number, in ball radii."""


@dataclass(frozen=True)
class Paint:
    """What a ball looks like: eight-bit colour, kind of pattern, colour of its dots or rings."""

    colour: tuple[int, int, int]
    kind: float
    ground: tuple[int, int, int] = IVORY


def paint_of(ball: int, reds: bool = False) -> Paint:
    """The paint of a ball; ``reds``: of the set of black ball, which has no stripes (BB.2).

    Its balls keep their numbers: rulings name balls by them, and a roll is seen by them.  The
    balls of a lag are told apart by hue and by shape: dots on white, rings on pale yellow.

    Raises:
        ValueError: there is no such ball.
    """
    if ball in (CUE, LAG_A):
        return Paint(IVORY, DOTS, RED_DOT)
    if ball == LAG_B:
        return Paint(PALE_YELLOW, RINGS, BLUE_RING)
    if reds and 1 <= ball <= 15 and ball != 8:
        return Paint(RED if ball < 8 else YELLOW, SOLID)
    if 1 <= ball <= 8:
        return Paint(COLOURS[ball], SOLID)
    if 9 <= ball <= 15:
        return Paint(COLOURS[ball - 8], STRIPE)
    raise ValueError(f"there is no ball {ball!r}")


def resting_face(ball: int) -> Quat:
    """How a ball is turned when its pose says (1, 0, 0, 0): number up, a little askew.

    The number leans to the right rail, which is below in the view from overhead, clear of the
    lamp's reflection, and a little to the head, where the breaker stands; its foot is turned so
    that it reads from both. Every ball has its own lean, as in a rack set by hand.
    """
    lean = math.radians(14 + 3 * ((ball * 7) % 5 - 2))
    sway = math.radians(-25 + 3 * ((ball * 3) % 5 - 2))
    top = math.radians(58 + 6 * ((ball * 5) % 7 - 3))
    # The disc lies on the ball's own x axis, and its digits stand along the own z axis.
    face = LVector3f(-math.sin(lean), math.sin(sway) * math.cos(lean), math.cos(lean))
    face.normalize()
    digits = LVector3f(math.cos(top), math.sin(top), 0.0)
    digits -= face * digits.dot(face)
    digits.normalize()
    side = digits.cross(face)
    turn = LQuaternionf()
    turn.set_from_matrix(LMatrix3f(*face, *side, *digits))
    return (turn.get_r(), turn.get_i(), turn.get_j(), turn.get_k())


class Balls:
    """All balls of a table, and where they are for the shaders' shadows."""

    def __init__(
        self,
        parent: NodePath,
        shades: NodePath,
        radii: Mapping[int, float],
        tier: Quality,
        reds: bool = False,
    ):
        """Make no ball yet.

        Args:
            parent: node that the balls hang on.
            shades: node whose shaders are told where the balls are.
            radii: radius of each ball, m.
            reds: the set of black ball, else numbered solids and stripes.
        """
        self._root = parent.attach_new_node("balls")
        self._shades = shades
        self._radii = radii
        self._tier = tier
        self._reds = reds
        self._nodes: dict[int, NodePath] = {}
        self._poses: dict[int, Pose] = {}
        self._around: dict[int, PTA_LVecBase4f] = {}
        self._places = PTA_LVecBase4f.empty_array(MOST_BALLS)
        shader = load_shader("ball", tier.level)
        self._root.set_shader(shader)
        give_texture(self._root, "numbers", "ball_numbers.png", tier)
        shades.set_shader_input("balls", self._places)
        shades.set_shader_input("ball_count", 0)
        self._count = 0
        self._root.set_bin("background", 0)
        _shade_squares(tier).reparent_to(parent)

    @property
    def poses(self) -> Mapping[int, Pose]:
        """What is shown now."""
        return self._poses

    def radius(self, ball: int) -> float:
        """Radius of a ball, m."""
        return self._radii[ball]

    def show(self, poses: Mapping[int, Pose]) -> None:
        """Show exactly these balls: centre (m) and orientation (w, x, y, z) of each."""
        for ball in self._poses.keys() - poses.keys():
            self._nodes[ball].hide()
        for index, (ball, (place, turn)) in enumerate(poses.items()):
            node = self._nodes.get(ball)
            if node is None:
                node = self._nodes[ball] = self._make(ball)
            if ball not in self._poses:
                node.show()
            node.set_pos_quat(tuple(place), LQuaternionf(*turn))
            self._places[index] = LVecBase4f(place[0], place[1], place[2], self._radii[ball])
        if len(poses) != self._count:
            self._count = len(poses)
            self._shades.set_shader_input("ball_count", self._count)
        self._poses = dict(poses)
        if self._tier.level > 0:
            self._tell_neighbours()

    def _tell_neighbours(self) -> None:
        """Tell every ball of the few around it, which shade it and show in its polish."""
        balls = list(self._poses)
        if not balls:
            return
        places = np.array([self._poses[ball][0] for ball in balls])
        gaps = np.linalg.norm(places[:, None] - places[None], axis=2)
        np.fill_diagonal(gaps, np.inf)
        nearest = np.argsort(gaps, axis=1)[:, :NEIGHBOURS]
        for row, ball in enumerate(balls):
            around = self._around[ball]
            for slot in range(NEIGHBOURS):
                around[slot] = LVecBase4f(0, 0, -9, 0)
            for slot, other in enumerate(nearest[row]):
                if gaps[row, other] < REACH * self._radii[ball]:
                    around[slot] = self._places[int(other)]

    def _make(self, ball: int) -> NodePath:
        """A ball's node: the outer turns with the pose, the inner holds its resting face."""
        paint = paint_of(ball, self._reds)
        outer = self._root.attach_new_node(f"ball {ball}")
        inner = sphere(self._radii[ball], self._tier.ball_facets).node("sphere")
        inner.reparent_to(outer)
        inner.set_quat(LQuaternionf(*resting_face(ball)))
        colour = linear(*paint.colour)
        number = ball if 1 <= ball <= 15 else 0
        outer.set_shader_input("paint", LVecBase4f(colour, paint.kind))
        outer.set_shader_input("ground", linear(*paint.ground))
        self._around[ball] = PTA_LVecBase4f.empty_array(NEIGHBOURS)
        outer.set_shader_input("around", self._around[ball])
        outer.set_shader_input("marking", LVecBase4f(number % 4, number // 4, DISC, 0))
        return outer


def _shade_squares(tier: Quality) -> NodePath:
    """One square for every ball that can be shown; the shader lays them under the balls."""
    squares = Mesh()
    corners = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    up = np.tile((0.0, 0.0, 1.0), (4, 1))
    for index in range(MOST_BALLS):
        points = np.column_stack([corners, np.full(4, float(index))])
        squares.add(points, up, corners, np.array([(0, 1, 2), (0, 2, 3)]))
    return shade_blended(squares.node("shade"), "shade", tier)
