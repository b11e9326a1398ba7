"""A websocket client's line for the bench: whole unmasked frames are all that our server sends.

The players and spectators share the machine with the server that they measure, so what they do
themselves must be little: no task and no queue a message.
"""

import asyncio
import base64
import os
import struct
import time
from typing import cast

BINARY, CLOSE, PING, PONG = 0x82, 0x88, 0x89, 0x8A


class Line(asyncio.Protocol):
    """One connection.  Subclasses say what is done with a message, and when it is open or lost."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.bytes = 0
        self._open = False
        self._rest = b""

    def opened(self) -> None:
        """Messages can be sent."""

    def take(self, data: bytes, now: float) -> None:
        """A message has come; ``now``: ``time.perf_counter``."""

    def lost(self, error: Exception | None) -> None:
        """The line is gone."""

    def say(self, data: bytes) -> None:
        """Send a message."""
        self._send(BINARY, data)

    def leave(self) -> None:
        """Go without a word."""
        if self.transport is not None:
            self.transport.abort()

    # --- the transport's side -----------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's are no asyncio.Transport, though they do the same
        self.transport = cast(asyncio.Transport, transport)
        key = base64.b64encode(os.urandom(16)).decode()
        self.transport.write(
            f"GET / HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        self.bytes += len(data)
        data = self._rest + data if self._rest else data
        at = 0
        if not self._open:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._rest = data
                return
            self._open = True
            at = end + 4
            self.opened()
        while (frame := _frame(data, at)) is not None:
            kind, start, at = frame
            if kind == BINARY:
                self.take(data[start:at], now)
            elif kind == PING:
                self._send(PONG, data[start:at])
        self._rest = data[at:]

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost(exc)

    def _send(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        length = struct.pack("!B", 0x80 | size) if size < 126 else struct.pack("!BH", 0xFE, size)
        if self.transport is not None:  # masked with zeros, which changes nothing
            self.transport.write(bytes((kind,)) + length + bytes(4) + payload)


def _frame(data: bytes, at: int) -> tuple[int, int, int] | None:
    """Kind, begin and end of the frame that starts at ``at``; None: it isn't whole yet."""
    if len(data) < at + 2:
        return None
    size, start = data[at + 1], at + 2
    if size == 126:
        if len(data) < at + 4:
            return None
        (size,), start = struct.unpack_from("!H", data, at + 2), at + 4
    elif size == 127:
        if len(data) < at + 10:
            return None
        (size,), start = struct.unpack_from("!Q", data, at + 2), at + 10
    return None if len(data) < start + size else (data[at], start, start + size)
