"""What things are made of: colours, textures and coats, handed to the shaders."""

from functools import cache
from pathlib import Path

from panda3d.core import (
    Filename,
    LVecBase3f,
    LVecBase4f,
    NodePath,
    SamplerState,
    Texture,
    TexturePool,
)

import assets
from client.scene.quality import Quality
from client.scene.shaders import load_shader

IMAGES = Path(assets.__file__).parent / "images"

CLOTHS = {
    "blue": (0.022, 0.155, 0.300),
    "green": (0.010, 0.170, 0.075),
    "red": (0.260, 0.022, 0.030),
    "grey": (0.085, 0.095, 0.105),
}
"""Linear colours of cloths by name."""


@cache
def load_texture(name: str, smooth: bool = True) -> Texture:
    """A picture of ``assets/images``, repeating, with mipmaps.

    Raises:
        FileNotFoundError: the file is not there, or no picture.
    """
    path = IMAGES / name
    texture = TexturePool.load_texture(str(Filename.from_os_specific(str(path))))
    if texture is None:
        raise FileNotFoundError(f"the picture {path} is missing: python -m assets.make makes it")
    texture.set_wrap_u(SamplerState.WM_repeat)
    texture.set_wrap_v(SamplerState.WM_repeat)
    texture.set_magfilter(SamplerState.FT_linear)
    texture.set_minfilter(
        SamplerState.FT_linear_mipmap_linear if smooth else SamplerState.FT_linear_mipmap_nearest
    )
    return texture


def clothe(node: NodePath, shader: str, quality: Quality) -> NodePath:
    """Give a node the cloth's shader (``bed`` or ``cushion``) and weave."""
    node.set_shader(load_shader(shader, quality.level))
    node.set_shader_input("weave", load_texture("cloth_weave.png"))
    return node


def coat(
    node: NodePath,
    quality: Quality,
    colour: tuple[float, float, float],
    mirror: float = 0.03,
    grazing: float = 0.3,
    grain: float = 0.0,
    bounce: float = 0.0,
    deep: bool = False,
    dull: float = 0.06,
) -> NodePath:
    """Give a node the surface shader.

    Args:
        colour: linear.
        mirror, grazing: how much of the room it mirrors head on, and at a grazing view besides.
        grain: how much of the wood's grain shows, 0 to 1.
        bounce: light thrown back from the cloth.
        deep: it grows dark below the bed.
        dull: metres over which the coat blurs the lamp's edge.
    """
    node.set_shader(load_shader("surface", quality.level))
    node.set_shader_input("grain", load_texture("wood_grain.png"))
    node.set_shader_input("tint", LVecBase4f(*colour, grain))
    node.set_shader_input("coat", LVecBase4f(mirror, grazing, bounce, float(deep)))
    node.set_shader_input("dull", dull)
    return node


def linear(red: int, green: int, blue: int) -> LVecBase3f:
    """A colour given in the usual eight bits, as the linear light that the shaders use."""
    return LVecBase3f(*((c / 255) ** 2.2 for c in (red, green, blue)))
