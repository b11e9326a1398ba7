"""What things are made of: colours, textures and coats, handed to the shaders."""

from functools import cache
from pathlib import Path

from panda3d.core import (
    ColorBlendAttrib,
    Filename,
    LVecBase3f,
    LVecBase4f,
    NodePath,
    OmniBoundingVolume,
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
def load_texture(name: str) -> Texture:
    """A picture of ``assets/images``, repeating, with mipmaps.

    Raises:
        FileNotFoundError: the file is not there, or no picture.
    """
    path = IMAGES / name
    texture = TexturePool.load_texture(str(Filename.from_os_specific(str(path))))
    if texture is None:
        raise FileNotFoundError(f"the picture {path} is missing: python -m assets.make makes it")
    texture.set_minfilter(SamplerState.FT_linear_mipmap_linear)
    return texture


def give_texture(node: NodePath, uniform: str, name: str, quality: Quality) -> None:
    """Hand a picture to a node's shader, filtered as the tier can afford.

    Drawn in software, blending two mipmaps costs a third of the cloth's time.
    """
    sampler = SamplerState()
    sampler.set_wrap_u(SamplerState.WM_repeat)
    sampler.set_wrap_v(SamplerState.WM_repeat)
    sampler.set_magfilter(SamplerState.FT_linear)
    sampler.set_minfilter(
        SamplerState.FT_linear_mipmap_linear
        if quality.level > 1
        else SamplerState.FT_linear_mipmap_nearest
    )
    node.set_shader_input(uniform, load_texture(name), sampler)


def clothe(node: NodePath, shader: str, quality: Quality) -> NodePath:
    """Give a node the cloth's shader (``bed`` or ``cushion``), weave and wear."""
    node.set_shader(load_shader(shader, quality.level))
    give_texture(node, "weave", "cloth_weave.png", quality)
    give_texture(node, "wear", "cloth_wear.png", quality)
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
    give_texture(node, "grain", "wood_grain.png", quality)
    node.set_shader_input("tint", LVecBase4f(*colour, grain))
    node.set_shader_input("coat", LVecBase4f(mirror, grazing, bounce, float(deep)))
    node.set_shader_input("dull", dull)
    return node


def shade_blended(node: NodePath, shader: str, quality: Quality) -> NodePath:
    """Multiply what a shader gives into the picture of the bed, wherever the node lies."""
    node.set_shader(load_shader(shader, quality.level))
    node.set_attrib(
        ColorBlendAttrib.make(
            ColorBlendAttrib.M_add, ColorBlendAttrib.O_zero, ColorBlendAttrib.O_incoming_color
        )
    )
    node.set_depth_write(False)
    node.set_depth_offset(1)
    node.set_bin("transparent", -10)
    # The shader places it: what its own points say of its extent means nothing.
    node.node().set_bounds(OmniBoundingVolume())
    node.node().set_final(True)
    return node


def linear(red: int, green: int, blue: int) -> LVecBase3f:
    """A colour given in the usual eight bits, as the linear light that the shaders use."""
    return LVecBase3f(*((c / 255) ** 2.2 for c in (red, green, blue)))
