"""Flat shapes and text in units of the design, y down from the top left: what panels are made of.

A canvas is drawn anew whenever its content changes and costs nothing in between.
"""

import math
from collections.abc import Sequence

import numpy as np
from panda3d.core import (
    Geom,
    GeomEnums,
    GeomNode,
    GeomTriangles,
    GeomVertexData,
    GeomVertexFormat,
    NodePath,
    TextNode,
    TransparencyAttrib,
)

from client.hud.theme import BALL_COLOURS, EDGE, REDS, TEXT, Colour, seen, sharp_font
from shared_rules.balls import LAG_A, LAG_B

Point = tuple[float, float]
_ALIGN = {"left": TextNode.A_left, "center": TextNode.A_center, "right": TextNode.A_right}
LINE = 1.32
"""Height of a line of text, in sizes."""


def overlay(render2d: NodePath, name: str, order: int) -> NodePath:
    """A node for sheets over the window; of two, that of the higher order lies on top."""
    root = render2d.attach_new_node(name)
    root.set_transparency(TransparencyAttrib.M_alpha)
    root.set_bin("unsorted", order)
    root.set_depth_test(False)
    root.set_depth_write(False)
    root.set_two_sided(True)
    return root


class Canvas:
    """A sheet under ``parent``, whose units are the design's; ``scale``: pixels a unit."""

    def __init__(self, parent: NodePath, name: str, sort: int = 0) -> None:
        self.node = parent.attach_new_node(name, sort)
        self.scale = 1.0
        self.cut_off: list[str] = []
        """Texts that had no room, as they are shown."""

    def clear(self, scale: float) -> None:
        """Take everything away; what follows is drawn for ``scale`` pixels a unit."""
        self.node.get_children().detach()
        self.scale = scale
        self.cut_off = []

    # --- shapes ----------

    def box(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        colour: Colour,
        radius: float = 8.0,
        edge: Colour | None = None,
    ) -> None:
        """A box with round corners, with a thin edge if ``edge`` is a colour."""
        outline = _rounded(x, y, w, h, min(radius, w / 2, h / 2))
        if edge is not None:
            self.polygon(outline, seen(edge))
            inner = _rounded(x + 1, y + 1, w - 2, h - 2, max(min(radius, w / 2, h / 2) - 1, 0))
            colour = seen(colour)
            self.polygon(inner, (*colour[:3], 1.0) if colour[3] > 0.9 else colour)
        else:
            self.polygon(outline, seen(colour))

    def panel(self, x: float, y: float, w: float, h: float, colour: Colour) -> None:
        """A translucent box with a faint rim."""
        self.polygon(_rounded(x, y, w, h, 10.0), seen(colour))
        self.line(_rounded(x + 0.5, y + 0.5, w - 1, h - 1, 9.5), seen(EDGE), 1.0, closed=True)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A filled circle."""
        steps = max(16, min(64, int(radius * self.scale)))
        self.polygon(_circle(x, y, radius, steps), colour)

    def ring(
        self, x: float, y: float, radius: float, colour: Colour, width: float, dashed: bool = False
    ) -> None:
        """A circle's line."""
        points = _circle(x, y, radius, 72)
        if not dashed:
            self.line(points, colour, width, closed=True)
            return
        for k in range(0, 72, 4):
            self.line([points[k], points[k + 1], points[(k + 2) % 72]], colour, width)

    def line(
        self, points: Sequence[Point], colour: Colour, width: float, closed: bool = False
    ) -> None:
        """A line of a width along points."""
        path = np.asarray([*points, points[0]] if closed else points, float)
        step = np.diff(path, axis=0)
        length = np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-9)
        side = np.stack([-step[:, 1], step[:, 0]], axis=1) / length
        if closed:
            ends = np.vstack([side[-1:], side, side[:1]])
        else:
            ends = np.vstack([side[:1], side, side[-1:]])
        at = ends[:-1] + ends[1:]
        at = at / np.maximum(np.linalg.norm(at, axis=1, keepdims=True), 1e-6)
        soft = 0.5 / self.scale
        offsets = (width / 2 + soft, max(width / 2 - soft, 0.0))
        lanes = [path + at * o for o in (offsets[0], offsets[1], -offsets[1], -offsets[0])]
        alphas = (0.0, 1.0, 1.0, 0.0)
        n = len(path)
        vertices = np.vstack(lanes)
        alpha = np.repeat(alphas, n)
        triangles = []
        for lane in range(3):
            a = np.arange(n - 1) + lane * n
            triangles += [
                np.column_stack([a, a + 1, a + n]),
                np.column_stack([a + 1, a + n + 1, a + n]),
            ]
        self._mesh(vertices, alpha, np.vstack(triangles), colour)

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        """A filled convex polygon with soft edges."""
        outline = np.asarray(points, float)
        n = len(outline)
        step = np.roll(outline, -1, axis=0) - np.roll(outline, 1, axis=0)
        normal = np.stack([step[:, 1], -step[:, 0]], axis=1)
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
        soft = 0.5 / self.scale
        inner, outer = outline - normal * soft, outline + normal * soft
        middle = outline.mean(axis=0, keepdims=True)
        vertices = np.vstack([middle, inner, outer])
        alpha = np.concatenate([np.ones(n + 1), np.zeros(n)])
        a = np.arange(n)
        b = (a + 1) % n
        fan = np.column_stack([np.zeros(n, int), a + 1, b + 1])
        rim = [
            np.column_stack([a + 1, a + 1 + n, b + 1]),
            np.column_stack([b + 1, a + 1 + n, b + 1 + n]),
        ]
        self._mesh(vertices, alpha, np.vstack([fan, *rim]), colour)

    def _mesh(
        self, vertices: np.ndarray, alpha: np.ndarray, triangles: np.ndarray, colour: Colour
    ) -> None:
        block = np.zeros((len(vertices), 4), dtype=np.float32)
        block[:, 0], block[:, 2] = vertices[:, 0], -vertices[:, 1]
        shades = np.empty((len(vertices), 4), dtype=np.uint8)
        shades[:, :3] = np.round(np.asarray(colour[:3]) * 255)
        shades[:, 3] = np.round(alpha * colour[3] * 255)
        block[:, 3] = shades.view(np.float32)[:, 0]
        data = GeomVertexData("flat", _FORMAT, GeomEnums.UH_static)
        data.unclean_set_num_rows(len(block))
        data.modify_array_handle(0).copy_data_from(block.tobytes())
        primitive = GeomTriangles(GeomEnums.UH_static)
        primitive.set_index_type(GeomEnums.NT_uint32)
        index = primitive.modify_vertices()
        flat = np.ascontiguousarray(triangles, dtype=np.uint32).ravel()
        index.unclean_set_num_rows(len(flat))
        index.modify_handle().copy_data_from(flat.tobytes())
        geom = Geom(data)
        geom.add_primitive(primitive)
        node = GeomNode("flat")
        node.add_geom(geom)
        self.node.attach_new_node(node)

    # --- text and balls ----------

    def text(
        self,
        x: float,
        y: float,
        string: str,
        size: float = 16.0,
        colour: Colour = TEXT,
        weight: str = "medium",
        align: str = "left",
        wrap: float | None = None,
        fit: float | None = None,
    ) -> tuple[float, float]:
        """Write ``string`` with its top at ``y``; width and height that it takes.

        ``wrap``: width at which lines break.  ``fit``: width into which a single line is squeezed,
        by a smaller size and at last by cutting it off with an ellipsis.
        """
        node, size = self._text_node(string, size, weight, wrap, fit)
        node.set_align(_ALIGN[align])
        node.set_text_color(*seen(colour))
        path = self.node.attach_new_node(node)
        path.set_scale(size)
        # The baseline lies so that capitals are centred in the line.
        path.set_pos(round(x * self.scale) / self.scale, 0, -(y + size * 0.98))
        return node.get_width() * size, node.get_num_rows() * size * LINE

    def measure(
        self, string: str, size: float = 16.0, weight: str = "medium", wrap: float | None = None
    ) -> tuple[float, float]:
        """Width and height that a text would take."""
        node, size = self._text_node(string, size, weight, wrap, None)
        return node.get_width() * size, node.get_num_rows() * size * LINE

    def _text_node(
        self, string: str, size: float, weight: str, wrap: float | None, fit: float | None
    ) -> tuple[TextNode, float]:
        # Signs that a text node takes for orders; what a server sends may hold any.
        string = whole = "".join(c for c in string if c >= " " or c == "\n")
        node = TextNode("text")
        node.set_font(sharp_font(weight, max(8, round(size * self.scale))))
        if wrap is not None:
            node.set_wordwrap(wrap / size)
        node.set_text(string)
        if fit is not None and node.get_width() * size > fit:
            size = max(size * 0.78, size * fit / (node.get_width() * size))
            while node.get_width() * size > fit + 1e-3 and len(string) > 1:
                string = string[:-1].rstrip()
                node.set_text(string + "…")
            if node.get_text() != whole:
                self.cut_off.append(node.get_text())
        return node, size

    def ball(
        self, x: float, y: float, radius: float, number: int, faded: bool = False,
        reds: bool = False, plain: bool = False,
    ) -> None:  # fmt: skip
        """A small picture of a ball with its number; ``faded`` when it is off the table.

        ``reds``: of the set of black ball; ``plain``: without its number.
        """
        if faded:
            self.ring(x, y, radius - 0.5, (1, 1, 1, 0.22), 1.0)
            self.text(
                x, y - radius * 0.62, str(number), radius * 1.0, (1, 1, 1, 0.30), align="center"
            )
            return
        white = (0.96, 0.95, 0.91, 1.0)
        if number in (LAG_A, LAG_B):
            self.disc(x, y, radius, white)
            mark = (0.77, 0.09, 0.12, 1.0) if number == LAG_A else (0.09, 0.24, 0.67, 1.0)
            if number == LAG_A:
                self.disc(x, y, radius * 0.4, mark)
            else:
                self.ring(x, y, radius * 0.6, mark, radius * 0.3)
            return
        if reds and number not in (0, 8):
            self.disc(x, y, radius, REDS[number < 8])
        elif number <= 8:
            self.disc(x, y, radius, BALL_COLOURS.get(number, white))
        else:
            self.disc(x, y, radius, white)
            self.polygon(_band(x, y, radius, 0.60), BALL_COLOURS[number - 8])
        self.ring(x, y, radius - 0.4, (1, 1, 1, 0.28), 0.8)
        if number and not plain:
            self.disc(x, y, radius * 0.56, white)
            size = radius * (0.92 if number < 10 else 0.80)
            self.text(
                x, y - size * 0.64, str(number), size, (0.05, 0.05, 0.06, 1), "bold", "center"
            )


