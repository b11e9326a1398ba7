"""The start screen, the settings and the rules as a person uses them."""

import gc
import json
import threading

import pytest

from client.hud.theme import LOOK, contrasted
from client.options import default_name
from client.play import app
from client.play.arrival import Plan
from client.play.hand import Mode
from client.play.party import Party
from client.play.settings import Settings, load_settings
from shared_rules.state import Phase
from tests.client.local_table import LocalTable
from tests.client.screens.user import User


def test_one_key_press_leads_to_a_game_and_its_menu_back_to_the_start(user):
    ann = user(race=1, level=1)
    assert ann.where == "StartScreen" and ann.top.focus == "play"
    ann.tap("enter")
    assert ann.where == "Party"
    ann.until(lambda: ann.top.app.mode is Mode.AIM, 60.0)
    state = ann.top.session.view.state
    assert state.phase is Phase.LAG and state.description.ruleset.match.games_to_win == 1
    ann.top.app.hand.aim.speed = 1.33
    assert ann.top.pace == "calm"
    ann.tap("space")
    assert ann.top.pace == "full"  # the first motion isn't kept waiting
    ann.until(lambda: ann.top.session.view.state.phase is not Phase.LAG)
    # BR-100: the card of this table, from its menu, while the match goes on
    ann.tap("escape")
    ann.tap(key_of(ann, "rules"))
    assert ann.where == "RulesScreen" and ann.sees("Rules: Nine-ball, EPBF rules")
    party = ann.shell._stack[1]
    party.connection.cut()
    ann.until(lambda: party.session.phase == "lost")
    ann.step()
    assert "Connection lost" in ann.notice
    ann.until(lambda: party.session.phase == "ready")
    ann.until(lambda: ann.notice and "lost" not in ann.notice)  # whose turn it is, again
    ann.tap("escape")
    assert ann.where == "Party"
    ann.tap("escape")
    ann.tap(key_of(ann, "rules"))
    assert ann.sees("Rules: Nine-ball, EPBF rules")  # also after a reconnect
    ann.tap("escape", "escape")
    ann.tap(key_of(ann, "leave"))
    ann.tap("1")
    assert ann.where == "StartScreen" and ann.notice == ""


def key_of(user, action) -> str:
    """The key of an entry of the menu at the table."""
    user.step()
    return next(b.key for b in user.top.app.hud.model.dialog.buttons if b.action == action)


def test_the_first_start_asks_language_and_name_and_only_the_first(folder):
    ann = User(quality="low")
    try:
        assert ann.sees("Welcome") and ann.page.find("name").hint == default_name()
        ann.push("language:+")
        ann.write("name", "Věra Žáčková")
        assert ann.sees("Vítejte")
        ann.push("servers")
        assert ann.where == "ServersScreen" and ann.page.find("name").text == "Věra Žáčková"
        ann.tap("escape")
        assert not ann.sees("Vítejte")
    finally:
        ann.close()
    assert (load_settings().name, load_settings().language) == ("Věra Žáčková", "cs")


def test_who_writes_no_name_has_that_of_the_system(folder):
    ann = User(quality="low")
    try:
        ann.push("watch")
        assert ann.where == "ServersScreen" and load_settings().name == default_name()
    finally:
        ann.close()


def test_the_language_of_the_system_is_guessed(folder, monkeypatch):
    monkeypatch.setenv("LANG", "cs_CZ.UTF-8")
    vera = User(quality="low")
    try:
        assert vera.sees("Vítejte")
    finally:
        vera.close()


def test_what_was_chosen_last_is_chosen_again(user, folder):
    ann = user()
    for _ in range(3):
        ann.push("ruleset:+")
    assert ann.sees("Straight pool 14.1 · to 50 points")
    ann.push("points:+")
    ann.focus("level")
    ann.tap("arrow_right")
    kept = load_settings()
    assert (kept.ruleset, kept.points, kept.level) == ("straight_pool", 75, 3)


def test_everything_on_the_start_screen_is_reached_by_the_tabulator_and_esc_harms_nothing(user):
    ann = user()
    for widget in ann.page.active():
        ann.focus(widget.action)
    ann.tap("escape")
    assert not ann.shell.done and ann.top.focus == "quit"
    ann.tap("enter")
    assert ann.shell.done


