"""The terms of a match: for a table that is opened, a challenge, or a quick match."""

from collections.abc import Callable
from typing import Any

from client.hud.page import Heading, Page, Pick, Press, Widget
from client.play.settings import GUIDES
from client.screens.activity import Back, Move
from client.screens.page_screen import PageScreen, stepped
from client.screens.rules import CARDS
from client.screens.window import Window
from shared_rules.state import ShotClock

RACES = (1, 2, 3, 5, 7, 9, 11, 15)
POINTS = (15, 25, 50, 75, 100, 125, 150)
CLOCKS = (None, 30, 45, 60, 90)
WATCHERS = ("everyone", "invited", "nobody")
FLAGS = (False, True)


class TermsScreen(PageScreen):
    """Asks for terms and hands them over.

    Args:
        title: what they are for.
        agree: takes the fields of ``OpenTable`` (of ``TableTerms`` unless ``opens``) and says what
            comes next.
        opens: a table is opened, which can be private.
        account: whether one is signed in to an account, so that the match can count.
    """

    def __init__(
        self,
        window: Window,
        title: str,
        agree: Callable[[dict[str, Any]], Move],
        opens: bool = False,
        account: bool = False,
    ) -> None:
        super().__init__(window)
        now = window.preferences.now
        self._title, self._agree = title, agree
        self._opens, self._account = opens, account
        self._chosen: dict[str, Any] = {
            "ruleset": now.ruleset, "race": now.race, "points": now.points, "clock": None,
            "extension": None, "guide": now.guide, "private": False, "referee": False,
            "watch": "everyone", "rated": False,
        }  # fmt: skip
        self.focus = "agree"

    def page(self) -> Page:
        """See the base class."""
        chosen = self._chosen
        straight = CARDS[chosen["ruleset"]].discipline == "straight_pool"
        clock, extension = chosen["clock"], chosen["extension"]
        length = (
            Pick("points", self.say("start_points"), str(chosen["points"]))
            if straight
            else Pick("race", self.say("start_race"), str(chosen["race"]))
        )
        guide = self.say(f"guide_{chosen['guide'] or 'auto'}")
        rows: list[Widget] = [
            Heading(self.say("terms_game")),
            Pick("ruleset", self.say("start_game"), self.say(f"game_{chosen['ruleset']}")),
            length,
            Pick("clock", self.say("terms_clock"),
                 self.say("seconds", n=clock) if clock else self.say("off")),
            Pick("extension", self.say("terms_extension"),
                 self.say("seconds", n=extension) if clock and extension else self.say("off"),
                 "" if clock else self.say("terms_no_clock")),
            Pick("guide", self.say("terms_guide"), guide),
        ]  # fmt: skip
        others: list[Widget] = [Heading(self.say("terms_others"))]
        if self._opens:
            private = self.say("yes" if chosen["private"] else "no")
            others.append(Pick("private", self.say("terms_private"), private))
        referee = self.say("yes" if chosen["referee"] else "no")
        others.append(Pick("referee", self.say("terms_referee"), referee))
        watch = "invited" if chosen["private"] else chosen["watch"]
        others.append(Pick("watch", self.say("terms_watch"), self.say(f"watch_{watch}")))
        why = "" if self._account else self.say("terms_rated_guest")
        rated = self.say("yes" if chosen["rated"] else "no")
        others.append(Pick("rated", self.say("terms_rated"), rated, why))
        footer = (
            Press("agree", self._title, strong=True),
            Press("back", self.say("back_button")),
        )
        return Page(self._title, (tuple(rows), tuple(others)), footer)

    def press(self, action: str) -> Move | None:
        """See the base class."""
        return Back() if action == "back" else self._agree(self._terms())

    def pick(self, action: str, step: int) -> Move | None:
        """See the base class."""
        values: tuple = {
            "ruleset": tuple(CARDS), "race": RACES, "points": POINTS, "clock": CLOCKS,
            "extension": CLOCKS,
            "guide": (None, *GUIDES), "private": FLAGS, "referee": FLAGS, "watch": WATCHERS,
            "rated": FLAGS,
        }[action]  # fmt: skip
        self._chosen[action] = stepped(values, self._chosen[action], step)
        return None

    def _terms(self) -> dict[str, Any]:
        chosen = self._chosen
        straight = CARDS[chosen["ruleset"]].discipline == "straight_pool"
        overrides: dict[str, Any] = {"match": {"games_to_win": chosen["race"]}}
        if straight:
            overrides = {"target": chosen["points"]}
        if chosen["guide"]:
            overrides["aids"] = {"guide_line": chosen["guide"]}
        self.window.preferences.change(
            ruleset=chosen["ruleset"], race=chosen["race"], points=chosen["points"]
        )
        terms: dict[str, Any] = {"ruleset": chosen["ruleset"], "overrides": overrides}
        if chosen["clock"]:
            terms["shot_clock"] = ShotClock(
                limit_s=float(chosen["clock"]), extension_s=float(chosen["extension"] or 0)
            )
        for flag in ("rated", "referee"):
            if chosen[flag]:
                terms[flag] = True
        if self._opens and chosen["private"]:
            terms |= {"private": True, "watch": "invited"}
        elif chosen["watch"] != "everyone":
            terms["watch"] = chosen["watch"]
        return terms
