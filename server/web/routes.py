"""Which handler answers which path."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus

from server.web.asked import Asked, HttpError
from server.web.reply import Reply, text_reply

log = logging.getLogger("headstring.server.web")

METHODS = ("GET", "HEAD")
Handler = Callable[[Asked, Mapping[str, str]], Awaitable[Reply]]
"""Answers a request; the mapping holds the path's named segments.  May raise ``HttpError``."""


class Routes:
    """Patterns like ``/tables/{table}`` and their handlers; the first that fits answers."""

    def __init__(self) -> None:
        self._routes: list[tuple[tuple[str, ...], Handler]] = []

    def add(self, pattern: str, handler: Handler) -> None:
        """Have a handler answer a path; a segment in braces stands for any that is not empty."""
        self._routes.append((tuple(pattern.removeprefix("/").split("/")), handler))

    async def answer(self, asked: Asked) -> Reply:
        """The reply to a request; a fault of a handler is ours, and logged."""
        if asked.method not in METHODS:
            allow = {"Allow": ", ".join(METHODS)}
            sentence = "this port takes GET and HEAD"
            return text_reply(sentence, HTTPStatus.METHOD_NOT_ALLOWED, allow)
        for pattern, handler in self._routes:
            named = _fit(pattern, asked.parts)
            if named is not None:
                try:
                    return await handler(asked, named)
                except HttpError as error:
                    return text_reply(error.sentence, error.status)
                except Exception:
                    log.exception("a page failed")
                    sentence = "a fault of the server"
                    return text_reply(sentence, HTTPStatus.INTERNAL_SERVER_ERROR)
        return text_reply("there is nothing here", HTTPStatus.NOT_FOUND)


def _fit(pattern: tuple[str, ...], parts: tuple[str, ...]) -> dict[str, str] | None:
    if len(pattern) != len(parts):
        return None
    named = {}
    for wanted, part in zip(pattern, parts, strict=True):
        if wanted.startswith("{"):
            if not part:
                return None
            named[wanted[1:-1]] = part
        elif wanted != part:
            return None
    return named
