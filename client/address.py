"""A server's address as people write it."""

import argparse
from urllib.parse import urlsplit

DEFAULT_PORT = 4747
"""Port of a server whose address names none: that of ``headstring serve``."""


def websocket_url(text: str) -> str:
    """A server's address: ``host``, ``host:port`` or a whole ``ws://`` or ``wss://`` one."""
    text = text.strip()
    if "://" not in text:
        text = f"ws://{text}"
    scheme, rest = text.split("://", 1)
    rest = rest.rstrip("/")
    text = f"{scheme}://{rest}"
    if scheme not in ("ws", "wss") or not rest:
        raise argparse.ArgumentTypeError(f"{text} is no websocket address (ws:// or wss://)")
    host = rest.split("/", 1)[0]
    try:
        urlsplit(text).port  # noqa: B018 - reading it checks it
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text} is no address: {error}") from error
    if scheme == "ws" and ":" not in host.rsplit("]", 1)[-1]:
        text = f"ws://{host}:{DEFAULT_PORT}{rest[len(host) :]}"
    return text
