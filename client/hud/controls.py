"""The parts of the HUD that are pressed and dragged: buttons, power, tip ball, dialogs, help."""

import math

from client.hud.canvas import LINE, Canvas
from client.hud.model import Button, Dialog, HudModel
from client.hud.parts import MARGIN, Hit, Part, Sheet
from client.hud.theme import (
    EDGE,
    FAINT,
    GOLD,
    GREEN,
    HOVER,
    INK,
    INK_SOLID,
    MUTED,
    ON_GOLD,
    RAISED,
    RED,
    TEXT,
    Colour,
)

POWER_W, POWER_TOP = 62.0, 102.0
TIP_W, TIP_H = 160.0, 196.0
TIP_RADIUS = 58.0
SMALL_LABEL = 13.0
"""Size of a label that needs two lines."""


def draw_button(
    canvas: Canvas, button: Button, x: float, y: float, w: float, h: float, hover: str
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
    edge = GOLD if button.on else EDGE
    canvas.box(x, y, w, h, fill, 8, edge)
    size = 15.5 if h > 36 else 13.5
    key_w = canvas.measure(button.key, 11.5)[0] + 16 if button.key else 0.0
    room = w - key_w - 18
    label_w, label_h = canvas.measure(button.label, size, "semibold")
    if h > 36 and label_w > room / 0.85:  # two smaller lines are easier to read than one cut off
        size = SMALL_LABEL
        label_w, label_h = canvas.measure(button.label, size, "semibold", room)
    label_w = min(label_w, room)
    start = x + (w - label_w - key_w) / 2
    top = y + (h - label_h) / 2
    how = {"fit": room} if label_h < 1.5 * LINE * size else {"wrap": room}
    canvas.text(start + label_w / 2, top, button.label, size, ink, "semibold", "center", **how)
    if button.key:
        kx, kw = start + label_w + 8, key_w - 8
        canvas.box(kx, y + h / 2 - 9, kw, 18, (0, 0, 0, 0.22), 4)
        shade = (*ink[:3], 0.75)
        canvas.text(kx + kw / 2, y + h / 2 - 8, button.key, 11.5, shade, "semibold", "center")
    return Hit(x, y, w, h, button.action, button.why_not)


def _label_height(canvas: Canvas, button: Button, w: float) -> float:
    """Height of a label that wraps in a button of width ``w``."""
    key_w = canvas.measure(button.key, 11.5)[0] + 16 if button.key else 0.0
    return canvas.measure(button.label, SMALL_LABEL, "semibold", w - key_w - 18)[1]


def button_width(canvas: Canvas, button: Button, size: float = 15.5) -> float:
    """Width that a button's text asks for."""
    w = canvas.measure(button.label, size, "semibold")[0] + 36
    if button.key:
        w += canvas.measure(button.key, 11.5)[0] + 16
    return w


def draw_actions(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """The row of actions at the bottom."""
    if not model.buttons or model.dialog is not None:
        return []
    widths = [max(104.0, button_width(canvas, b)) for b in model.buttons]
    gap, h = 10.0, 44.0
    total = sum(widths) + gap * (len(widths) - 1)
    room = sheet.width - 2 * (TIP_W + 2 * MARGIN) - 40
    if total > room:
        share = (room - gap * (len(widths) - 1)) / sum(widths)
        widths = [w * share for w in widths]
        total = room
    x, y = (sheet.width - total) / 2, sheet.height - 58
    hits = []
    for button, w in zip(model.buttons, widths, strict=True):
        hits.append(draw_button(canvas, button, x, y, w, h, sheet.hover))
        x += w + gap
    return hits


def draw_corner(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """Small buttons at the bottom left: view, help, language, menu."""
    hits = []
    h, gap, w = 30.0, 6.0, 150.0
    y = sheet.height - MARGIN - len(model.corner) * (h + gap) + gap
    for button in model.corner:
        hits.append(draw_button(canvas, button, MARGIN, y, w, h, sheet.hover))
        y += h + gap
    return hits


def power_box(sheet: Sheet) -> tuple[float, float, float, float]:
    """Place of the power bar's scale: x, y, width, height."""
    bottom = sheet.height - MARGIN - TIP_H - 12
    top = POWER_TOP + 42
    return sheet.width - MARGIN - POWER_W + 18, top, 26.0, max(bottom - top - 16, 60.0)


def draw_power(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """The power bar: cue speed, dragged or by keys."""
    power = model.power
    if power is None:
        return []
    x, y, w, h = power_box(sheet)
    left = sheet.width - MARGIN - POWER_W
    canvas.panel(left, POWER_TOP, POWER_W, y + h + 14 - POWER_TOP, INK)
    speed = f"{power.speed:.1f}" if power.speed >= 1 else f"{power.speed:.2f}"
    canvas.text(left + POWER_W / 2, POWER_TOP + 5, speed, 16, TEXT, "bold", "center")
    canvas.text(left + POWER_W / 2, POWER_TOP + 22, "m/s", 10.5, MUTED, align="center")
    canvas.box(x, y, w, h, (1, 1, 1, 0.09), 5, EDGE)
    fill = h * power.share
    shade = _heat(power.share)
    if fill > 3:
        canvas.box(x + 2, y + h - fill, w - 4, fill - 2, shade, 4)
    for k in range(1, 5):
        at = y + h * k / 5
        canvas.box(x + w - 8, at, 8, 1, (1, 1, 1, 0.35), 0)
    canvas.box(x - 5, y + h - fill - 2.5, w + 10, 5, TEXT, 2.5)
    return [Hit(left, y - 10, POWER_W, h + 20, "power", drags=True)]


def _heat(share: float) -> Colour:
    """Green through gold to red."""
    low, high = ((GREEN, GOLD), (GOLD, RED))[share > 0.5]
    t = (share * 2) % 1.0 if share < 1.0 else 1.0
    return tuple(a + (b - a) * t for a, b in zip(low, high, strict=True))  # type: ignore[return-value]


def tip_centre(sheet: Sheet) -> tuple[float, float]:
    """Middle of the magnified cue ball."""
    return sheet.width - MARGIN - TIP_W / 2, sheet.height - MARGIN - TIP_H / 2 + 2


def draw_tip(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """The magnified cue ball, the tip's place on it and the miscue limit."""
    ball = model.tip
    if ball is None:
        return []
    cx, cy = tip_centre(sheet)
    left, top = sheet.width - MARGIN - TIP_W, sheet.height - MARGIN - TIP_H
    canvas.panel(left, top, TIP_W, TIP_H, INK)
    canvas.text(left + TIP_W / 2, top + 8, model.caption("tip"), 12, MUTED, align="center")
    canvas.disc(cx, cy, TIP_RADIUS, (0.93, 0.915, 0.87, 1))
    canvas.disc(cx - 16, cy - 18, TIP_RADIUS * 0.55, (1, 1, 1, 0.16))
    for along in ((1, 0), (0, 1)):
        dx, dy = along[0] * TIP_RADIUS, along[1] * TIP_RADIUS
        canvas.line([(cx - dx, cy - dy), (cx + dx, cy + dy)], (0, 0, 0, 0.16), 1.0)
    canvas.ring(cx, cy, TIP_RADIUS * ball.limit, (0.75, 0.12, 0.10, 0.9), 1.8, dashed=True)
    a, b = ball.tip
    shade = (0.86, 0.15, 0.12, 1.0) if ball.miscue else (0.13, 0.36, 0.72, 1.0)
    # A 12.5 mm tip on a 57 mm ball covers about 0.16 radii to each side of where it touches.
    canvas.disc(cx + a * TIP_RADIUS, cy - b * TIP_RADIUS, TIP_RADIUS * 0.16, shade)
    canvas.disc(cx + a * TIP_RADIUS, cy - b * TIP_RADIUS, 2.0, TEXT)
    text = model.caption("miscue") if ball.miscue else model.aim
    canvas.text(
        left + TIP_W / 2, top + TIP_H - 27, text, 13, RED if ball.miscue else TEXT, "semibold",
        "center", fit=TIP_W - 16,
    )  # fmt: skip
    r = TIP_RADIUS
    return [Hit(cx - r, cy - r, 2 * r, 2 * r, "tip", drags=True)]


def draw_dialog(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """A choice: sentences to press."""
    dialog = model.dialog
    if dialog is None:
        return []
    if dialog.docked:
        return _draw_docked(canvas, dialog, sheet)
    w = min(560.0, sheet.width - 80)
    inner = w - 56
    body_h = canvas.measure(dialog.body, 16, "medium", inner)[1] if dialog.body else 0.0
    heights = []
    for k, _ in enumerate(dialog.buttons):
        note = dialog.notes[k] if k < len(dialog.notes) else ""
        heights.append(
            44.0 + (canvas.measure(note, 13, "medium", inner - 20)[1] + 4 if note else 0)
        )
    h = 72 + body_h + (12 if body_h else 0) + sum(heights) + 10 * len(heights) + 12
    x, y = (sheet.width - w) / 2, max(120.0, (sheet.height - h) / 2)
    canvas.box(x, y, w, h, INK_SOLID, 14, (1, 1, 1, 0.20))
    canvas.text(x + w / 2, y + 20, dialog.title, 23, TEXT, "bold", "center", fit=inner)
    at = y + 62
    if dialog.body:
        canvas.text(x + w / 2, at, dialog.body, 16, MUTED, "medium", "center", wrap=inner)
        at += body_h + 12
    hits = []
    for k, button in enumerate(dialog.buttons):
        hits.append(draw_button(canvas, button, x + 28, at, inner, 44, sheet.hover))
        note = dialog.notes[k] if k < len(dialog.notes) else ""
        if note:
            canvas.text(x + w / 2, at + 47, note, 13, MUTED, "medium", "center", wrap=inner - 20)
        at += heights[k] + 10
    hits.append(Hit(x, y, w, h, "nothing"))
    return hits


def _draw_docked(canvas: Canvas, dialog: Dialog, sheet: Sheet) -> list[Hit]:
    """The options side by side at the bottom, so that the balls stay in sight."""
    gap, count = 10.0, len(dialog.buttons)
    w = min(270.0 * count + gap * (count + 1), sheet.width - 2 * (150 + 2 * MARGIN))
    card = (w - gap * (count + 1)) / count
    notes = [*dialog.notes, *[""] * count][:count]
    note_h = max(canvas.measure(n, 13, "medium", card - 8)[1] if n else 0.0 for n in notes)
    button_h = max(44.0, *(_label_height(canvas, b, card) + 10 for b in dialog.buttons))
    if button_h > 50.0:  # long labels in narrow cards say enough, and leave notes no room
        notes, note_h = [""] * count, 0.0
    h = 38 + button_h + note_h + 14
    x, y = (sheet.width - w) / 2, sheet.height - 10 - h
    canvas.box(x, y, w, h, INK_SOLID, 12, (1, 1, 1, 0.20))
    title_w = canvas.text(x + gap + 4, y + 8, dialog.title, 18, TEXT, "bold", fit=w * 0.7)[0]
    room = w - title_w - 3 * gap - 8
    canvas.text(x + gap + title_w + 14, y + 11.5, dialog.body, 14, MUTED, fit=room)
    hits = []
    for k, button in enumerate(dialog.buttons):
        left = x + gap + k * (card + gap)
        hits.append(draw_button(canvas, button, left, y + 38, card, button_h, sheet.hover))
        if notes[k]:
            canvas.text(
                left + card / 2,
                y + button_h + 42,
                notes[k],
                13,
                MUTED,
                "medium",
                "center",
                wrap=card - 8,
            )
    hits.append(Hit(x, y, w, h, "nothing"))
    return hits


def draw_help(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """Every key and what it does."""
    if not model.help:
        return []
    rows = math.ceil(len(model.help) / 2)
    w, row = min(880.0, sheet.width - 60), 29.0
    h = rows * row + 78
    x, y = (sheet.width - w) / 2, max(20.0, (sheet.height - h) / 2)
    canvas.box(x, y, w, h, INK_SOLID, 14, (1, 1, 1, 0.20))
    canvas.text(x + w / 2, y + 18, model.caption("help"), 21, TEXT, "bold", "center")
    column = (w - 56) / 2
    for k, (key, meaning) in enumerate(model.help):
        cx = x + 28 + (k // rows) * column
        cy = y + 60 + (k % rows) * row
        canvas.text(cx, cy, key, 13.5, GOLD, "semibold", fit=column * 0.38)
        canvas.text(cx + column * 0.40, cy, meaning, 13.5, TEXT, fit=column * 0.58)
    return [Hit(x, y, w, h, "help")]


def _buttons_key(model: HudModel) -> object:
    return model.buttons, model.dialog is None


CONTROLS = (
    Part("actions", _buttons_key, draw_actions, hovers=True),
    Part("corner", lambda m: m.corner, draw_corner, hovers=True),
    Part("power", lambda m: m.power, draw_power),
    Part("tip", lambda m: (m.tip, m.aim, m.words), draw_tip),
)
DIALOGS = (
    Part("dialog", lambda m: m.dialog, draw_dialog, hovers=True),
    Part("help_sheet", lambda m: (m.help, m.words), draw_help),
)
