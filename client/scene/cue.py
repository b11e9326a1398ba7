"""The cue: a tapered stick that lies on its line, and the motion of a stroke."""

import math
from dataclasses import dataclass

import numpy as np
from panda3d.core import LMatrix4f, LVecBase2f, LVecBase4f, NodePath

from client.scene.materials import coat, shade_blended
from client.scene.mesh import Mesh, lathe
from client.scene.quality import Quality

Vec3 = tuple[float, float, float]
LENGTH = 1.473
"""58 in (REFERENCES 1.3)."""

# Parts from the butt to the tip: name, (metres from the tip, radius) points, linear colour,
# mirror, share of the wood's grain.
_PARTS = (
    (
        "bumper",
        ((-1.473, 0.010), (-1.470, 0.0135), (-1.455, 0.0146)),
        (0.01, 0.01, 0.01),
        0.01,
        0.0,
    ),
    ("butt", ((-1.455, 0.0146), (-1.13, 0.0138)), (0.55, 0.30, 0.24), 0.035, 1.0),
    ("ring_low", ((-1.13, 0.0139), (-1.122, 0.0139)), (0.60, 0.58, 0.52), 0.05, 0.0),
    ("wrap", ((-1.122, 0.0137), (-0.83, 0.0126)), (0.022, 0.024, 0.030), 0.004, 0.0),
    ("ring_high", ((-0.83, 0.0127), (-0.822, 0.0127)), (0.60, 0.58, 0.52), 0.05, 0.0),
    ("forearm", ((-0.822, 0.0125), (-0.745, 0.0108)), (0.40, 0.16, 0.10), 0.035, 1.0),
    ("joint", ((-0.745, 0.0109), (-0.728, 0.0107)), (0.35, 0.34, 0.32), 0.20, 0.0),
    (
        "shaft",
        ((-0.728, 0.0106), (-0.55, 0.0088), (-0.36, 0.0071), (-0.22, 0.0064), (-0.037, 0.0063)),
        (0.62, 0.45, 0.26),
        0.03,
        0.0,
    ),
    ("ferrule", ((-0.037, 0.0063), (-0.0125, 0.0063)), (0.72, 0.70, 0.64), 0.04, 0.0),
    (
        "tip",
        ((-0.0125, 0.0063), (-0.005, 0.0063), (-0.002, 0.0052), (-0.0005, 0.003), (0.0, 0.0)),
        (0.045, 0.13, 0.21),
        0.0,
        0.0,
    ),
)


@dataclass(frozen=True)
class CueAim:
    """Where a cue lies.

    Attributes:
        ball_pos: centre of the ball aimed at, m.
        heading_deg: direction of the stroke in the plane; 0 is +x, counter-clockwise.
        elevation_deg: how much the butt is raised.
        tip: offset on the ball in radii; (to the player's right, above centre).
        pull_m: distance between tip and ball, m; negative past the ball's skin.
    """

    ball_pos: Vec3
    heading_deg: float
    elevation_deg: float = 0.0
    tip: tuple[float, float] = (0.0, 0.0)
    pull_m: float = 0.02


@dataclass(frozen=True)
class StrokeMotion:
    """How a stroke looks: drawn back, a moment's rest, driven through at the asked speed.

    Attributes:
        speed_m_s: cue speed at contact.
        pull_m: how far the cue is drawn back.
        rest_m: distance of the tip from the ball before.
        back_s, hold_s: time to draw back, and to wait there.
    """

    speed_m_s: float
    pull_m: float = 0.16
    rest_m: float = 0.02
    back_s: float = 0.40
    hold_s: float = 0.10

    @property
    def contact_at(self) -> float:
        """Seconds from the start until the tip touches the ball."""
        return self.back_s + self.hold_s + 2 * self.pull_m / max(self.speed_m_s, 0.05)

    @property
    def ends_at(self) -> float:
        """Seconds from the start until the cue is still."""
        return self.contact_at + 0.5

    def pull_at(self, seconds: float) -> float:
        """Distance of the tip from the ball, m, at a time from the start."""
        if seconds < self.back_s:
            part = max(seconds, 0.0) / self.back_s
            part = part * part * (3 - 2 * part)
            return self.rest_m + (self.pull_m - self.rest_m) * part
        forward = seconds - self.back_s - self.hold_s
        if forward <= 0:
            return self.pull_m
        if seconds < self.contact_at:
            # Constant acceleration from rest: the speed at contact is the stroke's.
            part = forward / (self.contact_at - self.back_s - self.hold_s)
            return self.pull_m * (1 - part * part)
        reach = 0.04 + 0.025 * min(self.speed_m_s, 8.0)
        return -reach * (1 - math.exp(-(seconds - self.contact_at) * self.speed_m_s / reach))


