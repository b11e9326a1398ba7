"""Whether the server knows more of a table than has come here, and when to ask for the rest.

A gap in the numbers of events is seen at once.  That the latest event is missing shows only in
what doesn't happen: a command was accepted and nothing comes of it, balls have come to rest and
nobody judges, a clock has run out and stands.  A question that isn't answered is asked again.
"""

from client.net.view import TableView
from shared_rules.state import Phase

AGAIN_S = 4.0
"""A question that has brought nothing is asked again after so long."""
LATE_S = 2.0
"""So much later than it was due something is missing, and not only late."""


class CatchingUp:
    """Local times are seconds of ``time.monotonic``."""

    def __init__(self) -> None:
        self.asking = False
        self._asked_at = -AGAIN_S
        self._version = 0
        self._told_at = 0.0

    def ask(self, now: float) -> None:
        """The rest is being asked for."""
        self.asking, self._asked_at = True, now

    def answered(self) -> None:
        """The server has answered: the rest comes."""
        self.asking = False

    def told(self, version: int | None, now: float) -> None:
        """The server has said that the match is at least of this version."""
        if version is not None and version > self._version:
            self._version, self._told_at = version, now

    def forget(self) -> None:
        """It is about another table from now on."""
        self.asking, self._version = False, 0

    def due(self, view: TableView, server: float | None, now: float) -> bool:
        """Whether to ask now; ``server``: the server's clock, None if it isn't known."""
        if not view.known or view.closed is not None or now - self._asked_at < AGAIN_S:
            return False
        if self.asking:
            return True
        state = view.state
        if state is not None and self._version > state.version and now - self._told_at >= LATE_S:
            return True
        return server is not None and _is_overdue(view, server)


def _is_overdue(view: TableView, server: float) -> bool:
    state = view.state
    if state is None:
        return False
    if state.phase is Phase.SHOT_RUNNING:
        shot = view.running
        return shot is not None and server > shot.started_at + shot.trajectory.duration + LATE_S
    deadline = state.clock.deadline
    return deadline is not None and server > deadline + view.delay_s + LATE_S
