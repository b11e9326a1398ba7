"""A match played through the interface: keys and mouse in, orders out, refusals in words."""

import math

import pytest

from client.hud.hud import PARTS
from client.net.session import Lost, Opened, Received
from client.play.hand import Mode
from client.scene import CameraMode
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.commands import Actor
from shared_rules.ruleset import make_ruleset
from shared_rules.state import Option, Phase, Stroke
from shared_rules.table import Position
from tests.client.builders import TABLE, event, members, state, welcome
from tests.client.driver import Driven
from tests.client.local_table import LocalTable

LAG = 1.33


@pytest.fixture
def driven():
    made = []

    def make(seat=0, started=True, **changes):
        table = LocalTable(**changes.pop("description", {}))
        driven = Driven(table, seat, **changes)
        made.append(driven)
        if started:
            table.start()
            driven.frames(2)
        return driven

    yield make
    for driven in made:
        driven.close()


def lag(driven, mine=LAG, theirs=1.6) -> None:
    """Lag through the interface; the opponent's ball goes worse."""
    driven.hand.aim.speed = mine
    driven.key("space")
    other = Actor.of(1 - driven.session.view.seat)
    driven.table.order(other, c.Strike(stroke=Stroke(speed=theirs, heading_deg=0.0)))
    driven.wait_for(Phase.LAG_CHOICE)


def to_the_break(driven) -> None:
    lag(driven)
    driven.key("1")
    driven.wait_for(Phase.PLACE_CUE_FOR_BREAK)
    driven.frames(3)


def show(driven, match, **changes) -> None:
    """Put a state before the client as the server would."""
    driven.table.state = match
    driven.table.seq += 1
    driven.session.handle(Received(event(driven.table.seq, match, **changes), driven.now))
    driven.frames(2)


def test_lag_choice_placement_and_break_by_keys(driven):
    d = driven()
    assert d.app.mode is Mode.AIM and d.state.phase is Phase.LAG
    lag(d)
    assert d.state.decider == 0
    assert "Ann wins the lag" in d.model.ruling[0][0]
    assert [b.action for b in d.model.dialog.buttons] == ["choose:break", "choose:give_break"]
    d.key("1")
    d.wait_for(Phase.PLACE_CUE_FOR_BREAK)
    d.frames(3)
    assert d.app.mode is Mode.PLACE
    d.key("arrow_left")
    d.key("enter")
    assert d.state.cue_placed and d.app.mode is Mode.AIM
    assert abs(d.hand.aim.heading_deg) < 20.0  # points at the rack by itself
    number = d.state.shot_number
    d.key("space", frames=4)
    assert d.state.phase is Phase.SHOT_RUNNING and d.state.running.number == number + 1
    d.wait(0.3)
    assert d.app.stage.shown.shot_time == pytest.approx(0.3, abs=0.15)
    running = d.state.running.number
    while d.state.phase is Phase.SHOT_RUNNING:
        d.frames(1, 0.1)
    assert d.state.last_ruling.shot == running
    assert d.table.refusals == []


def test_the_same_by_mouse_alone(driven):
    d = driven()
    d.hand.aim.speed = LAG
    d.push("strike")
    d.table.order(Actor.SEAT_1, c.Strike(stroke=Stroke(speed=1.6, heading_deg=0.0)))
    d.wait_for(Phase.LAG_CHOICE)
    d.push("choose:break")
    d.wait_for(Phase.PLACE_CUE_FOR_BREAK)
    d.settle()
    d.click(*d.pixel_of(-0.8, 0.2))
    assert d.state.cue_placed
    assert d.state.balls[0] == pytest.approx((-0.8, 0.2), abs=0.03)
    d.settle()
    x, y = d.app.hud.centre_of("power")
    d.drag((x, y), (x, y - 400))
    assert d.hand.aim.share == 1.0
    d.push("strike")
    assert d.state.phase is Phase.SHOT_RUNNING
    assert d.state.running.strokes[0][2].speed == pytest.approx(10.0)


def test_a_place_that_the_rules_forbid_is_said_and_not_sent(driven):
    d = driven()
    to_the_break(d)
    d.settle()
    version = d.table.state.version
    d.click(*d.pixel_of(0.2, 0.0))
    assert not d.state.cue_placed and d.table.state.version == version
    assert "behind the head string" in d.model.toast
    assert "behind the head string" in d.why_grey("place")
    d.push("place")
    assert d.table.refusals == [] and d.table.state.version == version
    d.key("space")
    assert "Put the cue ball down first" in d.model.toast


def test_the_cue_ball_in_hand_is_moved_again_and_by_keys_finely(driven):
    d = driven()
    to_the_break(d)
    d.key("enter")
    first = d.state.balls[0]
    d.key("b")
    assert d.app.mode is Mode.PLACE and d.hand.place == first
    d.key("arrow_down")
    d.app.inputs.press("shift")
    d.key("arrow_right")
    d.app.inputs.release("shift")
    d.push("place")
    moved = d.state.balls[0]
    assert moved.x - first.x == pytest.approx(-0.005)
    assert moved.y - first.y == pytest.approx(-0.0005)
    assert d.app.mode is Mode.AIM


