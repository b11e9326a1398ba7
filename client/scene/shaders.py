"""Loading the GLSL 3.30 programs of this folder: includes, quality tier, one build of each."""

from functools import cache
from pathlib import Path

from panda3d.core import Shader

FOLDER = Path(__file__).parent / "shaders"


@cache
def load_shader(name: str, level: int) -> Shader:
    """The program ``name`` (its ``.frag`` and ``.vert``, or ``solid.vert``) for a quality level.

    Raises:
        FileNotFoundError: the folder has no such program.
        RuntimeError: the program could not be made.
    """
    own = f"{name}.vert"
    vertex = own if (FOLDER / own).exists() else "solid.vert"
    shader = Shader.make(Shader.SL_GLSL, _source(vertex, level), _source(f"{name}.frag", level))
    if shader is None or shader.get_error_flag():
        raise RuntimeError(f"the shader {name} could not be made")
    return shader


def _source(filename: str, level: int) -> str:
    """A file with its ``#include "..."`` lines replaced by those files."""
    lines = ["#version 330", f"#define QUALITY {level}"]
    for line in (FOLDER / filename).read_text(encoding="utf-8").splitlines():
        if line.startswith("#include"):
            lines.append((FOLDER / line.split('"')[1]).read_text(encoding="utf-8"))
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"
