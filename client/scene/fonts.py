"""The typeface of everything written: Manrope (SIL Open Font License), which has Czech letters.

It comes from the package ``font-manrope``; Panda3D's built-in font lacks ů and misplaces carons.
"""

from functools import cache

import font_manrope
from panda3d.core import Filename, FontPool, TextFont

WEIGHTS = {
    "regular": "Manrope",
    "medium": "ManropeMedium",
    "semibold": "ManropeSemiBold",
    "bold": "ManropeBold",
}
PIXELS_PER_UNIT = 64.0


def font_path(weight: str = "regular") -> str:
    """File of a weight of the typeface.

    Raises:
        ValueError: there is no such weight.
    """
    if weight not in WEIGHTS:
        raise ValueError(f"there is no weight {weight!r}: {', '.join(WEIGHTS)}")
    return str(font_manrope.font_files[WEIGHTS[weight]])


@cache
def load_font(weight: str = "regular") -> TextFont:
    """The typeface in a weight, made ready for Panda3D; every call gives the same object.

    Raises:
        ValueError: there is no such weight.
        RuntimeError: the package's file cannot be read.
    """
    font = FontPool.load_font(str(Filename.from_os_specific(font_path(weight))))
    if font is None or not font.is_valid():
        raise RuntimeError(f"the font file {font_path(weight)} cannot be read")
    font.set_pixels_per_unit(PIXELS_PER_UNIT)
    font.set_page_size(512, 512)
    return font
