"""Brackets: seeds, byes, cross-over, late entries, the second final, shared places."""

import pytest

from server import competitions
from server.competitions import acts as a
from server.competitions import bracket
from server.competitions.setup import DoubleElimination, SingleElimination
from shared_rules.refusal import Refusal
from tests.server.competitions.evening import Evening, started


def test_seeds_meet_as_late_as_they_can():
    assert bracket.seed_order(8) == (0, 7, 3, 4, 1, 6, 2, 5)
    evening = started(SingleElimination(), 6)
    assert evening.competition.facts.draws[1] == ("p1", None, "p4", "p5", "p2", None, "p3", "p6")
    byes = [m.sides for m in evening.competition.fixtures.values() if m.outcome]
    assert byes == [("p1", None), ("p2", None)]


#: Of each size, the rounds of the losers' side in which nobody can meet whom he has met before.
FREE = {8: 2, 16: 3, 32: 4, 64: 6, 128: 7}


@pytest.mark.parametrize(("size", "free"), FREE.items())
def test_nobody_meets_again_early_on_the_losers_side(size, free):
    """BR-105: no rematch before the rounds in which there is no other way."""
    # who may come into a match: on the losers' side with the round in which he lost before
    winner: dict[str, set[tuple[int, int]]] = {}
    loser: dict[str, set[tuple[int, int]]] = {}
    again = set()
    for node in bracket.double(size)[:-2]:
        sides = []
        for source in node.sides:
            if source.kind == "slot":
                sides.append({(source.slot, 0)})
            else:
                sides.append((winner if source.kind == "winner" else loser)[source.match])
        winner[node.id] = sides[0] | sides[1]
        if node.stage == "winners":
            loser[node.id] = {(slot, node.round) for slot, _ in winner[node.id]}
        elif any(_have_met(one, other) for one in sides[0] for other in sides[1]):
            again.add(node.round)
    assert min(again) == free + 1


def _have_met(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Two on the losers' side: whether the one that lost later has put the other there."""
    joined = (one[0] ^ other[0]).bit_length()
    return one[1] != other[1] and min(one[1], other[1]) == joined


def double_of_four() -> Evening:
    evening = started(DoubleElimination(), 4)
    for match, who in (("W1.1", "p1"), ("W1.2", "p2"), ("W2.1", "p1"), ("L1.1", "p3")):
        evening.won(match, who)
    evening.won("L2.1", "p2")
    return evening


def test_a_second_final_only_when_the_first_evens_the_losses():
    evening = double_of_four()
    evening.won("F1", "p1")
    assert evening.competition.is_over and evening.competition.fixtures["F2"].empty
    assert [p.entrant for p in evening.competition.placings] == ["p1", "p2", "p3", "p4"]
    evening = double_of_four()
    evening.won("F1", "p2")
    assert not evening.competition.is_over
    evening.won("F2", "p2")
    assert [(p.entrant, p.first, p.last) for p in evening.competition.placings] == [
        ("p2", 1, 1), ("p1", 2, 2), ("p3", 3, 3), ("p4", 4, 4)
    ]  # fmt: skip


def test_places_are_shared_by_those_who_leave_in_the_same_round():
    """BR-104: the runner-up, from whichever side, is second; then 3, 4, 5-6, 7-8."""
    evening = started(DoubleElimination(), 8)
    evening.play()
    spans = [(p.first, p.last) for p in evening.competition.placings]
    assert spans == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (5, 6), (7, 8), (7, 8)]
    evening = started(SingleElimination(third_place=True), 8)
    evening.play()
    spans = [(p.first, p.last) for p in evening.competition.placings]
    assert spans == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 8), (5, 8), (5, 8), (5, 8)]


def test_no_place_is_told_that_may_still_change():
    evening = started(DoubleElimination(), 8)
    while not evening.competition.is_over:
        early = {p.entrant: p for p in evening.competition.placings}
        evening.play(most=1)
        now = {p.entrant: p for p in evening.competition.placings}
        assert all(now[who] == placing for who, placing in early.items())


def test_a_late_entrant_takes_a_bye_that_nothing_hangs_on():
    evening = started(SingleElimination(), 6)
    evening.won("W1.2", "p4")
    evening.won("W2.1", "p1")  # the bye of p1 has been used
    evening.enter(7)
    assert evening.competition.fixtures["W1.3"].sides == ("p2", "p7")
    with pytest.raises(Refusal, match="no bye is left"):
        evening.enter(8)


def test_who_leaves_loses_what_is_still_to_come():
    evening = started(DoubleElimination(), 4)
    evening.say(a.Withdrawn(entrant="p1"))
    made = evening.competition.fixtures
    assert made["W1.1"].outcome.winner == "p4" and made["W1.1"].outcome.kind == "walk_over"
    evening.play()
    assert evening.competition.placings[-1] == competitions.Placing("p1", 4, 4)


def test_a_disqualified_player_has_no_place():
    evening = started(SingleElimination(), 4)
    evening.say(a.Withdrawn(entrant="p1", disqualified=True))
    evening.play()
    assert evening.competition.placings[-1] == competitions.Placing("p1", None, None, True)


def test_no_draw_in_a_knock_out():
    evening = started(SingleElimination(), 2)
    level = a.Result(match="F1", sides=("p1", "p2"), score=(3, 3), short=True)
    with pytest.raises(Refusal, match="can't end level"):
        evening.say(level)


@pytest.mark.parametrize("score", [(5, 5), (6, 2), (4, 2), (0, 0)])
def test_a_score_that_is_none_of_the_race_is_refused(score):
    evening = started(SingleElimination(), 2)
    with pytest.raises(Refusal, match="race to"):
        evening.say(a.Result(match="F1", sides=("p1", "p2"), score=score))
    assert evening.competition.fixtures["F1"].is_open
