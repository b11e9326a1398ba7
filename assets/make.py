"""Makes every picture of this package again: ``python -m assets.make``. Needs Pillow.

The scripts draw by formula and fixed seeds, so the same pixels come out everywhere. The files are
committed; the program itself only reads them.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from assets import ball_numbers, cloth_weave, wood_grain

IMAGES = Path(__file__).parent / "images"

PICTURES: dict[str, Callable[[], np.ndarray]] = {
    "ball_numbers.png": ball_numbers.draw,
    "cloth_nap.png": cloth_weave.draw_nap,
    "cloth_weave.png": cloth_weave.draw_weave,
    "wood_grain.png": wood_grain.draw,
}


def main() -> None:
    """Draw all pictures into ``assets/images``."""
    IMAGES.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        Image.fromarray(draw()).save(IMAGES / name, optimize=True)
        print(f"assets/images/{name}")


if __name__ == "__main__":
    main()
