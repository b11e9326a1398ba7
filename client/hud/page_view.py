"""Draws a page on the window: columns that scroll, a title above, buttons below."""

from collections.abc import Hashable
from dataclasses import dataclass, field

from panda3d.core import NodePath, ScissorAttrib

from client.hud.backdrop import draw_backdrop
from client.hud.canvas import Canvas, overlay
from client.hud.page import Field, Page, Widget
from client.hud.page_parts import (
    GAP,
    LABEL,
    PAD,
    Light,
    beside_height,
    draw_beside,
    draw_widget,
    field_shown,
)
from client.hud.parts import TONES, Hit
from client.hud.theme import EDGE, TEXT, Colour

DESIGN = (1280.0, 720.0)
LEAST_SCALE = 0.78
LEAST_SHEET = (380.0, 250.0)
"""Letters grow until the page has only so many units left across and down."""
MARGIN, BETWEEN = 26.0, 26.0
NARROWEST, WIDEST = 290.0, 500.0
BACKGROUND: Colour = (0.040, 0.052, 0.058, 1.0)
VEIL: Colour = (0.030, 0.038, 0.042, 0.90)
BAR = 6.0
NOTICE = 42.0
"""Height of a notice of one line."""
STEP = 60.0
"""A step of the wheel, in design units."""


@dataclass
class _Column:
    """A column that is on the window: where, what it holds, and how far it is scrolled."""

    canvas: Canvas
    drawn: Hashable = None
    x: float = 0.0
    width: float = 0.0
    height: float = 0.0
    scrolled: float = 0.0
    hits: list[Hit] = field(default_factory=list)
    placed: Hashable = None


