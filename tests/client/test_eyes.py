"""What is seen besides the shot: the last one again, skipping, the plan, choices, officials."""

import pytest

from client.hud.choices import choice_dialog
from client.hud.referee import PAGE, called_fouls
from client.play.again import AFTER_S, BEFORE_S, SLOW
from client.play.hand import Mode
from client.play.permits import Permits
from client.words import WORDS
from shared_rules import commands as c
from shared_rules.commands import Actor
from shared_rules.ruleset import PRESETS, make_ruleset
from shared_rules.state import Foul, Option, Phase, Ruling
from shared_rules.table import Position
from tests.client.at_the_table import show, to_the_break
from tests.client.builders import description, state
from tests.client.driver import Driven
from tests.client.local_table import LocalTable


def after_a_shot(driven, **changes):
    """A soft break, played to its end."""
    d = driven(**changes)
    to_the_break(d)
    d.key("enter")
    d.hand.aim.speed = 1.5
    d.key("space", frames=2)
    while d.state.phase is Phase.SHOT_RUNNING:
        d.wait(0.2)
    d.wait(2.0)
    return d


def fouled(d, moment: float | None = 0.8):
    """The last shot, ruled a foul that was seen at a moment."""
    shot = d.app.stage.playback.last.number
    foul = Foul(code="5a", rule_id="N9.5a")
    moments = {"5a": moment} if moment is not None else {}
    ruling = Ruling(shot=shot, shooter=0, fouls=(foul,), moments=moments)
    show(d, state(shot_number=shot, last_ruling=ruling, rack_number=d.state.rack_number))


def test_the_moment_of_a_foul_is_shown_again_slowly_with_a_mark_while_the_match_goes_on(driven):
    d = after_a_shot(driven)
    fouled(d)
    resting = d.app.stage.scene.poses[0][0]
    d.key("i")
    again = d.app.stage.again
    assert (again.start, again.pace) == (max(0.8 - BEFORE_S, 0.0), SLOW)
    assert again.end == pytest.approx(0.8 + AFTER_S) and again.place is not None
    d.frames(2)
    scene = d.app.stage.scene
    assert scene.poses[0][0] != resting and not scene._overlays._moment.node.is_hidden()
    assert "Once more" in d.model.prompt and scene.cameras.mode == "free"
    assert d.app.mode is Mode.AIM  # the match is where it was
    d.key("space")
    assert d.app.stage.again is None and d.state.phase is Phase.AWAIT_SHOT  # nobody strikes blind
    d.frames(2)
    assert scene._overlays._moment.node.is_hidden() and scene.cameras.mode == "cue"
    assert d.app.stage.scene.poses[0][0][:2] == d.state.balls[0]


def test_it_ends_by_itself_by_its_key_by_escape_and_when_the_next_shot_runs(driven):
    d = after_a_shot(driven, size=(1280, 720))
    fouled(d)
    d.push("again")
    d.wait((0.8 + AFTER_S) / SLOW + 1.5)
    assert d.app.stage.again is None
    for key in ("i", "escape"):
        d.key("i")
        assert d.app.stage.again is not None
        d.key(key)
        assert d.app.stage.again is None and d.hand.sheet == ""


def test_without_a_moment_the_whole_shot_is_shown_and_without_a_shot_it_is_said(driven):
    d = driven()
    show(d, state())
    assert d.model.again is None
    d.key("i")
    assert "no shot" in d.model.toast
    d = after_a_shot(driven)
    fouled(d, None)
    d.key("i")
    again = d.app.stage.again
    assert (again.start, again.end, again.pace) == (0.0, again.shot.trajectory.duration, 1.0)


