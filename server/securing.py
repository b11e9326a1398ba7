"""TLS on a socket that was accepted already, so that it was counted before it cost anything.

Were TLS left to the listening socket, asyncio would show us a connection only once TLS stands, and
all would share the context that was there when the port was opened.
"""

import asyncio
from asyncio import sslproto
from typing import Protocol

from server.tls import ServerTls

_RECORD_BYTES = 16 * 1024
# What asyncio reads at once over TLS, 256 KiB, is a buffer that each connection keeps; more than
# one record of TLS never comes out of it.  (uvloop's has another class; it isn't used with TLS.)
sslproto.SSLProtocol.max_size = _RECORD_BYTES


class Secured(Protocol):
    """A connection that waits for TLS."""

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """Its event loop."""

    def stand(self, transport: asyncio.BaseTransport, early: bytes) -> None:
        """TLS stands; ``early``: what has come over it."""

    def connection_lost(self, exc: Exception | None) -> None:
        """It doesn't, and never will."""


class Securing:
    """The handshake of one connection; ``early``: what came with its end."""

    def __init__(self, connection: Secured, tls: ServerTls, limit_real_s: float) -> None:
        self.early = b""
        self._connection = connection
        self._tls = tls
        self._limit_real_s = limit_real_s
        self._task: asyncio.Task[None] | None = None

    def begin(self, plain: asyncio.BaseTransport) -> None:
        """Begin the handshake on a new socket."""
        if not isinstance(plain, asyncio.Transport):
            raise TypeError(f"a socket's transport is a {type(plain).__name__}")
        plain.pause_reading()  # nothing may be read before TLS is there to read it
        self._task = self._connection.loop.create_task(self._secure(plain))
        self._tls.securing.add(self._task)
        self._task.add_done_callback(self._tls.securing.discard)

    async def _secure(self, plain: asyncio.Transport) -> None:
        secure = None
        try:
            secure = await self._connection.loop.start_tls(
                plain,
                self._connection,  # type: ignore[arg-type]
                self._tls.context,
                server_side=True,
                ssl_handshake_timeout=self._limit_real_s,
            )
        except OSError:  # whoever it was speaks no TLS, trusts us not, or has gone
            pass
        finally:
            if secure is None:  # also when he has gone without a word
                plain.abort()
                self._connection.connection_lost(None)
        if secure is not None:
            self._connection.stand(secure, self.early)
