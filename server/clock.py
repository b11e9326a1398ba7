"""The server's clock: the one time that deadlines, shots and orders are measured on.

Seconds that only run while a server runs: a restart goes on where the log ends, so no clock of a
player loses time to it, and changes of the machine's own clock do nothing.  ``scale`` above 1
makes all of a server's time run faster (bots, tests); clients learn it in ``welcome``.
"""

import time
from collections.abc import Callable


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
        self.start_at(start)

    def start_at(self, start: float) -> None:
        """Let ``now`` be ``start`` now; before anybody has been told the time."""
        self._origin = self._source() - start / self.scale

    def now(self) -> float:
        """Seconds of this clock."""
        return (self._source() - self._origin) * self.scale

    def real(self, seconds: float) -> float:
        """Real seconds in ``seconds`` of this clock; never below 0."""
        return max(0.0, seconds / self.scale)
