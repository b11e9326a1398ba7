"""Two tiles for the cloth: the threads of a worsted weave, and the slow unevenness of use."""

import numpy as np

SIZE = 256
THREADS = 32
"""Threads across the tile."""
SEED = 860


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


def draw_nap() -> np.ndarray:
    """Wear and nap, about a metre across: array (SIZE, SIZE) of uint8, without a seam too."""
    rng = np.random.default_rng(SEED + 1)
    return _grey(_noise(rng, 3) * 0.5 + _noise(rng, 7) * 0.3 + _noise(rng, 17) * 0.2)


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
