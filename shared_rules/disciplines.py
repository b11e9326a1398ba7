"""The disciplines that are played here, by the ruleset's ``discipline``: the only such table."""

from shared_rules.black_ball import BLACK_BALL
from shared_rules.discipline import Discipline
from shared_rules.eight_ball import EIGHT_BALL
from shared_rules.nine_ball import NINE_BALL
from shared_rules.ruleset import Ruleset
from shared_rules.straight_pool import STRAIGHT_POOL

DISCIPLINES: dict[str, Discipline] = {
    "nine_ball": NINE_BALL,
    "eight_ball": EIGHT_BALL,
    "straight_pool": STRAIGHT_POOL,
    "black_ball": BLACK_BALL,
}


def discipline_of(ruleset: Ruleset) -> Discipline:
    """The game that a ruleset is of."""
    return DISCIPLINES[ruleset.discipline]
