"""What one address may hold: sockets, half-open ones among them, and tables."""

import asyncio
import contextlib
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from server.config import ServerConfig
from server.crowding import Gate, Shares
from shared_rules import messages as m
from tests.server.bench_table import eventually, in_loop, serving
from tests.server.web.fetch import fetch, handshake
from tests.server.wire_client import WireClient

LEFT = 32  # beyond the limit of an address, to be told so


def test_an_ipv6_network_is_one_holder() -> None:
    shares: Shares[int] = Shares()
    shares.hold(1, "2001:db8:1:2::5")
    shares.hold(2, "2001:db8:1:2:ffff::9")
    shares.hold(3, "::ffff:192.0.2.1")
    assert (shares.of("2001:db8:1:2::7"), shares.of("2001:db8:1:3::5")) == (2, 0)
    assert shares.of("192.0.2.1") == 1
    shares.hold(2, "192.0.2.1")
    shares.drop(1)
    shares.drop(1)
    assert (shares.of("2001:db8:1:2::7"), shares.of("192.0.2.1")) == (0, 2)


def test_sockets_of_a_proxy_count_for_whom_it_speaks() -> None:
    gate = Gate(ServerConfig(connections_per_address=2, trusted_proxies=("127.0.0.1",)))
    for number in range(200):
        assert gate.accept(number, "127.0.0.1") and gate.half_open == number + 1
    for number in range(3):
        gate.is_of(number, "203.0.113.9")
    assert gate.is_crowded("203.0.113.9") and not gate.is_crowded("203.0.113.8")
    gate.closed(0)
    assert not gate.is_crowded("203.0.113.9")


def test_sockets_of_an_address_are_cut_beyond_what_can_be_told() -> None:
    gate = Gate(ServerConfig(connections_per_address=2))
    taken = sum(gate.accept(number, f"2001:db8::{number:x}") for number in range(100))
    assert (taken, gate.cut, gate.half_open) == (2 + LEFT, 100 - 2 - LEFT, 2 + LEFT)
    assert gate.accept("another", "192.0.2.1")


def test_who_is_turned_away_takes_no_others_place() -> None:
    gate = Gate(ServerConfig(connections_per_address=2))
    for number in range(2 + LEFT):
        assert gate.accept(number, "192.0.2.1")
    assert not gate.accept("more", "192.0.2.1")
    for number in range(LEFT):
        assert gate.is_crowded("192.0.2.1")
        gate.turned_away(number, "192.0.2.1")
    assert not gate.is_crowded("192.0.2.1")
    assert not gate.accept("more", "192.0.2.1")  # they are there yet
    gate.closed(0)
    assert gate.accept("more", "192.0.2.1")


def test_handshakes_are_limited_whoever_they_are_of() -> None:
    gate = Gate(ServerConfig(max_handshakes=10))
    assert [gate.accept(n, f"192.0.2.{n}") for n in range(12)] == [True] * 10 + [False] * 2
    gate.opened(3)
    assert gate.accept(12, "192.0.2.12") and not gate.accept(13, "192.0.2.13")


@in_loop
async def test_an_address_with_too_many_connections_is_told_so_and_another_comes_in(
    tmp_path: Path,
) -> None:
    limits = {"connections_per_address": 2, "trusted_proxies": ("127.0.0.1",)}
    async with serving(tmp_path, **limits) as server:

        async def ask(address: str) -> int:
            page = await fetch(server.port, "/", X_Forwarded_For=address, **handshake())
            return page.status

        async with contextlib.AsyncExitStack() as open_ones:
            for _ in range(2):
                _, writer = await asyncio.open_connection("127.0.0.1", server.port)
                open_ones.callback(writer.close)
                head = {"Host": "x", "X-Forwarded-For": "203.0.113.9"}
                head |= {k.replace("_", "-"): v for k, v in handshake().items()}
                lines = ["GET / HTTP/1.1", *(f"{k}: {v}" for k, v in head.items()), "", ""]
                writer.write("\r\n".join(lines).encode())
            await eventually(lambda: len(server.house.connections) == 2)
            page = await fetch(server.port, "/", X_Forwarded_For="203.0.113.9", **handshake())
            assert page.status == 503 and page.headers["headstring-refusal"] == "overloaded"
            assert page.body.startswith("too many connections from your address")
            assert server.house.metrics.refused["overloaded"] == 1
            # pages are answered all the same
            health = await fetch(server.port, "/healthz", X_Forwarded_For="203.0.113.9")
            assert health.status == 200
        await eventually(lambda: not server.house.connections)
        assert not server.house.gate.is_crowded("203.0.113.9")


