"""Stations: who is called where, estimates, and what the time brings about."""

from random import Random

import pytest

from server import competitions
from server.competitions import acts as a
from server.competitions import calling
from server.competitions.setup import (
    DoubleElimination,
    Ladder,
    RoundRobin,
    SingleElimination,
    Swiss,
)
from shared_rules.refusal import Refusal
from tests.server.competitions.evening import Evening, started

FORMS = [RoundRobin(), Swiss(rounds=3), SingleElimination(third_place=True), DoubleElimination()]


def call_all(evening: Evening) -> None:
    for called in competitions.next_calls(evening.competition, evening.at):
        evening.competition = competitions.record(evening.competition, evening.at, "floor", called)


def with_stations(form, entrants: int, stations: int = 2, **more: object) -> Evening:
    evening = started(form, entrants, **more)
    evening.say(a.StationsSet(stations=tuple(f"T{n}" for n in range(1, stations + 1))))
    call_all(evening)
    return evening


@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
@pytest.mark.parametrize("stations", [1, 3, 20])
def test_an_evening_runs_to_its_end_without_a_scorekeeper(form, stations):
    evening = with_stations(form, 9, stations, min_rest_s=900.0)
    random, ended, settled = Random(stations), dict[str, float](), list[str]()
    for _ in range(10_000):
        competition = evening.competition
        if competition.is_over:
            break
        calls = competition.calls
        # nobody is on two tables, and no table has two matches
        assert len({call.station for call in calls.values()}) == len(calls)
        people = [who for name in calls for who in competition.fixtures[name].pair]
        assert len(set(people)) == len(people)
        if calls:
            name = random.choice(sorted(calls))
            match = competition.fixtures[name]
            assert match.is_open and not match.feeders
            assert all(ended.get(who, 0.0) + 900.0 <= calls[name].at for who in match.pair)
            evening.say(evening.result(name))
            ended |= dict.fromkeys(match.pair, evening.at)
            settled.append(name)
        elif not evening.open:
            evening.draw()
        else:
            evening.at += 900.0  # all that are left rest
        call_all(evening)
    assert evening.competition.is_over
    assert len(set(settled)) == len(settled)


def test_a_free_station_gets_the_next_match_at_once():
    evening = with_stations(SingleElimination(), 8)
    assert {n: c.station for n, c in evening.competition.calls.items()} == {
        "W1.1": "T1", "W1.2": "T2"
    }  # fmt: skip
    evening.won("W1.2", "p4")
    (called,) = competitions.next_calls(evening.competition, evening.at)
    assert (called.match, called.station) == ("W1.3", "T2")


def test_early_rounds_are_called_before_late_ones():
    """BR-108: no match comes before one that feeds it."""
    evening = with_stations(DoubleElimination(), 8, 1)
    order = []
    while evening.open:
        (name,) = evening.competition.calls
        order.append(name)
        evening.say(evening.result(name, 0))
        call_all(evening)
    assert order[:4] == ["W1.1", "W1.2", "W1.3", "W1.4"]
    assert max(map(order.index, ["W2.1", "W2.2", "L1.1", "L1.2"])) < order.index("L2.1")


def test_held_matches_wait_and_matches_move():
    evening = with_stations(SingleElimination(), 8, 3)
    evening.say(a.Held(match="W1.4"))

    def call(match: str, station: str) -> a.Called:
        sides = evening.competition.fixtures[match].sides
        return a.Called(match=match, sides=sides, station=station, due=evening.at)

    evening.won("W1.1", "p1")
    assert competitions.next_calls(evening.competition, evening.at) == ()
    assert "W1.4" not in {e.match for e in competitions.estimates(evening.competition, evening.at)}
    evening.say(a.Held(match="W1.4", held=False))
    (called,) = competitions.next_calls(evening.competition, evening.at)
    assert called.match == "W1.4"
    with pytest.raises(Refusal, match=r"W1\.2 is at T2"):
        evening.say(call("W1.3", "T2"))
    evening.say(call("W1.3", "T1"))
    assert evening.competition.calls["W1.3"].station == "T1"
    evening.say(a.CalledOff(match="W1.3"))
    assert "W1.3" not in evening.competition.calls


def test_nobody_is_called_who_is_busy_elsewhere():
    evening = started(SingleElimination(), 4)
    evening.say(a.StationsSet(stations=("T1", "T2")))
    calls = competitions.next_calls(
        evening.competition, evening.at, frozenset({"p1"}), frozenset({"T1"})
    )
    assert [(c.match, c.station) for c in calls] == [("W1.2", "T2")]


def test_a_match_day_is_waited_for():
    evening = started(RoundRobin(), 2, match_days=(2e9,))
    evening.say(a.StationsSet(stations=("T1",)))
    assert competitions.next_calls(evening.competition, 2e9 - 1.0) == ()
    assert len(competitions.next_calls(evening.competition, 2e9)) == 1
    assert competitions.estimates(evening.competition, evening.at)[0].starts_at == 2e9


def test_estimates_follow_feeders_stations_and_rest():
    evening = with_stations(SingleElimination(), 4, 1, min_rest_s=300.0, race_to=1, game_s=600.0)
    at = evening.at
    told = {e.match: e for e in competitions.estimates(evening.competition, at)}
    assert told["W1.1"].station == "T1" and told["W1.1"].ends_at == pytest.approx(at + 600.0)
    assert told["W1.2"].starts_at == pytest.approx(at + 600.0)
    assert told["F1"].starts_at == pytest.approx(at + 1200.0 + 300.0)


