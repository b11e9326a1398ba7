"""Round robin, Swiss, ladder, teams: single cases with the right value beside each."""

from collections import Counter
from itertools import permutations
from random import Random

import pytest

from server.club.outcome import changed
from server.club.pairings import pairings
from server.competitions import acts as a
from server.competitions import swiss
from server.competitions.handicap import chart_of, game_chance, race_chance, races_of
from server.competitions.setup import (
    Board,
    ChartHandicap,
    Ladder,
    OddsHandicap,
    RoundRobin,
    Settings,
    SingleElimination,
    Step,
    Swiss,
    TeamMatch,
    TieBreak,
)
from server.competitions.teams import boards_of, line_up_of, result_of
from server.competitions.words import reason_text, stage_text, tie_break_text
from server.storage.competitions import LeagueTable
from shared_rules.refusal import Refusal
from shared_rules.state import Phase
from tests.client.builders import state
from tests.server.competitions.evening import EIGHT, Evening, started


def test_head_to_head_parts_before_games():
    evening = started(RoundRobin(), 4)
    for one, other, behind in (
        ("p1", "p2", 4), ("p1", "p3", 4), ("p4", "p1", 4), ("p2", "p3", 0), ("p2", "p4", 0),
        ("p3", "p4", 3),
    ):  # fmt: skip
        match = next(m for m in evening.open if m.pair == {one, other})
        evening.won(match.id, one, behind)
    rows = evening.competition.standings
    # p1 and p2 have 4 points; p2 has the better games, but p1 has beaten him
    assert [row.entrant for row in rows] == ["p1", "p2", "p3", "p4"]
    assert dict(rows[0].tie_breaks)[TieBreak.HEAD_TO_HEAD] == 2.0
    assert dict(rows[1].tie_breaks) == {
        TieBreak.HEAD_TO_HEAD: 0.0, TieBreak.GAMES_DIFFERENCE: 9.0, TieBreak.GAMES_WON: 14.0
    }  # fmt: skip


def cycle(**more) -> Evening:
    """Three who have each won once, all 5-3."""
    evening = started(RoundRobin(), 3, **more)
    for one, other in (("p1", "p2"), ("p2", "p3"), ("p3", "p1")):
        match = next(m for m in evening.open if m.pair == {one, other})
        evening.won(match.id, one, 3)
    return evening


def test_whom_nothing_parts_share_a_place_until_they_lag():
    evening = cycle(tie_breaks=(TieBreak.GAMES_DIFFERENCE, TieBreak.LAG_OFF))
    assert [row.place for row in evening.competition.standings] == [1, 1, 1]
    assert {(p.first, p.last) for p in evening.competition.placings} == {(1, 3)}
    evening.say(a.LagOff(order=("p3", "p1", "p2")))
    assert [(r.place, r.entrant) for r in evening.competition.standings] == [
        (1, "p3"), (2, "p1"), (3, "p2")
    ]  # fmt: skip


def test_strength_of_opponents():
    evening = started(Swiss(rounds=2), 3, tie_breaks=(TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER))
    evening.won("R1.1", "p1")  # p3 has the bye
    evening.draw()
    match = next(m for m in evening.open)
    assert match.pair == {"p1", "p3"}
    evening.won(match.id, "p1")
    rows = {row.entrant: row for row in evening.competition.standings}
    # p1 4 points (p2, p3), p2 2 (p1, bye), p3 2 (bye, p1); a bye counts as an equal
    assert [rows[who].points for who in ("p1", "p2", "p3")] == [4, 2, 2]
    assert [value for _, value in rows["p1"].tie_breaks] == [4.0, 4.0]
    assert [value for _, value in rows["p2"].tie_breaks] == [6.0, 2.0]


def least_rematches(players: list[str], met: Counter) -> int:
    """By trying all pairings."""
    best = 99
    for order in permutations(players[1:]):
        line = [players[0], *order]
        pairs = zip(line[::2], line[1::2], strict=True)
        best = min(best, sum(met[frozenset(pair)] > 0 for pair in pairs))
    return best


