"""The whole HUD: draws the parts whose content has changed, and finds what the mouse is over."""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence

from panda3d.core import NodePath

from client.hud.canvas import Canvas, overlay
from client.hud.controls import CONTROLS, MOST_DEG, power_scale, raised_ball, tip_centre
from client.hud.dialogs import DIALOGS
from client.hud.layout import LEAST, Box, Layout, clear_area
from client.hud.minimap import MinimapBalls, draw_minimap
from client.hud.model import HudModel
from client.hud.part import Hit, Part, Sheet
from client.hud.parts import ON_TOP, SHOWING
from client.hud.practice_parts import PRACTICE
from client.hud.scrub import SCRUB, bar_of, in_the_way
from client.hud.tags import NumberTags

DESIGN = (1280.0, 720.0)
LEAST_SCALE = 0.78
MINIMAP = Part("minimap", lambda m: m.minimap, draw_minimap)
PARTS = (*SHOWING, *PRACTICE, MINIMAP, *CONTROLS, *SCRUB, *DIALOGS, *ON_TOP)


class Hud:
    """Written over the table; owns a node under the window's 2-D root."""

    def __init__(self, render2d: NodePath, size: tuple[int, int], ui_scale: float = 1.0) -> None:
        self.root = overlay(render2d, "hud", 0)
        self._canvases = [Canvas(self.root, part.name, 2 * k) for k, part in enumerate(PARTS)]
        self._drawn: list[Hashable] = [None] * len(PARTS)
        self._hits: list[list[Hit]] = [[] for _ in PARTS]
        self._hover = ""
        self._minimap = MinimapBalls(self.root, 2 * PARTS.index(MINIMAP) + 1)
        self._tags = NumberTags(self.root, -1)
        self.model = HudModel()
        self.ui_scale = ui_scale
        self.resize(size)

    def resize(self, size: tuple[int, int]) -> None:
        """The window has another size in pixels."""
        self.size = size
        w, h = max(size[0], 1), max(size[1], 1)
        fitting = min(w / DESIGN[0], h / DESIGN[1])
        # Small windows keep readable letters and lose space between the panels instead; letters
        # grow no further than folded panels have room.
        largest = min(w / LEAST[0], h / LEAST[1])
        self.scale = min(max(fitting * self.ui_scale, LEAST_SCALE), largest)
        self.sheet = Sheet(w / self.scale, h / self.scale)
        self.root.set_pos(-1, 0, 1)
        self.root.set_scale(2 * self.scale / w, 1, 2 * self.scale / h)
        self._drawn = [None] * len(PARTS)

    def show(self, model: HudModel) -> None:
        """Show a frame's content; parts that are as before cost nothing."""
        self.model = model
        for k, part in enumerate(PARTS):
            hover = self._hover if part.hovers and any(self._over(h) for h in self._hits[k]) else ""
            key = (part.key(model), hover)
            if key == self._drawn[k]:
                continue
            canvas = self._canvases[k]
            canvas.clear(self.scale)
            sheet = self.sheet.under(hover)
            self._hits[k] = part.draw(canvas, model, sheet)
            self._drawn[k] = key

    def show_balls(self, places: Mapping[int, Sequence[float]]) -> None:
        """Where the balls are, on the small plan of the table."""
        self._minimap.show(self.model.minimap, places, self.sheet)

    def show_numbers(self, balls: Iterable[tuple[int, float, float, float]]) -> None:
        """Upright numbers on balls: each with its place and radius in pixels."""
        s = self.scale
        self._tags.show(((ball, x / s, y / s, r / s) for ball, x, y, r in balls), s)

    @property
    def numbered(self) -> set[int]:
        """The balls that wear an upright number now."""
        return self._tags.shown

    def _over(self, hit: Hit) -> bool:
        return hit.action == self._hover

    @property
    def layout(self) -> Layout:
        """Where the panels lie."""
        return self.sheet.layout

    @property
    def insets(self) -> tuple[float, float, float, float]:
        """Shares of the window that a table should keep clear of: left, right, bottom, top.

        Of all the places between the panels it is the roomiest; a choice that is open counts.
        """
        docked = self.model.dialog is not None and self.model.dialog.docked
        boxes = in_the_way(self.sheet) if self.model.scrub else list(self.layout.obstacles)
        if docked and (hit := self.find("nothing")) is not None:
            left, right = self.layout.choice
            boxes = [b for b in boxes if b.x >= right or b.right <= left or b.y < hit.y / 2]
            boxes = [b for b in boxes if b not in (self.layout.tip, self.layout.side)]
            boxes.append(Box(hit.x, hit.y, hit.w, hit.h))
        w, h = self.sheet.width, self.sheet.height
        free = clear_area(w, h, boxes)
        return (free.x / w, 1 - free.right / w, 1 - free.bottom / h, free.y / h)

    @property
    def cut_off(self) -> list[str]:
        """Texts that found no room and end in an ellipsis."""
        return [text for canvas in self._canvases for text in canvas.cut_off]

    def at(self, px: float, py: float) -> Hit | None:
        """What lies under a pixel, topmost first."""
        x, y = px / self.scale, py / self.scale
        for hits in reversed(self._hits):
            for hit in hits:
                if hit.covers(x, y):
                    return hit
        return None

    def hover(self, px: float, py: float) -> None:
        """The mouse is there: the button under it lights up."""
        hit = self.at(px, py)
        self._hover = hit.action if hit is not None else ""

    def find(self, action: str) -> Hit | None:
        """The region of an action, if it is on the screen."""
        for hits in reversed(self._hits):
            for hit in hits:
                if hit.action == action:
                    return hit
        return None

    def centre_of(self, action: str) -> tuple[float, float]:
        """Pixel in the middle of an action's region.

        Raises:
            LookupError: it is not on the screen.
        """
        hit = self.find(action)
        if hit is None:
            raise LookupError(f"there is no {action!r} on the screen")
        return (hit.x + hit.w / 2) * self.scale, (hit.y + hit.h / 2) * self.scale

    def bounds(self) -> dict[str, tuple[float, float, float, float]]:
        """Left, top, right, bottom of what each part has drawn, in design units."""
        found = {}
        for canvas in self._canvases:
            corners = canvas.node.get_tight_bounds(self.root)
            if corners is not None:
                low, high = corners
                found[canvas.node.name] = (low.x, -high.z, high.x, -low.z)
        return found

    def power_at(self, py: float) -> float:
        """Share of the power range at a pixel's height, 0 to 1."""
        _, y, _, h = power_scale(self.sheet)
        return min(max((y + h - py / self.scale) / h, 0.0), 1.0)

    def tip_at(self, px: float, py: float) -> tuple[float, float]:
        """Tip offset in ball radii at a pixel; it may lie beyond the ball."""
        cx, cy = tip_centre(self.sheet)
        return (
            (px / self.scale - cx) / self.layout.tip_radius,
            (cy - py / self.scale) / self.layout.tip_radius,
        )

    def scrub_at(self, px: float) -> float:
        """Share of a stored match at a pixel of its bar, 0 to 1."""
        x, _, w, _ = bar_of(self.sheet)
        return min(max((px / self.scale - x) / w, 0.0), 1.0)

    def elevation_at(self, px: float, py: float) -> float:
        """Elevation of a cue that is held at a pixel of the side view, degrees."""
        x, y, _ = raised_ball(self.sheet)
        degrees = math.degrees(math.atan2(y - py / self.scale, max(px / self.scale - x, 1e-6)))
        return min(max(degrees, 0.0), MOST_DEG)

    def destroy(self) -> None:
        """Take the HUD away."""
        self.root.remove_node()
