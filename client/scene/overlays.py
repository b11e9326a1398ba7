"""What is drawn on the table to help: guide line, legal area, placement, target and frozen marks.

Nothing is said by colour alone: an illegal place wears a cross and a legal one a ring, a guide's
object-ball departure is dashed and the cue ball's is not.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from panda3d.core import LVecBase4f, NodePath, TransparencyAttrib

from client.scene.lines import LINE_HEIGHT, WHITE, Colour, Sketch, ribbon, ring
from client.scene.mesh import Mesh, Point2, sphere
from client.scene.quality import Quality
from client.scene.shaders import load_shader

Vec3 = tuple[float, float, float]

OBJECT: Colour = (1.0, 0.86, 0.35, 0.85)
CUE_PATH: Colour = (0.85, 0.95, 1.0, 0.60)
LEGAL: Colour = (0.35, 0.95, 0.55, 1.0)
ILLEGAL: Colour = (1.0, 0.30, 0.22, 1.0)
AREA: Colour = (0.55, 1.0, 0.75, 0.13)
TARGET: Colour = (1.0, 0.88, 0.30, 0.95)
FROZEN: Colour = (0.55, 0.90, 1.0, 0.95)
FIELD: Colour = (1.0, 0.88, 0.30, 0.14)
FIELD_EDGE: Colour = (1.0, 0.88, 0.30, 0.95)
POCKET_RING_M = 0.072
Outline = tuple[Point2, ...]
"""Corners of a convex field on the bed, counter-clockwise (m)."""


@dataclass(frozen=True)
class Departure:
    """Where a ball goes after the contact: its path (m), and whether it is the object ball."""

    points: tuple[Point2, ...]
    is_object: bool


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
        self._ghost = self._ghost_ball("ghost", WHITE)
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
        self._moment = make("moment", above=True)
        self._moment.style(ILLEGAL)
        self._field, self._field_edge = make("field"), make("field_edge")
        self._pockets = make("pockets", above=True)  # half of a mouth lies under the rails
        self._field.style(FIELD, soft=False)
        self._field_edge.style(FIELD_EDGE)
        self._pockets.style(FIELD_EDGE)
        self._marked: tuple[tuple[Outline, ...], tuple[Point2, ...]] = ((), ())

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

    def show_moment(self, place: Sequence[float] | None) -> None:
        """A double ring with four ticks round the place that a ruling is about; None hides it."""
        if place is None:
            self._moment.hide()
            return
        mesh = Mesh()
        r = self._radius
        ring(mesh, place, 1.7 * r, 0.005, LINE_HEIGHT)
        ring(mesh, place, 2.3 * r, 0.004, LINE_HEIGHT)
        x, y = place[0], place[1]
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            ends = [(x + f * r * dx, y + f * r * dy) for f in (2.1, 3.3)]
            ribbon(mesh, ends, 0.006, LINE_HEIGHT)
        self._moment.draw(mesh)

    def show_fields(self, fields: Iterable[Outline], pockets: Iterable[Point2]) -> None:
        """What a stroke is to reach: fields for the cue ball, pockets for others; none hides."""
        fresh = (tuple(fields), tuple(pockets))
        if fresh == self._marked:
            return
        self._marked = fresh
        fill, edge, mouths = Mesh(), Mesh(), Mesh()
        for outline in fresh[0]:
            fill.flat(list(outline), LINE_HEIGHT / 2)
            ribbon(edge, [*outline, outline[0]], 0.006, LINE_HEIGHT)
        for pocket in fresh[1]:
            ring(mouths, pocket, POCKET_RING_M, 0.008, LINE_HEIGHT)
        shown = ((self._field, fill, 0), (self._field_edge, edge, 0), (self._pockets, mouths, 1))
        for sketch, mesh, which in shown:
            if fresh[which]:
                sketch.draw(mesh)
            else:
                sketch.hide()

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
        self.show_moment(None)
        self.show_fields((), ())
