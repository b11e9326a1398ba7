"""Who is away and what comes of it: grace times, adjournment, the pause after a restart.

Part of a table's course (``server.course``) and, like it, used in the table's actor only.
"""

import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from server.absence import Kind
from server.clock import ServerClock
from server.idle import Idleness
from server.person import Person
from server.room import SEATS, Room
from server.storage.records import AbsenceRecord, Remembered, Statements, Status
from server.storage.requests import remembering
from server.storage.store import Store
from shared_rules.commands import Actor, AwardLoss, Command, Resume, Suspend
from shared_rules.refusal import Code, Refusal
from shared_rules.state import MatchState, Phase, Seat

log = logging.getLogger("headstring.server.attendance")

_SPECTATORS_REAL_S = 0.5
_AGAIN_S = 5.0  # an absence that can't cost anything now is looked at again, whatever the grace


class Carry(Protocol):
    """Gives an order to the match (``Course.carry``)."""

    async def __call__(
        self,
        by: Actor,
        command: Command,
        *,
        person: str | None = None,
        request: Remembered | None = None,
        status: Status | None = None,
        also: Statements = (),
    ) -> None: ...


@dataclass(frozen=True)
class Claimant:
    """Who claims, and the request that is kept with what he gets."""

    seat: Seat
    person: str
    request: Remembered


