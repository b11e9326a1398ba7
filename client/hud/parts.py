"""The parts of the HUD that only show something: score, clock, link, ruling, prompt, toast.

A part says which of the model it depends on, draws itself on its canvas when that has changed, and
returns the regions that react to the mouse.
"""

import itertools

from client.hud.buttons import actions_top, draw_button
from client.hud.canvas import Canvas
from client.hud.model import HudModel, Player
from client.hud.part import Hit, Part, Sheet
from client.hud.theme import (
    EDGE,
    FAINT,
    GOLD,
    GREEN,
    INK,
    INK_SOLID,
    MUTED,
    RED,
    SHADE,
    TEXT,
    TRAY,
    Colour,
)

TONES: dict[str, Colour] = {"plain": TEXT, "good": GREEN, "bad": RED, "note": MUTED}


def draw_scoreboard(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """Names, games, sets, fouls, who is at the table, and the balls left."""
    if not model.players[0].name:
        return []
    x, y, w, h = sheet.layout.scoreboard
    canvas.panel(x, y, w, h, INK)
    middle = x + w / 2
    left, right = model.players
    score = f"{left.points or left.games} : {right.points or right.games}"
    if sheet.layout.folded:
        canvas.text(middle, y + 3, model.race, 10, MUTED, align="center", fit=150)
        canvas.text(middle, y + 14, score, 21, TEXT, "bold", "center")
    else:
        canvas.text(middle, y + 7, model.race, 12.5, MUTED, align="center", fit=150)
        canvas.text(middle, y + 21, score, 31, TEXT, "bold", "center")
    inset = 12 if sheet.layout.folded else 20
    name_w = w / 2 - (88 if sheet.layout.folded else 100)
    for side, player in ((-1, left), (1, right)):
        edge = x + inset if side < 0 else x + w - inset
        (_side_folded if sheet.layout.folded else _side)(
            canvas, model, player, edge, y, name_w, side
        )
    if sheet.layout.folded:
        _balls(canvas, model, middle, y + h - 10, 168, 14.0)
    else:
        _balls(canvas, model, middle, y + 78, w - 262, 25.0)
    return []


def _side(
    canvas: Canvas, model: HudModel, player: Player, edge: float, y: float, w: float, side: int
) -> None:
    align = "left" if side < 0 else "right"
    if player.at_table:
        bar = edge - 20 if side < 0 else edge + 15
        canvas.box(bar, y + 14, 5, 66, GOLD, 2.5)
    _name(canvas, player, edge, y + 14, 20, w, align)
    if player.note:
        canvas.text(edge, y + 43, player.note, 13, _note_tone(player), "semibold", align, fit=w)
    if player.group:
        ball = edge + 8 * (1 if side < 0 else -1)
        canvas.ball(ball, y + 78, 8.0, player.group_ball, reds=model.reds)
        after = edge + 22 * (1 if side < 0 else -1)
        canvas.text(after, y + 70, player.group, 12, MUTED, align=align, fit=w - 22)
    if not model.fouls_limit:
        return
    step = 18.0 if side < 0 else -18.0
    start = edge + (6 if side < 0 else -6)
    for k in range(model.fouls_limit):
        at = start + k * step
        if player.group:
            at += (w - 60) * (1 if side < 0 else -1)
        _foul_mark(canvas, at, y + 78, 6.0, k < player.fouls)
    if not player.group:
        after = edge + 6 * (1 if side < 0 else -1) + model.fouls_limit * step
        canvas.text(after, y + 70, model.caption("fouls"), 12, MUTED, align=align)


def _side_folded(
    canvas: Canvas, model: HudModel, player: Player, edge: float, y: float, w: float, side: int
) -> None:
    align, way = ("left", 1) if side < 0 else ("right", -1)
    if player.at_table:
        canvas.box(edge - 8 * way - 2, y + 6, 4, 50, GOLD, 2)
    _name(canvas, player, edge, y + 4, 14, w, align)
    if player.note:
        canvas.text(edge, y + 24, player.note, 10, _note_tone(player), "semibold", align, fit=w)
    marks = 11.0 * model.fouls_limit
    if player.group:
        canvas.ball(edge + 6 * way, y + 50, 6.0, player.group_ball, reds=model.reds)
        room = w - 18 - marks
        canvas.text(edge + 16 * way, y + 43, player.group, 10, MUTED, align=align, fit=room)
    for k in range(model.fouls_limit):
        at = edge + way * ((w - marks if player.group else 0) + 5 + 11 * k)
        _foul_mark(canvas, at, y + 50, 4.0, k < player.fouls)
    if model.fouls_limit and not player.group:
        canvas.text(
            edge + way * (marks + 4), y + 43, model.caption("fouls"), 10, MUTED, align=align
        )


def _name(
    canvas: Canvas, player: Player, edge: float, y: float, size: float, w: float, align: str
) -> None:
    colour = TEXT if player.present else FAINT
    weight = "bold" if player.at_table else "semibold"
    canvas.text(edge, y, player.name, size, colour, weight, align, fit=w)


def _note_tone(player: Player) -> Colour:
    return RED if player.warned or not player.present else GOLD


def _foul_mark(canvas: Canvas, x: float, y: float, radius: float, made: bool) -> None:
    """A foul in a row: a filled disc with a cross; an empty ring is one still to come."""
    if not made:
        canvas.ring(x, y, radius - 0.5, (1, 1, 1, 0.35), 1.0)
        return
    canvas.disc(x, y, radius, RED)
    d = 0.45 * radius
    for up in (1, -1):
        canvas.line([(x - d, y - up * d), (x + d, y + up * d)], (0.1, 0.02, 0.02, 1), radius * 0.28)


def _balls(
    canvas: Canvas, model: HudModel, middle: float, y: float, room: float, most: float
) -> None:
    runs = [tuple(balls) for _, balls in itertools.groupby(model.balls, key=lambda ball: ball[1])]
    if not runs:
        return
    gap = 0.5
    slots = len(model.balls) + gap * (len(runs) - 1)
    step = min(most, room / slots)
    radius = 0.42 * step
    x = middle - step * (slots - 1) / 2
    for balls in runs:
        if not balls[0][1]:  # a tray
            half = 0.46 * step
            width = step * (len(balls) - 1) + 2 * half
            canvas.box(x - half, y - half, width, 2 * half, TRAY, half)
        for number, left in balls:
            if left and number in model.on:
                canvas.ring(x, y, radius + 0.1 * step, GOLD, 0.08 * step)
            canvas.ball(x, y, radius if left else 0.84 * radius, number, reds=model.reds)
            if not left:
                canvas.disc(x, y, 0.84 * radius, SHADE)
            x += step
        x += gap * step


def draw_link(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """Which game this is, and how good the connection is, in bars and words."""
    (x, y, w, h), folded = sheet.layout.link, sheet.layout.folded
    inset, foot = (9, y + h - 6) if folded else (13, y + h - 10)
    canvas.panel(x, y, w, h, INK)
    size = 11.5 if folded else 14
    top = y + (3 if folded else 7)
    canvas.text(x + inset, top, model.title, size, TEXT, "semibold", fit=w - 2 * inset)
    bars = 0.0
    if model.link_level is not None:
        bars = 25.0
        colour = (RED, RED, GOLD, GREEN)[model.link_level]
        for k in range(3):
            height = 5 + 4 * k
            shade = colour if k < model.link_level else (1, 1, 1, 0.18)
            canvas.box(x + inset + 6 * k, foot - height, 4, height, shade, 1)
    size, down = (10.5, 13.5) if folded else (12.5, 16.5)
    room = w - 2 * inset - bars - 1
    canvas.text(x + inset + bars, foot - down, model.link, size, MUTED, fit=room)
    return []


def draw_clock(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """The countdown, by the server's clock; one that is nearly out wears a frame and a mark."""
    face = model.clock
    if face is None:
        return []
    (x, y, w, h), folded = sheet.layout.clock, sheet.layout.folded
    colour = RED if face.urgent else TEXT
    canvas.panel(x, y, w, h, INK_SOLID if face.urgent else INK)
    if face.urgent:
        canvas.box(x, y, w, h, (0, 0, 0, 0), 9)
        for inset in (1.5, 4.5):
            corners = [
                (x + inset, y + inset), (x + w - inset, y + inset),
                (x + w - inset, y + h - inset), (x + inset, y + h - inset),
            ]  # fmt: skip
            canvas.line(corners, RED, 1.6, closed=True)
    digits = f"{face.seconds // 60}:{face.seconds % 60:02d}" + (" !" if face.urgent else "")
    size, words, bar = (24, 10, 54) if folded else (32, 12.5, 67)
    canvas.text(x + w / 2, y + (5 if folded else 6), digits, size, colour, "bold", "center")
    top = y + (37 if folded else 47)
    canvas.text(x + w / 2, top, face.purpose, words, MUTED, align="center", fit=w - 14)
    canvas.box(x + 12, y + bar, w - 24, 4, (1, 1, 1, 0.14), 2)
    if face.share > 0.01:
        canvas.box(x + 12, y + bar, (w - 24) * min(face.share, 1.0), 4, colour, 2)
    return []


def draw_ruling(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """What the last shot meant, with the rule that decided it; as much of it as there is room."""
    if not model.ruling:
        return []
    (x, y, w, room), k = sheet.layout.ruling, sheet.layout.type
    if model.minimap is None and not sheet.layout.folded:
        room = sheet.layout.corner.y - 8 - y
    inner = w - 26 * k
    size, button = 13.5 * k, 26.0 * k + 6 if model.again else 0.0
    lines = list(model.ruling)
    heights = [canvas.measure(line, size, "medium", inner)[1] + 3 * k for line, _ in lines]
    while len(lines) > 1 and sum(heights) + 34 * k + button > room:
        lines, heights = lines[:-1], heights[:-1]
    h = sum(heights) + 34 * k + button
    canvas.panel(x, y, w, h, INK)
    canvas.text(x + 13 * k, y + 8 * k, model.caption("last_shot"), 12 * k, MUTED)
    at = y + 26 * k
    for (line, tone), height in zip(lines, heights, strict=True):
        canvas.text(x + 13 * k, at, line, size, TONES[tone], "medium", wrap=inner)
        at += height
    if model.again is None:
        return []
    return [
        draw_button(
            canvas, model.again, x + 9 * k, at + 2, w - 18 * k, 26 * k, sheet.hover, 12.5 * k
        )
    ]


def draw_prompt(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """What is wanted now, in one sentence, and a hint below it."""
    if not model.prompt or model.dialog is not None:
        return []
    layout = sheet.layout
    k = layout.type
    left, right = layout.middle
    middle, widest = (left + right) / 2, right - left
    inner = widest - 34 * k
    # Where there is little room the keys are left to the sheet of keys, a warning is not.
    hint = model.hint if model.warns or not layout.folded else ""
    w1, h1 = canvas.measure(model.prompt, 18 * k, "semibold", inner)
    w2, h2 = canvas.measure(hint, 13.5 * k, wrap=inner) if hint else (0.0, 0.0)
    w, h = max(w1, w2) + 34 * k, h1 + h2 + (18 if hint else 14) * k
    y = actions_top(canvas, model, sheet) - 8 * k - h
    canvas.panel(middle - w / 2, y, w, h, INK)
    canvas.text(middle, y + 7 * k, model.prompt, 18 * k, TEXT, "semibold", "center", wrap=inner)
    if hint:
        tone = GOLD if model.warns else MUTED
        canvas.text(middle, y + 8 * k + h1, hint, 13.5 * k, tone, align="center", wrap=inner)
    return []


def draw_toast(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """A sentence that passes: why something was refused, what has just happened."""
    if not model.toast:
        return []
    (x, y, widest, _), k = sheet.layout.toast, sheet.layout.type
    inner = widest - 44 * k
    w, h = canvas.measure(model.toast, 15 * k, "semibold", inner)
    w, middle = min(w + 46 * k, widest), x + widest / 2
    canvas.box(middle - w / 2, y, w, h + 8 * k, INK_SOLID, 9, EDGE)
    canvas.box(middle - w / 2 + 8 * k, y + 7 * k, 4, h - 6 * k, TONES[model.toast_tone], 2)
    canvas.text(middle + 5, y + 3 * k, model.toast, 15 * k, TEXT, "semibold", "center", wrap=inner)
    return []


def draw_banner(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """Between the columns: the connection is lost, the match is suspended."""
    if not model.banner:
        return []
    layout, k = sheet.layout, sheet.layout.type
    left = layout.ruling.right + layout.margin
    right = sheet.width - left if not layout.folded else layout.power.x - layout.margin
    _, h = canvas.measure(model.banner, 19 * k, "semibold", right - left - 40)
    y = sheet.height * 0.40
    canvas.box(left, y - 16 * k, right - left, h + 32 * k, INK_SOLID, 10)
    canvas.box(left, y - 16 * k, right - left, 2, GOLD, 0)
    canvas.text(
        (left + right) / 2, y, model.banner, 19 * k, TEXT, "semibold", "center",
        wrap=right - left - 40,
    )  # fmt: skip
    return []


SHOWING = (
    Part(
        "scoreboard",
        lambda m: (m.players, m.race, m.balls, m.reds, m.on, m.fouls_limit, m.words),
        draw_scoreboard,
    ),
    Part("link", lambda m: (m.title, m.link, m.link_level), draw_link),
    Part("clock", lambda m: m.clock, draw_clock),
    Part(
        "ruling",
        lambda m: (m.ruling, m.words, m.again, m.minimap is None),
        draw_ruling,
        hovers=True,
    ),
    Part(
        "prompt",
        lambda m: (m.prompt, m.hint, m.warns, m.buttons, m.dialog is None),
        draw_prompt,
    ),
    Part("banner", lambda m: m.banner, draw_banner),
)
ON_TOP = (Part("toast", lambda m: (m.toast, m.toast_tone), draw_toast),)
