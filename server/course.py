"""The course of a table: what follows from what was done, and from the time that passes.

Runs inside the table's actor only.  It carries orders, has shots simulated, does the server's
duties when they are due, and tells the room, always after the log.
"""

import functools
import logging
import time

from server import admission
from server.absence import Kind
from server.attendance import Attendance
from server.chat.door import without_words
from server.deadlines import Deadlines
from server.duties import Due, Duty, next_duty
from server.ending import End, Ending
from server.keeper import MatchKeeper
from server.logs import fields
from server.person import Person
from server.pool import ShotFailed
from server.rating.fold import Contest
from server.room import SEATS, Room
from server.settling import together
from server.shots import next_rack
from server.storage.records import MatchRecord, Remembered, Statements, Status
from server.surroundings import Surroundings
from server.terms import describe
from shared_rules.announcements import Announcement
from shared_rules.commands import (
    Actor,
    AwardLoss,
    Command,
    Concede,
    ExpireClock,
    NextGame,
    PlayerCommand,
    RefereeCommand,
    RequestRestore,
    RequestRuling,
    StartMatch,
    Strike,
    Suspend,
    VoidShot,
)
from shared_rules.messages import ShotInFlight
from shared_rules.refusal import Code, Refusal
from shared_rules.state import MatchState, Phase, Seat

log = logging.getLogger("headstring.server.course")


