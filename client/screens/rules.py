"""The rules: one card a game, or the card of the table that is played at."""

from client.hud.page import Beside, Page, Press
from client.play.settings import Preferences
from client.screens.activity import Back, Move
from client.screens.page_screen import PageScreen
from client.screens.rule_card import rule_card
from client.screens.window import Window
from shared_rules.presets import PRESETS
from shared_rules.ruleset import Ruleset, make_ruleset

CARDS = {name: make_ruleset(name) for name in PRESETS}


class RulesScreen(PageScreen):
    """Cards to choose from; with ``rules`` the one of a table."""

    def __init__(self, window: Window, rules: Ruleset | None = None) -> None:
        super().__init__(window)
        self._rules = rules
        self._shown = _last_game(window.preferences)

    def page(self) -> Page:
        """See the base class."""
        language = self.window.language
        rules = self._rules or CARDS[self._shown]
        footer = (Press("back", self.say("back_button"), strong=True),)
        if self._rules is None:
            presses = tuple(
                Press(f"card:{name}", self.say(f"game_{name}"), on=name == self._shown)
                for name in CARDS
            )
            first, second = rule_card(rules, language)
            return Page(self.say("rules_title"), ((Beside(presses), *first), second), footer)
        game = self.say(f"game_{rules.id}") if rules.id in CARDS else rules.id
        title = self.say("rules_of", game=game)
        return Page(title, rule_card(rules, language), footer)

    def press(self, action: str) -> Move | None:
        """See the base class."""
        if action == "back":
            return Back()
        self._shown = action.removeprefix("card:")
        return None


def _last_game(preferences: Preferences) -> str:
    ruleset = preferences.now.ruleset
    return ruleset if ruleset in CARDS else next(iter(CARDS))
