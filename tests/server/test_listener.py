"""The port: HTTP, hellos, floods, what is too large, and who never says anything."""

import asyncio
import os
from pathlib import Path

from shared_rules import messages as m
from shared_rules.wire import MAX_CLIENT_BYTES, write_message
from tests.server.bench_table import in_debug_loop, serving, table_after_break
from tests.server.wire_client import WireClient


async def _http(port: int, request: str) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request.encode())
    data = await reader.read()
    writer.close()
    return data.decode()


def _get(path: str, method: str = "GET") -> str:
    return f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


@in_debug_loop
async def test_http_on_the_same_port(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        assert (await _http(server.port, _get("/healthz"))).startswith("HTTP/1.1 200")
        page = await _http(server.port, _get("/"))
        assert page.startswith("HTTP/1.1 200") and "headstring play" in page
        assert (await _http(server.port, _get("/etc"))).startswith("HTTP/1.1 404")
        assert "200" not in (await _http(server.port, "nonsense\r\n\r\n"))[:20]
        assert (await _http(server.port, _get("/healthz?from=probe"))).startswith("HTTP/1.1 200")
        server.house.closed = True
        assert (await _http(server.port, _get("/healthz"))).startswith("HTTP/1.1 200")


@in_debug_loop
async def test_only_get_and_head(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            answer = await _http(server.port, _get("/healthz", method))
            assert answer.startswith("HTTP/1.1 405") and "Allow: GET, HEAD" in answer
        head, _, body = (await _http(server.port, _get("/", "HEAD"))).partition("\r\n\r\n")
        page = (await _http(server.port, _get("/"))).partition("\r\n\r\n")[2]
        assert head.startswith("HTTP/1.1 200") and body == ""
        assert f"Content-Length: {len(page)}" in head


@in_debug_loop
async def test_hellos(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port)
        for hello, code in (
            (m.Hello(protocol=99, name="Ann"), "unsupported_protocol"),
            (m.Hello(protocol=m.PROTOCOL), "malformed"),
            (m.Hello(protocol=m.PROTOCOL, name="..."), "bad_name"),
            (m.Hello(protocol=m.PROTOCOL, token="x" * 43), "bad_token"),
            (m.ListTables(id=1), "not_signed_in"),
        ):
            start = len(ann.seen)
            await ann.send(hello)
            answer = await ann.until(lambda x: isinstance(x, m.Refused), start)
            assert answer.code == code
        welcome = await ann.hello("Ann")
        assert welcome.name == "Ann" and len(welcome.token) >= 32 and welcome.time_scale == 10.0
        other = await WireClient.connect(server.port)
        await other.send(m.Hello(protocol=m.PROTOCOL, name=" ANN "))
        assert (await other.until(lambda x: isinstance(x, m.Refused))).code == "name_taken"
        await ann.close()
        await asyncio.sleep(0.1)
        assert (await other.hello("Ann")).name == "Ann"


@in_debug_loop
async def test_tokens_are_stored_hashed(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        await ann.close()
        token = ann.token.encode()
        for file in os.scandir(tmp_path):
            with open(file.path, "rb") as opened:  # noqa: ASYNC230 - a test may wait
                assert token not in opened.read()


@in_debug_loop
async def test_who_guesses_tokens_is_stopped(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port)
        codes = []
        for number in range(14):
            start = len(ann.seen)
            await ann.send(m.Hello(protocol=m.PROTOCOL, token=f"{number:043}"))
            answer = await ann.until(lambda x: isinstance(x, m.Refused), start)
            codes.append(answer.code)
        assert codes[0] == "bad_token" and codes[-1] == "flooding"
        honest = await WireClient.connect(server.port, "Bob")  # a name is no guess
        await honest.close()
        # and a right token none either: who sits behind the same router comes back
        back = await WireClient.connect(server.port)
        assert (await back.hello(token=honest.token)).name == "Bob"


@in_debug_loop
async def test_a_flood_ends_the_connection_and_harms_no_match(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        data = write_message(m.Ping(id=1))
        try:
            for _ in range(2000):
                await eve.raw(data)
        except Exception as error:
            assert "close" in type(error).__name__.lower() or "close" in str(error).lower()
        await eve.until_closed()
        assert any(isinstance(x, m.Refused) and x.code == "flooding" for x in eve.seen)
        assert isinstance(eve.seen[-1], m.Goodbye) and not eve.seen[-1].come_back
        assert isinstance(await bob.strike(2.0), m.Accepted)


@in_debug_loop
async def test_a_giant_message_is_cut(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        await ann.raw(b"x" * (MAX_CLIENT_BYTES * 5))
        await ann.until_closed()
        assert ann.closed_code == 1009


@in_debug_loop
async def test_who_never_signs_in_is_let_go(tmp_path: Path) -> None:
    async with serving(tmp_path, sign_in_real_s=0.2) as server:
        silent = await WireClient.connect(server.port)
        await silent.until_closed()
        assert isinstance(silent.seen[-1], m.Goodbye)
        # a handshake that is never finished
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"GET / HTTP/1.1\r\nHost:")
        assert b"200" not in await reader.read()
        writer.close()


@in_debug_loop
async def test_a_full_server_says_so(tmp_path: Path) -> None:
    async with serving(tmp_path, max_connections=1) as server:
        ann = await WireClient.connect(server.port, "Ann")
        head = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        answer = await _http(server.port, f"GET / HTTP/1.1\r\nHost: x\r\n{head}{key}\r\n")
        assert answer.startswith("HTTP/1.1 503") and "the server is full" in answer
        assert "Headstring-Refusal: overloaded" in answer and "Retry-After: 30" in answer
        await ann.close()


@in_debug_loop
async def test_a_stopping_server_says_come_back(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
    await ann.until_closed()
    await bob.until_closed()
    assert all(isinstance(x.seen[-1], m.Goodbye) and x.seen[-1].come_back for x in (ann, bob))


@in_debug_loop
async def test_an_address_brings_new_people_only_so_fast(tmp_path: Path) -> None:
    async with serving(tmp_path, new_people_burst=3.0, new_people_per_s=0.01) as server:
        clients = [await WireClient.connect(server.port, f"Visitor {n}") for n in range(3)]
        other = await WireClient.connect(server.port)
        await other.send(m.Hello(protocol=m.PROTOCOL, name="One more"))
        answer = await other.until(lambda x: isinstance(x, m.Refused))
        assert (answer.code, answer.fault) == ("overloaded", "server")
        clients[0].cut()  # who has been here comes back all the same
        await other.hello(token=clients[0].token)
