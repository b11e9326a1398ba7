"""The way to a server: one of the network, one that was used, or an address; and as whom to go."""

import argparse
import ssl
import sys

from client.address import websocket_url
from client.data_folder import Tokens
from client.hud.entry import Entry
from client.hud.page import Heading, Page, Paragraph, Pick, Press, Widget
from client.net.connection import Connection
from client.net.lan import Found, LanSearch
from client.play.settings import LONGEST_NAME
from client.reasons import reason_text
from client.screens.account import SignIn
from client.screens.activity import Back, Move, Open
from client.screens.lobby import LobbyScreen
from client.screens.page_screen import PageScreen, stepped
from client.screens.places import Place, Source, drop_place, keep_place, used_places
from client.screens.window import Window
from client.trust import authority
from shared_rules.messages import PROTOCOL
from shared_rules.pins import LENGTH as PIN_LENGTH
from shared_rules.pins import is_pin

WAYS = ("guest", "pin", "account", "register")
LONGEST_ADDRESS = 200
LONGEST_PASSWORD = 256
LONGEST_PATH = 1000
SECURE = "wss://"


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
        self._search: LanSearch | None = None
        self._written = False  # somebody types an address
        self._way = "guest"
        self._signing_in: SignIn | None = None
        self.secrets = {"pin", "password", "again"}
        self.entries = {
            "address": Entry.of("", LONGEST_ADDRESS),
            "name": Entry.of(window.preferences.now.name, LONGEST_NAME),
            "ca": Entry.of("", LONGEST_PATH),
            "pin": Entry.of("", PIN_LENGTH),
            "password": Entry.of("", LONGEST_PASSWORD),
            "again": Entry.of("", LONGEST_PASSWORD),
        }

    def enter(self, notice: str = "") -> None:
        """See the base class."""
        self._search = LanSearch().start()
        self._look()
        places = [place for _, places in self._found for place in places]
        if places and not self.entries["address"].text:
            self._choose(places[0])
        super().enter(notice)

    def leave(self) -> None:
        """See the base class; the network is searched while somebody looks."""
        if self._search is not None:
            self._search.close()
            self._search = None
        super().leave()

    def _look(self) -> None:
        self._found = [(heading, tuple(source())) for heading, source in self._sources]

    def page(self) -> Page:
        """See the base class."""
        known = self._on_the_network()
        for heading, places in self._found:
            if places:
                known.append(Heading(self.say(heading)))
            for place in places:
                way = self.say(f"way_{_way_of(place)}")
                known.append(Press(f"use:{place.url}", place.url, f"{place.name} · {way}"))
        if any(places for _, places in self._found):
            known.append(Press("forget", self.say("servers_forget")))
        title = self.say("start_watch" if self._watching else "servers_title")
        columns = (tuple(known), tuple(self._ask()))
        return Page(title, columns, (Press("back", self.say("back_button")),))

    def _ask(self) -> list[Widget]:
        """Where to go, and as whom."""
        why = self.say("signing_in") if self._signing_in is not None else ""
        ask: list[Widget] = [
            Heading(self.say("servers_address")),
            self.field("address", self.say("servers_url"), "pool.example.org"),
        ]
        if self.text("address").startswith(SECURE):
            ask.append(self.field("ca", self.say("servers_ca"), self.say("servers_ca_hint")))
        ask += [
            Pick("way", self.say("servers_way"), self.say(f"way_{self._way}")),
            self.field("name", self.say("your_name")),
        ]
        if self._way == "pin":
            ask.append(self.field("pin", self.say("pin")))
            ask.append(Paragraph(self.say("pin_note"), "note", small=True))
        elif self._way != "guest":
            ask.append(self.field("password", self.say("password")))
            if self._way == "register":
                ask.append(self.field("again", self.say("password_again")))
            ask.append(Paragraph(self.say("password_note"), "note", small=True))
        ask.append(Press("go", self.say("servers_go"), why_not=why, strong=True))
        return ask

    def _on_the_network(self) -> list[Widget]:
        """Servers that announce themselves, as they are there now."""
        widgets: list[Widget] = [Heading(self.say("servers_lan"))]
        for one in self._there:
            widgets.append(
                Press(
                    f"lan:{one.service}", one.said.name, self._about(one), self._why_not(one),
                    on=one.url == self.text("address"), bold=True,
                )
            )  # fmt: skip
        if not self._there:
            problem = self._search.problem if self._search is not None else ""
            text = reason_text(self.window.language, problem) or self.say("servers_lan_none")
            widgets.append(Paragraph(text[:1].upper() + text[1:], "note", small=True))
        return widgets

    @property
    def _there(self) -> tuple[Found, ...]:
        return self._search.found if self._search is not None else ()

    def _about(self, one: Found) -> str:
        who = "lan_members" if one.said.guests == "no" else "lan_guests"
        parts = [one.said.machine, f"{one.host}:{one.port}", self.say(who)]
        if not one.answers:
            parts.append(self.say("lan_silent"))
        return " · ".join(filter(None, parts))

    def _why_not(self, one: Found) -> str:
        if one.fits:
            return ""
        newer = one.said.protocol > PROTOCOL
        why = self.say("lan_newer" if newer else "lan_older", version=one.said.version)
        return f"{why} ({one.host}:{one.port})"

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
        elif action.startswith("lan:"):
            service = action.removeprefix("lan:")
            there = [one for one in self._there if one.service == service]
            if there:  # it may have gone in this very frame
                self._choose_found(there[0])
                self.focus = "go"
        elif action == "go":
            return self._go()
        return None

    def written(self, action: str) -> None:
        """See the base class."""
        self._written |= action == "address"

    def pick(self, action: str, step: int) -> Move | None:
        """See the base class."""
        self._way = str(stepped(WAYS, self._way, step))
        return None

    def _choose(self, place: Place) -> None:
        self.entries["address"] = Entry.of(place.url, LONGEST_ADDRESS)
        if place.name:
            self.entries["name"] = Entry.of(place.name, LONGEST_NAME)
        self.entries["ca"] = Entry.of(place.ca, LONGEST_PATH)
        self._way = _way_of(place)

    def _choose_found(self, one: Found) -> None:
        """Its address; as whom one was there last, else as its club lets people in."""
        used = [p for _, places in self._found for p in places if p.url == one.url]
        if used:
            self._choose(used[0])
            return
        self.entries["address"] = Entry.of(one.url, LONGEST_ADDRESS)
        members = "pin" if one.said.pins else "account"
        if self._way == "guest" and one.said.guests == "no":
            self._way = members

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
        try:
            trust = self._trust(url)
        except argparse.ArgumentTypeError as error:
            self.tell(reason_text(self.window.language, str(error)))
            self.focus = "ca"
            return None
        password = self.entries["password"].text
        if self._way == "guest":
            return self._to_lobby(Connection(url, name, trust=trust))
        if self._way == "pin":
            return self._go_by_pin(url, name, trust)
        if self._way == "account" and not password and Tokens().get(url, name) is not None:
            return self._to_lobby(Connection(url, name, account=True, trust=trust))
        if not password:
            self.tell(self.say("need_password"))
            self.focus = "password"
        elif self._way == "register" and password != self.entries["again"].text:
            self.tell(self.say("passwords_differ"))
            self.focus = "again"
        else:
            self._sign_in(SignIn(url, name, password, self._way == "register", trust))
        return None

    def _go_by_pin(self, url: str, name: str, trust: ssl.SSLContext | None) -> None:
        if not is_pin(self.text("pin")):
            self.tell(self.say("need_pin", n=PIN_LENGTH))
            self.focus = "pin"
        else:
            # Others sign in at this computer too: next time the PIN is asked for again.
            self._sign_in(SignIn(url, name, self.text("pin"), False, trust, keep=False))

    def _sign_in(self, going: SignIn) -> None:
        self._signing_in = going
        self.tell(self.say("signing_in"), "plain")

    def _trust(self, url: str) -> ssl.SSLContext | None:
        """Trust in the certificate that was named, for an address that has TLS."""
        file = self.text("ca")
        return authority(file) if file and url.startswith(SECURE) else None

    def tick(self, now: float) -> Move | None:
        """See the base class."""
        fitting = [one for one in self._there if one.fits]
        if len(fitting) == 1 and not self.entries["address"].text and not self._written:
            self._choose_found(fitting[0])
            self.focus = "go"
        going = self._signing_in
        if going is None or not going.done:
            return None
        self._signing_in = None
        self.notice = ""
        if going.problem:
            self.tell(reason_text(self.window.language, going.problem))
            return None
        self.entries["password"] = self.entries["again"] = Entry.of("", LONGEST_PASSWORD)
        self.entries["pin"] = Entry.of("", PIN_LENGTH)
        if self._way == "register":
            self._way = "account"
        token = None if going.keeps else going.token
        return self._to_lobby(
            Connection(going.url, going.name, account=True, trust=going.trust, token=token)
        )

    def escape(self) -> Move | None:
        """See the base class; what was being signed in to comes too late then."""
        return Back()

    def _to_lobby(self, connection: Connection) -> Move:
        pin, account = self._way == "pin", connection.session.account
        url = connection.url or ""
        ca = self.text("ca") if url.startswith(SECURE) else ""
        try:
            keep_place(Place(url, self.text("name"), account, pin, ca))
        except OSError as error:
            print(f"the server can't be kept: {error}", file=sys.stderr)
        return Open(LobbyScreen(self.window, connection, self._watching))


def _way_of(place: Place) -> str:
    """As whom one was there."""
    if not place.account:
        return "guest"
    return "pin" if place.pin else "account"
