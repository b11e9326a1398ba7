"""The whole HUD: draws the parts whose content has changed, and finds what the mouse is over."""

from collections.abc import Hashable

from panda3d.core import NodePath, TransparencyAttrib

from client.hud.canvas import Canvas
from client.hud.controls import CONTROLS, DIALOGS, TIP_RADIUS, power_box, tip_centre
from client.hud.model import HudModel
from client.hud.parts import ON_TOP, SHOWING, Hit, Sheet

DESIGN = (1280.0, 720.0)
LEAST_SCALE = 0.78
LEAST_SHEET = (980.0, 560.0)
"""The panels need this many design units across and down."""
PANELS = (228.0, 182.0, 134.0, 126.0)
"""Space that panels take at the left, right, bottom and top, in design units; at the top with a
line of a passing message."""
BETWEEN = ((20.0, 182.0, 164.0, 212.0), (20.0, 90.0, 218.0, 212.0))
"""The same for a table between the panels of the corners instead of beside them."""
TABLE_ASPECT = 1.8
"""Length by width of a table with its rails and a margin."""
PARTS = (*SHOWING, *CONTROLS, *DIALOGS, *ON_TOP)


class Hud:
    """Written over the table; owns a node under the window's 2-D root."""

    def __init__(self, render2d: NodePath, size: tuple[int, int], ui_scale: float = 1.0) -> None:
        self.root = render2d.attach_new_node("hud")
        self.root.set_transparency(TransparencyAttrib.M_alpha)
        self.root.set_bin("unsorted", 0)
        self.root.set_depth_test(False)
        self.root.set_depth_write(False)
        self.root.set_two_sided(True)
        self._canvases = [Canvas(self.root, part.name) for part in PARTS]
        self._drawn: list[Hashable] = [None] * len(PARTS)
        self._hits: list[list[Hit]] = [[] for _ in PARTS]
        self._hover = ""
        self.model = HudModel()
        self.ui_scale = ui_scale
        self.resize(size)

    def resize(self, size: tuple[int, int]) -> None:
        """The window has another size in pixels."""
        self.size = size
        w, h = max(size[0], 1), max(size[1], 1)
        fitting = min(w / DESIGN[0], h / DESIGN[1])
        # Small windows keep readable letters and lose space between the panels instead; letters
        # grow no further than the panels have room.
        largest = min(w / LEAST_SHEET[0], h / LEAST_SHEET[1])
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
            sheet = Sheet(self.sheet.width, self.sheet.height, hover)
            self._hits[k] = part.draw(canvas, model, sheet)
            self._drawn[k] = key

    def _over(self, hit: Hit) -> bool:
        return hit.action == self._hover

    @property
    def insets(self) -> tuple[float, float, float, float]:
        """Shares of the window that panels cover: left, right, bottom, top."""
        return self._shares(PANELS)

    @property
    def overhead_insets(self) -> tuple[float, float, float, float]:
        """The same for a table seen from above: of the ways between the panels the roomiest."""

        def height(panels: tuple[float, float, float, float]) -> float:
            left, right, bottom, top = panels
            across = (self.sheet.width - left - right) / TABLE_ASPECT
            return min(across, self.sheet.height - bottom - top)

        return self._shares(max((PANELS, *BETWEEN), key=height))

    def _shares(
        self, panels: tuple[float, float, float, float]
    ) -> tuple[float, float, float, float]:
        w, h = self.sheet.width, self.sheet.height
        covered = (panels[0] / w, panels[1] / w, panels[2] / h, panels[3] / h)
        return tuple(min(share, 0.4) for share in covered)  # type: ignore[return-value]

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

    def regions(self) -> list[Hit]:
        """All regions that react, for tests of overlap."""
        return [hit for hits in self._hits for hit in hits]

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
        _, y, _, h = power_box(self.sheet)
        return min(max((y + h - py / self.scale) / h, 0.0), 1.0)

    def tip_at(self, px: float, py: float) -> tuple[float, float]:
        """Tip offset in ball radii at a pixel; it may lie beyond the ball."""
        cx, cy = tip_centre(self.sheet)
        return (
            (px / self.scale - cx) / TIP_RADIUS,
            (cy - py / self.scale) / TIP_RADIUS,
        )

    def destroy(self) -> None:
        """Take the HUD away."""
        self.root.remove_node()
