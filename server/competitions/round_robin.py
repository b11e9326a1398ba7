"""Everyone meets everyone: rounds by the circle method, late entrants, struck-out results.

The order of first and second named alternates (Berger's tables), so that nobody is named first
more than once oftener than second in a leg.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from server.competitions.facts import Facts
from server.competitions.fixtures import Fixture, fixture
from server.competitions.setup import RoundRobin


@lru_cache(maxsize=32)
def circle(size: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Rounds of pairs of places 0 … ``size`` − 1; in an odd field one has a bye in each round.

    The circle method (Kirkman 1847): in round r the places r + k and r − k meet, counted round a
    circle of all but the last, who meets place r.
    """
    even = size + size % 2
    around = even - 1
    rounds = []
    for turn in range(around):
        pairs = [(turn, around) if turn % 2 == 0 else (around, turn)]
        for step in range(1, even // 2):
            one, other = (turn + step) % around, (turn - step) % around
            pairs.append((one, other) if step % 2 else (other, one))
        rounds.append(tuple(pair for pair in pairs if max(pair) < size))
    return tuple(rounds)


def fixtures(facts: Facts) -> Iterator[Fixture]:
    """All matches of a round robin, round by round; none before the draw."""
    assert isinstance(facts.settings.format, RoundRobin)
    if 1 not in facts.draws:
        return
    made = [
        fixture(facts, f"R{number}.{place}", "round", number, place, *pair)
        for number, pairs in enumerate(_rounds(facts, facts.settings.format.legs), 1)
        for place, pair in enumerate(pairs, 1)
    ]
    struck = _struck_out(facts, made)
    for match in made:
        out = not struck.isdisjoint(match.sides)
        yield replace(match, struck=True) if out else match


def _rounds(facts: Facts, legs: int) -> list[list[tuple[str, str]]]:
    """Pairs of each round.  Who came after the draw plays in the first rounds with room for it."""
    order = [who for who in facts.draws[1] if who is not None]
    rounds: list[list[tuple[str, str]]] = []
    for leg in range(legs):
        for pairs in circle(len(order)):
            named = [(order[one], order[other]) for one, other in pairs]
            rounds.append([pair[::-1] for pair in named] if leg % 2 else named)
    late = [who for who in facts.entrants if facts.entered[who] > facts.draw_entries[1]]
    busy = [{side for pair in pairs for side in pair} for pairs in rounds]
    for newcomer in late:
        for leg in range(legs):
            for place, other in enumerate(order):
                pair = (newcomer, other) if (place + leg) % 2 else (other, newcomer)
                free = (i for i, there in enumerate(busy) if there.isdisjoint(pair))
                at = next(free, len(busy))
                if at == len(busy):
                    busy.append(set())
                    rounds.append([])
                busy[at] |= set(pair)
                rounds[at].append(pair)
        order.append(newcomer)
    return rounds


def _struck_out(facts: Facts, made: list[Fixture]) -> set[str]:
    """Whose results don't count: of the disqualified (N9.9j), and as the settings say."""
    policy = facts.settings.struck
    out = {who for who, left in facts.left.items() if left.disqualified or policy == "all"}
    if policy == "under_half" and facts.left:
        for who in facts.left.keys() - out:
            mine = [match for match in made if who in match.sides]
            played = sum(m.outcome is not None and m.outcome.kind == "played" for m in mine)
            if 2 * played < len(mine):
                out.add(who)
    return out
