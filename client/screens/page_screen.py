"""A screen made of a page: keys, mouse and writing lead to what the screen does.

Whoever makes a screen says what is on it (:meth:`PageScreen.page`) and what pressing means
(:meth:`PageScreen.press`); the rest is the same for all.
"""

from abc import ABC, abstractmethod
from dataclasses import replace

from client.hud.entry import Entry
from client.hud.page import Beside, Field, Page, Pick, Press, Widget
from client.hud.page_view import PageView
from client.hud.theme import LOOK
from client.play import input as hands
from client.play.keys import OWN_KEYS
from client.play.settings import Settings
from client.screens.activity import Back, Move
from client.screens.clipboard import NoClipboard, paste
from client.screens.pace import Pace
from client.screens.window import Window
from client.words import say

HELD = ("shift", "control")
MOVES_FOCUS = {"tab": 1, "arrow_down": 1, "arrow_up": -1}
MOVES_CARET = ("arrow_left", "arrow_right", "home", "end", "backspace", "delete")


class PageScreen(ABC):
    """An activity that is a page."""

    pace: Pace = "calm"

    def __init__(self, window: Window) -> None:
        self.window = window
        self.focus = ""
        self.notice = ""
        self.tone = "bad"
        self._line = ""
        self.entries: dict[str, Entry] = {}
        self.secrets: set[str] = set()
        self.view: PageView | None = None
        self._settings: Settings | None = None
        self._dragged: int | None = None
        self._beside_held: set[str] = set()
        """Shift and the like as they were when a key was pressed, however long a frame took."""

    # --- what a screen says of itself ----------

    @abstractmethod
    def page(self) -> Page:
        """What is on the screen now."""

    @abstractmethod
    def press(self, action: str) -> Move | None:
        """Something was pressed."""

    def pick(self, action: str, step: int) -> Move | None:
        """The value before or after was asked for."""
        return None

    def written(self, action: str) -> None:  # noqa: B027 - a screen need not care
        """A line has changed."""

    def submit(self, action: str) -> Move | None:
        """Enter in a line: like pressing the strong button, if there is one."""
        strong = [
            w for w in self.page().active() if isinstance(w, Press) and w.strong and not w.why_not
        ]
        return self.press(strong[0].action) if strong else None

    def tick(self, now: float) -> Move | None:
        """A frame, before anything is pressed."""
        return None

    def escape(self) -> Move | None:
        """The key Esc."""
        return Back()

    def line(self) -> str:
        """What is said above everything while nothing else is: of what lies below."""
        return self.window.strip()

    # --- helpers ----------

    def say(self, key: str, **values: object) -> str:
        """Words in the language of the screen."""
        return say(self.window.language, key, **values)

    def tell(self, sentence: str, tone: str = "bad") -> None:
        """Show a sentence above everything until something else is done."""
        self.notice = sentence[:1].upper() + sentence[1:]
        self.tone = tone

    def field(self, action: str, label: str, hint: str = "") -> Field:
        """The field of a line that is written."""
        entry = self.entries[action]
        return Field(action, label, entry.text, entry.caret, hint, action in self.secrets)

    def text(self, action: str) -> str:
        """What stands in a line."""
        return self.entries[action].text.strip()

    # --- as an activity ----------

    def enter(self, notice: str = "") -> None:
        """It comes to the window."""
        window = self.window
        if notice:
            self.tell(notice)
        window.inputs.begin(OWN_KEYS, writing=True)
        self._beside_held.clear()
        LOOK.contrast = window.preferences.now.contrast
        self.view = PageView(window.base.render2d, window.size, window.preferences.now.ui_scale)
        self._settings = window.preferences.now
        self._show()

    def leave(self) -> None:
        """It goes from the window."""
        self.window.inputs.writing = False
        if self.view is not None:
            self.view.destroy()
            self.view = None

    def rest(self, now: float) -> None:  # noqa: B027 - most screens only wait
        """A frame unseen."""

    def close(self) -> None:  # noqa: B027 - most screens own nothing
        """It ends."""

    def step(self, now: float, dt: float) -> Move | None:
        """A frame: what was done, then what is to be seen."""
        view, window = self.view, self.window
        assert view is not None
        move = self.tick(now)
        if move is not None:
            return move
        self._fit(view)
        self._line = self.line()
        self._show()
        if window.inputs.mouse is not None:
            view.hover(*window.inputs.mouse)
            if self._dragged is not None:
                view.drag_bar(self._dragged, window.inputs.mouse[1])
        window.inputs.take_move()
        while window.inputs.events:
            move = self._take(window.inputs.events.popleft(), view)
            if move is not None:
                return move
            self._show()
        self._show()
        return None

    def _fit(self, view: PageView) -> None:
        settings = self.window.preferences.now
        if settings is not self._settings or self.window.size != view.size:
            self._settings = settings
            view.ui_scale, LOOK.contrast = settings.ui_scale, settings.contrast
            view.resize(self.window.size)

    def _show(self) -> None:
        assert self.view is not None
        page = self.page()
        if self.notice:
            page = replace(page, notice=self.notice, tone=self.tone)
        elif self._line:
            page = replace(page, notice=self._line, tone="note")
        active = [widget.action for widget in page.active()]
        if self.focus not in active:
            self.focus = active[0] if active else ""
        self.view.show(page, self.focus)

    # --- keys and mouse ----------

    def _take(self, press: hands.Press, view: PageView) -> Move | None:
        if press.name in HELD:
            (set.add if press.kind == "down" else set.discard)(self._beside_held, press.name)
            return None
        if press.name == "mouse1":
            return self._mouse(press, view)
        if press.kind == "up":
            return None
        if press.kind == "typed":
            self._write(press.name)
            return None
        if press.name in ("wheel_up", "wheel_down"):
            self.window.inputs.held.discard(press.name)
            view.wheel(press.x, press.y, 1 if press.name == "wheel_up" else -1)
            return None
        return self._key(press.name, view)

    def _mouse(self, press: hands.Press, view: PageView) -> Move | None:
        self._dragged = None
        if press.kind != "down":
            return None
        self._dragged = view.bar_at(press.x, press.y)
        hit = view.at(press.x, press.y)
        if hit is None or self._dragged is not None:
            return None
        action, _, way = hit.action.partition(":+")
        if hit.action.endswith(":-"):
            action, way = hit.action[:-2], ":-"
        widget = view.page.find(action)
        if isinstance(widget, Pick):
            self.focus = action
            return self._pick(widget, -1 if way == ":-" else 1)
        widget = view.page.find(hit.action)
        if isinstance(widget, Field):
            self.focus = hit.action
            caret = view.caret_at(hit.action, press.x)
            self.entries[hit.action] = self.entries[hit.action].placed(caret)
        elif isinstance(widget, Press):
            self.focus = hit.action
            return self._press(widget)
        return None

    def _key(self, name: str, view: PageView) -> Move | None:
        held = self._beside_held
        widget = view.page.find(self.focus)
        if name == "escape":
            return self.escape()
        if name in MOVES_FOCUS:
            back = name == "tab" and "shift" in held
            self._move_focus(view.page, -1 if back else MOVES_FOCUS[name])
        elif name in ("page_up", "page_down"):
            view.wheel(-1, -1, 4 if name == "page_up" else -4)
        elif isinstance(widget, Field) and "control" in held and name == "v":
            self._paste(widget.action)
        elif isinstance(widget, Field) and name in MOVES_CARET:
            self.entries[self.focus] = self.entries[self.focus].key(name, "control" in held)
            if name in ("backspace", "delete"):
                self.notice = ""
                self.written(self.focus)
        elif name == "enter":
            if isinstance(widget, Field):
                return self.submit(widget.action)
            if isinstance(widget, Press):
                return self._press(widget)
            if isinstance(widget, Pick):
                return self._pick(widget, 1)
        elif name in ("arrow_left", "arrow_right"):
            step = 1 if name == "arrow_right" else -1
            if isinstance(widget, Pick):
                return self._pick(widget, step)
            self._beside(view.page, step)
        return None

    def _write(self, letter: str) -> None:
        entry = self.entries.get(self.focus)
        if entry is None or not letter.isprintable() or "control" in self._beside_held:
            return
        self.notice = ""
        self.entries[self.focus] = entry.typed(letter)
        self.written(self.focus)

    def _paste(self, action: str) -> None:
        try:
            self.entries[action] = self.entries[action].typed(paste().strip())
        except NoClipboard as error:
            self.tell(self.say("no_clipboard", why=error))
        self.written(action)

    def _press(self, widget: Press) -> Move | None:
        self.notice = ""
        if widget.why_not:
            self.tell(widget.why_not)
            return None
        return self.press(widget.action)

    def _pick(self, widget: Pick, step: int) -> Move | None:
        self.notice = ""
        if widget.why_not:
            self.tell(widget.why_not)
            return None
        return self.pick(widget.action, step)

    def _move_focus(self, page: Page, step: int) -> None:
        active = [widget.action for widget in page.active()]
        if active:
            here = active.index(self.focus) if self.focus in active else 0
            self.focus = active[(here + step) % len(active)]

    def _beside(self, page: Page, step: int) -> None:
        """Left and right go along a line of buttons, else from column to column."""
        lines = [page.footer, *(w.presses for c in page.columns for w in c if _is_line(w))]
        for line in lines:
            actions = [press.action for press in line]
            if self.focus in actions:
                self.focus = actions[(actions.index(self.focus) + step) % len(actions)]
                return
        firsts = []
        here = 0
        for column in page.columns:
            active = [w.action for w in Page("", (column,)).active()]
            if self.focus in active:
                here = len(firsts)
            if active:
                firsts.append(active[0])
        if firsts:
            self.focus = firsts[(here + step) % len(firsts)]


def _is_line(widget: Widget) -> bool:
    return isinstance(widget, Beside)


def stepped(values: tuple, now: object, step: int) -> object:
    """The value so many places on from one among several, round and round."""
    here = values.index(now) if now in values else -step if step > 0 else 0
    return values[(here + step) % len(values)]
