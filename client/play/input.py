"""Keys and mouse as the client hears them, whoever presses them: a person or a test.

Names are Panda3D's (``space``, ``arrow_left``, ``mouse1``, ``wheel_up``); places are pixels from
the top left.
"""

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from direct.showbase.ShowBase import ShowBase

from client.play.keys import KeyMap

DOWN, UP = "headstring-down", "headstring-up"
RAW = "raw-"
AGAIN, TYPED = "headstring-again", "headstring-typed"
RAW_DOWN, RAW_UP = "headstring-raw-down", "headstring-raw-up"
BESIDE = re.compile(r"^(?:(?:shift|control|alt|meta)-)+(?=.)")
ALIASES = {"lshift": "shift", "rshift": "shift", "lcontrol": "control", "rcontrol": "control"}


@dataclass(frozen=True)
class Press:
    """A key or mouse button went down or up, with the mouse at a place.

    While something is written, a key that is held comes ``again``, and letters come as ``typed``.
    """

    name: str
    kind: Literal["down", "up", "again", "typed"]
    x: float
    y: float


def stands_for_digit(name: str, keys: KeyMap, choosing: bool) -> bool:
    """Whether a key in the row of digits that makes ``name`` is heard as its digit.

    Not if it makes a digit, which is heard as it is; nor, unless there is something to choose, if
    it is the key of an action, such as + where a Czech keyboard has 1.
    """
    return not name.isdigit() and (choosing or keys.taken_by(name) is None)


class Input:
    """The events since the last frame, what is held, and where the mouse is."""

    def __init__(self) -> None:
        self.events: deque[Press] = deque()
        self.held: set[str] = set()
        self.mouse: tuple[float, float] | None = None
        self.moved = (0.0, 0.0)
        self.writing = False
        """Whether letters are written: only then is heard what is typed."""
        self.choosing = False
        """Whether options are on the screen, which digits choose."""
        self._unheard: set[str] = set()
        self.sensitivity = 1.0
        """How far a move of the mouse counts."""
        self.focused = True
        """Whether the window is the one that is typed into."""
        self.keys = KeyMap()
        """The player's keys: each is heard as the action's own."""

    def _heard_as(self, name: str) -> str:
        """The key itself: a window names what is held beside it as well, ``shift-arrow_left``."""
        name = BESIDE.sub("", name)
        return self.keys.heard(ALIASES.get(name, name))

    def press(self, name: str) -> None:
        """A key or button goes down."""
        if name in self._unheard:
            return
        name = self._heard_as(name)
        if name not in self.held:
            self.held.add(name)
            self.events.append(Press(name, "down", *(self.mouse or (-1.0, -1.0))))

    def release(self, name: str) -> None:
        """A key or button comes up."""
        name = self._heard_as(name)
        self.held.discard(name)
        self.events.append(Press(name, "up", *(self.mouse or (-1.0, -1.0))))

    def again(self, name: str) -> None:
        """A key that is held comes again."""
        if self.writing:
            name = self._heard_as(name)
            self.events.append(Press(name, "again", *(self.mouse or (-1.0, -1.0))))

    def type(self, letters: str) -> None:
        """Letters as the keyboard makes them, accents and all."""
        if self.writing:
            for letter in letters:
                self.events.append(Press(letter, "typed", *(self.mouse or (-1.0, -1.0))))

    def begin(self, keys: KeyMap, writing: bool = False) -> None:
        """Somebody else listens from now on: nothing of what was pressed before is heard."""
        self.events.clear()
        self.held.clear()
        self.moved = (0.0, 0.0)
        self.keys, self.writing, self.choosing = keys, writing, False
        self._unheard.clear()

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
        (x, y), self.moved = self.moved, (0.0, 0.0)
        return x * self.sensitivity, y * self.sensitivity

    def lose_focus(self) -> None:
        """Everything that was held is let go, unheard."""
        self.held.clear()
        self._unheard.clear()

    def listen(self, base: ShowBase) -> None:
        """Hear a window's keys and buttons."""
        for thrower in base.buttonThrowers or ():
            thrower.node().set_button_down_event(DOWN)
            thrower.node().set_button_up_event(UP)
            thrower.node().set_button_repeat_event(AGAIN)
            thrower.node().set_keystroke_event(TYPED)
            thrower.node().set_raw_button_down_event(RAW_DOWN)
            thrower.node().set_raw_button_up_event(RAW_UP)
        base.accept(DOWN, self._heard, [base, self.press])
        base.accept(UP, self._heard, [base, self.release])
        base.accept(RAW_DOWN, self._heard_raw, [base, self.press])
        base.accept(RAW_UP, self._heard_raw, [base, self.release])
        base.accept(AGAIN, self.again)
        base.accept(TYPED, self.type)

    def _heard(self, base: ShowBase, take: Callable[[str], None], name: str) -> None:
        """An event of the window: the mouse is where it is now, not where the last frame saw it."""
        self.watch_mouse(base)
        take(name)

    def _heard_raw(self, base: ShowBase, take: Callable[[str], None], name: str) -> None:
        """A key by its place.  The row of digits has letters on many a keyboard (ě š č on a Czech
        one): there it is digits all the same, but for keys that mean something else here."""
        digit = name.removeprefix(RAW)
        if len(digit) == 1 and digit.isdigit():
            made = base.win.get_keyboard_map().get_mapped_button(digit).name
            self.watch_mouse(base)
            self.take_digit(digit, made, take == self.press)

    def take_digit(self, digit: str, made: str, down: bool) -> None:
        """A key in the row of digits goes down or up; ``made``: what the layout makes of it, of
        which the window tells after this."""
        if not down:
            self._unheard.discard(made)
            if digit in self.held and not made.isdigit():
                self.release(digit)
        elif stands_for_digit(made, self.keys, self.choosing):
            self._unheard.add(made)
            self.press(digit)

    def watch_mouse(self, base: ShowBase) -> None:
        """Read where the mouse of a window is."""
        watcher = base.mouseWatcherNode
        if watcher is not None and watcher.has_mouse():
            w, h = base.win.get_x_size(), base.win.get_y_size()
            x, y = watcher.get_mouse_x(), watcher.get_mouse_y()
            self.move((x + 1) * w / 2, (1 - y) * h / 2)
