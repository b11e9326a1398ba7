"""Talk at a table: what was said there, and a line of one's own.

Players and referee talk among themselves, and so do those who watch: the server tells each what
is his to read.
"""

from client.hud.entry import Entry
from client.hud.page import Page, Paragraph, Press, Widget
from client.net.session import Session
from client.screens.activity import Back, Move
from client.screens.page_screen import PageScreen
from client.screens.window import Window
from shared_rules import messages as m
from shared_rules.messages.chat import MAX_LINE

SHOWN = 30


class TalkScreen(PageScreen):
    """Opened over the table; a line that the server refuses is told there in passing."""

    def __init__(self, window: Window, session: Session) -> None:
        super().__init__(window)
        self.session = session
        self.entries = {"line": Entry.of("", MAX_LINE)}
        self.focus = "line"

    def page(self) -> Page:
        """See the base class."""
        view = self.session.view
        said = self.session.company.said_at(view.table) if view is not None else ()
        watching = view is not None and view.role == "spectator"
        who = self.say("talk_watchers" if watching else "talk_players")
        rows: list[Widget] = [
            Paragraph(who, "note", small=True),
            self.field("line", self.say("lobby_say")),
        ]
        if not said:
            rows.append(Paragraph(self.say("lobby_silence"), "note", small=True))
        rows += [Paragraph(f"{line.by}: {line.text}") for line in reversed(said[-SHOWN:])]
        why = "" if self.session.phase == "ready" else self.say("why_lost")
        footer = (
            Press("say", self.say("lobby_send"), why_not=why, strong=True),
            Press("back", self.say("back")),
        )
        return Page(self.say("talk"), (tuple(rows),), footer)

    def press(self, action: str) -> Move | None:
        """See the base class."""
        if action == "back":
            return Back()
        view, text = self.session.view, self.text("line")
        if view is not None and text:
            self.session.look_up(m.Say, text=text, table=view.table)
            self.entries["line"] = Entry.of("", MAX_LINE)
        return None
