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
    for origin in config.origins:
        if origin != "*" and not _is_origin(origin):
            yield "origins", f"{origin!r} is no site (https://example.org) and not *"


def _is_origin(text: str) -> bool:
    parsed = urlsplit(text)
    bare = f"{parsed.scheme}://{parsed.netloc}"
    return parsed.scheme in ("http", "https") and bool(parsed.netloc) and text == bare.lower()
