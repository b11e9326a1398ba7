"""Races by rating difference, and the reason for them, told to both players before they start."""

from functools import lru_cache
from math import comb
from typing import Literal

from server.competitions.acts import Entrant
from server.competitions.setup import ChartHandicap, OddsHandicap, Part, Settings, Step


class Reason(Part, frozen=True, kw_only=True):
    """Why a match has these races.

    ``why``: no handicap is set; a rating is missing; the difference is below the first step or
    leaves the race as it is; or the races follow from the difference.  ``chance``: of the first
    side to win the match with these races, by the model of ``OddsHandicap``; None for a chart.
    """

    why: Literal["no_handicap", "no_rating", "level", "rating_difference"]
    ratings: tuple[float | None, float | None] = (None, None)
    difference: float = 0.0
    races: tuple[int, int]
    chance: float | None = None


def races_of(settings: Settings, first: Entrant, second: Entrant) -> Reason:
    """The races of a match between two entrants, in their order, and why."""
    full, ratings = settings.race_to, (first.rating, second.rating)
    if settings.handicap is None or settings.teams is not None:
        return Reason(why="no_handicap", ratings=ratings, races=(full, full))
    if first.rating is None or second.rating is None:
        return Reason(why="no_rating", ratings=ratings, races=(full, full))
    difference = first.rating - second.rating
    if isinstance(settings.handicap, ChartHandicap):
        strong, weak = _from_chart(settings.handicap, abs(difference), full)
        chance = None
    else:
        strong, weak = _from_odds(settings.handicap, abs(difference), full)
        chance = _chance(settings.handicap, abs(difference), strong, weak)
        chance = chance if difference >= 0 else 1.0 - chance
    races = (strong, weak) if difference >= 0 else (weak, strong)
    return Reason(
        why="level" if strong == weak else "rating_difference",
        ratings=ratings,
        difference=difference,
        races=races,
        chance=chance,
    )


def chart_of(handicap: OddsHandicap, race_to: int) -> ChartHandicap:
    """The chart that ``OddsHandicap`` amounts to, in whole rating points: to be printed."""
    steps, last = [], (race_to, race_to)
    for difference in range(1, 1001):
        races = _from_odds(handicap, float(difference), race_to)
        if races != last:
            steps.append(Step(from_difference=float(difference), races=races))
            last = races
    return ChartHandicap(steps=tuple(steps[:50]) or (Step(from_difference=0.0, races=last),))


def _from_chart(chart: ChartHandicap, difference: float, full: int) -> tuple[int, int]:
    reached = [step for step in chart.steps if step.from_difference <= difference]
    return max(reached, key=lambda step: step.from_difference).races if reached else (full, full)


def _from_odds(handicap: OddsHandicap, difference: float, full: int) -> tuple[int, int]:
    """The races of stronger and weaker: the full one, and the one that is nearest to even."""
    game = game_chance(difference * handicap.share, handicap.points_per_doubling)
    least = min(handicap.least, full)
    # of two that are as near, the longer race
    weak = min(
        range(full, least - 1, -1), key=lambda k: (abs(race_chance(game, full, k) - 0.5), -k)
    )
    return full, weak


def _chance(handicap: OddsHandicap, difference: float, strong: int, weak: int) -> float:
    return race_chance(game_chance(difference, handicap.points_per_doubling), strong, weak)


def game_chance(difference: float, points_per_doubling: float) -> float:
    """Chance of the stronger to win one game: odds double with each such difference.

    The logistic model of Bradley and Terry (1952) with base 2, as the ratings in use in pool take
    it: a difference of ``points_per_doubling`` means two games won for one lost.
    """
    return float(1.0 / (1.0 + 2.0 ** (-difference / points_per_doubling)))


@lru_cache(maxsize=100_000)
def race_chance(game: float, mine: int, others: int) -> float:
    """Chance to win ``mine`` games before the other wins ``others``, at ``game`` a game.

    Sum over the games lost of the negative binomial distribution.
    """
    lost = (comb(mine - 1 + k, k) * (1.0 - game) ** k for k in range(others))
    return float(game**mine * sum(lost))
