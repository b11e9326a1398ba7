"""The practice table, drills and the first five shots as a person uses them, by keys and mouse."""

import math
import time

import pytest

from client.play.hand import Mode
from client.play.settings import load_settings
from client.practice import store
from client.practice.drills import BY_NAME
from client.practice.layout import TableLayout, may_lie, read, written
from client.practice.lessons import LESSONS
from client.practice.practising import FIRST
from client.screens import layouts
from client.screens.clipboard import NoClipboard
from physics.pots import pots_on
from shared_rules.balls import CUE
from shared_rules.table import Position
from tests.client.screens.user import User

WIDE = (1280, 720)


class Trainee:
    """A user who practises: what he sees and does at the table."""

    def __init__(self, user: User) -> None:
        self.user = user

    @property
    def table(self):
        return self.user.top

    @property
    def model(self):
        return self.table.app.hud.model

    @property
    def hand(self):
        return self.table.app.hand

    @property
    def practising(self):
        return self.table.practising

    @property
    def balls(self):
        return dict(self.practising.layout.balls)

    def frames(self, seconds=0.5) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.user.step()

    def strike(self) -> None:
        """A stroke by the key Space, shown to its end by the key End."""
        number = self.practising.table._number
        self.user.tap("space")
        self.user.until(lambda: self.practising.table._number > number)
        self.user.until(lambda: self.practising.table.flying is not None)
        self.user.step()
        self.user.tap("end")
        self.user.until(lambda: not self.practising.table.busy)
        self.user.step(2)

    def aim_at(self, pocket: str, ball=1) -> None:
        layout = self.practising.layout
        (pot,) = [p for p in pots_on(layout.balls, ball, layout.spec) if p.pocket == pocket]
        self.hand.aim.heading_deg = pot.heading_deg

    def click(self, pixel, button="mouse1") -> None:
        self.user.window.inputs.move(*pixel)
        self.user.step()
        self.user.tap(button)

    def push(self, action: str) -> None:
        self.user.step()
        self.click(self.table.app.hud.centre_of(action))

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        w, h = self.user.window.size
        seen = self.table.app.stage.scene.cameras.project((x, y, 0.0))
        return (seen[0] + 1) * w / 2, (1 - seen[1]) * h / 2

    def drag(self, start, end) -> None:
        inputs = self.user.window.inputs
        inputs.move(*start)
        self.user.step()
        inputs.press("mouse1")
        self.user.step()
        for k in range(1, 5):
            at = [s + (e - s) * k / 4 for s, e in zip(start, end, strict=True)]
            inputs.move(*at)
            self.user.step()
        inputs.release("mouse1")
        self.user.step(2)

    def arrange(self) -> None:
        self.user.tap("b")
        self.frames(1.0)
        assert self.table.app.arranger.on


@pytest.fixture
def trainee(user):
    def make(where="free", size=(640, 360), **changes):
        ann = user(size=size, **changes)
        ann.push("practice")
        ann.push(where)
        made = Trainee(ann)
        ann.until(lambda: made.table.app.mode is not Mode.WAIT)
        return made

    return make


# --- the free table ------------------------------------------------------------------------------


def test_a_shot_is_played_told_repeated_and_taken_back(trainee):
    ann = trainee()
    assert ann.practising.layout == FIRST and ann.table.app.mode is Mode.AIM
    ann.hand.aim.speed = 2.5
    ann.hand.aim.turn(1.0)
    ann.hand.aim.set_tip(0.2, -0.1)
    held = ann.hand.aim.stroke()
    ann.strike()
    after = ann.balls
    assert after != FIRST.balls
    assert any("First contact: ball 1" in line for line, _ in ann.model.ruling)
    ann.user.tap("g")
    assert ann.balls == FIRST.balls
    assert ann.hand.aim.stroke() == held  # the strike stays as it is set
    ann.hand.aim.set_tip(-0.2, 0.1)
    ann.strike()
    assert ann.balls not in (after, FIRST.balls)
    ann.user.tap("z", "z")
    assert ann.balls == after
    ann.user.tap("z")
    assert ann.balls == FIRST.balls
    ann.user.tap("z")
    assert ann.hand.toast == "There is nothing to take back"
    ann.user.tap("y")
    assert ann.balls == after


def test_a_shot_that_runs_is_broken_off_by_repeating_it(trainee):
    ann = trainee()
    ann.hand.aim.speed = 8.0
    ann.user.tap("space")
    ann.user.until(lambda: ann.practising.table.flying is not None)
    ann.user.step(2)
    ann.user.tap("g")
    assert not ann.practising.table.busy and ann.balls == FIRST.balls
    assert ann.table.app.stage.shown.shot is None


