"""The network's part of a player's time: how long his line is, and how much of it he is credited.

A player learns of his turn half a round trip late, and what he does comes half a round trip late.
His line is measured by the server's own websocket pings, never by what a client says; and since a
client may keep its pongs back, what he can gain by it is bounded: ``most_s`` at a time, and over a
match a quota that refills by ``gain_s`` a turn.  lichess bounds its lag compensation the same way
(scalachess, ``LagTracker``).  All times are real seconds.
"""

from dataclasses import dataclass

from shared_rules.state import Seat

_MEAN_WEIGHT = 1 / 8
_DEVIATION_WEIGHT = 1 / 4
_LONGEST_S = 2.0
"""A round trip counts as at most this: one that was stuck says little about the next."""
_STEPS_S = (0.1, 0.25, 0.5, 1.0)
_HYSTERESIS = 0.2


class LineDelay:
    """The round trip of one connection, smoothed as TCP does it (RFC 6298).

    ``quality``: 0, the best, to 4, by ``_STEPS_S``; it changes only for a clear change.
    """

    def __init__(self) -> None:
        self.round_trip_s: float | None = None
        self.deviation_s = 0.0
        self.quality = 0

    def measured(self, round_trip_s: float) -> bool:
        """A ping was answered after so long; returns whether ``quality`` has changed."""
        trip = min(max(0.0, round_trip_s), _LONGEST_S)
        if self.round_trip_s is None:
            self.round_trip_s, self.deviation_s = trip, trip / 2
        else:
            off = trip - self.round_trip_s
            self.deviation_s += _DEVIATION_WEIGHT * (abs(off) - self.deviation_s)
            self.round_trip_s += _MEAN_WEIGHT * off
        before, self.quality = self.quality, self._quality()
        return self.quality != before

    @property
    def allowance_s(self) -> float:
        """What nearly every round trip stays within: mean and deviation; 0 before the first."""
        return 0.0 if self.round_trip_s is None else self.round_trip_s + self.deviation_s

    def _quality(self) -> int:
        trip = self.round_trip_s or 0.0
        worse = sum(trip > step * (1 + _HYSTERESIS) for step in _STEPS_S)
        better = sum(trip > step * (1 - _HYSTERESIS) for step in _STEPS_S)
        return min(max(self.quality, worse), better)


@dataclass(frozen=True)
class CreditLimits:
    """``most_s``: the most for one command, 0: no credit; ``quota_s``: in hand at first and at
    most; ``gain_s``: what each turn that a player has finished adds to it."""

    most_s: float = 0.5
    quota_s: float = 2.0
    gain_s: float = 0.2


class DelayCredit:
    """What is left of the quota of each seat of one match."""

    def __init__(self, limits: CreditLimits) -> None:
        self.limits = limits
        self._left = [limits.quota_s, limits.quota_s]

    def available(self, seat: Seat, line: LineDelay | None) -> float:
        """The credit that a command of this seat would have now; None: he is not connected."""
        if line is None:
            return 0.0
        return min(line.allowance_s, self.limits.most_s, self._left[seat])

    def spend(self, seat: Seat, seconds: float) -> None:
        """He has used so much of it."""
        self._left[seat] = max(0.0, self._left[seat] - seconds)

    def refill(self, seat: Seat) -> None:
        """He has finished a turn."""
        self._left[seat] = min(self.limits.quota_s, self._left[seat] + self.limits.gain_s)
