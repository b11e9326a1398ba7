"""Competitions played out by chance, for the tests of all formats."""

from collections.abc import Callable
from random import Random

from server import competitions
from server.competitions import acts as a
from server.competitions.fixtures import Fixture
from server.competitions.setup import (
    DoubleElimination,
    Format,
    Ladder,
    RoundRobin,
    Settings,
    SingleElimination,
    Swiss,
)

#: A time of the server's clock.
EIGHT = 1_800_000_000.0


class Evening:
    """A competition with a hand that enters things into it, ten minutes apart."""

    def __init__(self, settings: Settings, entrants: int = 0, seed: int = 0) -> None:
        self.competition = competitions.new(settings)
        self.random = Random(seed)
        self.at = EIGHT
        for number in range(1, entrants + 1):
            self.enter(number)

    def say(self, act: a.AnyAct, by: str = "director") -> None:
        self.at += 600.0
        self.competition = competitions.record(self.competition, self.at, by, act)

    def enter(self, number: int, rating: float | None = None) -> None:
        rated = 1000.0 - number if rating is None else rating
        who = a.Entrant(id=f"p{number}", name=f"Player {number}", rating=rated)
        self.say(a.Entered(entrant=who))

    def draw(self) -> a.Drawn:
        drawn = competitions.draw(self.competition, self.random.randrange(1 << 30))
        self.say(drawn)
        return drawn

    @property
    def open(self) -> list[Fixture]:
        return [match for match in self.competition.fixtures.values() if match.is_open]

    def result(self, match: str | Fixture, winner: int | None = None, behind: int = 0) -> a.Result:
        """A result of a match; without ``winner`` (0 or 1) by chance."""
        found = self.competition.fixtures[match] if isinstance(match, str) else match
        races = found.reason.races
        if winner is None:
            winner, behind = self.random.randrange(2), self.random.randrange(min(races))
        score = [behind, behind]
        score[winner] = races[winner]
        return a.Result(match=found.id, sides=found.sides, score=tuple(score))

    def won(self, match: str, who: str, behind: int = 0) -> None:
        sides = self.competition.fixtures[match].sides
        self.say(self.result(match, sides.index(who), behind))

    def play(self, settle: Callable[[Fixture], a.AnyAct] | None = None, most: int = 10**6) -> None:
        """Plays open matches by chance, drawing rounds as they come due, until it is over."""
        settle = settle or self.result
        while not self.competition.is_over and most:
            waiting = self.open
            if waiting:
                self.say(settle(self.random.choice(waiting)))
                most -= 1
            else:
                self.draw()


def started(form: Format, entrants: int, seed: int = 0, **more: object) -> Evening:
    """A competition of so many that is drawn."""
    evening = Evening(Settings(name="Club night", format=form, **more), entrants, seed)
    if not isinstance(form, Ladder):
        evening.draw()
    return evening


def formats(entrants: int) -> list[Format]:
    """Every format that ends by itself, in a shape that fits so many."""
    return [
        RoundRobin(),
        RoundRobin(legs=2),
        Swiss(rounds=max(1, (entrants - 1).bit_length())),
        SingleElimination(),
        SingleElimination(third_place=True),
        DoubleElimination(),
    ]
