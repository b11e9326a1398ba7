"""The server's clock as this machine can know it: pings set the offset, its pace is told.

Local times are seconds of ``time.monotonic`` (of any clock that never jumps), so that a wrong
calendar clock, or one that is set while playing, changes nothing.
"""

from collections import deque

KEPT = 12


class ServerClock:
    """Estimate of a server's clock from pongs and from the times in its messages."""

    def __init__(self) -> None:
        self._pongs: deque[tuple[float, float, float]] = deque(maxlen=KEPT)
        self._local: float | None = None
        self._server = 0.0
        self._pace = 1.0

    @property
    def known(self) -> bool:
        """Whether anything is known of the server's clock."""
        return self._local is not None

    @property
    def pace(self) -> float:
        """Server seconds per local second: one, but for a server that runs a fast clock."""
        return self._pace

    @property
    def round_trip_s(self) -> float | None:
        """Median round trip of the recent pings, local seconds; None before the first."""
        if not self._pongs:
            return None
        trips = sorted(trip for _, _, trip in self._pongs)
        return trips[len(trips) // 2]

    def begin(self, received_at: float, server: float, pace: float = 1.0) -> None:
        """A server welcomes us: all that was known of another process's clock is void."""
        self._pongs.clear()
        self._local, self._server, self._pace = received_at, server, pace

    def pong(self, sent_at: float, received_at: float, server: float) -> None:
        """An answered ping: local times of sending and of receipt, and the server's clock."""
        trip = max(received_at - sent_at, 0.0)
        self._pongs.append((sent_at + trip / 2, server, trip))
        # The quickest answer says most; an old one less, since clocks drift.
        newest = self._pongs[-1][0]
        local, at, _ = min(self._pongs, key=lambda p: p[2] + 0.001 * (newest - p[0]))
        self._local, self._server = local, at

    def seen(self, received_at: float, server: float) -> None:
        """A message says the server's clock as it left: never later than the clock is now."""
        if self._local is None or self.now(received_at) < server:
            self._local, self._server = received_at, server

    def now(self, local: float) -> float:
        """The server's clock at a local time; 0 while nothing is known."""
        if self._local is None:
            return 0.0
        return self._server + self._pace * (local - self._local)
