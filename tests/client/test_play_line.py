"""What comes from the server while one plays: refusals, others' aim, the clock, words, the end."""

import pytest

from client.hud.hud import PARTS
from client.net.session import Lost, Opened, Received
from client.play.hand import Mode
from client.scene import CameraMode
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.ruleset import make_ruleset
from shared_rules.state import Phase
from shared_rules.table import Position
from tests.client.at_the_table import show, to_the_break
from tests.client.builders import TABLE, members, state, welcome
from tests.client.driver import Driven


def test_nothing_can_be_struck_while_the_server_has_not_answered(driven):
    d = driven()
    show(d, state())
    d.table.deaf = True
    d.session.play(c.AgreeStalemate())
    d.frames(2)
    assert "not answered" in d.why_grey("strike")
    d.key("space")
    assert d.state.phase is Phase.AWAIT_SHOT and "not answered" in d.model.toast


def test_a_refusal_of_the_server_is_told_in_the_language_shown(driven):
    d = driven(language="cs")
    show(d, state())
    request = d.session.play(c.AgreeStalemate())
    d.session.take_outgoing()
    refused = m.Refused(
        code="balls_moving", fault="player", message="the balls are still moving", re=request
    )
    d.session.handle(Received(refused, d.now))
    d.frames(2)
    assert d.model.toast == "Koule jsou ještě v pohybu"
    assert d.model.toast_tone == "bad"


def test_a_lost_connection_shows_a_banner_and_comes_back(driven):
    d = driven()
    show(d, state())
    d.session.handle(Lost("the connection was closed", d.now))
    d.frames(2)
    assert "Connection lost" in d.model.banner and d.model.link_level == 0
    assert "no connection" in d.why_grey("strike")
    d.session.handle(Opened(d.now))
    d.session.handle(Received(welcome(), d.now))
    d.frames(2)
    assert d.model.banner == "" and d.app.mode is Mode.AIM


def test_a_spectator_sees_the_aim_and_can_press_nothing_of_the_match(driven):
    d = driven(seat=None)
    show(d, state(shooter=1))
    aiming = m.Aiming(table=TABLE, seat=1, heading_deg=33.0, elevation_deg=0.0, tip=(0.1, 0.0))
    d.session.handle(Received(aiming, d.now))
    d.frames(2)
    cue = d.app.stage.scene._cue.node
    assert not cue.is_hidden()
    assert d.app.mode is Mode.WATCH and d.model.buttons == ()
    d.key("space")
    d.key("p")
    assert d.table.state.version == state().version and d.table.refusals == []


def test_the_aim_is_told_to_the_others(driven):
    d = driven()
    show(d, state())
    d.key("arrow_left")
    d.frames(10)
    assert d.table.aims[-1].heading_deg == pytest.approx(d.hand.aim.heading_deg)


def test_who_joins_in_the_middle_of_a_shot_sees_it_from_there(driven):
    d = driven()
    to_the_break(d)
    d.key("enter")
    d.key("space")
    d.frames(2)
    started = d.table.flight.started_at
    d.wait(2.0)
    late = Driven(d.table, seat=None, name="Eve")
    late.frames(2)
    assert late.app.stage.shown.shot_time == pytest.approx(d.now + 1000 - started, abs=0.1)
    late.close()


def test_every_part_speaks_both_languages_at_run_time(driven):
    d = driven(size=(1280, 720))
    show(d, state(shooter=0))
    english = d.model
    d.push("language")
    czech = d.model
    assert english.prompt.startswith("Your shot") and czech.prompt.startswith("Hrajete")
    assert [b.label for b in english.buttons] != [b.label for b in czech.buttons]
    d.key("l")
    assert d.model.prompt == english.prompt


