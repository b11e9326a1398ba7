"""What settings must be besides of their kind and within their range."""

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from server.web.peer import network_of

if TYPE_CHECKING:
    from server.config import ServerConfig


def unusable(config: "ServerConfig") -> Iterator[tuple[str, str]]:
    """Attribute and fault of everything that can't be used as it is."""
    for name in config.trusted_proxies:
        try:
            network_of(name)
        except ValueError:
            yield "trusted_proxies", f"{name!r} is no address and no network (10.0.0.0/8)"
    if config.metrics_address and host_and_port(config.metrics_address) is None:
        yield "metrics_address", f"{config.metrics_address!r} is not HOST:PORT"
    for given, missing in (("tls_certificate", "tls_key"), ("tls_key", "tls_certificate")):
        if getattr(config, given) and not getattr(config, missing):
            yield missing, "certificate and key go together; this one is missing"
    for origin in config.origins:
        if origin != "*" and not _is_origin(origin):
            yield "origins", f"{origin!r} is no site (https://example.org) and not *"


def host_and_port(text: str) -> tuple[str, int] | None:
    """Host and port of ``host:port`` or ``[host]:port``; None: it is neither."""
    try:
        parsed = urlsplit(f"//{text}")
        host, port = parsed.hostname, parsed.port
    except ValueError:
        return None
    return (host, port) if host and port is not None and parsed.netloc == text else None


def _is_origin(text: str) -> bool:
    parsed = urlsplit(text)
    bare = f"{parsed.scheme}://{parsed.netloc}"
    return parsed.scheme in ("http", "https") and bool(parsed.netloc) and text == bare.lower()
