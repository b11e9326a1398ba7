"""Keys and mouse as the client hears them, whoever presses them: a person or a test.

Names are Panda3D's (``space``, ``arrow_left``, ``mouse1``, ``wheel_up``); places are pixels from
the top left.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from direct.showbase.ShowBase import ShowBase

from client.play.keys import KeyMap

DOWN, UP = "headstring-down", "headstring-up"
ALIASES = {"lshift": "shift", "rshift": "shift", "lcontrol": "control", "rcontrol": "control"}


@dataclass(frozen=True)
class Press:
    """A key or mouse button went down or up, with the mouse at a place."""

    name: str
    kind: Literal["down", "up"]
    x: float
    y: float


class Input:
    """The events since the last frame, what is held, and where the mouse is."""

    def __init__(self) -> None:
        self.events: deque[Press] = deque()
        self.held: set[str] = set()
        self.mouse: tuple[float, float] | None = None
        self.moved = (0.0, 0.0)
        self.focused = True
        """Whether the window is the one that is typed into."""
        self.keys = KeyMap()
        """The player's keys: each is heard as the action's own."""

    def press(self, name: str) -> None:
        """A key or button goes down."""
        name = self.keys.heard(ALIASES.get(name, name))
        if name not in self.held:
            self.held.add(name)
            self.events.append(Press(name, "down", *(self.mouse or (-1.0, -1.0))))

    def release(self, name: str) -> None:
        """A key or button comes up."""
        name = self.keys.heard(ALIASES.get(name, name))
        self.held.discard(name)
        self.events.append(Press(name, "up", *(self.mouse or (-1.0, -1.0))))

    def tap(self, name: str) -> None:
        """A key goes down and up."""
        self.press(name)
        self.release(name)

    def move(self, x: float, y: float) -> None:
        """The mouse is at a pixel."""
        if self.mouse is not None:
            self.moved = (
                self.moved[0] + x - self.mouse[0],
                self.moved[1] + y - self.mouse[1],
            )
        self.mouse = (x, y)

    def take_move(self) -> tuple[float, float]:
        """How far the mouse has moved since the last call, in pixels."""
        moved, self.moved = self.moved, (0.0, 0.0)
        return moved

    def lose_focus(self) -> None:
        """Everything that was held is let go, unheard."""
        self.held.clear()

    def listen(self, base: ShowBase) -> None:
        """Hear a window's keys and buttons."""
        for thrower in base.buttonThrowers or ():
            thrower.node().set_button_down_event(DOWN)
            thrower.node().set_button_up_event(UP)
        base.accept(DOWN, self._heard, [base, self.press])
        base.accept(UP, self._heard, [base, self.release])

    def _heard(self, base: ShowBase, take: Callable[[str], None], name: str) -> None:
        """An event of the window: the mouse is where it is now, not where the last frame saw it."""
        self.watch_mouse(base)
        take(name)

    def watch_mouse(self, base: ShowBase) -> None:
        """Read where the mouse of a window is."""
        watcher = base.mouseWatcherNode
        if watcher is not None and watcher.has_mouse():
            w, h = base.win.get_x_size(), base.win.get_y_size()
            x, y = watcher.get_mouse_x(), watcher.get_mouse_y()
            self.move((x + 1) * w / 2, (1 - y) * h / 2)
