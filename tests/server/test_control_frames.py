"""Frames that are no messages: pings, pongs and parts of messages count, and cost no memory."""

import asyncio
import base64
import os
import struct
from pathlib import Path

import pytest

from server.app import MatchServer
from server.websocket import Websocket
from shared_rules import messages as m
from shared_rules.wire import write_message
from tests.server.bench_table import eventually, in_loop, serving
from tests.server.wire_client import WireClient

TEXT, BINARY, PING, PONG = 1, 2, 9, 10


def _frame(kind: int, data: bytes = b"", last: bool = True) -> bytes:
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack("!H", len(data))
    return bytes([0x80 * last | kind]) + size + bytes(4) + data  # masked with zeros


async def _opened(
    server: MatchServer, receive_buffer: int | None = None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A websocket, spoken by hand, signed in."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write(
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key.encode() + b"\r\n\r\n"
    )
    await reader.readuntil(b"\r\n\r\n")
    writer.write(_frame(BINARY, write_message(m.Hello(protocol=1, name="Eve"))))
    await eventually(lambda: any(c.person for c in server.house.connections))
    return reader, writer


def _line(server: MatchServer) -> Websocket:
    (connection,) = server.house.connections
    assert isinstance(connection._socket, Websocket)
    return connection._socket


@pytest.mark.parametrize(
    "flood",
    [
        _frame(PING, b"p" * 125),
        _frame(PONG),
        _frame(BINARY, b"", last=False) + 400 * _frame(0, b"", last=False),
    ],
    ids=["pings", "pongs", "empty parts"],
)
@in_loop
async def test_a_flood_of_them_is_a_flood(tmp_path: Path, flood: bytes) -> None:
    async with serving(tmp_path) as server:
        reader, writer = await _opened(server)
        writer.write(flood * (400 if len(flood) < 400 else 1))
        heard = await asyncio.wait_for(reader.read(), 20.0)
        assert b"flooding" in heard
        assert server.house.metrics.refused["flooding"] == 1
        await eventually(lambda: not server.house.connections)
        writer.close()


@in_loop
async def test_pings_within_the_limit_are_answered_and_the_newest_of_many_alone(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        reader, writer = await _opened(server)
        writer.write(b"".join(_frame(PING, b"ping %02d" % n) for n in range(50)))
        heard = await asyncio.wait_for(reader.readuntil(b"ping 49"), 20.0)
        assert 1 <= heard.count(b"\x8a\x07ping") <= 50
        writer.write(_frame(PING, b"again"))
        await asyncio.wait_for(reader.readuntil(b"\x8a\x05again"), 20.0)
        line = _line(server)
        before = line.transport.get_write_buffer_size()
        line.pause_writing()
        writer.write(_frame(PING, b"first") + _frame(PING, b"second"))
        await eventually(lambda: line._pong != b"")
        assert line.transport.get_write_buffer_size() == before
        line.resume_writing()
        heard = await asyncio.wait_for(reader.readuntil(b"\x8a\x06second"), 20.0)
        assert b"first" not in heard
        writer.close()


@in_loop
async def test_who_reads_nothing_and_pings_makes_nothing_grow(tmp_path: Path) -> None:
    """However much he may send by the settings."""
    plenty = {"messages_per_s": 1e6, "messages_burst": 1e6, "bytes_per_s": 1e9, "bytes_burst": 1e9}
    async with serving(tmp_path, **plenty) as server:
        _, writer = await _opened(server)
        line, most = _line(server), 0
        pings = _frame(PING, b"p" * 125) * 2000
        for _ in range(60):  # 16 MB
            writer.write(pings)
            await writer.drain()
            most = max(most, line.transport.get_write_buffer_size())
        assert most < 256 * 1024
        ann = await WireClient.connect(server.port, "Ann")
        assert isinstance(await ann.ask(m.Ping), m.Pong)
        writer.transport.abort()
