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
from client.screens.page_screen import PageScreen, stepped
from client.screens.places import used_places
from client.screens.replay import ReplayViewer
from client.screens.window import Window
from shared_rules import messages as m

LONGEST_PATH = 1000
LONGEST_ADDRESS = 300
LONGEST_NAME = 32
STATUSES = (None, "over", "running", "adjourned")
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
        self.entries["player"] = Entry.of("", LONGEST_NAME)
        self.entries["match"] = Entry.of("", LONGEST_NAME)
        self._mine = False
        self._status: str | None = None
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
            self.field("player", self.say("replays_player")),
            Pick(
                "status",
                self.say("replays_status"),
                self.say(f"replay_{self._status}" if self._status else "replays_any"),
            ),
            Press("list", self.say("replays_list"), why_not=busy, strong=self.focus == "address"),
        ]
        if busy:
            served.append(Paragraph(busy, "note"))
        elif self._listed and not self._matches:
            served.append(Paragraph(self.say("replays_none"), "note"))
        by_id: tuple[Widget, ...] = (
            self.field("match", self.say("replays_match"), hint="K7Q2MX"),
            Press("by_id", self.say("replays_open"), why_not=busy, strong=self.focus == "match"),
        )
        served += [self._entry(match, busy) for match in self._matches]
        if self._next is not None:
            served.append(Press("more", self.say("replays_more"), why_not=busy))
        footer = (Press("back", self.say("back_button")),)
        return Page(self.say("replays_title"), ((*file, *by_id), tuple(served)), footer)

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
        elif action == "by_id":
            match = self.text("match").upper()
            if self._found_server() and match:
                self._open(match)
        else:
            self._open(action.removeprefix("match:"))
        return None

    def _open(self, match: str) -> None:
        url, name = self._url, self.window.preferences.now.name
        self._source = f"{match} --server {url}"
        self._asking = Asking(lambda: sources.match_of(url, name, match))

    def pick(self, action: str, step: int) -> Move | None:
        """See the base class."""
        if action == "status":
            self._status = stepped(STATUSES, self._status, step)  # type: ignore[assignment]
        else:
            self._mine = not self._mine
        return None

    def submit(self, action: str) -> Move | None:
        """Enter in a line does what stands below it."""
        if self._asking is not None:
            return None
        return self.press({"path": "open", "match": "by_id"}.get(action, "list"))

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

    def _found_server(self) -> bool:
        """Whether the address that is written is one; it is told if it isn't."""
        try:
            self._url = websocket_url(self.text("address"))
        except (ValueError, argparse.ArgumentTypeError):
            self.tell(self.say("replays_need_address"))
            return False
        return True

    def _list(self) -> None:
        if not self._found_server():
            return
        self._matches, self._next, self._listed = (), None, False
        self._ask_page(None)

    def _ask_page(self, page: str | None) -> None:
        url, name, mine = self._url, self.window.preferences.now.name, self._mine
        only = {"player": self.text("player") or None, "status": self._status}
        self._asking = Asking(lambda: sources.list_of(url, name, mine, page, PAGE, **only))