def test_a_key_is_given_to_another_action_a_conflict_is_told_and_all_is_reset(user):
    ann = user()
    ann.push("settings")
    ann.push("key:strike")
    assert ann.sees("press a key")
    ann.tap("c")
    assert "C is taken: Next view" in ann.notice
    ann.push("key:strike")
    ann.tap("5")
    assert "can't be chosen" in ann.notice
    ann.push("key:strike")
    ann.tap("escape")
    assert ann.where == "SettingsScreen" and load_settings().keys.key("strike") == "space"
    ann.push("key:strike")
    ann.tap("f8")
    assert load_settings().keys.heard("f8") == "space"
    ann.push("reset_keys")
    assert load_settings() == ann.preferences.now
    assert load_settings().keys.changed == ()


def test_settings_show_at_once_and_are_kept(user, folder):
    ann = user(language="en")
    ann.push("settings")
    before = ann.top.view.scale
    for _ in range(4):
        ann.push("ui_scale:+")
    assert ann.top.view.scale > before
    ann.push("language:+")
    assert ann.sees("Nastavení")
    ann.push("contrast:+")
    assert LOOK.contrast
    ann.push("contrast:-")
    assert not LOOK.contrast
    for action in ("quality", "volume", "mouse", "guide", "fullscreen"):
        ann.push(f"{action}:+")
    ann.write("name", "Hanka")
    kept = load_settings()
    assert kept == ann.preferences.now
    assert (kept.name, kept.quality, kept.volume) == ("Hanka", "medium", 90)
    assert (kept.mouse, kept.guide, kept.fullscreen) == (1.5, "none", True)


def test_settings_that_can_not_be_kept_are_told(user, folder):
    ann = user()
    ann.push("settings")
    file = folder / "data" / "settings.json"
    file.unlink()
    file.mkdir()
    ann.push("volume:+")
    assert "can't be kept" in ann.notice
    assert ann.preferences.now.volume == 90


@pytest.mark.parametrize("content", ["{", "[1]", "\x00\xff", ""])
def test_damaged_settings_are_defaults_told_and_kept_aside(folder, content):
    (folder / "data").mkdir()
    file = folder / "data" / "settings.json"
    file.write_text(content, encoding="latin-1")
    ann = User(quality="low")
    try:
        assert "settings.json.damaged" in ann.notice
        assert ann.preferences.now == Settings(quality="low")
    finally:
        ann.close()
    assert file.with_name("settings.json.damaged").read_text(encoding="latin-1") == content


def test_values_that_make_no_sense_give_way_one_by_one(folder):
    (folder / "data").mkdir()
    odd = {
        "language": "tlh", "quality": "ultra", "ui_scale": 99, "name": "x" * 33, "volume": True,
        "mouse": "fast", "contrast": 1, "width": -1, "level": 9, "keys": [], "guide": 7,
        "ruleset": "chess", "race": 4, "more": 1,
    }  # fmt: skip
    (folder / "data" / "settings.json").write_text(json.dumps(odd))
    assert load_settings() == Settings(race=4)


def test_high_contrast_makes_panels_black_and_greys_white_and_leaves_balls():
    assert contrasted((0.055, 0.065, 0.075, 0.84)) == (0, 0, 0, 1)
    assert contrasted((0.70, 0.72, 0.73, 1.0)) == (1, 1, 1, 1)
    red = (0.98, 0.46, 0.38, 1.0)
    assert contrasted(red) == red
    assert contrasted((1.0, 1.0, 1.0, 0.13))[3] > 0.5


def test_table_after_table_leaves_nothing_behind(user, monkeypatch):
    # the power of the lag is left to chance: what is written of it would differ from the frozen
    monkeypatch.setattr(app.random, "uniform", lambda low, high: low)
    ann = user()
    base = ann.window.base

    def change() -> tuple[int, int]:
        table = LocalTable()
        party = Party(base, ann.preferences, Plan(table="T"), "ws://127.0.0.1:1", 1)
        party.connection.pump = table.pump
        table.seat(party.session, 0)
        table.start()
        party.enter()
        for k in range(3):
            table.now = k * 0.02
            party.step(0.0, 0.02)
        party.leave()
        party.close()
        nodes = base.render.find_all_matches("**"), base.render2d.find_all_matches("**")
        return tuple(found.get_num_paths() for found in nodes)

    app.load_physics_once()
    first = change()
    frozen = gc.get_freeze_count()
    assert {change() for _ in range(5)} == {first}
    # what the collector is told to leave alone is never freed again
    assert gc.get_freeze_count() == frozen


def test_the_physics_is_loaded_once_however_many_tables_come(monkeypatch):
    loads = []
    monkeypatch.setattr(app, "_loaded", threading.Event())

    def load(wait):
        loads.append(wait)

    monkeypatch.setattr(app, "warm_up", load)
    monkeypatch.setattr(app, "wait_until_compiled", lambda: None)
    for _ in range(3):
        app.load_physics_once()
    assert loads == [False]