def test_br_088_a_watcher_skips_the_shot_and_may_do_nothing_sooner_for_it(driven):
    d = driven()
    to_the_break(d)
    d.key("enter")
    d.key("space", frames=2)
    eve = Driven(d.table, seat=None, name="Eve")
    try:
        eve.frames(3)
        moving = eve.app.stage.scene.poses[0][0]
        eve.key("end")
        end = eve.app.stage.shown.shot.trajectory
        shown = eve.app.stage.scene.poses
        lying = {b: s for b, s in end.states_at(end.duration).items() if b in shown}
        assert shown[0][0] != moving if 0 in shown else True
        assert all(shown[b][0] == pytest.approx(s.pos) for b, s in lying.items())
        assert eve.state.phase is Phase.SHOT_RUNNING  # what the server has not ended, has not
        eve.key("end")
        assert eve.app.hud.cut_off == []
    finally:
        eve.close()
    d.key("end")
    d.key("space")
    assert "still moving" in d.model.toast.lower() or d.table.refusals == []


def test_nothing_to_skip_is_said(driven):
    d = driven()
    show(d, state())
    d.key("end")
    assert "no shot is running" in d.model.toast.lower()


def test_the_plan_of_the_table_is_there_where_the_view_does_not_show_it_all(driven):
    d = driven(size=(1280, 720))
    show(d, state())
    d.key("1")
    d.frames(2)
    plan = d.model.minimap
    assert plan is not None and "minimap" in d.app.hud.bounds()
    drawn = d.app.hud._minimap._drawn
    assert {b for b, ball in drawn.items() if not ball.node.is_hidden()} == set(d.state.balls)
    right_of = drawn[2].node.get_x() > drawn[0].node.get_x()
    assert right_of  # the foot is on the right, as from overhead
    d.key("2")
    d.frames(2)
    assert d.model.minimap is None and "minimap" not in d.app.hud.bounds()


def test_a_clock_that_runs_out_is_marked_by_more_than_colour(driven):
    from shared_rules.state import Clock, ShotClock

    d = driven(size=(1280, 720))
    texts = []
    for left in (30.4, 5.4):
        deadline = d.now + 1000 + left
        clock = Clock(shot_clock=ShotClock(limit_s=35), deadline=deadline, purpose="shot")
        show(d, state(clock=clock))
        (canvas,) = [c for c in d.app.hud._canvases if c.node.name == "clock"]
        found = canvas.node.find_all_matches("**/+TextNode")
        texts.append([path.node().text for path in found])
    assert not any("!" in t for t in texts[0]) and any("!" in t for t in texts[1])


# --- choices -------------------------------------------------------------------------------------


def decisions(preset):
    """Every decision of a player that a game's rules offer: phase, options, changes of state."""
    rules = make_ruleset(preset)
    yield Phase.LAG_CHOICE, (Option.BREAK, Option.GIVE_BREAK), {}
    after = {
        "straight_pool": Phase.DECIDE_REBREAK, "black_ball": Phase.FREE_SHOT,
    }.get(rules.discipline, Phase.DECIDE_AFTER_BREAK_FOUL)  # fmt: skip
    yield after, tuple(map(Option, rules.break_.foul_options)), {}
    if rules.break_.illegal_options:
        illegal = tuple(map(Option, rules.break_.illegal_options))
        yield Phase.DECIDE_AFTER_ILLEGAL_BREAK, illegal, {}
    if rules.discipline == "nine_ball":
        pushed = (Option.ACCEPT_TABLE, Option.PASS_BACK)
        yield Phase.DECIDE_AFTER_PUSH_OUT, pushed, {}
    if rules.discipline == "eight_ball":
        fine, scratched = Option.SPOT_8_AND_CONTINUE, Option.SPOT_8_BALL_IN_HAND_HEAD
        for option in (fine, scratched):
            yield Phase.DECIDE_EIGHT_ON_BREAK, (option, Option.REBREAK), {}
    claim = c.CallFoul(seat=0, foul="6.6" if rules.codes == "wpa" else "5f")
    yield Phase.DECIDE_CLAIM, (Option.DISAGREE, Option.AGREE), {"claim": claim}


ALL_DECISIONS = [(p, *d) for p in PRESETS for d in decisions(p)]


@pytest.fixture(scope="module")
def sitting():
    table = LocalTable()
    driven = Driven(table, 0, size=(1280, 720))
    table.start()
    driven.frames(2)
    yield driven
    driven.close()