_FORMAT = GeomVertexFormat.get_v3c4()


def _rounded(x: float, y: float, w: float, h: float, r: float) -> list[Point]:
    """Outline of a box with round corners, clockwise on the screen from the top left."""
    points: list[Point] = []
    corners = (
        (x + r, y + r, 180),
        (x + w - r, y + r, 270),
        (x + w - r, y + h - r, 0),
        (x + r, y + h - r, 90),
    )
    for cx, cy, start in corners:
        for k in range(7):
            a = math.radians(start + 15 * k)
            points.append((cx + r * math.cos(a), cy + r * math.sin(a)))
    return points


def _circle(x: float, y: float, r: float, steps: int) -> list[Point]:
    return [
        (x + r * math.cos(2 * math.pi * k / steps), y + r * math.sin(2 * math.pi * k / steps))
        for k in range(steps)
    ]


def _band(x: float, y: float, r: float, half: float) -> list[Point]:
    """The stripe of a ball: what lies within ``half`` radii above and below its middle."""
    a = math.asin(half)
    right = [(x + r * math.cos(t), y + r * math.sin(t)) for t in np.linspace(-a, a, 9)]
    left = [
        (x + r * math.cos(t), y + r * math.sin(t)) for t in np.linspace(math.pi - a, math.pi + a, 9)
    ]
    return [*right, *left]
