"""Pages on a port of their own, for what need not be public."""

import contextlib
from http import HTTPStatus

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from server.web.answering import AnsweringConnection
from server.web.asked import HttpError, read_request
from server.web.peer import Peer
from server.web.reply import response, text_reply
from server.web.routes import Routes

_OPEN_REAL_S = 10.0


class PageServer:
    """Answers pages at an address, and opens no websocket there."""

    def __init__(self, site: Routes, host: str, port: int) -> None:
        self._site = site
        self._host = host
        self._given_port = port
        self._server: Server | None = None

    async def open(self) -> None:
        """Take the port; raises OSError."""
        self._server = await serve(
            self._end,
            self._host,
            self._given_port,
            process_request=self._answer,
            compression=None,
            open_timeout=_OPEN_REAL_S,
            server_header="headstring",
            create_connection=AnsweringConnection,
        )

    @property
    def port(self) -> int:
        """The port, also when the system chose it."""
        if self._server is None:
            raise RuntimeError("the port isn't open")
        return int(next(iter(self._server.sockets)).getsockname()[1])

    async def close(self) -> None:
        """Answer no more."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _answer(self, connection: ServerConnection, request: Request) -> Response:
        address = connection.remote_address
        try:
            asked = read_request(request, Peer(str(address[0]) if address else ""))
        except HttpError as error:
            return response(text_reply(error.sentence, error.status), None)
        if "Upgrade" in request.headers:
            return response(text_reply("pages only", HTTPStatus.BAD_REQUEST), asked)
        return response(await self._site.answer(asked), asked)

    async def _end(self, connection: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):  # never reached: no handshake is accepted
            await connection.close()
