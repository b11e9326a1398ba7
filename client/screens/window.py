"""What all activities share: the window, keys and mouse, and the player's settings."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from direct.showbase.ShowBase import ShowBase

from client.play.input import Input
from client.play.settings import Preferences, Settings
from client.scene.window import draws_in_software, set_window
from client.screens.pace import Pacer, pace_of
from client.screens.shell import Shell
from client.sound.mixer import Mixer

LONGEST_FRAME_S = 0.1


@dataclass
class Window:
    """The one window.  ``mixer``: what plays the sounds; ``clock``: local seconds, monotonic.

    ``strip``: a line that screens over something show of it, such as a table's clock.
    """

    base: ShowBase
    preferences: Preferences
    inputs: Input = field(default_factory=Input)
    mixer: Mixer = field(default_factory=Mixer)
    clock: Callable[[], float] = time.monotonic
    strip: Callable[[], str] = field(default=lambda: "")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.base.win.get_x_size(), self.base.win.get_y_size()

    @property
    def language(self) -> str:
        """The language of the screen."""
        return self.preferences.now.language


class Frames:
    """Draws frame after frame until the shell is done or the window is closed."""

    def __init__(self, window: Window, shell: Shell) -> None:
        self.window, self.shell = window, shell
        self._last = window.clock()
        self._size = (0, 0)
        self._applied = _of_window(window.preferences.now)

    def step(self) -> None:
        """All of a frame but the drawing."""
        window = self.window
        now = window.clock()
        dt = min(max(now - self._last, 0.0), LONGEST_FRAME_S)
        self._last = now
        wanted = _of_window(window.preferences.now)
        if wanted != self._applied:
            self._applied = wanted
            set_window(window.base, wanted[:2], wanted[2])
        size = window.size
        if size != self._size:
            self._size = size
            window.base.camLens.set_aspect_ratio(size[0] / max(size[1], 1))
        window.inputs.watch_mouse(window.base)
        self.shell.step(now, dt)

    def run(self) -> None:
        """Draw until the end; whatever ends it, every activity is closed."""
        window, base = self.window, self.window.base
        window.inputs.listen(base)
        base.accept("headstring-closed", self.shell.close)
        base.win.set_close_request_event("headstring-closed")
        pacer = Pacer(window.inputs, draws_in_software(base))
        try:
            while not self.shell.done:
                window.inputs.focused = base.win.get_properties().get_foreground()
                if not window.inputs.focused:
                    window.inputs.lose_focus()
                pacer.step(pace_of(self.shell.top), window.clock())
                self.step()
                base.taskMgr.step()
                if base.win.is_closed():
                    break
        finally:
            self.shell.close()


def _of_window(settings: Settings) -> tuple[int, int, bool]:
    """What of the settings is the window's: width, height, whether it fills the screen."""
    return settings.width, settings.height, settings.fullscreen