@pytest.mark.parametrize("seed", range(12))
def test_swiss_pairs_without_rematch_wherever_there_is_such_a_pairing(seed):
    random = Random(seed)
    players = [f"p{n}" for n in range(6 - seed % 2)]
    field = [*players, swiss.BYE] if len(players) % 2 else players
    pairs = [frozenset((x, y)) for x in field for y in field if x < y]
    met = Counter({pair: 1 for pair in pairs if random.random() < 0.6})
    points = {who: random.randrange(4) for who in players}
    drawn = swiss.pairing(sorted(players, key=lambda who: -points[who]), points, met)
    assert sorted(who for pair in drawn for who in pair) == sorted(field)
    assert sum(met[frozenset(pair)] for pair in drawn) == least_rematches(field, met)


def test_the_first_swiss_round_sets_top_against_bottom_half():
    evening = started(Swiss(rounds=3), 8)
    pairs = [set(m.sides) for m in evening.open]
    assert pairs == [{"p1", "p5"}, {"p2", "p6"}, {"p3", "p7"}, {"p4", "p8"}]


def test_a_newcomer_plays_from_the_next_swiss_round_on_and_a_leaver_no_more():
    evening = started(Swiss(rounds=2), 4)
    evening.play(most=2)
    evening.enter(5)
    evening.say(a.Withdrawn(entrant="p2"))
    evening.draw()
    second = [m.pair for m in evening.competition.fixtures.values() if m.round == 2]
    assert frozenset().union(*second) == {"p1", "p3", "p4", "p5"}


@pytest.mark.parametrize(("played", "struck"), [(1, True), (2, False)])
def test_who_leaves_before_half_of_his_matches_is_struck_out(played, struck):
    evening = started(RoundRobin(), 5)
    for match in [m for m in evening.open if "p1" in m.sides][:played]:
        evening.won(match.id, "p1")
    evening.say(a.Withdrawn(entrant="p1"))
    mine = [m for m in evening.competition.fixtures.values() if "p1" in m.sides]
    assert {m.struck for m in mine} == {struck} and not any(m.is_open for m in mine)
    evening.say(a.Corrected(entry=len(evening.competition.log), old=a.Withdrawn(entrant="p1"),
                            new=None))  # fmt: skip
    mine = [m for m in evening.competition.fixtures.values() if "p1" in m.sides]
    assert sum(m.is_open for m in mine) == 4 - played


def test_the_disqualified_lose_all_results_n9_9j():
    evening = started(RoundRobin(), 4)
    for match in [m for m in evening.open if "p1" in m.sides]:
        evening.won(match.id, "p1")
    evening.say(a.Withdrawn(entrant="p1", disqualified=True))
    evening.play()
    last = evening.competition.standings[-1]
    assert (last.entrant, last.place, last.points) == ("p1", None, 0)
    assert all(row.played == 2 for row in evening.competition.standings[:3])


# --- ladder -----------------------------------------------------------------------------------


def ladder(**rules) -> Evening:
    evening = started(Ladder(**rules), 5)
    evening.draw()
    return evening


def standing(evening: Evening) -> str:
    return "".join(p.entrant[1:] for p in evening.competition.placings)


@pytest.mark.parametrize(("moves", "after"), [("insert", "14235"), ("exchange", "14325")])
def test_a_challenger_who_wins_takes_the_place(moves, after):
    evening = ladder(moves=moves)
    evening.say(a.Challenged(match="C1", challenger="p4", challenged="p2"))
    evening.won("C1", "p4")
    assert standing(evening) == after


def test_a_challenger_who_loses_stays():
    evening = ladder()
    evening.say(a.Challenged(match="C1", challenger="p4", challenged="p2"))
    evening.won("C1", "p2")
    assert standing(evening) == "12345"


@pytest.mark.parametrize(
    ("challenger", "challenged", "why"),
    [("p5", "p1", "at most 3 places"), ("p2", "p3", "places up"), ("p3", "p4", "places up"),
     ("p5", "p4", "isn't played"), ("p9", "p1", "doesn't stand")],
)  # fmt: skip
def test_challenges_that_the_ladder_does_not_allow(challenger, challenged, why):
    evening = ladder()
    evening.say(a.Challenged(match="C1", challenger="p4", challenged="p2"))
    with pytest.raises(Refusal, match=why):
        evening.say(a.Challenged(match="C2", challenger=challenger, challenged=challenged))