def test_a_lost_cue_ball_comes_back_and_what_can_not_be_done_says_why(trainee):
    ann = trainee()
    ann.user.tap("g")
    assert ann.hand.toast == "There is no shot to repeat yet"
    ann.practising.put(read("9ft 0:1000,450 1:-500,0"), anew=True)
    ann.frames(0.1)
    ann.hand.aim.heading_deg = math.degrees(math.atan2(0.594 - 0.45, 1.229 - 1.0))
    ann.hand.aim.speed = 1.5
    ann.strike()
    assert ann.balls[CUE] == Position(-0.635, 0.0) and "was lost" in ann.hand.toast
    assert any("white fell" in line for line, _ in ann.model.ruling)


def test_the_last_shot_is_shown_again_and_a_match_s_keys_do_nothing(trainee):
    ann = trainee()
    ann.strike()
    lying = ann.balls
    ann.user.tap("i")
    assert ann.table.app.stage.again is not None
    ann.user.tap("i", "p", "t", "n", "k", "j", "o")
    assert ann.table.app.stage.again is None and ann.balls == lying
    assert ann.table.app.mode is Mode.AIM


@pytest.mark.parametrize("language", ["en", "cs"])
def test_in_large_writing_the_steps_are_in_the_menu_and_the_cue_ball_in_sight(trainee, language):
    ann = trainee(size=WIDE, ui_scale=2.0, language=language)
    ann.strike()
    actions = [button.action for button in ann.model.buttons]
    assert actions == ["strike", "move_cue", "repeat"]
    ann.frames(1.5)  # until the camera is behind the cue
    x, y = ann.pixel(*ann.balls[CUE])
    assert ann.table.app.hud.at(x, y) is None
    ann.user.tap("escape")
    ann.user.step()
    ann.push("undo")
    assert ann.balls == FIRST.balls and ann.hand.sheet == ""
    ann.user.tap("b")
    ann.user.step(2)
    assert ann.model.ruling == () and ann.model.again is None


# --- laying out ----------------------------------------------------------------------------------


def test_balls_are_dragged_from_the_tray_about_and_off_the_table(trainee):
    ann = trainee(size=WIDE)
    ann.arrange()
    hud = ann.table.app.hud
    assert ann.model.tray == tuple((n, n in (0, 1)) for n in range(16))
    ann.drag(hud.centre_of("ball:9"), ann.pixel(0.2, 0.3))
    assert math.dist(ann.balls[9], (0.2, 0.3)) < 0.01
    ann.drag(ann.pixel(*ann.balls[9]), ann.pixel(-0.4, -0.2))
    assert math.dist(ann.balls[9], (-0.4, -0.2)) < 0.01
    ann.drag(ann.pixel(*ann.balls[9]), ann.pixel(0.645, 0.0))  # over ball 1: beside it
    assert math.dist(ann.balls[9], ann.balls[1]) == pytest.approx(2 * 0.028575, abs=1e-6)
    ann.drag(ann.pixel(*ann.balls[9]), ann.pixel(1.5, 0.0))
    assert 9 not in ann.balls
    ann.user.tap("z")
    assert 9 in ann.balls  # each of these steps can be taken back
    ann.drag(ann.pixel(*ann.balls[9]), hud.centre_of("ball:3"))
    assert 9 not in ann.balls and 3 not in ann.balls
    ann.click(hud.centre_of("ball:3"))
    assert ann.balls[3].y == 0.0
    ann.click(ann.pixel(*ann.balls[3]), "mouse3")
    assert 3 not in ann.balls
    ann.user.tap("b")
    ann.strike()
    assert ann.practising.last.before.balls.keys() == {0, 1}


def test_balls_are_laid_out_by_keys_alone(trainee):
    ann = trainee()
    ann.arrange()
    ann.user.tap("tab", "tab", "enter")
    at = ann.balls[2]
    assert ann.model.chosen == 2
    ann.user.tap("arrow_up", "arrow_left")
    assert ann.balls[2] == pytest.approx((at.x + 0.005, at.y + 0.005), abs=1e-5)
    ann.user.window.inputs.press("shift")
    ann.user.tap("arrow_down", "tab")
    ann.user.window.inputs.release("shift")
    assert ann.balls[2].x == pytest.approx(at.x + 0.0045, abs=1e-5)
    assert ann.model.chosen == 1
    ann.user.window.inputs.press("arrow_left")
    ann.frames(0.8)
    ann.user.window.inputs.release("arrow_left")
    ann.user.step()
    assert ann.balls[1].y > 0.05
    ann.user.tap("tab", "delete")
    assert 2 not in ann.balls
    ann.user.tap("escape")
    assert not ann.table.app.arranger.on and ann.hand.sheet == ""


