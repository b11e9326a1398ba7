"""The parts of the HUD that only show something: score, clock, link, ruling, prompt, toast.

A part says which of the model it depends on, draws itself on its canvas when that has changed, and
returns the regions that react to the mouse.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from client.hud.canvas import Canvas
from client.hud.model import HudModel, Player
from client.hud.theme import (
    EDGE,
    FAINT,
    GOLD,
    GREEN,
    INK,
    INK_SOLID,
    MUTED,
    ON_GOLD,
    RED,
    TEXT,
    Colour,
)

MARGIN = 14.0
TONES: dict[str, Colour] = {"plain": TEXT, "good": GREEN, "bad": RED, "note": MUTED}


@dataclass(frozen=True)
class Hit:
    """A region of the screen that reacts: ``action`` is what pressing it means."""

    x: float
    y: float
    w: float
    h: float
    action: str
    why_not: str = ""
    drags: bool = False

    def covers(self, x: float, y: float) -> bool:
        """Whether a point (design units) lies in it."""
        return self.x <= x <= self.x + self.w and self.y <= y <= self.y + self.h


@dataclass(frozen=True)
class Sheet:
    """Where to draw: width and height in design units, and what the mouse is over."""

    width: float
    height: float
    hover: str = ""


Draw = Callable[[Canvas, HudModel, Sheet], list[Hit]]
Key = Callable[[HudModel], Hashable]


@dataclass(frozen=True)
class Part:
    """A part: its name, what it depends on, and how it is drawn."""

    name: str
    key: Key
    draw: Draw
    hovers: bool = False


def draw_scoreboard(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """Names, games, sets, fouls, who is at the table, and the balls left."""
    if not model.players[0].name:
        return []
    w = min(640.0, sheet.width - 470.0)
    x, y, h = (sheet.width - w) / 2, 10.0, 96.0
    canvas.panel(x, y, w, h, INK)
    middle = sheet.width / 2
    canvas.text(middle, y + 7, model.race, 12.5, MUTED, align="center", fit=150)
    left, right = model.players
    score = f"{left.points or left.games} : {right.points or right.games}"
    canvas.text(middle, y + 21, score, 31, TEXT, "bold", "center")
    name_w = w / 2 - 100
    for side, player in ((-1, left), (1, right)):
        edge = x + 20 if side < 0 else x + w - 20
        _side(canvas, model, player, edge, y, name_w, side)
    _balls(canvas, model, middle, y + 78, w - 262)
    return []


def _side(
    canvas: Canvas, model: HudModel, player: Player, edge: float, y: float, w: float, side: int
) -> None:
    align = "left" if side < 0 else "right"
    if player.at_table:
        bar = edge - 20 if side < 0 else edge + 15
        canvas.box(bar, y + 14, 5, 66, GOLD, 2.5)
    colour = TEXT if player.present else FAINT
    weight = "bold" if player.at_table else "semibold"
    canvas.text(edge, y + 14, player.name, 20, colour, weight, align, fit=w)
    note = player.note
    if note:
        tone = RED if player.warned or not player.present else GOLD
        canvas.text(edge, y + 43, note, 13, tone, "semibold", align, fit=w)
    if player.group:
        ball = edge + 8 * (1 if side < 0 else -1)
        canvas.ball(ball, y + 78, 8.0, player.group_ball, reds=model.reds)
        after = edge + 22 * (1 if side < 0 else -1)
        canvas.text(after, y + 70, player.group, 12, MUTED, align=align, fit=w - 22)
    if not model.fouls_limit:
        return
    gap = 15
    step = gap if side < 0 else -gap
    for k in range(model.fouls_limit):
        at = edge + 6 * (1 if side < 0 else -1) + k * step
        if k < player.fouls:
            canvas.disc(at, y + 78, 5.5, RED)
            canvas.text(at, y + 72.2, "×", 9.5, ON_GOLD, "bold", "center")
        else:
            canvas.ring(at, y + 78, 5.0, FAINT, 1.2)
    after = edge + 6 * (1 if side < 0 else -1) + model.fouls_limit * step
    canvas.text(after, y + 70, model.caption("fouls"), 12, MUTED, align=align)


def _balls(canvas: Canvas, model: HudModel, middle: float, y: float, room: float) -> None:
    if not model.balls:
        return
    step = min(25.0, room / len(model.balls))
    radius = 0.42 * step
    x = middle - step * (len(model.balls) - 1) / 2
    for number, left in model.balls:
        if left and number in model.on:
            canvas.ring(x, y, radius + 2.6, GOLD, 2.0)
        canvas.ball(x, y, radius, number, faded=not left, reds=model.reds)
        x += step


def draw_link(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """Which game this is, and how good the connection is, in bars and words."""
    w, h = 208.0, 58.0
    canvas.panel(MARGIN, 10, w, h, INK)
    canvas.text(MARGIN + 13, 17, model.title, 14, TEXT, "semibold", fit=w - 26)
    colour = (RED, RED, GOLD, GREEN)[model.link_level]
    for k in range(3):
        height = 5 + 4 * k
        shade = colour if k < model.link_level else (1, 1, 1, 0.18)
        canvas.box(MARGIN + 13 + 6 * k, 58 - height, 4, height, shade, 1)
    canvas.text(MARGIN + 38, 41.5, model.link, 12.5, MUTED, fit=w - 52)
    return []


def draw_clock(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """The countdown, by the server's clock."""
    face = model.clock
    if face is None:
        return []
    w, h = 132.0, 78.0
    x, y = sheet.width - MARGIN - w, 10.0
    colour = RED if face.urgent else TEXT
    canvas.panel(x, y, w, h, INK_SOLID if face.urgent else INK)
    digits = f"{face.seconds // 60}:{face.seconds % 60:02d}"
    canvas.text(x + w / 2, y + 6, digits, 32, colour, "bold", "center")
    canvas.text(x + w / 2, y + 47, face.purpose, 12.5, MUTED, align="center", fit=w - 16)
    canvas.box(x + 12, y + 67, w - 24, 4, (1, 1, 1, 0.14), 2)
    if face.share > 0.01:
        canvas.box(x + 12, y + 67, (w - 24) * min(face.share, 1.0), 4, colour, 2)
    return []