class Course:
    """``closed``: nothing happens here any more; ``at_rest``: nothing before the next start."""

    def __init__(self, room: Room, keeper: MatchKeeper | None, around: Surroundings) -> None:
        self.room = room
        self.keeper = keeper
        self.closed = self.at_rest = False
        self._wind_down_by: float | None = None
        self.attendance = Attendance(
            room, around.store, around.clock, self.carry, around.is_free, around.config.idle_s
        )
        self._around = around
        self._clock = around.clock
        self._unsaid: list[tuple[Actor, tuple[Announcement, ...], MatchState]] = []
        self._struck_at: float | None = None
        self._ending = Ending(room, around.clock, around.config.linger_s)
        self.deadlines = Deadlines(room, around.clock, around.config.credit)
        if keeper is not None:
            self._begin(keeper)

    # --- what the actor's jobs call -----------------------------------------------------------

    async def carry(
        self,
        by: Actor,
        command: Command,
        *,
        person: str | None = None,
        request: Remembered | None = None,
        status: Status | None = None,
        arrived: float | None = None,
        also: Statements = (),
    ) -> None:
        """Give an order to the match; it is told with what follows.

        ``arrived``: when a player's command came, so that its way here can be credited;
        ``also``: what is written with it.

        Raises:
            Refusal, NotStored: nothing has changed.
        """
        if self.keeper is None:
            raise Refusal(Code.WRONG_STATE, "the match has not begun")
        if isinstance(command, Strike):
            self._struck_at = time.perf_counter()
        if self.keeper.state.phase is Phase.MATCH_OVER:
            self._check_both_here()
        at = self._clock.now()
        before, turn = self.keeper.state, self.keeper.turn_from
        credit = self.deadlines.credit_for(before, by, at, arrived)
        said = await self.keeper.carry(by, command, person, request, status, at, credit, also)
        self.deadlines.carried(before, by, at, arrived, self.keeper.turn_from != turn)
        state = self.room.state = self.keeper.state
        self.attendance.held = self.keeper.held
        self.attendance.carried(state, by.seat)
        if state.phase is not Phase.SHOT_RUNNING:
            self.room.in_flight = None
        if state.phase is not Phase.MATCH_OVER:
            self._bind_players()  # a match that was over may go on: its last stroke was a foul
        self._unsaid.append((by, said, state))

    async def take_seat(self, person: Person, invitation: str | None) -> Seat:
        """The second player sits down, and the match can begin.

        Raises:
            Refusal: the table is full or private, or he plays elsewhere or is its referee.
        """
        first = self.room.seats[0]
        if self.room.seats[1] is not None or first is None:
            raise Refusal(Code.TABLE_FULL, "both seats of this table are taken")
        self.room.check_may_sit(person)
        terms = self.room.terms
        admission.check_seat(terms, invitation)
        admission.check_rated(terms, person.account)
        if not self._around.is_free(person, self.room.table):
            raise Refusal(Code.ALREADY_PLAYING, "you play at another table")
        description = describe(self.room.table, terms, (first.name, person.name))
        person.seats.add(self.room.table)  # before the wait: one seat at a time
        try:
            await self._around.store.matches.seat(self.room.table, person.id, description)
        except BaseException:
            person.seats.discard(self.room.table)
            raise
        self.room.seats[1] = person
        around = self._around
        log.info("match begins", extra=fields(opener=first.id, second=person.id))
        self._begin(MatchKeeper.begin(description, around.store, around.clock, around.run_shot))
        around.seated(person, self.room.table)
        return 1

    def _begin(self, keeper: MatchKeeper) -> None:
        self.keeper = keeper
        self.room.state = keeper.state
        self.attendance.held = keeper.held
        self.attendance.carried(keeper.state, None)
        keeper.settling = self._around.settling(self.room.table)
        first, second = self.room.seats
        terms = self.room.terms
        if terms.rated and first is not None and second is not None:
            contest = Contest(
                self.room.table, terms.ruleset.discipline, (first.id, second.id), terms.delay_s
            )
            rating = functools.partial(self._around.ratings.settling, contest)
            keeper.settling = together(rating, keeper.settling)

    def check_comes_back(self, person: Person) -> None:
        """May a player take up his seat again?

        Raises:
            Refusal: ``already_playing``: this match is adjourned and he plays elsewhere.
        """
        if self.attendance.adjourned and not self._around.is_free(person, self.room.table):
            raise Refusal(Code.ALREADY_PLAYING, "you play at another table")

    def check_goes_on(self, command: Command) -> None:
        """May a command be given as things stand with those who are here?

        Raises:
            Refusal: the match is adjourned, or the referee who is asked for isn't here.
        """
        apart = isinstance(command, Concede | AwardLoss)
        if self.attendance.adjourned and not apart:
            raise Refusal(Code.PLAY_SUSPENDED, "the match is adjourned until both players are back")
        asks = isinstance(command, RequestRuling | RequestRestore)
        if asks and self.room.terms.referee_invitation is not None and not self.room.referee_here:
            raise Refusal(Code.NO_REFEREE, "the referee is not here now")

    def spoken(
        self, by: Actor, command: PlayerCommand | RefereeCommand
    ) -> PlayerCommand | RefereeCommand:
        """A command, without its words if it is a player's whose opponent has muted him."""
        seat = by.seat
        if seat is None:
            return command
        me, other = self.room.seats[seat], self.room.seats[1 - seat]
        heard = me is None or other is None or self._around.hears(other.id, me.id)
        return command if heard else without_words(command)

    def _check_both_here(self) -> None:
        """A match that was over can go on only with both who played it.

        Raises:
            Refusal: ``match_over``: one has gone, or plays elsewhere.
        """
        for seat in SEATS:
            person = self.room.seats[seat]
            away = person is None or self.room.player(seat) is None
            if person is None or away or not self._around.is_free(person, self.room.table):
                raise Refusal(Code.MATCH_OVER, "the match is over, and a player has gone")

    def _bind_players(self) -> None:
        for person in self.room.seats:
            if person is not None:
                person.seats.add(self.room.table)

    async def has_left(self, seat: Seat | None, kind: Kind) -> None:
        """A connection has gone from the table."""
        self.attendance.left(seat, kind)
        if seat is not None and self.keeper is None and kind == "left":
            await self._close("the player who opened it has left", "closed")

    def free_seat(self, seat: Seat) -> None:
        """The player may play elsewhere from now on."""
        person = self.room.seats[seat]
        if person is not None:
            person.seats.discard(self.room.table)
            self._around.let_go(person)

    async def take_up(self, record: MatchRecord) -> None:
        """Go on with a match of the log after a restart."""
        if self.keeper is not None and self.keeper.shot is not None:
            self._show(self.keeper)
        self.room.show_again()
        pause_s = self._around.config.restart_pause_s
        await self.attendance.take_up(record.status, record.absences, pause_s)

    def wind_down(self, by: float) -> None:
        """The server goes down: a shot that ends until then (server's clock) is still judged."""
        self._wind_down_by = by

    # --- what follows -------------------------------------------------------------------------

    def real_time_left(self) -> float | None:
        """Real seconds until something is due; None: nothing is."""
        if self._unsaid or (self.keeper is not None and self.keeper.shot_is_due):
            return 0.0  # after a restart, or when it could not be done before
        duty = self._duty()
        if self._wind_down_by is not None:
            return self._clock.real(duty[0] - self._clock.now()) if duty else 0.0
        end = self._end()
        ends_at = end.at if end is not None else None
        times = (duty[0] if duty else None, ends_at, self.attendance.next_due())
        due = min((t for t in times if t is not None), default=None)
        return None if due is None else self._clock.real(due - self._clock.now())

    async def follow(self) -> None:
        """Carry out and tell everything that is due.

        Raises:
            Refusal, NotStored: something could not be done now; call again later.
        """
        while not self.closed and await self._step():
            pass

    async def _step(self) -> bool:
        keeper = self.keeper
        if keeper is not None and keeper.shot_is_due:
            await self._shoot(keeper)
            return True
        if self._unsaid:
            await self._say()
            return True
        if self._wind_down_by is not None:
            return await self._wind_down(self._wind_down_by)
        if await self.attendance.tell_presence():
            return True
        now = self._clock.now()
        duty = self._duty()
        if duty is not None and duty[0] <= now and not self._overtaking(duty[1]):
            await self._do(duty[1])
            return True
        return await self._close_if_over(now) or await self.attendance.step()

    async def _wind_down(self, by: float) -> bool:
        """A running shot is judged if it ends in time; then clocks stop and nothing follows."""
        duty = self._duty()
        if duty is not None and duty[1] is Duty.FINISH_SHOT and duty[0] <= by:
            if due := duty[0] <= self._clock.now():
                await self._do(duty[1])
            return due
        if self.attendance.clock_runs:
            await self.carry(Actor.SERVER, Suspend())
            return True
        self.at_rest = True
        return False

    def _duty(self) -> Due | None:
        keeper = self.keeper
        if keeper is None or self.attendance.adjourned:
            return None
        pause = self._around.config.between_games_s
        patience = self.deadlines.patience_s(keeper.state)
        return next_duty(keeper.state, keeper.shot, keeper.since, pause, patience)

    def _overtaking(self, duty: Duty) -> bool:
        """A clock would expire although a command of whom it concerns has come."""
        if duty is not Duty.EXPIRE_CLOCK or self.keeper is None:
            return False
        return self.deadlines.overtakes(self.keeper.state)

    async def _do(self, duty: Duty) -> None:
        if (keeper := self.keeper) is None:
            return
        match duty:
            case Duty.START:
                await self.carry(Actor.SERVER, StartMatch())
            case Duty.RACK:
                await self.carry(Actor.SERVER, next_rack(keeper.state))
            case Duty.FINISH_SHOT:
                await self._finish(keeper)
            case Duty.NEXT_GAME:
                await self.carry(Actor.SERVER, NextGame())
            case Duty.EXPIRE_CLOCK:
                deadline = keeper.state.clock.deadline
                if deadline is not None:
                    await self.carry(Actor.CLOCK, ExpireClock(deadline=deadline))

    async def _say(self) -> None:
        by, said, state = self._unsaid.pop(0)
        await self.room.tell(by, said, state)
        if self._struck_at is not None and self.room.in_flight is not None:
            self._around.metrics.stroke(time.perf_counter() - self._struck_at)
            self._struck_at = None
        if state.phase is Phase.MATCH_OVER:
            log.info("match over", extra=fields(games=list(state.games), sets=list(state.sets)))
            for seat in SEATS:
                self.free_seat(seat)

    # --- shots --------------------------------------------------------------------------------

    async def _shoot(self, keeper: MatchKeeper) -> None:
        try:
            await keeper.simulate()
        except ShotFailed as error:
            await self._void(keeper, str(error))
            return
        self._around.metrics.shots += 1
        self._show(keeper)

    async def _finish(self, keeper: MatchKeeper) -> None:
        """Judge the shot that has ended; one that the rules can't make sense of is void."""
        try:
            await self.carry(Actor.SERVER, keeper.finish())
        except Refusal as refusal:
            await self._void(keeper, refusal.message)

    async def _void(self, keeper: MatchKeeper, why: str) -> None:
        log.error("shot void: %s", why)
        self._around.metrics.void_shots += 1
        running = keeper.state.running
        number = running.number if running is not None else 0
        reason = "the physics failed; play it again"
        await self.carry(Actor.SERVER, VoidShot(shot=number, reason=reason))

    def _show(self, keeper: MatchKeeper) -> None:
        shot = keeper.shot
        if shot is not None:
            self.room.in_flight = ShotInFlight(
                shot=shot.shot, started_at=shot.started_at, trajectory=shot.trajectory
            )

    # --- the end ------------------------------------------------------------------------------

    def _end(self) -> End | None:
        since = self.keeper.since if self.keeper is not None else 0.0
        return self._ending.due(self.attendance.adjourned, since)

    async def _close_if_over(self, now: float) -> bool:
        end = self._end()
        if end is None or end.at > now:
            return False
        await self._close(end.reason, end.status)
        return True

    async def put_away(self, reason: str, status: Status, also: Statements = ()) -> None:
        """Close the table with its match suspended and kept, so that it can be brought back.

        ``also``: what is written with it.

        Raises:
            Refusal, NotStored: it could not be done.
        """
        if self.keeper is not None and self.keeper.state.phase is not Phase.MATCH_OVER:
            await self.attendance.adjourn(status=status, also=also)
            while self._unsaid:
                await self._say()
            await self._close(reason, None)
        else:
            await self._close(reason, status if self.keeper is None else None, also)

    async def _close(self, reason: str, status: Status | None, also: Statements = ()) -> None:
        await self._around.store.matches.set_status(self.room.table, status, also)
        await self.room.tell_closed(reason)
        for seat in SEATS:
            self.free_seat(seat)
        self.closed = True
        log.info("table closed", extra=fields(why=reason))
        self._around.removed(self.room.table)
