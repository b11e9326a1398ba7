"""A connection as people and tables see it: who it is, and what waits to be sent to it."""

import asyncio
from collections.abc import Callable

from server.config import ServerConfig
from server.delay import LineDelay
from server.outbox import Outbox, Reseed
from server.people import Person
from server.session import Session
from server.storage.people import SessionRecord
from shared_rules.messages import Goodbye, ServerMessage
from shared_rules.wire import write_message

MOST_TABLES = 16


class Connection:
    """One socket's state; only ``server.listener`` knows the socket itself.

    ``heard_at``: when its latest message came, seconds of the server's clock.  ``line``: its
    delay, measured once somebody plays on it.
    """

    def __init__(self, config: ServerConfig, address: str) -> None:
        self.address = address
        self.session = Session(config)
        self.outbox = Outbox(config.outbox_messages, config.outbox_bytes)
        self.person: Person | None = None
        self.device: SessionRecord | None = None  # the session of a token by which it came
        self.tables: set[str] = set()  # tables whose events it gets
        self.last_words: Goodbye | None = None
        self.closed = False
        self.on_hang_up: Callable[[], object] = lambda: None
        self.heard_at = 0.0
        self.line = LineDelay()
        self.on_playing: Callable[[], object] = lambda: None
        self._news = asyncio.Event()
        self._drained = asyncio.Event()

    def send(self, message: ServerMessage) -> None:
        """Queue an answer; a reader that leaves all answers unread is hung up."""
        if not self.outbox.put(write_message(message)):
            self.hang_up(Goodbye(reason="you don't read what you are sent", come_back=True))
        self._news.set()

    def event(self, table: str, data: bytes) -> None:
        """Queue a numbered event of a table."""
        self.outbox.put_event(table, data)
        self._news.set()

    def passing(self, table: str, data: bytes) -> None:
        """Send it if nothing else waits."""
        self.outbox.put_passing(table, data)
        self._news.set()

    def hang_up(self, goodbye: Goodbye) -> None:
        """Say goodbye after what is being sent, and close; later messages are not heard."""
        if self.last_words is None:
            self.last_words = goodbye
            self.on_hang_up()
        self._news.set()
        self._drained.set()

    def take(self) -> bytes | Reseed | None:
        """The next thing to send; None: nothing waits."""
        self._drained.set()
        return self.outbox.pop()

    async def drained(self) -> None:
        """Return when something has been taken, or it is over."""
        self._drained.clear()
        await self._drained.wait()

    async def news(self) -> None:
        """Return when there may be something to send, or to hang up."""
        await self._news.wait()
        self._news.clear()
