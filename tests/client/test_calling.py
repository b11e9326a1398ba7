"""Calling a stroke by hand: by keys and by clicks, with reasons for what the rules refuse."""

import pytest

from client.net.session import Received
from client.play.calling import ball_at, callable_balls, pocket_at
from client.play.hand import targets_shown
from shared_rules.groups import Group
from shared_rules.ruleset import make_ruleset
from shared_rules.state import Call, Phase
from shared_rules.table import Position
from tests.client.builders import description, event, state
from tests.client.driver import Driven
from tests.client.local_table import LocalTable

RULES = make_ruleset("eight_ball")
BALLS = {
    0: Position(-0.6, 0.1), 3: Position(0.4, 0.2), 5: Position(0.8, -0.3),
    8: Position(0.0, -0.2), 11: Position(0.1, 0.45),
}  # fmt: skip
GROUPS = (Group.SOLIDS, Group.STRIPES)


def asked(**changes):
    given = {"description": description(ruleset=RULES), "balls": BALLS, "groups": GROUPS}
    return state(**(given | changes))


@pytest.fixture
def driven():
    made = Driven(LocalTable(ruleset=RULES))
    made.table.start()
    made.frames(2)
    yield made
    made.close()


def show(driven, match) -> None:
    driven.table.state = match
    driven.table.seq += 1
    driven.session.handle(Received(event(driven.table.seq, match), driven.now))
    driven.frames(2)


def test_a_point_means_the_ball_under_it_and_the_nearest_pocket():
    match = asked()
    assert ball_at(match, (0.41, 0.21)) == 3
    assert ball_at(match, (-0.6, 0.1)) is None, "the cue ball is not called"
    assert pocket_at(match, (1.1, 0.5)) == "foot_left"
    assert pocket_at(match, (0.1, -0.5)) == "side_right"
    assert callable_balls(match, 0) == [3, 5]
    assert callable_balls(asked(groups=None), 0) == [3, 5, 11]


def test_balls_on_are_marked_only_where_not_almost_any_is():
    assert targets_shown(asked()) == (3, 5)
    assert targets_shown(asked(groups=None)) == ()
    assert targets_shown(asked(balls={0: BALLS[0], 8: BALLS[8], 11: BALLS[11]})) == (8,)


def test_br_024_what_is_missing_is_said_before_and_at_the_stroke(driven):
    show(driven, asked())
    assert "call a ball and a pocket" in driven.model.prompt
    (strike,) = [b for b in driven.model.buttons if b.action == "strike"]
    assert "call a ball and its pocket" in strike.why_not
    driven.key("space")
    assert "Call a ball and its pocket" in driven.hand.toast
    assert driven.state.phase is Phase.AWAIT_SHOT and driven.state.running is None


def test_ball_and_pocket_are_called_by_keys_and_replaced_by_a_safety(driven):
    show(driven, asked())
    driven.key("k")
    driven.key("arrow_right")
    driven.key("arrow_right")
    assert "5" in driven.model.prompt
    driven.key("enter")
    driven.key("arrow_right")
    driven.key("enter")
    driven.frames(2)
    assert driven.state.call == Call(ball=5, pocket="head_left")
    assert "ball 5, head pocket on the left" in driven.model.prompt
    assert not next(b for b in driven.model.buttons if b.action == "strike").why_not
    driven.key("j")
    driven.frames(2)
    assert driven.state.call == Call(safety=True)
    assert "safety" in driven.model.prompt


def test_a_ball_that_may_not_be_called_says_why(driven):
    show(driven, asked())
    driven.key("k")
    driven.app.controls.actions.pick_ball(11)
    assert "not of your group" in driven.hand.toast
    driven.app.controls.actions.pick_ball(8)
    assert "E8.6b" in driven.hand.toast
    assert driven.hand.calling == "ball" and driven.state.call is None
    driven.key("escape")
    assert driven.hand.calling == ""


def test_br_013_groups_are_in_words_with_the_balls_left_for_both(driven):
    show(driven, asked())
    ann, bob = driven.model.players
    assert (ann.group, ann.group_ball) == ("solids (1–7): 2 left", 1)
    assert (bob.group, bob.group_ball) == ("stripes (9–15): 1 left", 9)
    show(driven, asked(balls={0: BALLS[0], 8: BALLS[8], 11: BALLS[11]}))
    assert driven.model.players[0].group == "on the 8"
    show(driven, asked(groups=None))
    assert driven.model.players[0].group == ""


def test_br_025_a_changed_ruleset_is_named_as_changed(driven):
    assert driven.model.title == "Eight-ball WPA"
    mix = make_ruleset("eight_ball", {"break": {"eight": "win"}})
    show(driven, asked(description=description(ruleset=mix)))
    assert driven.model.title == "Eight-ball WPA, changed"
