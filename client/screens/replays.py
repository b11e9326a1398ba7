"""Matches that were played: opened from a file, or chosen from those that a server has kept."""

import argparse
import shlex
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from client.address import websocket_url
from client.hud.entry import Entry
from client.hud.page import Heading, Page, Paragraph, Pick, Press, Widget
from client.reasons import reason_text
from client.replay import sources
from client.screens.activity import Back, Move, Open
from client.screens.page_screen import PageScreen
from client.screens.places import used_places
from client.screens.replay import ReplayViewer
from client.screens.window import Window
from shared_rules import messages as m

LONGEST_PATH = 1000
LONGEST_ADDRESS = 300
PAGE = 20
Found = sources.Match | m.ReplayList


class Asking:
    """Something that takes a while, in a thread; ``done``, then ``found`` or ``problem``."""

    def __init__(self, ask: Callable[[], Found]) -> None:
        self.found: Found | None = None
        self.problem = ""
        self._ask = ask
        self._thread = threading.Thread(target=self._run, name="headstring-replays", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.found = self._ask()
        except sources.NotToBeHad as error:
            self.problem = str(error)

    @property
    def done(self) -> bool:
        """Whether it has come to its end."""
        return not self._thread.is_alive()


class ReplaysScreen(PageScreen):
    """See the module."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        places = used_places()
        self.entries["path"] = Entry.of("", LONGEST_PATH)
        self.entries["address"] = Entry.of(places[0].url if places else "", LONGEST_ADDRESS)
        self._mine = False
        self._matches: tuple[m.ReplaySummary, ...] = ()
        self._url = ""
        self._source = ""
        self._next: str | None = None
        self._listed = False
        self._asking: Asking | None = None
        self.focus = "path"

    def page(self) -> Page:
        """See the base class."""
        busy = self.say("replays_asking") if self._asking is not None else ""
        file: tuple[Widget, ...] = (
            Heading(self.say("replays_file")),
            self.field("path", self.say("replays_path"), hint="match.headstring"),
            Press("open", self.say("replays_open"), why_not=busy, strong=self.focus == "path"),
        )
        mine = self.say("yes" if self._mine else "no")
        served: list[Widget] = [
            Heading(self.say("replays_server")),
            self.field("address", self.say("replays_address"), hint="pool.example.org"),
            Pick("mine", self.say("replays_mine"), mine),
            Press("list", self.say("replays_list"), why_not=busy, strong=self.focus == "address"),
        ]
        if busy:
            served.append(Paragraph(busy, "note"))
        elif self._listed and not self._matches:
            served.append(Paragraph(self.say("replays_none"), "note"))
        served += [self._entry(match, busy) for match in self._matches]
        if self._next is not None:
            served.append(Press("more", self.say("replays_more"), why_not=busy))
        footer = (Press("back", self.say("back_button")),)
        return Page(self.say("replays_title"), (file, tuple(served)), footer)

    def _entry(self, match: m.ReplaySummary, busy: str) -> Press:
        day = datetime.fromtimestamp(match.opened_at).strftime("%Y-%m-%d %H:%M")
        score = self.say(f"replay_{match.status}")
        if match.result is not None:
            sets = max(match.result.sets) > 1
            won = match.result.sets if sets else match.result.games
            score = f"{won[0]} : {won[1]}"
        note = f"{day} · {match.ruleset} · {match.match}"
        return Press(f"match:{match.match}", " – ".join(match.players), note, busy, value=score)

    def press(self, action: str) -> Move | None:
        """See the base class."""
        if action == "back":
            return Back()
        if action == "open":
            path = self.text("path")
            if not path:
                self.tell(self.say("replays_need_path"))
            else:
                self._source = shlex.quote(path)
                self._asking = Asking(lambda: sources.match_in(Path(path)))
        elif action == "list":
            self._list()
        elif action == "more":
            self._ask_page(self._next)
        else:
            url, name = self._url, self.window.preferences.now.name
            match = action.removeprefix("match:")
            self._source = f"{match} --server {url}"
            self._asking = Asking(lambda: sources.match_of(url, name, match))
        return None

    def pick(self, action: str, step: int) -> Move | None:
        """See the base class."""
        self._mine = not self._mine
        return None

    def submit(self, action: str) -> Move | None:
        """Enter in a line does what stands below it."""
        if self._asking is not None:
            return None
        return self.press("open" if action == "path" else "list")

    def tick(self, now: float) -> Move | None:
        """What was asked for has come, or can't be had."""
        asked = self._asking
        if asked is None or not asked.done:
            return None
        self._asking = None
        if asked.found is None:
            why = reason_text(self.window.language, asked.problem)
            self.tell(self.say("replays_unread", why=why))
        elif isinstance(asked.found, m.ReplayList):
            self._matches += asked.found.matches
            self._next, self._listed = asked.found.next, True
        else:
            summary, timeline = asked.found
            return Open(ReplayViewer(self.window, timeline, summary, source=self._source))
        return None

    def _list(self) -> None:
        try:
            self._url = websocket_url(self.text("address"))
        except (ValueError, argparse.ArgumentTypeError):
            self.tell(self.say("replays_need_address"))
            return
        self._matches, self._next, self._listed = (), None, False
        self._ask_page(None)

    def _ask_page(self, page: str | None) -> None:
        url, name, mine = self._url, self.window.preferences.now.name, self._mine
        self._asking = Asking(lambda: sources.list_of(url, name, mine, page, PAGE))
