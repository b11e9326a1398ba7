"""Glicko-2: how strong a player is and how well that is known.

M. E. Glickman, "Example of the Glicko-2 system" (2022), with the numbers of its steps.  Each match
is a rating period of its own; between matches the deviation grows with time, by the same formula
(step 6) for whole periods and for parts of one.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

START = 1500.0
START_DEVIATION = 350.0
START_VOLATILITY = 0.06
TAU = 0.5  # how much the volatility may change; 0.3 to 1.2
_SCALE = 173.7178
_CONVERGED = 1e-6


class Rating(NamedTuple):
    """``deviation``: of the rating; ``volatility``: how erratic the results are.

    The true strength is within ``value`` plus or minus twice ``deviation`` with 95 %.
    """

    value: float = START
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY


class Result(NamedTuple):
    """A match against an opponent as he was rated before it; ``score``: 1, 0.5 or 0.

    ``share``: of what a match tells, so much this one does, 0 to 1; a rating that learns nothing
    stays as it is.
    """

    opponent: Rating
    score: float
    share: float = 1.0


def aged(rating: Rating, periods: float) -> Rating:
    """The rating of somebody who hasn't played for so many periods (step 6)."""
    phi = math.hypot(rating.deviation / _SCALE, rating.volatility * math.sqrt(max(0.0, periods)))
    return rating._replace(deviation=min(phi * _SCALE, START_DEVIATION))


def expected_score(rating: Rating, opponent: Rating) -> float:
    """What a player is expected to score against another, 0 to 1 (step 3)."""
    weight = _weight(opponent.deviation / _SCALE)
    return 1.0 / (1.0 + math.exp(-weight * (rating.value - opponent.value) / _SCALE))


def rated(rating: Rating, results: Sequence[Result]) -> Rating:
    """The rating after the results of a period (steps 2 to 8)."""
    if not results:
        return aged(rating, 1.0)
    mu, phi, sigma = (rating.value - START) / _SCALE, rating.deviation / _SCALE, rating.volatility
    information = surplus = 0.0
    for opponent, score, share in results:
        weight = _weight(opponent.deviation / _SCALE)
        chance = expected_score(rating, opponent)
        information += share * weight**2 * chance * (1.0 - chance)
        surplus += share * weight * (score - chance)
    if information == 0.0:
        return rating
    variance = 1.0 / information
    sigma = _volatility(phi, sigma, variance, variance * surplus)
    spread = math.hypot(phi, sigma)
    phi = 1.0 / math.sqrt(1.0 / spread**2 + information)
    return Rating(
        START + _SCALE * (mu + phi**2 * surplus), min(phi * _SCALE, START_DEVIATION), sigma
    )


def _weight(phi: float) -> float:
    """g of step 3: an opponent who is little known tells little."""
    return 1.0 / math.sqrt(1.0 + 3.0 * phi**2 / math.pi**2)


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Step 5, the Illinois algorithm."""
    start = math.log(sigma**2)

    def f(x: float) -> float:
        grown = math.exp(x)
        total = phi**2 + variance + grown
        return grown * (delta**2 - total) / (2.0 * total**2) - (x - start) / TAU**2

    a = start
    if delta**2 > phi**2 + variance:
        b = math.log(delta**2 - phi**2 - variance)
    else:
        k = 1
        while f(start - k * TAU) < 0.0:
            k += 1
        b = start - k * TAU
    at_a, at_b = f(a), f(b)
    while abs(b - a) > _CONVERGED:
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = f(c)
        if at_c * at_b <= 0.0:
            a, at_a = b, at_b
        else:
            at_a /= 2.0
        b, at_b = c, at_c
    return math.exp(a / 2.0)
