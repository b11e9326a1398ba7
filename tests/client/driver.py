"""The real client, off-screen, driven as a user drives it: by keys and mouse."""

from client.net.session import Session
from client.play.app import TableApp
from client.play.settings import Settings
from client.scene import WindowOptions, open_window
from shared_rules.state import Phase
from tests.client.local_table import LocalTable

SMALL = (640, 360)


class Driven:
    """A client at a table, and its hands and eyes."""

    def __init__(self, table: LocalTable, seat=0, size=SMALL, language="en", name="Ann") -> None:
        self.base = open_window(WindowOptions(size=size, offscreen=True))
        self.table = table
        self.now = table.now
        self.session = Session(name)
        table.seat(self.session, seat)
        settings = Settings(language=language, quality="low")
        self.app = TableApp(
            self.base, self.session, table.pump, settings, clock=lambda: self.now, warm=False
        )
        self.frames(2)

    def frames(self, count=1, dt=1 / 60) -> None:
        for _ in range(count):
            self.now += dt
            self.app.step()

    def wait(self, seconds: float) -> None:
        self.frames(max(1, int(seconds / 0.1)), 0.1)

    def wait_for(self, phase: Phase, longest=60.0) -> None:
        """Let time pass until the match is in a phase."""
        end = self.now + longest
        while self.state.phase is not phase and self.now < end:
            self.frames(1, 0.1)
        assert self.state.phase is phase, f"{self.state.phase} instead of {phase}"
        self.frames(2)

    @property
    def state(self):
        return self.session.view.state

    @property
    def hand(self):
        return self.app.hand

    @property
    def model(self):
        return self.app.hud.model

    # --- hands ----------

    def key(self, name: str, frames=1) -> None:
        self.app.inputs.press(name)
        self.frames(frames)
        self.app.inputs.release(name)
        self.frames(1)

    def move(self, x: float, y: float) -> None:
        self.app.inputs.move(x, y)
        self.frames(1)

    def click(self, x: float, y: float) -> None:
        self.move(x, y)
        self.key("mouse1")

    def push(self, action: str) -> None:
        """Click the middle of a button."""
        self.click(*self.app.hud.centre_of(action))

    def drag(self, start, end, button="mouse1", steps=4) -> None:
        self.move(*start)
        self.app.inputs.press(button)
        self.frames(1)
        for k in range(1, steps + 1):
            self.move(
                start[0] + (end[0] - start[0]) * k / steps,
                start[1] + (end[1] - start[1]) * k / steps,
            )
        self.app.inputs.release(button)
        self.frames(1)

    def pixel_of(self, x: float, y: float) -> tuple[float, float]:
        """Where a place on the bed is in the window."""
        w, h = self.app.hud.size
        seen = self.app.stage.scene.cameras.project((x, y, 0.0))
        assert seen is not None
        return (seen[0] + 1) * w / 2, (1 - seen[1]) * h / 2

    def settle(self) -> None:
        """Let the camera arrive."""
        self.frames(30, 0.1)

    def why_grey(self, action: str) -> str:
        """The reason on a grey button; empty if it can be pressed."""
        dialog = self.model.dialog.buttons if self.model.dialog is not None else ()
        (button,) = [b for b in (*self.model.buttons, *dialog) if b.action == action]
        return button.why_not

    def close(self) -> None:
        self.app.destroy()
