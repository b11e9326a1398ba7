"""The socket shell: websockets and a little HTTP on one port, moving bytes between them and us.

Each connection has a task that reads (one message after the other, so a sender waits for its own
answers); what is sent needs none.  Everything that decides is in the session and the house.
"""

import asyncio
import contextlib
import errno
import functools
import logging
import os
import socket

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from server.config import ServerConfig
from server.connection import Connection
from server.house import House
from server.logs import about, fields
from server.session import flooding
from server.speed import Departures
from server.tls import ServerTls
from server.web.asked import HttpError, read_request
from server.web.board.board import Board
from server.web.door import REFUSAL, is_websocket, turned_away
from server.web.page_server import PageServer
from server.web.peer import Peer, TrustedProxies
from server.web.reply import response, text_reply
from server.web.routes import Routes
from server.websocket import Websocket
from shared_rules.messages import Goodbye
from shared_rules.wire import MAX_CLIENT_BYTES

log = logging.getLogger("headstring.server.listener")

# A message somewhat too large is refused and the connection kept; beyond this it is cut.
_CUT_BYTES = 4 * MAX_CLIENT_BYTES
_WRITE_BUFFER = 64 * 1024
# Left to itself the system may keep megabytes for a reader that has stopped.
_SYSTEM_BUFFER = 128 * 1024
_IN_USE = (errno.EADDRINUSE, 10048)  # Windows has a number of its own
_LAST_WORDS_REAL_S = 1.0
_PATIENCE_REAL_S = 2.5  # from hanging up to cutting the line


class PortUnusable(OSError):
    """The port or the address can't be had; the message tells a person why."""


