"""Those who watch a table: one stream of events for all of them, as late as the table is shown.

An event is one object of bytes for everyone, handed out in batches so that the loop breathes; when
a player has struck, what is left of the event before waits until the stroke is told, so that many
who watch don't delay those who play.  At a table that is shown late an event waits until it is due,
and with it the scene that a newcomer or a slow reader gets: what they may know is ``shown``, never
what the players see.
"""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from server.clock import ServerClock
from server.connection import Connection
from server.metrics import Metrics
from shared_rules.messages import Member, ShotInFlight
from shared_rules.state import MatchState

BATCH = 32
GIVES_WAY_REAL_S = 0.03  # at most, and at most half the time
_SCENE_BYTES = 4096  # a state and what hangs on it, roughly
_TOGETHER_S = 1.0


@dataclass(frozen=True)
class Scene:
    """A table as of event ``seq``: what a snapshot tells."""

    seq: int
    state: MatchState | None = None
    in_flight: ShotInFlight | None = None
    players: tuple[Member | None, Member | None] = (None, None)
    referee: Member | None = None
    adjourned: bool = False


@dataclass(frozen=True)
class _Coming:
    """What is to be shown at ``due``: an event, with no ``data`` only its scene, or an aim."""

    due: float
    scene: Scene | None
    data: bytes | None

    @property
    def size(self) -> int:
        return len(self.data or b"") + (_SCENE_BYTES if self.scene is not None else 0)


class Gallery:
    """``shown``: the scene that spectators have seen last; their latest event's number is kept."""

    def __init__(
        self,
        table: str,
        clock: ServerClock,
        shown: Scene,
        delay_s: float,
        most_bytes: int,
        metrics: Metrics,
    ) -> None:
        """``delay_s``: of the server's clock; ``most_bytes``: of what waits to be shown."""
        self.delay_s = delay_s
        self.shown = shown
        self._table = table
        self._clock = clock
        self._most_bytes = most_bytes
        self._metrics = metrics
        self._watchers: dict[Connection, int] = {}
        self._coming: deque[_Coming] = deque()
        self._bytes = 0
        self._now: _Coming | None = None
        self._left: list[Connection] = []
        self._again: asyncio.Handle | None = None
        self._waits_until = 0.0  # seconds of the event loop
        self._gives_way_from = 0.0

    def __len__(self) -> int:
        return len(self._watchers)

    def __contains__(self, connection: Connection) -> bool:
        return connection in self._watchers

    def watchers(self) -> list[Connection]:
        """Those who watch."""
        return list(self._watchers)

    def admit(self, connection: Connection, seq: int) -> None:
        """Somebody who watches, and has everything up to ``seq``."""
        self._watchers[connection] = seq

    def dismiss(self, connection: Connection) -> None:
        """He watches no more."""
        self._watchers.pop(connection, None)

    def show(self, scene: Scene, data: bytes | None) -> None:
        """An event and the scene after it; without ``data`` spectators get a snapshot of it."""
        coming = _Coming(self._due(), scene, data)
        if self._bytes + coming.size > self._most_bytes:
            # Too much to keep: from here on a snapshot a second must do.
            coming = _Coming(coming.due, scene, None)
            last = self._coming[-1] if self._coming else None
            before = self._coming[-2].due if len(self._coming) > 1 else 0.0
            if last is not None and last.data is None and coming.due - before < _TOGETHER_S:
                self._bytes -= self._coming.pop().size
        self._append(coming)

    def pass_on(self, data: bytes) -> None:
        """How a cue is held: worth the least of all that waits."""
        if not self._watchers:
            return
        coming = _Coming(self._due(), None, data)
        if 2 * (self._bytes + coming.size) <= self._most_bytes:
            self._append(coming)

    @contextmanager
    def giving_way(self, strikes: bool) -> Iterator[None]:
        """While a player strikes: hand out nothing until that is told, for a moment at most."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        if strikes and self._again is not None and now >= self._gives_way_from:
            self._waits_until = now + GIVES_WAY_REAL_S
            self._gives_way_from = now + 2 * GIVES_WAY_REAL_S
            self._again.cancel()
            self._again = loop.call_at(self._waits_until, self._go_on)
        try:
            yield
        except BaseException:  # nothing comes of it
            self._wait_no_more()
            raise

    def _wait_no_more(self) -> None:
        if asyncio.get_running_loop().time() < self._waits_until:
            self._waits_until = 0.0
            if self._again is not None:
                self._again.cancel()
                self._go_on()

    def end(self, data: bytes) -> None:
        """The last event, at once; what would still have been shown is not."""
        self.stop()
        for connection in self._watchers:
            connection.event(self._table, data)
        self._watchers.clear()

    def stop(self) -> None:
        """Show nothing any more."""
        if self._again is not None:
            self._again.cancel()
            self._again = None
        self._coming.clear()
        self._left.clear()
        self._bytes = 0

    # --- the stream ---------------------------------------------------------------------------

    def _due(self) -> float:
        return self._clock.now() + self.delay_s

    def _append(self, coming: _Coming) -> None:
        self._coming.append(coming)
        self._bytes += coming.size
        if coming.scene is not None:
            self._wait_no_more()
        if self._again is None:
            self._go_on()

    def _go_on(self) -> None:
        """Hand out a batch; come again at once for the rest, or when something is due."""
        self._again = None
        loop = asyncio.get_running_loop()
        if self._hand_out():
            self._again = loop.call_soon(self._go_on)
        elif self._coming:
            wait_s = self._clock.real(self._coming[0].due - self._clock.now())
            self._again = loop.call_later(wait_s, self._go_on)

    def _hand_out(self) -> bool:
        """At most a batch of what is due; True: there is more."""
        handed = 0
        while self._left or self._next():
            while self._left:
                if handed == BATCH:
                    return True
                handed += 1
                self._give(self._left.pop())
        return False

    def _next(self) -> bool:
        """Begin with the next that is due; False: nothing is."""
        if not self._coming or self._coming[0].due > self._clock.now():
            return False
        self._now = self._coming.popleft()
        self._bytes -= self._now.size
        if self._now.scene is not None:
            self.shown = self._now.scene
        self._left = list(self._watchers)
        return True

    def _give(self, connection: Connection) -> None:
        seen = self._watchers.get(connection)
        now = self._now
        if seen is None or now is None:
            return  # he has gone meanwhile
        if now.scene is None:
            connection.passing(self._table, now.data or b"")
        elif now.scene.seq > seen:
            self._watchers[connection] = now.scene.seq
            self._metrics.events_handed += 1
            if now.data is None:
                connection.reseed(self._table)
            else:
                connection.event(self._table, now.data)
