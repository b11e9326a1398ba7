"""A connection as people and tables see it: who it is, and what waits to be sent to it."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from server.config import ServerConfig
from server.delay import LineDelay
from server.flood import Traffic
from server.outbox import Outbox, Reseed
from server.person import Person
from server.session import Session
from server.storage.people import SessionRecord
from shared_rules.messages import Goodbye, ServerMessage
from shared_rules.wire import write_message

MOST_TABLES = 16
# Who asks faster than he reads the answers isn't heard until he has read.
_ANSWERS_AHEAD = 16


class Socket(Protocol):
    """Where messages go (``server.websocket``); tests may have another."""

    @property
    def has_room(self) -> bool:
        """Whether it takes more now."""

    @property
    def is_idle(self) -> bool:
        """Whether everything handed over has gone out."""

    def hand(self, data: bytes) -> None:
        """Send a message."""

    def end(self, reason: str) -> None:
        """Close."""


def _nothing() -> None:
    """Nobody is told."""


class _Closed:
    """The socket of a connection that is no more: it takes nothing."""

    has_room = is_idle = False

    def hand(self, data: bytes) -> None:
        """Nobody reads it."""

    def end(self, reason: str) -> None:
        """It has ended."""


_CLOSED = _Closed()


class Connection:
    """One socket's state; ``snapshot`` makes the one of a table, or None if it is gone.

    ``heard_at``: when its latest message came, seconds of the server's clock.  ``line``: its
    delay, measured once somebody plays on it.
    """

    def __init__(
        self,
        config: ServerConfig,
        address: str,
        socket: Socket,
        snapshot: Callable[["Connection", str], bytes | None],
        on_local_network: bool = False,
        traffic: Traffic | None = None,
    ) -> None:
        self.address = address
        self.on_local_network = on_local_network
        self.session = Session(config, traffic)
        self.outbox = Outbox(config.outbox_messages, config.outbox_bytes)
        self.person: Person | None = None
        self.device: SessionRecord | None = None  # the session of a token by which it came
        self.tables: set[str] = set()  # tables whose events it gets
        self.last_words: Goodbye | None = None
        self.closed = False
        self.on_hang_up: Callable[[], object] = _nothing
        self.heard_at = 0.0
        self.line = LineDelay()
        self.on_playing: Callable[[], object] = _nothing
        self._socket = socket
        self._snapshot = snapshot
        self._ended = False
        self._ahead = _ANSWERS_AHEAD
        self._reading: asyncio.Future[None] | None = None

    @property
    def speaker(self) -> Person | None:
        """The person whose messages count here; None: not signed in, or he came back elsewhere."""
        person = self.person
        return person if person is not None and person.connection is self else None

    def send(self, message: ServerMessage) -> None:
        """Queue an answer; a reader that leaves all answers unread is hung up."""
        if not self.outbox.put(write_message(message)):
            self.hang_up(Goodbye(reason="you don't read what you are sent", come_back=True))
        self.pump()

    def event(self, table: str, data: bytes) -> None:
        """Queue a numbered event of a table."""
        self.outbox.put_event(table, data)
        self.pump()

    def reseed(self, table: str) -> None:
        """Send a snapshot of a table in place of what waits of it."""
        self.outbox.reseed(table)
        self.pump()

    def passing(self, table: str, data: bytes) -> None:
        """Send it if nothing else waits."""
        if self._socket.is_idle:
            self.outbox.put_passing(table, data)
            self.pump()

    def hang_up(self, goodbye: Goodbye) -> None:
        """Say goodbye after what waits, and close; later messages are not heard."""
        if self.last_words is None:
            self.last_words = goodbye
            self.on_hang_up()
        self.pump()

    def close(self) -> None:
        """The socket is gone, and nothing refers to it any more: it goes without being looked for
        by the garbage collector."""
        self.closed = True
        self._socket = _CLOSED
        self.on_hang_up = self.on_playing = _nothing

    def pump(self) -> None:
        """Hand over what waits, as long as the socket takes it."""
        while self._socket.has_room and not self._ended:
            item = self.outbox.pop()
            if isinstance(item, Reseed):
                item = self._snapshot(self, item.table)
                if item is None:
                    continue
            if item is not None:
                self._socket.hand(item)
                continue
            if self.last_words is not None:
                self._ended = True
                self._socket.hand(write_message(self.last_words))
                self._socket.end(self.last_words.reason)
            break
        self._read_on()

    async def read_up(self, most: int = _ANSWERS_AHEAD) -> None:
        """Return once at most so many answers wait, or it is over."""
        self._ahead = most
        while self._is_behind():
            self._reading = asyncio.get_running_loop().create_future()
            await self._reading

    def _is_behind(self) -> bool:
        return len(self.outbox) > self._ahead and self.last_words is None

    def _read_on(self) -> None:
        if self._reading is not None and not self._is_behind():
            if not self._reading.done():
                self._reading.set_result(None)
            self._reading = None
