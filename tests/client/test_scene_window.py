"""The window: one a process, off-screen without a display, and a sentence where that fails."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from client.scene import NoRenderer, TableScene, WindowOptions, grab, open_window, screenshot
from client.scene.window import draws_in_software, renderer_name
from physics.table import TABLES

ROOT = Path(__file__).parents[2]


@pytest.fixture
def base():
    return open_window(WindowOptions(size=(320, 180), offscreen=True))


def test_one_window_a_process_resized_when_asked_again(base):
    again = open_window(WindowOptions(size=(200, 120), offscreen=True))
    assert again is base
    assert grab(again).shape == (120, 200, 3)


def test_a_window_of_the_other_kind_is_refused(base):
    with pytest.raises(RuntimeError, match="one window"):
        open_window(WindowOptions(size=(320, 180), offscreen=False))


def test_the_renderer_has_a_name(base):
    assert renderer_name(base)
    assert draws_in_software(base) == any(
        word in renderer_name(base).lower() for word in ("llvmpipe", "softpipe", "swrast")
    )


def test_a_screenshot_has_no_alpha_and_shows_the_table(base, tmp_path):
    scene = TableScene(base, TABLES["9ft"], "low")
    try:
        path = tmp_path / "deep" / "table.png"
        screenshot(base, path)
        half = tmp_path / "half.png"
        screenshot(base, half, shrink=2)
    finally:
        scene.destroy()
    with Image.open(path) as picture:
        assert picture.mode == "RGB"
        assert picture.size == (320, 180)
        assert np.asarray(picture).std() > 10
    with Image.open(half) as picture:
        assert picture.size == (160, 90)


def test_a_folder_that_cannot_be_written_is_an_error(base, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(OSError):
        screenshot(base, blocked / "picture.png")


def _python(code: str, **environment: str) -> subprocess.CompletedProcess:
    clean = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        cwd=ROOT,
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("offscreen", [True, False])
def test_without_a_renderer_a_sentence_names_the_remedy(offscreen):
    code = (
        "from client.scene.window import *\n"
        "try:\n"
        f"    open_window(WindowOptions(offscreen={offscreen}))\n"
        "except NoRenderer as problem:\n"
        "    print('SAID', problem)\n"
    )
    # An EGL without vendors finds no renderer, as on a machine that has none.
    done = _python(code, __EGL_VENDOR_LIBRARY_FILENAMES="/nonexistent/none.json")
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stdout.splitlines() if line.startswith("SAID")]
    assert len(said) == 1
    if sys.platform.startswith("linux"):
        assert "libegl1" in said[0]
    assert ("off-screen" in said[0]) is offscreen


def test_no_renderer_is_a_runtime_error():
    assert issubclass(NoRenderer, RuntimeError)


def test_every_shader_of_every_tier_compiles():
    code = (
        "from client.scene import *\n"
        "from physics.table import TABLES\n"
        "base = open_window(WindowOptions(size=(64, 36), offscreen=True))\n"
        "pose = {n: ((n * 0.06 - 0.5, 0.1, 0.028575), (1, 0, 0, 0)) for n in range(16)}\n"
        "for tier in QUALITIES:\n"
        "    scene = TableScene(base, TABLES['9ft'], tier)\n"
        "    scene.show_balls(pose)\n"
        "    scene.show_cue((0, 0, 0.0286), 0)\n"
        "    scene.show_guide([(-0.5, 0), (0.5, 0)], (0.5, 0))\n"
        "    grab(base)\n"
        "    scene.destroy()\n"
    )
    done = _python(code)
    assert done.returncode == 0, done.stderr
    assert "error" not in done.stderr.lower(), done.stderr