class Listener:
    """The open port and everyone connected to it."""

    def __init__(
        self,
        house: House,
        config: ServerConfig,
        site: Routes,
        board: Board,
        pages: PageServer | None = None,
        tls: ServerTls | None = None,
    ) -> None:
        """``site``: answers what is no websocket, and ``board`` pages that only listen.

        ``pages``: a port of its own for more.
        """
        self.board = board
        self.house = house
        self.connections = house.connections
        self._config = config
        self._site = site
        self.pages = pages
        self.tls = tls
        self._proxies = TrustedProxies(config.trusted_proxies)
        self.gate = house.gate
        self._server: Server | None = None
        self._numbers = 0  # of connections, for the log
        self._departures = Departures()

    async def open(self) -> None:
        """Take the port and answer pages; players are let in while the house is open.

        Raises:
            PortUnusable: it can't be had.
        """
        config = self._config
        try:
            self._server = await self._listen(config)
        except OSError as error:
            raise PortUnusable(
                f"can't listen on {config.host} port {config.port}: {_why(error)}"
            ) from error
        if self.pages is not None:
            try:
                await self.pages.open()
            except OSError as error:
                raise PortUnusable(
                    f"can't listen on {config.metrics_address} for metrics: {_why(error)}"
                ) from error

    async def _listen(self, config: ServerConfig) -> Server:
        return await serve(
            self._serve,
            config.host,
            config.port,
            process_request=self._answer_http,
            compression=None,
            max_size=_CUT_BYTES,
            max_queue=8,
            write_limit=_WRITE_BUFFER,
            open_timeout=config.sign_in_real_s,
            ping_interval=config.ping_interval_real_s,
            ping_timeout=config.ping_timeout_real_s,
            close_timeout=_LAST_WORDS_REAL_S,
            server_header="headstring",
            create_connection=functools.partial(  # type: ignore[arg-type]
                Websocket, gate=self.gate, config=config, tls=self.tls
            ),
        )

    @property
    def port(self) -> int:
        """The port, also when the system chose it."""
        return int(next(iter(self.sockets)).getsockname()[1])

    @property
    def sockets(self) -> tuple[socket.socket, ...]:
        """Those that listen."""
        if self._server is None:
            raise RuntimeError("the port isn't open")
        return tuple(self._server.sockets)

    @property
    def _open(self) -> int:
        return len(self.connections) + len(self.board.feed)

    def say_goodbye(self) -> None:
        """Take nobody in any more, and tell everyone to come back."""
        if self._server is not None:
            self._server.close(close_connections=False)
        if self.tls is not None:
            self.tls.give_up()
        for connection in list(self.connections):
            connection.hang_up(Goodbye(reason="the server restarts", come_back=True))
        self.board.feed.say_goodbye()

    async def close(self) -> None:
        """Return once everyone has heard the goodbye or was cut."""
        if self._server is not None:
            await self._server.wait_closed()
        if self.pages is not None:
            await self.pages.close()

    async def _answer_http(self, connection: ServerConnection, request: Request) -> Response | None:
        """A page, or None for the handshake of a websocket."""
        try:
            peer = self._peer(connection, request)
            self.gate.is_of(connection, peer.address)
            asked = read_request(request, peer)
        except HttpError as error:
            return response(text_reply(error.sentence, error.status), None)
        if is_websocket(asked):
            refusal = turned_away(asked, self.house, self._config, self._open)
            if refusal is None:
                return None
            self.house.metrics.refused[refusal.headers[REFUSAL]] += 1
            self.gate.turned_away(connection, asked.peer.address)
            return response(refusal, asked)
        return response(await self._site.answer(asked), asked)

    def _peer(self, connection: ServerConnection, request: Request) -> Peer:
        address = connection.remote_address
        secure = connection.transport.get_extra_info("ssl_object") is not None
        return self._proxies.peer(str(address[0]) if address else "", secure, request.headers)

    async def _serve(self, peer: ServerConnection) -> None:
        if not isinstance(peer, Websocket):
            raise TypeError(f"a connection is a {type(peer).__name__}")
        _bound_system_buffer(peer)
        request = peer.request
        who = self._peer(peer, request) if request is not None else Peer("")
        if request is not None and self.board.takes(read_request(request, who)):
            self.gate.opened(peer)
            await self.board.feed.serve(peer)
            return
        connection = Connection(
            self._config,
            who.address,
            peer,
            self._snapshot,
            who.is_on_local_network,
            peer.traffic,
        )
        self.connections.add(connection)
        self.gate.opened(peer)
        self._numbers += 1
        about(connection=self._numbers)
        log.debug("connected", extra=fields(address=connection.address))
        self.house.metrics.connections += 1
        loop = asyncio.get_running_loop()
        peer.on_room = connection.pump
        peer.on_sent = self.house.metrics.sent
        # A peer that has stopped reading can't hear the goodbye either.
        connection.on_hang_up = lambda: loop.call_later(_PATIENCE_REAL_S, peer.transport.abort)
        peer.on_flood = lambda: self.house.hang_up_on(connection, flooding())
        every = self._config.ping_players_real_s
        # of players only: who watches has no clock
        connection.on_playing = lambda: peer.measure(every, measured)
        telling: set[asyncio.Task[None]] = set()

        def measured(round_trip_s: float) -> None:
            if connection.line.measured(round_trip_s):
                task = loop.create_task(self.house.line_changed(connection))
                telling.add(task)
                task.add_done_callback(telling.discard)

        late = loop.call_later(self._config.sign_in_real_s, self._must_be_signed_in, connection)
        try:
            await self._read(peer, connection)
        finally:
            late.cancel()
            for task in telling:
                task.cancel()
            connection.hang_up(Goodbye(reason="closed", come_back=False))
            self.connections.discard(connection)
            log.debug("disconnected", extra=fields(code=peer.close_code))
            # Shielded: who is cut off must still be missed at his tables.
            await asyncio.shield(self.house.gone(connection))
            connection.close()
            peer.let_go()
            self._departures.one_more()

    async def _read(self, peer: Websocket, connection: Connection) -> None:
        loop = asyncio.get_running_loop()
        with contextlib.suppress(ConnectionClosed):
            async for data in peer:
                if connection.last_words is not None:
                    # Read on without hearing, or the goodbye would be lost with the socket.
                    continue
                step = connection.session.receive(data, loop.time())
                await self.house.take(connection, step, loop.time())
                await connection.read_up()

    def _snapshot(self, connection: Connection, name: str) -> bytes | None:
        return self.house.snapshot(connection, name)

    def _must_be_signed_in(self, connection: Connection) -> None:
        if not connection.session.signed_in:
            connection.hang_up(Goodbye(reason="nobody signed in", come_back=False))


def _why(error: OSError) -> str:
    """Why a port can't be had."""
    if error.errno in _IN_USE:
        return "it is in use"
    if isinstance(error, socket.gaierror) or not error.errno:
        return error.strerror or str(error)
    return os.strerror(error.errno)  # without what asyncio says around it


def _bound_system_buffer(connection: ServerConnection) -> None:
    plain = connection.transport.get_extra_info("socket")
    if plain is not None:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SYSTEM_BUFFER)