@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize(("preset", "phase", "options", "changes"), ALL_DECISIONS)
def test_every_choice_of_every_game_is_sentences_with_what_follows(
    sitting, preset, phase, options, changes, language
):
    d = sitting
    d.app.set_language(language)
    asked = state(
        phase, description=description(ruleset=make_ruleset(preset)), shooter=1, decider=0,
        options=options, **changes,
    )  # fmt: skip
    show(d, asked)
    dialog = d.model.dialog
    assert d.app.mode is Mode.CHOOSE and dialog.docked and dialog.title
    assert dialog.title != dialog.body  # what it is about is said
    assert [b.action for b in dialog.buttons] == [f"choose:{o.value}" for o in options]
    assert len(dialog.notes) == len(options) and all(n.endswith(".") for n in dialog.notes)
    for button in dialog.buttons:
        assert d.app.hud.find(button.action) is not None
    assert d.app.hud.cut_off == []
    d.app.set_language("en")


@pytest.mark.parametrize(("preset", "phase", "options", "changes"), ALL_DECISIONS)
def test_every_choice_of_every_game_is_made_by_mouse_and_by_key(
    sitting, monkeypatch, preset, phase, options, changes
):
    d = sitting
    asked = state(
        phase, description=description(ruleset=make_ruleset(preset)), shooter=1, decider=0,
        options=options, **changes,
    )  # fmt: skip
    show(d, asked)
    given = []
    monkeypatch.setattr(d.session, "play", lambda command, *_: given.append(command))
    for button in d.model.dialog.buttons:
        d.push(button.action)
        d.key(button.key)
    wanted = [c.Choose(option=option) for option in options]
    assert given == [command for command in wanted for _ in ("mouse", "key")]


def test_every_option_there_is_says_what_follows():
    assert [o for o in Option if f"then_{o.value}" not in WORDS] == []


def test_a_table_accepted_with_the_cue_ball_in_hand_says_so(driven):
    d = driven()
    asked = state(
        Phase.DECIDE_REBREAK, shooter=1, decider=0, cue_in_hand="head",
        options=(Option.ACCEPT_TABLE, Option.REQUIRE_REBREAK),
    )  # fmt: skip
    show(d, asked)
    assert "behind the head string" in d.model.dialog.notes[0]


# --- officials -----------------------------------------------------------------------------------


@pytest.fixture
def referee():
    table = LocalTable(referee=True)
    judge = Driven(table, None, size=(1280, 720), name="Ref")
    judge.session.view.role = "referee"
    table.start()
    judge.frames(2)
    yield judge
    judge.close()


def test_a_referee_stops_and_resumes_play_calls_a_foul_and_awards(referee):
    d = referee
    show(d, state(description=description(referee=True), game_begun=True))
    assert [b.action for b in d.model.buttons] == ["call_foul", "halt", "officiate"]
    d.push("halt")
    assert d.table.state.phase is Phase.SUSPENDED
    d.key("h")
    assert d.table.state.phase is Phase.AWAIT_SHOT
    d.key("f")
    assert [b.label for b in d.model.dialog.buttons[:2]] == ["Foul by Ann", "Foul by Bob"]
    d.key("1")
    codes = called_fouls(d.state)
    assert len(d.model.dialog.buttons) == PAGE + 2 and len(codes) > PAGE
    d.key("9")
    assert d.model.dialog.buttons[0].action == f"foul:0:{codes[PAGE]}"
    d.key("escape")
    d.key("f2")
    assert d.app.asked_for == "officiate"


def test_a_referees_choice_is_offered_to_him_alone(referee):
    d = referee
    asked = state(
        Phase.LAG_REFEREE_DECISION, decider="referee", shooter=None,
        options=(Option.RELAG, Option.LAG_STANDS),
    )  # fmt: skip
    show(d, asked)
    assert d.app.mode is Mode.CHOOSE and "too late" in d.model.dialog.title
    permits = Permits(d.session, "en", None)
    assert all(b.enabled for b in choice_dialog(d.session.view, asked, "en", permits).buttons)
    d.session.view.role = "spectator"
    d.frames(2)
    assert d.app.mode is Mode.WATCH and not any(b.enabled for b in d.model.dialog.buttons)