class Cue:
    """The stick's node."""

    def __init__(self, parent: NodePath, tier: Quality):
        self._shadow = _shadow_strip(tier)
        self._shadow.reparent_to(parent)
        self.node = parent.attach_new_node("cue")
        steps = 10 + 6 * tier.level
        for name, points, colour, mirror, grain in _PARTS:
            part = lathe([(r, x) for x, r in points], steps, along="x").node(name)
            coat(part, tier, colour, mirror, 0.25, grain=grain, bounce=0.1)
            part.reparent_to(self.node)
        self.hide()

    def show(self, aim: CueAim, radius: float) -> None:
        """Lay the cue on its line at a ball of that radius (m).

        It is drawn as it is told to lie: whether it clears rails and balls is the stroke's affair
        (:mod:`physics.clearance`).
        """
        a, b = aim.tip
        inside = max(1 - a * a - b * b, 0.0)
        forward, left, up = self._axes(aim)
        depth = math.sqrt(inside)
        x, y, z = (
            aim.ball_pos[k] + radius * (-a * left[k] + b * up[k] - depth * forward[k])
            for k in range(3)
        )
        point = (x, y, z)
        tip = _along(point, forward, -aim.pull_m)
        self.node.set_mat(LMatrix4f(*forward, 0, *left, 0, *up, 0, *tip, 1))
        self.node.show()
        self._shade(tip, forward)

    def hide(self) -> None:
        """Put the cue away."""
        self.node.hide()
        self._shadow.hide()

    def _shade(self, tip: Vec3, forward: Vec3) -> None:
        """Lay the cue's shadow on the bed."""
        butt = _along(tip, forward, -LENGTH)
        ends = LVecBase4f(butt[0], butt[1], tip[0], tip[1])
        self._shadow.set_shader_input("cue_ends", ends)
        self._shadow.set_shader_input("cue_height", LVecBase2f(butt[2], tip[2]))
        self._shadow.show()

    @staticmethod
    def _axes(aim: CueAim) -> tuple[Vec3, Vec3, Vec3]:
        """Unit vectors along the stroke, to its left, and up across the cue."""
        heading, lift = math.radians(aim.heading_deg), math.radians(aim.elevation_deg)
        ch, sh, ce, se = math.cos(heading), math.sin(heading), math.cos(lift), math.sin(lift)
        return (ch * ce, sh * ce, -se), (-sh, ch, 0.0), (ch * se, sh * se, ce)


def _along(start: Vec3, way: Vec3, distance: float) -> Vec3:
    """A point so far along a way."""
    x, y, z = (s + distance * w for s, w in zip(start, way, strict=True))
    return x, y, z


def _shadow_strip(tier: Quality) -> NodePath:
    """The strip that the shader stretches under the cue."""
    along, across = np.meshgrid(np.linspace(0.0, 1.0, 9), (-1.0, 1.0), indexing="ij")
    points = np.stack([along, across, np.zeros_like(along)], axis=2)
    up = np.zeros_like(points)
    up[..., 2] = 1.0
    mesh = Mesh()
    mesh.grid(points, up, points[..., :2])
    node = mesh.node("cue_shade")
    node.set_two_sided(True)
    return shade_blended(node, "cue_shade", tier)
