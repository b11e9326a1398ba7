"""One connection's websocket: written to at once and never waited for.

``websockets`` keeps the handshake, reading, pings and closing.  Its ``send`` waits for a slow
reader and costs a task for each connection; we hand frames to the transport as long as it takes
them, and are told when it takes more.
"""

import asyncio
import itertools
import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.frames import DATA_OPCODES, Frame, Opcode
from websockets.protocol import Event, State

from server.config import ServerConfig
from server.crowding import Gate
from server.flood import Traffic
from server.securing import Securing
from server.tls import ServerTls
from server.web.answering import AnsweringConnection

_GOING_AWAY = 1001
_PONG = bytes([0x80 | Opcode.PONG])  # how a server's pong begins


class Websocket(AnsweringConnection):
    """``on_room``: called when the transport takes more after it was full; ``on_sent``: with each
    message handed over; ``on_flood``: once, when more comes than may.  ``gate``: keeps count of it;
    ``traffic``: of what comes; ``tls``: what the socket is secured with first, if it is."""

    def __init__(
        self, *args: Any, gate: Gate, config: ServerConfig, tls: ServerTls | None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.gate = gate
        self.traffic = Traffic(config)
        self.on_flood: Callable[[], object] | None = None  # the line is cut
        self._securing = None if tls is None else Securing(self, tls, config.sign_in_real_s)
        self._stands = False  # what is sent over it is ours to read
        self._deaf = False
        self._pong = b""
        self.on_room: Callable[[], object] = _nothing
        self.on_sent: Callable[[bytes], object] = _nothing_of
        self._ending: asyncio.Task[None] | None = None
        self._measuring: Measuring | None = None

    @property
    def has_room(self) -> bool:
        """Whether what is handed over goes out at once, or nearly."""
        return not self.paused

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits for the reader here."""
        return not self.paused and self.transport.get_write_buffer_size() == 0

    def hand(self, data: bytes, text: bool = False) -> None:
        """Send one message, binary or UTF-8; nothing happens once the connection closes."""
        if self.state is State.OPEN and not self.transport.is_closing():
            self.transport.write(_framed(data, Opcode.TEXT if text else Opcode.BINARY))
            self.on_sent(data)

    def measure(self, every_s: float, on_measured: Callable[[float], object]) -> None:
        """From now on measure the round trip again and again; real seconds."""
        if self._measuring is None:
            self._measuring = Measuring(self, every_s, on_measured)

    def ping_with(self, payload: bytes) -> None:
        """Send a ping that ``websockets`` knows nothing of: its pong comes to ``Measuring``."""
        if self.state is State.OPEN and not self.transport.is_closing():
            self.transport.write(Frame(Opcode.PING, payload).serialize(mask=False))

    def acknowledge_pings(self, data: bytes) -> None:
        """A pong has come."""
        if self._measuring is None or not self._measuring.take(data):
            super().acknowledge_pings(data)

    def end(self, reason: str) -> None:
        """Close, in a task of its own."""
        if self._ending is None:
            self._ending = self.loop.create_task(self._end(reason))

    def let_go(self) -> None:
        """Nobody is told anything any more, so that nobody is held either."""
        self.on_room = _nothing
        self.on_sent = _nothing_of
        self.on_flood = None

    async def _end(self, reason: str) -> None:
        try:
            await self.close(_GOING_AWAY, reason)
        except ConnectionClosed:
            return

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A socket was accepted; with too many of them it is cut before it has cost anything."""
        peer = transport.get_extra_info("peername")
        if not self.gate.accept(self, str(peer[0]) if peer else ""):
            self._deaf = True
            transport.abort()  # type: ignore[attr-defined]
        elif self._securing is not None:
            self._securing.begin(transport)
        else:
            self.stand(transport)

    def stand(self, transport: asyncio.BaseTransport, early: bytes = b"") -> None:
        """From now on it speaks over this transport; ``early``: what has come by it."""
        self._stands, self._securing = True, None
        super().connection_made(transport)
        if early:
            self.data_received(early)

    def data_received(self, data: bytes) -> None:
        """Something has come."""
        if self._deaf:
            return
        if self._stands:
            super().data_received(data)
        elif self._securing is not None:
            self._securing.early += data

    def eof_received(self) -> None:
        """Nothing more will come."""
        if self._stands:
            super().eof_received()

    def process_event(self, event: Event) -> None:
        """A request, or a frame; what is no message by itself is counted here, the rest when it is
        read."""
        if self._deaf:
            return
        if isinstance(event, Frame) and not self._may(event):
            self._deaf = True
            (self.on_flood or self.transport.abort)()
            return
        super().process_event(event)

    def _may(self, frame: Frame) -> bool:
        whole = frame.opcode in DATA_OPCODES and frame.fin
        return whole or self.traffic.frame(self.loop.time(), len(frame.data))

    def send_data(self) -> None:
        """Send what ``websockets`` has to say; of its pongs the newest alone, which answers all
        pings before (RFC 6455, 5.5.3), and none while the peer isn't reading."""
        writes = self.protocol.writes
        pongs = [index for index, data in enumerate(writes) if data[:1] == _PONG]
        if pongs:
            self._pong = writes[pongs[-1]] if self.paused else b""
            for index in reversed(pongs if self.paused else pongs[:-1]):
                del writes[index]
        super().send_data()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing goes out any more; whoever waits for room must not wait for ever."""
        self.gate.closed(self)
        self._securing = None
        if not self._stands:
            return
        super().connection_lost(exc)
        if self._measuring is not None:
            self._measuring.stop()
            self._measuring = None
        self.on_room()

    def resume_writing(self) -> None:
        """The transport takes more."""
        super().resume_writing()
        pong, self._pong = self._pong, b""
        if pong and self.state is State.OPEN and not self.transport.is_closing():
            self.transport.write(pong)
        self.on_room()


class Measuring:
    """Pings one line, the next when the pong has come and some time has passed.

    One timer and no task: with eight hundred players this runs ten times a stroke.
    """

    _numbers = itertools.count()

    def __init__(
        self, line: Websocket, every_s: float, on_measured: Callable[[float], object]
    ) -> None:
        self._line = line
        self._every_s = every_s
        self._on_measured = on_measured
        self._payload = b""
        self._sent_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._ping()

    def _ping(self) -> None:
        # Eight bytes: websockets' own have four, so neither takes the other's.
        self._payload = struct.pack("!Q", next(self._numbers))
        self._sent_at = self._line.loop.time()
        self._line.ping_with(self._payload)

    def take(self, data: bytes) -> bool:
        """A pong: is it the one that is waited for?  Any other is not ours."""
        if data != self._payload or not data:
            return False
        self._payload = b""
        loop = self._line.loop
        self._timer = loop.call_later(self._every_s, self._ping)
        self._on_measured(loop.time() - self._sent_at)
        return True

    def stop(self) -> None:
        """Ping no more."""
        self._payload = b""
        if self._timer is not None:
            self._timer.cancel()


def _nothing() -> None:
    """Nobody waits."""


def _nothing_of(data: bytes) -> None:
    """Nobody counts."""


@lru_cache(maxsize=4)
def _framed(data: bytes, kind: Opcode) -> bytes:
    """A server's frame isn't masked: the same for everyone, and made once for a whole gallery."""
    return Frame(kind, data).serialize(mask=False)
