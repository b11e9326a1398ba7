"""Signing in to a server under test, and what comes of it."""

from pathlib import Path
from typing import Any

from server.app import MatchServer
from shared_rules import messages as m
from tests.server.wire_client import WireClient

SECRET = "correct horse 8"
OTHER = "battery staple 9"


async def hello(server: MatchServer, **fields: Any) -> tuple[WireClient, Any]:
    """A new connection, and what its hello was answered."""
    client = await WireClient.connect(server.port)
    await client.send(m.Hello(protocol=m.PROTOCOL, **fields))
    answer = await client.until(lambda x: isinstance(x, m.Welcome | m.Refused))
    if isinstance(answer, m.Welcome):
        client.token = answer.token
    return client, answer


async def refused(server: MatchServer, **fields: Any) -> str:
    """The code of a hello that is refused."""
    client, answer = await hello(server, **fields)
    await client.close()
    assert isinstance(answer, m.Refused), answer
    return answer.code


async def signed_in(server: MatchServer, **fields: Any) -> WireClient:
    client, answer = await hello(server, **fields)
    assert isinstance(answer, m.Welcome), answer
    return client


def check_nowhere(folder: Path, secrets: tuple[str, ...]) -> None:
    """No file of a folder holds any of these."""
    for file in folder.iterdir():
        data = file.read_bytes()
        for secret in secrets:
            assert secret.encode() not in data, file
