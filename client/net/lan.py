"""Servers on the local network, found by what they announce (``shared_rules.lan``).

They come and go by themselves while a search goes on: a server that ends says so, one that was
killed is forgotten after two minutes.  Needs multicast on the local network, and no internet.
"""

import asyncio
import ipaddress
import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import ifaddr
import zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from shared_rules.lan import SERVICE, Announced, announced
from shared_rules.messages import PROTOCOL

LOOK_EVERY_S = 5.0
"""Between two looks at this computer's own addresses."""
ASK_S = 3.0
ASK_AGAIN_LOOKS = 4
"""After so many looks what was found is asked for again."""
CONNECT_S = 1.0
_NOT_POSSIBLE = (OSError, RuntimeError, TimeoutError, zeroconf.Error)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Interface = ipaddress.IPv4Interface | ipaddress.IPv6Interface


@dataclass(frozen=True)
class Found:
    """A server that was found.

    ``service``: the name of its service, unlike any other's; ``host``: the address by which it is
    reached from here, or its name; ``answers``: something answers there.
    """

    service: str
    said: Announced
    host: str
    port: int
    answers: bool = True

    @property
    def url(self) -> str:
        """Its address, for ``--server``."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'wss' if self.said.tls else 'ws'}://{host}:{self.port}"

    @property
    def fits(self) -> bool:
        """Whether it speaks this program's protocol."""
        return self.said.protocol == PROTOCOL


class LanSearch:
    """A search in a thread of its own, from ``start`` to ``close``.

    ``found``: the servers that are there now, by name; ``problem``: why nothing can be found.
    """

    def __init__(self) -> None:
        self.found: tuple[Found, ...] = ()
        self.problem = ""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._over = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._main, name="lan", daemon=True)

    def start(self) -> "LanSearch":
        """Begin; returns at once."""
        self._thread.start()
        return self

    def close(self) -> None:
        """End; returns at once."""
        self._ready.wait(1.0)
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._over.set)

    def _main(self) -> None:
        async def search() -> None:
            self._loop = asyncio.get_running_loop()
            self._ready.set()
            await search_lan(self._tell, self._over)

        asyncio.run(search())

    def _tell(self, found: Sequence[Found], problem: str) -> None:
        self.found, self.problem = tuple(found), problem


async def search_lan(tell: Callable[[Sequence[Found], str], None], over: asyncio.Event) -> None:
    """Tell which servers there are, and why none can be found, until it is over."""
    search = _Search(tell)
    try:
        while not over.is_set():
            await search.look()
            try:
                async with asyncio.timeout(LOOK_EVERY_S):
                    await over.wait()
            except TimeoutError:
                continue
    finally:
        await search.close()


async def found_within(seconds: float) -> tuple[Sequence[Found], str]:
    """The servers found in so many seconds, and why none could be."""
    last: tuple[Sequence[Found], str] = ((), "")

    def tell(found: Sequence[Found], problem: str) -> None:
        nonlocal last
        last = (found, problem)

    over = asyncio.Event()
    asyncio.get_running_loop().call_later(seconds, over.set)
    await search_lan(tell, over)
    return last


