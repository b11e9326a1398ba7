"""A short visit to a server: sign in, ask a few things, go.  For commands without a table."""

import ssl
from types import TracebackType
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidURI, WebSocketException

from client.net.link import OPEN_TIMEOUT_S
from client.net.unreachable import why_not
from shared_rules import messages as m
from shared_rules.refusal import Refusal
from shared_rules.wire import MAX_SERVER_BYTES, read_server_message, write_message


class ErrandFailed(Exception):
    """The server refused, or can't be reached; ``code`` is empty then."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class Errand:
    """An open connection: ``async with Errand(url) as errand``."""

    def __init__(self, url: str, trust: ssl.SSLContext | None = None) -> None:
        """``trust``: whose certificates count for ``wss://``; those the system trusts if None."""
        self.url = url
        self._tls = {"ssl": trust} if trust is not None and url.startswith("wss://") else {}
        self._socket: ClientConnection | None = None

    async def __aenter__(self) -> "Errand":
        try:
            self._socket = await connect(
                self.url, compression=None, max_size=MAX_SERVER_BYTES,
                open_timeout=OPEN_TIMEOUT_S, close_timeout=1.0, proxy=None, **self._tls,
            )  # fmt: skip
        except InvalidURI as error:
            raise ErrandFailed(f"{self.url} is no websocket address") from error
        except (WebSocketException, OSError) as error:
            raise ErrandFailed(why_not(self.url, error)) from error
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._socket is not None:
            await self._socket.close()

    async def hello(self, program: str, **who: Any) -> m.Welcome:
        """Sign in: ``name``, ``token``, or ``account`` with ``password`` and ``register``.

        Raises:
            ErrandFailed: the server does not let us in.
        """
        answer = await self._exchange(m.Hello(protocol=m.PROTOCOL, client=program, **who), None)
        assert isinstance(answer, m.Welcome)
        return answer

    async def ask(self, request: Any) -> Any:
        """The answer to a request.

        Raises:
            ErrandFailed: it is refused.
        """
        return await self._exchange(request, request.id)

    async def _exchange(self, message: m.ClientMessage, re: int | None) -> m.ServerMessage:
        assert self._socket is not None
        try:
            await self._socket.send(write_message(message))
            async for data in self._socket:
                answer = read_server_message(data if isinstance(data, bytes) else data.encode())
                if isinstance(answer, m.Refused):
                    raise ErrandFailed(answer.message, answer.code)
                if isinstance(answer, m.Goodbye):
                    raise ErrandFailed(answer.reason)
                if isinstance(answer, m.Welcome) or (re and getattr(answer, "re", None) == re):
                    return answer
        except (WebSocketException, OSError) as error:
            raise ErrandFailed(f"the connection failed: {error}") from error
        except Refusal as error:
            raise ErrandFailed(f"the server's answer makes no sense: {error}") from error
        raise ErrandFailed("the connection was closed")
