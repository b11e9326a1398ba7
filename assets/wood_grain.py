"""The wood of the rails: a tile of walnut, grain along u, that repeats without a seam."""

import numpy as np

WIDTH, HEIGHT = 512, 128
SEED = 1907
DARK = np.array([0.150, 0.095, 0.066])
LIGHT = np.array([0.47, 0.315, 0.215])


def draw() -> np.ndarray:
    """The tile: array (HEIGHT, WIDTH, 3) of uint8."""
    rng = np.random.default_rng(SEED)
    u = np.arange(WIDTH) / WIDTH
    v = np.arange(HEIGHT) / HEIGHT
    uu, vv = np.meshgrid(u, v)
    bend = np.zeros_like(uu)
    for k in range(1, 5):
        phase, turn = rng.random(2) * 2 * np.pi
        bend += 0.055 / k * np.sin(2 * np.pi * k * uu + phase + 2 * np.pi * vv + turn)
    rings = np.zeros_like(uu)
    for cycles, weight in ((3, 0.5), (8, 0.3), (19, 0.2)):
        phase = rng.random() * 2 * np.pi
        rings += weight * np.sin(2 * np.pi * cycles * (vv + bend) + phase)
    fine = _streaks(rng, 128, 12) * 0.6 + _streaks(rng, 64, 30) * 0.4
    tone = np.clip(0.45 + 0.26 * rings + 0.42 * (fine - 0.5), 0, 1)[..., None]
    pores = (_streaks(rng, 128, 60) > 0.83)[..., None] * 0.10
    colour = DARK * (1 - tone) + LIGHT * tone - pores * LIGHT
    return np.clip(np.rint(colour * 255), 0, 255).astype(np.uint8)


def _streaks(rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    """Noise drawn out along the grain, from 0 to 1."""
    lattice = rng.random((rows, columns))
    at = np.arange(WIDTH) * columns / WIDTH
    low = at.astype(int) % columns
    part = at - np.floor(at)
    part = part * part * (3 - 2 * part)
    across = (np.arange(HEIGHT) * rows // HEIGHT) % rows
    first, second = lattice[across][:, low], lattice[across][:, (low + 1) % columns]
    return first * (1 - part) + second * part
