"""The start screen: a game with one key press, and the way to everything else."""

from client.data_folder import take_set_aside
from client.hud.entry import Entry
from client.hud.page import Heading, Page, Paragraph, Pick, Press, Widget
from client.offline import Company
from client.options import default_name
from client.play.arrival import Plan
from client.play.party import Party
from client.play.settings import FILE as SETTINGS_FILE
from client.play.settings import LANGUAGES, LONGEST_NAME
from client.practice.lessons import LESSONS
from client.practice.store import Kept
from client.screens.activity import Move, Open, Quit
from client.screens.page_screen import PageScreen, stepped
from client.screens.practice import PracticeScreen
from client.screens.practice_table import PracticeTable
from client.screens.replays import ReplaysScreen
from client.screens.rules import CARDS, RulesScreen
from client.screens.servers import ServersScreen
from client.screens.settings import SettingsScreen
from client.screens.window import Window

RACES = (1, 2, 3, 5, 7, 9, 11)
POINTS = (15, 25, 50, 75, 100, 125, 150)
LEVELS = (1, 2, 3, 4, 5)


class StartScreen(PageScreen):
    """See the module.  Whoever starts for the first time says language and name here as well."""

    def __init__(self, window: Window, time_scale: float = 1.0, company: bool = False) -> None:
        """``time_scale``: of private servers; 1 but in tests.

        ``company``: the private server and the house bot get ready while the screen is there.
        """
        super().__init__(window)
        self._time_scale = time_scale
        self._prepares = company
        self._company: Company | None = None
        self._seen = False
        self._first = not window.preferences.now.name
        self.entries["name"] = Entry.of("", LONGEST_NAME)
        self.focus = "play"

    def page(self) -> Page:
        """See the base class."""
        settings = self.window.preferences.now
        straight = self._straight
        length = (
            self.say("points_to", n=settings.points)
            if straight
            else self.say("race_to", n=settings.race)
        )
        level = self.say(f"level_{settings.level}")
        note = f"{self.say(f'game_{settings.ruleset}')} · {length} · {level}"
        bot: tuple[Widget, ...] = (
            Heading(self.say("start_bot")),
            Press("play", self.say("start_play"), note, strong=True),
            Pick("ruleset", self.say("start_game"), self.say(f"game_{settings.ruleset}")),
            Pick("points", self.say("start_points"), str(settings.points))
            if straight
            else Pick("race", self.say("start_race"), str(settings.race)),
            Pick("level", self.say("start_level"), level),
        )
        rest: list[Widget] = []
        if self._first:
            rest += [
                Heading(self.say("start_welcome")),
                Pick(
                    "language",
                    self.say("set_language"),
                    self.say(f"language_{settings.language}"),
                ),
                self.field("name", self.say("your_name"), hint=default_name()),
                Press("lessons", self.say("start_lessons"), self.say("start_lessons_note")),
            ]
        rest += [
            Press("servers", self.say("start_servers"), self.say("start_servers_note")),
            Press("watch", self.say("start_watch"), self.say("start_watch_note")),
            Press("practice", self.say("start_practice"), self.say("start_practice_note")),
            Press("replays", self.say("start_replays"), self.say("start_replays_note")),
            Press("settings", self.say("start_settings")),
            Press("rules", self.say("start_rules")),
            Press("quit", self.say("start_quit")),
            Paragraph(self.say("start_keys"), "note", small=True),
        ]
        return Page(self.say("start_title"), (bot, tuple(rest)), rack=True)

    @property
    def _straight(self) -> bool:
        return CARDS[self.window.preferences.now.ruleset].discipline == "straight_pool"

    def press(self, action: str) -> Move | None:
        """See the base class."""
        if action == "quit":
            return Quit()
        if action == "settings":
            return Open(SettingsScreen(self.window))
        if action == "rules":
            return Open(RulesScreen(self.window))
        self._take_name()
        if action == "replays":
            return Open(ReplaysScreen(self.window))
        if action == "play":
            return Open(self._game())
        if action == "practice":
            return Open(PracticeScreen(self.window))
        if action == "lessons":
            return Open(PracticeTable(self.window, Kept(), LESSONS))
        return Open(ServersScreen(self.window, watching=action == "watch"))

    def pick(self, action: str, step: int) -> Move | None:
        """See the base class."""
        settings = self.window.preferences.now
        values = {
            "ruleset": tuple(CARDS), "race": RACES, "points": POINTS, "level": LEVELS,
            "language": LANGUAGES,
        }[action]  # fmt: skip
        self.window.preferences.change(**{action: stepped(values, getattr(settings, action), step)})
        return None

    def tick(self, now: float) -> Move | None:
        """See the base class: once the screen has been seen, a game is got ready behind it."""
        if not self._seen:
            self._seen = True
        elif self._prepares and self._company is None:
            self._company = Company(self._time_scale)
            self._company.prepare(idle=True)
        return None

    def close(self) -> None:
        """See the base class."""
        if self._company is not None:
            self._company.stop()

    def escape(self) -> Move | None:
        """Esc leads to the button that ends the program, not out of it."""
        self.focus = "quit"
        return None

    def enter(self, notice: str = "") -> None:
        """See the base class."""
        if self.window.preferences.now.name:
            self._first = False
        for damaged in take_set_aside():
            if damaged.name.startswith(SETTINGS_FILE):
                notice = self.say("settings_damaged", file=damaged)
        super().enter(notice)

    def _take_name(self) -> None:
        """The name that was written, or the system's that stands there as a hint, is kept."""
        if self._first:
            self.window.preferences.change(name=self.text("name") or default_name())

    def _game(self) -> Party:
        settings = self.window.preferences.now
        overrides: dict = {"match": {"games_to_win": settings.race}}
        if self._straight:
            overrides = {"target": settings.points}
        if settings.guide:
            overrides["aids"] = {"guide_line": settings.guide}
        plan = Plan(open_options={"ruleset": settings.ruleset, "overrides": overrides})
        company, self._company = self._company, None
        return Party(
            self.window.base, self.window.preferences, plan, None, settings.level,
            time_scale=self._time_scale, inputs=self.window.inputs, mixer=self.window.mixer,
            company=company,
        )  # fmt: skip
