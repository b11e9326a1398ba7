"""The websocket that carries a session: opens it, reads, writes, and comes back after a cut.

It knows messages, not what they mean.  Everything that happens goes to ``deliver`` as an event of
:mod:`client.net.session`, in order, on the loop's own thread.
"""

import asyncio
import random
import ssl
import time
from collections.abc import Callable, Iterable

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidURI, WebSocketException

from client.net.link_events import Garbled, LinkEvent, Lost, Opened, Received
from client.net.unreachable import why_not
from shared_rules.messages import ClientMessage
from shared_rules.refusal import Refusal
from shared_rules.wire import MAX_SERVER_BYTES, read_server_message, write_message

BACK_OFF_S = (0.2, 0.5, 1.0, 2.0, 4.0, 5.0)
OPEN_TIMEOUT_S = 8.0


class Link:
    """A websocket to ``url`` that is opened again whenever it is lost, until :meth:`close`."""

    def __init__(
        self,
        url: str,
        deliver: Callable[[LinkEvent], None],
        back_off_s: Iterable[float] = BACK_OFF_S,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        """``trust``: whose certificates count for ``wss://``; those the system trusts if None."""
        self.url = url
        self._tls = {"ssl": trust} if trust is not None and url.startswith("wss://") else {}
        self._deliver = deliver
        self._back_off = tuple(back_off_s)
        self._outbox: asyncio.Queue[ClientMessage] = asyncio.Queue()
        self._closing = asyncio.Event()
        self._socket: ClientConnection | None = None

    def send(self, message: ClientMessage) -> None:
        """Send a message on the open connection; without one it is dropped (a session repeats)."""
        self._outbox.put_nowait(message)

    def cut(self) -> None:
        """Drop the connection as a broken network would; the link comes back by itself."""
        if self._socket is not None:
            self._socket.transport.abort()

    def close(self) -> None:
        """End the link; :meth:`run` returns."""
        self._closing.set()

    async def run(self) -> None:
        """Carry messages until :meth:`close`.

        Raises:
            ValueError: the address is no websocket address.
        """
        failures = 0
        closing = asyncio.create_task(self._closing.wait())
        try:
            while not self._closing.is_set():
                carrying = asyncio.create_task(self._carry())
                await asyncio.wait({carrying, closing}, return_when=asyncio.FIRST_COMPLETED)
                if not carrying.done():
                    carrying.cancel()
                    await asyncio.gather(carrying, return_exceptions=True)
                    return
                opened, reason = carrying.result()
                failures = 0 if opened else failures + 1
                self._deliver(Lost(reason, time.monotonic()))
                pause = self._back_off[min(failures, len(self._back_off) - 1)]
                await asyncio.wait({closing}, timeout=pause * random.uniform(0.8, 1.2))
        finally:
            closing.cancel()

    async def _carry(self) -> tuple[bool, str]:
        """One connection from opening to loss: whether it opened, and why it ended."""
        opened = False
        try:
            async with connect(
                self.url,
                compression=None,
                max_size=MAX_SERVER_BYTES,
                open_timeout=OPEN_TIMEOUT_S,
                close_timeout=1.0,
                ping_interval=10.0,
                ping_timeout=15.0,
                proxy=None,
                **self._tls,
            ) as peer:
                opened = True
                self._socket = peer
                while not self._outbox.empty():  # meant for a connection that is gone
                    self._outbox.get_nowait()
                self._deliver(Opened(time.monotonic()))
                writer = asyncio.create_task(self._write(peer))
                try:
                    await self._read(peer)
                finally:
                    writer.cancel()
                    await asyncio.gather(writer, return_exceptions=True)
                reason = peer.close_reason or "the connection was closed"
        except InvalidURI as error:
            raise ValueError(f"{self.url} is no websocket address") from error
        except (WebSocketException, OSError) as error:
            reason = why_not(self.url, error)
        finally:
            self._socket = None
        return opened, reason

    async def _read(self, peer: ClientConnection) -> None:
        async for data in peer:
            at = time.monotonic()
            try:
                if isinstance(data, str):
                    data = data.encode()
                self._deliver(Received(read_server_message(data), at))
            except Refusal as refusal:
                self._deliver(Garbled(f"the server's answer makes no sense: {refusal}", at))

    async def _write(self, peer: ClientConnection) -> None:
        while True:
            message = await self._outbox.get()
            try:
                await peer.send(write_message(message))
            except WebSocketException:
                return  # the reader meets the same loss and reports it
