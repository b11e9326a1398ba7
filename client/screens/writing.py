"""One line to write over the table, such as what a ruling is asked about."""

from collections.abc import Callable

from client.hud.entry import Entry
from client.hud.page import Page, Paragraph, Press
from client.screens.activity import Back, Move
from client.screens.page_screen import PageScreen
from client.screens.window import Window

MOST_REASON = 200
"""Characters of a reason, as the wire has it."""


class WritingScreen(PageScreen):
    """Asks for a line, which may be empty, and hands it over.

    Args:
        title: key of what it is for; ``TITLE_body`` says more.
        give: takes the line.
    """

    def __init__(self, window: Window, title: str, give: Callable[[str], None]) -> None:
        super().__init__(window)
        self._title, self._give = title, give
        self.entries = {"line": Entry.of("", MOST_REASON)}
        self.focus = "line"

    def page(self) -> Page:
        """See the base class."""
        rows = (
            Paragraph(self.say(f"{self._title}_body")),
            self.field("line", self.say("ref_reason")),
        )
        footer = (
            Press("give", self.say(self._title), strong=True),
            Press("back", self.say("back")),
        )
        return Page(self.say(self._title), (rows,), footer)

    def press(self, action: str) -> Move | None:
        """See the base class."""
        if action == "give":
            self._give(self.text("line"))
        return Back()