class Attendance:
    """Presence at one table.

    ``adjourned``: nothing goes on until both are back.  ``held``: play is suspended by the referee
    or for him.  ``presence_at``: when the room is to be told who is there.
    """

    def __init__(
        self,
        room: Room,
        store: Store,
        clock: ServerClock,
        carry: Carry,
        is_free: Callable[[Person, str], bool],
        idle_s: float,
    ) -> None:
        """``is_free``: whether somebody plays at no other table than this one; ``idle_s``: who is
        waited for so long is away; 0: nobody ever is for that."""
        self.room = room
        self.held = False
        self.presence_at: float | None = None
        self._resume_by: float | None = None  # a pause after a restart ends here
        self._referee_since = clock.now()  # when the referee was here last
        self._changed = False  # absences are not stored as they are
        self._store = store
        self._clock = clock
        self._carry = carry
        self._is_free = is_free
        self._idleness = Idleness(idle_s)

    @property
    def adjourned(self) -> bool:
        return self.room.adjourned

    @adjourned.setter
    def adjourned(self, adjourned: bool) -> None:
        self.room.adjourned = adjourned

    @property
    def _phase(self) -> Phase | None:
        return self.room.state.phase if self.room.state is not None else None

    def back(self, seat: Seat) -> None:
        """A player is at the table (again)."""
        now = self._clock.now()
        self._idleness.forgive(seat, now)
        self.room.absence.back(seat, now)
        self._changed = self.room.state is not None
        self.presence_at = now

    def carried(self, state: MatchState, by: Seat | None) -> None:
        """An order of a seat, or of nobody at one, was carried: who sat idle has woken with it."""
        now = self._clock.now()
        self._idleness.look(state, now, by)
        away = self.room.absence.away(by) if by is not None else None
        if by is not None and away is not None and away.kind == "idle":
            self.room.absence.back(by, now)
            self.presence_at = now

    def referee_back(self) -> None:
        """The referee is at the table (again)."""
        self.presence_at = self._clock.now()

    def left(self, seat: Seat | None, kind: Kind) -> None:
        """A connection has gone from the table: a player's, or a spectator's (None)."""
        now = self._clock.now()
        if seat is None:
            if self.room.referee is not None and not self.room.referee_here:
                self._referee_since = now
            self.spectators_changed()
            return
        self.room.absence.left(seat, now, kind)
        if self.adjourned:
            self.room.absence.stand_still(now)
        self._changed = self.room.state is not None
        self.presence_at = now

    def line_changed(self) -> None:
        """A player's line has become clearly better or worse."""
        self.presence_at = self._clock.now()

    def spectators_changed(self) -> None:
        """Told a little later, so that many who come at once are one event."""
        if self.presence_at is None:
            self.presence_at = self._clock.now() + _SPECTATORS_REAL_S * self._clock.scale

    async def take_up(
        self, status: Status, kept: tuple[AbsenceRecord, AbsenceRecord], pause_s: float
    ) -> None:
        """After a restart everybody is away, and no clock runs against them for a while.

        Who was away before has been so since then.
        """
        now = self._clock.now()
        for seat in SEATS:
            if self.room.seats[seat] is not None:
                self.room.absence.resume(seat, kept[seat], now, pause_s)
        self._changed = self.room.state is not None
        self.adjourned = status == "adjourned"
        if self.adjourned:
            self.room.absence.stand_still(now)
            return
        self._resume_by = now + pause_s
        if self._must_wait():
            await self._carry(Actor.SERVER, Suspend())

    # --- by time ------------------------------------------------------------------------------

    def next_due(self) -> float | None:
        """When ``step`` has something to do; None: not by the passing of time."""
        absent = self.absence_due()
        times = (
            self.presence_at,
            self._resume_by,
            absent[0] if absent else None,
            idle[0] if (idle := self._idle_due()) else None,
            self._unofficiated_due(),
        )
        return min((t for t in times if t is not None), default=None)

    def absence_due(self) -> tuple[float, Seat] | None:
        """When an absent player's time runs out, and whose."""
        # Balls that run are waited for; after the match nobody needs to be here.
        if self._phase in (Phase.SHOT_RUNNING, Phase.MATCH_OVER):
            return None
        return self.room.absence.due()

    def _idle_due(self) -> tuple[float, Seat] | None:
        """When somebody who is here has been waited for too long, and who."""
        if self.adjourned:
            return None
        return self._idleness.due(lambda seat: not self.room.absence.is_away(seat))

    async def tell_presence(self) -> bool:
        """Tell the room who is there, if that is due; False: it isn't."""
        if self.presence_at is None or self.presence_at > self._clock.now():
            return False
        self.presence_at = None
        await self.room.tell_presence()
        return True

    async def step(self) -> bool:
        """Do one thing that is due; False: nothing is.

        Raises:
            Refusal, NotStored: it could not be done now.
        """
        now = self._clock.now()
        if self._changed:
            await self._store.matches.save_absences(self.room.table, self.room.absence.kept)
            self._changed = False
        elif self._may_resume(now):
            await self._resume()
        elif self._must_wait():
            await self._carry(Actor.SERVER, Suspend())
        elif self._unofficiated(now):
            await self._carry(Actor.SERVER, Resume())
        elif (idle := self._idle_due()) is not None and idle[0] <= now:
            self.left(idle[1], "idle")
        else:
            absent = self.absence_due()
            if self._phase is None or absent is None or absent[0] > now:
                return False
            await self._time_is_over(absent[1], now)
        return True

    # --- what comes of an absence -------------------------------------------------------------

    async def claim(self, claimant: Claimant, ask: Literal["win", "adjourn"]) -> None:
        """The player who is there has waited as long as he must.

        Raises:
            Refusal: he has no claim now, and why; nothing has changed.
            NotStored: nothing has changed.
        """
        now = self._clock.now()
        absent: Seat = 1 if claimant.seat == 0 else 0
        away = self.room.absence.away(absent)
        if self._phase is Phase.MATCH_OVER:
            raise Refusal(Code.MATCH_OVER, "the match is over")
        if self._phase is Phase.SHOT_RUNNING:
            raise Refusal(Code.BALLS_MOVING, "the balls are still moving")
        if away is None:
            raise Refusal(Code.OPPONENT_PRESENT, "your opponent is here")
        if away.claim_from is None:
            # nobody has to be there at an hour that the other has chosen
            raise Refusal(Code.PLAY_SUSPENDED, "the match is adjourned until both players are back")
        if now < away.claim_from:
            left = math.ceil(away.claim_from - now)
            raise Refusal(Code.GRACE_RUNNING, f"your opponent has {left} s left to come back")
        if ask == "adjourn":
            await self.adjourn(claimant)
        elif self.room.terms.ruleset.disconnect.effect == "adjourn":
            raise Refusal(Code.NOT_ALLOWED, "by these rules an absence adjourns the match")
        else:
            await self._award(absent, now, claimant)

    async def _time_is_over(self, seat: Seat, now: float) -> None:
        """``disconnect.effect``; when both are away the match is adjourned whatever it says."""
        absence = self.room.absence
        effect = self.room.terms.ruleset.disconnect.effect
        if effect == "adjourn" or absence.is_away(1 if seat == 0 else 0):
            await self.adjourn()
            return
        try:
            await self._award(seat, now)
        except Refusal as refusal:
            if absence.exhausted(seat, now):
                await self.adjourn()
                return
            log.info("absence without loss: %s", refusal.message)
            absence.restart(seat, now, at_least_s=_AGAIN_S)
            self.presence_at = now

    async def _award(self, seat: Seat, now: float, claimant: Claimant | None = None) -> None:
        """The absent player loses the game, or the match; his time starts afresh."""
        absence = self.room.absence
        effect = self.room.terms.ruleset.disconnect.effect
        whole = effect == "award_match" or absence.exhausted(seat, now)
        loss = AwardLoss(seat=seat, scope="match" if whole else "game", reason="absent")
        self._changed = True
        await self._carry(
            Actor.SERVER,
            loss,
            person=claimant.person if claimant else None,
            request=claimant.request if claimant else None,
        )
        absence.restart(seat, now)
        self.presence_at = now

    async def adjourn(
        self,
        claimant: Claimant | None = None,
        status: Status = "adjourned",
        also: Statements = (),
    ) -> None:
        """Nothing goes on until both are back; the state is in the log.

        ``status``: another one if the table is closed with it; ``also``: what is written with it.
        """
        try:
            await self._carry(
                Actor.SERVER,
                Suspend(),
                person=claimant.person if claimant else None,
                request=claimant.request if claimant else None,
                status=status,
                also=also,
            )
        except Refusal:  # nothing runs that could be suspended
            if claimant is not None:
                now = self._clock.now()
                also = (*also, *remembering(claimant.person, claimant.request, now))
            await self._store.matches.set_status(self.room.table, status, also)
        self.adjourned = True
        self._resume_by = None
        self.room.absence.stand_still(self._clock.now())
        self._changed = True
        self.presence_at = self._clock.now()

    # --- suspension ---------------------------------------------------------------------------

    def _unofficiated_due(self) -> float | None:
        """When play that was stopped for a referee goes on without him; None: it is not to."""
        if self._phase is not Phase.SUSPENDED or self.adjourned or self._resume_by is not None:
            return None
        if self.room.terms.referee_invitation is None or self.room.referee_here:
            return None
        return self._referee_since + self.room.terms.ruleset.disconnect.grace_s

    def _unofficiated(self, now: float) -> bool:
        due = self._unofficiated_due()
        return due is not None and due <= now

    def _may_resume(self, now: float) -> bool:
        here = not any(self.room.absence.is_away(seat) for seat in SEATS)
        if self.adjourned:  # it has bound nobody: one of them may play elsewhere by now
            players = [person for person in self.room.seats if person is not None]
            return here and all(self._is_free(person, self.room.table) for person in players)
        return self._resume_by is not None and (here or self._resume_by <= now)

    def _must_wait(self) -> bool:
        """A clock runs, perhaps since a shot has ended, while the pause after a restart lasts."""
        return self._resume_by is not None and self.clock_runs

    @property
    def clock_runs(self) -> bool:
        """A clock runs that can be stopped."""
        state = self.room.state
        if state is None or state.clock.deadline is None:
            return False
        # a time-out can't be suspended: its time runs, which harms nobody
        return state.phase is not Phase.TIME_OUT

    async def _resume(self) -> None:
        adjourned, self.adjourned = self.adjourned, False  # from now on it binds both
        try:
            if self._phase is Phase.SUSPENDED and not self.held:
                await self._carry(Actor.SERVER, Resume(), status="running")
            elif adjourned:
                await self._store.matches.set_status(self.room.table, "running")
        except BaseException:
            self.adjourned = adjourned
            raise
        self._resume_by = None
