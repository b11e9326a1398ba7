"""Deadlines at one table: what may still come in time, and what a late command is credited.

A clock expires once nothing that was sent in time can come any more: when the deadline and the
credit of whom it concerns are over (``server.delay``), and never before a command of his that has
come already.  What the server itself keeps a command waiting is nobody's delay and costs no quota.
Used in the table's actor, but for ``on_its_way``.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from server.clock import ServerClock
from server.delay import CreditLimits, DelayCredit
from server.room import Room
from shared_rules.clocks import awaited, late_s
from shared_rules.commands import Actor
from shared_rules.state import MatchState, Seat


class Deadlines:
    """See the module."""

    def __init__(self, room: Room, clock: ServerClock, limits: CreditLimits) -> None:
        self._room = room
        self._clock = clock
        self._credit = DelayCredit(limits)
        self._coming: Counter[Seat | None] = Counter()

    @contextmanager
    def on_its_way(self, seat: Seat | None) -> Iterator[None]:
        """Meanwhile a command of this seat waits for the actor, and no clock overtakes it."""
        self._coming[seat] += 1
        try:
            yield
        finally:
            self._coming[seat] -= 1

    def overtakes(self, state: MatchState) -> bool:
        """Would the running clock, if it expired now, overtake a command that has come?"""
        return any(self._coming[seat] for seat in awaited(state))

    def patience_s(self, state: MatchState) -> float:
        """How long after the deadline something that is in time may still come."""
        return max((self.credit_s(seat) for seat in awaited(state)), default=0.0)

    def credit_s(self, seat: Seat) -> float:
        """What a command of this seat would be credited now, seconds of the server's clock."""
        player = self._room.player(seat)
        line = player.line if player is not None else None
        return self._credit.available(seat, line) * self._clock.scale

    def credit_for(self, state: MatchState, by: Actor, at: float, arrived: float | None) -> float:
        """The credit of an order that is given at ``at`` and arrived before (None: just now).

        Only what comes after the deadline has any; the rest doesn't need it.
        """
        if by.seat is None or not late_s(state, at):
            return 0.0
        return self._waited(at, arrived) + self.credit_s(by.seat)

    def carried(
        self, before: MatchState, by: Actor, at: float, arrived: float | None, turn_over: bool
    ) -> None:
        """An order was taken: what it used is gone; who has finished a turn gains something."""
        if by.seat is None:
            return
        used = late_s(before, at) - self._waited(at, arrived)
        self._credit.spend(by.seat, self._clock.real(used))
        if turn_over:
            self._credit.refill(by.seat)

    @staticmethod
    def _waited(at: float, arrived: float | None) -> float:
        return 0.0 if arrived is None else max(0.0, at - arrived)
