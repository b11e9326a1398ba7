"""The server's web pages: which there are."""

from collections.abc import Mapping

from server.clock import ServerClock
from server.config import ServerConfig
from server.config.checks import host_and_port
from server.house import House
from server.pool import Pool
from server.storage.store import Store
from server.web.asked import Asked
from server.web.board.board import Board
from server.web.health import Readiness, healthz
from server.web.metrics_page import MetricsPage, ServerCollector
from server.web.page_server import PageServer
from server.web.reply import Reply, text_reply
from server.web.routes import Routes

_PAGE = """\
Headstring match server

This port speaks the websocket protocol of docs/protocol.md.
To play:   headstring play --server {scheme}://{place}
To watch:  headstring watch --server {scheme}://{place}
On a screen, without any of this: {http}://{place}/board"""


def make_site(
    config: ServerConfig, house: House, store: Store, pool: Pool, clock: ServerClock, board: Board
) -> tuple[Routes, PageServer | None]:
    """All pages of the server's port; and of a port that only metrics have, if there is one."""
    site = Routes()
    site.add("/", _front)
    site.add("/healthz", healthz)
    site.add("/readyz", Readiness(house, store, pool, clock).readyz)
    board.add_to(site)
    collector = ServerCollector(house, store, pool)
    apart = host_and_port(config.metrics_address) if config.metrics_address else None
    page = MetricsPage(collector, house, config.metrics_token, hidden=apart is None)
    if apart is None:
        site.add("/metrics", page.metrics)
        return site, None
    own = Routes()
    own.add("/metrics", page.metrics)
    return site, PageServer(own, *apart)


async def _front(asked: Asked, _named: Mapping[str, str]) -> Reply:
    scheme = "wss" if asked.peer.secure else "ws"
    place = asked.headers.get("Host", "THIS-ADDRESS")
    http = "https" if asked.peer.secure else "http"
    return text_reply(_PAGE.format(scheme=scheme, http=http, place=place))
