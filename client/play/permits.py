"""What the player may do now, asked of the rules themselves, and the reason why not."""

from client.net.session import Session
from client.words import say
from shared_rules import commands as c
from shared_rules.commands import Actor
from shared_rules.lifecycle import check
from shared_rules.placement import check_placement
from shared_rules.refusal import Refusal
from shared_rules.state import MatchState, Seat
from shared_rules.table import Position
from shared_rules.wording import refusal_text


class Permits:
    """Answers for one frame: the state, one's seat, the server's clock and the link."""

    def __init__(self, session: Session, language: str, server_now: float | None) -> None:
        self.language = language
        self._session = session
        self._now = server_now

    def why_not(self, kind: type[c.CommandBase]) -> str:
        """The reason why a command can't be given now; empty if it can."""
        view = self._session.view
        if self._session.phase != "ready":
            return say(self.language, "why_lost")
        if view is None or view.state is None:
            return say(self.language, "why_not_now")
        if view.seat is None and view.role != "referee":
            return say(self.language, "why_watching")
        if self._session.busy:
            return say(self.language, "why_busy")
        try:
            by = Actor.REFEREE if view.seat is None else Actor.of(view.seat)
            check(view.state, by, kind, self._now)
        except Refusal as refusal:
            return refusal_text(refusal.code, self.language, refusal.message)
        return ""

    def why_not_there(self, state: MatchState, seat: Seat, place: Position) -> str:
        """The reason why the ball in hand can't be put there; empty if it can."""
        try:
            check_placement(state, seat, place)
        except Refusal as refusal:
            return refusal_text(refusal.code, self.language, refusal.message)
        return ""
