"""Spectators for the bench, in a process of their own: as many sockets as wanted, little else.

A websocket reader of a page: unmasked whole frames are all that our server sends.  Messages that
are the same bytes are read once.
"""

import asyncio
import base64
import gc
import os
import socket
import struct
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import msgpack

from shared_rules import messages as m
from shared_rules.wire import write_message

_AT_A_TIME = 50
_BINARY, _CLOSE, _PING, _PONG = 0x82, 0x88, 0x89, 0x8A
_DEAF_BUFFER = 8192


@dataclass
class Seen:
    """What they have seen since they were asked last.

    ``had``: by shot, when each had its trajectory (``time.perf_counter``); ``events``: numbered
    events, ``bytes``: of everything, ``messages``: how many.
    """

    had: dict[int, list[float]] = field(default_factory=dict)
    events: int = 0
    messages: int = 0
    bytes: int = 0
    snapshots: int = 0
    lost: int = 0


class Facts:
    """What a message is, found out once for the same bytes."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[str, int | None]] = {}

    def of(self, data: bytes) -> tuple[str, int | None]:
        """Its kind, and the shot whose trajectory it brings."""
        known = self._known.get(data)
        if known is None:
            message: dict[str, Any] = msgpack.unpackb(data, strict_map_key=False)
            flight = message.get("in_flight")
            known = (message["m"], None if flight is None else flight["shot"])
            if len(self._known) > 256:
                self._known.clear()
            self._known[data] = known
        return known


class Watcher(asyncio.Protocol):
    """One spectator."""

    def __init__(self, name: str, table: str, seen: Seen, facts: Facts, deaf: bool) -> None:
        self.watching: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.seen = seen
        self.transport: asyncio.Transport | None = None
        self._name = name
        self._table = table
        self._facts = facts
        self.deaf = deaf
        self._open = False
        self._rest = b""

    def leave(self) -> None:
        """Go without a word."""
        if self.transport is not None:
            self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET / HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        self.seen.bytes += len(data)
        data = self._rest + data if self._rest else data
        at = 0
        if not self._open:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._rest = data
                return
            self._open = True
            at = end + 4
            self._say(_BINARY, write_message(m.Hello(protocol=m.PROTOCOL, name=self._name)))
            self._say(_BINARY, write_message(m.WatchTable(id=1, table=self._table)))
        while (frame := _frame(data, at)) is not None:
            kind, start, at = frame
            self._take(kind, data[start:at], now)
        self._rest = data[at:]

    def connection_lost(self, exc: Exception | None) -> None:
        self.seen.lost += 1
        if not self.watching.done():
            self.watching.set_exception(exc or ConnectionError("the server has hung up"))

    def _take(self, kind: int, payload: bytes, now: float) -> None:
        if kind == _PING:
            self._say(_PONG, payload)
        if kind != _BINARY:
            return
        self.seen.messages += 1
        name, shot = self._facts.of(payload)
        if name in ("room_event", "presence"):
            self.seen.events += 1
        if shot is not None and name == "room_event":
            self.seen.had.setdefault(shot, []).append(now)
        if name == "snapshot":
            self.seen.snapshots += 1
            if not self.watching.done():
                self.watching.set_result(None)
                if self.deaf and self.transport is not None:
                    self.transport.pause_reading()
        if name == "refused" and not self.watching.done():
            self.watching.set_exception(RuntimeError("a spectator is refused"))

    def _say(self, kind: int, payload: bytes) -> None:
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


def main(pipe: Connection, port: int, table: str, size: int, deaf: int) -> None:
    """Watch until told ``stop``; ``read`` asks for what was seen.  ``deaf``: who don't read."""
    asyncio.run(_main(pipe, port, table, size, deaf))


async def _main(pipe: Connection, port: int, table: str, size: int, deaf: int) -> None:
    gc.freeze()
    gc.set_threshold(100_000, 50, 1000)
    loop = asyncio.get_running_loop()
    seen, facts = Seen(), Facts()
    watchers = [
        Watcher(f"Watcher {number}", table, seen, facts, number < deaf) for number in range(size)
    ]
    for first in range(0, size, _AT_A_TIME):
        await asyncio.gather(*(enter(port, w) for w in watchers[first : first + _AT_A_TIME]))
    pipe.send("watching")
    while await loop.run_in_executor(None, pipe.recv) != "stop":
        pipe.send(seen)
        seen = Seen()
        for watcher in watchers:
            watcher.seen = seen
    for watcher in watchers:
        watcher.leave()


async def enter(port: int, watcher: Watcher) -> None:
    """Connect; returns once he watches."""
    plain = socket.socket()
    plain.setblocking(False)
    if watcher.deaf:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _DEAF_BUFFER)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(plain, ("127.0.0.1", port))
    await loop.create_connection(lambda: watcher, sock=plain)
    await watcher.watching