def draw_ruling(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """What the last shot meant, with the rule that decided it."""
    if not model.ruling:
        return []
    w, x, y = 208.0, MARGIN, 78.0
    sizes = [canvas.measure(line, 13.5, "medium", w - 26)[1] + 3 for line, _ in model.ruling]
    canvas.panel(x, y, w, sum(sizes) + 34, INK)
    canvas.text(x + 13, y + 8, model.caption("last_shot"), 12, MUTED)
    at = y + 26
    for (line, tone), size in zip(model.ruling, sizes, strict=True):
        canvas.text(x + 13, at, line, 13.5, TONES[tone], "medium", wrap=w - 26)
        at += size
    return []


def draw_prompt(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """What is wanted now, in one sentence, and a hint below it."""
    if not model.prompt or model.dialog is not None:
        return []
    middle = sheet.width / 2
    widest = sheet.width - 470
    inner = widest - 44
    w1, h1 = canvas.measure(model.prompt, 18, "semibold", inner)
    w2, h2 = canvas.measure(model.hint, 13.5, wrap=inner) if model.hint else (0.0, 0.0)
    w, h = max(w1, w2) + 44, h1 + h2 + (18 if model.hint else 16)
    y = sheet.height - (70 if model.buttons else 14) - h
    canvas.panel(middle - w / 2, y, w, h, INK)
    canvas.text(middle, y + 8, model.prompt, 18, TEXT, "semibold", "center", wrap=inner)
    if model.hint:
        canvas.text(middle, y + 9 + h1, model.hint, 13.5, MUTED, align="center", wrap=inner)
    return []


def draw_toast(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """A sentence that passes: why something was refused, what has just happened."""
    if not model.toast:
        return []
    middle = sheet.width / 2
    widest = min(620.0, sheet.width - 470)
    w, h = canvas.measure(model.toast, 15, "semibold", widest - 60)
    w = min(w + 60, widest)
    y = 109.0  # a line of it ends above the table in the overhead view, clear of the side pocket
    canvas.box(middle - w / 2, y, w, h + 8, INK_SOLID, 9, EDGE)
    canvas.box(middle - w / 2 + 10, y + 7, 4, h - 6, TONES[model.toast_tone], 2)
    canvas.text(middle + 5, y + 3, model.toast, 15, TEXT, "semibold", "center", wrap=widest - 60)
    return []


def draw_banner(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """Across the screen: the connection is lost, the match is suspended."""
    if not model.banner:
        return []
    _, h = canvas.measure(model.banner, 19, "semibold", sheet.width - 200)
    y = sheet.height * 0.40
    canvas.box(-4, y - 16, sheet.width + 8, h + 32, INK_SOLID, 0)
    canvas.box(-4, y - 16, sheet.width + 8, 2, GOLD, 0)
    canvas.text(
        sheet.width / 2, y, model.banner, 19, TEXT, "semibold", "center", wrap=sheet.width - 200
    )
    return []


SHOWING = (
    Part(
        "scoreboard",
        lambda m: (m.players, m.race, m.balls, m.reds, m.on, m.fouls_limit, m.words),
        draw_scoreboard,
    ),
    Part("link", lambda m: (m.title, m.link, m.link_level), draw_link),
    Part("clock", lambda m: m.clock, draw_clock),
    Part("ruling", lambda m: (m.ruling, m.words), draw_ruling),
    Part("prompt", lambda m: (m.prompt, m.hint, bool(m.buttons), m.dialog is None), draw_prompt),
    Part("banner", lambda m: m.banner, draw_banner),
)
ON_TOP = (Part("toast", lambda m: (m.toast, m.toast_tone), draw_toast),)
