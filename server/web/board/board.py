"""The board put together: its pages, its addresses for programs, its feed."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from importlib.resources import files

import font_manrope

from server.clock import ServerClock
from server.config import ServerConfig
from server.house import House
from server.storage.store import Store
from server.web.asked import Asked, HttpError
from server.web.board.api import Api
from server.web.board.feed import PATH, Feed
from server.web.board.league import League
from server.web.board.players import Players
from server.web.peer import Peer
from server.web.reply import Reply
from server.web.routes import Handler, Routes

_KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
}
_FONT = "manrope.ttf"
_SHELL = "board.html"
_ADDRESSES = (
    "/board", "/board/tables", "/board/table/{table}", "/board/competition/{competition}",
    "/board/player/{player}", "/board/players", "/board/match/{match}",
)  # fmt: skip
_HOST = re.compile(r"[\w.:\[\]-]{1,255}", re.ASCII)


class Board:
    """Use ``add_to`` once, ``start`` when the house is open, ``stop`` at the end."""

    def __init__(
        self, config: ServerConfig, house: House, store: Store, clock: ServerClock
    ) -> None:
        self._shown_to = config.board_shown
        wall = house.people.wall
        league = League(house.club, config.name)
        self.feed = Feed(house.floor, house.club, league, clock, wall)
        players = Players(league, house.club, store.seasons, store.ratings, clock)
        self._api = Api(self.feed, league, players, store.archive, clock, wall)
        self._files = _read_files()

    def add_to(self, site: Routes) -> None:
        """Its pages and addresses."""
        self._api.add_to(site, self._guarded)
        for pattern in _ADDRESSES:
            site.add(pattern, self._guarded(self._page))
        site.add("/board/static/{file}", self._guarded(self._file))

    def may_see(self, peer: Peer) -> bool:
        """Whether somebody may see the board, by where he is."""
        return self._shown_to == "yes" or (self._shown_to == "lan" and peer.is_on_local_network)

    def takes(self, asked: Asked) -> bool:
        """Whether a websocket is for the feed."""
        return "/" + "/".join(asked.parts) == PATH and self.may_see(asked.peer)

    def _guarded(self, handler: Handler) -> Handler:
        async def answer(asked: Asked, named: Mapping[str, str]) -> Reply:
            if not self.may_see(asked.peer):
                raise HttpError(HTTPStatus.NOT_FOUND, "there is nothing here")
            return await handler(asked, named)

        return answer

    async def _page(self, asked: Asked, _named: Mapping[str, str]) -> Reply:
        """The one page; its script reads from the address what is to be shown."""
        return Reply(
            self._files[_SHELL],
            content_type=_KINDS["html"],
            cache="no-cache",
            headers={"Content-Security-Policy": _policy(asked.headers.get("Host", ""))},
        )

    async def _file(self, _asked: Asked, named: Mapping[str, str]) -> Reply:
        data = self._files.get(named["file"])
        if data is None:
            raise HttpError(HTTPStatus.NOT_FOUND, "there is nothing here")
        kind = _KINDS[named["file"].rpartition(".")[2]]
        cache = "max-age=604800" if named["file"] == _FONT else "no-cache"
        return Reply(data, content_type=kind, cache=cache)


def _policy(host: str) -> str:
    """Nothing from anywhere else; the websocket is named too, which older browsers want."""
    feed = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
        f"img-src 'self' data:; connect-src 'self'{feed}; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


def _read_files() -> dict[str, bytes]:
    folder = files("server.web.board") / "pages"
    read = {
        one.name: one.read_bytes()
        for one in folder.iterdir()
        if one.name.rpartition(".")[2] in _KINDS
    }
    with open(font_manrope.font_files["ManropeVariableFont_wght"], "rb") as font:
        read[_FONT] = font.read()
    return read
