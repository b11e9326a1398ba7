"""The competitions of the club whose server one is at: who is up when, standings, matches.

It stands over the lobby, whose connection it uses: what the lobby hears meanwhile (a match that is
called, and the table that opens for it) leads from here as from there.
"""

from typing import TYPE_CHECKING

from client.hud.page import Page
from client.screens import club_page
from client.screens.activity import Back, Move, Open
from client.screens.console import ConsoleScreen
from client.screens.lobby_page import lost_words
from client.screens.page_screen import PageScreen
from shared_rules import messages as m

if TYPE_CHECKING:
    from client.screens.lobby import LobbyScreen

ASK_EVERY_S = 4.0
RUN_BY = ("official", "administrator")
"""Roles that may run competitions."""


class ClubScreen(PageScreen):
    """See the module."""

    def __init__(self, lobby: "LobbyScreen") -> None:
        super().__init__(lobby.window)
        self._lobby = lobby
        self.session = lobby.session
        self.competitions: tuple[m.CompetitionSummary, ...] | None = None
        self.shown: m.CompetitionShown | None = None
        self._chosen = ""
        self._asked: set[int] = set()
        self._next_at = float("-inf")

    def page(self) -> Page:
        """See the base class."""
        language, me = self.window.language, self.session.name
        runs = self.session.role in RUN_BY
        return club_page.describe(self.competitions, self.shown, me, language, runs)

    def press(self, action: str) -> Move | None:
        """See the base class."""
        if action == "back":
            return Back()
        if action == "console":
            return Open(ConsoleScreen(self._lobby, self._chosen))
        self._chosen, self.shown = action.removeprefix("competition:"), None
        self._next_at = float("-inf")
        return None

    def line(self) -> str:
        """See the base class: that the connection is lost, and comes back by itself."""
        return lost_words(self.session, self.window.language)

    def tick(self, now: float) -> Move | None:
        """See the base class."""
        move = self._lobby.tick(now)
        if self._lobby.notice:
            self.tell(self._lobby.notice, self._lobby.tone)
            self._lobby.notice = ""
        if move is not None:
            self.notice = ""  # what it was about leads away from here
            return move
        self._hear()
        self._asked = {each for each in self._asked if self.session.waiting_for(each)}
        if self.session.phase == "ready" and not self._asked and now >= self._next_at:
            self._next_at = now + ASK_EVERY_S
            self._asked.add(self.session.look_up(m.ListCompetitions))
            if self._chosen:
                asked = self.session.look_up(m.GetCompetition, competition=self._chosen)
                self._asked.add(asked)
        return None

    def _hear(self) -> None:
        """What has been answered."""
        for request in self._asked & self.session.looked_up.keys():
            found = self.session.looked_up.pop(request)
            if isinstance(found, m.Competitions):
                self.competitions = found.competitions
                if not self._chosen and found.competitions:
                    running = [c for c in found.competitions if c.status == "drawn"]
                    self._chosen = (running or found.competitions)[0].competition
                    self._next_at = float("-inf")
            elif isinstance(found, m.CompetitionShown) and found.competition == self._chosen:
                self.shown = found