def test_the_lag_ball_is_placed_on_the_own_half_only(driven):
    d = driven()
    d.push("move_cue")
    d.settle()
    d.click(*d.pixel_of(-0.9, -0.3))
    assert "own half" in d.model.toast
    d.click(*d.pixel_of(-0.9, 0.4))
    assert d.state.lag.balls[0] == pytest.approx((-0.9, 0.4), abs=0.03)


def test_the_lag_of_the_other_stays_unseen_and_the_own_is_waited_for(driven):
    d = driven()
    d.table.order(Actor.SEAT_1, c.Strike(stroke=Stroke(speed=1.6, heading_deg=0.0)))
    d.frames(2)
    assert d.state.lag.strokes[1] is None and d.state.lag.struck[1]
    assert d.model.players[1].note == "has lagged"
    d.key("space")
    d.frames(2)
    assert d.state.phase is Phase.SHOT_RUNNING


@pytest.mark.parametrize("size", [(640, 360), (1280, 720)])
def test_fine_aim_is_at_most_a_fiftieth_of_a_degree_a_pixel(driven, size):
    d = driven(size=size)
    show(d, state())
    d.settle()
    before = d.hand.aim.heading_deg
    d.move(300, 150)
    d.app.inputs.press("mouse3")
    d.frames(1)
    d.move(301, 150)
    d.app.inputs.release("mouse3")
    d.frames(1)
    assert 0 < abs(d.hand.aim.heading_deg - before) <= 0.02
    before = d.hand.aim.heading_deg
    d.app.inputs.press("shift")
    d.key("arrow_left")
    d.app.inputs.release("shift")
    assert d.hand.aim.heading_deg - before == pytest.approx(0.01, abs=1e-6)


def test_dragging_in_the_overhead_view_points_at_the_place(driven):
    d = driven()
    show(d, state())
    d.key("2")
    d.settle()
    assert d.app.stage.camera is CameraMode.OVERHEAD
    d.drag(d.pixel_of(0.0, 0.0), d.pixel_of(0.4, -0.4))
    ball = d.state.balls[0]
    wanted = math.degrees(math.atan2(-0.4 - ball.y, 0.4 - ball.x))
    assert d.hand.aim.heading_deg == pytest.approx(wanted, abs=1.0)


def test_the_cue_is_drawn_back_while_held_and_can_be_taken_back(driven):
    d = driven()
    show(d, state())
    d.app.inputs.press("space")
    d.frames(20)
    assert d.hand.drawn_back_at is not None
    d.key("escape")
    d.app.inputs.release("space")
    d.frames(2)
    assert d.hand.drawn_back_at is None and d.state.phase is Phase.AWAIT_SHOT
    x, y = d.app.hud.centre_of("strike")
    d.drag((x, y), (x, y - 150))  # pressed on the button, let go elsewhere
    assert d.state.phase is Phase.AWAIT_SHOT


def test_power_and_tip_by_keys_mouse_and_wheel(driven):
    d = driven()
    show(d, state())
    share = d.hand.aim.share
    d.key("arrow_up")
    assert d.hand.aim.share == pytest.approx(share + 0.02)
    d.key("wheel_up")
    assert d.hand.aim.share == pytest.approx(share + 0.04)
    d.app.inputs.press("arrow_down")
    d.frames(60, 1 / 60)
    d.app.inputs.release("arrow_down")
    assert d.hand.aim.share < share
    d.key("d")
    d.key("w")
    assert d.hand.aim.tip == pytest.approx((0.02, 0.02))
    x, y = d.app.hud.centre_of("tip")
    d.drag((x, y), (x + 0.3 * 58 * d.app.hud.scale, y))
    assert d.hand.aim.tip == pytest.approx((0.3, 0.0), abs=0.01)
    d.drag((x, y), (x + 300, y))
    assert d.hand.aim.miscue and d.hand.aim.tip[0] == pytest.approx(0.95)
    assert d.model.tip.miscue
    d.key("r")
    assert d.hand.aim.tip == (0.0, 0.0)


@pytest.mark.parametrize("what", ["power", "tip", "aim"])
def test_a_flick_of_the_mouse_in_the_frame_of_letting_go_moves_nothing(driven, what):
    d = driven()
    x, y = d.app.hud.centre_of(what) if what != "aim" else (220.0, 150.0)
    d.move(x, y)
    d.app.inputs.press("mouse1")
    d.frames(1)
    d.move(x + 4, y - 6)
    held = d.hand.aim.share, d.hand.aim.tip, d.hand.aim.heading_deg
    d.app.inputs.release("mouse1")
    d.move(x - 60, y + 70)
    assert (d.hand.aim.share, d.hand.aim.tip, d.hand.aim.heading_deg) == held


