"""The server's clock: the one time that deadlines, shots and orders are measured on.

Seconds that only run while a server runs and can write: a restart goes on where the log ends, and
while the database takes no writes the clock stands.  So no player loses time to either, and changes
of the machine's own clock do nothing.  ``scale`` above 1
makes all of a server's time run faster (bots, tests); clients learn it in ``welcome``.
"""

import time
from collections.abc import Callable

_ASK_AGAIN_REAL_S = 0.1


class ServerClock:
    """Seconds since the first start of this server's database."""

    def __init__(
        self,
        start: float = 0.0,
        scale: float = 1.0,
        source: Callable[[], float] = time.monotonic,
    ) -> None:
        """``start``: what ``now`` is now; ``scale``: seconds of this clock in a real one.

        Raises:
            ValueError: the scale is not positive.
        """
        if scale <= 0:
            raise ValueError("the time scale must be above 0")
        self.scale = scale
        self._source = source
        self._origin = 0.0
        self._stands_at: float | None = None
        self.start_at(start)

    def start_at(self, start: float) -> None:
        """Let ``now`` be ``start`` now; before anybody has been told the time."""
        self._origin = self._source() - start / self.scale

    def now(self) -> float:
        """Seconds of this clock."""
        if self._stands_at is not None:
            return self._stands_at
        return (self._source() - self._origin) * self.scale

    def stand(self, still: bool) -> None:
        """Stand still, or go on from there."""
        if still:
            self._stands_at = self.now()
        elif self._stands_at is not None:
            at, self._stands_at = self._stands_at, None
            self.start_at(at)

    def real(self, seconds: float) -> float:
        """Real seconds in ``seconds`` of this clock; while it stands, when to ask again."""
        least = 0.0 if self._stands_at is None else _ASK_AGAIN_REAL_S
        return max(least, seconds / self.scale)
