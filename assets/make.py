"""Makes every picture and every sound of this package again: ``python -m assets.make``.

The pictures need Pillow.  The scripts go by formula and fixed seeds, so the same comes out
everywhere.  The files are committed; the program itself only reads them.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from assets import ball_numbers, cloth_weave, signal_sounds, synthesis, table_sounds, wood_grain

IMAGES = Path(__file__).parent / "images"
SOUND_FILES = Path(__file__).parent / "sounds"

PICTURES: dict[str, Callable[[], np.ndarray]] = {
    "ball_numbers.png": ball_numbers.draw,
    "cloth_wear.png": cloth_weave.draw_wear,
    "cloth_weave.png": cloth_weave.draw_weave,
    "wood_grain.png": wood_grain.draw,
}
SOUNDS: dict[str, Callable[[], np.ndarray]] = {
    f"{name}.wav": make for name, make in (table_sounds.SOUNDS | signal_sounds.SOUNDS).items()
}


def main() -> None:
    """Draw all pictures into ``assets/images``, and write all sounds into ``assets/sounds``."""
    from PIL import Image

    IMAGES.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        Image.fromarray(draw()).save(IMAGES / name, optimize=True)
        print(f"assets/images/{name}")
    SOUND_FILES.mkdir(exist_ok=True)
    for name, make in SOUNDS.items():
        synthesis.write(SOUND_FILES / name, make())
        print(f"assets/sounds/{name}")


if __name__ == "__main__":
    main()
