"""The cloth: a tile of the threads of a worsted weave, and a picture of a bed that is used."""

import numpy as np

SIZE = 256
THREADS = 32
"""Threads across the tile."""
SEED = 860
WEAR = 512
"""Rows of the picture of a used bed."""


def draw_weave() -> np.ndarray:
    """The threads: array (SIZE, SIZE) of uint8 that repeats without a seam."""
    rng = np.random.default_rng(SEED)
    axis = np.arange(SIZE) / SIZE
    x, y = np.meshgrid(axis, axis)
    # Plain weave: warp and weft cross, one over the other by turns.
    warp = np.abs(np.sin(np.pi * THREADS * x))
    weft = np.abs(np.sin(np.pi * THREADS * y))
    over = np.where((np.floor(THREADS * x) + np.floor(THREADS * y)) % 2 == 0, warp, weft)
    fibre = _noise(rng, 96) * 0.6 + _noise(rng, 40) * 0.4
    return _grey(0.36 + 0.20 * over + 0.20 * (fibre - 0.5))


def draw_wear() -> np.ndarray:
    """A bed from head to foot: array (WEAR, 2 WEAR) of uint8, half white where nothing is.

    Nap and unevenness; the rack's outline and the dent of the head ball, pale from many breaks; the
    lane that break shots roll along, and the pale specks where they land; chalk dust where players
    bridge; a darker edge where dust lies at the cushions.
    """
    rng = np.random.default_rng(SEED + 1)
    u = (np.arange(2 * WEAR) + 0.5) / (2 * WEAR)
    v = (np.arange(WEAR) + 0.5) / WEAR
    # Metres on a 9-ft bed; row 0 is the top of the picture, the renderer counts from below.
    x, y = np.meshgrid((u - 0.5) * 2.54, (0.5 - v) * 1.27)
    nap = sum(
        weight * _noise(rng, cells)[::step, :]
        for cells, weight, step in ((5, 0.5, 2), (13, 0.3, 2), (37, 0.2, 2))
    )
    tone = 0.5 + 0.16 * (np.tile(nap, (WEAR * 2 // SIZE, 2 * WEAR // SIZE)) - 0.5)
    tone += 0.030 * _lane(x, y, (-0.635, 0.0), (0.60, 0.0), 0.055)
    for spot in ((0.635, 0.0), (-0.635, 0.0)):
        tone += 0.20 * np.exp(-((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / 0.006**2)
    side, height = 0.0578 * 5, 0.0578 * 5 * 0.866
    apex, left, right = (0.60, 0.0), (0.60 + height, side / 2), (0.60 + height, -side / 2)
    for a, b in ((apex, left), (left, right), (right, apex)):
        tone += 0.028 * _lane(x, y, a, b, 0.006)
    for _ in range(46):  # specks of chalk, and burns where a struck ball skids
        at_head = rng.random() < 0.7
        cx = rng.uniform(-1.05, -0.35) if at_head else rng.uniform(-0.3, 1.15)
        cy = rng.uniform(-0.5, 0.5)
        size = rng.uniform(0.0025, 0.0055)
        tone += rng.uniform(0.05, 0.16) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / size**2)
    for _ in range(14):  # dust wiped by a hand
        cx, cy, turn = rng.uniform(-1.15, -0.5), rng.uniform(-0.5, 0.5), rng.uniform(0, np.pi)
        along = (x - cx) * np.cos(turn) + (y - cy) * np.sin(turn)
        across = (y - cy) * np.cos(turn) - (x - cx) * np.sin(turn)
        tone += 0.035 * np.exp(-((along / 0.055) ** 2) - (across / 0.018) ** 2)
    edge = np.minimum(1.27 - np.abs(x), 0.635 - np.abs(y))
    tone -= 0.05 * np.exp(-np.maximum(edge, 0.0) / 0.03)
    return _grey(tone)


def _lane(
    x: np.ndarray,
    y: np.ndarray,
    start: tuple[float, float],
    end: tuple[float, float],
    width: float,
) -> np.ndarray:
    """1 on a straight way between two places, fading across it over ``width`` metres."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    part = np.clip(((x - start[0]) * dx + (y - start[1]) * dy) / (dx * dx + dy * dy), 0, 1)
    away = (x - start[0] - part * dx) ** 2 + (y - start[1] - part * dy) ** 2
    faded: np.ndarray = np.exp(-away / width**2)
    return faded


def _grey(share: np.ndarray) -> np.ndarray:
    """Shares of white as bytes."""
    return np.clip(np.rint(share * 255), 0, 255).astype(np.uint8)


def _noise(rng: np.random.Generator, cells: int) -> np.ndarray:
    """Smooth noise from 0 to 1 with ``cells`` bumps across, repeating at the edges."""
    lattice = rng.random((cells, cells))
    at = np.arange(SIZE) * cells / SIZE
    low = at.astype(int) % cells
    part = at - np.floor(at)
    part = part * part * (3 - 2 * part)
    high = (low + 1) % cells
    top = lattice[low][:, low] * (1 - part) + lattice[low][:, high] * part
    bottom = lattice[high][:, low] * (1 - part) + lattice[high][:, high] * part
    return top * (1 - part[:, None]) + bottom * part[:, None]
