"""When a session asks the server for its time: often at first, then to keep the link alive."""

EVERY_S = 2.0
FIRST_S = (0.0, 0.15, 0.3, 0.5, 0.8, 1.2)
"""After the sign-in: the clock is to be known before the first shot is seen."""
_FORGOTTEN_S = 30.0


class Pings:
    """Those that are on their way, by id.  Local times in seconds."""

    def __init__(self) -> None:
        self._on_their_way: dict[int, float] = {}
        self._signed_in_at = self._last = 0.0
        self._sent = 0

    def begin(self, now: float) -> None:
        """Signed in."""
        self._signed_in_at, self._last, self._sent = now, now, 0

    def forget(self) -> None:
        """The link is another one: nothing that was sent is answered any more."""
        self._on_their_way.clear()

    def due(self, now: float) -> bool:
        """Whether the next one is to be sent."""
        early = self._sent < len(FIRST_S) and now - self._signed_in_at >= FIRST_S[self._sent]
        return early or now - self._last >= EVERY_S

    def sent(self, ping: int, now: float) -> None:
        """One was sent."""
        kept = {k: v for k, v in self._on_their_way.items() if now - v < _FORGOTTEN_S}
        self._on_their_way = kept | {ping: now}
        self._sent += 1
        self._last = now

    def answered(self, ping: int) -> float | None:
        """When the one that is answered was sent; None: it isn't known any more."""
        return self._on_their_way.pop(ping, None)