class PageView:
    """A page over the window; owns a node under the window's 2-D root."""

    def __init__(self, render2d: NodePath, size: tuple[int, int], ui_scale: float = 1.0) -> None:
        self.root = overlay(render2d, "page", 10)
        self._back = Canvas(self.root, "back")
        self._foot = Canvas(self.root, "foot")
        self._foot_drawn: float | None = None
        self._columns: list[_Column] = []
        self._frame = Canvas(self.root, "frame")
        self._frame_drawn: Hashable = None
        self._frame_hits: list[Hit] = []
        self._hover = self._focus = ""
        self._top = self._bottom = 0.0
        self.page = Page("", ())
        self.ui_scale = ui_scale
        self.resize(size)

    def resize(self, size: tuple[int, int]) -> None:
        """The window has another size in pixels."""
        self.size = size
        w, h = max(size[0], 1), max(size[1], 1)
        fitting = min(w / DESIGN[0], h / DESIGN[1])
        largest = min(w / LEAST_SHEET[0], h / LEAST_SHEET[1])
        self.scale = min(max(fitting * self.ui_scale, LEAST_SCALE), largest)
        self.width, self.height = w / self.scale, h / self.scale
        self.root.set_pos(-1, 0, 1)
        self.root.set_scale(2 * self.scale / w, 1, 2 * self.scale / h)
        self._frame_drawn = self._foot_drawn = None
        for column in self._columns:
            column.drawn = None

    # --- showing ----------

    def show(self, page: Page, focus: str = "") -> None:
        """Show a page; what is as before costs nothing."""
        if page.title != self.page.title:
            for column in self._columns:
                column.scrolled = 0.0
        moved = focus != self._focus
        self.page, self._focus = page, focus
        self._show_frame(page)
        columns = self._fold(page.columns)
        while len(self._columns) > len(columns):
            self._columns.pop().canvas.node.remove_node()
        while len(self._columns) < len(columns):
            self._columns.append(_Column(Canvas(self.root, f"column{len(self._columns)}")))
        wide = self._column_width(len(columns))
        across = wide * len(columns) + BETWEEN * (len(columns) - 1)
        left = (self.width - across) / 2
        for k, widgets in enumerate(columns):
            column = self._columns[k]
            column.x, column.width = left + k * (wide + BETWEEN), wide
            self._draw_column(column, widgets)
        self._show_foot(page.rack)
        if moved:
            self._bring_into_sight(focus)

    def _fold(self, columns: tuple[tuple[Widget, ...], ...]) -> list[tuple[Widget, ...]]:
        """Side by side if there is room, else one after the other."""
        count = len(columns)
        if count <= 1 or count * NARROWEST + (count - 1) * BETWEEN <= self.width - 2 * MARGIN:
            return list(columns)
        if count == 3 and self.width - 2 * MARGIN >= 2 * NARROWEST + BETWEEN:
            return [columns[0], columns[1] + columns[2]]
        return [tuple(widget for column in columns for widget in column)]

    def _column_width(self, count: int) -> float:
        room = self.width - 2 * MARGIN - (count - 1) * BETWEEN
        return min(room / max(count, 1), WIDEST)

    def _show_frame(self, page: Page) -> None:
        light = self._light({press.action for press in page.footer})
        key = (page.title, page.notice, page.tone, page.footer, page.overlay, light)
        if key == self._frame_drawn:
            return
        self._frame_drawn = key
        self._back.clear(self.scale)
        w, h = self.width, self.height
        self._back.box(-4, -4, w + 8, h + 8, VEIL if page.overlay else BACKGROUND, 0)
        canvas = self._frame
        canvas.clear(self.scale)
        room = w - 2 * MARGIN
        size = 26.0 if h > 420 else 19.0
        _, title_h = canvas.text(MARGIN, 12, page.title, size, TEXT, "bold", wrap=room)
        at = 12 + title_h + 4
        if page.notice:
            inner = room - 28
            _, notice_h = canvas.measure(page.notice, 15, "semibold", inner)
            canvas.box(MARGIN, at, room, notice_h + 14, (0.10, 0.12, 0.14, 1), 8, EDGE)
            canvas.box(MARGIN + 8, at + 7, 4, notice_h, TONES[page.tone], 2)
            canvas.text(MARGIN + 20, at + 6, page.notice, 15, TEXT, "semibold", wrap=inner)
            at += notice_h + 20
        # a line of it has its place also while there is none: nothing moves from under the mouse
        self._top = max(at + 2, 12 + title_h + 4 + NOTICE)
        self._frame_hits = []
        self._bottom = h - 12
        if page.footer:
            self._bottom = h - 14 - beside_height(canvas, page.footer, room)
            _, self._frame_hits = draw_beside(
                canvas, page.footer, MARGIN, self._bottom, room, light
            )
            self._bottom -= 10
        for column in self._columns:
            self._place(column)

    def _show_foot(self, rack: bool) -> None:
        """What lies below the columns, now that it is known how long they are."""
        long = max((column.height for column in self._columns), default=0.0)
        top = self._top + long + BETWEEN if rack else None
        if top == self._foot_drawn:
            return
        self._foot_drawn = top
        self._foot.clear(self.scale)
        if top is not None:
            draw_backdrop(self._foot, self.width, self.height, top)

    def _draw_column(self, column: _Column, widgets: tuple[Widget, ...]) -> None:
        own = {hit.action for hit in column.hits}
        light = self._light(own | {getattr(widget, "action", "") for widget in widgets})
        key = (widgets, column.width, light)
        if key != column.drawn:
            column.drawn = key
            canvas = column.canvas
            canvas.clear(self.scale)
            at, hits = 4.0, []
            for widget in widgets:
                # room at both sides for the ring round what has the focus, and for the bar
                high, found = draw_widget(canvas, widget, 4, at, column.width - 18, light)
                hits += found
                at += high + GAP
            column.height, column.hits, column.placed = at, hits, None
        self._place(column)

    def _light(self, actions: set[str]) -> Light:
        """What of hover and focus concerns a part of the page."""
        hover = self._hover if self._hover in actions else ""
        return Light(hover, self._focus)

    def _place(self, column: _Column) -> None:
        """Where the column stands, as far as it is scrolled, and what of it is seen."""
        seen = self._bottom - self._top
        column.scrolled = min(max(column.scrolled, 0.0), max(column.height - seen, 0.0))
        place = (column.x, column.width, column.height, column.scrolled, self._top, self._bottom)
        if place == column.placed:
            return
        column.placed = place
        node = column.canvas.node
        node.set_pos(column.x, 0, -(self._top - column.scrolled))
        w, h = self.width, self.height
        left, right = (column.x - 6) / w, (column.x + column.width + 6) / w
        node.set_attrib(
            ScissorAttrib.make(
                max(left, 0.0), min(right, 1.0), 1 - self._bottom / h, 1 - self._top / h
            )
        )
        bar = node.find("bar")
        if not bar.is_empty():
            bar.remove_node()
        if column.height > seen + 1:
            sheet = Canvas(node, "bar")
            sheet.scale = self.scale
            x, top = column.width - BAR, column.scrolled
            long = max(seen * seen / column.height, 24.0)
            at = top + (seen - long) * column.scrolled / (column.height - seen)
            sheet.box(x, top, BAR, seen, (1, 1, 1, 0.08), 3)
            sheet.box(x, at, BAR, long, (1, 1, 1, 0.45), 3)

    def _bring_into_sight(self, action: str) -> None:
        for column in self._columns:
            for hit in column.hits:
                if hit.action == action or hit.action == f"{action}:+":
                    seen = self._bottom - self._top
                    low = hit.y + hit.h + 10 - seen
                    first = min(h.y for h in column.hits)
                    high = 0.0 if hit.y <= first else hit.y - 30
                    column.scrolled = min(max(column.scrolled, low), high)
                    self._place(column)

    # --- where things are ----------

    def at(self, px: float, py: float) -> Hit | None:
        """What lies under a pixel."""
        x, y = px / self.scale, py / self.scale
        for hit in self._frame_hits:
            if hit.covers(x, y):
                return hit
        column = self._column_at(x, y)
        if column is not None:
            for hit in column.hits:
                if hit.covers(x - column.x, y - self._top + column.scrolled):
                    return hit
        return None

    def _column_at(self, x: float, y: float) -> _Column | None:
        if not self._top <= y <= self._bottom:
            return None
        for column in self._columns:
            if column.x - 6 <= x <= column.x + column.width + 6:
                return column
        return None

    def hover(self, px: float, py: float) -> None:
        """The mouse is there: what is under it lights up."""
        hit = self.at(px, py)
        self._hover = hit.action if hit is not None else ""

    def wheel(self, px: float, py: float, steps: int) -> None:
        """Scroll the column under the mouse, or the first that can be; up is positive."""
        column = self._column_at(px / self.scale, py / self.scale)
        for one in [column] if column is not None else self._columns:
            one.scrolled -= STEP * steps
            self._place(one)

    def bar_at(self, px: float, py: float) -> int | None:
        """Number of the column whose scroll bar lies under a pixel."""
        x, y = px / self.scale, py / self.scale
        for k, column in enumerate(self._columns):
            if column.height <= self._bottom - self._top + 1:
                continue
            edge = column.x + column.width
            if self._top <= y <= self._bottom and edge - 2 * BAR <= x <= edge + BAR:
                return k
        return None

    def drag_bar(self, column: int, py: float) -> None:
        """Scroll a column so that the middle of its bar is at a pixel's height."""
        if column < len(self._columns):
            one, seen = self._columns[column], self._bottom - self._top
            one.scrolled = (py / self.scale - self._top) / seen * one.height - seen / 2
            self._place(one)

    def centre_of(self, action: str) -> tuple[float, float]:
        """Pixel in the middle of what has an action, brought into sight.

        Raises:
            LookupError: it is not on the page.
        """
        self._bring_into_sight(action.rsplit(":", 1)[0] if action[-2:] in (":+", ":-") else action)
        for hit in self._frame_hits:
            if hit.action == action:
                return (hit.x + hit.w / 2) * self.scale, (hit.y + hit.h / 2) * self.scale
        for column in self._columns:
            for hit in column.hits:
                if hit.action == action:
                    y = hit.y + hit.h / 2 + self._top - column.scrolled
                    return (hit.x + hit.w / 2 + column.x) * self.scale, y * self.scale
        raise LookupError(f"there is no {action!r} on the page")

    def caret_at(self, action: str, px: float) -> int:
        """How many characters of a field stand before a pixel."""
        shown = self.page.find(action)
        for column in self._columns:
            for hit in column.hits:
                if hit.action == action and isinstance(shown, Field):
                    seen, first = field_shown(column.canvas, shown, hit.w - 2 * PAD)
                    x = px / self.scale - column.x - hit.x - PAD
                    for k in range(len(seen)):
                        if column.canvas.measure(seen[: k + 1], LABEL)[0] > x + 4:
                            return first + k
                    return first + len(seen)
        return 0

    @property
    def cut_off(self) -> list[str]:
        """Texts that found no room and end in an ellipsis."""
        sheets = [self._frame, *(column.canvas for column in self._columns)]
        return [text for sheet in sheets for text in sheet.cut_off]

    def destroy(self) -> None:
        """Take the page away."""
        self.root.remove_node()