def test_without_a_cue_ball_nothing_is_struck_and_it_is_said(trainee):
    ann = trainee()
    ann.arrange()
    ann.user.tap("delete", "b")
    assert CUE not in ann.balls and "cue ball is off" in ann.model.prompt
    ann.push("strike") if ann.table.app.hud.find("strike") else ann.user.tap("space")
    assert not ann.practising.table.busy
    ann.user.tap("b", "enter", "b")
    ann.strike()


def test_while_a_shot_runs_nothing_is_laid_out(trainee):
    ann = trainee()
    ann.hand.aim.speed = 6.0
    ann.user.tap("space")
    ann.user.until(lambda: ann.practising.table.flying is not None)
    ann.user.tap("b")
    assert not ann.table.app.arranger.on and "moving" in ann.hand.toast


# --- racks, kept layouts, texts ------------------------------------------------------------------


def layouts_of(ann) -> User:
    ann.user.tap("escape")
    ann.user.step()
    ann.user.tap("1")
    assert ann.user.where == "LayoutsScreen"
    return ann.user


def test_racks_on_every_table_come_and_go(trainee):
    ann = trainee()
    user = layouts_of(ann)
    user.push("rack:eight_ball")
    assert user.where == "PracticeTable" and len(ann.balls) == 16
    user = layouts_of(ann)
    for _ in range(4):
        user.push("table:+")
    user.push("rack:black_ball")
    assert ann.practising.layout.table == "uk7ft" and len(ann.balls) == 16
    ann.frames(0.3)
    ann.hand.aim.speed = 7.0
    ann.strike()
    user.tap("z", "z")
    assert ann.practising.layout.table == "9ft" and len(ann.balls) == 16
    user = layouts_of(ann)
    user.push("clear")
    assert ann.balls.keys() == {CUE}


def test_a_layout_is_kept_under_a_name_loaded_and_forgotten(trainee):
    ann = trainee()
    user = layouts_of(ann)
    user.push("keep")
    assert "name first" in user.notice
    user.write("name", "Můj rozstřel")
    user.push("keep")
    assert "Kept as Můj rozstřel" in user.notice
    user.push("rack:nine_ball")
    user = layouts_of(ann)
    user.push("load:Můj rozstřel")
    assert ann.practising.layout == FIRST
    user = layouts_of(ann)
    user.push("drop:Můj rozstřel")
    assert store.Kept().layouts == ()


def test_a_layout_is_shared_as_a_text(trainee, monkeypatch):
    ann = trainee()
    clipboard = []
    monkeypatch.setattr(layouts, "copy", clipboard.append)
    user = layouts_of(ann)
    user.push("copy")
    assert clipboard == [written(FIRST)] and "clipboard" in user.notice
    user.write("text", "8ft 0:0,0 1:57,0")
    user.push("use")
    assert user.where == "LayoutsScreen" and "overlap" in user.notice
    user.write("text", "8ft 0:0,0 7:57.15,0")
    user.tap("enter")
    assert user.where == "PracticeTable"
    assert ann.practising.layout == TableLayout("8ft", {0: Position(0, 0), 7: Position(0.05715, 0)})
    assert all(may_lie(ann.practising.layout, n, at) for n, at in ann.balls.items())


def test_a_text_that_is_no_layout_is_told_in_czech_too(trainee):
    ann = trainee(language="cs")
    user = layouts_of(ann)
    for text, said in (("xyz", "Takový stůl"), ("9ft 0:1,2,3", "není rozložení")):
        user.write("text", text)
        user.push("use")
        assert said in user.notice


def test_a_clipboard_that_is_not_there_is_told(trainee, monkeypatch):
    ann = trainee()

    def none(text):
        raise NoClipboard("xclip")

    monkeypatch.setattr(layouts, "copy", none)
    user = layouts_of(ann)
    user.push("copy")
    assert "xclip" in user.notice


# --- drills --------------------------------------------------------------------------------------