def test_views_by_keys_and_the_sheet_of_keys(driven):
    d = driven(size=(1280, 720))
    show(d, state())
    for key, mode in (("1", "cue"), ("2", "overhead"), ("3", "broadcast"), ("4", "orbit")):
        d.key(key)
        assert d.app.stage.camera == mode
    d.key("5")
    assert d.app.stage.camera is CameraMode.FOLLOW
    d.key("0")
    assert d.hand.view == "auto" and d.app.stage.camera is CameraMode.CUE
    d.push("view")
    assert d.hand.view == "cue"
    d.key("f1")
    assert d.model.help
    d.key("escape")
    assert not d.model.help


def test_the_clock_counts_by_the_servers_clock(driven):
    from shared_rules.state import Clock, ShotClock

    d = driven()
    clock = Clock(shot_clock=ShotClock(limit_s=35), deadline=d.now + 1012.4, purpose="shot")
    show(d, state(clock=clock))
    assert d.model.clock.seconds in (12, 13) and not d.model.clock.urgent
    d.wait(4.0)
    assert d.model.clock.seconds in (8, 9) and d.model.clock.urgent


def test_two_fouls_absence_and_the_ruling_are_in_words(driven):
    from shared_rules.state import Foul, Ruling

    d = driven()
    ruling = Ruling(
        shot=3, shooter=1, fouls=(Foul(code="5a", rule_id="N9.5a"),), pocketed=(0,), next_player=0
    )
    show(d, state(consecutive_fouls=(2, 0), warned=(True, False), last_ruling=ruling))
    assert d.model.players[0].note == "on two fouls"
    assert "third in a row" in d.model.hint
    text = " ".join(line for line, _ in d.model.ruling)
    assert "N9.5a" in text and "cue ball" in text and "Ann" in text
    d.table.seq += 1
    away = m.PresenceEvent(
        table=TABLE, seq=d.table.seq, clock=d.now + 1000, spectators=0,
        players=(members()[0], m.Member(name="Bob", connected=False, away_until=d.now + 1043.0)),
    )  # fmt: skip
    d.session.handle(Received(away, d.now))
    d.frames(2)
    assert "within 43 s" in d.model.players[1].note


def test_the_end_of_a_match_is_said_with_its_score(driven):
    d = driven()
    show(d, state(Phase.MATCH_OVER, winner=1, games=(2, 7), shooter=None))
    assert d.model.dialog.title == "Bob wins the match" and "2 : 7" in d.model.dialog.body
    d.key("enter")
    assert d.app.finished


def test_the_guide_obeys_the_table(driven):
    for reach, points, ways in (("none", 0, 0), ("first_contact", 2, 0), ("full", 2, 2)):
        rules = make_ruleset("nine_ball_epbf", {"aids": {"guide_line": reach}})
        d = driven(description={"ruleset": rules})
        balls = {0: Position(-0.3, 0.0), 1: Position(0.3, 0.0)}
        show(d, state(balls=balls, description=d.table.state.description))
        d.settle()
        assert len(d.app.stage.guide.points) >= points
        assert len(d.app.stage.guide.departures) == ways
        assert (d.app.stage.guide.ghost is not None) == (reach != "none")


def test_idle_frames_redraw_nothing(driven):
    d = driven()
    show(d, state())
    d.settle()
    drawn = []
    for canvas in d.app.hud._canvases:
        canvas.clear = lambda *a, **k: drawn.append(1)
    d.frames(10)
    assert drawn == [] and len(d.app.hud._canvases) == len(PARTS)


def test_at_a_ball_that_touches_the_cue_ball_there_is_no_line_and_nothing_breaks(driven):
    d = driven()
    balls = {0: Position(0.0, 0.0), 3: Position(2 * 0.028575, 0.0)}
    show(d, state(balls=balls))
    d.hand.aim.heading_deg = 0.0
    d.frames(3)
    assert d.app.stage.guide.meets == 3


def test_a_key_that_asks_for_a_spot_where_none_may_be_says_why(driven):
    d = driven()
    show(d, state())
    d.key("o")
    assert "spotted only with the cue ball in hand" in d.model.toast
    assert d.table.refusals == []
