"""Asks a server for pages, byte by byte as a test wants it."""

import asyncio
from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """A response; header names in small letters."""

    status: int
    headers: dict[str, str]
    body: str


async def fetch(port: int, path: str, method: str = "GET", **headers: str) -> Page:
    """One request; ``X_Forwarded_For="…"`` is the header X-Forwarded-For."""
    named = {"Host": "pool.example"} | {k.replace("_", "-"): v for k, v in headers.items()}
    lines = [f"{method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in named.items() if v), "", ""]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write("\r\n".join(lines).encode())
    data = (await reader.read()).decode()
    writer.close()
    head, _, body = data.partition("\r\n\r\n")
    status, *given = head.split("\r\n")
    pairs = (line.split(": ", 1) for line in given)
    return Page(int(status.split()[1]), {k.lower(): v for k, v in pairs}, body)


def handshake(**more: str) -> dict[str, str]:
    """Headers that ask for a websocket."""
    return {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
    } | more
