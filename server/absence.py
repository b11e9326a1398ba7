"""Who is away from a match and for how long he may be: grace times and their cumulative budget.

Pure: times come in.  A player may be away ``grace_s`` at a time and ``budget_s`` in a match (keys
``disconnect.*`` of the ruleset); what follows is the table's business.
"""

from shared_rules.state import Seat


class Absence:
    """Both seats of one match."""

    def __init__(
        self, grace_s: float, budget_s: float, used: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        self.grace_s = grace_s
        self.budget_s = budget_s
        self._used = list(used)
        self._since: list[float | None] = [None, None]
        self._until: list[float | None] = [None, None]

    @property
    def used(self) -> tuple[float, float]:
        """Seconds of the budget that each seat has used up, running absences not counted."""
        return self._used[0], self._used[1]

    def is_away(self, seat: Seat) -> bool:
        return self._since[seat] is not None

    def away_until(self, seat: Seat) -> float | None:
        """When the time of an absent player runs out; None: he is here, or nothing runs."""
        return self._until[seat]

    def left(self, seat: Seat, now: float) -> None:
        """He is gone: his time runs from now (once; it doesn't start afresh)."""
        if self._since[seat] is None:
            self.restart(seat, now)

    def back(self, seat: Seat, now: float) -> None:
        """He is here again."""
        self._book(seat, now)
        self._since[seat] = self._until[seat] = None

    def restart(self, seat: Seat, now: float, at_least_s: float = 0.0) -> None:
        """His time starts afresh, as far as the budget goes (after a game was awarded)."""
        self._book(seat, now)
        self._since[seat] = now
        left = min(self.grace_s, self.budget_s - self._used[seat])
        self._until[seat] = now + max(left, at_least_s)

    def stand_still(self, now: float) -> None:
        """Nothing runs while a match is adjourned."""
        for seat in (0, 1):
            self._book(seat, now)
            self._until[seat] = None
            if self._since[seat] is not None:
                self._since[seat] = now

    def exhausted(self, seat: Seat, now: float) -> bool:
        """Whether the whole budget is used up."""
        return self._used[seat] + self._running(seat, now) >= self.budget_s - 1e-9

    def due(self) -> tuple[float, Seat] | None:
        """The next moment at which somebody's time runs out, and whose."""
        ends: list[tuple[float, Seat]] = []
        for seat in (0, 1):
            until = self._until[seat]
            if until is not None:
                ends.append((until, seat))
        return min(ends) if ends else None

    def _running(self, seat: Seat, now: float) -> float:
        since = self._since[seat]
        if since is None or self._until[seat] is None:
            return 0.0
        return max(0.0, now - since)

    def _book(self, seat: Seat, now: float) -> None:
        self._used[seat] = min(self.budget_s, self._used[seat] + self._running(seat, now))
