"""Spectators for the bench, in a process of their own: as many sockets as wanted, little else.

Messages that are the same bytes are read once.
"""

import asyncio
import gc
import socket
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import msgpack

from server.bench.line import Line
from server.speed import loop_factory
from shared_rules import messages as m
from shared_rules.wire import write_message

_AT_A_TIME = 50
_DEAF_BUFFER = 8192


@dataclass
class Seen:
    """What they have seen since they were asked last.

    ``had``: by shot, when each had its trajectory (``time.perf_counter``); ``events``: numbered
    events, ``bytes``: of messages, ``messages``: how many.
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


class Watcher(Line):
    """One spectator."""

    def __init__(self, name: str, table: str, seen: Seen, facts: Facts, deaf: bool) -> None:
        super().__init__()
        self.watching: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.seen = seen
        self.deaf = deaf
        self._name = name
        self._table = table
        self._facts = facts

    def opened(self) -> None:
        self.say(write_message(m.Hello(protocol=m.PROTOCOL, name=self._name)))
        self.say(write_message(m.WatchTable(id=1, table=self._table)))

    def lost(self, error: Exception | None) -> None:
        self.seen.lost += 1
        if not self.watching.done():
            self.watching.set_exception(error or ConnectionError("the server has hung up"))

    def take(self, data: bytes, now: float) -> None:
        seen = self.seen
        seen.messages += 1
        seen.bytes += len(data)
        name, shot = self._facts.of(data)
        if name in ("room_event", "presence"):
            seen.events += 1
        if shot is not None and name == "room_event":
            seen.had.setdefault(shot, []).append(now)
        if name == "snapshot":
            seen.snapshots += 1
            if not self.watching.done():
                self.watching.set_result(None)
                if self.deaf and self.transport is not None:
                    self.transport.pause_reading()
        if name == "refused" and not self.watching.done():
            self.watching.set_exception(RuntimeError("a spectator is refused"))


def main(pipe: Connection, port: int, table: str, size: int, deaf: int) -> None:
    """Watch until told ``stop``; ``read`` asks for what was seen.  ``deaf``: who don't read."""
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(_main(pipe, port, table, size, deaf))


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
