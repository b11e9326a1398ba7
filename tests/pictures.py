"""Draw the pictures of the documentation anew, off-screen: ``make pictures``."""

import os
import tempfile
import time
from pathlib import Path

from PIL import Image

from client.scene import CameraMode, CueAim, TableScene, WindowOptions, open_window, screenshot
from client.scene.dress import Dress
from client.scene.pictures import Shot, arrange, at_rest
from physics.table import TABLES

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
SIZE = (1280, 720)
KEPT = (960, 540)
SETTLES_S = 4.0
USUAL = {"name": "Ann", "quality": "low", "language": "en", "ui_scale": 1.0}
"""Pixels of a picture as it is kept."""

PLAY = {0: (-0.50, 0.20), 1: (0.60, 0.10), 3: (0.30, -0.30), 8: (1.00, 0.40), 9: (-0.20, 0.45),
        12: (0.70, 0.28), 5: (0.10, 0.10), 14: (0.9, -0.42), 6: (-0.1, -0.2)}  # fmt: skip
BLACK_BALL = {0: (-0.55, 0.12), 1: (0.30, -0.10), 2: (0.50, 0.18), 3: (0.62, -0.25), 8: (0.46, 0.0),
              9: (0.20, 0.28), 10: (0.70, 0.05), 11: (-0.1, -0.3), 4: (0.05, 0.12)}  # fmt: skip


def keep(base, name: str) -> None:
    """Save what the window shows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        screenshot(base, path)
        FOLDER.mkdir(parents=True, exist_ok=True)
        picture = Image.open(path).convert("RGB").resize(KEPT, Image.Resampling.LANCZOS)
        picture.save(FOLDER / f"{name}.jpg", quality=88, optimize=True)
    print(f"docs/pictures/{name}.jpg", flush=True)


def tables() -> None:
    """The table from behind the cue and from overhead, and one of black ball."""
    for name, table, places, camera, dress in (
        ("behind-the-cue", "9ft", PLAY, CameraMode.CUE, Dress()),
        ("overhead", "9ft", PLAY, CameraMode.OVERHEAD, Dress()),
        ("black-ball", "uk7ft", BLACK_BALL, CameraMode.BROADCAST, Dress(reds=True, baulk=True)),
    ):
        large = (2 * SIZE[0], 2 * SIZE[1])
        base = open_window(WindowOptions(size=large, offscreen=True))
        spec = TABLES[table]
        scene = TableScene(base, spec, "high", dress=dress)
        x, y = places[0]
        cue = CueAim((x, y, spec.cue_ball.radius), -6.0, 4.0)
        arrange(scene, Shot(at_rest(places, spec.ball.radius), camera, cue=cue))
        keep(base, name)
        scene.destroy()


def screens() -> None:
    """The start screen, the settings at twice the size in Czech, and a table of one's own."""
    from tests.client.screens.user import User

    for name, changes, pushes in (
        ("start", {}, ()),
        ("settings-200-czech", {"language": "cs", "ui_scale": 2.0}, ("settings",)),
        ("practice", {"quality": "high"}, ("practice", "free")),
    ):
        user = User(size=SIZE, **{**USUAL, **changes})
        for action in pushes:
            user.push(action)
        there = time.monotonic() + SETTLES_S
        while time.monotonic() < there:  # the camera flies by the clock, not by frames
            user.step()
        keep(user.window.base, name)
        user.close()


def main() -> None:
    """Draw them all; the settings of whoever draws play no part."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HEADSTRING_DATA"] = folder
        tables()
        screens()


if __name__ == "__main__":
    main()
