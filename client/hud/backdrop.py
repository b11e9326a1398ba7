"""What the start page has at its foot where its columns leave room: a rack on the cloth."""

import math

from client.hud.canvas import Canvas
from client.hud.theme import LOOK, Colour

CLOTH: Colour = (0.035, 0.200, 0.300, 1.0)
LIGHT: Colour = (0.055, 0.290, 0.420, 1.0)
RAIL: Colour = (0.180, 0.100, 0.058, 1.0)
RAIL_EDGE: Colour = (0.115, 0.062, 0.036, 1.0)
SIGHT: Colour = (0.86, 0.82, 0.72, 1.0)
SHADOW: Colour = (0.0, 0.0, 0.0, 0.28)
LEAST_ROOM = 150.0
RACK = (1, 9, 2, 10, 8, 3, 11, 7, 14, 4, 5, 13, 15, 6, 12)
"""From the foot spot back, row by row: the eight in the middle."""
BANDS = 120


def draw_backdrop(canvas: Canvas, w: float, h: float, top: float) -> None:
    """The end of a table from above, from ``top`` to the foot of a page of that size."""
    room = h - top
    if room < LEAST_ROOM or LOOK.contrast:
        return
    rail = 0.15 * room
    radius = min(0.078 * (room - rail), 18.0)
    bed = top + rail
    canvas.box(-4, top, w + 8, rail, RAIL, 0)
    canvas.box(-4, bed - 0.22 * rail, w + 8, 0.22 * rail, RAIL_EDGE, 0)
    for k in range(BANDS):  # brighter in the middle, where the lamp hangs
        share = math.sin(math.pi * (k + 0.5) / BANDS)
        mixed = tuple(a + (b - a) * share for a, b in zip(CLOTH, LIGHT, strict=True))
        width = (w + 8) / BANDS
        canvas.box(-4 + k * width, bed, width + 1, h + 8 - bed, mixed, 0)  # type: ignore[arg-type]
    for k in range(1, 8):
        x, y, d = k * w / 8, top + 0.4 * rail, min(0.12 * rail, 3.2)
        canvas.polygon([(x, y - d), (x + d, y), (x, y + d), (x - d, y)], SIGHT)
    middle, step = bed + (h - bed) / 2, math.sqrt(3.0) * radius
    spot = 0.66 * w
    balls = iter(RACK)
    for row in range(5):
        for place in range(row + 1):
            y = middle + (2 * place - row) * radius
            _ball(canvas, spot + row * step, y, radius, next(balls))
    _ball(canvas, 0.22 * w, middle, radius, 0)


def _ball(canvas: Canvas, x: float, y: float, radius: float, number: int) -> None:
    canvas.disc(x + 0.16 * radius, y + 0.22 * radius, radius, SHADOW)
    canvas.ball(x, y, radius, number)
