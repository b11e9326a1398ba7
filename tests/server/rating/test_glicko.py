"""Glicko-2 against the numbers of Glickman's paper, and what must hold of any rating."""

import math

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.rating.glicko import Rating, Result, aged, expected_score, rated

PLAYER = Rating(1500.0, 200.0, 0.06)
OPPONENTS = (Rating(1400.0, 30.0), Rating(1550.0, 100.0), Rating(1700.0, 300.0))
RATINGS = st.builds(Rating, st.floats(500, 2800), st.floats(30, 350), st.floats(0.03, 0.1))


def test_the_worked_example() -> None:
    after = rated(PLAYER, [Result(o, s) for o, s in zip(OPPONENTS, (1.0, 0.0, 0.0), strict=True)])
    assert math.isclose(after.value, 1464.06, abs_tol=0.011)
    assert math.isclose(after.deviation, 151.52, abs_tol=0.005)
    assert math.isclose(after.volatility, 0.05999, abs_tol=0.00001)


def test_the_expected_scores_of_the_worked_example() -> None:
    found = [expected_score(PLAYER, opponent) for opponent in OPPONENTS]
    assert [round(x, 3) for x in found] == [0.639, 0.432, 0.303]


def test_who_does_not_play_is_less_well_known() -> None:
    """Step 6; a period in two halves is a period."""
    once = aged(PLAYER, 1.0)
    assert math.isclose(once.deviation, math.hypot(200.0, 0.06 * 173.7178))
    assert math.isclose(aged(aged(PLAYER, 0.5), 0.5).deviation, once.deviation)
    assert rated(PLAYER, []) == once
    assert aged(PLAYER, 1e6).deviation == 350.0 and aged(PLAYER, -1.0) == PLAYER


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(RATINGS, RATINGS)
def test_winning_never_costs_and_losing_never_gains(mine: Rating, other: Rating) -> None:
    won, lost = (rated(mine, [Result(other, score)]) for score in (1.0, 0.0))
    assert won.value >= mine.value >= lost.value
    for after in (won, lost):
        assert all(map(math.isfinite, after)) and 0 < after.deviation <= 350.0
    assert math.isclose(expected_score(mine, mine), 0.5)
