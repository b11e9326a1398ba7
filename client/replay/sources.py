"""Where stored matches come from: a file, or a server that is asked one thing after the other."""

import asyncio
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

from client.data_folder import Tokens
from client.net.link import Link
from client.net.session import LinkEvent, Session
from client.replay.timeline import NotShown, Timeline
from shared_rules import messages as m
from shared_rules.replay_file import ReplayFileError, read_replay

_PATIENCE_S = 30.0


class NotToBeHad(Exception):
    """The server doesn't give what was asked for; the message says why."""


Match = tuple[m.ReplaySummary, Timeline]


def match_in(path: Path) -> Match:
    """A saved match.

    Raises:
        NotToBeHad: there is none, it is damaged, or of a later version.
    """
    try:
        replay = read_replay(path.expanduser().read_bytes())
        return replay.summary, Timeline(replay.events)
    except OSError as error:
        raise NotToBeHad(f"{path}: {error.strerror}") from error
    except (ReplayFileError, NotShown) as error:
        raise NotToBeHad(f"{path}: {error}") from error


def match_of(
    url: str,
    name: str,
    match: str,
    invitation: str | None = None,
    trust: ssl.SSLContext | None = None,
) -> Match:
    """A match of a server, as far as it has come.

    Raises:
        NotToBeHad: it is refused, there is no server, or this build can't show it.
    """
    summary, events = asyncio.run(fetch(url, name, match, invitation, trust))
    try:
        return summary, Timeline(events)
    except NotShown as error:
        raise NotToBeHad(str(error)) from error


def list_of(
    url: str,
    name: str,
    mine: bool,
    page: str | None,
    most: int,
    trust: ssl.SSLContext | None = None,
    **only: Any,
) -> m.ReplayList:
    """A page of a server's matches; ``mine``: only those of ``name``; ``only``: what else they are
    to be, as in :class:`ListReplays` (``player``, ``status``).

    Raises:
        NotToBeHad: it is refused, or there is no server.
    """

    async def ask() -> m.ReplayList:
        async with Reader(url, name, trust) as reader:
            found: m.ReplayList = await reader.ask(
                m.ListReplays, mine=mine, page=page, most=most, **only
            )
            return found

    return asyncio.run(ask())


async def fetch(
    url: str,
    name: str,
    match: str,
    invitation: str | None = None,
    trust: ssl.SSLContext | None = None,
) -> tuple[m.ReplaySummary, list[m.ReplayEvent]]:
    """A match's events.

    Raises:
        NotToBeHad: it is refused, or there is no server.
    """
    events: list[m.ReplayEvent] = []
    async with Reader(url, name, trust) as reader:
        start: int | None = 0
        while start is not None:
            piece = await reader.ask(m.GetReplay, match=match, invitation=invitation, start=start)
            events += piece.events
            start = piece.next
    return piece.summary, events


class Reader:
    """A sign-in that asks one thing after the other."""

    def __init__(self, url: str, name: str, trust: ssl.SSLContext | None = None) -> None:
        self._tokens = Tokens()
        self._kept_as = (url, name)
        self._session = Session(name, self._tokens.get(url, name), program="headstring replays")
        self._link = Link(url, self._deliver, trust=trust)
        self._news = asyncio.Event()
        self._reason = ""

    async def __aenter__(self) -> "Reader":
        self._carrying = asyncio.create_task(self._link.run())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._link.close()
        await asyncio.gather(self._carrying, return_exceptions=True)
        if self._session.token is not None:
            self._tokens.keep(*self._kept_as, self._session.token)

    async def ask(self, kind: Callable[..., Any], **fields: Any) -> Any:
        """The answer to a request.

        Raises:
            NotToBeHad: it is refused, or there is no server.
        """
        session = self._session
        request = session.look_up(kind, **fields)
        self._send()
        try:
            async with asyncio.timeout(_PATIENCE_S):
                while True:
                    found = session.looked_up.pop(request, None)
                    if found is not None:
                        return found
                    for answer in session.take_answers():
                        if answer.code is not None:
                            raise NotToBeHad(answer.message)
                    if session.phase == "over" or self._reason:
                        raise NotToBeHad(session.reason or self._reason)
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError as error:
            raise NotToBeHad("the server does not answer") from error

    def _deliver(self, event: LinkEvent) -> None:
        self._session.handle(event)
        if self._session.phase == "lost":
            self._reason = self._session.reason
        self._send()
        self._news.set()

    def _send(self) -> None:
        for message in self._session.take_outgoing():
            self._link.send(message)
