"""Colours, sizes and the sharp fonts of everything written on the screen."""

from functools import cache

from panda3d.core import SamplerState, TextFont

from client.scene.balls import COLOURS, YELLOW
from client.scene.balls import RED as RED_BALL
from client.scene.fonts import load_font

Colour = tuple[float, float, float, float]

INK: Colour = (0.055, 0.065, 0.075, 0.84)
INK_SOLID: Colour = (0.065, 0.075, 0.088, 0.965)
RAISED: Colour = (0.135, 0.155, 0.175, 0.95)
HOVER: Colour = (0.20, 0.225, 0.25, 0.97)
TRAY: Colour = (0.27, 0.30, 0.33, 0.95)
SHADE: Colour = (0.0, 0.0, 0.0, 0.38)
EDGE: Colour = (1.0, 1.0, 1.0, 0.13)
TEXT: Colour = (0.955, 0.955, 0.935, 1.0)
MUTED: Colour = (0.70, 0.72, 0.73, 1.0)
FAINT: Colour = (0.50, 0.52, 0.54, 1.0)
GOLD: Colour = (0.965, 0.765, 0.34, 1.0)
ON_GOLD: Colour = (0.10, 0.085, 0.04, 1.0)
RED: Colour = (0.98, 0.46, 0.38, 1.0)
GREEN: Colour = (0.45, 0.86, 0.58, 1.0)


def _bright(colour: tuple[int, int, int]) -> Colour:
    return (colour[0] / 255, colour[1] / 255, colour[2] / 255, 1.0)


BALL_COLOURS: dict[int, Colour] = {ball: _bright(colour) for ball, colour in COLOURS.items()}
"""Colours of the solids; a stripe wears the colour of the ball eight below it."""
REDS: dict[bool, Colour] = {True: _bright(RED_BALL), False: _bright(YELLOW)}
"""Colours of black ball: of the reds (1 to 7) and of the yellows."""


class Look:
    """How colours come to the screen: as they are, or with high contrast."""

    contrast = False


LOOK = Look()


@cache
def contrasted(colour: Colour) -> Colour:
    """A colour for high contrast: dark areas become black and solid, greys white, rims bright."""
    r, g, b, a = colour
    light = 0.2126 * r + 0.7152 * g + 0.0722 * b
    grey = max(r, g, b) - min(r, g, b) < 0.06
    if light < 0.30 and a > 0.5:
        return (0.0, 0.0, 0.0, 1.0)
    if grey and a > 0.5:
        return (1.0, 1.0, 1.0, 1.0)
    return (r, g, b, min(max(a * 4.0, 0.55), 1.0)) if grey and light > 0.5 and a > 0.1 else colour


def seen(colour: Colour) -> Colour:
    """A colour as it is drawn."""
    return contrasted(colour) if LOOK.contrast else colour


@cache
def sharp_font(weight: str, pixels: int) -> TextFont:
    """The typeface rendered for one height in pixels, so that small print is crisp."""
    font = load_font(weight).make_copy()
    font.set_pixels_per_unit(pixels)
    font.set_page_size(512, 256)
    font.set_minfilter(SamplerState.FT_linear)
    font.set_magfilter(SamplerState.FT_linear)
    return font
