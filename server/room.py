"""What the people round a table are told: numbered events, snapshots.

No rules and no storage here.  An event is encoded once for everyone who may know the same and put
into bounded outboxes: players and referee at once, spectators by the gallery.
"""

import time
from collections.abc import Callable
from dataclasses import replace

from server.absence import SEATS as SEATS
from server.absence import Absence
from server.accounts.roles import Right
from server.clock import ServerClock
from server.connection import Connection
from server.gallery import Gallery, Scene
from server.history import History, Views
from server.metrics import Metrics
from server.places import Places
from server.storage.records import Terms
from shared_rules.announcements import Announcement, Struck
from shared_rules.changes import StateChanges, changes_of
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
from shared_rules.state import MatchState, Phase, Seat
from shared_rules.view import public_state
from shared_rules.wire import write_message

_SNAPSHOT_REAL_S = 0.1  # so long a snapshot is given to others who get the same


class Room(Places):
    """One table's room.

    ``gallery``: those of its members who watch, and are shown everything ``terms.delay_s`` later.
    """

    def __init__(
        self,
        table: str,
        terms: Terms,
        clock: ServerClock,
        history: History,
        absence: Absence,
        gallery: Gallery,
        metrics: Metrics,
    ) -> None:
        super().__init__(terms)
        self.table = table
        self.clock = clock
        self.history = history
        self.absence = absence
        self.gallery = gallery
        self.adjourned = False  # nothing goes on until both players are back
        self.state: MatchState | None = None
        self.in_flight: ShotInFlight | None = None
        self._metrics = metrics
        self._told: MatchState | None = None  # the state after the latest event
        self._latest: tuple[int, float, bytes] | None = None  # the spectators' latest snapshot

    # --- who is there -------------------------------------------------------------------------

    @property
    def spectators(self) -> int:
        return len(self.gallery)

    @property
    def is_late(self) -> bool:
        """Whether spectators see everything later than the players."""
        return self.gallery.delay_s > 0

    @property
    def public(self) -> MatchState | None:
        """The match as anybody may know it now."""
        return self.gallery.shown.state if self.is_late else self.state

    @property
    def seen_to_end(self) -> bool:
        """Whether anybody may know that its match does not go on: it is over, or adjourned."""
        state = self.public
        adjourned = self.gallery.shown.adjourned if self.is_late else self.adjourned
        return adjourned or (state is not None and state.phase is Phase.MATCH_OVER)

    def attach(self, connection: Connection, seat: Seat | None) -> None:
        """From now on the connection gets events; a seat's earlier connection no longer does."""
        if seat is not None:
            earlier = self.player(seat)
            if earlier is not None and earlier is not connection:
                self.detach(earlier)
            self._players[seat] = connection
        self.members[connection] = seat
        connection.tables.add(self.table)
        if self.role_of(connection) == "spectator":
            self.gallery.admit(connection, self.shown_seq)
        else:
            self.gallery.dismiss(connection)
        if seat is not None:
            connection.on_playing()

    def detach(self, connection: Connection) -> None:
        """No more events to this connection."""
        seat = self.members.pop(connection, None)
        if seat is not None and self._players.get(seat) is connection:
            del self._players[seat]
        self.gallery.dismiss(connection)
        connection.tables.discard(self.table)
        connection.outbox.forget(self.table)

    # --- what they are told -------------------------------------------------------------------

    def welcome(self, connection: Connection, last_seen: int | None) -> None:
        """What a member who has just come has missed, or a snapshot."""
        upto = self.shown_seq if connection in self.gallery else self.history.seq
        missed = self.history.between(last_seen, upto) if last_seen is not None else None
        if missed is None:
            connection.outbox.forget(self.table)
            connection.event(self.table, self.snapshot(connection))
            return
        for views in missed:
            connection.event(self.table, views.of(self.members[connection]))

    @property
    def shown_seq(self) -> int:
        """Number of the latest event that spectators have been shown."""
        return self.gallery.shown.seq if self.is_late else self.history.seq

    @property
    def watched(self) -> Scene:
        """The table as spectators may see it now."""
        if self.is_late:
            scene = self.gallery.shown
        else:
            scene = self._scene(self.state if self._told is None else self._told)
        state = scene.state
        return replace(scene, state=None if state is None else public_state(state, None))

    def snapshot(self, connection: Connection) -> bytes:
        """The whole table as this member may see it."""
        seat = self.members.get(connection)
        invitation = self._invitation(connection, seat)
        if connection not in self.gallery:
            told = self.state if self._told is None else self._told
            role = self.role_of(connection)
            return self._snapshot(self._scene(told), role, seat, 0.0, invitation)
        self.gallery.admit(connection, self.shown_seq)
        scene = self.watched
        delay_s = self.gallery.delay_s
        if invitation is not None:  # an official: his snapshot is not everyone's
            return self._snapshot(scene, "spectator", None, delay_s, invitation)
        now = time.monotonic()
        known = self._latest
        if known is None or known[0] != scene.seq or now - known[1] > _SNAPSHOT_REAL_S:
            data = self._snapshot(scene, "spectator", None, delay_s, None)
            known = self._latest = (scene.seq, now, data)
        return known[2]

    def _snapshot(
        self,
        scene: Scene,
        role: Role,
        seat: Seat | None,
        delay_s: float,
        invitation: str | None,
    ) -> bytes:
        self._metrics.snapshots_encoded += 1
        state = scene.state
        return write_message(
            Snapshot(
                table=self.table,
                seq=scene.seq,
                clock=self.clock.now() - delay_s,
                role=role,
                seat=seat,
                players=scene.players,
                spectators=self.spectators,
                table_preset=self.terms.preset,
                state=None if state is None else public_state(state, seat),
                in_flight=scene.in_flight,
                invitation=invitation,
                referee=scene.referee,
                delay_s=delay_s,
            )
        )

    def _scene(self, state: MatchState | None) -> Scene:
        return Scene(
            seq=self.history.seq,
            state=state,
            in_flight=self.in_flight,
            players=(self._member(0), self._member(1)),
            referee=self._referee(),
            adjourned=self.adjourned,
        )

    def _invitation(self, connection: Connection, seat: Seat | None) -> str | None:
        person = connection.person
        sees = person is not None and person.may(Right.SEE_INVITATIONS)
        return self.terms.invitation if seat is not None or sees else None

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
                changes=changes[seat],
                in_flight=in_flight,
            )

        clock = self.clock.now()
        before, self._told = self._told, state

        def changes_for(seat: Seat | None) -> StateChanges:
            earlier = None if before is None else public_state(before, seat)
            return changes_of(earlier, public_state(state, seat))

        public = changes_for(None)
        changes: dict[Seat | None, StateChanges] = {None: public, 0: public, 1: public}
        if state.lag is not None:  # otherwise everyone sees the same
            changes |= {seat: changes_for(seat) for seat in SEATS}
        self._send(_encode_views(view, lambda seat: changes[seat] == public))

    async def tell_presence(self) -> None:
        """Who is there."""
        data = write_message(
            PresenceEvent(
                table=self.table,
                seq=self.history.seq + 1,
                clock=self.clock.now(),
                players=(self._member(0), self._member(1)),
                spectators=self.spectators,
                referee=self._referee(),
            )
        )
        self._send(Views((data, data), data))

    async def tell_closed(self, reason: str) -> None:
        """The last event of a room; nobody is a member any more."""

        def last(seq: int) -> bytes:
            return write_message(TableClosed(table=self.table, seq=seq + 1, reason=reason))

        for connection in self.not_watching():
            connection.event(self.table, last(self.history.seq))
        self.gallery.end(last(self.shown_seq))
        for connection in self.members:
            connection.tables.discard(self.table)
        self.members.clear()
        self._players.clear()

    def show_again(self) -> None:
        """After a restart: what the log holds is shown to spectators as late as anything."""
        if self.is_late:
            self._told = self.state
            self.gallery.shown = Scene(self.history.seq - 1)
            self.gallery.show(self._scene(self.state), None)

    def relay(self, sender: Connection, aiming: Aiming) -> None:
        """How the cue is held, to everyone but the sender."""
        data = write_message(aiming)
        for connection in self.not_watching():
            if connection is not sender:
                connection.passing(self.table, data)
        self.gallery.pass_on(data)

    def _referee(self) -> Member | None:
        if self.referee is None:
            return None
        return Member(name=self.referee.name, connected=self.referee_here)

    def _member(self, seat: Seat) -> Member | None:
        person = self.seats[seat]
        if person is None:
            return None
        connection = self.player(seat)
        away = self.absence.away(seat)
        trip = connection.line.round_trip_s if connection is not None else None
        return Member(
            name=person.name,
            connected=away is None,
            away_until=away.until if away else None,
            claim_from=away.claim_from if away else None,
            absence=away.kind if away else None,
            round_trip_s=None if trip is None else round(trip, 3),
        )

    def _send(self, views: Views) -> None:
        self._metrics.events_encoded += 1
        self.history.add(views)
        for connection in self.not_watching():
            self._metrics.events_handed += 1
            connection.event(self.table, views.of(self.members[connection]))
        self.gallery.show(self._scene(self._told), views.spectator)


def _begins_shot(announcement: Announcement) -> bool:
    return isinstance(announcement, Struck)


def _encode_views(
    view: Callable[[Seat | None], ServerMessage], same: Callable[[Seat], bool]
) -> Views:
    """Bytes for the two seats and for spectators; encoded once where they are the same."""
    spectator = write_message(view(None))
    first, second = (spectator if same(seat) else write_message(view(seat)) for seat in SEATS)
    return Views((first, second), spectator)
