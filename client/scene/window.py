"""Opening the one Panda3D window of a process, on screen or off-screen, and reading its pixels.

Panda3D allows one ``ShowBase`` a process. :func:`open_window` therefore keeps the one that it
opened: asking again gives the same, resized. Off-screen windows need no display: on Linux they
go through EGL (``p3headlessgl``), which Mesa serves in software where there is no graphics card.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from direct.showbase.ShowBase import ShowBase
from panda3d.core import (
    Filename,
    GraphicsPipeSelection,
    PNMImage,
    WindowProperties,
    load_prc_file_data,
)

LEAST_GLSL = (3, 30)


class NoRenderer(RuntimeError):
    """No usable OpenGL renderer; the message is a sentence for the user and names the remedy."""


@dataclass(frozen=True)
class WindowOptions:
    """What window is wanted.

    Attributes:
        size: width and height in pixels.
        offscreen: draw into memory, without a display.
        title: of the window.
        samples: samples a pixel against jagged edges, on screen; 0 for none. Off-screen, Mesa
            reads one of them back: draw larger and let ``screenshot`` shrink it.
        vsync: wait for the screen's refresh.
        fullscreen: take the whole screen.
        sound: open the sound device; off-screen windows are silent.
    """

    size: tuple[int, int] = (1280, 720)
    offscreen: bool = False
    title: str = "Headstring"
    samples: int = 0
    vsync: bool = True
    fullscreen: bool = False
    sound: bool = True


@dataclass
class _Opened:
    """The window of this process, once there is one."""

    base: ShowBase | None = None
    offscreen: bool = False


_opened = _Opened()


def open_window(options: WindowOptions | None = None) -> ShowBase:
    """The process's window: opened at the first call, resized and returned again later.

    Raises:
        NoRenderer: there is no display, no OpenGL 3.3, or no off-screen renderer.
        RuntimeError: a window of the other kind (on screen, off-screen) is open already.
    """
    options = options or WindowOptions()
    if _opened.base is not None:
        if _opened.offscreen != options.offscreen:
            raise RuntimeError("a process has one window: close the open one first")
        resize(_opened.base, options.size)
        return _opened.base
    load_prc_file_data("headstring", _settings(options))
    kind = "offscreen" if options.offscreen else "onscreen"
    if not _pipe_works(options):
        raise NoRenderer(_sentence(options))
    with _hushed(options.sound and not options.offscreen):
        base = ShowBase(windowType="none")
    base.windowType = kind
    props = WindowProperties.get_default()
    props.set_size(*options.size)
    try:
        opened = base.open_default_window(props=props, type=kind, requireWindow=False)
    except Exception as problem:
        base.destroy()
        raise NoRenderer(_sentence(options)) from problem
    if not opened or base.win is None:
        base.destroy()
        raise NoRenderer(_sentence(options))
    gsg = base.win.get_gsg()
    found = (gsg.driver_shader_version_major, gsg.driver_shader_version_minor)
    if found < LEAST_GLSL:
        name = gsg.driver_renderer or "unknown"
        base.destroy()
        raise NoRenderer(
            f"the graphics driver ({name}) offers GLSL {found[0]}.{found[1]:02d}, "
            "and the table needs 3.30 (OpenGL 3.3); a newer driver, or Mesa, brings it"
        )
    base.disable_mouse()
    base.set_background_color(0.012, 0.013, 0.016, 1)
    _opened.base, _opened.offscreen = base, options.offscreen
    resize(base, options.size)
    return base


def close_window() -> None:
    """Close the process's window, if there is one; after that another can be opened."""
    if _opened.base is not None:
        _opened.base.destroy()
        _opened.base = None


def resize(base: ShowBase, size: tuple[int, int]) -> None:
    """Give the window another size in pixels."""
    if (base.win.get_x_size(), base.win.get_y_size()) != tuple(size):
        if hasattr(base.win, "set_size"):
            base.win.set_size(*size)
        else:
            props = WindowProperties()
            props.set_size(*size)
            base.win.request_properties(props)
        base.graphicsEngine.render_frame()
    base.camLens.set_aspect_ratio(size[0] / size[1])
    if base.aspect2d is not None:
        base.adjustWindowAspectRatio(size[0] / size[1])


def set_window(base: ShowBase, size: tuple[int, int], fullscreen: bool) -> None:
    """Give an on-screen window a size, or the whole screen; off-screen only the size counts."""
    if hasattr(base.win, "set_size"):  # a buffer
        resize(base, size)
        return
    props = WindowProperties()
    if fullscreen:
        screen = base.pipe.get_display_width(), base.pipe.get_display_height()
        props.set_size(*(screen if all(screen) else size))
    else:
        props.set_size(*size)
        props.set_origin(-2, -2)  # the middle of the screen
    props.set_fullscreen(fullscreen)
    base.win.request_properties(props)


