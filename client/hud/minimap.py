"""The small plan of the table, for views that do not show all of it.

Its frame is a part of the HUD like others; the balls on it are drawn once each and then only moved.
"""

from collections.abc import Mapping, Sequence

from panda3d.core import NodePath

from client.hud.canvas import Canvas
from client.hud.model import HudModel, Minimap
from client.hud.part import Hit, Sheet
from client.hud.theme import EDGE, INK

CLOTH = (0.09, 0.30, 0.42, 0.92)
WOOD = (0.30, 0.18, 0.11, 0.95)
HOLE = (0.02, 0.02, 0.02, 1.0)
RAIL_M = 0.09
BALL = 4.4
"""Radius of a ball on the plan: larger than life, to be told apart."""


def draw_minimap(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """The table from above, without its balls."""
    if model.minimap is None:
        return []
    table = model.minimap
    scale, cx, cy = _fit(table, sheet)
    half_l, half_w = table.length / 2 * scale, table.width / 2 * scale
    rail = RAIL_M * scale
    w, h = 2 * (half_l + rail), 2 * (half_w + rail)
    canvas.panel(cx - w / 2 - 4, cy - h / 2 - 4, w + 8, h + 8, INK)
    canvas.box(cx - w / 2, cy - h / 2, w, h, WOOD, 5, EDGE)
    canvas.box(cx - half_l, cy - half_w, 2 * half_l, 2 * half_w, CLOTH, 1)
    line = cx + table.line * scale
    canvas.line([(line, cy - half_w), (line, cy + half_w)], (1, 1, 1, 0.22), 0.8)
    for x in (-half_l, 0.0, half_l):
        for y in (-half_w, half_w):
            canvas.disc(cx + x, cy + y, 0.075 * scale, HOLE)
    return []


class MinimapBalls:
    """The balls on the plan."""

    def __init__(self, root: NodePath, sort: int) -> None:
        """``sort``: where among the parts of the HUD they are drawn."""
        self._root = root.attach_new_node("minimap balls", sort)
        self._drawn: dict[int, Canvas] = {}
        self._for: tuple[float, bool] | None = None

    def show(
        self, table: Minimap | None, places: Mapping[int, Sequence[float]], sheet: Sheet
    ) -> None:
        """Move the balls to their places (m); without a plan none is shown."""
        if table is None:
            self._root.hide()
            return
        self._root.show()
        scale, cx, cy = _fit(table, sheet)
        if self._for != (scale, table.reds):
            self._for = (scale, table.reds)
            for canvas in self._drawn.values():
                canvas.node.remove_node()
            self._drawn.clear()
        for ball, canvas in self._drawn.items():
            if ball not in places:
                canvas.node.hide()
        for ball, place in places.items():
            drawn = self._drawn.get(ball)
            if drawn is None:
                drawn = self._drawn[ball] = self._draw(ball, table.reds)
            drawn.node.show()
            drawn.node.set_pos(cx + place[0] * scale, 0, -(cy - place[1] * scale))

    def _draw(self, ball: int, reds: bool) -> Canvas:
        canvas = Canvas(self._root, f"minimap ball {ball}")
        canvas.clear(2.0)
        canvas.ball(0.0, 0.0, BALL, ball, reds=reds, plain=True)
        canvas.node.flatten_strong()  # a node a ball, which is only moved from now on
        return canvas


def _fit(table: Minimap, sheet: Sheet) -> tuple[float, float, float]:
    """Units a metre, and where the middle of the table is."""
    x, y, w, h = sheet.layout.minimap
    across, down = table.length + 2 * RAIL_M, table.width + 2 * RAIL_M
    return min((w - 8) / across, (h - 8) / down), x + w / 2, y + h / 2
