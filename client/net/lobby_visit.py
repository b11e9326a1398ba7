"""What one does in a lobby and what comes of it: for the terminal and for the screen.  Sans I/O.

Questions go out through the session; answers and news come back from :meth:`LobbyVisit.step`, for
the owner to put into words.
"""

from collections import deque
from dataclasses import dataclass
from typing import Any

from client.net.company import News
from client.net.session import Session
from shared_rules import messages as m
from shared_rules.messages.lobby import Relation

LINES_KEPT = 100
LONGEST_LINE = 400
LONGEST_REASON = 100


@dataclass(frozen=True)
class Done:
    """Something that was asked for was carried out.  ``what``: as the asker called it."""

    what: str


@dataclass(frozen=True)
class NotDone:
    """It was refused, with the code and the server's sentence."""

    what: str
    code: str
    message: str


Told = Done | NotDone | News | m.Relations | m.RatingListed


class LobbyVisit:
    """A visit to the lobby of the server that a session is signed in to.

    ``mine``: challenges made to me, the latest last; ``made``: those that I made to somebody or to
    all, and still stand, with the name; ``waiting``: for a quick match; ``lines``: said in the
    lobby; ``relations``: as they were listed last.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.mine: dict[str, m.ChallengeSummary] = {}
        self.made: dict[str, str | None] = {}
        self.waiting = False
        self.lines: deque[m.ChatLine] = deque(maxlen=LINES_KEPT)
        self.relations: m.Relations | None = None
        self._asked: dict[int, str] = {}
        self._challenged: dict[int, str | None] = {}
        self._entering: int | None = None

    @property
    def inside(self) -> bool:
        """Whether the lobby is shown to us."""
        return self.session.company.seq is not None

    @property
    def busy(self) -> bool:
        """Whether an answer is still to come."""
        return bool(self._asked)

    def step(self) -> list[Told]:
        """Enter if that is to be done; what has come since the last call."""
        company = self.session.company
        if self.session.phase == "ready" and not self.inside and not self._on_the_way():
            self.mine.clear()  # what stands is told anew
            self.waiting = False
            self._entering = self.ask(m.EnterLobby)
        told: list[Told] = []
        for answer in self.session.take_answers():
            what = self._asked.pop(answer.re, "")
            whom = self._challenged.pop(answer.re, None)
            if answer.code is not None:
                if isinstance(answer.request, m.QuickMatch):
                    self.waiting = False
                told.append(NotDone(what, answer.code, answer.message))
                continue
            if answer.challenge is not None and isinstance(answer.request, m.Challenge):
                self.made[answer.challenge] = whom
            told.append(Done(what))
        for request in list(self.session.looked_up):
            found = self.session.looked_up[request]
            if isinstance(found, m.Relations | m.RatingListed):
                del self.session.looked_up[request]
                self._asked.pop(request, None)
                if isinstance(found, m.Relations):
                    self.relations = found
                told.append(found)
        for news in company.take():
            self._hear(news)
            told.append(news)
        return told

    def _on_the_way(self) -> bool:
        return self._entering is not None and self.session.waiting_for(self._entering)

    def _hear(self, news: News) -> None:
        match news:
            case m.Said(channel="lobby", line=line):
                self.lines.append(line)
            case m.Challenged(challenge=challenge):
                self.mine[challenge.challenge] = challenge
            case m.ChallengeOver(challenge=over):
                self.mine.pop(over, None)
                self.made.pop(over, None)
            case m.MatchFound():
                self.mine.pop(news.challenge or "", None)
                self.made.pop(news.challenge or "", None)
                self.waiting = False
            case m.QueueLeft():
                self.waiting = False

    # --- what is done ----------

    def ask(self, kind: Any, what: str = "", **fields: Any) -> int:
        """Send a request of a kind; ``what`` comes back with the answer."""
        request = self.session.look_up(kind, **fields)
        self._asked[request] = what
        return request

    def say(self, text: str) -> None:
        """A line to all."""
        if text.strip():
            self.ask(m.Say, text=text[:LONGEST_LINE])

    def watch(self, table: str, code: str | None, what: str = "") -> None:
        """Go to a table's spectators, from wherever one is."""
        self.leave_table()
        self._asked[self.session.watch(table, code)] = what

    def leave_table(self, what: str = "") -> None:
        """Go from the table, if one is at any."""
        left = self.session.leave()
        if left is not None:
            self._asked[left] = what

    def say_at_table(self, text: str) -> bool:
        """A line to those at the table who are there as one is; False: one is at none."""
        view = self.session.view
        if view is not None and text.strip():
            self.ask(m.Say, text=text[:LONGEST_LINE], table=view.table)
        return view is not None

    def rematch(self, table: str, what: str = "") -> bool:
        """Ask for a rematch at a table (or empty: where one is), back on one's seat first.

        False: there is no table to ask at.
        """
        view = self.session.view
        table = table or (view.table if view is not None else "")
        if not table:
            return False
        if view is None or view.table != table or view.role != "player":
            self.leave_table()
            self._asked[self.session.join(table)] = ""
        self.ask(m.Rematch, what, table=table)
        return True

    def challenge(self, who: str | None, terms: m.TableTerms, what: str = "") -> None:
        """Challenge somebody, or anybody."""
        self._challenged[self.ask(m.Challenge, what, who=who, terms=terms)] = who

    def answer(self, challenge: str, accept: bool, reason: str = "", what: str = "") -> None:
        """Accept or decline a challenge."""
        self.ask(
            m.AnswerChallenge, what, challenge=challenge, accept=accept,
            reason=reason[:LONGEST_REASON],
        )  # fmt: skip

    def named(self, word: str) -> str:
        """The id of a challenge that stands; of the latest to me for another word, or empty."""
        known = {**self.mine, **self.session.company.challenges}
        return word.upper() if word.upper() in known else next(reversed(self.mine), "")

    def withdraw(self, challenge: str, what: str = "") -> None:
        """Take a challenge back."""
        self.made.pop(challenge, None)
        self.ask(m.WithdrawChallenge, what, challenge=challenge)

    def quick(self, terms: m.TableTerms, what: str = "") -> None:
        """Wait for whoever wants the same terms."""
        self.waiting = True
        self.ask(m.QuickMatch, what, terms=terms)

    def leave_queue(self, what: str = "") -> None:
        """Wait no more."""
        self.waiting = False
        self.ask(m.LeaveQueue, what)

    def relate(self, who: str, relation: Relation, on: bool, what: str = "") -> None:
        """Follow, mute or block somebody, or no more."""
        self.ask(m.Relate, what, who=who, relation=relation, on=on)
