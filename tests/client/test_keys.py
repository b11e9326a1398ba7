"""Keys that a player has changed: what is heard, and what is written on the screen."""

import pytest

from client.play.input import Input
from client.play.keys import ACTIONS, BY_NAME, OWNER, UNHEARD, KeyMap, may_be_chosen, shown
from client.play.settings import Settings, load_settings, save_settings
from client.words import WORDS
from tests.client.at_the_table import to_the_break


def test_no_key_has_two_actions_and_every_action_has_words_and_a_key_that_may_be_chosen():
    assert len(OWNER) == sum(len(action.keys) for action in ACTIONS)
    for action in ACTIONS:
        assert f"act_{action.name}" in WORDS
        assert all(may_be_chosen(key) for key in action.keys)


def test_a_changed_key_is_heard_as_the_actions_own_which_is_silent_then():
    keys = KeyMap().with_key("strike", "f").with_key("zoom_in", "h")
    assert keys.heard("f") == "space" and keys.heard("space") == UNHEARD
    assert keys.heard("h") == "+" and {keys.heard(k) for k in ("+", "=", "page_up")} == {UNHEARD}
    assert keys.heard("c") == "c" and keys.heard("1") == "1"
    assert keys.taken_by("f") == "strike" and keys.taken_by("space") is None
    assert keys.taken_by("c") == "view"
    assert keys.with_key("strike", "space").heard("space") == "space"


def test_two_actions_can_change_keys_with_each_other():
    keys = KeyMap().with_key("view", "f9").with_key("time_out", "c").with_key("view", "t")
    assert (keys.heard("c"), keys.heard("t")) == ("t", "c")
    assert (keys.taken_by("c"), keys.taken_by("t")) == ("time_out", "view")


@pytest.mark.parametrize(
    "found",
    [
        {"strike": "1"}, {"strike": "escape"}, {"strike": 7}, {"strike": ""}, {"nothing": "f"},
        {"strike": "mouse1"}, {"strike": "f9"}, {"strike": "x" * 21},
    ],
)  # fmt: skip
def test_keys_that_make_no_sense_are_left_out(found):
    assert KeyMap.read({"call": "f9", **found}) == KeyMap((("call", "f9"),))


def test_two_changed_keys_are_read_whatever_their_order():
    swapped = {"view": "t", "time_out": "c"}
    assert KeyMap.read(swapped).changed == (("view", "t"), ("time_out", "c"))


def test_a_key_that_a_newer_program_gives_to_another_action_stays_the_players():
    keys = KeyMap.read({"view": "t", "talk": "page_up"})
    assert keys.taken_by("t") == "view" and keys.taken_by("c") is None
    assert keys.key("time_out") == "" and keys.relabel("T", "en") == ""
    assert keys.key("zoom_in") == "+" and keys.taken_by("page_up") == "talk"
    assert KeyMap.read({"view": "t", "time_out": "f9"}).key("time_out") == "f9"


def test_keys_are_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADSTRING_DATA", str(tmp_path))
    settings = Settings(name="Ann", keys=KeyMap().with_key("call", "f9"))
    save_settings(settings)
    assert load_settings().keys == settings.keys


@pytest.mark.parametrize("language", ["en", "cs"])
def test_labels_and_sentences_name_the_players_keys(language):
    keys = KeyMap().with_key("strike", "f").with_key("tip_up", "arrow_home")
    assert keys.relabel(shown("space", language), language) == "F"
    assert keys.relabel("W A S D", language) == "Arrow home A S D"
    assert keys.relabel("← →", language) == "← →" and keys.relabel("Esc", language) == "Esc"
    assert keys.spoken("hold [strike], [power_up]", language) == "hold F, ↑"
    assert KeyMap().spoken("hold [strike]", "cs") == "hold Mezerník"
    assert set(BY_NAME) == {action.name for action in ACTIONS}


def test_the_strike_on_another_key(driven):
    player = driven()
    player.app.preferences.change(keys=KeyMap().with_key("strike", "f"))
    player.frames(1)
    (strike,) = [b for b in player.model.buttons if b.action == "strike"]
    assert strike.key == "F" and "hold F " in player.model.hint
    player.key("space", 10)
    assert player.hand.struck_at is None
    player.app.inputs.press("f")
    player.frames(5)
    assert player.hand.drawn_back_at is not None
    player.app.inputs.release("f")
    player.frames(1)
    assert player.hand.struck_at is not None and player.state.lag.struck[0]


def test_keys_as_they_are_still_lead_to_the_break(driven):
    player = driven()
    to_the_break(player)
    assert player.state.is_break


@pytest.mark.parametrize("held", ["shift", "control"])
def test_a_key_pressed_beside_another_is_heard_as_itself_and_let_go(held):
    # as a window sends them: named with what is held beside it, but not when it is let go
    inputs = Input()
    inputs.press(held)
    for name in ("arrow_left", "-"):
        inputs.press(f"{held}-{name}")
        assert inputs.held == {held, name}
        inputs.release(name)
    inputs.release(held)
    assert inputs.held == set()
    inputs.press("control-shift-v")
    assert [press.name for press in inputs.events][-1] == "v"


def test_shift_beside_an_arrow_turns_finely_in_a_window(driven):
    player = driven()
    before = player.hand.aim.heading_deg
    player.app.inputs.press("lshift")
    player.key("shift-arrow_left")
    assert abs(player.hand.aim.heading_deg - before) == pytest.approx(0.01)
