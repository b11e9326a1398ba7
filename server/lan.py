"""The server's word on the local network, so that nobody there has to type an address.

DNS-SD over multicast DNS (RFC 6763, 6762).  Every service has a name of its own by construction,
whatever its club is called; a second server of the same club's name is told in the log.  Addresses
are looked at again every few seconds, since cables and wireless networks come and go.  What fails
here is a line in the log: players who type the address come in all the same.
"""

import asyncio
import hashlib
import ipaddress
import logging
import socket
import uuid
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any, NamedTuple

import ifaddr
import zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from server.config import ServerConfig, database_url
from server.logs import fields
from server.storage.database import shown_place
from shared_rules.lan import SERVICE, Announced, announced

log = logging.getLogger("headstring.server.lan")

_LOOK_EVERY_REAL_S = 5.0
# A server that was killed is forgotten after so long; the record's usual time is over an hour.
_LIFE_S = 120
_WITHDRAWAL_REAL_S = 2.0
_ASK_REAL_S = 3.0
_NOT_POSSIBLE = (OSError, RuntimeError, TimeoutError, zeroconf.Error)


class Reach(NamedTuple):
    """``addresses``: by which others come; ``interfaces``: that are spoken on, as zeroconf names
    them: an IPv4 address, or the index of one that has IPv6 alone."""

    addresses: tuple[str, ...] = ()
    interfaces: tuple[str | int, ...] = ()


def reach(bound: Iterable[str], adapters: Iterable[ifaddr.Adapter]) -> Reach:
    """How others on the network reach a server that listens on these addresses.

    Never by loopback; nor by an IPv6 address that holds on one cable only (fe80::), since nobody
    else can name that cable.
    """
    listening = {ipaddress.ip_address(address.split("%")[0]) for address in bound}
    everywhere = {address.version for address in listening if address.is_unspecified}
    addresses: list[str] = []
    interfaces: list[str | int] = []
    for adapter in adapters:
        v4: list[ipaddress.IPv4Address] = []
        v6: list[ipaddress.IPv6Address] = []
        for one in adapter.ips:
            address = ipaddress.ip_address(one.ip if isinstance(one.ip, str) else one.ip[0])
            if not address.is_loopback:
                if isinstance(address, ipaddress.IPv4Address):
                    v4.append(address)
                else:
                    v6.append(address)
        ours = [
            str(address)
            for address in (*v4, *(a for a in v6 if not a.is_link_local))
            if address.version in everywhere or address in listening
        ]
        if ours:
            addresses += ours
            interfaces.append(str(v4[0]) if v4 or adapter.index is None else adapter.index)
    return Reach(tuple(sorted(addresses)), tuple(interfaces))


