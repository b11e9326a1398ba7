"""Who is what at one table: player, referee or spectator.  Here alone that is decided.

Two have seats, one may have the referee's chair, everybody else watches.  Nobody has a seat and
the chair: who plays is a player whatever else he may be.
"""

from server import admission
from server.absence import SEATS
from server.accounts.roles import Right
from server.connection import Connection
from server.person import Person
from server.storage.records import Terms
from shared_rules.commands import Actor
from shared_rules.messages import Role
from shared_rules.refusal import Code, Refusal
from shared_rules.state import Seat


class Places:
    """``members``: connections that get the table's events, and their seats.  ``referee``: who has
    the chair, here or not."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.seats: list[Person | None] = [None, None]
        self.members: dict[Connection, Seat | None] = {}
        self.referee: Person | None = None
        self._players: dict[Seat, Connection] = {}

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
        return self._players.get(seat)

    @property
    def referee_connection(self) -> Connection | None:
        """The connection of the referee, if he is here."""
        connection = self.referee.connection if self.referee is not None else None
        return connection if connection in self.members else None

    @property
    def referee_here(self) -> bool:
        """Whether the referee's connection gets this table's events."""
        return self.referee_connection is not None

    def not_watching(self) -> list[Connection]:
        """Players and referee who are here."""
        here = [self._players[seat] for seat in SEATS if seat in self._players]
        referee = self.referee_connection
        return here if referee is None else [*here, referee]

    def role_of(self, connection: Connection) -> Role:
        """As what a connection is here, or would be if it got this table's events."""
        speaker = connection.speaker
        if self.members.get(connection) is not None or self.seat_of(speaker) is not None:
            return "player"
        return "referee" if speaker is not None and speaker is self.referee else "spectator"

    def actor_of(self, connection: Connection) -> Actor:
        """As whom somebody gives commands here.

        Raises:
            Refusal: ``not_at_this_table``: he neither plays nor officiates here.
        """
        seat = self.members.get(connection)
        if seat is not None:
            return Actor.of(seat)
        if connection in self.members and self.role_of(connection) == "referee":
            return Actor.REFEREE
        raise Refusal(Code.NOT_AT_THIS_TABLE, "you don't play at this table")

    # --- who may be what ----------------------------------------------------------------------

    def check_may_sit(self, person: Person) -> None:
        """May somebody take a seat, as far as it hangs on what he is here?

        Raises:
            Refusal: ``is_referee``.
        """
        if self.referee is person:
            raise Refusal(
                Code.IS_REFEREE, "you are the referee of this table; leave it before you play here"
            )

    def appoint(self, person: Person, invitation: str | None) -> None:
        """Somebody is the referee from now on.

        Raises:
            Refusal: ``no_referee``, ``wrong_invitation``, ``not_allowed``, ``already_playing``;
                ``table_full``: another is.
        """
        admission.check_officiating(self.terms, invitation, person.may(Right.OFFICIATE))
        if self.seat_of(person) is not None:
            raise Refusal(Code.ALREADY_PLAYING, "you play at this table")
        if self.referee is not None and self.referee is not person and self.referee_here:
            raise Refusal(Code.TABLE_FULL, f"{self.referee.name} is the referee of this table")
        self.referee = person

    def resign(self, person: Person | None) -> None:
        """Somebody has left; if he was the referee, the chair is free."""
        if person is not None and self.referee is person:
            self.referee = None
