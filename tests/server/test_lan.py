"""Which servers are announced, under which addresses, and what happens where it can't be done."""

import asyncio
import logging
import socket
from collections.abc import Iterator
from typing import Any

import ifaddr
import pytest

from server import lan
from server.config import ServerConfig
from server.lan import Announcer, Reach, reach
from shared_rules.lan import Announced
from tests.server.bench_table import eventually, in_loop


def adapter(index: int, *addresses: str) -> ifaddr.Adapter:
    ips = [
        ifaddr.IP((a, 0, index) if ":" in a else a, 64 if ":" in a else 24, "lan")
        for a in addresses
    ]
    return ifaddr.Adapter("lan", "lan", ips, index)


LOOPBACK = adapter(1, "127.0.0.1", "::1")
WIRED = adapter(2, "192.168.1.5", "fe80::5", "fd00::5")
WIRELESS = adapter(3, "10.0.0.7")
ONLY_IPV6 = adapter(4, "fe80::9", "2001:db8::9")


@pytest.mark.parametrize(
    ("bound", "addresses", "interfaces"),
    [
        (["0.0.0.0"], ("10.0.0.7", "192.168.1.5"), ("192.168.1.5", "10.0.0.7")),
        (["192.168.1.5"], ("192.168.1.5",), ("192.168.1.5",)),
        (["::"], ("2001:db8::9", "fd00::5"), ("192.168.1.5", 4)),
        (["2001:db8::9"], ("2001:db8::9",), (4,)),
        (["127.0.0.1", "::1"], (), ()),
        (["192.168.99.99"], (), ()),
    ],
)
def test_others_are_told_the_addresses_that_reach_it(
    bound: list[str], addresses: tuple[str, ...], interfaces: tuple[str | int, ...]
) -> None:
    found = reach(bound, [LOOPBACK, WIRED, WIRELESS, ONLY_IPV6])
    assert found == Reach(addresses, interfaces)


@pytest.fixture
def listening() -> Iterator[Any]:
    made = []

    def listen(host: str) -> socket.socket:
        made.append(socket.create_server((host, 0)))
        return made[-1]

    yield listen
    for one in made:
        one.close()


def test_who_is_announced(listening: Any) -> None:
    config = ServerConfig(name="Club", guests="lan", lan_host="pool.example.org")
    assert Announcer.of(config, [listening("127.0.0.1")], tls=False) is None
    there = listening("0.0.0.0")
    made = Announcer.of(config, [there], tls=True)
    assert made is not None and made._port == there.getsockname()[1]
    assert made._said.name == "Club" and made._said.tls and made._said.guests == "lan"
    assert made._said.host == "pool.example.org"
    assert Announcer.of(ServerConfig(lan_announce=False), [there], tls=False) is None


@in_loop
async def test_where_there_is_no_multicast_it_is_one_line_in_the_log_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried = 0

    class Fails:
        def __init__(self, **_: Any) -> None:
            nonlocal tried
            tried += 1
            raise OSError(19, "No such device")

    monkeypatch.setattr(lan, "AsyncZeroconf", Fails)
    monkeypatch.setattr(lan, "_LOOK_EVERY_REAL_S", 0.001)
    monkeypatch.setattr(Announcer, "_reach_now", lambda _: Reach(("10.0.0.7",), ("10.0.0.7",)))
    caplog.set_level(logging.INFO, "headstring")
    made = Announcer(Announced(name="Club", machine="m", version="1"), ["0.0.0.0"], 4747, "x")
    made.start()
    await eventually(lambda: tried > 3)
    await made.stop()
    told = [r.message for r in caplog.records]
    assert told == ["can't be announced on the local network; tried again meanwhile"]


@in_loop
async def test_addresses_that_come_and_go_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    did: list[Any] = []

    async def done() -> None:
        await asyncio.sleep(0)

    class Zeroconf:
        zeroconf = None

        def __init__(self, interfaces: list[str]) -> None:
            did.append(("open", interfaces))

        async def async_register_service(self, info: Any, allow_name_change: bool) -> Any:
            did.append(("announce", info.parsed_addresses()))
            return done()

        async def async_update_interfaces(self, interfaces: list[str]) -> None:
            did.append(("interfaces", interfaces))

        async def async_update_service(self, info: Any) -> Any:
            did.append(("update", info.parsed_addresses()))
            return done()

        async def async_close(self) -> None:
            did.append("withdraw")

    class Browser:
        def __init__(self, *_: Any, **__: Any) -> None: ...

        async def async_cancel(self) -> None: ...

    now = Reach()
    monkeypatch.setattr(lan, "AsyncZeroconf", Zeroconf)
    monkeypatch.setattr(lan, "AsyncServiceBrowser", Browser)
    monkeypatch.setattr(Announcer, "_reach_now", lambda _: now)
    made = Announcer(Announced(name="Club", machine="m", version="1"), ["0.0.0.0"], 4747, "x")
    one, two = Reach(("10.0.0.1",), ("10.0.0.1",)), Reach(("10.0.0.2",), ("10.0.0.2",))
    for now in (Reach(), one, one, two, Reach(), two):  # noqa: B007 - read by the announcer
        await made._look()
    await made.stop()
    opened = [("open", ["10.0.0.1"]), ("announce", ["10.0.0.1"])]
    moved = [("interfaces", ["10.0.0.2"]), ("update", ["10.0.0.2"]), "withdraw"]
    again = [("open", ["10.0.0.2"]), ("announce", ["10.0.0.2"]), "withdraw"]
    assert did == [*opened, *moved, *again]
