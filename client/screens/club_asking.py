"""What screens of the club have in common: they stand over the lobby, and ask for competitions.

What the lobby hears meanwhile (a match that is called, and the table that opens for it) leads from
here as from there.
"""

from abc import abstractmethod
from typing import TYPE_CHECKING

from client.screens.activity import Move
from client.screens.lobby_page import lost_words
from client.screens.page_screen import PageScreen
from shared_rules import messages as m

if TYPE_CHECKING:
    from client.screens.lobby import LobbyScreen


class ClubAsking(PageScreen):
    """Asks every ``every_s`` for all competitions and for that which is looked at, with its log if
    ``log``; :meth:`heard` gets the answers."""

    every_s = 4.0
    log = False

    def __init__(self, lobby: "LobbyScreen", competition: str = "") -> None:
        super().__init__(lobby.window)
        self._lobby, self.session = lobby, lobby.session
        self._competition = competition
        self._asked: set[int] = set()
        self._next_at = float("-inf")

    @abstractmethod
    def heard(self, answer: object) -> None:
        """One of the answers has come."""

    def line(self) -> str:
        """See the base class: that the connection is lost, and comes back by itself."""
        return lost_words(self.session, self.window.language)

    def ask_soon(self) -> None:
        """Something else is to be seen: ask with the next frame."""
        self._next_at = float("-inf")

    def tick(self, now: float) -> Move | None:
        """See the base class."""
        move = self._lobby.tick(now)
        if self._lobby.notice:
            self.tell(self._lobby.notice, self._lobby.tone)
            self._lobby.notice = ""
            self.ask_soon()  # what was done is to be seen
        if move is not None:
            self.notice = ""  # what it was about leads away from here
            return move
        for request in self._asked & self.session.looked_up.keys():
            self.heard(self.session.looked_up.pop(request))
        self._asked = {each for each in self._asked if self.session.waiting_for(each)}
        if self.session.phase == "ready" and not self._asked and now >= self._next_at:
            self._next_at = now + self.every_s
            self._asked.add(self.session.look_up(m.ListCompetitions))
            if self._competition:
                asked = self.session.look_up(
                    m.GetCompetition, competition=self._competition, log=self.log
                )
                self._asked.add(asked)
        return None

    def choose(self, competition: str) -> None:
        """Look at another competition."""
        self._competition = competition
        self.ask_soon()

    def choose_first(
        self, listed: tuple[m.CompetitionSummary, ...], liked: tuple[str, ...]
    ) -> None:
        """Look at the first of those that stand so, else at the first of all, if at none yet."""
        if not self._competition and listed:
            running = [one for one in listed if one.status in liked]
            self.choose((running or listed)[0].competition)
