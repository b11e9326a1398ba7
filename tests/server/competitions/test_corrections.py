"""Corrections: what is told before one is applied, what it changes, what stays in the log."""

import msgspec
import pytest

from server import competitions
from server.competitions import acts as a
from server.competitions.bench import measured
from server.competitions.setup import RoundRobin, Settings, SingleElimination, Swiss
from shared_rules.refusal import Refusal
from tests.server.competitions.evening import Evening, started


def line(evening: Evening, match: str) -> a.Entry:
    return next(
        e for e in evening.competition.log if isinstance(e.act, a.Result) and e.act.match == match
    )


def swapping(evening: Evening, match: str) -> a.Corrected:
    entry = line(evening, match)
    new = msgspec.structs.replace(entry.act, score=entry.act.score[::-1])
    return a.Corrected(entry=entry.number, old=entry.act, new=new, reason="scores swapped")


def told(evening: Evening, act: a.Corrected) -> competitions.Consequences:
    number = len(evening.competition.log) + 1
    entry = a.Entry(number=number, at=evening.at, by="director", act=act)
    return competitions.consequences(evening.competition, entry)


def test_one_that_nothing_hangs_on():
    evening = started(SingleElimination(), 2)
    evening.won("F1", "p1", 3)
    act = swapping(evening, "F1")
    assert told(evening, act).weight == "none"
    assert [after.entrant for _, after in told(evening, act).placings if after.first == 1] == ["p2"]


def test_one_that_a_waiting_match_hangs_on():
    evening = started(SingleElimination(), 4)
    evening.won("W1.1", "p1")
    brings = told(evening, swapping(evening, "W1.1"))
    assert brings.weight == "waiting"
    assert [(t.match, t.state, t.before, t.after) for t in brings.touched] == [
        ("F1", "waiting", ("p1", None), ("p4", None))
    ]


def test_one_that_a_played_match_hangs_on_and_its_way_back():
    evening = started(SingleElimination(), 4)
    for match, who in (("W1.1", "p1"), ("W1.2", "p2"), ("F1", "p1")):
        evening.won(match, who)
    act = swapping(evening, "W1.1")
    brings = told(evening, act)
    assert brings.weight == "settled" and brings.touched[0].state == "settled"
    before = evening.competition
    evening.say(act)
    final = evening.competition.fixtures["F1"]
    assert final.sides == ("p4", "p2") and final.is_open
    # everything that was entered is still there, and the correction has who, when, old and new
    assert evening.competition.log[:-1] == before.log
    last = evening.competition.log[-1]
    assert (last.by, last.at, last.act.old, last.act.new) == (
        "director", evening.at, act.old, act.new
    )  # fmt: skip
    evening.won("F1", "p4")
    # back again: the first final counts, with the result it had
    evening.say(a.Corrected(entry=act.entry, old=act.new, new=act.old))
    assert evening.competition.fixtures == before.fixtures


def test_a_swiss_round_that_was_drawn_stands():
    evening = started(Swiss(rounds=2), 4)
    for match in evening.open:
        evening.say(evening.result(match, 0))
    evening.draw()
    pairs = [m.sides for m in evening.competition.fixtures.values()]
    act = swapping(evening, "R1.1")
    assert told(evening, act).rounds_stand == (2,)
    evening.say(act)
    assert [m.sides for m in evening.competition.fixtures.values()] == pairs


def test_corrections_that_are_refused():
    evening = started(SingleElimination(), 4)
    evening.won("W1.1", "p1")
    entry = line(evening, "W1.1")
    for act, why in (
        (a.Corrected(entry=99, old=entry.act), "no line"),
        (a.Corrected(entry=1, old=None), "only results"),
        (a.Corrected(entry=entry.number, old=None), "doesn't say that"),
        (a.Corrected(entry=entry.number, old=entry.act,
                     new=msgspec.structs.replace(entry.act, match="W1.2")), "is about match"),
        (a.Corrected(entry=entry.number, old=entry.act,
                     new=msgspec.structs.replace(entry.act, score=(9, 1))), "race to"),
        (a.Corrected(entry=entry.number, old=entry.act, new=a.LagOff(order=("p1", "p2"))),
         "like in the place"),
    ):  # fmt: skip
        before = evening.competition
        with pytest.raises(Refusal, match=why):
            evening.say(act)
        assert evening.competition is before


def test_a_match_taken_back_can_be_entered_anew_but_the_old_line_not_as_well():
    evening = started(SingleElimination(), 2)
    evening.won("F1", "p1")
    entry = line(evening, "F1")
    evening.say(a.Corrected(entry=entry.number, old=entry.act, new=None))
    evening.won("F1", "p2")
    with pytest.raises(Refusal, match="isn't what settled"):
        evening.say(a.Corrected(entry=entry.number, old=None, new=entry.act))


def test_entries_are_in_the_order_of_time():
    evening = started(SingleElimination(), 2)
    with pytest.raises(Refusal, match="time of an entry"):
        competitions.record(evening.competition, 0.0, "director", a.Withdrawn(entrant="p1"))


def test_the_benchmark_draws_and_counts():
    report = measured(entrants=8, teams=6)
    assert report.matches == 30 and "30 matches" in str(report)


def test_a_settled_match_takes_no_second_result_but_a_correction():
    """Neither a result nor a walk-over or a forfeit puts itself in the place of what counts."""
    evening = Evening(Settings(name="Open", format=RoundRobin()), entrants=3)
    evening.draw()
    match = evening.open[0]
    first = evening.result(match, winner=0)
    evening.say(first)
    a_side, b_side = match.sides
    again = (
        evening.result(match, winner=1),
        a.WalkOver(match=match.id, sides=match.sides, winner=b_side),
        a.Forfeit(match=match.id, sides=match.sides, loser=a_side),
    )
    for act in again:
        with pytest.raises(Refusal, match="isn't open"):
            evening.say(act)
    assert evening.competition.fixtures[match.id].outcome.score == first.score
