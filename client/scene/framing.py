"""Fitting a table into the part of a window that panels leave clear: where the eye has to be."""

import math
from dataclasses import dataclass

Vec3 = tuple[float, float, float]
ROUNDS = 24


@dataclass(frozen=True)
class View:
    """Where an eye is, what it looks at (m, table frame), and its vertical field of view."""

    eye: Vec3
    target: Vec3
    fov_deg: float
    up: Vec3 = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Clear:
    """The clear part of a window, -1 to 1 both ways."""

    left: float
    right: float
    bottom: float
    top: float


def fit(corners: tuple[Vec3, ...], way: Vec3, fov_deg: float, aspect: float, clear: Clear) -> View:
    """The view along ``way`` (a unit vector) from as near as shows all corners in the clear part.

    Eye and target are moved together, so that the corners' extent lies in its middle.
    """
    right, up = _across(way)
    tan = math.tan(math.radians(fov_deg / 2))
    middle: Vec3 = (0.0, 0.0, 0.0)
    distance = 4.0
    for _ in range(ROUNDS):
        seen = [_project(corner, middle, way, right, up, distance) for corner in corners]
        low_x, high_x = min(p[0] for p in seen), max(p[0] for p in seen)
        low_y, high_y = min(p[1] for p in seen), max(p[1] for p in seen)
        wide, tall = tan * aspect, tan
        # Move sideways until the extent is in the middle, then nearer or farther to fill it.
        aside = distance * ((low_x + high_x) - wide * (clear.left + clear.right)) / 2
        above = distance * ((low_y + high_y) - tall * (clear.bottom + clear.top)) / 2
        middle = _sum(middle, right, aside, up, above)
        fill = max(
            (high_x - low_x) / (wide * (clear.right - clear.left)),
            (high_y - low_y) / (tall * (clear.top - clear.bottom)),
        )
        distance = min(max(distance * (0.5 + 0.5 * fill), 0.3), 12.0)
    eye = _sum(middle, way, -distance, up, 0.0)
    return View(eye, middle, fov_deg)


def _across(way: Vec3) -> tuple[Vec3, Vec3]:
    """Unit vectors to the right of a level-headed look along ``way``, and upwards across it."""
    x, y, z = way
    flat = math.hypot(x, y)
    right = (y / flat, -x / flat, 0.0)
    return right, (-x * z / flat, -y * z / flat, flat)


def _project(
    point: Vec3, middle: Vec3, way: Vec3, right: Vec3, up: Vec3, distance: float
) -> tuple[float, float]:
    """Tangents of the angles at which a point is seen, to the right and upwards."""
    away = tuple(p - m for p, m in zip(point, middle, strict=True))
    depth = max(distance + _dot(away, way), 0.05)
    return _dot(away, right) / depth, _dot(away, up) / depth


def _dot(a: tuple[float, ...], b: Vec3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _sum(start: Vec3, a: Vec3, along_a: float, b: Vec3, along_b: float) -> Vec3:
    x, y, z = (s + along_a * p + along_b * q for s, p, q in zip(start, a, b, strict=True))
    return x, y, z
