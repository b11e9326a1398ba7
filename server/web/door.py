"""Who may open a websocket, as far as its handshake shows."""

import logging
from http import HTTPStatus
from urllib.parse import urlsplit

from server.config import ServerConfig
from server.house import House
from server.logs import fields
from server.web.asked import Asked
from server.web.reply import Reply, text_reply
from shared_rules.refusal import Code

log = logging.getLogger("headstring.server.web")

REFUSAL = "Headstring-Refusal"
"""Header that holds the code of a refusal; the body is its sentence."""
_AGAIN_S = {Code.OVERLOADED: 30, Code.SHUTTING_DOWN: 5}


def is_websocket(asked: Asked) -> bool:
    """Whether a request asks for a websocket."""
    return asked.method == "GET" and asked.headers.get("Upgrade", "").lower() == "websocket"


def turned_away(asked: Asked, house: House, config: ServerConfig, connections: int) -> Reply | None:
    """Why this websocket is not opened; None: it is."""
    if not _origin_is_ours(asked, config.origins):
        return _refusal(
            Code.NOT_ALLOWED,
            "pages of that site may not connect to this server",
            HTTPStatus.FORBIDDEN,
        )
    if house.stopping:
        return _refusal(Code.SHUTTING_DOWN, "the server is going down; come back in a minute")
    if house.closed:
        return _refusal(Code.SHUTTING_DOWN, "the server is starting; come back in a moment")
    if connections >= config.max_connections:
        return _refusal(Code.OVERLOADED, "the server is full; try again later")
    if house.gate.is_crowded(asked.peer.address):
        log.warning("too many connections of an address", extra=fields(address=asked.peer.address))
        return _refusal(Code.OVERLOADED, "too many connections from your address")
    return None


def _refusal(
    code: Code, sentence: str, status: HTTPStatus = HTTPStatus.SERVICE_UNAVAILABLE
) -> Reply:
    headers = {REFUSAL: code.value}
    if code in _AGAIN_S:
        headers["Retry-After"] = str(_AGAIN_S[code])
    return text_reply(sentence, status, headers)


def _origin_is_ours(asked: Asked, allowed: tuple[str, ...]) -> bool:
    """Programs name no origin; a browser names the site whose page asks."""
    origins = asked.headers.get_all("Origin")
    if not origins or "*" in allowed:
        return True
    if len(origins) > 1:
        return False
    origin = origins[0].lower().rstrip("/")
    return origin in allowed or urlsplit(origin).netloc == asked.headers.get("Host", "").lower()
