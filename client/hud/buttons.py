"""Buttons: how one looks, the row of actions at the bottom, and the small ones in the corner."""

from client.hud.canvas import LINE, Canvas
from client.hud.layout import Box
from client.hud.model import Button, HudModel
from client.hud.part import Hit, Sheet
from client.hud.theme import EDGE, FAINT, GOLD, HOVER, ON_GOLD, RAISED, TEXT, Colour

SIZE, KEY_SIZE = 15.5, 11.5
"""Sizes of a label and of the key on it, in a button 44 units high."""


def label_size(h: float) -> float:
    """Size of the label in a button of that height."""
    return SIZE if h > 36 else 13.5 if h > 28 else 12.5


def draw_button(
    canvas: Canvas,
    button: Button,
    x: float,
    y: float,
    w: float,
    h: float,
    hover: str,
    size: float = 0.0,
) -> Hit:
    """A button with its label and key; grey when it can't be pressed."""
    over = hover == button.action and button.enabled
    fill: Colour = HOVER if over else RAISED
    ink: Colour = TEXT
    if button.strong and button.enabled:
        fill = (1.0, 0.83, 0.45, 1.0) if over else GOLD
        ink = ON_GOLD
    if not button.enabled:
        fill, ink = (0.10, 0.11, 0.12, 0.80), FAINT
    canvas.box(x, y, w, h, fill, 8, GOLD if button.on else EDGE)
    size = size or label_size(h)
    key_w = _key_width(canvas, button)
    room = w - key_w - 18
    size, label_h = _label(canvas, button.label, size, room)
    label_w = min(canvas.measure(button.label, size, "semibold")[0], room)
    start = x + (w - label_w - key_w) / 2
    top = y + (h - label_h) / 2
    how = {"fit": room} if label_h < 1.5 * LINE * size else {"wrap": room}
    canvas.text(start + label_w / 2, top, button.label, size, ink, "semibold", "center", **how)
    if button.on:  # said by a mark too, not by its gold rim alone
        canvas.disc(x + 8, y + 8, 3.0, GOLD)
    if button.key:
        kx, kw = start + label_w + 8, key_w - 8
        canvas.box(kx, y + h / 2 - 9, kw, 18, (0, 0, 0, 0.22), 4)
        shade = (*ink[:3], 0.75)
        canvas.text(kx + kw / 2, y + h / 2 - 8, button.key, KEY_SIZE, shade, "semibold", "center")
    return Hit(x, y, w, h, button.action, button.why_not)


def _key_width(canvas: Canvas, button: Button) -> float:
    return canvas.measure(button.key, KEY_SIZE)[0] + 16 if button.key else 0.0


def _label(canvas: Canvas, label: str, size: float, room: float) -> tuple[float, float]:
    """Size and height of a label: two smaller lines are easier to read than one cut off."""
    w, h = canvas.measure(label, size, "semibold")
    if w > room / 0.85:
        size *= 0.84
        h = canvas.measure(label, size, "semibold", room)[1]
    return size, h


def button_height(canvas: Canvas, button: Button, w: float, h: float) -> float:
    """Height of a button ``w`` wide: at least ``h``, more for a label that wraps."""
    room = w - _key_width(canvas, button) - 18
    return max(h, _label(canvas, button.label, label_size(h), room)[1] + 10)


def button_width(canvas: Canvas, button: Button, h: float) -> float:
    """Width that a button's text asks for."""
    label = canvas.measure(button.label, label_size(h), "semibold")[0]
    return label + 36 + _key_width(canvas, button)


def _places(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Box]:
    """Where the actions lie: in as many rows as they need, up from the bottom."""
    layout = sheet.layout
    left, right = layout.middle
    h, gap, room = layout.button, 10.0 * layout.type, right - left
    widths = [max(104.0 * layout.type, button_width(canvas, b, h)) for b in model.buttons]
    rows: list[list[float]] = [[]]
    for w in widths:
        if rows[-1] and sum(rows[-1]) + gap * len(rows[-1]) + w > room:
            rows.append([])
        rows[-1].append(min(w, room))
    y = sheet.height - layout.margin - len(rows) * (h + gap) + gap
    places = []
    for row in rows:
        x = (left + right - sum(row) - gap * (len(row) - 1)) / 2
        for w in row:
            places.append(Box(x, y, w, h))
            x += w + gap
        y += h + gap
    return places


def actions_top(canvas: Canvas, model: HudModel, sheet: Sheet) -> float:
    """Where what is above the actions ends."""
    if not model.buttons or model.dialog is not None:
        return sheet.height - sheet.layout.margin + 8 * sheet.layout.type
    return _places(canvas, model, sheet)[0].y


def draw_actions(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """The actions at the bottom."""
    if not model.buttons or model.dialog is not None or model.scrub is not None:
        return []
    places = _places(canvas, model, sheet)
    return [
        draw_button(canvas, button, *place, sheet.hover)
        for button, place in zip(model.buttons, places, strict=True)
    ]


def draw_corner(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """Small buttons at the bottom left; folded, the menu alone, which holds the others."""
    x, y, w, h = sheet.layout.corner
    if sheet.layout.folded:
        shown = [button for button in model.corner if button.action == "menu"]
        return [draw_button(canvas, button, x, y, w, h, sheet.hover) for button in shown]
    gap = 6.0
    each = (h + gap) / max(len(model.corner), 1) - gap
    return [
        draw_button(canvas, button, x, y + k * (each + gap), w, each, sheet.hover)
        for k, button in enumerate(model.corner)
    ]
