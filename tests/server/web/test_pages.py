"""The pages of a server's port: paths, methods, queries, caching, headers."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.http11 import Request
from websockets.typing import Origin

from server.storage.journal import NotStored
from server.web.asked import Asked, HttpError, read_request
from server.web.peer import Peer
from server.web.reply import Reply, response, text_reply
from server.web.routes import Routes
from tests.server.bench_table import eventually, in_loop, serving
from tests.server.web.fetch import fetch, handshake
from tests.server.wire_client import WireClient

PEER = Peer("203.0.113.9")


def _asked(path: str, method: str = "GET", peer: Peer = PEER, **headers: str) -> Asked:
    given = Headers({"Host": "x"} | {k.replace("_", "-"): v for k, v in headers.items()})
    return read_request(Request(path, given, method), peer)


async def _echo(asked: Asked, named: Mapping[str, str]) -> Reply:
    return text_reply(f"{dict(named)} {dict(asked.query)}")


async def _missing(_asked: Asked, _named: Mapping[str, str]) -> Reply:
    raise HttpError(HTTPStatus.NOT_FOUND, "no such match")


async def _broken(_asked: Asked, _named: Mapping[str, str]) -> Reply:
    raise RuntimeError("token 1234")


def _routes() -> Routes:
    routes = Routes()
    for pattern, handler in (
        ("/", _echo), ("/matches/{match}", _echo), ("/missing", _missing), ("/broken", _broken),
    ):  # fmt: skip
        routes.add(pattern, handler)
    return routes


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        ("/", 200, "{} {}"),
        ("/matches/A%20B?x=1&y=", 200, "{'match': 'A B'} {'x': '1', 'y': ''}"),
        ("/matches/a%2Fb", 200, "{'match': 'a/b'} {}"),
        ("/matches/%C5%A1", 200, "{'match': 'š'} {}"),
        ("/matches/", 404, "nothing here"),
        ("/matches", 404, "nothing here"),
        ("/matches/a/b", 404, "nothing here"),
        ("//", 404, "nothing here"),
        ("/missing", 404, "no such match"),
        ("/broken", 500, "a fault of the server"),
    ],
)
@in_loop
async def test_which_handler_answers(path: str, status: int, body: str) -> None:
    reply = await _routes().answer(_asked(path))
    assert reply.status == status and body in reply.body.decode()
    assert "1234" not in reply.body.decode()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/%", 400), ("/%zz", 400), ("/%ff", 400), ("/%00", 400), ("/%0d%0aX:1", 400),
        ("/?a=%", 400), ("/?a=%ff", 400), ("/?a=1&a=2", 400), ("/?a=%00", 400),
        ("http://x/", 400), ("*", 400),
        ("/?" + "&".join(f"f{n}" for n in range(40)), 400), ("/" + "x" * 3000, 414),
    ],
)  # fmt: skip
def test_addresses_that_make_no_sense(path: str, status: int) -> None:
    with pytest.raises(HttpError) as error:
        _asked(path)
    assert error.value.status == status


def test_one_host() -> None:
    for headers in (Headers(), Headers([("Host", "a"), ("Host", "b")])):
        with pytest.raises(HttpError):
            read_request(Request("/", headers), PEER)


def test_a_page_that_may_be_kept_is_sent_once() -> None:
    kept = Reply(b"page", cache="public, max-age=60")
    first = response(kept, _asked("/"))
    tag = first.headers["ETag"]
    assert (first.status_code, first.body) == (200, b"page")
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = response(kept, _asked("/", If_None_Match=known))
        assert (again.status_code, again.body) == (304, b"") and again.headers["ETag"] == tag
        assert "Content-Length" not in again.headers
    other = response(Reply(b"new", cache=kept.cache), _asked("/", If_None_Match=tag))
    assert (other.status_code, other.body) == (200, b"new")
    never = response(text_reply("now"), _asked("/", If_None_Match="*"))
    assert never.status_code == 200 and never.headers["Cache-Control"] == "no-store"


def test_every_response_is_safe_in_a_browser() -> None:
    for asked in (_asked("/"), None):
        headers = response(text_reply("x"), asked).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "Strict-Transport-Security" not in headers
    secure = response(text_reply("x"), _asked("/", peer=Peer("x", secure=True)))
    assert "max-age" in secure.headers["Strict-Transport-Security"]
    own = Reply(b"x", headers={"Content-Security-Policy": "default-src 'self'"})
    assert response(own, None).headers["Content-Security-Policy"] == "default-src 'self'"


@in_loop
async def test_health_and_readiness(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ready = await fetch(server.port, "/readyz")
        assert (ready.status, ready.body) == (200, "ready\n")
        head = await fetch(server.port, "/readyz", "HEAD")
        assert (head.status, head.body, head.headers["content-length"]) == (200, "", "6")
        server.house.closed = True
        starting = await fetch(server.port, "/readyz")
        assert (starting.status, starting.body) == (503, "the server is starting\n")
        assert (await fetch(server.port, "/", **handshake())).status == 503
        server.house.floor.stopping = True
        assert "going down" in (await fetch(server.port, "/readyz")).body
        away = await fetch(server.port, "/", **handshake())
        assert away.status == 503 and "going down" in away.body
        assert away.headers["headstring-refusal"] == "shutting_down"
        assert (await fetch(server.port, "/healthz")).status == 200


@in_loop
async def test_a_database_that_takes_no_writes_is_told_and_not_asked_at_every_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path) as server:
        asked = 0

        async def stuck(clock: float) -> None:
            nonlocal asked
            asked += 1
            raise NotStored("disk full")

        with monkeypatch.context() as patch:
            patch.setattr(server.store, "note_clock", stuck)
            for _ in range(5):
                page = await fetch(server.port, "/readyz")
                assert page.status == 503 and page.body == "the database takes no writes\n"
        assert asked == 1


@in_loop
async def test_readiness_knows_that_no_worker_lives(tmp_path: Path) -> None:
    async with serving(tmp_path, workers=True) as server:
        assert (await fetch(server.port, "/readyz")).status == 200
        pool = server.pool
        pool._closed = True  # type: ignore[attr-defined]  # nobody takes its place
        pool.workers[0].kill()  # type: ignore[attr-defined]
        await eventually(lambda: pool.living == 0)
        page = await fetch(server.port, "/readyz")
        assert page.status == 503 and "no physics worker" in page.body


@in_loop
async def test_pages_of_other_sites_do_not_connect(tmp_path: Path) -> None:
    async with serving(tmp_path, origins=("https://club.example",)) as server:
        for origin in ("https://evil.example", "null", "http://pool.example:81"):
            page = await fetch(server.port, "/", **handshake(Origin=origin))
            assert page.status == 403 and "pages of that site" in page.body, origin
        for origin in (f"http://127.0.0.1:{server.port}", "https://club.example"):
            await _open(server.port, origin)
        with pytest.raises(InvalidStatus):
            await _open(server.port, "https://evil.example")


async def _open(port: int, origin: str) -> None:
    async with connect(f"ws://127.0.0.1:{port}", origin=Origin(origin)):
        pass


@in_loop
async def test_the_address_that_counts_is_the_one_behind_the_proxy(tmp_path: Path) -> None:
    async with serving(tmp_path, trusted_proxies=("127.0.0.1",)) as server:
        more = {"X-Forwarded-For": "198.51.100.7"}
        async with connect(f"ws://127.0.0.1:{server.port}", additional_headers=more):
            await eventually(lambda: len(server.listener.connections) == 1)
            (connection,) = server.listener.connections
            assert connection.address == "198.51.100.7"
        ann = await WireClient.connect(server.port, "Ann")
        assert {c.address for c in server.listener.connections} == {"127.0.0.1"}
        await ann.close()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", 405),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 405),
        (b"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 405),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n", 405),
        (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", 400),
        (b"GET / HTTP/2\r\nHost: x\r\n\r\n", 400),
        (b"hello\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n", 400),
    ],
)
@in_loop
async def test_whatever_is_asked_is_answered(sent: bytes, status: int, tmp_path: Path) -> None:
    """Also what ``websockets`` closes without a word, on the players' port and that of metrics."""
    async with serving(tmp_path, metrics_address="127.0.0.1:0") as server:
        pages = server.listener.pages
        assert pages is not None
        for port in (server.port, pages.port):
            for pieces in ([sent], [sent[n : n + 1] for n in range(len(sent))]):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                for piece in pieces:
                    writer.write(piece)
                    await asyncio.sleep(0)
                answer = await reader.read()
                writer.close()
                assert answer.startswith(b"HTTP/1.1 %d " % status), answer
                assert (b"Allow: GET, HEAD" in answer) is (status == 405)
                assert answer.count(b"HTTP/1.1") == 1 and b"Connection: close" in answer


@in_loop
async def test_a_large_body_does_not_lose_the_answer(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        body = b"x" * 4_000_000
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()
        assert (await reader.read()).startswith(b"HTTP/1.1 405 ")
        writer.close()
        await eventually(lambda: server.house.gate.half_open == 0)


@in_loop
async def test_who_sends_nothing_is_told_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"GET / HTTP/1.1\r\n")
        writer.write_eof()
        assert await reader.read() == b""
        writer.close()