def test_a_game_lasts_as_long_as_those_before():
    assert calling.games_expected(1, 1) == pytest.approx(1.0)
    assert calling.games_expected(2, 2) == pytest.approx(2.5)
    evening = with_stations(SingleElimination(), 4, 1, game_s=600.0)
    assert calling.game_s(evening.competition) == pytest.approx(600.0)
    evening.won("W1.1", "p1", 0)  # five games in 600 s
    assert calling.game_s(evening.competition) == pytest.approx((10 * 600.0 + 600.0) / 15)


def test_who_is_not_there_after_fifteen_minutes_is_out_n9_9j():
    evening = with_stations(SingleElimination(), 4)
    due = evening.competition.calls["W1.1"].due
    evening.competition = competitions.record(
        evening.competition, evening.at, "p1", a.Arrived(match="W1.1", entrant="p1")
    )
    for who in ("p2", "p3"):
        arrived = a.Arrived(match="W1.2", entrant=who)
        evening.competition = competitions.record(evening.competition, evening.at, who, arrived)
    assert competitions.late(evening.competition, due + 899.9) == ()
    acts = competitions.late(evening.competition, due + 900.0)
    assert acts == (a.Withdrawn(entrant="p4", disqualified=True, reason="N9.9j"),)
    evening.at = due + 300.0
    evening.say(acts[0])
    assert evening.competition.fixtures["W1.1"].outcome.winner == "p1"
    assert competitions.late(evening.competition, due + 5000.0) == ()


def test_nobody_becomes_later_while_a_competition_is_paused_or_its_server_down():
    evening = with_stations(RoundRobin(), 2)
    call_all(evening)
    ((name, call),) = evening.competition.calls.items()
    began = evening.at
    evening.say(a.Paused(reason="fire alarm"))
    evening.at += 3 * 3600.0
    assert calling.late(evening.competition, evening.at) == ()
    with pytest.raises(Refusal):
        evening.say(a.Paused())
    evening.say(a.Resumed())
    stood = evening.at - began - 600.0  # 10 minutes had passed when it was paused
    call = evening.competition.calls[name]
    assert call.due == began + stood and call.at == began + stood
    # of the fifteen minutes 10 were gone
    assert calling.late(evening.competition, evening.at + 299.0) == ()
    assert len(calling.late(evening.competition, evening.at + 301.0)) == 2
    # the server was down from the 14th minute on: everybody has a minute to come back
    down = evening.at + 240.0
    evening.at += 90_000.0
    with pytest.raises(Refusal):
        evening.say(a.Resumed(since=down))
    evening.say(a.Resumed(since=down), by="server")
    assert calling.late(evening.competition, evening.at + 59.0) == ()
    assert len(calling.late(evening.competition, evening.at + 61.0)) == 2


def test_while_paused_nothing_is_called():
    evening = with_stations(RoundRobin(), 4, stations=1)
    match = next(iter(evening.competition.calls))
    evening.say(a.Paused())
    evening.say(evening.result(match))
    assert calling.next_calls(evening.competition, evening.at) == ()
    evening.say(a.Resumed())
    assert len(calling.next_calls(evening.competition, evening.at)) == 1


def test_lateness_may_cost_the_match_alone():
    evening = with_stations(RoundRobin(), 3, 1, late_means="forfeit")
    (name,) = evening.competition.calls
    one, other = evening.competition.fixtures[name].sides
    evening.say(a.Arrived(match=name, entrant=other))
    (act,) = competitions.late(evening.competition, evening.at + 900.0)
    assert isinstance(act, a.Forfeit) and act.loser == one
    evening.say(act)
    assert one not in evening.competition.facts.left


def test_a_challenge_not_played_in_time_is_lost_by_the_challenged():
    evening = started(Ladder(play_within_s=86_400.0), 3)
    evening.draw()
    evening.say(a.Challenged(match="C1", challenger="p3", challenged="p1"))
    assert competitions.late(evening.competition, evening.at + 86_399.0) == ()
    (act,) = competitions.late(evening.competition, evening.at + 86_400.0)
    evening.say(act)
    assert [p.entrant for p in evening.competition.placings] == ["p3", "p1", "p2"]


def test_a_station_is_free_again_when_a_player_of_its_match_leaves():
    evening = with_stations(SingleElimination(), 8, 1)
    evening.say(a.Withdrawn(entrant="p8"))
    assert evening.competition.calls == {}
    (called,) = competitions.next_calls(evening.competition, evening.at)
    assert (called.match, called.station) == ("W1.2", "T1")


def test_a_result_taken_back_doesnt_put_two_matches_on_a_table():
    evening = with_stations(SingleElimination(), 8, 1)
    evening.won("W1.1", "p1")
    entry = evening.competition.log[-1]
    taken_back = a.Corrected(entry=entry.number, old=entry.act, new=None)
    again = competitions.record(evening.competition, evening.at, "director", taken_back)
    assert list(again.calls) == ["W1.1"]  # nobody has taken the table since
    call_all(evening)
    evening.say(taken_back)
    assert list(evening.competition.calls) == ["W1.2"]
    evening.won("W1.2", "p4")
    assert list(evening.competition.calls) == ["W1.1"]


def test_a_call_lapses_when_a_correction_has_others_meet():
    evening = with_stations(SingleElimination(), 4, 2)
    evening.won("W1.1", "p1")
    entry = evening.competition.log[-1]
    evening.won("W1.2", "p2")
    call_all(evening)
    evening.say(a.Arrived(match="F1", entrant="p1"))
    new = a.Result(match="W1.1", sides=("p1", "p4"), score=(0, 5))
    evening.say(a.Corrected(entry=entry.number, old=entry.act, new=new))
    assert evening.competition.calls == {}
    # the newcomer isn't late for a call that wasn't his
    assert competitions.late(evening.competition, evening.at + 5000.0) == ()
    call_all(evening)
    (call,) = evening.competition.calls.values()
    assert call.sides == ("p4", "p2") and call.arrived == frozenset()
