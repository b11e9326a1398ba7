"""A connection that answers every request, also those that ``websockets`` can't read.

It drops a request with a body, and what is no HTTP, without a word; whoever sent it could only
guess why.
"""

from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import InvalidMessage
from websockets.http11 import Response

from server.web.reply import response, text_reply
from server.web.routes import METHODS

_LONGEST_METHOD = 16
_TLS_HANDSHAKE = 0x16


class AnsweringConnection(ServerConnection):
    """Answers 405 or 400 before it closes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._beginning = b""
        self._sorry = False

    def data_received(self, data: bytes) -> None:
        """Something has come."""
        if self.request is None and len(self._beginning) < _LONGEST_METHOD:
            self._beginning += data[:_LONGEST_METHOD]
            if self._beginning[0] == _TLS_HANDSHAKE:
                data = b"\r\n"  # its greeting has no line to wait for: have it refused at once
        super().data_received(data)

    def send_data(self) -> None:
        """Send what ``websockets`` has to say; before the end that it makes of it, our answer."""
        fault = self.protocol.handshake_exc
        if self.request is None and isinstance(fault, InvalidMessage) and not self._sorry:
            self._sorry = True
            if not isinstance(fault.__cause__, EOFError):
                self.transport.write(self._answer(fault.__cause__).serialize())
        super().send_data()

    def _answer(self, cause: BaseException | None) -> Response:
        method = self._beginning.partition(b" ")[0].decode("ascii", "replace")
        body = isinstance(cause, NotImplementedError) or "body" in str(cause)
        if body and method not in METHODS:
            allow = {"Allow": ", ".join(METHODS)}
            sentence = "this port takes GET and HEAD"
            return response(text_reply(sentence, HTTPStatus.METHOD_NOT_ALLOWED, allow), None)
        sentence = "a request with a body is not taken" if body else "this is no HTTP request"
        return response(text_reply(sentence, HTTPStatus.BAD_REQUEST), None)
