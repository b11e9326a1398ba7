"""The bar of a stored match: where in it we are, what can be gone to, and buttons to play it."""

from collections.abc import Hashable
from dataclasses import replace

from client.hud.buttons import button_width, draw_button
from client.hud.canvas import Canvas
from client.hud.layout import Box
from client.hud.model import HudModel
from client.hud.part import Hit, Part, Sheet
from client.hud.theme import GOLD, INK, MUTED, RED, TEXT

TAKE_HOLD = 7.0
"""So far above and below the bar the mouse still takes hold of it."""

RULING = 134.0
"""Height that most rulings take."""


def _panel(sheet: Sheet) -> Box:
    layout = sheet.layout
    left, right = layout.choice
    h = layout.button + 44.0 * layout.type
    return Box(left, sheet.height - layout.margin - h, right - left, h)


def in_the_way(sheet: Sheet) -> list[Box]:
    """What a table should not lie under: nobody aims, so the right side is free."""
    layout = sheet.layout
    read = Box(*layout.ruling[:3], min(layout.ruling.h, RULING))
    toast = () if layout.folded else (layout.toast,)
    return [layout.scoreboard, layout.link, layout.corner, read, _panel(sheet), *toast]


def bar_of(sheet: Sheet) -> Box:
    """The bar itself."""
    panel, k = _panel(sheet), sheet.layout.type
    return Box(panel.x + 14, panel.y + 25 * k, panel.w - 28, 5.0)


def draw_scrub(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """What stays: the length in words, the bar with its marks, a row of buttons.

    A rack is a tall line, a shot a short one below the bar, a foul a red cross above it.
    """
    if model.scrub is None:
        return []
    panel, bar, k = _panel(sheet), bar_of(sheet), sheet.layout.type
    canvas.panel(*panel, INK)
    canvas.text(
        bar.right, panel.y + 4 * k, model.scrub.length, 12.5 * k, MUTED, align="right",
        fit=bar.w / 3,
    )  # fmt: skip
    canvas.box(*bar, (1, 1, 1, 0.18), 2.5)
    for share, kind in model.scrub.marks:
        _mark(canvas, bar.x + bar.w * share, bar, kind)
    hits = [Hit(bar.x - 6, bar.y - TAKE_HOLD, bar.w + 12, bar.h + 2 * TAKE_HOLD, "scrub")]
    return [*hits, *_buttons(canvas, model, sheet, panel)]


def draw_scrubbed(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """What moves: how much is over, and the moment in words."""
    if model.scrub is None:
        return []
    scrub, bar, k = model.scrub, bar_of(sheet), sheet.layout.type
    top = _panel(sheet).y + 4 * k
    canvas.text(bar.x, top, scrub.where, 12.5 * k, TEXT, "semibold", fit=bar.w * 0.66 - 12)
    if scrub.share > 0:
        canvas.box(bar.x, bar.y, max(bar.w * scrub.share, 1.0), bar.h, GOLD, 2.5)
    canvas.disc(bar.x + bar.w * scrub.share, bar.y + bar.h / 2, 6.0, TEXT)
    return []


def _mark(canvas: Canvas, x: float, bar: Box, kind: str) -> None:
    if kind == "rack":
        canvas.box(x - 1, bar.y - 5, 2, bar.h + 10, TEXT, 0)
    elif kind == "shot":
        canvas.box(x - 0.5, bar.bottom, 1, 4, MUTED, 0)
    else:
        y, d = bar.y - 3.5, 2.6
        for up in (1, -1):
            canvas.line([(x - d, y - up * d), (x + d, y + up * d)], RED, 1.5)


def _buttons(canvas: Canvas, model: HudModel, sheet: Sheet, panel: Box) -> list[Hit]:
    layout = sheet.layout
    gap = 6.0 * layout.type
    each = (panel.w - 12 + gap) / len(model.buttons) - gap
    y = panel.bottom - layout.button - 5 * layout.type
    hits = []
    for n, button in enumerate(model.buttons):
        if button_width(canvas, button, layout.button) > each:  # the sheet of keys has its key
            button = replace(button, key="")
        x = panel.x + 6 + n * (each + gap)
        size = 12.5 * layout.type
        hits.append(draw_button(canvas, button, x, y, each, layout.button, sheet.hover, size))
    return hits


def _stays(model: HudModel) -> Hashable:
    scrub = model.scrub
    return (scrub.marks, scrub.length, model.buttons) if scrub is not None else None


SCRUB = (
    Part("scrub", _stays, draw_scrub, hovers=True),
    Part("scrubbed", lambda m: m.scrub, draw_scrubbed),
)
