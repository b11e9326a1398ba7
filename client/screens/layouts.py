"""Racks and layouts: other balls for the practice table, kept ones, and a text to share them."""

import secrets

from client.hud.entry import Entry
from client.hud.page import Beside, Heading, Page, Paragraph, Pick, Press, Widget
from client.practice.layout import (
    MOST_TEXT,
    PRESETS,
    LayoutError,
    TableLayout,
    free_place,
    racked,
    read,
    written,
)
from client.practice.practising import Practising
from client.practice.store import LONGEST_NAME
from client.screens.activity import Back, Move
from client.screens.clipboard import NoClipboard, copy
from client.screens.page_screen import PageScreen, stepped
from client.screens.window import Window
from client.words import WORDS
from physics.rack import DISCIPLINES
from shared_rules.balls import CUE


class LayoutsScreen(PageScreen):
    """See the module."""

    def __init__(self, window: Window, practising: Practising) -> None:
        super().__init__(window)
        self._practising = practising
        self._table = practising.layout.table
        self.entries["name"] = Entry.of("", LONGEST_NAME)
        self.entries["text"] = Entry.of("", MOST_TEXT)
        self.focus = f"rack:{DISCIPLINES[0]}"

    def page(self) -> Page:
        """See the base class."""
        footer = (Press("back", self.say("back"), strong=True),)
        columns = (self._racks(), self._kept(), self._shared())
        return Page(self.say("layouts_title"), columns, footer)

    def _racks(self) -> tuple[Widget, ...]:
        racks = [Press(f"rack:{name}", self.say(f"rack_{name}")) for name in DISCIPLINES]
        return (
            Heading(self.say("layouts_racks")),
            Pick("table", self.say("layouts_table"), self.say(f"table_{self._table}")),
            *racks,
            Press("clear", self.say("layouts_clear")),
        )

    def _kept(self) -> tuple[Widget, ...]:
        rows: list[Widget] = [
            Heading(self.say("layouts_kept")),
            self.field("name", self.say("layouts_name")),
            Press(
                "keep", self.say("layouts_keep"),
                why_not="" if self.text("name") else self.say("layouts_need_name"),
            ),
        ]  # fmt: skip
        names = self._practising.kept.layouts
        if names:
            rows.append(Heading(self.say("practice_keeping")))
        for name in names:
            rows.append(
                Beside(
                    (
                        Press(f"load:{name}", name),
                        Press(f"drop:{name}", self.say("layouts_drop", name=name)),
                    )
                )
            )
        return tuple(rows)

    def _shared(self) -> tuple[Widget, ...]:
        return (
            Heading(self.say("layouts_share")),
            Paragraph(self.say("layouts_text"), "note", small=True),
            Paragraph(written(self._practising.layout), small=True),
            Press("copy", self.say("layouts_copy")),
            self.field("text", self.say("layouts_paste")),
            Press(
                "use", self.say("layouts_use"),
                why_not="" if self.text("text") else self.say("layouts_empty"),
            ),
        )  # fmt: skip

    def press(self, action: str) -> Move | None:
        """See the base class."""
        kind, _, what = action.partition(":")
        if kind == "back":
            return Back()
        if kind == "rack":
            seed = secrets.randbits(63)
            return self._put(racked(self._table, what, seed))  # type: ignore[arg-type]
        if kind == "clear":
            bare = TableLayout(self._table)
            return self._put(bare.with_ball(CUE, free_place(bare, CUE)))
        if kind == "use":
            return self._read(self.text("text"))
        if kind == "load":
            return self._load(what)
        if kind == "copy":
            self._copy()
        else:
            self._change_kept(kind, what)
        return None

    def submit(self, action: str) -> Move | None:
        """Enter in a line does what belongs to the line."""
        if self.text(action):
            return self.press("keep" if action == "name" else "use")
        return None

    def pick(self, action: str, step: int) -> Move | None:
        """Another table: what lies on this one stays until a rack is chosen."""
        self._table = str(stepped(PRESETS, self._table, step))
        return None

    def _put(self, layout: TableLayout) -> Move:
        self._practising.put(layout, anew=True)
        return Back()

    def _read(self, text: str) -> Move | None:
        try:
            return self._put(read(text))
        except LayoutError as error:
            self.tell(layout_fault(error, self.window.language))
        return None

    def _load(self, name: str) -> Move | None:
        try:
            return self._put(self._practising.kept.layout(name))
        except LayoutError as error:
            self.tell(layout_fault(error, self.window.language))
        return None

    def _copy(self) -> None:
        try:
            copy(written(self._practising.layout))
        except NoClipboard as error:
            self.tell(self.say("no_clipboard_to", why=error))
        else:
            self.tell(self.say("layouts_copied"), "good")

    def _change_kept(self, kind: str, name: str) -> None:
        kept = self._practising.kept
        try:
            if kind == "keep":
                name = self.text("name")
                kept.keep_layout(name, self._practising.layout)
                self.tell(self.say("layouts_was_kept", name=name), "good")
            else:
                kept.drop_layout(name)
                self.tell(self.say("layouts_dropped", name=name), "note")
        except OSError as error:
            self.tell(self.say("layouts_unkept", why=error))


def layout_fault(error: LayoutError, language: str) -> str:
    """Why a text is no layout, in the language of the screen."""
    if language != "cs":
        return str(error)
    return WORDS.get(f"layout_{error.code}", WORDS["layout_bad"])[1]