def renderer_name(base: ShowBase) -> str:
    """Name of the driver's renderer, such as ``llvmpipe (LLVM 15.0.6, 256 bits)``."""
    return str(base.win.get_gsg().driver_renderer)


def draws_in_software(base: ShowBase) -> bool:
    """Whether a processor draws instead of a graphics card: choose the low tier then."""
    name = renderer_name(base).lower()
    return any(word in name for word in ("llvmpipe", "softpipe", "swrast", "software", "gdi "))


def screenshot(base: ShowBase, path: str | Path, shrink: int = 1) -> None:
    """Draw a frame and write it to ``path``; the suffix names the format.

    Args:
        shrink: the picture is written this many times smaller than the window, averaged.

    Raises:
        OSError: the file could not be written.
    """
    base.graphicsEngine.render_frame()
    image = PNMImage()
    if not base.win.get_screenshot(image):
        raise OSError("the window's picture could not be read back")
    if image.has_alpha():
        image.remove_alpha()
    if shrink > 1:
        small = PNMImage(image.get_x_size() // shrink, image.get_y_size() // shrink, 3)
        small.quick_filter_from(image)
        image = small
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not image.write(Filename.from_os_specific(str(path))):
        raise OSError(f"the picture could not be written to {path}")


def grab(base: ShowBase) -> np.ndarray:
    """Draw a frame and give its pixels: array (height, width, 3) of uint8, red green blue."""
    base.graphicsEngine.render_frame()
    texture = base.win.get_screenshot()
    if texture is None:
        raise OSError("the window's picture could not be read back")
    data = np.frombuffer(texture.get_ram_image_as("RGB"), dtype=np.uint8)
    return data.reshape(texture.get_y_size(), texture.get_x_size(), 3)[::-1]


def _modules(offscreen: bool) -> tuple[str, ...]:
    """Panda's display modules, best first."""
    if offscreen and sys.platform.startswith("linux"):
        return ("p3headlessgl", "pandagl")
    return ("pandagl",)


def _settings(options: WindowOptions) -> str:
    """Panda's configuration for a window."""
    modules = _modules(options.offscreen)
    library = "p3openal_audio" if options.sound and not options.offscreen else "null"
    lines = [
        f"load-display {modules[0]}",
        *(f"aux-display {name}" for name in modules[1:]),
        f"window-title {options.title}",
        f"win-size {options.size[0]} {options.size[1]}",
        f"sync-video {int(options.vsync and not options.offscreen)}",
        f"fullscreen {int(options.fullscreen)}",
        "textures-power-2 none",
        "gl-coordinate-system default",
        "text-minfilter linear_mipmap_linear",
        "notify-level-device fatal",
        "notify-level-egldisplay fatal",
        "notify-level-display error",
        "print-pipe-types 0",
        f"audio-library-name {library}",
        "notify-level-audio fatal",
    ]
    if sys.platform == "darwin":
        lines.append("gl-version 3 2")
    if options.samples:
        lines += ["framebuffer-multisample 1", f"multisamples {options.samples}"]
    return "\n".join(lines)


@contextmanager
def _hushed(quiet: bool) -> Iterator[None]:
    """Keep what sound libraries write about missing devices from the terminal: we say it once."""
    if not quiet:
        yield
        return
    sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:  # there is no terminal to keep clean
        yield
        return
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _pipe_works(options: WindowOptions) -> bool:
    """Whether one of the display modules finds a renderer."""
    selection = GraphicsPipeSelection.get_global_ptr()
    for name in _modules(options.offscreen):
        pipe = selection.make_module_pipe(name)
        if pipe is not None and pipe.is_valid():
            return True
    return False


def _sentence(options: WindowOptions) -> str:
    """What to tell the user when no renderer was found."""
    if sys.platform.startswith("linux"):
        remedy = (
            "on Debian and Ubuntu: apt install libegl1 libgl1 libegl-mesa0 libgl1-mesa-dri; "
            "on Fedora: dnf install mesa-libEGL mesa-dri-drivers"
        )
    elif sys.platform == "darwin":
        remedy = "on macOS it needs a logged-in session with a screen, and OpenGL 3.3"
    else:
        remedy = "on Windows it needs the graphics card maker's driver, with OpenGL 3.3"
    if options.offscreen:
        return f"there is no off-screen renderer, so no pictures can be drawn; {remedy}"
    return f"no window could be opened: there is no display, or it lacks OpenGL 3.3; {remedy}"