class Announcer:
    """Announces a server from ``start`` to ``stop``."""

    def __init__(self, said: Announced, bound: Iterable[str], port: int, place: str) -> None:
        """``bound``: addresses that the server listens on; ``place``: of its database."""
        self._said = said
        self._bound = tuple(bound)
        self._port = port
        self._place = place
        self._info: AsyncServiceInfo | None = None
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._reach = Reach()
        self._trouble = ""
        self._namesakes: set[str] = set()
        self._asking: set[asyncio.Task[None]] = set()
        self._running: asyncio.Task[None] | None = None

    @classmethod
    def of(
        cls, config: ServerConfig, sockets: Iterable[socket.socket], tls: bool
    ) -> "Announcer | None":
        """That of a server with these settings; None for one that is not to be announced."""
        bound = [str(one.getsockname()[0]) for one in sockets]
        port = next((int(one.getsockname()[1]) for one in sockets), 0)
        private = all(ipaddress.ip_address(a.split("%")[0]).is_loopback for a in bound)
        if not config.lan_announce or private:
            return None
        said = Announced(
            name=config.name,
            machine=socket.gethostname(),
            version=version("headstring"),
            tls=tls,
            guests=config.guests,
            pins=config.pins != "no",
            host=config.lan_host,
        )
        return cls(said, bound, port, shown_place(database_url(config.database)))

    def start(self) -> None:
        """Begin; returns at once."""
        logging.getLogger("zeroconf").setLevel(logging.ERROR)
        self._running = asyncio.create_task(self._run(), name="lan")

    async def stop(self) -> None:
        """Withdraw what was announced."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
        await self._close()

    async def _run(self) -> None:
        while True:
            await self._look()
            await asyncio.sleep(_LOOK_EVERY_REAL_S)

    async def _look(self) -> None:
        """See which addresses there are, and announce what has changed."""
        try:
            now = await asyncio.to_thread(self._reach_now)
            if now == self._reach:
                return
            await self._follow(now)
        except _NOT_POSSIBLE as error:
            self._reach = Reach()
            await self._close()
            trouble = str(error) or type(error).__name__
            if trouble != self._trouble:
                log.warning(
                    "can't be announced on the local network; tried again meanwhile",
                    extra=fields(why=trouble),
                )
            self._trouble = trouble
            return
        self._reach, self._trouble = now, ""
        if now.addresses:
            log.info(
                "announced on the local network",
                extra=fields(name=self._said.name, addresses=" ".join(now.addresses)),
            )
        else:
            log.info("there is no local network now")

    def _reach_now(self) -> Reach:
        return reach(self._bound, ifaddr.get_adapters())

    async def _follow(self, now: Reach) -> None:
        if not now.addresses:
            await self._close()
        elif self._zeroconf is None:
            await self._open(now)
        else:
            assert self._info is not None
            self._info.addresses = _packed(now.addresses)
            await self._zeroconf.async_update_interfaces(list(now.interfaces))
            await (await self._zeroconf.async_update_service(self._info))

    async def _open(self, now: Reach) -> None:
        mark = await asyncio.to_thread(_mark, self._place)
        self._info = AsyncServiceInfo(
            SERVICE,
            self._said.instance(mark),
            port=self._port,
            properties=self._said.properties(),
            # a name of its own: several systems answer for that of the computer
            server=f"headstring-{mark}.local.",
            host_ttl=_LIFE_S,
            other_ttl=_LIFE_S,
            addresses=_packed(now.addresses),
        )
        self._zeroconf = AsyncZeroconf(interfaces=list(now.interfaces))
        # Two that have a mark in common after all: the later one takes a number.
        await (await self._zeroconf.async_register_service(self._info, allow_name_change=True))
        self._browser = AsyncServiceBrowser(
            self._zeroconf.zeroconf, SERVICE, handlers=[self._another]
        )

    async def _close(self) -> None:
        asking = tuple(self._asking)
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        closing, self._zeroconf = self._zeroconf, None
        browser, self._browser = self._browser, None
        if closing is None:
            return
        try:
            async with asyncio.timeout(_WITHDRAWAL_REAL_S):
                if browser is not None:
                    await browser.async_cancel()
                await closing.async_close()
        except _NOT_POSSIBLE as error:
            log.warning("not withdrawn from the local network", extra=fields(why=str(error)))

    # --- others of the same name ---------------------------------------------------------------

    def _another(self, **told: Any) -> None:
        """Something is told of a service of our kind."""
        name = str(told["name"])
        gone = told["state_change"] is zeroconf.ServiceStateChange.Removed
        if gone or self._info is None or name == self._info.name or name in self._namesakes:
            return
        task = asyncio.create_task(self._compare(name))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _compare(self, name: str) -> None:
        if self._zeroconf is None:
            return
        info = AsyncServiceInfo(SERVICE, name)
        if not await info.async_request(self._zeroconf.zeroconf, _ASK_REAL_S * 1000):
            return
        other = announced(info.decoded_properties)
        if other is None or other.name.casefold() != self._said.name.casefold():
            return
        self._namesakes.add(name)
        log.warning(
            "another server on this network has the same name; players see both, each with its "
            "computer and address",
            extra=fields(name=other.name, machine=other.machine),
        )


def _packed(addresses: Iterable[str]) -> list[bytes]:
    return [ipaddress.ip_address(address).packed for address in addresses]


def _mark(place: str) -> str:
    """What tells this server from every other: the same after a restart, another on a copy of it.

    Made of the hardware's address and the database's place (without a password).
    """
    return hashlib.sha256(f"{uuid.getnode():012x} {place}".encode()).hexdigest()[:6]