@in_loop
async def test_half_open_connections_count_and_are_seen(tmp_path: Path) -> None:
    async with serving(tmp_path, connections_per_address=3) as server:
        silent = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(3)]
        await eventually(lambda: server.house.gate.half_open == 3)
        page = await fetch(server.port, "/metrics")  # which is one itself
        assert "headstring_half_open 4.0" in page.body
        with pytest.raises(InvalidStatus) as refused:
            await WireClient.connect(server.port, "Ann")
        assert refused.value.response.headers["Headstring-Refusal"] == "overloaded"
        crowd = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(LEFT + 5)]
        await eventually(lambda: server.house.gate.cut >= 5)
        assert server.house.gate.half_open <= 3 + LEFT
        for _, writer in (*silent, *crowd):
            writer.close()
        await eventually(lambda: server.house.gate.half_open == 0)
        await WireClient.connect(server.port, "Ann")
        assert server.house.gate.half_open == 0


@in_loop
async def test_a_club_of_forty_behind_one_address_plays_under_the_defaults(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        for number in range(20):
            ann = await WireClient.connect(server.port, f"Ann {number}")
            bob = await WireClient.connect(server.port, f"Bob {number}")
            assert isinstance(await bob.join(await ann.open()), m.Accepted)
        assert len(server.house.floor.tables) == 20


@in_loop
async def test_an_address_opens_only_so_many_tables(tmp_path: Path) -> None:
    """Neither leaving unfinished matches behind nor coming back to them makes more of them."""
    async with serving(tmp_path, tables_per_address=2) as server:
        first = await WireClient.connect(server.port, "Ann")
        await first.open()
        second = await WireClient.connect(server.port, "Bob")
        await second.open()
        third = await WireClient.connect(server.port, "Cid")
        refused = await third.ask(m.OpenTable)
        assert refused.code == "too_many_tables" and "your address" in refused.message
        first.cut()  # his table waits for him, and still counts
        await eventually(lambda: len(server.house.connections) == 2)
        assert (await third.ask(m.OpenTable)).code == "too_many_tables"
        await second.ask(m.LeaveTable, table=second.table)
        await eventually(lambda: len(server.house.floor.tables) == 1)
        assert isinstance(await third.ask(m.OpenTable), m.Accepted)


@in_loop
async def test_tables_of_an_earlier_start_count_once_their_people_are_back(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        bob = await WireClient.connect(server.port, "Bob")
        name = await ann.open()
        await bob.join(name)
    async with serving(tmp_path, tables_per_address=1) as server:
        back = await WireClient.connect(server.port, token=ann.token)
        await back.join(name)
        eve = await WireClient.connect(server.port, "Eve")
        assert (await eve.ask(m.OpenTable)).code == "too_many_tables"


@in_loop
async def test_tables_opened_and_left_at_once_are_too_many_at_last(tmp_path: Path) -> None:
    """Each is a row: who opens and leaves for ever, also as somebody new, is told to wait."""
    async with serving(tmp_path, new_tables_burst=3.0, new_tables_per_s=0.001) as server:
        codes = []
        for name in ("Ann", "Bob"):
            client = await WireClient.connect(server.port, name)
            for _ in range(3):
                answer = await client.ask(m.OpenTable)
                codes.append(getattr(answer, "code", "open"))
                if codes[-1] == "open":
                    await client.ask(m.LeaveTable, table=answer.table)
        assert codes == ["open"] * 3 + ["too_many_tables"] * 3
