"""Addresses of peers: which are of the local network, and which count as one sender's."""

import ipaddress

_LOCAL = tuple(
    ipaddress.ip_network(net)
    for net in (
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
        "::1/128", "fc00::/7", "fe80::/10",
    )
)  # fmt: skip
"""Loopback, private (RFC 1918, RFC 4193) and link-local."""
_SENDER_BITS = 64  # of IPv6: a household has that many addresses to itself


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = getattr(found, "ipv4_mapped", None)
    return mapped or found


def is_local(address: str) -> bool:
    """Whether a peer of this address is on this machine or its local network."""
    found = _address(address)
    if found is None:
        return False
    plain = ipaddress.ip_address(int(found)) if found.version == 4 else _without_zone(found)
    return any(plain.version == net.version and plain in net for net in _LOCAL)


def sender_of(address: str) -> str:
    """What limits count by: an IPv4 address, or the network of an IPv6 one."""
    found = _address(address)
    if not isinstance(found, ipaddress.IPv6Address):
        return address if found is None else str(found)
    net = ipaddress.ip_network((int(found), _SENDER_BITS), strict=False)
    return str(net)


def _without_zone(address: ipaddress.IPv6Address) -> ipaddress.IPv6Address:
    return ipaddress.IPv6Address(int(address))
