"""The match of one table: its state, its log, and the shot that runs.

Every order goes one way: judged by the rules, written to the log, and only then the new state.
What could not be written has not happened.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any

from sqlalchemy import Executable

from server.clock import ServerClock
from server.pool import ShotFailed
from server.shots import ShotResult, job_of
from server.storage.records import MatchRecord, Remembered, ShotRecord, Statements, Status
from server.storage.store import Store
from shared_rules.announcements import Announcement
from shared_rules.clocks import awaited
from shared_rules.commands import Actor, Command, ExpireClock, FinishShot, Order, Strike
from shared_rules.match import apply, new_match
from shared_rules.refusal import Code, Refusal
from shared_rules.replay import result_of, told
from shared_rules.state import MatchDescription, MatchState, Phase, Seat

log = logging.getLogger("headstring.server.keeper")

RunShot = Callable[[object], Awaitable[Any]]
Settled = AbstractAsyncContextManager[Sequence[Executable]]
Settling = Callable[[MatchState, MatchState], Settled]
"""From the states before and after an order to what else is written with it."""


def _turn(state: MatchState) -> tuple[object, ...]:
    """What a player's command refers to: while this is the same, it isn't stale."""
    attempt = state.lag.attempt if state.lag is not None else 0
    return (
        state.phase,
        state.shooter,
        state.decider,
        state.shot_number,
        state.rack_number,
        attempt,
    )


def _held(held: bool, before: MatchState, after: MatchState, by: Actor) -> bool:
    if before.phase is not Phase.SUSPENDED:
        held = by is not Actor.SERVER
    return held and after.phase is Phase.SUSPENDED


class MatchKeeper:
    """The only thing that changes a match.

    ``since``: when the present phase began; ``turn_from``: the version from which on commands
    aren't stale; ``shot``: the running shot, once it is simulated and stored; ``held``: play is
    suspended by the referee or for him, so that it is not for the server to let it go on.
    """

    def __init__(
        self, match: str, state: MatchState, store: Store, clock: ServerClock, run: RunShot
    ) -> None:
        self.match = match
        self.state = state
        self.since = clock.now()
        self.turn_from = state.version
        self.held = False
        self.shot: ShotRecord | None = None
        self.settling: Settling = lambda before, after: nullcontext(())
        # versions of the turn that a clock has ended last, and whose clock it was
        self._ran_out: tuple[int, int, tuple[Seat, ...]] = (0, -1, ())
        self._struck = 0  # number of the order that began the latest shot
        self._store = store
        self._clock = clock
        self._run = run
        self._playing: asyncio.Future[Any] | None = None

    @classmethod
    def begin(
        cls, description: MatchDescription, store: Store, clock: ServerClock, run: RunShot
    ) -> "MatchKeeper":
        """A match nothing has happened in."""
        return cls(description.match_id, new_match(description), store, clock, run)

    @classmethod
    def restore(
        cls, record: MatchRecord, store: Store, clock: ServerClock, run: RunShot
    ) -> "MatchKeeper":
        """The match of a log, as far as it goes.

        Raises:
            ValueError: the record has no description: the match had not begun.
        """
        if record.description is None:
            raise ValueError("the match had not begun")
        state = new_match(record.description)
        struck, held = 0, False
        for number, order in enumerate(record.orders, start=1):
            before, state = state, apply(state, order).state
            held = _held(held, before, state, order.by)
            if isinstance(order.command, Strike):
                struck = number
        keeper = cls(record.match, state, store, clock, run)
        keeper._struck, keeper.held = struck, held
        last = record.last_shot
        if state.phase is Phase.SHOT_RUNNING and last and last.number == keeper._struck:
            keeper.shot = last
        return keeper

    async def carry(
        self,
        by: Actor,
        command: Command,
        person: str | None = None,
        request: Remembered | None = None,
        status: Status | None = None,
        at: float | None = None,
        credit_s: float = 0.0,
        also: Statements = (),
    ) -> tuple[Announcement, ...]:
        """Give an order to the match: judged, logged, then in force.

        ``at``: when it is given, now if not said; ``credit_s``: see ``Order``; ``also``: what is
        written with it.

        Raises:
            Refusal: the rules don't allow it; nothing has changed.
            NotStored: the log could not be written; nothing has changed.
        """
        before = self.state
        at = self._clock.now() if at is None else at
        order = Order(by=by, at=at, command=command, credit_s=credit_s)
        applied = apply(before, order)
        after = applied.state
        if after.phase is Phase.MATCH_OVER:
            status = "over"
        elif before.phase is Phase.MATCH_OVER:
            status = "running"  # the stroke that had won it was a foul after all
        if after.phase is Phase.SHOT_RUNNING and before.phase is not Phase.SHOT_RUNNING:
            # The workers play the shot while the log is written; nobody is told before both.
            self._playing = asyncio.ensure_future(self._run(job_of(after)))
            self._playing.add_done_callback(_seen)
        record = told(before, after, by.value, applied.announcements)
        result = result_of(after) if status == "over" else None
        async with self.settling(before, after) as settled:
            await self._store.matches.append(
                self.match, after.version, order, record, person, request, status, result,
                (*also, *settled),
            )  # fmt: skip
        if isinstance(command, Strike):
            self._struck = after.version
        if after.running is None or after.running != before.running:
            self.shot = None
        self.state = after
        self.held = _held(self.held, before, after, by)
        if after.phase is not before.phase:
            self.since = order.at
        if _turn(after) != _turn(before):
            if isinstance(command, ExpireClock):
                self._ran_out = (self.turn_from, before.version, awaited(before))
            self.turn_from = after.version
        return applied.announcements

    def check_fresh(self, stated: int, seat: Seat | None) -> None:
        """Is what was given on that version still meant for this turn?

        Raises:
            Refusal: ``time_is_up``: the clock of this seat has ended the turn that it was for;
                ``stale_state``: that turn is over otherwise.
        """
        if self.turn_from <= stated <= self.state.version:
            return
        first, last, seats = self._ran_out
        if first <= stated <= last and seat in seats:
            raise Refusal(Code.TIME_IS_UP, "the time for this had run out before it came")
        raise Refusal(Code.STALE_STATE, "the table has changed since; look again")

    def check(self, by: Actor, command: Command) -> None:
        """Nothing, if an order could be given now.

        Raises:
            Refusal: the rules don't allow it.
        """
        apply(self.state, Order(by=by, at=self._clock.now(), command=command))

    @property
    def shot_is_due(self) -> bool:
        """A shot has begun and isn't simulated yet."""
        return self.state.phase is Phase.SHOT_RUNNING and self.shot is None

    async def simulate(self) -> ShotRecord:
        """Play the shot that has begun, store it, and let its time start now.

        Raises:
            ShotFailed: physics can't; the shot must be made void.
            NotStored: the result could not be written.
        """
        running = self.state.running
        if running is None:
            raise ShotFailed("no shot is running")
        playing, self._playing = self._playing, None
        result = await (playing or self._run(job_of(self.state)))
        if not isinstance(result, ShotResult):
            raise ShotFailed("the physics gave no shot")
        shot = ShotRecord(
            number=self._struck,
            shot=running.number,
            started_at=self._clock.now(),
            duration=result.duration,
            trajectory=result.trajectory,
            events=result.events,
            balls=result.balls,
        )
        await self._store.matches.save_shot(self.match, shot)
        self.shot = shot
        return shot

    def finish(self) -> FinishShot:
        """The order that judges the running shot.

        Raises:
            ValueError: it isn't simulated.
        """
        if self.shot is None:
            raise ValueError("the shot isn't simulated")
        return FinishShot(shot=self.shot.shot, events=self.shot.events, balls=self.shot.balls)


def _seen(playing: asyncio.Future[Any]) -> None:
    """A shot whose stroke could not be logged is nobody's; its failure is no fault to be logged."""
    if not playing.cancelled():
        playing.exception()