def test_the_same_two_wait_and_a_correction_moves_the_ladder_back():
    evening = ladder()
    evening.say(a.Challenged(match="C1", challenger="p2", challenged="p1"))
    evening.won("C1", "p2")
    entry = evening.competition.log[-1]
    with pytest.raises(Refusal, match="wait 7 days"):
        evening.say(a.Challenged(match="C2", challenger="p1", challenged="p2"))
    evening.enter(6)
    evening.say(a.Withdrawn(entrant="p3"))
    assert standing(evening) == "21456"
    swapped = a.Result(match="C1", sides=entry.act.sides, score=entry.act.score[::-1])
    evening.say(a.Corrected(entry=entry.number, old=entry.act, new=swapped))
    assert standing(evening) == "12456"


# --- teams ------------------------------------------------------------------------------------

TEAMS = TeamMatch(boards=(Board(race_to=3), Board(race_to=3), Board(players=2, race_to=2)))


def season() -> Evening:
    form = RoundRobin(legs=2)
    evening = Evening(
        Settings(name="Season", format=form, teams=TEAMS, match_days=(EIGHT, EIGHT + 604_800.0))
    )
    for name in "AB":
        players = tuple(f"{name.lower()}{n}" for n in range(1, 5))
        evening.say(a.Entered(entrant=a.Entrant(id=name, name=f"Club {name}", players=players)))
    evening.draw()
    return evening


def test_a_season_has_match_days_and_both_are_at_home_once():
    made = list(season().competition.fixtures.values())
    assert [m.not_before for m in made] == [EIGHT, EIGHT + 604_800.0]
    assert made[0].sides == made[1].sides[::-1]


@pytest.mark.parametrize(
    ("boards", "why"),
    [
        ((("a1",), ("a2",)), "3 boards"),
        ((("a1",), ("a2",), ("a3",)), "board 3 wants 2"),
        ((("a1",), ("b2",), ("a3", "a4")), "doesn't play for"),
        ((("a1",), ("a1",), ("a3", "a4")), "named 2 times"),
    ],
)
def test_line_ups_that_are_none(boards, why):
    evening = season()
    with pytest.raises(Refusal, match=why):
        evening.say(a.LineUp(match="R1.1", entrant="A", boards=boards))
    evening.say(a.LineUp(match="R1.1", entrant="A", boards=(("a1",), ("a2",), ("a3", "a4"))))


def test_boards_make_the_result_of_a_team_match():
    evening = season()
    sides = evening.competition.fixtures["R1.1"].sides
    boards = ((3, 1), (2, 3), (2, 0))
    with pytest.raises(Refusal, match="come to"):
        evening.say(a.Result(match="R1.1", sides=sides, score=(3, 0), boards=boards))
    with pytest.raises(Refusal, match="board 3 is a race"):
        evening.say(a.Result(match="R1.1", sides=sides, score=(2, 1), boards=(*boards[:2], (3, 0))))
    evening.say(a.Result(match="R1.1", sides=sides, score=(2, 1), boards=boards))
    first = evening.competition.standings[0]
    assert (first.entrant, first.score, first.games) == (sides[0], (2, 1), (7, 4))


def test_without_a_line_up_players_come_in_order_as_often_as_they_may():
    evening = season()
    facts = evening.competition.facts
    assert line_up_of(facts, "R1.1", "A") == (("a1",), ("a2",), ("a3", "a4"))
    evening.say(a.LineUp(match="R1.1", entrant="A", boards=(("a4",), ("a2",), ("a1", "a3"))))
    facts = evening.competition.facts
    assert line_up_of(facts, "R1.1", "A") == (("a4",), ("a2",), ("a1", "a3"))
    assert line_up_of(facts, "R2.1", "A") == (("a1",), ("a2",), ("a3", "a4"))
    short = a.Entrant(id="C", name="Club C", players=("c1",))
    evening.say(a.Entered(entrant=short))
    assert line_up_of(evening.competition.facts, "R1.1", "C") == (("c1",), (), ())


