"""What people without one of the three cones see: for tests of what colours tell apart.

Machado, Oliveira and Fernandes, A physiologically-based model for simulation of color vision
deficiency, IEEE TVCG 15 (2009), table 1 at severity 1.0; the matrices are for linear light.
"""

import math
from typing import Literal

import numpy as np

Sight = Literal["usual", "protanopia", "deuteranopia", "tritanopia"]
SIGHTS: tuple[Sight, ...] = ("usual", "protanopia", "deuteranopia", "tritanopia")

_MACHADO: dict[str, np.ndarray] = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
         [0.004733, 0.691367, 0.303900]]
    ),
}  # fmt: skip
# sRGB to XYZ under D65 (IEC 61966-2-1), over the white point: rows add up to 1.
_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
     [0.0193339, 0.1191920, 0.9503041]]
) / np.array([[0.95047], [1.0], [1.08883]])  # fmt: skip


def to_linear(srgb: np.ndarray) -> np.ndarray:
    """Linear light of eight-bit sRGB values, 0 to 1; any shape."""
    part = np.asarray(srgb, float) / 255.0
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def to_srgb(light: np.ndarray) -> np.ndarray:
    """Eight-bit sRGB values of linear light, any shape; what is out of range is cut."""
    part = np.clip(light, 0.0, 1.0)
    coded = np.where(part <= 0.0031308, 12.92 * part, 1.055 * part ** (1 / 2.4) - 0.055)
    return np.rint(255.0 * coded).astype(np.uint8)


def seen(srgb: np.ndarray, sight: Sight) -> np.ndarray:
    """How eight-bit sRGB colours, of shape (..., 3), look to somebody."""
    return to_srgb(to_linear(srgb) @ _MACHADO[sight].T)


def lab(srgb: np.ndarray) -> np.ndarray:
    """CIE L*a*b* of eight-bit sRGB colours, of shape (..., 3)."""
    xyz = to_linear(srgb) @ _TO_XYZ.T
    cut = (6 / 29) ** 3
    f = np.where(xyz > cut, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack(
        [116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])],
        axis=-1,
    )


def apart(one: tuple[int, int, int], other: tuple[int, int, int], sight: Sight) -> float:
    """Distance of two colours to somebody: CIE 1976 delta E; 2.3 is just noticed."""
    first, second = (lab(seen(np.array(c), sight)) for c in (one, other))
    return math.dist(first, second)
