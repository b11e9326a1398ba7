"""The digits on the balls: one picture of signed distances, sixteen cells, cell n for number n.

Digits are strokes (lines and arcs) drawn by formula, so no typeface is involved. A pixel holds
0.5 + distance / (2 * RANGE) to the edge of the ink, positive inside; a shader turns that into a
crisp digit at any size. Six and nine are underlined, as on real balls.
"""

import numpy as np

CELL = 96
RANGE = 0.38
"""Distance, in half cells, at which the picture is full black or white."""
STROKE = 0.085
"""Half the width of a stroke, in half cells."""

Arc = tuple[float, float, float, float, float, float]
Line = tuple[float, float, float, float]

# In a box one unit high (y from -0.5 to 0.5), ink centre lines. An arc is centre, half axes and
# the angles in degrees from which and to which it runs, counter-clockwise.
ARCS: dict[str, tuple[Arc, ...]] = {
    "0": ((0.0, 0.0, 0.27, 0.5, 0, 360),),
    "2": ((0.0, 0.23, 0.27, 0.27, -28, 172),),
    "3": ((0.0, 0.245, 0.25, 0.255, -90, 160), (0.0, -0.245, 0.28, 0.255, -160, 90)),
    "5": ((-0.01, -0.19, 0.29, 0.31, -150, 128),),
    "6": ((0.0, -0.21, 0.275, 0.29, 0, 360), (0.33, -0.16, 0.60, 0.68, 112, 178)),
    "8": ((0.0, 0.255, 0.235, 0.245, 0, 360), (0.0, -0.245, 0.28, 0.255, 0, 360)),
    "9": ((0.0, 0.21, 0.275, 0.29, 0, 360), (-0.33, 0.16, 0.60, 0.68, -68, -2)),
}
LINES: dict[str, tuple[Line, ...]] = {
    "1": ((0.06, -0.5, 0.06, 0.5), (0.06, 0.5, -0.17, 0.30)),
    "2": ((0.238, 0.103, -0.28, -0.5), (-0.28, -0.5, 0.29, -0.5)),
    "4": ((0.13, -0.5, 0.13, 0.5), (0.13, 0.5, -0.32, -0.2), (-0.32, -0.2, 0.32, -0.2)),
    "5": ((0.24, 0.5, -0.19, 0.5), (-0.19, 0.5, -0.225, 0.05)),
    "7": ((-0.28, 0.5, 0.28, 0.5), (0.28, 0.5, -0.09, -0.5)),
}
UNDERLINED = (6, 9)


def draw() -> np.ndarray:
    """The picture: array (4 cells, 4 cells) of uint8; row 0 is the top of the image."""
    sheet = np.zeros((4 * CELL, 4 * CELL), np.uint8)
    for number in range(1, 16):
        row, column = divmod(number, 4)
        top = (3 - row) * CELL  # the renderer counts rows from below
        sheet[top : top + CELL, column * CELL : (column + 1) * CELL] = _cell(number)
    return sheet


def _cell(number: int) -> np.ndarray:
    """One number, centred in its cell."""
    axis = (np.arange(CELL) + 0.5) / CELL * 2 - 1
    x, y = np.meshgrid(axis, -axis)
    digits = str(number)
    height = 0.98 if len(digits) == 1 else 0.80
    pitch = 0.60 if "1" in digits[1:] else 0.68
    lift = 0.10 if number in UNDERLINED else 0.0
    distance = np.full_like(x, np.inf)
    for place, digit in enumerate(digits):
        shift = (place - (len(digits) - 1) / 2) * pitch
        if len(digits) == 2 and place == 0:
            shift += 0.06
        u, v = (x - shift) / height, (y - lift) / height
        distance = np.minimum(distance, _digit(digit, u, v) * height)
    if number in UNDERLINED:
        distance = np.minimum(distance, _line((-0.26, -0.66, 0.26, -0.66), x, y))
    inside = STROKE - distance
    return np.clip(np.rint((0.5 + inside / (2 * RANGE)) * 255), 0, 255).astype(np.uint8)


def _digit(digit: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Distance to a digit's centre lines, in units of its height."""
    parts = [_arc(a, x, y) for a in ARCS.get(digit, ())]
    parts += [_line(a, x, y) for a in LINES.get(digit, ())]
    return np.minimum.reduce(parts)


def _line(line: Line, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Distance to a segment."""
    x0, y0, x1, y1 = line
    dx, dy = x1 - x0, y1 - y0
    along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
    return np.hypot(x - x0 - along * dx, y - y0 - along * dy)


def _arc(arc: Arc, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Distance to a piece of an ellipse, through short segments."""
    cx, cy, rx, ry, start, stop = arc
    angles = np.radians(np.linspace(start, stop, 49))
    px, py = cx + rx * np.cos(angles), cy + ry * np.sin(angles)
    best = np.full_like(x, np.inf)
    for i in range(len(px) - 1):
        best = np.minimum(best, _line((px[i], py[i], px[i + 1], py[i + 1]), x, y))
    return best
