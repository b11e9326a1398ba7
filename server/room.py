"""The people round a table and what they are told: members, numbered events, snapshots.

Players have seats, the referee has his own; everybody else watches.

No rules and no storage here.  An event is encoded once for everyone who may know the same, put
into bounded outboxes, players first, spectators in batches so that the loop breathes.
"""

import asyncio
from collections.abc import Callable, Iterable

from server.absence import Absence
from server.accounts.roles import Right
from server.clock import ServerClock
from server.connection import Connection
from server.history import History, Views
from server.people import Person
from server.storage.records import Terms
from shared_rules.announcements import Announcement, Struck
from shared_rules.commands import Actor
from shared_rules.messages import (
    Aiming,
    Member,
    PresenceEvent,
    Role,
    RoomEvent,
    ServerMessage,
    ShotInFlight,
    Snapshot,
    TableClosed,
)
from shared_rules.state import MatchState, Seat
from shared_rules.view import public_state
from shared_rules.wire import write_message

_BATCH = 64
SEATS: tuple[Seat, Seat] = (0, 1)


class Room:
    """One table's room.  ``members``: connections that get its events, and their seats."""

    def __init__(
        self, table: str, terms: Terms, clock: ServerClock, history: History, absence: Absence
    ) -> None:
        self.table = table
        self.terms = terms
        self.clock = clock
        self.history = history
        self.absence = absence
        self.seats: list[Person | None] = [None, None]
        self.members: dict[Connection, Seat | None] = {}
        self.referee: Person | None = None
        self.state: MatchState | None = None
        self.in_flight: ShotInFlight | None = None

    # --- who is there -------------------------------------------------------------------------

    def seat_of(self, person: Person | None) -> Seat | None:
        """The seat that a person has; None: no seat."""
        for seat in SEATS:
            taken = self.seats[seat]
            if person is not None and taken is not None and taken.id == person.id:
                return seat
        return None

    def player(self, seat: Seat) -> Connection | None:
        """The connection of the player of a seat, if he is here."""
        for connection, taken in self.members.items():
            if taken == seat:
                return connection
        return None

    @property
    def referee_here(self) -> bool:
        """Whether the referee's connection gets this table's events."""
        return any(self.is_referee(connection) for connection in self.members)

    def is_referee(self, connection: Connection) -> bool:
        """Whether this is the referee's connection."""
        person = connection.person
        return person is not None and person is self.referee and person.connection is connection

    @property
    def spectators(self) -> int:
        watching = (c for c, seat in self.members.items() if seat is None)
        return sum(not self.is_referee(connection) for connection in watching)

    def attach(self, connection: Connection, seat: Seat | None) -> None:
        """From now on the connection gets events; a seat's earlier connection no longer does."""
        earlier = self.player(seat) if seat is not None else None
        if earlier is not None and earlier is not connection:
            self.detach(earlier)
        self.members[connection] = seat
        connection.tables.add(self.table)
        if seat is not None:
            connection.on_playing()

    def detach(self, connection: Connection) -> None:
        """No more events to this connection."""
        self.members.pop(connection, None)
        connection.tables.discard(self.table)
        connection.outbox.forget(self.table)

    # --- what they are told -------------------------------------------------------------------

    def welcome(self, connection: Connection, last_seen: int | None) -> None:
        """What a member who has just come has missed, or a snapshot."""
        missed = self.history.since(last_seen) if last_seen is not None else None
        if missed is None:
            connection.outbox.forget(self.table)
            connection.event(self.table, self.snapshot(connection))
            return
        for views in missed:
            connection.event(self.table, views.of(self.members[connection]))

    def snapshot(self, connection: Connection) -> bytes:
        """The whole table as this member may see it."""
        seat = self.members.get(connection)
        state = self.state
        return write_message(
            Snapshot(
                table=self.table,
                seq=self.history.seq,
                clock=self.clock.now(),
                role=self._role(connection),
                seat=seat,
                players=self._players(),
                spectators=self.spectators,
                table_preset=self.terms.preset,
                state=None if state is None else public_state(state, seat),
                in_flight=self.in_flight,
                invitation=self._invitation(connection, seat),
                referee=self._referee(),
            )
        )

    def _invitation(self, connection: Connection, seat: Seat | None) -> str | None:
        person = connection.person
        sees = person is not None and person.may(Right.SEE_INVITATIONS)
        return self.terms.invitation if seat is not None or sees else None

    def _role(self, connection: Connection) -> Role:
        if self.is_referee(connection):
            return "referee"
        return "spectator" if self.members.get(connection) is None else "player"

    async def tell(self, by: Actor, said: tuple[Announcement, ...], state: MatchState) -> None:
        """An event of the match and the state after it."""
        in_flight = self.in_flight if any(_begins_shot(a) for a in said) else None

        def view(seat: Seat | None) -> ServerMessage:
            return RoomEvent(
                table=self.table,
                seq=self.history.seq + 1,
                clock=clock,
                by=by.value,
                announcements=said,
                state=seen[seat],
                in_flight=in_flight,
            )

        clock = self.clock.now()
        seen = {seat: public_state(state, seat) for seat in (None, *SEATS)}
        await self._send(_encode_views(view, lambda seat: seen[seat] == seen[None]))

    async def tell_presence(self) -> None:
        """Who is there."""
        await self._send_to_all(
            PresenceEvent(
                table=self.table,
                seq=self.history.seq + 1,
                clock=self.clock.now(),
                players=self._players(),
                spectators=self.spectators,
                referee=self._referee(),
            )
        )

    async def tell_closed(self, reason: str) -> None:
        """The last event of a room."""
        await self._send_to_all(
            TableClosed(table=self.table, seq=self.history.seq + 1, reason=reason)
        )

    def relay(self, sender: Connection, aiming: Aiming) -> None:
        """How the cue is held, to everyone but the sender."""
        data = write_message(aiming)
        for connection in self.members:
            if connection is not sender:
                connection.passing(self.table, data)

    def _players(self) -> tuple[Member | None, Member | None]:
        return self._member(0), self._member(1)

    def _referee(self) -> Member | None:
        if self.referee is None:
            return None
        return Member(name=self.referee.name, connected=self.referee_here)

    def _member(self, seat: Seat) -> Member | None:
        person = self.seats[seat]
        if person is None:
            return None
        connection = self.player(seat)
        trip = connection.line.round_trip_s if connection is not None else None
        return Member(
            name=person.name,
            connected=not self.absence.is_away(seat),
            away_until=self.absence.away_until(seat),
            round_trip_s=None if trip is None else round(trip, 3),
        )

    async def _send_to_all(self, message: ServerMessage) -> None:
        data = write_message(message)
        await self._send(Views((data, data), data))

    async def _send(self, views: Views) -> None:
        self.history.add(views)
        players = [(c, seat) for c, seat in self.members.items() if seat is not None]
        for connection, seat in players:
            connection.event(self.table, views.of(seat))
        watchers = [c for c, seat in self.members.items() if seat is None]
        for batch in _batches(watchers):
            for connection in batch:
                if connection in self.members:
                    connection.event(self.table, views.spectator)
            if len(watchers) > _BATCH:
                await asyncio.sleep(0)


def _begins_shot(announcement: Announcement) -> bool:
    return isinstance(announcement, Struck)


def _batches(connections: list[Connection]) -> Iterable[list[Connection]]:
    for start in range(0, len(connections), _BATCH):
        yield connections[start : start + _BATCH]


def _encode_views(
    view: Callable[[Seat | None], ServerMessage], same: Callable[[Seat], bool]
) -> Views:
    """Bytes for the two seats and for spectators; encoded once where they are the same."""
    spectator = write_message(view(None))
    first, second = (spectator if same(seat) else write_message(view(seat)) for seat in SEATS)
    return Views((first, second), spectator)
