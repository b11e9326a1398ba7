"""The table that is seen: window, cameras, balls, cue, overlays and pictures, drawn by Panda3D.

Nothing in here knows the network or the rules. Somebody tells the scene where the balls are, and
the scene shows them. Start with :func:`open_window` and :class:`TableScene`.
"""

from client.scene.cameras import CameraMode, TableCameras
from client.scene.cue import CueAim, StrokeMotion
from client.scene.fonts import load_font
from client.scene.framing import View
from client.scene.overlays import Departure
from client.scene.quality import QUALITIES, Quality
from client.scene.table import TableScene
from client.scene.window import NoRenderer, WindowOptions, grab, open_window, screenshot

__all__ = [
    "QUALITIES",
    "CameraMode",
    "CueAim",
    "Departure",
    "NoRenderer",
    "Quality",
    "StrokeMotion",
    "TableCameras",
    "TableScene",
    "View",
    "WindowOptions",
    "grab",
    "load_font",
    "open_window",
    "screenshot",
]
