"""What guests may try while two others play: nonsense, floods, guesses, other people's commands.

Each offender has a line of his own, or is Bob himself; what he is told is counted.
"""

import asyncio
import contextlib
import os
import struct
from collections.abc import Awaitable, Callable
from typing import Any

import msgpack
from websockets.exceptions import ConnectionClosed

from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Stroke
from shared_rules.wire import write_message
from tests.faults.scene import Scene
from tests.server.wire_client import WireClient

_STROKE = c.Strike(stroke=Stroke(speed=2.0, heading_deg=0.0, elevation_deg=85.0))
_HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def _until_the_end(scene: Scene, act: Callable[[], Awaitable[None]], least: int) -> None:
    """Do it all through the match; ``least`` times at any rate."""
    while not scene.over or scene.times < least:
        await act()
        scene.times += 1
        await asyncio.sleep(0.1)  # nobody is to be taken for a flood who isn't one


async def slow_handshakes(scene: Scene) -> None:
    """Connections that send their request a byte at a time, and some that never sign in."""
    count = 200 if scene.long else 20

    async def drip() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", scene.server.port)
        scene.times += 1
        with contextlib.suppress(ConnectionError):
            for byte in _HANDSHAKE[:-1] * 9:
                if reader.at_eof():
                    break
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.02)
            else:
                raise AssertionError("a handshake may take for ever")
        scene.codes["closed"] += 1
        writer.close()

    async def silent() -> None:
        client = await WireClient.connect(scene.server.port)
        scene.times += 1
        await client.until_closed()
        scene.told(client)

    await asyncio.gather(*(drip() for _ in range(count)), *(silent() for _ in range(count // 4)))


async def floods(scene: Scene) -> None:
    """Messages without end, right ones and nonsense, from one who watches."""
    ping = write_message(m.Ping(id=1))
    number = 0

    async def flood() -> None:
        nonlocal number
        number += 1
        mal = await WireClient.connect(scene.server.port, f"Mal {number}")
        await mal.watch(scene.table)
        with contextlib.suppress(ConnectionClosed):
            for _ in range(2000):
                await mal.raw(ping if number % 2 else b"\xc1" * 20)
        await mal.until_closed()
        scene.told(mal)

    await _until_the_end(scene, flood, 2)


async def too_large(scene: Scene) -> None:
    """Messages of 17 KB, 60 KB and a megabyte."""

    async def send() -> None:
        mal = await WireClient.connect(scene.server.port)
        for size in (17_000, 60_000):
            await mal.raw(b"x" * size)
        await mal.until(lambda x: isinstance(x, m.Refused))
        with contextlib.suppress(ConnectionClosed):
            await mal.raw(b"x" * 1_000_000)
        await mal.until_closed()
        scene.told(mal)
        scene.codes[f"closed {mal.closed_code}"] += 1

    await _until_the_end(scene, send, 2)


def _frame(first: int, payload: bytes, masked: bool = True) -> bytes:
    mask = os.urandom(4) if masked else b""
    size = len(payload)
    head = bytes([first]) + (
        bytes([size | 128 * masked]) if size < 126 else struct.pack("!BH", 126 | 128 * masked, size)
    )
    body = bytes(b ^ mask[i % 4] for i, b in enumerate(payload)) if masked else payload
    return head + mask + body


_FRAMES = {
    "not masked": _frame(0x82, b"\x80", masked=False),
    "reserved opcode": _frame(0x83, b"x"),
    "reserved bit": _frame(0xC2, b"x"),
    "no first fragment": _frame(0x80, b"x"),
    "long ping": _frame(0x89, b"x" * 200),
    "text that is no UTF-8": _frame(0x81, b"\xff\xfe"),
    "no websocket at all": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20,
}


async def malformed_frames(scene: Scene) -> None:
    """Frames that no websocket has, and messages that are no message."""

    async def frames() -> None:
        for frame in _FRAMES.values():
            reader, writer = await asyncio.open_connection("127.0.0.1", scene.server.port)
            writer.write(_HANDSHAKE)
            await reader.readuntil(b"\r\n\r\n")
            writer.write(frame)
            said = b""
            with contextlib.suppress(ConnectionError):
                said = await reader.read()
            writer.close()
            assert said[:1] == b"\x88", said  # a close frame
            scene.codes[f"closed {int.from_bytes(said[2:4], 'big')}"] += 1

    async def messages() -> None:
        mal = await WireClient.connect(scene.server.port)
        for data in ("text", b"", b"\xc1", msgpack.packb([1]), msgpack.packb({"m": "dance"})):
            await mal.raw(data)
        await mal.until(lambda x: isinstance(x, m.Refused) and x.code == "unknown_message")
        scene.told(mal)
        mal.cut()

    async def both() -> None:
        await frames()
        await messages()

    await _until_the_end(scene, both, 2)


async def guesses_passwords(scene: Scene) -> None:
    """Passwords of an account, one after the other, on ever new connections."""
    owner = await WireClient.connect(scene.server.port)
    hello = m.Hello(protocol=m.PROTOCOL, account="Oda", password="correct horse 8", register=True)
    await owner.send(hello)
    await owner.until(lambda x: isinstance(x, m.Welcome))

    async def guess() -> None:
        mal = await WireClient.connect(scene.server.port)
        for number in range(5):
            word = f"wrong horse {scene.times}{number}"
            await mal.send(m.Hello(protocol=m.PROTOCOL, account="Oda", password=word))
        with contextlib.suppress(AssertionError):  # hung up on before all are answered
            await mal.until(lambda _: len(mal.seen) >= 5)
        assert not any(isinstance(x, m.Welcome) for x in mal.seen)
        scene.told(mal)
        mal.cut()

    await _until_the_end(scene, guess, 3)


async def plays_as_a_spectator(scene: Scene) -> None:
    """A spectator strikes, concedes, and takes the referee's place."""
    mal = await WireClient.connect(scene.server.port, "Mal")
    await mal.watch(scene.table)

    async def act() -> None:
        for command in (_STROKE, c.Concede(), c.RequestTimeOut(), c.WarnSlowPlay()):
            await _refused(scene, mal.give(command))
        await _refused(scene, mal.ask(m.OfficiateTable, table=scene.table, invitation="AAAAAAAA"))
        await _refused(scene, mal.ask(m.JoinTable, table=scene.table))

    await _until_the_end(scene, act, 1)


async def plays_for_the_other(scene: Scene) -> None:
    """Bob strikes when it is Ann's turn, and names her seat."""

    async def take_time(_: m.Play) -> None:
        await asyncio.sleep(0.1)

    scene.ann.before = take_time

    async def act() -> None:
        state = scene.eve.state
        if state is None or state.shooter != 0 or state.running is not None:
            return
        bob = scene.bob.client
        for wrong in ({}, {"seat": 0}, {"by": "PLAYER_0"}):
            # on that version: it may be his own turn before it comes
            stroke = bob.play(_STROKE, version=state.version)
            tree: dict[str, Any] = msgpack.unpackb(write_message(stroke))
            start = len(bob.seen)
            await bob.raw(msgpack.packb(tree | wrong))
            answer = bob.until(lambda x, re=tree["id"]: getattr(x, "re", None) == re, start)
            await _refused(scene, answer)

    await _until_the_end(scene, act, 1)


async def forges_results(scene: Scene) -> None:
    """Bob tells the server how the shot ended, that he has won, and what the state is."""
    forged: tuple[dict[str, Any], ...] = (
        {"m": "play", "command": {"c": "finish_shot", "shot": 3, "events": [], "balls": {}}},
        {"m": "play", "command": {"c": "concede"}, "result": {"winner": 1}},
        {"m": "play", "command": {"c": "award_loss", "seat": 0, "scope": "match", "reason": "so"}},
        {"m": "room_event", "announcements": [{"a": "match_won", "seat": 1}]},
        {"m": "snapshot", "state": {"winner": 1}},
    )

    async def act() -> None:
        bob, message = scene.bob.client, forged[scene.times % len(forged)]
        start, number = len(bob.seen), bob.next_id()
        await bob.raw(msgpack.packb({"id": number, "table": scene.table, **message}))
        await _refused(scene, bob.until(lambda x: getattr(x, "re", None) == number, start))

    await _until_the_end(scene, act, len(forged))


async def replays_tokens(scene: Scene) -> None:
    """A token that was ended, one made up, and Bob's own commands sent by somebody else."""
    oda = await WireClient.connect(scene.server.port)
    hello = m.Hello(protocol=m.PROTOCOL, account="Oda", password="correct horse 8", register=True)
    await oda.send(hello)
    token = (await oda.until(lambda x: isinstance(x, m.Welcome))).token
    (mine,) = (await oda.ask(m.ListSessions)).sessions
    await oda.ask(m.EndSession, session=mine.session)
    mal = await WireClient.connect(scene.server.port, "Mal")

    async def act() -> None:
        for old in (token, "x" * 43, scene.bob.client.token[::-1]):
            thief = await WireClient.connect(scene.server.port)
            await thief.send(m.Hello(protocol=m.PROTOCOL, token=old))
            await thief.until(lambda x: isinstance(x, m.Refused))
            scene.told(thief)
            thief.cut()
        for request, _ in scene.bob.accepted[-2:]:
            await _refused(scene, mal.ask_again(request))

    await _until_the_end(scene, act, 1)


async def stops_reading(scene: Scene) -> None:
    """Spectators who read nothing more, and one who vanishes in the middle of a message."""
    all_deaf: list[WireClient] = []
    for number in range(20 if scene.long else 4):
        deaf = await WireClient.connect(scene.server.port, f"Deaf {number}", receive_bytes=8192)
        all_deaf.append(deaf)
        await deaf.watch(scene.table)
        deaf.socket.transport.pause_reading()
        scene.times += 1
    vanishing = await WireClient.connect(scene.server.port, "Vanishing")
    await vanishing.watch(scene.table)
    vanishing.socket.transport.write(b"\x82\xfe\x10\x00abcd")
    vanishing.cut()
    await scene.until_shot(99)
    for deaf in all_deaf:
        deaf.cut()
        await deaf.until_closed()


async def _refused(scene: Scene, answer: Awaitable[Any]) -> None:
    """What an offender is told is a refusal, and is counted."""
    told = await answer
    assert isinstance(told, m.Refused), told
    scene.codes[told.code] += 1