def test_a_drill_is_scored_from_the_shots_and_the_best_is_kept(trainee):
    ann = trainee("drill:straight")
    user = ann.user
    assert ann.model.headline == ("Straight pots", "1 of 5 · points: 0 · best: –")
    ann.aim_at("foot_left")
    ann.hand.aim.set_tip(0.0, -0.2)
    ann.strike()
    assert ann.table.app.mode is Mode.WATCH and "1 of 1 points" in ann.model.prompt
    user.tap("g")
    assert "every shot counts" in ann.hand.toast
    user.tap("enter")
    assert ann.table.app.mode is Mode.AIM and ann.model.headline[1].startswith("2 of 5 · points: 1")
    for k in range(4):
        ann.hand.aim.heading_deg = 180.0
        ann.hand.aim.speed = 0.3
        ann.strike()
        assert "did not fall" in ann.model.prompt
        user.tap("space" if k % 2 else "enter")
    assert ann.model.dialog.title == "1 of 5 points" and "best so far" in ann.model.dialog.body
    user.step()
    user.tap("1")
    assert ann.model.dialog is None and ann.practising.run.points == 0
    user.tap("escape")
    user.step()
    user.tap("4")
    assert user.where == "PracticeScreen" and user.page.find("drill:straight").value == "best 1/5"


def test_three_in_order_goes_on_from_where_the_balls_lie(trainee):
    ann = trainee("drill:ghost")
    assert BY_NAME["ghost"].stages[0].shots == 3
    ann.aim_at("foot_left")
    ann.hand.aim.speed = 2.0
    layout = ann.practising.layout
    ann.strike()
    if ann.practising.run.points:  # the white is still there, and the table as it lies now
        assert ann.table.app.mode is Mode.AIM and ann.balls.keys() == {0, 2, 3}
        assert ann.balls[CUE] != layout.balls[CUE]
    else:
        assert ann.table.app.mode is Mode.WATCH


def test_scores_that_can_not_be_kept_are_told(trainee, folder):
    ann = trainee("drill:lag")
    (folder / "data" / "practice.json").mkdir()
    for _ in range(5):
        ann.practising.skip()
    ann.user.step(2)
    assert "can't be kept" in ann.hand.toast and ann.model.dialog is not None


def test_a_damaged_file_of_scores_is_told_and_kept(user, folder):
    ann = user()
    (folder / "data" / "practice.json").write_text("{")
    ann.push("practice")
    assert "practice.json.damaged" in ann.notice


# --- the first five shots ------------------------------------------------------------------------


def test_who_starts_for_the_first_time_is_offered_five_shots_and_pots_a_ball(folder):
    user = User(quality="low", size=WIDE)
    try:
        assert user.sees("Learn it in five shots")
        user.push("lessons")
        ann = Trainee(user)
        user.until(lambda: ann.table.app.mode is Mode.AIM)
        assert load_settings().name  # that of the system, without being asked
        # 1: as it stands the ball misses; then with the arrow keys
        ann.strike()
        assert "did not fall" in ann.model.prompt
        user.tap("space")
        assert ann.practising.run.at == 0 and ann.table.app.mode is Mode.AIM
        ann.aim_at("foot_left")
        ann.strike()
        assert ann.model.prompt == "Done" and store.Kept().lessons == 1
        user.tap("enter")
        # 2: power
        ann.hand.aim.speed = 0.7
        ann.hand.aim.heading_deg = 0.0
        ann.strike()
        assert ann.practising.run.passed, ann.practising.last.rests
        user.tap("enter")
        # 3: skipped with a click
        ann.push("skip_stage")
        # 4: ball in hand, clicked down
        ann.frames(1.0)
        assert ann.table.app.mode is Mode.PLACE
        ann.click(ann.pixel(0.75, 0.25))
        user.step(2)
        assert ann.table.app.mode is Mode.AIM
        user.tap("b")
        assert ann.table.app.mode is Mode.PLACE
        ann.click(ann.pixel(0.78, 0.28))
        user.step(2)
        ann.aim_at("foot_left")
        ann.strike()
        assert ann.practising.run.passed
        user.tap("enter")
        # 5: a call
        user.step(2)
        assert ann.table.app.mode is Mode.AIM
        user.tap("space")
        assert not ann.practising.table.busy  # not before the call
        user.tap("k", "arrow_right", "enter")
        for _ in range(8):
            if ann.hand.called_pocket == "foot_left":
                break
            user.tap("arrow_right")
        user.tap("enter")
        user.step(2)
        assert ann.practising.table.state.call.ball == 2
        ann.aim_at("foot_left", 2)
        ann.strike()
        assert ann.practising.run.passed
        user.tap("enter")
        assert ann.practising.run.over and "4 of 5" in ann.model.dialog.body
        user.tap("enter")
        assert user.where == "StartScreen" and user.top.focus
    finally:
        user.close()


def test_the_five_shots_are_left_at_any_time(trainee):
    ann = trainee("lessons")
    for _ in range(len(LESSONS.stages) - 1):
        ann.user.step(2)
        ann.push("skip_stage")
    ann.user.tap("escape")
    ann.user.step()
    ann.user.tap("4")
    assert ann.user.where == "PracticeScreen"
