"""A request for a page, read strictly: method, path, query, and who really asks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote

from websockets.datastructures import Headers
from websockets.http11 import Request

from server.web.peer import Peer

_LONGEST_PATH = 2048
_MOST_FIELDS = 32
_ESCAPES = re.compile(r"%(?![0-9A-Fa-f]{2})")


class HttpError(Exception):
    """The request gets this status and sentence instead of a page."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


@dataclass(frozen=True)
class Asked:
    """A request.  ``parts``: the path's segments, unescaped; ``query``: each name once."""

    method: str
    parts: tuple[str, ...]
    query: Mapping[str, str]
    headers: Headers
    peer: Peer


def read_request(request: Request, peer: Peer) -> Asked:
    """Read a request.

    Raises:
        HttpError: 400 or 414: it makes no sense.
    """
    if len(request.path) > _LONGEST_PATH:
        raise HttpError(HTTPStatus.REQUEST_URI_TOO_LONG, "the address is too long")
    if request.protocol == "HTTP/1.1" and len(request.headers.get_all("Host")) != 1:
        raise HttpError(HTTPStatus.BAD_REQUEST, "one Host is needed")
    path, _, query = request.path.partition("?")
    if not path.startswith("/"):
        raise HttpError(HTTPStatus.BAD_REQUEST, "the address is not a path")
    parts = tuple(_unescaped(part) for part in path[1:].split("/"))
    return Asked(request.method, parts, _fields(query), request.headers, peer)


def _unescaped(text: str) -> str:
    if _ESCAPES.search(text):
        raise HttpError(HTTPStatus.BAD_REQUEST, "the address holds a broken escape")
    try:
        plain = unquote(text, errors="strict")
    except UnicodeDecodeError as error:
        raise HttpError(HTTPStatus.BAD_REQUEST, "the address is no UTF-8") from error
    if not plain.isprintable():
        raise HttpError(HTTPStatus.BAD_REQUEST, "the address holds control characters")
    return plain


def _fields(query: str) -> Mapping[str, str]:
    if _ESCAPES.search(query):
        raise HttpError(HTTPStatus.BAD_REQUEST, "the query holds a broken escape")
    try:
        pairs = parse_qsl(
            query, keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS
        )
    except ValueError as error:  # too many, or no UTF-8
        raise HttpError(HTTPStatus.BAD_REQUEST, "the query makes no sense") from error
    if not all(text.isprintable() for pair in pairs for text in pair):
        raise HttpError(HTTPStatus.BAD_REQUEST, "the query holds control characters")
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise HttpError(HTTPStatus.BAD_REQUEST, "the query names something twice")
    return fields
