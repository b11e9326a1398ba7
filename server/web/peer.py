"""Who is at the other end, when proxies may stand between: address and scheme as they really are.

``X-Forwarded-For`` and ``X-Forwarded-Proto`` are believed only from the proxies that the settings
name; from anybody else they are a stranger's words.  What ``Forwarded`` (RFC 7239) says is never
believed, since a proxy that writes the others hands on what a stranger has put there; that it is
there tells that somebody else asks.
"""

import ipaddress
from dataclasses import dataclass

from websockets.datastructures import Headers

from server.accounts.addresses import is_local

_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Real-IP")
"""Whoever sends one of these asks for somebody else."""
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class Peer:
    """``address``: of the client; ``secure``: by TLS; ``forwarded``: by a proxy, or so it says.

    ``believed``: the proxy is one whose word about the address is taken.
    """

    address: str
    secure: bool = False
    forwarded: bool = False
    believed: bool = False

    @property
    def is_on_local_network(self) -> bool:
        """Whether somebody of this machine or its network asks.

        A proxy of the local network that is not believed may ask for anybody.
        """
        return is_local(self.address) and (self.believed or not self.forwarded)

    @property
    def is_local(self) -> bool:
        """Whether a program on this machine asks, not for somebody else."""
        try:
            return not self.forwarded and ipaddress.ip_address(self.address).is_loopback
        except ValueError:
            return False


class TrustedProxies:
    """Addresses and networks whose word is taken; see ``networks_of``."""

    def __init__(self, named: tuple[str, ...]) -> None:
        """Raises ValueError when one is no address and no network."""
        self._networks = tuple(network_of(name) for name in named)

    def peer(self, remote: str, secure: bool, headers: Headers) -> Peer:
        """Who asks; ``remote`` and ``secure`` are those of the connection itself."""
        address = _plain(remote) or remote
        forwarded = any(headers.get_all(name) for name in _HEADERS)
        if not self.trusts(address):
            return Peer(address, secure, forwarded)
        said = ",".join(headers.get_all("X-Forwarded-For"))
        proto = ",".join(headers.get_all("X-Forwarded-Proto")).rpartition(",")[2].strip().lower()
        if proto in ("http", "https", "ws", "wss"):
            secure = proto in ("https", "wss")
        # From the nearest on: what stands left of an untrusted one was said by a stranger.
        hops = [hop.strip() for hop in said.split(",")]
        while hops and self.trusts(address):
            nearer = _plain(hops.pop())
            if nearer is None:
                break
            address = nearer
        return Peer(address, secure, forwarded, believed=bool(said) or not forwarded)

    def trusts(self, address: str) -> bool:
        """Whether this address is one of the proxies."""
        try:
            parsed = ipaddress.ip_address(_plain(address) or address)
        except ValueError:
            return False
        return any(parsed.version == n.version and parsed in n for n in self._networks)


def network_of(name: str) -> _Network:
    """The network of an address (itself alone) or of ``address/bits``; raises ValueError."""
    return ipaddress.ip_network(name, strict=False)


def _plain(text: str) -> str | None:
    """An address without port, brackets, zone and IPv4-in-IPv6; None: it is none."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        parsed = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    return str(parsed)
