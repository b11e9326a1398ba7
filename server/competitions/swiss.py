"""Swiss rounds: who meets whom next, as a matching of least cost.

A bye is an opponent like any other, so that the same rule that avoids rematches gives nobody a
second one.  The cost of a pair counts first how often it has met, then the difference in points,
then how far it lies from top half against bottom half among those with as many points.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import rustworkx as rx

from server.competitions.facts import Facts
from server.competitions.fixtures import Fixture, Outcome, fixture, not_before

#: The bye among the players of a matching.
BYE = ""
# Of each kind of cost the worst sum of a round (at most 512 pairs) is less than one of the next.
_PLACES, _POINTS, _MET = 1, 1 << 20, 1 << 60


def pairing(
    ranked: Sequence[str],
    points: dict[str, int],
    met: Counter[frozenset[str]],
) -> list[tuple[str, str]]:
    """Pairs of a round; (player, ``BYE``) is a bye.

    ``ranked``: who plays, best first.  ``met``: how often pairs have met; {player, ``BYE``} how
    often one has had a bye or was given a match without playing.  The matching is of least cost
    over all (Edmonds 1965), by rustworkx.
    """
    field = [*ranked, BYE] if len(ranked) % 2 else list(ranked)
    if not field:
        return []
    lowest = min(points[player] for player in ranked)
    group = Counter(points[player] for player in ranked)
    seen: Counter[int] = Counter()
    within = []
    for player in ranked:
        within.append(seen[points[player]])
        seen[points[player]] += 1

    def cost(i: int, j: int) -> int:
        one, other = field[i], field[j]
        often = met[frozenset((one, other))]
        if other == BYE:
            # to the last of those with the fewest points
            apart, places = points[one] - lowest, len(ranked) - 1 - i
        else:
            apart = abs(points[one] - points[other])
            half = group[points[one]] // 2
            places = 0 if apart else abs(within[j] - within[i] - half)
        return often * often * _MET + apart * apart * _POINTS + places * _PLACES

    graph: rx.PyGraph[int, int] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(field)))
    graph.add_edges_from(
        [(i, j, -cost(i, j)) for i in range(len(field)) for j in range(i + 1, len(field))]
    )
    matched = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    pairs = sorted(tuple(sorted(pair)) for pair in matched)
    return [(field[i], field[j]) for i, j in pairs]


def named_first(one: str, other: str, made: Sequence[Fixture]) -> tuple[str, str]:
    """The pair in the order in which it is named: first who has been so less often.

    Of two who are level, who was named second more recently; at the start, by turns of the list.
    """
    if BYE in (one, other):
        return (one, other) if other == BYE else (other, one)
    balance, last = {one: 0, other: 0}, {one: 0, other: 0}
    for match in made:
        for place, side in enumerate(match.sides):
            if side in balance and None not in match.sides:
                balance[side] += 1 - 2 * place
                last[side] = 1 - 2 * place
    first = min((one, other), key=lambda side: (balance[side], last[side]))
    return (one, other) if first == one else (other, one)


def drawn_pairs(facts: Facts) -> Iterator[tuple[int, int, str | None, str | None]]:
    """Round, number and the two sides of every match that was drawn."""
    for turn in sorted(facts.draws):
        places = facts.draws[turn]
        for number, pair in enumerate(zip(places[::2], places[1::2], strict=True), 1):
            yield turn, number, *pair


def fixtures(facts: Facts) -> Iterator[Fixture]:
    """All matches of the rounds drawn so far."""
    for turn, number, first, second in drawn_pairs(facts):
        name = f"R{turn}.{number}"
        if first is not None and second is not None:
            yield fixture(facts, name, "round", turn, number, first, second)
        else:
            yield Fixture(
                id=name,
                stage="round",
                round=turn,
                number=number,
                sides=(first, second),
                outcome=Outcome(first or second, None, "bye", entry=facts.draw_entries[turn]),
                not_before=not_before(facts, turn),
            )


def meetings(made: Sequence[Fixture]) -> Counter[frozenset[str]]:
    """How often pairs have met, for ``pairing``.

    Who was given a match without playing has had his bye; the pair hasn't met then.
    """
    met: Counter[frozenset[str]] = Counter()
    for match in made:
        out = match.outcome
        if out is None or out.kind == "played":
            met[match.pair] += 1
        elif out.winner is not None:
            met[frozenset((out.winner, BYE))] += 1
    return met
