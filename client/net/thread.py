"""The link in a thread of its own, for a client that draws: a queue in, a queue out.

The drawing thread drains everything that has come once a frame, so latency does not hang on the
frame rate (stepping Panda3D from asyncio would add 24 to 57 ms, this adds 0.3 ms).
"""

import asyncio
import queue
import ssl
import threading
from contextlib import suppress

from client.net.link import Link
from client.net.session import Garbled, LinkEvent, Session


class NetThread:
    """Runs a :class:`Link` on its own thread and feeds a session on the owner's."""

    def __init__(self, url: str, session: Session, trust: ssl.SSLContext | None = None) -> None:
        self.url = url
        self._trust = trust
        self.session = session
        self._inbox: queue.SimpleQueue[LinkEvent] = queue.SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._link: Link | None = None
        self._up = threading.Event()
        self._thread = threading.Thread(target=self._main, name="headstring-net", daemon=True)

    def start(self) -> None:
        """Begin to connect."""
        self._thread.start()
        self._up.wait(5.0)

    def pump(self, now: float) -> int:
        """Give the session all that has come and send what it wants to say; events taken."""
        taken = 0
        while (event := self.next_event()) is not None:
            self.session.handle(event)
            taken += 1
        self.send(now)
        return taken

    def next_event(self, wait_s: float = 0.0) -> LinkEvent | None:
        """The next thing that has come, for who looks at each by itself.

        None if nothing has come, nor comes within ``wait_s`` seconds.
        """
        try:
            return self._inbox.get(wait_s > 0.0, wait_s or None)
        except queue.Empty:
            return None

    def send(self, now: float) -> None:
        """Let the session's time pass, and send what it wants to say; over, the link ends too."""
        self.session.tick(now)
        outgoing = self.session.take_outgoing()
        if outgoing and self._loop is not None and self._link is not None:
            for message in outgoing:
                self._loop.call_soon_threadsafe(self._link.send, message)
        if self.session.phase == "over" and self._thread.is_alive():
            self._end_link()

    def cut(self) -> None:
        """Break the connection, as a fault would: for tests."""
        if self._loop is not None and self._link is not None:
            self._loop.call_soon_threadsafe(self._link.cut)

    def close(self) -> None:
        """Send what is still to be sent, end the link and wait for the thread."""
        self._end_link()
        self._thread.join(3.0)

    def _end_link(self) -> None:
        if self._loop is not None and self._link is not None and not self._loop.is_closed():
            with suppress(RuntimeError):  # the loop may close at this very moment
                self._loop.call_soon_threadsafe(self._link.close)

    def _main(self) -> None:
        try:
            asyncio.run(self._run())
        except ValueError as error:  # the address: nothing to try again
            self._inbox.put(Garbled(str(error), 0.0))
        finally:
            self._up.set()

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._link = Link(self.url, self._inbox.put, trust=self._trust)
        self._up.set()
        await self._link.run()