def test_boards_stand_as_they_were_entered_until_they_are_open_again():
    evening = season()
    sides = evening.competition.fixtures["R1.1"].sides

    def board(number, score):
        evening.say(a.BoardResult(match="R1.1", sides=sides, board=number, score=score))

    for wrong in ((4, 1), (2, 1), (3, 3)):
        with pytest.raises(Refusal, match="race to 3"):
            board(1, wrong)
    with pytest.raises(Refusal, match="3 boards"):
        board(4, (3, 1))
    board(2, (1, 3))
    board(1, (3, 2))
    facts = evening.competition.facts
    assert boards_of(facts, "R1.1", sides) == ((3, 2), (1, 3), None)
    assert boards_of(facts, "R1.1", sides[::-1]) == ((2, 3), (3, 1), None)
    assert result_of(facts, "R1.1", sides) is None
    board(1, None)
    board(3, (2, 0))
    assert boards_of(evening.competition.facts, "R1.1", sides) == (None, (1, 3), (2, 0))
    board(1, (3, 0))
    result = result_of(evening.competition.facts, "R1.1", sides)
    assert result.score == (2, 1) and result.boards == ((3, 0), (1, 3), (2, 0))
    evening.say(result, "server")
    with pytest.raises(Refusal, match="isn't open"):
        board(1, None)


def test_only_boards_of_one_against_one_with_somebody_on_either_side_get_a_table():
    doubles = TeamMatch(boards=(Board(players=2, race_to=2), Board(race_to=3)), appearances=2)
    evening = Evening(Settings(name="Season", format=RoundRobin(), teams=doubles))
    for name, players in (("A", ("a1",)), ("B", ("b1", "b2"))):
        evening.say(a.Entered(entrant=a.Entrant(id=name, name=name, players=players)))
    evening.draw()
    (match,) = evening.open
    # nobody of A for the doubles: the two of B don't meet each other
    (only,) = pairings(evening.competition, match.id, match.sides)
    assert only.board == 2 and "a1" in only.sides


def test_a_board_whose_match_goes_on_after_all_takes_the_team_s_result_back():
    """Its last stroke was a foul: what hung on it is open again, and nothing else."""
    evening = season()
    sides = evening.competition.fixtures["R1.1"].sides
    players = [evening.competition.facts.entrants[side].players[0] for side in sides]
    at = LeagueTable(
        table="T", competition="C", match="R1.1", sides=(players[1], players[0]), board=1
    )
    for number, score in ((2, (3, 0)), (3, (2, 0))):
        evening.say(a.BoardResult(match="R1.1", sides=sides, board=number, score=score))
    before, over = state(), state(Phase.MATCH_OVER, winner=0, games=(3, 1))
    (won,) = changed(evening.competition, at, before, over)
    assert won == a.BoardResult(match="R1.1", sides=sides, board=1, score=(1, 3)), "seat 0 is away"
    evening.say(won)
    evening.say(result_of(evening.competition.facts, "R1.1", sides))
    assert evening.competition.fixtures["R1.1"].outcome.score == (2, 1)
    for act in changed(evening.competition, at, over, before):
        evening.say(act)
    assert evening.competition.fixtures["R1.1"].is_open
    assert boards_of(evening.competition.facts, "R1.1", sides) == (None, (3, 0), (2, 0))
    # given, not won: his opponent has the race, he keeps what he had
    given = state(Phase.MATCH_OVER, winner=1, games=(2, 0))
    (won,) = changed(evening.competition, at, before, given)
    assert won.score == (3, 2)


def test_a_match_that_goes_on_takes_back_its_own_result_and_not_an_official_s():
    evening = Evening(Settings(name="Open", format=RoundRobin(), race_to=3), entrants=2)
    evening.draw()
    (match,) = evening.open
    at = LeagueTable(table="T", competition="C", match=match.id, sides=match.sides)
    running, over = state(), state(Phase.MATCH_OVER, winner=0, games=(3, 1))
    (own,) = changed(evening.competition, at, running, over)
    evening.say(own)
    (back,) = changed(evening.competition, at, over, running)
    assert (back.old, back.new) == (own, None)
    entry = len(evening.competition.log)
    other = a.Result(match=match.id, sides=match.sides, score=(0, 3))
    evening.say(a.Corrected(entry=entry, old=own, new=other))
    assert changed(evening.competition, at, over, running) == ()


# --- entries, formats, handicap -----------------------------------------------------------------


def test_a_change_of_format_before_the_draw_keeps_who_is_entered():
    evening = Evening(Settings(name="Open", format=SingleElimination()), entrants=5)
    for form in (Swiss(rounds=3), RoundRobin(), Ladder(), SingleElimination(third_place=True)):
        evening.say(a.SettingsChanged(settings=Settings(name="Open", format=form)))
        assert len(evening.competition.facts.present) == 5
    evening.draw()
    with pytest.raises(Refusal, match="settled by the draw"):
        evening.say(a.SettingsChanged(settings=Settings(name="Open", format=RoundRobin())))


