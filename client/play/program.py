"""``headstring play`` and ``watch``: window, link and table put together, and taken down again."""

import argparse
import dataclasses
import signal
import ssl
import sys
import threading
import time

from direct.showbase.ShowBase import ShowBase

from client.command import BOT_NAME, default_name
from client.data_folder import Tokens
from client.net.session import Garbled, Session
from client.net.thread import NetThread
from client.offline import HouseBot, NotStarted, PrivateServer
from client.play.app import TableApp
from client.play.arrival import Arrival, Plan
from client.play.settings import Settings, load_settings, save_settings
from client.reasons import reason_text
from client.scene.window import NoRenderer, WindowOptions, close_window, open_window
from shared_rules.state import Phase

OFFLINE = "offline"
"""Under this name the tokens of private servers are kept, whose port changes."""

WATCHING = " (watching)"

FAREWELL_S = 0.5
"""So long a client that ends waits for the server to hear that."""
MORE_BOTS = 3
"""So often a house bot that has ended before its match is sent again."""


def play(options: argparse.Namespace, plan: Plan) -> int:
    """Open the window and stay until the player leaves; the exit status."""
    settings = chosen_settings(options)
    try:
        base = open_window(
            WindowOptions(
                size=options.size,
                fullscreen=options.fullscreen,
                samples=0 if settings.quality == "low" else 4,
                sound=False,
            )
        )
    except NoRenderer as error:
        print(f"headstring: {error}", file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    account = getattr(options, "account", None) is not None
    level = getattr(options, "level", 0)
    party = Party(base, settings, plan, options.server, level, account=account, trust=options.ca)
    try:
        party.app.run()
    finally:
        party.close()
        close_window()
    if party.problem:
        problem = reason_text(party.app.settings.language, party.problem)
        print(f"headstring: {problem}", file=sys.stderr)
    return 1 if party.problem else 0


class Party:
    """All that plays together: the table here, the link, and offline a server and a bot.

    Args:
        server: address of a server; None for a private one, which starts while the window is
            already there.
        level: strength of the house bot that comes to a private server.
        time_scale: how fast a private server's clock runs; 1 but in tests.
        account: the name is an account's, which is signed in to already.
        trust: whose certificates count for ``wss://``; those the system trusts if None.
    """

    def __init__(
        self,
        base: ShowBase,
        settings: Settings,
        plan: Plan,
        server: str | None,
        level: int,
        time_scale: float = 1.0,
        account: bool = False,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self._trust = trust
        self._key = server or OFFLINE
        if plan.watching and not account:
            self._key += WATCHING
        self._name, self._level = settings.name, level
        self._tokens = Tokens()
        self._kept: str | None = None
        self._url = server
        self._net: NetThread | None = None
        self._server: PrivateServer | None = None
        self._bot = HouseBot()
        self._bots_left = MORE_BOTS
        self._failure = ""
        self.session = Session(settings.name, self._tokens.get(self._key, settings.name))
        # Who plays and watches at once signs in twice, under two names.
        self.session.account = account
        self.session.renames = plan.watching and not account
        if server is None:
            private = {**plan.open_options, "private": True, "watch": "nobody"}
            plan = dataclasses.replace(plan, opens=True, open_options=private)
        self.arrival = Arrival(self.session, plan, self._seated)
        self.app = TableApp(
            base, self.session, self._pump, settings, keep=True, arrive=self.arrival.step
        )
        if server is None:
            self._server = PrivateServer(time_scale=time_scale)
            self.app.connecting = "banner_starting"
            self.app.offline = True
            threading.Thread(target=self._start_server, daemon=True).start()

    @property
    def problem(self) -> str:
        """Why the evening ended badly; empty if it did not."""
        return self.arrival.problem or (self.session.reason if self.session.phase == "over" else "")

    def close(self) -> None:
        """Take everything down; what the server acknowledged is stored."""
        if self._net is not None:
            if self._server is None:
                self._say_that_we_leave(self._net)
            self._net.close()
        self._bot.stop()
        if self._server is not None:
            self._server.stop()
        self.app.destroy()

    def _say_that_we_leave(self, net: NetThread) -> None:
        """Going on purpose is no lost connection: the others are told which it was."""
        if self.session.phase != "ready":
            return
        asked = self.session.leave()
        until = time.monotonic() + FAREWELL_S
        while asked is not None and self.session.waiting_for(asked) and time.monotonic() < until:
            net.pump(time.monotonic())
            time.sleep(0.01)

    def _start_server(self) -> None:
        assert self._server is not None
        try:
            self._url = self._server.start()
        except (NotStarted, OSError) as error:
            self._failure = str(error)

    def _pump(self, now: float) -> None:
        if self._server is not None and self._url is not None:
            self._look_after_the_programs(self._server)
        if self._failure and self.session.phase != "over":
            self.session.handle(Garbled(self._failure, now))
        if self._net is None:
            if self._url is None:
                return
            self._net = NetThread(self._url, self.session, self._trust)
            self._net.start()
        self._net.pump(now)
        if self.session.token not in (None, self._kept):
            self._kept = self.session.token
            self._keep(self._kept)

    def _look_after_the_programs(self, server: PrivateServer) -> None:
        """A server that has gone ends the evening; a bot that has gone is sent again."""
        if not server.alive:
            self._failure = "the private server has ended; start again, and the match goes on"
            return
        view = self.session.view
        if view is None or view.state is None or view.state.phase is Phase.MATCH_OVER:
            return
        if self._bot.ended and self._bots_left > 0:
            self._bots_left -= 1
            self._seated(view.table, view.invitation)

    def _keep(self, token: str) -> None:
        try:
            self._tokens.keep(self._key, self._name, token)
        except OSError as error:
            print(f"the sign-in can't be kept: {error}", file=sys.stderr)

    def _seated(self, table: str, invitation: str | None) -> None:
        if self._server is not None and self._url is not None:
            self._bot.start(self._url, table, invitation, self._level, BOT_NAME)


def chosen_settings(options: argparse.Namespace) -> Settings:
    """Stored settings with what the command line says, which is kept for the next time."""
    settings = load_settings()
    changes = {}
    for key in ("language", "quality", "ui_scale", "name"):
        value = getattr(options, key, None)
        if value:
            changes[key] = value
    if not settings.name and "name" not in changes:
        changes["name"] = default_name()
    settings = dataclasses.replace(settings, **changes)
    if changes:
        try:
            save_settings(settings)
        except OSError as error:
            print(f"the settings can't be kept: {error}", file=sys.stderr)
    return settings
