"""The numbered history of a room: what a client that comes back has missed.

Numbers go up by one and never repeat, across restarts too: each start of the server has a range of
its own.  What is kept is bounded; who is too far back gets a snapshot.
"""

from collections import deque
from dataclasses import dataclass

from shared_rules.state import Seat

_RANGE = 2**32


def first_number(start: int) -> int:
    """Number of a room before its first event, in the server's ``start``-th start."""
    return start * _RANGE


@dataclass(frozen=True)
class Views:
    """One event as bytes: for the player of each seat, and for those who watch."""

    seats: tuple[bytes, bytes]
    spectator: bytes

    def of(self, seat: Seat | None) -> bytes:
        return self.spectator if seat is None else self.seats[seat]

    @property
    def size(self) -> int:
        """Bytes held; the same object counts once."""
        parts = {id(part): len(part) for part in (*self.seats, self.spectator)}
        return sum(parts.values())


class History:
    """The latest events of a room, at most ``max_events`` and ``max_bytes`` of them."""

    def __init__(self, first: int, max_events: int, max_bytes: int) -> None:
        self.seq = first
        self.max_events = max_events
        self.max_bytes = max_bytes
        self._events: deque[Views] = deque()
        self._bytes = 0

    def add(self, views: Views) -> None:
        """The event numbered ``seq + 1``."""
        self.seq += 1
        self._events.append(views)
        self._bytes += views.size
        while len(self._events) > self.max_events or (
            self._bytes > self.max_bytes and len(self._events) > 1
        ):
            self._bytes -= self._events.popleft().size

    def between(self, last_seen: int, upto: int) -> list[Views] | None:
        """Events after ``last_seen`` as far as ``upto``; None: some are no more, or never were."""
        first = self.seq - len(self._events)  # the number before that of the oldest kept
        if not first <= last_seen <= upto <= self.seq:
            return None
        return list(self._events)[last_seen - first : upto - first]
