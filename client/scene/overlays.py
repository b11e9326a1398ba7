"""What is drawn on the table to help: guide line, legal area, placement, target and frozen marks.

Nothing is said by colour alone: an illegal place wears a cross and a legal one a ring, a guide's
object-ball departure is dashed and the cue ball's is not.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from panda3d.core import GeomNode, LVecBase4f, NodePath, TransparencyAttrib

from client.scene.mesh import Mesh, Point2, arc, sphere
from client.scene.quality import Quality
from client.scene.shaders import load_shader

Vec3 = tuple[float, float, float]
Colour = tuple[float, float, float, float]

LINE_HEIGHT = 0.0012
GUIDE: Colour = (1.0, 1.0, 1.0, 0.80)
OBJECT: Colour = (1.0, 0.86, 0.35, 0.85)
CUE_PATH: Colour = (0.85, 0.95, 1.0, 0.60)
LEGAL: Colour = (0.35, 0.95, 0.55, 1.0)
ILLEGAL: Colour = (1.0, 0.30, 0.22, 1.0)
AREA: Colour = (0.55, 1.0, 0.75, 0.13)
TARGET: Colour = (1.0, 0.88, 0.30, 0.95)
FROZEN: Colour = (0.55, 0.90, 1.0, 0.95)


@dataclass(frozen=True)
class Departure:
    """Where a ball goes after the contact: its path (m), and whether it is the object ball."""

    points: tuple[Point2, ...]
    is_object: bool


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
        self.style(GUIDE)
        if above:
            self.node.set_depth_test(False)
            self.node.set_bin("fixed", 20)
        self.node.hide()

    def style(self, colour: Colour, soft: bool = True, dashes: float = 0.0) -> None:
        """Colour, soft line edges, and dashes a metre (0: a whole line)."""
        self.node.set_color_scale(colour)
        self.node.set_shader_input("shape", LVecBase4f(float(soft), dashes, 0, 0))

    def draw(self, mesh: Mesh) -> None:
        """Replace what is drawn, and show it."""
        self._holder.remove_all_geoms()
        self._holder.add_geoms_from(mesh.node("fresh").node())
        self.node.show()

    def hide(self) -> None:
        """Take it away."""
        self.node.hide()


def ribbon(mesh: Mesh, points: Sequence[Sequence[float]], width: float, z: float) -> None:
    """A level band of ``width`` (m) along points (x, y), added to a mesh."""
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
    at = at / lean * width / 2
    sheet = np.empty((2, len(line), 3))
    sheet[0, :, :2], sheet[1, :, :2] = line + at, line - at
    sheet[..., 2] = z
    uv = np.empty((2, len(line), 2))
    uv[..., 0] = np.concatenate([[0], np.cumsum(run)])
    uv[0, :, 1], uv[1, :, 1] = 1.0, -1.0
    up = np.zeros_like(sheet)
    up[..., 2] = 1.0
    mesh.grid(sheet, up, uv)


def ring(mesh: Mesh, centre: Sequence[float], radius: float, width: float, z: float) -> None:
    """A level ring of ``width`` (m), added to a mesh."""
    circle = arc((centre[0], centre[1]), radius, 0, 2 * math.pi, 40)
    ribbon(mesh, circle, width, z)


class Overlays:
    """All helping marks of a table."""

    def __init__(self, parent: NodePath, tier: Quality, radius: float):
        """No mark is shown yet; ``radius`` (m) is that of the balls."""
        self._root = parent.attach_new_node("overlays")
        self._tier = tier
        self._radius = radius
        make = self._sketch
        self._guide, self._object, self._cue = make("guide"), make("object"), make("cue")
        self._object.style(OBJECT, dashes=16.0)
        self._cue.style(CUE_PATH)
        self._ghost = self._ghost_ball("ghost", GUIDE)
        self._ghost_ring = make("ghost_ring")
        self._area, self._border = make("area"), make("border")
        self._area.style(AREA, soft=False)
        self._border.style((0.75, 1.0, 0.85, 0.9))
        self._placed = self._ghost_ball("placement", LEGAL)
        self._verdict = make("verdict", above=True)
        self._target = make("target")
        self._target.style(TARGET)
        self._ringed: list[tuple[float, ...]] = []
        self._linked: list[tuple[tuple[float, ...], tuple[float, ...]]] = []
        self._frozen = make("frozen", above=True)
        self._frozen.style(FROZEN)

    def _sketch(self, name: str, above: bool = False) -> Sketch:
        return Sketch(self._root, name, self._tier, above)

    def _ghost_ball(self, name: str, colour: Colour) -> NodePath:
        """A glassy ball."""
        node = sphere(self._radius, 20).node(name)
        node.reparent_to(self._root)
        node.set_shader(load_shader("overlay", self._tier.level))
        node.set_transparency(TransparencyAttrib.M_alpha)
        node.set_depth_write(False)
        node.set_color_scale(colour)
        node.set_shader_input("shape", LVecBase4f(2, 0, 0, 0))
        node.hide()
        return node

    def show_guide(
        self,
        points: Sequence[Sequence[float]],
        ghost_pos: Sequence[float] | None = None,
        departures: Iterable[Departure] = (),
    ) -> None:
        """The aiming line along ``points``, the ball at contact, and the ways on from there."""
        mesh = Mesh()
        ribbon(mesh, points, 0.0045, LINE_HEIGHT)
        self._guide.draw(mesh)
        if ghost_pos is None:
            self._ghost.hide()
            self._ghost_ring.hide()
        else:
            self._ghost.set_pos(ghost_pos[0], ghost_pos[1], self._radius)
            self._ghost.show()
            circle = Mesh()
            ring(circle, ghost_pos, self._radius, 0.003, LINE_HEIGHT)
            self._ghost_ring.draw(circle)
        departures = tuple(departures)
        for sketch, wanted in ((self._object, True), (self._cue, False)):
            ways = [d.points for d in departures if d.is_object == wanted]
            if not ways:
                sketch.hide()
                continue
            mesh = Mesh()
            for way in ways:
                ribbon(mesh, way, 0.005, LINE_HEIGHT)
            sketch.draw(mesh)

    def hide_guide(self) -> None:
        """Take the guide away."""
        for shown in (self._guide, self._object, self._cue, self._ghost, self._ghost_ring):
            shown.hide()

    def show_area(self, x_min: float, x_max: float, y_min: float, y_max: float) -> None:
        """The area (m) in which a ball's centre may be placed, its edge drawn strictly."""
        corners = [(x_min, y_min), (x_max, y_min), (x_max, y_max), (x_min, y_max)]
        fill = Mesh()
        fill.flat(corners, LINE_HEIGHT / 2)
        self._area.draw(fill)
        edge = Mesh()
        width = 0.005
        inset = width / 2
        within = [
            (min(max(x, x_min + inset), x_max - inset), min(max(y, y_min + inset), y_max - inset))
            for x, y in corners
        ]
        for k in range(4):
            ribbon(edge, [within[k], within[(k + 1) % 4]], width, LINE_HEIGHT)
        self._border.draw(edge)

    def hide_area(self) -> None:
        """Take the legal area away."""
        self._area.hide()
        self._border.hide()

    def show_placement(self, pos: Sequence[float], legal: bool) -> None:
        """A ball held at ``pos``: ringed where it may be put, crossed out where it may not."""
        colour = LEGAL if legal else ILLEGAL
        self._placed.set_pos(pos[0], pos[1], self._radius)
        self._placed.set_color_scale(colour)
        self._placed.show()
        mesh = Mesh()
        top = 2 * self._radius + 0.001
        if legal:
            ring(mesh, pos, 1.35 * self._radius, 0.006, LINE_HEIGHT)
        else:
            arm = self._radius * 1.15
            for sign in (1, -1):
                ends = [(pos[0] - arm, pos[1] - sign * arm), (pos[0] + arm, pos[1] + sign * arm)]
                ribbon(mesh, ends, 0.009, top)
        self._verdict.style(colour)
        self._verdict.draw(mesh)

    def hide_placement(self) -> None:
        """Take the held ball away."""
        self._placed.hide()
        self._verdict.hide()

    def show_targets(self, places: Iterable[Sequence[float]]) -> None:
        """Rings on the bed round the balls that may be hit first; none hides them."""
        fresh = [tuple(place) for place in places]
        if fresh == self._ringed:
            return
        self._ringed = fresh
        if not fresh:
            self._target.hide()
            return
        mesh = Mesh()
        for place in fresh:
            ring(mesh, place, 1.42 * self._radius, 0.006, LINE_HEIGHT)
        self._target.draw(mesh)

    def show_frozen(self, pairs: Iterable[tuple[Sequence[float], Sequence[float]]]) -> None:
        """A link where a ball is frozen: (its centre, the other's centre or the rail's point)."""
        fresh = [(tuple(first), tuple(second)) for first, second in pairs]
        if fresh == self._linked:
            return
        self._linked = fresh
        if not fresh:
            self._frozen.hide()
            return
        mesh = Mesh()
        z = 2 * self._radius + 0.002
        for first, second in fresh:
            dx, dy = second[0] - first[0], second[1] - first[1]
            size = math.hypot(dx, dy) or 1.0
            dx, dy = dx / size, dy / size
            # The touching point: a radius from the ball, towards the other.
            touch = (first[0] + dx * self._radius, first[1] + dy * self._radius)
            for along in (-0.0045, 0.0045):
                middle = (touch[0] + dx * along, touch[1] + dy * along)
                half = 0.011
                ends = [
                    (middle[0] - dy * half, middle[1] + dx * half),
                    (middle[0] + dy * half, middle[1] - dx * half),
                ]
                ribbon(mesh, ends, 0.005, z)
        self._frozen.draw(mesh)

    def hide_all(self) -> None:
        """Take every mark away."""
        self.hide_guide()
        self.hide_area()
        self.hide_placement()
        self.show_targets(())
        self.show_frozen(())
