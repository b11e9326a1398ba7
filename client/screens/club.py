"""The competitions of the club whose server one is at: who is up when, standings, matches."""

from typing import TYPE_CHECKING

from client.hud.page import Page
from client.screens import club_page
from client.screens.activity import Back, Move, Open
from client.screens.club_asking import ClubAsking
from client.screens.console import ConsoleScreen
from shared_rules import messages as m

if TYPE_CHECKING:
    from client.screens.lobby import LobbyScreen

RUN_BY = ("official", "administrator")
"""Roles that may run competitions."""


class ClubScreen(ClubAsking):
    """See the module."""

    def __init__(self, lobby: "LobbyScreen") -> None:
        super().__init__(lobby)
        self.competitions: tuple[m.CompetitionSummary, ...] | None = None
        self.shown: m.CompetitionShown | None = None

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
            return Open(ConsoleScreen(self._lobby, self._competition))
        self.shown = None
        self.choose(action.removeprefix("competition:"))
        return None

    def heard(self, answer: object) -> None:
        """See the base class."""
        if isinstance(answer, m.Competitions):
            self.competitions = answer.competitions
            self.choose_first(answer.competitions, ("drawn",))
        elif isinstance(answer, m.CompetitionShown) and answer.competition == self._competition:
            self.shown = answer
