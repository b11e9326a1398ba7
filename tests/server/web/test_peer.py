"""Whose address counts when proxies stand between."""

import pytest
from websockets.datastructures import Headers

from server.web.peer import Peer, TrustedProxies

PROXIES = TrustedProxies(("10.0.0.0/8", "127.0.0.1", "::1"))


def _peer(remote: str, said: str | None = None, proto: str | None = None) -> Peer:
    headers = Headers()
    for one in (said or "").split("|") if said else []:
        headers["X-Forwarded-For"] = one
    if proto is not None:
        headers["X-Forwarded-Proto"] = proto
    return PROXIES.peer(remote, False, headers)


@pytest.mark.parametrize(
    ("remote", "said", "address"),
    [
        ("203.0.113.9", None, "203.0.113.9"),
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),  # a stranger may say what he likes
        ("127.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.1.2.3", "198.51.100.1, 10.9.9.9", "198.51.100.1"),
        ("10.1.2.3", "6.6.6.6, 198.51.100.1", "198.51.100.1"),  # the left one was forged
        ("10.1.2.3", "6.6.6.6|198.51.100.1", "198.51.100.1"),  # in two headers
        ("10.1.2.3", "nonsense, 10.9.9.9", "10.9.9.9"),
        ("10.1.2.3", "198.51.100.1:4711", "198.51.100.1"),
        ("::1", "[2001:db8::1]:4711", "2001:db8::1"),
        ("::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("", None, ""),
    ],
)
def test_the_nearest_address_that_no_trusted_proxy_has(
    remote: str, said: str | None, address: str
) -> None:
    assert _peer(remote, said).address == address


def test_the_scheme_is_believed_from_a_trusted_proxy_only() -> None:
    assert _peer("127.0.0.1", "198.51.100.1", "https").secure
    assert _peer("127.0.0.1", "198.51.100.1", "http, wss").secure
    assert not _peer("127.0.0.1", "198.51.100.1", "http").secure
    assert not _peer("203.0.113.9", None, "https").secure


def test_only_this_machine_itself_is_local() -> None:
    nobody = TrustedProxies(())
    assert nobody.peer("127.0.0.1", False, Headers()).is_local
    assert nobody.peer("::1", False, Headers()).is_local
    assert not nobody.peer("10.0.0.1", False, Headers()).is_local
    assert not nobody.peer("", False, Headers()).is_local
    # a proxy on this machine asks for somebody else
    assert not nobody.peer("127.0.0.1", False, Headers({"X-Forwarded-For": "6.6.6.6"})).is_local
    assert not _peer("127.0.0.1", "127.0.0.1").is_local
    assert not nobody.peer("127.0.0.1", False, Headers({"Forwarded": "for=6.6.6.6"})).is_local
    assert not nobody.peer("127.0.0.1", False, Headers({"X-Real-IP": "6.6.6.6"})).is_local


def test_the_standard_header_only_tells_that_somebody_else_asks() -> None:
    """RFC 7239: a proxy that writes X-Forwarded-For hands a stranger's Forwarded on."""
    forged = Headers({"Forwarded": "for=127.0.0.1", "X-Forwarded-For": "6.6.6.6"})
    peer = PROXIES.peer("127.0.0.1", False, forged)
    assert peer.address == "6.6.6.6" and peer.forwarded and not peer.is_on_local_network
    alone = PROXIES.peer("127.0.0.1", False, Headers({"Forwarded": "for=10.0.0.1;proto=https"}))
    assert alone.address == "127.0.0.1" and not alone.secure
    assert not alone.is_local and not alone.is_on_local_network  # it may be anybody
    itself = PROXIES.peer("10.0.0.1", False, Headers())
    assert itself.is_on_local_network
