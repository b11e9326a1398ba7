"""Signals: what at a table, or beside it, is worth a sound.  Each has something that is seen too.

Pure: a table's view and the frame's HUD in, names of sounds out.
"""

from client.hud.model import ClockFace
from client.net.company import News
from client.net.view import TableView
from client.play.hand import CHOOSING, SHOOTING, Mode
from shared_rules import messages as m
from shared_rules.state import Phase

HANDS_ON = frozenset({Mode.AIM, Mode.PLACE, Mode.CHOOSE})
LAST_SECONDS = frozenset({10, 5, 4, 3, 2, 1})


class Alerts:
    """What has been signalled already, so that nothing sounds twice."""

    def __init__(self) -> None:
        self._table = ""
        self._last_actor: int | None = None
        self._second: int | None = None
        self._opponent: bool | None = None

    def heard(self, view: TableView | None, mode: Mode, clock: ClockFace | None) -> list[str]:
        """The signals of a frame: the turn, the clock, an opponent who has come."""
        if view is None or view.state is None or view.seat is None:
            return []
        if view.table != self._table:
            self.__init__()  # type: ignore[misc]
            self._table = view.table
        sounds = []
        if self._opponent_came(view):
            sounds.append("challenge")
        if self._turn_came(view, mode):
            sounds.append("turn")
        if self._knock(mode, clock):
            sounds.append("warning")
        return sounds

    def _opponent_came(self, view: TableView) -> bool:
        assert view.seat is not None
        member = view.players[1 - view.seat]
        here = member is not None and member.connected
        came = here and self._opponent is False
        self._opponent = here
        return came

    def _turn_came(self, view: TableView, mode: Mode) -> bool:
        """Whether one's turn begins: not each of one's strokes, only after another's."""
        state = view.state
        assert state is not None
        if state.phase is Phase.LAG:
            began = self._last_actor != -1 and mode in HANDS_ON
            self._last_actor = -1
            return began
        if state.phase not in SHOOTING and state.phase not in CHOOSING:
            return False
        actor = state.decider if state.phase in CHOOSING else state.shooter
        if actor is None:
            return False
        if mode in HANDS_ON and actor == view.seat and self._last_actor != actor:
            self._last_actor = actor
            return True
        if actor != view.seat:
            self._last_actor = actor
        return False

    def _knock(self, mode: Mode, clock: ClockFace | None) -> bool:
        """Whether one's own clock passes one of its last seconds."""
        if clock is None or not clock.urgent or mode not in HANDS_ON:
            self._second = None
            return False
        before, self._second = self._second, clock.seconds
        return clock.seconds != before and clock.seconds in LAST_SECONDS


def sound_of_news(news: News, own_name: str) -> str:
    """The signal for what a server tells beside one's table; empty for what needs none."""
    if isinstance(news, m.Challenged | m.MatchFound | m.MatchCalled | m.RematchOffered):
        return "challenge"
    if isinstance(news, m.Said):
        return "" if news.line.by == own_name else "chat"
    quiet = m.ChallengeOver | m.QueueLeft | m.FriendSeated | m.Silenced | m.MatchCallOver
    if isinstance(news, quiet):
        return "chat"
    return ""
