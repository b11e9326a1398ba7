"""Numbers that stand upright on the balls: from overhead a ball's own may lie askew, or below.

Drawn once a ball, and then only moved.
"""

from collections.abc import Iterable

from panda3d.core import NodePath

from client.hud.canvas import Canvas
from client.hud.theme import ON_GOLD

SHARE = 0.66
"""Radius of the disc under a number, in radii of the ball: its colour or stripe shows around."""
WHITE = (0.97, 0.96, 0.93, 1.0)

Tag = tuple[int, float, float, float]
"""A ball's number, where it is on the sheet, and its radius there."""


class NumberTags:
    """The numbers on the balls."""

    def __init__(self, root: NodePath, sort: int) -> None:
        """``sort``: where among the parts of the HUD they are drawn."""
        self._root = root.attach_new_node("number tags", sort)
        self._drawn: dict[int, Canvas] = {}
        self._size = (0.0, 0.0)

    @property
    def shown(self) -> set[int]:
        """The balls that wear one now."""
        return {ball for ball, canvas in self._drawn.items() if not canvas.node.is_hidden()}

    def show(self, tags: Iterable[Tag], scale: float) -> None:
        """Show exactly these; ``scale``: pixels a unit."""
        tags = tuple(tags)
        size = (round(max((tag[3] for tag in tags), default=0.0), 1), scale)
        if size != self._size:
            self._size = size
            for canvas in self._drawn.values():
                canvas.node.remove_node()
            self._drawn.clear()
        wanted = {tag[0] for tag in tags}
        for ball, canvas in self._drawn.items():
            if ball not in wanted:
                canvas.node.hide()
        for ball, x, y, radius in tags:
            drawn = self._drawn.get(ball)
            if drawn is None:
                drawn = self._drawn[ball] = self._draw(ball, radius * SHARE, scale)
            drawn.node.show()
            drawn.node.set_pos(round(x * scale) / scale, 0, -round(y * scale) / scale)

    def _draw(self, ball: int, radius: float, scale: float) -> Canvas:
        canvas = Canvas(self._root, f"number {ball}")
        canvas.clear(scale)
        canvas.disc(0.0, 0.0, radius, WHITE)
        size = radius * (1.85 if ball < 10 else 1.6)
        # So small, letters sit on the grid of pixels a little right of and below where they should.
        x, y = -0.6 / scale, -0.8 / scale
        canvas.text(x, y - size * 0.64, str(ball), size, ON_GOLD, "bold", "center")
        return canvas
