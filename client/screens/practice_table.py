"""A table of one's own as an activity: free practice, a drill, or the first five shots."""

from client.practice.app import PracticeApp
from client.practice.practising import Practising
from client.practice.run import Course
from client.practice.store import Kept
from client.screens.activity import Back, Move, Open
from client.screens.layouts import LayoutsScreen
from client.screens.pace import Pace
from client.screens.settings import SettingsScreen
from client.screens.window import Window


class PracticeTable:
    """See the module; ``course``: what is gone through, None for a free table."""

    def __init__(self, window: Window, kept: Kept, course: Course | None = None) -> None:
        self._window = window
        now = window.preferences.now
        guide = lambda: window.preferences.now.guide  # noqa: E731
        self.practising = Practising(now.name, kept, guide, course)
        self.app = PracticeApp(
            window.base, self.practising, window.preferences, window.clock, window.inputs,
            window.mixer,
        )  # fmt: skip

    @property
    def pace(self) -> Pace:
        """How much there is to see."""
        still = self.app.stage.shown.shot is None and self.app.stage.again is None
        return "calm" if still and not self.practising.table.busy else "full"

    def enter(self, notice: str = "") -> None:
        """The table comes to the window."""
        self.app.show()

    def step(self, now: float, dt: float) -> Move | None:
        """A frame."""
        self.app.step()
        if self.app.finished:
            return Back()
        asked, self.app.asked_for = self.app.asked_for, ""
        if asked == "settings":
            return Open(SettingsScreen(self._window))
        if asked == "layouts":
            return Open(LayoutsScreen(self._window, self.practising))
        return None

    def rest(self, now: float) -> None:
        """A frame unseen: a shot goes on."""
        self.app.pump(now)

    def leave(self) -> None:
        """The table goes from the window."""
        self.app.hide()

    def close(self) -> None:
        """It ends."""
        self.practising.close()
        self.app.destroy()
