"""The lobby of a server: tables, people, challenges and talk; the way to a table and back."""

from client.hud.entry import Entry
from client.hud.news import news_line
from client.hud.page import Page
from client.net.connection import Connection
from client.net.lobby_visit import Done, LobbyVisit, NotDone, Told
from client.play.arrival import Plan
from client.play.party import Party
from client.reasons import reason_text
from client.screens import lobby_page
from client.screens.activity import Back, Move, Open, Replace
from client.screens.club import ClubScreen
from client.screens.lobby_page import FILTERS, Chosen
from client.screens.page_screen import PageScreen, stepped
from client.screens.settings import SettingsScreen
from client.screens.terms import TermsScreen
from client.screens.window import Window
from shared_rules import messages as m
from shared_rules.messages.chat import MAX_LINE
from shared_rules.wording import refusal_text

LEFT_AT_MOST = 32


class LobbyScreen(PageScreen):
    """See the module.  It owns the connection, which tables use as well."""

    def __init__(self, window: Window, connection: Connection, watching: bool = False) -> None:
        super().__init__(window)
        self.connection = connection
        self.session = connection.session
        self.visit = LobbyVisit(self.session)
        self.chosen = Chosen(filter="watch" if watching else "all")
        self.entries = {"line": Entry.of("", MAX_LINE), "code": Entry.of("", LEFT_AT_MOST)}
        self.entries |= {name: Entry.of("", LEFT_AT_MOST) for name in ("table", "table_code")}
        self._went = False
        self._listed = False

    # --- what is seen ----------

    def page(self) -> Page:
        """See the base class."""
        return lobby_page.describe(
            self.visit,
            self.chosen,
            self.window.language,
            line=self.field("line", self.say("lobby_say")),
            code=self.field("code", self.say("lobby_code")),
            elsewhere=(
                self.field("table", self.say("lobby_table")),
                self.field("table_code", self.say("lobby_code")),
            ),
            here=self.connection.url or "",
        )

    # --- a frame ----------

    def tick(self, now: float) -> Move | None:
        """See the base class."""
        self.connection.pump(now)
        if self.session.phase == "over":
            return Back(reason_text(self.window.language, self.session.reason))
        for told in self.visit.step():
            move = self._hear(told)
            if move is not None:
                return move
        if self.visit.inside and not self._listed:
            self._listed = True
            self.focus = "open"
            self.visit.ask(m.ListRelations)
        return None

    def _hear(self, told: Told) -> Move | None:
        language = self.window.language
        match told:
            case NotDone(code=code, message=message):
                self.tell(refusal_text(code, language, message))
            case Done(what=what) if what:
                self.tell(what, "good")
            case m.Challenged(challenge=challenge):
                self.tell(self.say("lobby_challenged", name=challenge.by), "note")
            case m.ChallengeOver(outcome=outcome, reason=reason):
                text = self.say(f"challenge_{outcome}")
                self.tell(f"{text} ({reason})" if reason else text, "note")
            case m.QueueLeft(reason=reason):
                self.tell(self.say("lobby_queue_left", why=reason_text(language, reason)), "note")
            case m.MatchCalled() | m.MatchCallOver():
                line = news_line(language, told)
                if line is not None:
                    self.tell(*line)
            case m.FriendSeated(name=name):
                self.tell(self.say("lobby_friend", name=name), "note")
            case m.MatchFound() if self._is_here(told):
                return self._to_table(Plan(table=told.table, invitation=told.invitation))
        return None

    def _is_here(self, found: m.MatchFound) -> bool:
        """Whether a match that was found is not one that was left meanwhile."""
        view = self.session.view
        return view is not None and view.table == found.table

    # --- what is done ----------

    def press(self, action: str) -> Move | None:
        """See the base class."""
        kind, _, what = action.partition(":")
        if kind in ("table", "person"):
            self.chosen = self.chosen.toggled(kind, what)
        elif kind in ("sit", "watch"):
            code = self.text("code") or None
            return self._to_table(Plan(table=what, invitation=code, watching=kind == "watch"))
        elif kind in ("go_sit", "go_watch", "go_judge"):
            table, code = self.text("table").upper(), self.text("table_code") or None
            judges = kind == "go_judge"
            watching = judges or kind == "go_watch"
            return self._to_table(Plan(table, code, watching=watching, refereeing=judges))
        elif kind in ("accept", "decline"):
            self.visit.answer(what, kind == "accept")
        elif kind == "withdraw":
            self.visit.withdraw(what)
        elif kind in ("follow", "mute", "block"):
            self._relate(kind, what)
        else:
            return self._press_plain(kind, what)
        return None

    def _press_plain(self, kind: str, what: str) -> Move | None:
        account = self.session.account
        if kind == "back":
            return Back()
        if kind == "settings":
            return Open(SettingsScreen(self.window))
        if kind == "club":
            return Open(ClubScreen(self))
        if kind == "say":
            self._say()
        elif kind == "cancel":
            self.visit.leave_queue()
        elif kind == "open":
            title = self.say("lobby_open")
            return Open(TermsScreen(self.window, title, self._open, True, account))
        elif kind == "quick":
            title = self.say("lobby_quick")
            return Open(TermsScreen(self.window, title, self._quick, False, account))
        elif kind in ("challenge", "challenge_all"):
            return Open(self._challenge_terms(what or None))
        return None

    def _challenge_terms(self, who: str | None) -> TermsScreen:
        title = self.say("lobby_challenge_to", name=who) if who else self.say("lobby_challenge_all")

        def agree(terms: dict) -> Move:
            self.visit.challenge(who, m.TableTerms(**terms), self.say("lobby_challenge_made"))
            return Back()

        return TermsScreen(self.window, title, agree, False, self.session.account)

    def _open(self, terms: dict) -> Move:
        return Replace(self._table(Plan(opens=True, anew=True, open_options=terms)))

    def _quick(self, terms: dict) -> Move:
        self.visit.quick(m.TableTerms(**terms))
        return Back()

    def _relate(self, kind: str, who: str) -> None:
        relations = self.visit.relations
        on = relations is None or who not in getattr(relations, kind)
        self.visit.relate(who, kind, on)  # type: ignore[arg-type]
        self.visit.ask(m.ListRelations)

    def pick(self, action: str, step: int) -> Move | None:
        """See the base class."""
        self.chosen = self.chosen.filtered(str(stepped(FILTERS, self.chosen.filter, step)))
        return None

    def submit(self, action: str) -> Move | None:
        """Enter says what is written."""
        if action == "line":
            self._say()
        return None

    def _say(self) -> None:
        self.visit.say(self.text("line"))
        self.entries["line"] = Entry.of("", MAX_LINE)

    def _to_table(self, plan: Plan) -> Move:
        return Open(self._table(plan))

    def _table(self, plan: Plan) -> Party:
        window = self.window
        return Party(
            window.base, window.preferences, plan, None, 0,
            connection=self.connection, inputs=window.inputs, mixer=window.mixer,
        )  # fmt: skip

    def close(self) -> None:
        """The connection ends with the lobby."""
        self.connection.close()
