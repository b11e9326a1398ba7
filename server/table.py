"""One table: the actor that owns its match.

Whatever touches the table goes through one queue and is done one after the other: players' wishes,
comings and goings, and what is due by time.  After each, whatever follows from it is carried out
and told (``server.course``).
"""

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from server import admission
from server.absence import Kind
from server.accounts.roles import Right
from server.attendance import Claimant
from server.connection import Connection
from server.course import Course
from server.logs import about, current, lines_about
from server.memory import Tell, once, remember
from server.room import Room
from server.shots import check_cue, check_stroke
from server.storage.journal import NotStored
from shared_rules.allowed import allowed
from shared_rules.clocks import SHOT_PHASES
from shared_rules.commands import Strike
from shared_rules.messages import (
    Accepted,
    Aim,
    Aiming,
    ClaimAbsence,
    JoinTable,
    LeaveTable,
    OfficiateTable,
    Play,
    WatchTable,
)
from shared_rules.refusal import Code, Refusal
from shared_rules.state import Seat

log = logging.getLogger("headstring.server.table")

T = TypeVar("T")
# what to do, who gets the result, and whom lines of the log are about
_Job = tuple[Callable[[], Awaitable[Any]], asyncio.Future[Any], Mapping[str, object]]
_MOST_WAITING = 512
_HOLD_REAL_S = 1.0


