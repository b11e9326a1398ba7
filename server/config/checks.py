"""What settings must be besides of their kind and within their range."""

import ipaddress
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from server.web.peer import network_of

if TYPE_CHECKING:
    from server.config import ServerConfig


_DATABASES = re.compile(r"(sqlite|postgresql)(\+\w+)?://")
_HOST_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\.?", re.I)
_LONGEST_NAME = 100
_EVERYWHERE = ("0.0.0.0", "::")


def unusable(config: "ServerConfig") -> Iterator[tuple[str, str]]:
    """Attribute and fault of everything that can't be used as it is."""
    if not config.name.strip() or len(config.name) > _LONGEST_NAME or not config.name.isprintable():
        yield "name", f"it needs 1 to {_LONGEST_NAME} characters that can be seen"
    if not is_host(config.host):
        yield "host", f"{config.host!r} is no address and no name; 0.0.0.0 is everyone"
    if "://" in config.database and not _DATABASES.match(config.database):
        yield (
            "database",
            "it is no database that is known here: give a file of SQLite, "
            "or postgresql+asyncpg://user:password@host/name",
        )
    for name in config.trusted_proxies:
        try:
            network_of(name)
        except ValueError:
            yield "trusted_proxies", f"{name!r} is no address and no network (10.0.0.0/8)"
    if config.metrics_address and host_and_port(config.metrics_address) is None:
        yield "metrics_address", f"{config.metrics_address!r} is not HOST:PORT"
    elif config.metrics_address and _in_each_others_way(config):
        yield "metrics_address", "that is the server's own port"
    for given, missing in (("tls_certificate", "tls_key"), ("tls_key", "tls_certificate")):
        if getattr(config, given) and not getattr(config, missing):
            yield missing, "certificate and key go together; this one is missing"
    for origin in config.origins:
        if origin != "*" and not _is_origin(origin):
            yield "origins", f"{origin!r} is no site (https://example.org) and not *"


def is_host(text: str) -> bool:
    """Whether it is an address or may be the name of a machine."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        last = text.rstrip(".").rpartition(".")[2]
        return bool(_HOST_NAME.fullmatch(text)) and not last.isdigit()
    return True


def _in_each_others_way(config: "ServerConfig") -> bool:
    host, port = host_and_port(config.metrics_address) or ("", 0)
    same_host = host == config.host.lower() or host in _EVERYWHERE or config.host in _EVERYWHERE
    return port == config.port != 0 and same_host


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
