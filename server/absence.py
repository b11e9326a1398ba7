"""Who is away from a match and for how long he may be: grace times and their cumulative budget.

Pure: times come in.  The keys ``disconnect.*`` of the ruleset say how long a player may be away at
a time, from when on his opponent may claim what comes of it, when it comes by itself, and how long
he may be away in a match; what it is that comes is the table's business.
"""

from dataclasses import dataclass

from server.storage.records import AbsenceRecord
from server.storage.records import Kind as Kind
from shared_rules.ruleset_keys import DisconnectRules
from shared_rules.state import Seat

SEATS: tuple[Seat, Seat] = (0, 1)


@dataclass(frozen=True)
class Away:
    """One absence.  ``claim_from``, ``until``: None while the match is adjourned."""

    kind: Kind
    since: float
    claim_from: float | None = None
    until: float | None = None


class Absence:
    """Both seats of one match."""

    def __init__(self, rules: DisconnectRules, used: tuple[float, float] = (0.0, 0.0)) -> None:
        """``used``: seconds of the budget that each seat has used up already."""
        self.rules = rules
        self._used = list(used)
        self._away: list[Away | None] = [None, None]

    @property
    def used(self) -> tuple[float, float]:
        """Seconds of the budget that each seat has used up, running absences not counted."""
        return self._used[0], self._used[1]

    @property
    def kept(self) -> tuple[AbsenceRecord, AbsenceRecord]:
        """What has to be stored of both seats."""
        return self._kept(0), self._kept(1)

    def away(self, seat: Seat) -> Away | None:
        """The absence of a seat; None: he is here."""
        return self._away[seat]

    def is_away(self, seat: Seat) -> bool:
        return self._away[seat] is not None

    def left(self, seat: Seat, now: float, kind: Kind = "dropped") -> None:
        """He is gone: his time runs from now (once; it doesn't start afresh)."""
        if self._away[seat] is None:
            self._begin(seat, kind, now)

    def resume(self, seat: Seat, kept: AbsenceRecord, now: float, pause_s: float) -> None:
        """After a restart everybody is away: his absence goes on, or begins now; it does not end
        before ``pause_s`` is over."""
        kind: Kind = kept.kind or "dropped"
        self._begin(seat, kind, now if kept.since is None else kept.since, now + pause_s)

    def back(self, seat: Seat, now: float) -> None:
        """He is here again."""
        self._book(seat, now)
        self._away[seat] = None

    def restart(self, seat: Seat, now: float, at_least_s: float = 0.0) -> None:
        """His time starts afresh, as far as the budget goes (after a game was awarded)."""
        away = self._away[seat]
        if away is not None:
            self._book(seat, now)
            self._begin(seat, away.kind, now, now + at_least_s)

    def stand_still(self, now: float) -> None:
        """Nothing runs while a match is adjourned."""
        for seat in SEATS:
            self._book(seat, now)
            away = self._away[seat]
            if away is not None:
                self._away[seat] = Away(away.kind, now)

    def exhausted(self, seat: Seat, now: float) -> bool:
        """Whether the whole budget is used up."""
        return self._used[seat] + self._running(seat, now) >= self.rules.budget_s - 1e-9

    def due(self) -> tuple[float, Seat] | None:
        """The next moment at which somebody's time runs out, and whose.

        With nobody there who could claim, the time is over with the longer of the two graces.
        """
        ends: list[tuple[float, Seat]] = []
        graces: list[float] = []
        for seat in SEATS:
            away = self._away[seat]
            if away is not None and away.until is not None and away.claim_from is not None:
                ends.append((away.until, seat))
                graces.append(away.claim_from)
        if not ends:
            return None
        until, seat = min(ends)
        return (min(until, max(graces)), seat) if len(ends) == 2 else (until, seat)

    def _begin(self, seat: Seat, kind: Kind, since: float, not_before: float = 0.0) -> None:
        rules = self.rules
        grace = min(rules.grace_s, rules.left_grace_s) if kind == "left" else rules.grace_s
        budget = rules.budget_s - self._used[seat]
        self._away[seat] = Away(
            kind=kind,
            since=since,
            claim_from=max(since + min(grace, budget), not_before),
            until=max(since + min(grace + rules.claim_s, budget), not_before),
        )

    def _kept(self, seat: Seat) -> AbsenceRecord:
        away, used_s = self._away[seat], self._used[seat]
        if away is None or away.until is None or away.kind == "idle":
            return AbsenceRecord(used_s=used_s)
        return AbsenceRecord(used_s=used_s, kind=away.kind, since=away.since)

    def _running(self, seat: Seat, now: float) -> float:
        away = self._away[seat]
        if away is None or away.until is None:
            return 0.0
        return max(0.0, now - away.since)

    def _book(self, seat: Seat, now: float) -> None:
        self._used[seat] = min(self.rules.budget_s, self._used[seat] + self._running(seat, now))
