"""What holds in any competition, of 2 to 128 entrants, whatever happens in it.

``HEADSTRING_SOAK=1`` plays many more.
"""

import os
from collections import Counter

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server import competitions
from server.competitions import acts as a
from server.competitions.setup import (
    DoubleElimination,
    RoundRobin,
    Settings,
    SingleElimination,
    Swiss,
)
from shared_rules.refusal import Refusal
from tests.server.competitions.evening import Evening, formats, started

SOAK = os.environ.get("HEADSTRING_SOAK") == "1"
MANY = settings(
    max_examples=500 if SOAK else 25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
FEW = settings(MANY, max_examples=200 if SOAK else 15)
SEEDS = st.integers(0, 1 << 30)
FIELDS = st.one_of(st.integers(2, 17), st.integers(2, 128 if SOAK else 32))


def losses(competition: competitions.Competition) -> Counter[str]:
    lost: Counter[str] = Counter()
    for match in competition.fixtures.values():
        if match.outcome is not None and match.outcome.loser is not None:
            lost[match.outcome.loser] += 1
    return lost


def disturbed(evening: Evening, match: competitions.Fixture) -> a.AnyAct:
    """A result, most often; else somebody leaves, forfeits or is given the match."""
    chance = evening.random.random()
    if chance < 0.1:
        return a.Withdrawn(entrant=match.sides[0], disqualified=chance < 0.03)
    if chance < 0.15:
        return a.Forfeit(match=match.id, sides=match.sides, loser=match.sides[1])
    if chance < 0.2:
        return a.WalkOver(match=match.id, sides=match.sides, winner=match.sides[1])
    return evening.result(match)


@MANY
@given(n=FIELDS, which=st.integers(0, 5), seed=SEEDS)
def test_it_ends_and_everyone_has_a_place(n, which, seed):
    if which < 2:
        n = min(n, 12)  # each result of a round robin is held against all its matches
    evening = started(formats(n)[which], n, seed)
    evening.play()
    placed = evening.competition.placings
    assert sorted(p.entrant for p in placed) == sorted(evening.competition.facts.entrants)
    # places tile 1 … n: shared ones as often as they are wide
    spans = Counter((p.first, p.last) for p in placed)
    covered = [place for first, last in spans for place in range(first, last + 1)]
    assert sorted(covered) == list(range(1, n + 1))
    assert all(often == last - first + 1 for (first, last), often in spans.items())


@MANY
@given(n=FIELDS, seed=SEEDS)
def test_in_a_double_elimination_all_but_the_champion_lose_twice(n, seed):
    """BR-103: whoever has lost once only is in a final, which is played twice if need be."""
    evening = started(DoubleElimination(), n, seed)
    evening.play()
    lost = losses(evening.competition)
    first, second = evening.competition.placings[:2]
    assert (first.first, first.last, second.first, second.last) == (1, 1, 2, 2)
    assert lost[first.entrant] <= 1
    assert {lost[who] for who in evening.competition.facts.entrants if who != first.entrant} == {2}
    final = evening.competition.fixtures["F1"]
    assert evening.competition.fixtures["F2"].empty == (final.outcome.winner == final.sides[0])
    last = max(evening.competition.fixtures["F2"], evening.competition.fixtures["F1"], key=played)
    assert (last.outcome.winner, last.outcome.loser) == (first.entrant, second.entrant)


def played(match: competitions.Fixture) -> int:
    return 0 if match.outcome is None else match.outcome.entry


@MANY
@given(n=FIELDS, seed=SEEDS)
def test_in_a_single_elimination_all_but_the_champion_lose_once(n, seed):
    evening = started(SingleElimination(), n, seed)
    evening.play()
    lost = losses(evening.competition)
    champion = evening.competition.placings[0].entrant
    assert lost == {who: 1 for who in evening.competition.facts.entrants if who != champion}


@MANY
@given(n=FIELDS, late=st.integers(0, 4), legs=st.integers(1, 3), seed=SEEDS)
def test_in_a_round_robin_everyone_meets_everyone(n, late, legs, seed):
    evening = started(RoundRobin(legs=legs), n, seed)
    evening.play(most=min(n // 2, 5))
    for number in range(n + 1, n + late + 1):
        evening.enter(number)
    made = list(evening.competition.fixtures.values())
    met = Counter(match.pair for match in made)
    assert len(met) == (n + late) * (n + late - 1) // 2 and set(met.values()) == {legs}
    in_round = Counter((match.round, side) for match in made for side in match.sides)
    assert set(in_round.values()) == {1}
    first = Counter(match.sides[0] for match in made)
    second = Counter(match.sides[1] for match in made)
    if not late:
        uneven = {abs(first[w] - second[w]) for w in evening.competition.facts.entrants}
        assert max(uneven) <= (1 if legs % 2 else 0)
        assert len({match.round for match in made}) == legs * (n - 1 + n % 2)


@MANY
@given(n=FIELDS, extra=st.integers(0, 3), seed=SEEDS)
def test_swiss_players_meet_anew_and_byes_go_round(n, extra, seed):
    rounds = min(8, (n - 1).bit_length() + extra)
    evening = started(Swiss(rounds=rounds), n, seed)
    evening.play()
    made = list(evening.competition.fixtures.values())
    # with so many rounds there always is a round without a rematch (Dirac 1952): a bye counts as
    # an opponent, and each of the n (even) still has at least half of the others left
    field = n + n % 2
    possible = [m for m in made if m.round <= field // 2]
    assert max(Counter(match.pair for match in possible).values()) == 1
    for turn in range(1, rounds + 1):
        sides = [side for m in made if m.round == turn for side in m.pair]
        assert sorted(sides) == sorted(evening.competition.facts.entrants)
    balance = Counter[str]()
    for match in made:
        if len(match.pair) == 2:
            balance[match.sides[0]] += 1
            balance[match.sides[1]] -= 1
    # pairs are drawn by points alone, so two who are level may both have been first before
    assert max(abs(value) for value in balance.values()) <= 4


@MANY
@given(n=FIELDS, which=st.integers(0, 2), seed=SEEDS)
def test_standings_are_a_plain_recount(n, which, seed):
    n = min(n, 10)
    evening = started(formats(n)[which], n, seed)
    evening.play(lambda match: disturbed(evening, match))
    competition = evening.competition
    points, games = Counter[str](), Counter[str]()
    for match in competition.fixtures.values():
        out = match.outcome
        if out is None or match.struck:
            continue
        points[out.winner] += 2
        if out.kind == "played":
            for one, other in ((0, 1), (1, 0)):
                games[match.sides[one]] += out.score[one] - out.score[other]
        elif out.kind != "bye":
            games[out.winner] += 5
            games[out.loser] -= 5
    for row in competition.standings:
        assert row.points == points[row.entrant], row
        assert row.games[0] - row.games[1] == games[row.entrant], row
        assert row.played == row.won + row.lost
    ranks = [row.place for row in competition.standings if row.place is not None]
    assert ranks == sorted(ranks)
    ranked = [row for row in competition.standings if row.place is not None]
    assert [r.points for r in ranked] == sorted((r.points for r in ranked), reverse=True)


@FEW
@given(n=st.integers(2, 12), which=st.integers(0, 5), seed=SEEDS, data=st.data())
def test_a_correction_equals_a_history_with_the_corrected_result(n, which, seed, data):
    evening = started(formats(n)[which], n, seed)
    evening.play(lambda match: disturbed(evening, match), most=data.draw(st.integers(1, 60)))
    before = evening.competition
    settled = [entry for entry in before.log if isinstance(entry.act, a.Result)]
    if not settled:
        return
    entry = data.draw(st.sampled_from(settled))
    old = entry.act
    swapped = msgspec.structs.replace(old, score=old.score[::-1])
    new = data.draw(st.sampled_from([swapped, None]))
    correction = a.Corrected(entry=entry.number, old=old, new=new)
    line = a.Entry(number=len(before.log) + 1, at=evening.at, by="director", act=correction)
    told = competitions.consequences(before, line)
    try:
        evening.say(correction)
    except Refusal as refused:
        assert "isn't what settled" in refused.message
        return
    after = evening.competition
    history = [
        msgspec.structs.replace(e, act=new) if e.number == entry.number else e
        for e in before.log
        if e.number != entry.number or new is not None
    ]
    again = competitions.replay(before.opened, history)
    assert again.facts == after.facts
    assert again.fixtures == after.fixtures
    assert again.standings == after.standings and again.placings == after.placings
    # what was told is what came, match by match
    changed = {
        name
        for name, match in before.fixtures.items()
        if name != old.match
        and (match.sides, match.outcome)
        != (after.fixtures[name].sides, after.fixtures[name].outcome)
    }
    assert {touched.match for touched in told.touched} == changed
    # corrected back, everything counts again
    evening.say(a.Corrected(entry=entry.number, old=new, new=old))
    assert evening.competition.fixtures == before.fixtures
    # and it still ends
    evening.play()
    assert evening.competition.log[: len(before.log)] == before.log


@FEW
@given(n=st.integers(2, 12), which=st.integers(0, 5), seed=SEEDS)
def test_a_stored_log_gives_the_same_competition(n, which, seed):
    evening = started(formats(n)[which], n, seed)
    evening.play(lambda match: disturbed(evening, match))
    stored = msgspec.msgpack.encode((evening.competition.opened, evening.competition.log))
    opened, log = msgspec.msgpack.decode(stored, type=tuple[Settings, tuple[a.Entry, ...]])
    again = competitions.replay(opened, log)
    assert again == evening.competition
    assert again.fixtures == evening.competition.fixtures
    assert [entry.number for entry in log] == list(range(1, len(log) + 1))


@pytest.mark.parametrize("n", [2, 3, 127, 128])
def test_the_largest_fields_end_too(n):
    for form in (SingleElimination(third_place=True), DoubleElimination(), Swiss(rounds=7)):
        evening = started(form, n, seed=n)
        evening.play()
        assert evening.competition.is_over and evening.competition.placings[0].first == 1
