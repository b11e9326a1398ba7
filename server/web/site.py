"""The server's web pages: which there are."""

from collections.abc import Mapping

from server.clock import ServerClock
from server.house import House
from server.pool import Pool
from server.storage.store import Store
from server.web.asked import Asked
from server.web.health import Readiness, healthz
from server.web.reply import Reply, text_reply
from server.web.routes import Routes

_PAGE = """\
Headstring match server

This port speaks the websocket protocol of docs/protocol.md.
To play:   headstring play --server {scheme}://{place}
To watch:  headstring watch --server {scheme}://{place}"""


def make_site(house: House, store: Store, pool: Pool, clock: ServerClock) -> Routes:
    """All pages of the server's port."""
    site = Routes()
    site.add("/", _front)
    site.add("/healthz", healthz)
    site.add("/readyz", Readiness(house, store, pool, clock).readyz)
    return site


async def _front(asked: Asked, _named: Mapping[str, str]) -> Reply:
    scheme = "wss" if asked.peer.secure else "ws"
    place = asked.headers.get("Host", "THIS-ADDRESS")
    return text_reply(_PAGE.format(scheme=scheme, place=place))
