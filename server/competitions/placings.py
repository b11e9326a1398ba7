"""Final placings: by how far each came in a bracket, by the standings, by the ladder."""

from collections import Counter
from dataclasses import dataclass

from server.competitions import bracket, ladder
from server.competitions.facts import Facts
from server.competitions.fixtures import Fixture
from server.competitions.setup import DoubleElimination, Ladder, SingleElimination
from server.competitions.standings import standings


@dataclass(frozen=True, slots=True)
class Placing:
    """Places ``first`` to ``last``, shared where they differ (5-6, 7-8).

    Both are None for who was put out (N9.9j), for whom ``disqualified`` is true.
    """

    entrant: str
    first: int | None
    last: int | None
    disqualified: bool = False


def placings(facts: Facts, made: dict[str, Fixture]) -> tuple[Placing, ...]:
    """Who has which place, best first.

    In a bracket only those are placed whose place nothing can change any more; in the other
    formats it is the state of now.
    """
    form = facts.settings.format
    if isinstance(form, SingleElimination | DoubleElimination):
        return _of_bracket(facts, made)
    if isinstance(form, Ladder):
        return tuple(Placing(who, n, n) for n, who in enumerate(ladder.order(facts), 1))
    rows = standings(facts, made.values())
    share = Counter(row.place for row in rows)
    return tuple(
        Placing(
            row.entrant,
            row.place,
            None if row.place is None else row.place + share[row.place] - 1,
            row.place is None,
        )
        for row in rows
    )


def _of_bracket(facts: Facts, made: dict[str, Fixture]) -> tuple[Placing, ...]:
    """By the last match of each: deeper is better, and there the winner before the loser."""
    came: dict[str, tuple[int, bool]] = {}
    open_at, playing = set[int](), set[str]()
    for node in bracket.nodes_of(facts):
        match = made[node.id]
        if match.outcome is None and not match.empty:
            open_at.add(node.decides)
            playing |= match.pair
        for side in match.pair:
            won = match.outcome is not None and match.outcome.winner == side
            came[side] = (node.decides, won)
    placed, above = [], len(playing)  # whoever still plays comes further than who is out
    out = {who: level for who, level in came.items() if who not in playing}
    for level in sorted(set(out.values()), reverse=True):
        there = [who for who in out if out[who] == level]
        # while a match of this depth is open, more will come to share these places
        if level[0] not in open_at:
            placed += [_placing(facts, who, above + 1, above + len(there)) for who in there]
        above += len(there)
    return tuple(sorted(placed, key=lambda p: (p.first is None, p.first or 0)))


def _placing(facts: Facts, who: str, first: int, last: int) -> Placing:
    left = facts.left.get(who)
    if left is not None and left.disqualified:
        return Placing(who, None, None, True)
    return Placing(who, first, last)
