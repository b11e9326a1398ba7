"""An official's console: a competition from its entries to the last correction, without a command.

It stands over the club's page, whose lobby's connection it uses.  What the server refuses is told;
what can't be undone, or costs somebody a match, wants a second press.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from client.data_folder import data_folder
from client.hud.entry import Entry
from client.hud.page import Field, Heading, Page, Paragraph, Press, Widget
from client.league_sheet import act_of, sheet
from client.screens import console_page as shows
from client.screens.activity import Back, Move
from client.screens.club_asking import ClubAsking
from client.screens.page_screen import stepped
from client.screens.rules import CARDS
from shared_rules import messages as m
from shared_rules.messages.oversight import AdjournTable

if TYPE_CHECKING:
    from client.screens.lobby import LobbyScreen

FIELDS = {
    "name": ("console_name", 80), "who": ("console_who", 2000),
    "tables": ("console_stations", 400), "station": ("console_station", 64),
    "score_0": ("console_score", 3), "score_1": ("console_score", 3), "board": ("console_board", 2),
    "reason": ("console_reason", 200),
}  # fmt: skip
TWICE = ("draw", "withdraw", "walk_over", "forfeit", "short")


class ConsoleScreen(ClubAsking):
    """See the module."""

    every_s = 2.0
    log = True

    def __init__(self, lobby: "LobbyScreen", competition: str) -> None:
        super().__init__(lobby, competition)
        self.entries = {name: Entry.of("", most) for name, (_, most) in FIELDS.items()}
        self.competitions: tuple[m.CompetitionSummary, ...] = ()
        self.shown: m.CompetitionShown | None = None
        self.chosen = shows.Chosen()
        self.plan = shows.Plan()
        self._previews: dict[int, dict[str, Any]] = {}

    # --- what is seen ----------

    def page(self) -> Page:
        """See the base class."""
        fields = {name: self._field(name) for name in FIELDS}
        listed: list[Widget] = [
            Press(f"competition:{one.competition}", one.name, self.say(f"format_{one.format}"),
                  on=one.competition == self._competition)
            for one in self.competitions
        ]  # fmt: skip
        if listed:
            listed.insert(0, Heading(self.say("club_title")))
        columns: tuple[tuple[Widget, ...], ...] = (
            (*listed, *shows.making(self.plan, fields["name"], self.window.language)),
        )
        if self.shown is not None:
            view = shows.View(self.shown, self.chosen, self.window.language)
            about = [*shows.chosen_match(view, fields), *shows.chosen_entrant(view)]
            if not about and not self.chosen.line:
                about = [Paragraph(self.say("console_choose"), "note")]
            columns = (
                (*shows.entries(view, fields["who"], fields["tables"]), *columns[0]),
                tuple(shows.floor(view)),
                (*about, *shows.log(view, fields)),
            )
        title = self.say("console_title")
        if self.shown is not None:
            title = f"{title}: {self.shown.settings['name']}"
        return Page(title, columns, (Press("back", self.say("back_button")),))

    def _field(self, name: str) -> Field:
        key, _ = FIELDS[name]
        hint = self.say("console_who_hint") if name == "who" else ""
        return self.field(name, self.say(key, name="") if "score" in key else self.say(key), hint)

    # --- a frame ----------

    def tick(self, now: float) -> Move | None:
        """See the base class."""
        move = super().tick(now)
        found = self.session.looked_up
        for request in self._previews.keys() & found.keys():
            answer, change = found.pop(request), self._previews.pop(request)
            if isinstance(answer, m.CorrectionFollows):
                self.chosen = replace(self.chosen, preview=answer, change=change)
        return move

    def heard(self, answer: object) -> None:
        """See the base class."""
        if isinstance(answer, m.Competitions):
            if len(answer.competitions) > len(self.competitions) and self._makes(answer):
                self.shown = None
            self.competitions = answer.competitions
            self.choose_first(answer.competitions, ("entries", "drawn"))
        elif isinstance(answer, m.CompetitionShown) and answer.competition == self._competition:
            self.shown = answer

    def _makes(self, answer: m.Competitions) -> bool:
        """Whether the newest is the one that was just opened here: then it is looked at."""
        name = self.text("name")
        if not name or answer.competitions[0].name != name:
            return False
        self.chosen = shows.Chosen()
        self.entries["name"] = Entry.of("", FIELDS["name"][1])
        self.choose(answer.competitions[0].competition)
        return True

    # --- what is done ----------

    def pick(self, action: str, step: int) -> Move | None:
        """See the base class."""
        values: tuple = {
            "format": shows.FORMATS, "race": shows.RACES, "ruleset": tuple(CARDS),
            "seeding": shows.SEEDINGS, "rounds": shows.ROUNDS,
        }[action]  # fmt: skip
        change: dict[str, Any] = {action: stepped(values, getattr(self.plan, action), step)}
        self.plan = replace(self.plan, **change)
        return None

    def submit(self, action: str) -> Move | None:
        """Enter in a line does what stands below it."""
        below = {"name": "create", "who": "enter", "tables": "stations", "station": "call"}
        if action in below:
            widget = self.page().find(below[action])
            return self._press(widget) if isinstance(widget, Press) else None
        return None

    def press(self, action: str) -> Move | None:
        """See the base class."""
        kind, _, what = action.partition(":")
        if kind == "back":
            return Back()
        sure, self.chosen = self.chosen.sure, replace(self.chosen, sure="")
        if kind in TWICE and sure != action:
            widget = self.page().find(action)
            label = widget.label if widget is not None else action
            self.chosen = replace(self.chosen, sure=action)
            self.tell(self.say("console_sure", what=label), "note")
        elif kind in ("competition", "match", "entrant", "line"):
            self._choose(kind, what)
        elif kind == "create":
            self._create()
        elif self.shown is not None:
            self._act(self.shown, kind, what)
        return None

    def _choose(self, kind: str, what: str) -> None:
        if kind == "competition":
            self.shown, self.chosen = None, shows.Chosen()
            self.choose(what)
            return
        seen: dict[str, Any] = {kind: int(what) if kind == "line" else what}
        self.chosen = shows.Chosen(**seen)
        for name in ("score_0", "score_1", "reason"):
            self.entries[name] = Entry.of("", FIELDS[name][1])

    def _create(self) -> None:
        plan = self.plan
        form: dict[str, Any] = {"format": plan.format}
        form |= {"rounds": plan.rounds} if plan.format == "swiss" else {}
        settings = {
            "name": self.text("name"), "format": form, "race_to": plan.race,
            "seeding": plan.seeding, "ruleset": msgspec.to_builtins(CARDS[plan.ruleset]),
        }  # fmt: skip
        self._lobby.visit.ask(m.OpenCompetition, self.say("console_created"), settings=settings)

    def _act(self, shown: m.CompetitionShown, kind: str, what: str) -> None:
        match = next((f for f in shown.fixtures if f["id"] == self.chosen.match), None)
        if kind == "enter":
            self._enter_people()
        elif kind == "stations":
            stations = self.text("tables").replace(",", " ").split()
            self._say("stations_set", "console_stations_done", stations=stations)
        elif kind == "draw":
            self._lobby.visit.ask(
                m.DrawCompetition, self.say("console_drawn"), competition=self._competition
            )
        elif kind in ("pause", "resume"):
            self._say(f"{kind}d", f"console_{kind}d")
        elif kind == "withdraw":
            name = next((one["name"] for one in shown.entrants if one["id"] == what), what)
            self._say("withdrawn", "console_withdrawn", {"name": name}, entrant=what)
        elif kind == "sheet":
            self._save(shown)
        elif kind in ("correct", "take_back", "apply"):
            self._correct(shown, kind)
        elif match is not None:
            self._about(match, kind, what)

    def _about(self, match: dict[str, Any], kind: str, what: str) -> None:
        """Something is done about the match that is chosen."""
        name, sides, reason = match["id"], match["sides"], self.text("reason")
        pair = {"match": name, "sides": sides}
        score = [int(self.text(f"score_{n}") or 0) for n in (0, 1)]
        match kind:
            case "hold" | "release":
                done = "console_held" if kind == "hold" else "console_resumed"
                self._say("held", done, match=name, held=kind == "hold")
            case "call":
                self._say("called", "console_called", station=self.text("station"), **pair)
            case "call_off":
                self._say("called_off", "console_off", match=name)
            case "arrived":
                self._say("arrived", "console_is_there", match=name, entrant=what)
            case "adjourn":
                self._adjourn(name, reason)
            case "result" | "short":
                self._say(
                    "result", "console_entered_result", score=score, short=kind == "short", **pair
                )
            case "board_result":
                board = int(self.text("board") or 0)
                self._say(
                    "board_result", "console_entered_result", board=board, score=score, **pair
                )
            case "walk_over" | "forfeit":
                who = {"winner" if kind == "walk_over" else "loser": what}
                self._say(kind, "console_entered_result", reason=reason, **who, **pair)

    def _adjourn(self, match: str, reason: str) -> None:
        assert self.shown is not None
        table = next((c["table"] for c in self.shown.calls if c["match"] == match), None)
        if table is not None:
            self._lobby.visit.ask(
                m.Oversee, self.say("console_adjourned"), act=AdjournTable(table=table),
                reason=reason or self.say("console_adjourned"),
            )  # fmt: skip

    def _enter_people(self) -> None:
        for name in self.text("who").split(","):
            if who := name.strip():
                self._say(
                    "entered", "console_entered", {"name": who}, entrant={"id": who, "name": who}
                )
        self.entries["who"] = Entry.of("", FIELDS["who"][1])

    def _correct(self, shown: m.CompetitionShown, kind: str) -> None:
        if kind == "apply":
            self._say("corrected", "console_applied", **self.chosen.change)
            self.chosen = shows.Chosen()
            return
        old = act_of(shown, self.chosen.line)
        if old is None:
            return
        new = None
        if kind == "correct":
            score = [int(self.text(f"score_{n}") or 0) for n in (0, 1)]
            pair = {"match": old["match"], "sides": old["sides"]}
            new = {"act": "result", "score": score, **pair}
        change = {
            "entry": self.chosen.line, "old": old, "new": new, "reason": self.text("reason"),
        }  # fmt: skip
        request = self._lobby.visit.ask(
            m.EnterAct, "", competition=self._competition, preview=True,
            act={"act": "corrected", **change},
        )  # fmt: skip
        self._previews[request] = change

    def _save(self, shown: m.CompetitionShown) -> None:
        path = data_folder() / f"{self._competition}.html"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(sheet(shown), encoding="utf-8")
        except OSError as error:
            self.tell(self.say("console_not_saved", why=error.strerror or error))
        else:
            self.tell(self.say("console_saved", path=path), "good")

    def _say(self, kind: str, done: str, words: dict[str, Any] | None = None, **act: Any) -> None:
        """Enter an act; ``done``: what is told once it is taken."""
        self._lobby.visit.ask(
            m.EnterAct, self.say(done, **(words or {})), competition=self._competition,
            act={"act": kind, **act},
        )  # fmt: skip
