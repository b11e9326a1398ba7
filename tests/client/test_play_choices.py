"""Choices, time-outs, the menu and rulings, through the interface."""

import pytest

from client.play.hand import Mode
from shared_rules.state import Option, Phase
from tests.client.at_the_table import show
from tests.client.builders import state


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
