"""What is shown of straight pool: points, runs, the way to the next rack, in both languages."""

import pytest

from client.called import called_lines
from client.hud.choices import over_dialog
from client.hud.describe import Moment, describe
from client.hud.news import news_line
from client.hud.points import final_score, race_words
from client.hud.rulings import spoken
from client.net.session import Session
from client.net.view import TableView
from client.play.hand import Hand, Mode, targets_shown
from shared_rules import messages as m
from shared_rules.announcements import Reracking
from shared_rules.messages.league import ChartStep
from shared_rules.ruleset import make_ruleset
from shared_rules.state import Call, Foul, Phase, Rerack, Ruling
from shared_rules.table import Position
from tests.client.builders import TABLE, description, snapshot
from tests.client.builders import state as nine_ball

RULES = make_ruleset("straight_pool", {"target": 50})
BALLS = {0: Position(0.0, 0.0)} | {n: Position(0.5, 0.07 * n - 0.5) for n in range(1, 7)}


def state(rules=RULES, **changes):
    base = {"balls": BALLS, "scores": (21, -3), "run": 7, "high_runs": (9, 2)}
    return nine_ball(description=description(ruleset=rules), **(base | changes))


def shown(match, language="en", mode=Mode.WAIT):
    session = Session("Ann")
    session.view = TableView(TABLE)
    session.view.take_snapshot(snapshot(match))
    session.phase = "ready"
    return describe(session, Moment(Hand(), mode, language, 1.0))


@pytest.mark.parametrize(
    ("language", "race", "run"),
    [("en", "to 50 points · 5 to the rack", "run 7"), ("cs", "do 50 bodů · do postavení 5", "7")],
)
def test_points_and_the_run_of_who_is_at_the_table(language, race, run):
    model = shown(state(), language)
    assert [player.points for player in model.players] == ["21", "−3"]
    assert model.race == race
    assert run in model.players[0].note and run not in model.players[1].note


def test_games_are_shown_where_there_are_several():
    several = make_ruleset("straight_pool", {"target": 50, "match": {"games_to_win": 2}})
    match = state(several, games=(1, 0))
    assert race_words(match, "en").startswith("games 1 : 0 · to 50")
    assert final_score(match, "en") == "1 : 0"


def test_nine_ball_shows_what_it_always_did():
    model = shown(nine_ball())
    assert [player.points for player in model.players] == ["", ""]
    assert model.race == "race to 7"


def test_a_handicap_shows_the_races_of_both():
    rules = make_ruleset("nine_ball_epbf", {"match": {"races": [7, 5]}})
    assert race_words(state(rules), "en") == "race to 7 – 5"
    sets = {"games_to_win": 3, "sets_to_win": 2, "races": [2, 1]}
    rules = make_ruleset("nine_ball_epbf", {"match": sets})
    said = race_words(state(rules), "cs")
    assert said == "sety 0 : 0 · do 3 her · na 2 – 1 sety"


@pytest.mark.parametrize("language", ["en", "cs"])
def test_both_are_told_the_reason_of_a_handicap_and_its_chart(language):
    called = m.MatchCalled(
        competition="H4T8QZ", name="Club night", match="R1.1", station="2", opponent="Bob",
        due=0.0, late_s=900.0, races=(7, 5), why="rating_difference", ratings=(600.0, 540.0),
        chart=(ChartStep(from_difference=50.0, races=(7, 5)),),
    )  # fmt: skip
    reason, chart = called_lines(called, language)
    assert all(part in reason for part in ("7", "5", "Bob", "600", "540"))
    assert "50" in chart and "7 – 5" in chart
    line = news_line(language, called)
    assert line is not None and reason in line[0]


def test_the_rack_is_waited_for_and_announced():
    rerack = Rerack(balls=tuple(range(1, 15)))
    model = shown(state(phase=Phase.RERACK, racked=False, rerack=rerack))
    assert "racked" in model.prompt and "rack" not in model.race
    view = type("View", (), {"name_of": lambda self, seat: ("Ann", "Bob")[seat]})()
    line = spoken("en", view, Reracking(seat=0, rerack=rerack))
    assert line == ("14 balls are racked, Ann goes on", "note")


def test_no_ball_is_marked_where_any_may_be_hit():
    assert targets_shown(state()) == ()


def test_br_024_a_stroke_without_a_call_says_what_is_missing():
    assert "call a ball" in shown(state(), mode=Mode.AIM).prompt
    called = state(call=Call(ball=3, pocket="side_left"))
    assert "3" in shown(called, mode=Mode.AIM).prompt


def test_who_looks_on_sees_what_is_called():
    called = state(phase=Phase.SHOT_RUNNING, call=Call(ball=3, pocket="side_left"))
    assert shown(called).hint == "Ann calls ball 3, side pocket on the left"
    assert shown(state(shooter=1, call=Call(safety=True))).hint == "Bob calls a safety"


def test_what_a_third_foul_costs_is_said_before_it():
    brink = state(consecutive_fouls=(2, 0))
    assert "16 points" in shown(brink, mode=Mode.AIM).hint


def test_points_of_the_last_stroke_are_a_line_of_its_ruling():
    fouls = (Foul(code="6.1", rule_id="F6.1"),)
    lost = shown(state(last_ruling=Ruling(shot=3, shooter=0, fouls=fouls, points=-1)))
    assert ("points: −1", "bad") in lost.ruling
    won = shown(state(last_ruling=Ruling(shot=3, shooter=0, pocketed=(1, 2), points=2)))
    assert ("points: +2", "good") in won.ruling


def test_br_028_the_final_score_is_that_of_the_state():
    match = state(phase=Phase.MATCH_OVER, winner=0, scores=(50, -3), high_runs=(20, 2))
    assert final_score(match, "en") == "50 : −3 (high runs 20 and 2)"
    names = {"name_of": lambda self, seat: ("Ann", "Bob")[seat], "seat": 0, "closed": None}
    view = type("View", (), names)()
    over = over_dialog(view, match, Hand(), "en", offline=False)
    assert "50 : −3" in over.body
    assert [button.action for button in over.buttons] == ["rematch", "quit"]