@pytest.mark.parametrize("button", ["mouse1", "mouse3"])
def test_what_the_mouse_did_before_the_press_does_not_aim(driven, button):
    d = driven()
    d.move(220.0, 150.0)
    heading = d.hand.aim.heading_deg
    d.app.inputs.move(330.0, 150.0)
    d.app.inputs.press(button)
    d.frames(1)
    assert d.hand.aim.heading_deg == heading


def test_the_push_out_is_announced_and_taken_back(driven):
    d = driven()
    show(d, state(push_out_available=True, shot_number=2))
    d.key("p")
    assert d.table.state.push_out_declared
    assert any(b.on for b in d.model.buttons if b.action == "push_out")
    assert "Push-out" in d.model.prompt
    d.push("push_out")
    assert not d.table.state.push_out_declared
    show(d, state(push_out_available=False))
    assert "push_out" not in [b.action for b in d.model.buttons]
    d.key("p")
    assert "push-out" in d.model.toast


@pytest.mark.parametrize("option", [Option.ACCEPT_TABLE, Option.PASS_BACK])
def test_after_a_push_out_each_choice_is_a_sentence_to_press(driven, option):
    d = driven()
    asked = state(
        Phase.DECIDE_AFTER_PUSH_OUT, shooter=1, decider=0,
        options=(Option.ACCEPT_TABLE, Option.PASS_BACK),
    )  # fmt: skip
    show(d, asked)
    assert d.app.mode is Mode.CHOOSE and len(d.model.dialog.notes) == 2
    d.push(f"choose:{option.value}")
    assert d.table.state.phase is Phase.AWAIT_SHOT
    assert d.table.state.shooter == (0 if option is Option.ACCEPT_TABLE else 1)


def test_the_choice_of_the_other_is_not_offered(driven):
    d = driven()
    show(
        d,
        state(
            Phase.DECIDE_AFTER_PUSH_OUT, shooter=0, decider=1,
            options=(Option.ACCEPT_TABLE, Option.PASS_BACK),
        ),
    )  # fmt: skip
    assert d.model.dialog is None and "Bob decides" in d.model.prompt
    d.key("1")
    assert d.hand.view == "cue"  # the digit chose a view, nothing was sent
    assert d.table.refusals == []


def test_a_time_out_and_its_end(driven):
    d = driven()
    show(d, state())
    d.key("t")
    assert d.table.state.phase is Phase.TIME_OUT
    assert "time-out" in d.model.banner
    d.push("end_time_out")
    assert d.table.state.phase is Phase.AWAIT_SHOT
    assert "time-out" in d.why_grey("time_out").lower()


def test_conceding_asks_first(driven):
    d = driven()
    show(d, state(game_begun=True))
    d.key("escape")
    d.key("space")
    assert d.state.phase is Phase.AWAIT_SHOT  # the menu lies over the table
    d.key("3")
    assert d.model.dialog.title == "Concede?"
    d.key("escape")
    assert d.model.dialog is None and d.table.state.games == (0, 0)
    d.push("menu")
    d.push("concede")
    d.push("concede_yes")
    d.frames(2)
    assert d.table.state.games == (0, 1)


@pytest.mark.parametrize(
    ("seat", "offline", "words"),
    [(0, False, "if you are not back in time"), (0, True, "The match waits"), (None, False, "")],
)
def test_leaving_says_what_becomes_of_the_match(driven, seat, offline, words):
    d = driven(seat=seat)
    show(d, state())
    d.app.offline = offline
    d.key("escape")
    d.push("leave")
    assert (words in d.model.dialog.body) if words else (d.model.dialog.body == "")
    d.key("1")
    assert d.app.finished


def test_the_menu_says_why_a_ruling_is_not_to_be_had_and_a_stalemate_is(driven):
    d = driven()
    show(d, state(game_begun=True))
    d.push("menu")
    assert "referee" in d.why_grey("ruling")
    d.push("stalemate")
    assert d.table.state.stalemate_agreed == (True, False)
    d.push("menu")
    d.push("leave")
    assert d.model.dialog.title == "Leave the table?"
    d.push("back")
    assert not d.app.finished
    d.push("menu")
    d.push("leave")
    d.push("quit")
    assert d.app.finished


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
    d = driven()
    show(d, state(shooter=0))
    english = d.model
    d.push("language")
    czech = d.model
    assert english.prompt.startswith("Your shot") and czech.prompt.startswith("Hrajete")
    assert [b.label for b in english.buttons] != [b.label for b in czech.buttons]
    d.key("l")
    assert d.model.prompt == english.prompt


def test_views_by_keys_and_the_sheet_of_keys(driven):
    d = driven()
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
