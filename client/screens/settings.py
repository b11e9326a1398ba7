"""The settings; each change shows at once and is kept."""

from client.hud.entry import Entry
from client.hud.page import Heading, Page, Paragraph, Pick, Press, Widget
from client.play import input as hands
from client.play.keys import ACTIONS, OWN_KEYS, may_be_chosen, shown
from client.play.settings import GUIDES, LANGUAGES, LONGEST_NAME, QUALITIES
from client.screens.activity import Back, Move
from client.screens.page_screen import PageScreen, stepped
from client.screens.window import Window

SCALES = (0.5, 0.75, 0.9, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0)
MOUSE = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)
VOLUMES = tuple(range(0, 101, 10))
SIZES = ((800, 600), (1024, 768), (1280, 720), (1600, 900), (1920, 1080), (2560, 1440))
FLAGS = (False, True)


class SettingsScreen(PageScreen):
    """See the module.  ``_waiting``: the action whose new key is waited for."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self.entries["name"] = Entry.of(window.preferences.now.name, LONGEST_NAME)
        self._waiting = ""

    def page(self) -> Page:
        """See the base class."""
        footer = (Press("back", self.say("back_button"), strong=True),)
        title = self.say("settings_title")
        return Page(title, (self._choices(), self._table(), self._keys()), footer)

    def _choices(self) -> tuple[Widget, ...]:
        now = self.window.preferences.now
        return (
            Heading(self.say("set_person")),
            self._value("language", "set_language", self.say(f"language_{now.language}")),
            self.field("name", self.say("your_name")),
            Heading(self.say("set_screen")),
            self._value("quality", "set_quality", self.say(f"quality_{now.quality or 'auto'}")),
            self._value("ui_scale", "set_scale", self._percent(now.ui_scale)),
            self._value("contrast", "set_contrast", self._yes(now.contrast)),
            self._value("fullscreen", "set_fullscreen", self._yes(now.fullscreen)),
            self._value("size", "set_size", f"{now.width} × {now.height}"),
        )

    def _table(self) -> tuple[Widget, ...]:
        now = self.window.preferences.now
        volume = (
            self.say("percent", n=now.volume) if not now.muted and now.volume else self.say("off")
        )
        return (
            Heading(self.say("set_table")),
            self._value("volume", "set_volume", volume),
            self._value("mouse", "set_mouse", self._percent(now.mouse)),
            self._value("guide", "set_guide", self.say(f"guide_{now.guide or 'auto'}")),
        )

    def _keys(self) -> tuple[Widget, ...]:
        keys, language = self.window.preferences.now.keys, self.window.language
        rows: list[Widget] = []
        for action in ACTIONS:
            waits = action.name == self._waiting
            key = (
                self.say("set_key_wait")
                if waits
                else shown(keys.key(action.name), language) or self.say("set_key_none")
            )
            name = self.say(f"act_{action.name}")
            note = key if waits else ""
            value = "" if waits else key
            rows.append(Press(f"key:{action.name}", name, note, on=waits, value=value))
        return (
            Heading(self.say("set_keys")),
            Paragraph(self.say("set_keys_note"), "note", small=True),
            *rows,
            Press("reset_keys", self.say("set_keys_reset")),
        )

    def _value(self, action: str, label: str, value: str) -> Pick:
        return Pick(action, self.say(label), value)

    def _yes(self, on: bool) -> str:
        return self.say("yes" if on else "no")

    def _percent(self, share: float) -> str:
        return self.say("percent", n=round(100 * share))

    # --- what is done ----------

    def press(self, action: str) -> Move | None:
        """See the base class."""
        if action == "back":
            return self.escape()
        if action == "reset_keys":
            self._change(keys=OWN_KEYS)
        elif action.startswith("key:"):
            self._waiting = action.removeprefix("key:")
        return None

    def pick(self, action: str, step: int) -> Move | None:
        """See the base class."""
        now = self.window.preferences.now
        if action == "size":
            width, height = stepped(SIZES, (now.width, now.height), step)  # type: ignore[misc]
            self._change(width=width, height=height)
            return None
        values: tuple = {
            "language": LANGUAGES, "quality": (None, *QUALITIES), "ui_scale": SCALES,
            "contrast": FLAGS, "fullscreen": FLAGS, "volume": VOLUMES, "mouse": MOUSE,
            "guide": (None, *GUIDES),
        }[action]  # fmt: skip
        if action == "volume":
            self._change(muted=False)
        self._change(**{action: stepped(values, getattr(now, action), step)})
        return None

    def written(self, action: str) -> None:
        """The name is the player's as soon as it is one."""
        if name := self.text("name"):
            self._change(name=name)

    def escape(self) -> Move | None:
        """See the base class."""
        if not self.text("name") and self.window.preferences.now.name:
            self.entries["name"] = Entry.of(self.window.preferences.now.name, LONGEST_NAME)
        return Back()

    def _change(self, **changes: object) -> None:
        preferences = self.window.preferences
        preferences.change(**changes)
        if preferences.problem:
            self.tell(self.say("settings_unkept", why=preferences.problem))

    def _take(self, press: hands.Press, view: object) -> Move | None:
        """While a key is waited for, the next one that is pressed is it."""
        if not self._waiting or press.name == "mouse1":
            if press.kind == "down":
                self._waiting = ""
            return super()._take(press, view)  # type: ignore[arg-type]
        if press.kind != "down":
            return None
        name, self._waiting = self._waiting, ""
        if press.name != "escape":
            self._give_key(name, press.name)
        return None

    def _give_key(self, name: str, key: str) -> None:
        keys, language = self.window.preferences.now.keys, self.window.language
        holder = keys.taken_by(key)
        if not may_be_chosen(key):
            self.tell(self.say("set_key_fixed", pressed=shown(key, language)))
        elif holder is not None and holder != name:
            action = self.say(f"act_{holder}")
            self.tell(self.say("set_key_taken", pressed=shown(key, language), action=action))
        else:
            self._change(keys=keys.with_key(name, key))
