"""Single and double elimination as a graph of matches: each side is a slot, a winner or a loser.

A side is somebody, nobody, or not yet known.  Somebody against nobody is a bye, whether in the
first round or deep on the losers' side; so byes, late entries and odd fields need no rule of their
own.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from msgspec import structs

from server.competitions.acts import Entered, Entry, Stage
from server.competitions.facts import Facts
from server.competitions.fixtures import Fixture, Outcome, not_before, outcome_of
from server.competitions.handicap import races_of
from server.competitions.setup import DoubleElimination, SingleElimination

#: Where the losers of W2, W3, … drop in on the losers' side: the loser of match j goes to place
#: j XOR mask.  By number of rounds; found by trying all masks for those under which players who
#: have met can't meet again before as late a round as possible (docs/league.md has the rounds).
CROSS_OVER: dict[int, tuple[int, ...]] = {
    1: (),
    2: (0,),
    3: (1, 0),
    4: (2, 1, 0),
    5: (4, 3, 1, 0),
    6: (4, 4, 3, 1, 0),
    7: (8, 8, 6, 3, 1, 0),
}


class Source(NamedTuple):
    """Where a side comes from: a slot of the draw, or winner or loser of an earlier match."""

    kind: Literal["slot", "winner", "loser"]
    slot: int = 0
    match: str = ""


class Node(NamedTuple):
    """A match of the bracket.  ``decides``: its depth, higher nearer to the title."""

    id: str
    stage: Stage
    round: int
    number: int
    sides: tuple[Source, Source]
    decides: int


def size_for(entrants: int) -> int:
    """Slots of a bracket: the least power of two that holds them, and 2."""
    return max(2, 1 << (entrants - 1).bit_length())


@lru_cache(maxsize=16)
def seed_order(size: int) -> tuple[int, ...]:
    """Seeds (from 0) by slot: 1 meets the last, and 1 and 2 can only meet in the final."""
    order = [0]
    while len(order) < size:
        width = 2 * len(order)
        order = [place for seed in order for place in (seed, width - 1 - seed)]
    return tuple(order)


def slots_by_seed(seeds: tuple[str, ...]) -> tuple[str | None, ...]:
    """The draw of a seeded bracket; the byes fall to the highest seeds."""
    size = size_for(len(seeds))
    return tuple(seeds[seed] if seed < len(seeds) else None for seed in seed_order(size))


def _win(match: str) -> Source:
    return Source("winner", match=match)


def _lose(match: str) -> Source:
    return Source("loser", match=match)


@lru_cache(maxsize=32)
def single(size: int, third_place: bool) -> tuple[Node, ...]:
    """The matches of a single elimination, feeders first."""
    rounds = size.bit_length() - 1
    nodes = list(_winners(size, final=True))
    if third_place and rounds > 1:
        sides = (_lose(f"W{rounds - 1}.1"), _lose(f"W{rounds - 1}.2"))
        # it ranks between the final and the semi-finals
        nodes.insert(-1, Node("T1", "third_place", 1, 1, sides, 2 * rounds - 1))
    return tuple(nodes)


def _winners(size: int, final: bool) -> Iterator[Node]:
    rounds = size.bit_length() - 1
    for turn in range(1, rounds + 1):
        for n in range(size >> turn):
            if turn == 1:
                sides = (Source("slot", 2 * n), Source("slot", 2 * n + 1))
            else:
                sides = (_win(f"W{turn - 1}.{2 * n + 1}"), _win(f"W{turn - 1}.{2 * n + 2}"))
            last = final and turn == rounds
            name = "F1" if last else f"W{turn}.{n + 1}"
            stage: Stage = "final" if last else "winners"
            yield Node(name, stage, 1 if last else turn, n + 1, sides, 2 * turn if final else 0)


@lru_cache(maxsize=16)
def double(size: int) -> tuple[Node, ...]:
    """The matches of a double elimination, feeders first, both finals last."""
    rounds = size.bit_length() - 1
    nodes = list(_winners(size, final=False))
    losers = [_lose(f"W1.{n + 1}") for n in range(size // 2)]
    turn = 0
    for step, mask in enumerate(CROSS_OVER[rounds]):
        turn += 1
        losers = list(_losers_round(nodes, turn, list(zip(losers[::2], losers[1::2], strict=True))))
        dropped = [_lose(f"W{step + 2}.{(place ^ mask) + 1}") for place in range(len(losers))]
        turn += 1
        losers = list(_losers_round(nodes, turn, list(zip(dropped, losers, strict=True))))
    top = f"W{rounds}.1"
    nodes.append(Node("F1", "final", 1, 1, (_win(top), losers[0]), turn + 1))
    nodes.append(Node("F2", "final", 2, 1, (_win("F1"), _lose("F1")), turn + 2))
    return tuple(nodes)


def _losers_round(
    nodes: list[Node], turn: int, pairs: list[tuple[Source, Source]]
) -> Iterator[Source]:
    for number, sides in enumerate(pairs, 1):
        name = f"L{turn}.{number}"
        nodes.append(Node(name, "losers", turn, number, sides, turn))
        yield _win(name)


def nodes_of(facts: Facts) -> tuple[Node, ...]:
    """The bracket that was drawn; empty before the draw."""
    form = facts.settings.format
    if 1 not in facts.draws:
        return ()
    size = len(facts.draws[1])
    if isinstance(form, DoubleElimination):
        return double(size)
    assert isinstance(form, SingleElimination)
    return single(size, form.third_place)


class _Known(NamedTuple):
    """A side: who, and whether it is settled who (``who`` None and settled: nobody)."""

    who: str | None
    settled: bool


def fixtures(facts: Facts) -> Iterator[Fixture]:
    """All matches of an elimination, feeders first; none before the draw."""
    won: dict[str, _Known] = {}
    lost: dict[str, _Known] = {}
    top = ""
    for node in nodes_of(facts):
        sides = tuple(_side(facts, source, won, lost) for source in node.sides)
        if node.id == "F2" and won["F1"].settled and won["F1"].who == won[top].who:
            # the winner of the winners' side has not lost: no second final
            sides = (_Known(None, True), _Known(None, True))
        match = _fixture(facts, node, sides[0], sides[1])
        out = match.outcome
        done = out is not None or match.empty
        won[node.id] = _Known(out.winner if out else None, done)
        lost[node.id] = _Known(out.loser if out else None, done)
        top = node.id if node.stage == "winners" else top
        yield match


def _side(facts: Facts, source: Source, won: dict[str, _Known], lost: dict[str, _Known]) -> _Known:
    if source.kind == "slot":
        return _Known(facts.draws[1][source.slot], True)
    return (won if source.kind == "winner" else lost)[source.match]


def _fixture(facts: Facts, node: Node, one: _Known, other: _Known) -> Fixture:
    first, second = one.who, other.who
    outcome, reason, both = None, None, one.settled and other.settled
    if first is not None and second is not None:
        outcome = outcome_of(facts, node.id, first, second)
        reason = races_of(facts.settings, facts.entrants[first], facts.entrants[second])
    elif both and (lone := first or second) is not None:
        outcome = Outcome(lone, None, "bye")
    return Fixture(
        id=node.id,
        stage=node.stage,
        round=node.round,
        number=node.number,
        sides=(first, second),
        feeders=tuple(
            source.match
            for source, known in zip(node.sides, (one, other), strict=True)
            if not known.settled
        ),
        outcome=outcome,
        reason=reason,
        not_before=not_before(facts, node.round),
        empty=both and first is None and second is None,
    )


def free_slot(facts: Facts, entry: Entry) -> int | None:
    """The bye that a late entrant takes, of the lowest seed that nothing played hangs on.

    ``entry``: the line with his entry; its slot doesn't matter.
    """
    assert isinstance(entry.act, Entered)
    places = facts.draws.get(1, ())
    seeds = seed_order(len(places)) if places else ()
    before = {match.id: match for match in fixtures(facts)}
    # the bye of the highest slot number by seed belongs to the highest seed: begin at the other end
    for slot in sorted(range(len(places)), key=lambda slot: seeds[slot]):
        if places[slot] is None:
            act = structs.replace(entry.act, slot=slot)
            trial = facts.after(structs.replace(entry, act=act))
            if not any(_disturbed(facts, before[match.id], match) for match in fixtures(trial)):
                return slot
    return None


def _disturbed(facts: Facts, old: Fixture, new: Fixture) -> bool:
    """Whether a match that was settled, or is at a station, would have other sides."""
    settled = old.outcome is not None and old.outcome.kind != "bye"
    return (settled or old.id in facts.calls) and old.sides != new.sides
