"""What a discipline is: a rack and a few pure functions.  ``disciplines`` finds the one of a match.

Everything else (whose turn, counters, decisions, clocks, spotting, races) is the same in all and
chosen by keys of the ruleset.
"""

from collections.abc import Callable
from dataclasses import dataclass

from shared_rules.facts import ShotFacts
from shared_rules.groups import Group
from shared_rules.rack import RackPattern
from shared_rules.refusal import Code, Refusal
from shared_rules.situation import Situation
from shared_rules.state import Call, Hand
from shared_rules.verdict import Verdict


def nothing_is_called(situation: Situation, call: Call) -> None:
    """The check of a call in a game without calls.

    Raises:
        Refusal: always.
    """
    raise Refusal(Code.WRONG_STATE, "shots are not called in this game")


@dataclass(frozen=True, slots=True)
class Discipline:
    """A game.

    ``rack``: how its balls stand; they are its object balls.  ``judge``: what a shot means.
    ``targets``: the balls that may be hit first, all on the table where any may.  ``check_call``
    refuses what may not be called.  ``groups``: of the games that have two; the balls 1 to 7 first.
    ``serious_foul``: what a referee's ruling of one means (F6.16p); None: the rack is lost.
    ``hand``: how the cue ball comes back that has left the table.
    ``on``: the balls on, in a game in which a snooker is declared (BB.1c).
    """

    rack: RackPattern
    judge: Callable[[ShotFacts, Situation], Verdict]
    targets: Callable[[Situation], frozenset[int]]
    check_call: Callable[[Situation, Call], None] = nothing_is_called
    groups: tuple[Group, Group] | None = None
    serious_foul: Callable[[Situation], Verdict] | None = None
    hand: Hand = "anywhere"
    on: Callable[[Situation], frozenset[int]] | None = None

    @property
    def balls(self) -> tuple[int, ...]:
        """The object balls."""
        return self.rack.balls