def test_seeds_by_hand_and_by_lot():
    by_hand = Settings(name="Open", format=RoundRobin(), seeding="hand")
    evening = Evening(by_hand, entrants=4)
    evening.say(a.Seeded(order=("p3", "p1")))
    assert evening.draw().places == ("p3", "p1", "p2", "p4")
    by_lot = Settings(name="Open", format=RoundRobin(), seeding="draw")
    drawn = {Evening(by_lot, entrants=6, seed=n).draw().places for n in range(5)}
    assert len(drawn) > 1
    assert Evening(by_lot, 6, seed=3).draw() == Evening(by_lot, 6, seed=3).draw()


def test_nobody_is_entered_twice_and_who_left_before_the_draw_may_come_back():
    evening = Evening(Settings(name="Open", format=RoundRobin()), entrants=3)
    with pytest.raises(Refusal, match="already entered"):
        evening.enter(2)
    evening.say(a.Withdrawn(entrant="p2"))
    evening.enter(2)
    assert sorted(evening.draw().places) == ["p1", "p2", "p3"]


STRONG, WEAK = a.Entrant(id="s", name="S", rating=600.0), a.Entrant(id="w", name="W", rating=500.0)


def test_races_by_odds_are_those_nearest_to_even():
    assert game_chance(100.0, 100.0) == pytest.approx(2 / 3)
    assert race_chance(0.5, 7, 7) == pytest.approx(0.5)
    # race to 2 against 1 at 2/3: both games must be won
    assert race_chance(2 / 3, 2, 1) == pytest.approx(4 / 9)
    settings = Settings(name="H", format=RoundRobin(), race_to=7, handicap=OddsHandicap())
    reason = races_of(settings, STRONG, WEAK)
    assert reason.races == (7, 4)
    nearest = min(range(2, 8), key=lambda k: abs(race_chance(2 / 3, 7, k) - 0.5))
    assert nearest == 4
    turned = races_of(settings, WEAK, STRONG)
    assert turned.races == (4, 7) and turned.chance == pytest.approx(1.0 - reason.chance)
    chart = chart_of(OddsHandicap(), 7)
    settings = Settings(name="H", format=RoundRobin(), race_to=7, handicap=chart)
    assert races_of(settings, STRONG, WEAK).races == (7, 4)


def test_races_by_chart():
    chart = ChartHandicap(
        steps=(Step(from_difference=50, races=(7, 6)), Step(from_difference=100, races=(8, 6)))
    )
    settings = Settings(name="H", format=RoundRobin(), race_to=7, handicap=chart)
    assert races_of(settings, STRONG, WEAK).races == (8, 6)
    near = a.Entrant(id="n", name="N", rating=560.0)
    assert races_of(settings, STRONG, near).races == (7, 7)
    assert races_of(settings, STRONG, a.Entrant(id="x", name="X")).why == "no_rating"


def test_a_match_ended_early_goes_to_who_is_nearer_to_his_race():
    evening = started(SingleElimination(), 2, race_to=7, handicap=ChartHandicap(
        steps=(Step(from_difference=0, races=(7, 4)),)))  # fmt: skip
    evening.say(a.Result(match="F1", sides=("p1", "p2"), score=(3, 2), short=True))
    assert evening.competition.fixtures["F1"].outcome.winner == "p2"


def test_words_in_both_languages():
    settings = Settings(name="H", format=RoundRobin(), race_to=7, handicap=OddsHandicap())
    reason = races_of(settings, STRONG, WEAK)
    assert reason_text(reason, "Ann", "Bob", "en") == (
        "Ann plays to 7, Bob to 4: their ratings differ by 100."
    )
    assert reason_text(reason, "Ann", "Bob", "cs") == (
        "Ann hraje na 7, Bob na 4: rozdíl ratingu je 100."
    )
    for language in ("en", "cs"):
        assert all(tie_break_text(name, language) for name in TieBreak)
        stages = ("round", "winners", "losers", "final", "third_place", "challenge")
        assert len({stage_text(stage, 2, language) for stage in stages}) == 6
