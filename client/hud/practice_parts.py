"""What the HUD shows of practice, in place of the scoreboard: how it stands, or a tray of balls."""

from client.hud.canvas import Canvas
from client.hud.model import HudModel
from client.hud.part import Hit, Part, Sheet
from client.hud.theme import GOLD, INK, MUTED, TEXT

BALL = "ball:"
"""What a ball of the tray means, before its number."""


def draw_headline(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """What is practised, and how it stands."""
    if model.headline is None or model.tray:
        return []
    (x, y, w, h), folded = sheet.layout.scoreboard, sheet.layout.folded
    title, below = model.headline
    room, middle = w - 28, x + w / 2
    large, small = (15.0, 11.5) if folded else (21.0, 15.0)
    high = min(h, large * 1.32 + (small * 1.32 if below else 0.0) + 16)
    canvas.panel(x, y, w, high, INK)
    canvas.text(middle, y + 7, title, large, TEXT, "bold", "center", fit=room)
    if below:
        top = y + 9 + large * 1.32
        canvas.text(middle, top, below, small, MUTED, "semibold", "center", fit=room)
    return []


def draw_tray(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """All balls, those on the table faded; each can be dragged from here."""
    if not model.tray:
        return []
    (x, y, w, h), folded = sheet.layout.scoreboard, sheet.layout.folded
    step = min((w - 16) / len(model.tray), 38.0)
    high = min(h, step + (8 if folded else 14))
    canvas.panel(x, y, w, high, INK)
    at, middle, radius = x + w / 2 - step * (len(model.tray) - 1) / 2, y + high / 2, 0.42 * step
    hits = []
    for number, lies in model.tray:
        if number == model.chosen:
            canvas.ring(at, middle, radius + 0.07 * step, GOLD, 0.06 * step)
        canvas.ball(at, middle, radius, number, faded=lies)
        hits.append(Hit(at - step / 2, y, step, high, f"{BALL}{number}"))
        at += step
    return hits


PRACTICE = (
    Part("headline", lambda m: (m.headline, bool(m.tray)), draw_headline),
    Part("tray", lambda m: (m.tray, m.chosen), draw_tray),
)
