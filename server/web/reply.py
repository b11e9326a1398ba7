"""What a handler gives back, and the HTTP response that it becomes.

Every response carries the headers that keep a browser from doing more with it than show it.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from websockets.datastructures import Headers
from websockets.http11 import Response

from server.web.asked import Asked

TEXT = "text/plain; charset=utf-8"
NEVER_KEPT = "no-store"
_SAFE = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_A_YEAR_S = 31_536_000


@dataclass(frozen=True)
class Reply:
    """A page.

    ``cache``: its Cache-Control; one that may be kept gets an ETag, and who has it already 304.
    ``headers``: more headers, or others in place of those that every reply has.
    """

    body: bytes
    status: HTTPStatus = HTTPStatus.OK
    content_type: str = TEXT
    cache: str = NEVER_KEPT
    headers: Mapping[str, str] = field(default_factory=dict)


def text_reply(
    text: str, status: HTTPStatus = HTTPStatus.OK, headers: Mapping[str, str] | None = None
) -> Reply:
    """A page of plain text, a line-end added."""
    return Reply((text + "\n").encode(), status, headers=headers or {})


def response(reply: Reply, asked: Asked | None) -> Response:
    """The response of a reply; ``asked``: None when the request could not be read."""
    headers = {"Content-Type": reply.content_type, "Cache-Control": reply.cache} | _SAFE
    status, body = reply.status, reply.body
    if asked is not None and asked.peer.secure:
        headers["Strict-Transport-Security"] = f"max-age={_A_YEAR_S}"
    headers |= reply.headers
    if status is HTTPStatus.OK and reply.cache != NEVER_KEPT:
        tag = headers.setdefault("ETag", f'"{hashlib.sha256(body).hexdigest()[:32]}"')
        if asked is not None and _has(asked, tag):
            status, body = HTTPStatus.NOT_MODIFIED, b""
            del headers["Content-Type"]
    if status is not HTTPStatus.NOT_MODIFIED:
        headers["Content-Length"] = str(len(body))
    if asked is not None and asked.method == "HEAD":
        body = b""  # the headers stay those of the page
    headers["Connection"] = "close"
    return Response(status.value, status.phrase, Headers(headers), body)


def _has(asked: Asked, tag: str) -> bool:
    named = ",".join(asked.headers.get_all("If-None-Match"))
    tags = {one.strip().removeprefix("W/") for one in named.split(",")}
    return "*" in tags or tag.removeprefix("W/") in tags