class Table:
    """The actor.  Its coroutines may be called from anywhere; they run in its own task."""

    def __init__(self, room: Room, course: Course) -> None:
        self.room = room
        self.course = course
        self._inbox: asyncio.Queue[_Job] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self.most_waiting = _MOST_WAITING

    @property
    def id(self) -> str:
        return self.room.table

    def start(self) -> None:
        """Begin to act; needs a running event loop."""
        # not in the context of whoever opened it
        context = contextvars.Context()
        context.run(about, table=self.id)
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(self._run(), name=f"table {self.id}", context=context)

    async def wind_down(self, by: float) -> None:
        """Take nothing new; return when a shot that ends by ``by`` is judged, and clocks stand."""
        self._stopping = True
        if self._task is None or self._task.done():
            return
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def begin() -> None:
            self.course.wind_down(by)

        await self._inbox.put((begin, done, current()))
        await asyncio.wait((self._task,))

    async def stop(self) -> None:
        """Stop at once: what has been told is in the log, and the rest has not happened."""
        self._stopping = True
        self.room.gallery.stop()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._refuse_waiting(going_down())

    # --- what connections ask for -------------------------------------------------------------

    async def sit_down(self, connection: Connection, request: JoinTable) -> None:
        """Come back to one's seat, or take the free one; answers the request itself."""
        await self._ask(lambda: self._sit_down(connection, request))

    async def show_again(self, connection: Connection) -> None:
        """To its player: he is at the table, if he wasn't, and gets a snapshot."""
        await self._ask(lambda: self._show_again(connection))

    async def watch(self, connection: Connection, request: WatchTable) -> None:
        """Get the table's events from now on; answers the request itself."""
        await self._ask(lambda: self._watch(connection, request), share=0.5)

    async def officiate(self, connection: Connection, request: OfficiateTable) -> None:
        """Be the referee; answers the request itself."""
        await self._ask(lambda: self._officiate(connection, request))

    async def leave(self, connection: Connection, request: LeaveTable) -> None:
        """Go away on purpose; answers the request itself."""
        await self._ask(lambda: self._leave(connection, request))

    async def play(self, connection: Connection, request: Play) -> None:
        """Carry out a player's command; answers the request itself."""
        arrived, seat = connection.heard_at, self.room.members.get(connection)
        strikes = seat is not None and isinstance(request.command, Strike)
        with self.course.deadlines.on_its_way(seat), self.room.gallery.giving_way(strikes):
            await self._ask(
                lambda: once(
                    connection, request, lambda t: self._carry(connection, request, arrived, t)
                )
            )

    async def claim(self, connection: Connection, request: ClaimAbsence) -> None:
        """Carry out a claim on an absent opponent; answers the request itself."""
        await self._ask(
            lambda: once(connection, request, lambda tell: self._claim(connection, request, tell))
        )

    async def gone(self, connection: Connection, kind: Kind = "dropped") -> None:
        """The connection is no more, or has gone to another table."""
        await self._ask(lambda: self._gone(connection, kind), share=None)

    async def line_changed(self, connection: Connection) -> None:
        """A player's line has become clearly better or worse."""
        await self._ask(lambda: self._line_changed(connection))

    async def oversee(self, job: Callable[[Course], Awaitable[T]]) -> T:
        """Have an official's act done in the actor's task."""
        return await self._ask(lambda: job(self.course))

    def relay(self, connection: Connection, aim: Aim) -> None:
        """Show how the player at the table holds the cue; anything else is dropped."""
        seat = self.room.members.get(connection)
        state = self.room.state
        if seat is None or state is None or state.phase not in SHOT_PHASES or state.shooter != seat:
            return
        aiming = Aiming(
            table=self.id,
            seat=seat,
            heading_deg=aim.heading_deg,
            elevation_deg=aim.elevation_deg,
            tip=aim.tip,
        )
        self.room.relay(connection, aiming)

    # --- the same, in the actor's task --------------------------------------------------------

    async def _sit_down(self, connection: Connection, request: JoinTable) -> None:
        person = connection.speaker
        if person is None:
            return
        seat = self.room.seat_of(person)
        if seat is None:
            seat = await self.course.take_seat(person, request.invitation)
        else:
            self.course.check_comes_back(person)
        answer = Accepted(
            re=request.id,
            table=self.id,
            invitation=self.room.terms.invitation,
            version=self._version(connection),
        )
        self.enter(connection, seat, lambda: connection.send(answer), request.last_seen)

    def enter(
        self,
        connection: Connection,
        seat: Seat,
        answer: Callable[[], object],
        last_seen: int | None = None,
    ) -> None:
        """Put a player's connection at his seat, answer him and show him the table."""
        self.room.attach(connection, seat)
        self.course.attendance.back(seat)
        answer()
        self.room.welcome(connection, last_seen)

    def show_to(self, seat: Seat) -> None:
        """A table that is opened with both seated is shown to a player, if he is still there."""
        person = self.room.seats[seat]
        connection = person.connection if person is not None else None
        if connection is None or connection.closed:
            self.course.attendance.left(seat, "dropped")
            return
        self.room.attach(connection, seat)
        self.course.attendance.back(seat)
        self.room.welcome(connection, None)

    async def _show_again(self, connection: Connection) -> None:
        person = connection.speaker
        seat = self.room.seat_of(person)
        if person is not None and seat is not None:
            self.course.check_comes_back(person)
            self.enter(connection, seat, lambda: None)

    async def _watch(self, connection: Connection, request: WatchTable) -> None:
        person = connection.speaker
        if person is None:
            return
        if self.room.seat_of(person) is not None:
            raise Refusal(Code.ALREADY_PLAYING, "you play at this table: join it")
        if not person.may(Right.WATCH_ANY):
            admission.check_watching(self.room.terms, request.invitation)
        self.room.attach(connection, None)
        self.course.attendance.spectators_changed()
        connection.send(Accepted(re=request.id, table=self.id, version=self._version(connection)))
        self.room.welcome(connection, request.last_seen)

    async def _officiate(self, connection: Connection, request: OfficiateTable) -> None:
        person = connection.speaker
        if person is None:
            return
        room = self.room
        room.appoint(person, request.invitation)
        room.attach(connection, None)
        self.course.attendance.referee_back()
        connection.send(Accepted(re=request.id, table=self.id, version=self._version(connection)))
        room.welcome(connection, request.last_seen)

    async def _leave(self, connection: Connection, request: LeaveTable) -> None:
        if connection not in self.room.members:
            raise Refusal(Code.NOT_AT_THIS_TABLE, "you are not at this table")
        seat = self.room.members[connection]
        answer = Accepted(re=request.id, table=self.id, version=self._version(connection))
        self.room.detach(connection)
        connection.send(answer)
        await self.course.has_left(seat, "left")
        self.room.resign(connection.speaker)

    async def _gone(self, connection: Connection, kind: Kind) -> None:
        if connection in self.room.members:
            seat = self.room.members[connection]
            self.room.detach(connection)
            await self.course.has_left(seat, kind)

    async def _line_changed(self, connection: Connection) -> None:
        if self.room.members.get(connection) is not None:
            self.course.attendance.line_changed()

    async def _carry(
        self, connection: Connection, request: Play, arrived: float, tell: Tell
    ) -> None:
        """Judge, log and apply a player's or the referee's command.

        Raises:
            Refusal: it isn't allowed; nothing has changed.
        """
        by = self.room.actor_of(connection)
        keeper = self.course.keeper
        if keeper is None:
            raise Refusal(Code.WRONG_STATE, "the match has not begun: a seat is free")
        self.course.check_goes_on(request.command)
        if request.version is not None:
            keeper.check_fresh(request.version, by.seat)
        if isinstance(request.command, Strike):
            check_stroke(request.command.stroke)
            if by.seat is not None and allowed(keeper.state, by).why_not(Strike) is None:
                check_cue(keeper.state, by.seat, request.command.stroke)
        answer = Accepted(re=request.id, table=self.id, version=keeper.state.version + 1)
        person = connection.person
        await self.course.carry(
            by,
            self.course.spoken(by, request.command),
            person=person.id if person else None,
            request=remember(request, answer),
            arrived=arrived,
        )
        tell(answer)

    async def _claim(self, connection: Connection, request: ClaimAbsence, tell: Tell) -> None:
        """Give an absent opponent's claimant his ruling.

        Raises:
            Refusal: he has no claim now; nothing has changed.
        """
        seat = self.room.members.get(connection)
        keeper, person = self.course.keeper, connection.person
        if seat is None or person is None:
            raise Refusal(Code.NOT_AT_THIS_TABLE, "you don't play at this table")
        if keeper is None:
            raise Refusal(Code.WRONG_STATE, "the match has not begun: a seat is free")
        answer = Accepted(re=request.id, table=self.id, version=keeper.state.version + 1)
        claimant = Claimant(seat, person.id, remember(request, answer))
        await self.course.attendance.claim(claimant, request.ask)
        tell(answer)

    def _version(self, connection: Connection) -> int | None:
        """Version of the match as the connection may know it."""
        watches = connection in self.room.gallery
        state = self.room.public if watches else self.room.state
        return state.version if state is not None else None

    # --- the actor ----------------------------------------------------------------------------

    async def _ask(self, job: Callable[[], Awaitable[T]], share: float | None = 1.0) -> T:
        """Have the actor do a job; returns or raises what the job does.

        ``share``: refused while such a part of the inbox is taken; None: never, and then it must
        be something that a connection does once.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        done.add_done_callback(_seen)
        if self._stopping:
            raise going_down()
        if self._task is None or self._task.done() or self.course.closed:
            raise Refusal(Code.TABLE_CLOSED, "this table is closed")
        if share is not None and self._inbox.qsize() >= share * self.most_waiting:
            raise Refusal(Code.OVERLOADED, "this table is busy; try again")
        self._inbox.put_nowait((job, done, current()))
        # Who asks may be cut off; what it asked for is done all the same.
        return await asyncio.shield(done)

    async def _run(self) -> None:
        while not (self.course.closed or self.course.at_rest):
            try:
                async with asyncio.timeout(self.course.real_time_left()):
                    job, done, asker = await self._inbox.get()
            except TimeoutError:
                await self._follow()
                continue
            with lines_about(asker):
                await self._do(job, done)
            del job, done, asker  # whoever has gone isn't kept until somebody else asks
            await self._follow()
        self._refuse_waiting(Refusal(Code.TABLE_CLOSED, "this table is closed"))

    def _refuse_waiting(self, refusal: Refusal) -> None:
        while not self._inbox.empty():
            _, done, _ = self._inbox.get_nowait()
            _give(done, error=refusal)

    async def _do(self, job: Callable[[], Awaitable[Any]], done: asyncio.Future[Any]) -> None:
        try:
            result = await job()
        except Refusal as refusal:
            _give(done, error=refusal)
        except NotStored as error:
            log.log(error.level, "not stored: %s", error)
            _give(done, error=Refusal(Code.INTERNAL, "it could not be stored; nothing changed"))
        except asyncio.CancelledError:
            _give(done, error=going_down())
            raise
        except Exception:
            log.exception("a fault of the server")
            _give(done, error=Refusal(Code.INTERNAL, "a fault of the server; nothing changed"))
        else:
            _give(done, result)

    async def _follow(self) -> None:
        """What follows from the last job and from the time; a fault is tried again later."""
        try:
            await self.course.follow()
        except (NotStored, Refusal) as error:
            log.log(getattr(error, "level", logging.ERROR), "%s; trying again", error)
            await asyncio.sleep(_HOLD_REAL_S)
        except Exception:
            log.exception("a fault of the server")
            await asyncio.sleep(_HOLD_REAL_S)


def _give(done: asyncio.Future[Any], result: object = None, error: Refusal | None = None) -> None:
    if done.done():
        return
    if error is not None:
        done.set_exception(error)
    else:
        done.set_result(result)


def going_down() -> Refusal:
    """What whoever asks for something is told when the server ends."""
    return Refusal(Code.SHUTTING_DOWN, "the server is going down; come back in a minute")


def _seen(done: asyncio.Future[Any]) -> None:
    """A refusal that nobody waits for any more is no fault to be logged."""
    if not done.cancelled():
        done.exception()
