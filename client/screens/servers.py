"""The way to a server: an address, and as whom to go there."""

import argparse
import sys

from client.address import websocket_url
from client.data_folder import Tokens
from client.hud.entry import Entry
from client.hud.page import Heading, Page, Paragraph, Pick, Press, Widget
from client.net.connection import Connection
from client.play.settings import LONGEST_NAME
from client.reasons import reason_text
from client.screens.account import SignIn
from client.screens.activity import Back, Move, Open
from client.screens.lobby import LobbyScreen
from client.screens.page_screen import PageScreen, stepped
from client.screens.places import Place, Source, drop_place, keep_place, used_places
from client.screens.window import Window

WAYS = ("guest", "account", "register")
LONGEST_ADDRESS = 200
LONGEST_PASSWORD = 256


class ServersScreen(PageScreen):
    """See the module.  ``sources``: where servers to choose come from, each with its heading."""

    def __init__(
        self,
        window: Window,
        watching: bool = False,
        sources: tuple[tuple[str, Source], ...] = (("servers_used", used_places),),
    ) -> None:
        super().__init__(window)
        self._watching = watching
        self._sources = sources
        self._found: list[tuple[str, tuple[Place, ...]]] = []
        self._way = "guest"
        self._signing_in: SignIn | None = None
        self.secrets = {"password", "again"}
        self.entries = {
            "address": Entry.of("", LONGEST_ADDRESS),
            "name": Entry.of(window.preferences.now.name, LONGEST_NAME),
            "password": Entry.of("", LONGEST_PASSWORD),
            "again": Entry.of("", LONGEST_PASSWORD),
        }

    def enter(self, notice: str = "") -> None:
        """See the base class."""
        self._look()
        places = [place for _, places in self._found for place in places]
        if places and not self.entries["address"].text:
            self._choose(places[0])
        super().enter(notice)

    def _look(self) -> None:
        self._found = [(heading, tuple(source())) for heading, source in self._sources]

    def page(self) -> Page:
        """See the base class."""
        why = self.say("signing_in") if self._signing_in is not None else ""
        ask: list[Widget] = [
            Heading(self.say("servers_address")),
            self.field("address", self.say("servers_url"), "pool.example.org"),
            Pick("way", self.say("servers_way"), self.say(f"way_{self._way}")),
            self.field("name", self.say("your_name")),
        ]
        if self._way != "guest":
            ask.append(self.field("password", self.say("password")))
            if self._way == "register":
                ask.append(self.field("again", self.say("password_again")))
            ask.append(Paragraph(self.say("password_note"), "note", small=True))
        ask.append(Press("go", self.say("servers_go"), why_not=why, strong=True))
        known: list[Widget] = []
        for heading, places in self._found:
            if places:
                known.append(Heading(self.say(heading)))
            for place in places:
                way = self.say("way_account" if place.account else "way_guest")
                known.append(Press(f"use:{place.url}", place.url, f"{place.name} · {way}"))
        if any(places for _, places in self._found):
            known.append(Press("forget", self.say("servers_forget")))
        title = self.say("start_watch" if self._watching else "servers_title")
        columns = (tuple(ask), tuple(known)) if known else (tuple(ask),)
        return Page(title, columns, (Press("back", self.say("back_button")),))

    # --- what is done ----------

    def press(self, action: str) -> Move | None:
        """See the base class."""
        if action == "back":
            return Back()
        if action == "forget":
            self._forget()
        elif action.startswith("use:"):
            url = action.removeprefix("use:")
            place = next(p for _, ps in self._found for p in ps if p.url == url)
            self._choose(place)
            self.focus = "go"
        elif action == "go":
            return self._go()
        return None

    def pick(self, action: str, step: int) -> Move | None:
        """See the base class."""
        self._way = str(stepped(WAYS, self._way, step))
        return None

    def _choose(self, place: Place) -> None:
        self.entries["address"] = Entry.of(place.url, LONGEST_ADDRESS)
        if place.name:
            self.entries["name"] = Entry.of(place.name, LONGEST_NAME)
        self._way = "account" if place.account else "guest"

    def _forget(self) -> None:
        try:
            drop_place(self.text("address"))
        except OSError as error:
            self.tell(self.say("settings_unkept", why=error))
        self._look()
        self.entries["address"] = Entry.of("", LONGEST_ADDRESS)

    def _go(self) -> Move | None:
        name = self.text("name")
        if not name:
            self.tell(self.say("need_name", n=LONGEST_NAME))
            self.focus = "name"
            return None
        try:
            url = websocket_url(self.text("address"))
        except argparse.ArgumentTypeError:
            self.tell(self.say("servers_no_address", text=self.text("address")))
            self.focus = "address"
            return None
        password = self.entries["password"].text
        if self._way == "guest":
            return self._to_lobby(url, name, account=False)
        if self._way == "account" and not password and Tokens().get(url, name) is not None:
            return self._to_lobby(url, name, account=True)
        if not password:
            self.tell(self.say("need_password"))
            self.focus = "password"
        elif self._way == "register" and password != self.entries["again"].text:
            self.tell(self.say("passwords_differ"))
            self.focus = "again"
        else:
            self._signing_in = SignIn(url, name, password, self._way == "register")
            self.tell(self.say("signing_in"), "plain")
        return None

    def tick(self, now: float) -> Move | None:
        """See the base class."""
        going = self._signing_in
        if going is None or not going.done:
            return None
        self._signing_in = None
        self.notice = ""
        if going.problem:
            self.tell(reason_text(self.window.language, going.problem))
            return None
        self.entries["password"] = self.entries["again"] = Entry.of("", LONGEST_PASSWORD)
        self._way = "account"
        return self._to_lobby(going.url, going.name, account=True)

    def escape(self) -> Move | None:
        """See the base class; what was being signed in to comes too late then."""
        return Back()

    def _to_lobby(self, url: str, name: str, account: bool) -> Move:
        try:
            keep_place(Place(url, name, account))
        except OSError as error:
            print(f"the server can't be kept: {error}", file=sys.stderr)
        connection = Connection(url, name, account=account)
        return Open(LobbyScreen(self.window, connection, self._watching))
