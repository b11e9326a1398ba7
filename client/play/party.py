"""All that plays together at a table: the table here, the link, offline a server and a bot."""

import dataclasses
import ssl
import threading

from direct.showbase.ShowBase import ShowBase

from client.command import BOT_NAME
from client.net.connection import Connection
from client.offline import Company, NotStarted
from client.play.app import TableApp
from client.play.arrival import Arrival, Plan
from client.play.input import Input
from client.play.settings import Preferences, Settings
from client.reasons import reason_text
from client.screens.activity import Back, Move, Open
from client.screens.officiate import OfficiateScreen
from client.screens.pace import Pace
from client.screens.rules import RulesScreen
from client.screens.settings import SettingsScreen
from client.screens.talk import TalkScreen
from client.screens.window import Window
from client.screens.writing import WritingScreen
from client.sound.mixer import Mixer
from shared_rules.commands import RequestRuling
from shared_rules.state import Phase

OFFLINE = "offline"
"""Under this name the tokens of private servers are kept, whose port changes."""
WATCHING = " (watching)"
MORE_BOTS = 3
"""So often a house bot that has ended before its match is sent again."""


class Party:
    """An activity: a table, and what belongs to it.

    Args:
        server: address of a server; None for a private one, which starts while the window is
            already there.
        level: strength of the house bot that comes to a private server.
        time_scale: how fast a private server's clock runs; 1 but in tests.
        account: the name is an account's, which is signed in to already.
        trust: whose certificates count for ``wss://``; those the system trusts if None.
        connection: one that is there already and stays when the table is left.
        inputs: keys and mouse of the window.
        mixer: what plays the sounds; None for silence.
        company: a private server and a house bot that get ready already; ours from now on.
    """

    def __init__(
        self,
        base: ShowBase,
        settings: Settings | Preferences,
        plan: Plan,
        server: str | None,
        level: int,
        time_scale: float = 1.0,
        account: bool = False,
        trust: ssl.SSLContext | None = None,
        connection: Connection | None = None,
        inputs: Input | None = None,
        mixer: Mixer | None = None,
        company: Company | None = None,
    ) -> None:
        if not isinstance(settings, Preferences):
            settings = Preferences(settings)
        self._window = Window(base, settings, inputs or Input())
        self._level = level
        self._owns = connection is None
        self._company: Company | None = None
        self._bots_left = MORE_BOTS
        if connection is None:
            key = server or OFFLINE
            stranger = plan.watching and not account
            if stranger:
                key += WATCHING
            connection = Connection(server, settings.now.name, key, account, trust)
            # Who plays and watches at once signs in twice, under two names.
            connection.session.renames = stranger
            if server is None:
                self._company = company or Company(time_scale)
                private = {**plan.open_options, "private": True, "watch": "nobody"}
                plan = dataclasses.replace(plan, opens=True, open_options=private)
        self.connection = connection
        self.session = connection.session
        self.arrival = Arrival(self.session, plan, self._seated, self._owns)
        self.app = TableApp(
            base, self.session, self._pump, settings, arrive=self.arrival.step,
            inputs=self._window.inputs, mixer=mixer, await_shot=connection.await_shot,
        )  # fmt: skip
        self._window.strip = self.app.in_a_line
        if self._company is not None:
            self.app.connecting = "banner_starting"
            self.app.offline = True
            self._company.prepare()
            threading.Thread(target=self._start_server, daemon=True).start()

    @property
    def problem(self) -> str:
        """Why the evening ended badly; empty if it did not."""
        return self.arrival.problem or (self.session.reason if self.session.phase == "over" else "")

    @property
    def pace(self) -> Pace:
        """How much there is to see: nothing yet, a table at rest, or a stroke and balls that roll.

        A stroke counts from the moment that it is let go, so that its first motion is not kept
        waiting by a calm table's frame.
        """
        view = self.session.view
        if view is None or view.state is None or view.state.phase is Phase.WAITING_FOR_PLAYERS:
            return "waiting"
        stage = self.app.stage
        struck = self.app.hand.struck_at is not None
        moving = struck or stage.shown.shot is not None or stage.again is not None
        return "full" if moving else "calm"

    # --- as an activity ----------

    def enter(self, notice: str = "") -> None:
        """The table comes to the window."""
        self.app.show()

    def step(self, now: float, dt: float) -> Move | None:
        """A frame at the table."""
        self.app.step()
        refused = not self._owns and bool(self.arrival.problem)
        if self.app.finished or refused:
            return Back(reason_text(self.app.settings.language, self.problem))
        return self._opened()

    def _opened(self) -> Move | None:
        """The screen over the table that was asked for."""
        asked, self.app.asked_for = self.app.asked_for, ""
        if asked == "settings":
            return Open(SettingsScreen(self._window))
        if asked == "rules":
            view = self.session.view
            state = view.state if view is not None else None
            rules = state.description.ruleset if state is not None else None
            return Open(RulesScreen(self._window, rules))
        if asked == "talk":
            return Open(TalkScreen(self._window, self.session))
        if asked == "officiate":
            return Open(OfficiateScreen(self._window, self.session))
        if asked == "ruling":
            return Open(WritingScreen(self._window, "ruling", self._ask_for_a_ruling))
        return None

    def rest(self, now: float) -> None:
        """The match goes on unseen."""
        self.app.pump(now)

    def leave(self) -> None:
        """The table goes from the window."""
        self.app.hide()

    def close(self) -> None:
        """Take everything down; what the server acknowledged is stored."""
        if self._owns:
            self.connection.close(farewell=self._company is None)
        elif self.session.view is not None:
            self.session.leave()
        if self._company is not None:
            self._company.stop()
        self.app.destroy()

    # --- inside ----------

    def _ask_for_a_ruling(self, reason: str) -> None:
        why = self.app.actions.permits().why_not(RequestRuling)
        if why:
            self.app.hand.tell(why, self._window.clock(), "bad")
        else:
            self.session.play(RequestRuling(reason=reason))

    def _start_server(self) -> None:
        assert self._company is not None
        try:
            self.connection.url = self._company.server.start()
        except (NotStarted, OSError) as error:
            self.connection.failure = str(error)

    def _pump(self, now: float) -> None:
        if self._company is not None and self.connection.url is not None:
            self._look_after_the_programs(self._company)
        self.connection.pump(now)

    def _look_after_the_programs(self, company: Company) -> None:
        """A server that has gone ends the evening; a bot that has gone is sent again."""
        if not company.server.alive:
            self.connection.failure = (
                "the private server has ended; start again, and the match goes on"
            )
            return
        view = self.session.view
        if view is None or view.state is None or view.state.phase is Phase.MATCH_OVER:
            return
        if company.bot.ended and self._bots_left > 0:
            self._bots_left -= 1
            self._seated(view.table, view.invitation)

    def _seated(self, table: str, invitation: str | None) -> None:
        if self._company is not None and self.connection.url is not None:
            self._company.bot.start(self.connection.url, table, invitation, self._level, BOT_NAME)
