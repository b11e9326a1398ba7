"""When a table leaves the floor: nobody came, the match is over, or it waits for its players.

A match that is adjourned stays in the log and needs no table: the floor brings it back from there
when one of its players comes, or an official acts.
"""

from dataclasses import dataclass

from server.clock import ServerClock
from server.room import SEATS, Room
from server.storage.records import Status
from shared_rules.state import Phase

_EMPTY_REAL_S = 30.0


@dataclass(frozen=True)
class End:
    """When (server's clock), what is told, and the status that is then stored; None: as it is."""

    at: float
    reason: str
    status: Status | None = None


class Ending:
    """Reads a room for its end; remembers since when nobody is there."""

    def __init__(self, room: Room, clock: ServerClock, linger_s: float) -> None:
        """``linger_s``: so long the room stays open after a match."""
        self._room = room
        self._clock = clock
        self._linger_s = linger_s
        self._empty_since: float | None = None

    def due(self, adjourned: bool, since: float) -> End | None:
        """The end that is coming as things stand; ``since``: when the present phase began."""
        room = self._room
        if room.state is None:
            opener = room.absence.away(0)
            if opener is None or opener.claim_from is None:  # he is here
                return None
            return End(opener.claim_from, "the player who opened it did not come back", "closed")
        # spectators see what came last, too, before the room closes
        late_s = room.gallery.delay_s
        if room.state.phase is Phase.MATCH_OVER:
            reason = "the match is over"
            if room.members:
                self._empty_since = None
                return End(since + late_s + self._linger_s, reason)
            empty = self._deserted_since() + _EMPTY_REAL_S * self._clock.scale
            # the list of tables would tell that it is over to who isn't to know yet
            return End(max(empty, since + late_s), reason)
        if adjourned and any((a := room.absence.away(s)) and a.kind == "idle" for s in SEATS):
            reason = "who was to play did nothing; the match goes on when both come back"
            return End(self._deserted_since() + late_s, reason)
        here = room.referee_here or any(room.player(seat) is not None for seat in SEATS)
        if here or not adjourned:
            self._empty_since = None
            return None
        reason = "the match is adjourned; its table is put away until a player comes back"
        return End(self._deserted_since() + late_s + _EMPTY_REAL_S * self._clock.scale, reason)

    def _deserted_since(self) -> float:
        if self._empty_since is None:
            self._empty_since = self._clock.now()
        return self._empty_since
