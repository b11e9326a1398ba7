"""The parts of the HUD that are dragged: power, the tip on the ball, the elevation of the cue."""

import math

from client.hud.buttons import draw_actions, draw_corner
from client.hud.canvas import Canvas
from client.hud.model import HudModel, Raised
from client.hud.part import Hit, Part, Sheet
from client.hud.theme import EDGE, GOLD, GREEN, INK, MUTED, RED, TEXT, Colour

MOST_DEG = 85.0


def power_scale(sheet: Sheet) -> tuple[float, float, float, float]:
    """Place of the power bar's scale: x, y, width, height."""
    x, y, w, h = sheet.layout.power
    top, foot = (30, 10) if sheet.layout.folded else (42, 14)
    scale_w = 18.0 if sheet.layout.folded else 26.0
    return x + (w - scale_w) / 2, y + top, scale_w, h - top - foot


def draw_power(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """The power bar: cue speed, dragged or by keys."""
    power = model.power
    if power is None:
        return []
    left, top, wide, high = sheet.layout.power
    x, y, w, h = power_scale(sheet)
    canvas.panel(left, top, wide, high, INK)
    speed = f"{power.speed:.1f}" if power.speed >= 1 else f"{power.speed:.2f}"
    k = sheet.layout.type
    middle = left + wide / 2
    canvas.text(middle, top + 4 * k, speed, 16 * k, TEXT, "bold", "center")
    canvas.text(middle, top + 21 * k, "m/s", 10.5 * k, MUTED, align="center")
    canvas.box(x, y, w, h, (1, 1, 1, 0.09), 5, EDGE)
    fill = h * power.share
    if fill > 3:
        canvas.box(x + 2, y + h - fill, w - 4, fill - 2, _heat(power.share), 4)
    for k5 in range(1, 5):
        canvas.box(x + w - 8, y + h * k5 / 5, 8, 1, (1, 1, 1, 0.35), 0)
    canvas.box(x - 5, y + h - fill - 2.5, w + 10, 5, TEXT, 2.5)
    return [Hit(left, y - 10, wide, h + 20, "power", drags=True)]


def _heat(share: float) -> Colour:
    """Green through gold to red."""
    low, high = ((GREEN, GOLD), (GOLD, RED))[share > 0.5]
    t = (share * 2) % 1.0 if share < 1.0 else 1.0
    return tuple(a + (b - a) * t for a, b in zip(low, high, strict=True))  # type: ignore[return-value]


def tip_centre(sheet: Sheet) -> tuple[float, float]:
    """Middle of the magnified cue ball."""
    x, y, w, _ = sheet.layout.tip
    return x + w / 2, y + (20 if sheet.layout.folded else 42) + sheet.layout.tip_radius


def draw_tip(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """The magnified cue ball, the tip's place on it and the miscue limit."""
    ball = model.tip
    if ball is None:
        return []
    (left, top, w, h), r, k = sheet.layout.tip, sheet.layout.tip_radius, sheet.layout.type
    cx, cy = tip_centre(sheet)
    canvas.panel(left, top, w, h, INK)
    canvas.text(
        left + w / 2, top + 5, model.caption("tip"), 12 * k, MUTED, align="center", fit=w - 8
    )
    canvas.disc(cx, cy, r, (0.93, 0.915, 0.87, 1))
    canvas.disc(cx - 0.28 * r, cy - 0.31 * r, r * 0.55, (1, 1, 1, 0.16))
    for dx, dy in ((r, 0.0), (0.0, r)):
        canvas.line([(cx - dx, cy - dy), (cx + dx, cy + dy)], (0, 0, 0, 0.16), 1.0)
    canvas.ring(cx, cy, r * ball.limit, (0.75, 0.12, 0.10, 0.9), 1.8, dashed=True)
    a, b = ball.tip
    shade = (0.86, 0.15, 0.12, 1.0) if ball.miscue else (0.13, 0.36, 0.72, 1.0)
    # A 12.5 mm tip on a 57 mm ball covers about 0.16 radii to each side of where it touches.
    canvas.disc(cx + a * r, cy - b * r, r * 0.16, shade)
    canvas.disc(cx + a * r, cy - b * r, 2.0, TEXT)
    text = model.caption("miscue") if ball.miscue else model.aim
    tone, size, inner = RED if ball.miscue else TEXT, 13 * k, w - 12
    height = canvas.measure(text, size, "semibold", inner)[1]
    room = top + h - (cy + r)
    canvas.text(
        left + w / 2, cy + r + (room - height) / 2, text, size, tone, "semibold", "center",
        wrap=inner,
    )  # fmt: skip
    return [Hit(cx - r, cy - r, 2 * r, 2 * r, "tip", drags=True)]


def raised_ball(sheet: Sheet) -> tuple[float, float, float]:
    """The ball of the side view: its middle and its radius."""
    x, y, _, h = sheet.layout.side
    r = 9.0 if sheet.layout.folded else 13.0
    return x + 3.4 * r, y + h - r - 5, r


def draw_side(canvas: Canvas, model: HudModel, sheet: Sheet) -> list[Hit]:
    """The cue from the side: how far its butt is raised, the least that is possible and why."""
    raised = model.raised
    if raised is None:
        return []
    (x, y, w, h), k = sheet.layout.side, sheet.layout.type
    bx, by, r = raised_ball(sheet)
    canvas.panel(x, y, w, h, INK)
    canvas.box(x + 6, by + r, w - 12, 2, (0.35, 0.62, 0.75, 0.9), 0)
    reach, headroom = x + w - 8 - bx, by - (y + 38 * k)
    if raised.least_deg > 0.0:
        _blocked(canvas, raised, (bx, by, r), reach)
    canvas.disc(bx, by, r, (0.93, 0.915, 0.87, 1))
    _cue(canvas, raised, (bx, by, r), reach, headroom)
    canvas.text(x + 8, y + 4, raised.words, 12.5 * k, TEXT, "semibold", fit=w - 16)
    if raised.over:
        canvas.text(
            x + w - 8, y + 4 + 15.5 * k, raised.over, 11 * k, GOLD, align="right", fit=w - 16
        )
    return [Hit(x, y, w, h, "elevation", drags=True)]


def _cue(
    canvas: Canvas, raised: Raised, ball: tuple[float, float, float], reach: float, headroom: float
) -> None:
    """The stick, as long as it has room aside and above."""
    bx, by, r = ball
    t = math.radians(raised.elevation_deg)
    c, s = math.cos(t), math.sin(t)
    off = raised.tip_up * r
    depth = math.sqrt(max(r * r - off * off, 0.0))
    along, up = depth * c - off * s, depth * s + off * c
    px, py = bx + along, by - up
    length = min((reach - along) / max(c, 1e-3), (headroom - up) / max(s, 1e-3))
    half = (1.6, 3.2)
    ex, ey = px + length * c, py - length * s
    canvas.polygon(
        [
            (px - half[0] * s, py - half[0] * c),
            (ex - half[1] * s, ey - half[1] * c),
            (ex + half[1] * s, ey + half[1] * c),
            (px + half[0] * s, py + half[0] * c),
        ],
        (0.86, 0.68, 0.42, 1.0),
    )
    canvas.disc(px, py, 2.2, (0.2, 0.45, 0.75, 1.0))


def _blocked(
    canvas: Canvas, raised: Raised, ball: tuple[float, float, float], reach: float
) -> None:
    """The angles that are not to be had, and what stands there."""
    bx, by, r = ball
    t = math.radians(raised.least_deg)
    size = min(reach, 62.0)
    steps = [t * n / 8 for n in range(9)]
    arc = [(bx + size * math.cos(a), by - size * math.sin(a)) for a in steps]
    canvas.polygon([*reversed(arc), (bx, by)], (0.98, 0.46, 0.38, 0.22))
    canvas.line([(bx, by), arc[-1]], RED, 1.4)
    if raised.obstacle == "rail":
        canvas.box(bx + size - 8, by - 0.6 * r, 20, 1.6 * r, (0.45, 0.27, 0.15, 1.0), 2)
        canvas.polygon(
            [(bx + size - 14, by - 0.5 * r), (bx + size - 8, by - 0.6 * r),
             (bx + size - 8, by + 0.5 * r)],
            (0.16, 0.42, 0.58, 1.0),
        )  # fmt: skip
    elif raised.obstacle is not None:
        canvas.ball(bx + 2.3 * r, by, r, raised.obstacle, reds=raised.reds)


CONTROLS = (
    Part("actions", lambda m: (m.buttons, m.dialog is None), draw_actions, hovers=True),
    Part("corner", lambda m: m.corner, draw_corner, hovers=True),
    Part("power", lambda m: m.power, draw_power),
    Part("tip", lambda m: (m.tip, m.aim, m.words), draw_tip),
    Part("side", lambda m: m.raised, draw_side),
)
