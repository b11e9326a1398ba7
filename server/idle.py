"""Who sits at a table and does nothing: how long the match has waited for each player.

Pure: times come in.  Only the time counts for which it is he whom the match waits for: his stroke,
his decision, his lag; with every order of his it starts afresh.  A clock that runs out is no order.
"""

from collections.abc import Callable

from shared_rules.clocks import waited_for
from shared_rules.state import MatchState, Seat


class Idleness:
    """Both seats of one match.  ``limit_s``: who is waited for so long sits idle; 0: nobody ever
    does."""

    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self._waited_s = [0.0, 0.0]
        self._for: tuple[Seat, ...] = ()
        self._since = 0.0

    def look(self, state: MatchState, now: float, by: Seat | None = None) -> None:
        """The match is at a new state since ``now``, by an order of a seat or of nobody at it."""
        for seat in self._for:
            self._waited_s[seat] += max(0.0, now - self._since)
        if by is not None:
            self._waited_s[by] = 0.0
        self._for, self._since = waited_for(state), now

    def forgive(self, seat: Seat, now: float) -> None:
        """He has come to the table: it starts afresh."""
        self._waited_s[seat] = min(0.0, self._since - now)

    def due(self, here: Callable[[Seat], bool]) -> tuple[float, Seat] | None:
        """When the next of those who are here has sat idle for too long, and who; None: nobody."""
        if not self._limit_s:
            return None
        ends = [(self._since + self._limit_s - self._waited_s[s], s) for s in self._for if here(s)]
        return min(ends, default=None)