class _Search:
    def __init__(self, tell: Callable[[Sequence[Found], str], None]) -> None:
        self._tell = tell
        self._found: dict[str, Found] = {}
        self._problem = ""
        self._looks = 0
        self._interfaces: list[str | int] | None = None  # not looked at yet
        self._own: list[Interface] = []
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._asking: dict[str, asyncio.Task[None]] = {}
        logging.getLogger("zeroconf").setLevel(logging.CRITICAL)

    async def look(self) -> None:
        """Follow this computer's interfaces."""
        try:
            adapters = await asyncio.to_thread(lambda: list(ifaddr.get_adapters()))
            self._own = _own_addresses(adapters)
            interfaces = _interfaces(adapters)
            self._looks += 1
            if self._looks % ASK_AGAIN_LOOKS == 0:
                self._ask_again()
            if interfaces == self._interfaces:
                return
            if not interfaces:
                await self.close()
                self._problem = "this computer is on no network"
            else:
                await self._follow(interfaces)
                self._problem = ""
            self._interfaces = interfaces
        except _NOT_POSSIBLE as error:
            await self.close()
            self._interfaces = None
            self._problem = f"the network can't be searched: {error or type(error).__name__}"
        self._show()

    async def _follow(self, interfaces: list[str | int]) -> None:
        if self._zeroconf is None:
            self._zeroconf = AsyncZeroconf(interfaces=interfaces)
        else:
            await self._zeroconf.async_update_interfaces(interfaces)
        if self._browser is not None:
            await self._browser.async_cancel()
        # a new one asks at once, on the new interfaces too
        self._browser = AsyncServiceBrowser(
            self._zeroconf.zeroconf, SERVICE, handlers=[self._changed]
        )

    async def close(self) -> None:
        """Search no more."""
        asking = tuple(self._asking.values())
        self._asking.clear()
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        self._found.clear()
        closing, self._zeroconf = self._zeroconf, None
        browser, self._browser = self._browser, None
        if closing is None:
            return
        if browser is not None:
            await browser.async_cancel()
        await closing.async_close()

    def _changed(self, **told: Any) -> None:
        name = str(told["name"])
        before = self._asking.pop(name, None)
        if before is not None:
            before.cancel()
        if told["state_change"] is zeroconf.ServiceStateChange.Removed:
            if self._found.pop(name, None) is not None:
                self._show()
            return
        self._asking[name] = asyncio.create_task(self._ask(name))

    def _ask_again(self) -> None:
        """Whether those found are still there: zeroconf keeps a name for a quarter of an hour."""
        for name in self._found:
            before = self._asking.get(name)
            if before is None or before.done():
                self._asking[name] = asyncio.create_task(self._ask(name))

    async def _ask(self, name: str) -> None:
        """Get the rest of a service's records, and try its addresses."""
        if self._zeroconf is None:
            return
        info = AsyncServiceInfo(SERVICE, name)
        if not await info.async_request(self._zeroconf.zeroconf, ASK_S * 1000):
            if self._found.pop(name, None) is not None:
                self._show()
            return
        said = announced(info.decoded_properties)
        hosts = ranked(info.parsed_addresses(), self._own)
        if said is None or not hosts or not info.port:
            return
        if said.host:
            hosts.insert(0, said.host)
        host = await _answering(hosts, info.port)
        self._found[name] = Found(name, said, host or hosts[0], info.port, host is not None)
        self._show()

    def _show(self) -> None:
        found = sorted(self._found.values(), key=lambda one: (one.said.name.casefold(), one.url))
        self._tell(tuple(found), self._problem)


def _interfaces(adapters: Iterable[ifaddr.Adapter]) -> list[str | int]:
    """On what to speak: an IPv4 address of each adapter, or the index of one with IPv6 alone."""
    found: list[str | int] = []
    for adapter in adapters:
        own = [one for one in _own_addresses([adapter]) if not one.is_loopback]
        v4 = [str(one.ip) for one in own if one.version == 4]
        if v4:
            found.append(v4[0])
        elif own and adapter.index is not None:
            found.append(adapter.index)
    return found


def _own_addresses(adapters: Iterable[ifaddr.Adapter]) -> list[Interface]:
    return [
        ipaddress.ip_interface(
            f"{one.ip if isinstance(one.ip, str) else one.ip[0]}/{one.network_prefix}"
        )
        for adapter in adapters
        for one in adapter.ips
    ]


def ranked(addresses: Iterable[str], own: Sequence[Interface]) -> list[str]:
    """Addresses of a server, the likeliest to be reached from here first.

    Those of a network that this computer is on go before others.  One that this computer has
    itself goes last: many have the same one, for containers within.
    """

    def rank(text: str) -> tuple[bool, bool, int]:
        address: Address = ipaddress.ip_address(text.split("%")[0])
        mine = any(address == one.ip for one in own)
        near = any(address in one.network for one in own)
        return mine, not near, address.version

    return sorted(addresses, key=rank)


async def _answering(hosts: Iterable[str], port: int) -> str | None:
    """The first of these at which something answers."""
    for host in hosts:
        try:
            async with asyncio.timeout(CONNECT_S):
                _, writer = await asyncio.open_connection(host, port)
        except (OSError, TimeoutError):
            continue
        writer.close()
        return host
    return None