def test_the_keys_of_a_referee_do_nothing_for_a_player_but_say_why(driven):
    d = driven(description={"referee": True})
    show(d, state(description=description(referee=True), game_begun=True))
    for key in ("f", "h", "f2"):
        d.hand.toast = ""
        d.key(key)
        assert d.hand.toast and not d.hand.sheet and not d.app.asked_for, key


def test_without_a_referee_a_foul_is_claimed_from_the_other_player(driven):
    d = driven(size=(1280, 720))
    show(d, state(game_begun=True))
    d.push("menu")
    d.key("f")
    assert [b.action for b in d.model.dialog.buttons] == ["sheet:foul:1:0", "back"]
    d.key("2")
    code = called_fouls(d.state)[0]
    d.push(f"foul:1:{code}")
    d.frames(2)
    assert d.table.state.phase is Phase.DECIDE_CLAIM and d.table.state.decider == 1
    d.table.order(Actor.SEAT_1, c.Choose(option=Option.DISAGREE))
    d.frames(2)
    assert d.table.state.phase is Phase.AWAIT_SHOT


def test_who_watches_sees_how_the_cue_is_held_from_behind_it(driven):
    d = driven()
    show(d, state())
    eve = Driven(d.table, seat=None, name="Eve")
    try:
        eve.key("1")
        d.hand.aim.turn(37.0)
        d.hand.aim.elevation_deg = 50.0
        d.key("w")
        for _ in range(5):
            d.frames(2, 0.1)
            eve.frames(2, 0.1)
        eve.settle()
        cameras = eve.app.stage.scene.cameras
        assert eve.session.view.aiming.heading_deg == pytest.approx(d.hand.aim.heading_deg)
        assert cameras._heading_deg == pytest.approx(d.hand.aim.heading_deg)
        assert cameras._elevation_deg == 50.0
        assert not eve.app.stage.scene._cue.node.is_hidden()
    finally:
        eve.close()


def test_a_ball_is_not_put_down_while_something_else_is_seen(driven):
    d = after_a_shot(driven)
    fouled(d)
    number = d.state.shot_number
    show(d, state(Phase.PLACE_CUE_ANYWHERE, cue_in_hand="anywhere", cue_placed=False,
                  shot_number=number, last_ruling=d.state.last_ruling,
                  rack_number=d.state.rack_number))  # fmt: skip
    d.key("i")
    assert d.app.stage.again is not None
    d.key("enter")
    assert d.app.stage.again is None and not d.state.cue_placed
    d.key("enter")
    assert d.state.cue_placed


def test_the_following_view_looks_at_the_ball_in_hand(driven):
    d = driven()
    balls = {2: Position(0.4, 0.2), 9: Position(0.1, 0.45)}
    show(d, state(Phase.PLACE_CUE_ANYWHERE, cue_in_hand="anywhere", cue_placed=False, balls=balls))
    d.key("5")
    d.settle()
    target = d.app.stage.scene.cameras.view.target
    assert target[:2] == pytest.approx(d.hand.place, abs=0.02)


def test_high_contrast_makes_the_lines_on_the_cloth_solid_and_broader(driven):
    from client.scene.lines import STRENGTH

    d = driven(size=(1280, 720))
    d.app.stage.guides = True

    def lines():
        show(d, state())
        d.frames(3)
        overlays = d.app.stage.scene._overlays
        overlays.show_guide([(0.0, 0.0), (1.0, 0.0)])
        low, high = overlays._guide.node.get_tight_bounds()
        return overlays._guide.node.get_color_scale()[3], high.y - low.y

    plain = lines()
    try:
        d.app.preferences.change(contrast=True)
        alpha, broad = lines()
        assert (plain[0], alpha) == (pytest.approx(0.8, abs=0.01), 1.0) and broad > plain[1] + 0.004
        d.app.preferences.change(contrast=False)
        assert lines() == plain
    finally:
        STRENGTH.loud = False
