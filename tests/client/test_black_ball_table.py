"""Black ball as its player sees it: prompts, groups, the free shot, a snooker by key, the balls;
and how bots play it."""

import pytest

from client.bot.brain import Brain
from client.bot.goal import goal_of
from client.bot.levels import LEVELS
from client.net.session import Received
from client.play.hand import first_place, targets_shown
from client.scene.balls import COLOURS, IVORY, paint_of
from client.scene.dress import PLAIN, Dress, dress_of
from client.scene.layout import lay_out
from physics.table import TABLES
from server.shots import frame_of
from shared_rules import commands as c
from shared_rules.groups import Group
from shared_rules.placement import check_placement
from shared_rules.ruleset import make_ruleset
from shared_rules.state import Option, Phase
from shared_rules.table import Position
from tests.client.builders import description, event, state
from tests.client.driver import Driven
from tests.client.local_table import LocalTable

RULES = make_ruleset("black_ball")
FRAME = frame_of("uk7ft")
GROUPS = (Group.REDS, Group.YELLOWS)
OPEN = {0: Position(-0.6, 0.0), 3: Position(0.4, 0.1), 8: Position(0.0, -0.3), 12: Position(0.5, 0)}
HIDDEN = {**OPEN, 0: Position(-0.85, 0.0), 8: Position(-0.79, 0.0)}
OPTIONS = (Option.CUE_IN_POSITION, Option.CUE_IN_HAND_BAULK)


def asked(**changes):
    given = {
        "description": description(ruleset=RULES, frame=FRAME), "balls": OPEN, "groups": GROUPS,
    }  # fmt: skip
    return state(**(given | changes))


@pytest.fixture
def driven():
    made = Driven(LocalTable(ruleset=RULES, frame=FRAME))
    made.table.start()
    made.frames(2)
    yield made
    made.close()


def show(driven, match):
    driven.table.state = match
    driven.table.seq += 1
    driven.session.handle(Received(event(driven.table.seq, match), driven.now))
    driven.frames(2)
    return driven.model


def test_what_has_to_be_hit_is_said(driven):
    assert "reds" in show(driven, asked()).prompt
    assert "any ball but the black" in show(driven, asked(groups=None)).prompt
    only_black = {n: p for n, p in OPEN.items() if n != 3}
    assert "the black" in show(driven, asked(balls=only_black)).prompt
    assert "Free shot" in show(driven, asked(free_shot=True)).prompt


def test_groups_are_shown_in_words_and_by_a_ball_of_theirs(driven):
    model = show(driven, asked())
    assert model.reds
    assert [(p.group, p.group_ball) for p in model.players] == [
        ("reds: 1 left", 1), ("yellows: 1 left", 9),
    ]  # fmt: skip
    only_black = {n: p for n, p in OPEN.items() if n != 3}
    assert show(driven, asked(balls=only_black)).players[0].group == "on the black"


def test_the_choice_of_a_free_shot_says_what_follows(driven):
    phase = {"phase": Phase.FREE_SHOT, "decider": 0, "options": OPTIONS, "free_shot": True}
    dialog = show(driven, asked(shooter=1, **phase)).dialog
    assert "free shot" in dialog.title and all(dialog.notes)
    assert [button.action for button in dialog.buttons] == [f"choose:{o}" for o in OPTIONS]


def test_a_snooker_is_declared_by_key_and_refused_with_its_reason(driven):
    show(driven, asked())
    driven.key("n")
    driven.frames(2)
    assert driven.table.state.snooker_declared is False
    assert "straight way" in driven.model.toast
    show(driven, asked(balls=HIDDEN))
    driven.key("n")
    driven.frames(4)
    assert driven.table.state.snooker_declared
    assert "the hit is enough" in driven.model.hint


def test_on_a_free_shot_no_ball_is_marked():
    assert targets_shown(asked()) == (3,)
    assert targets_shown(asked(free_shot=True)) == ()


@pytest.mark.parametrize("is_break", [True, False])
def test_the_ball_in_hand_is_held_in_baulk_at_first(is_break):
    phase = Phase.PLACE_CUE_FOR_BREAK if is_break else Phase.PLACE_CUE_BAULK
    balls = {n: p for n, p in OPEN.items() if n}
    match = asked(
        phase=phase, balls=balls, cue_in_hand="baulk", is_break=is_break, cue_placed=False
    )
    check_placement(match, 0, first_place(match, 0))


def test_reds_yellows_and_a_black():
    reds, yellows = (
        {paint_of(n, True) for n in range(1, 8)},
        {paint_of(n, True) for n in range(9, 16)},
    )
    (red,), (yellow,) = reds, yellows
    assert red.colour[0] > 150 > red.colour[1] + red.colour[2]
    assert min(yellow.colour[:2]) > 180 > yellow.colour[2]
    assert paint_of(8, True).colour == COLOURS[8]
    assert paint_of(0, True).colour == IVORY


def test_a_game_brings_its_balls_and_its_line():
    assert dress_of("black_ball", "baulk") == Dress(reds=True, baulk=True)
    assert dress_of("eight_ball", "head") == dress_of("nine_ball", "head") == PLAIN
    table = TABLES["uk7ft"]
    assert lay_out(table, baulk=True).line_x == pytest.approx(FRAME.baulk_line)
    assert lay_out(table).line_x == lay_out(table).head_string_x


# --- bots --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def brain():
    return Brain(LEVELS[4], seed=3, preset="uk7ft")


def test_a_bot_declares_a_snooker_once_and_then_plays(brain):
    match = asked(balls=HIDDEN)
    assert isinstance(brain.decide(match, 0), c.DeclareSnooker)
    assert isinstance(brain.decide(asked(balls=HIDDEN, snooker_declared=True), 0), c.Strike)


def test_a_bot_places_in_baulk(brain):
    balls = {n: p for n, p in OPEN.items() if n}
    for is_break in (True, False):
        phase = Phase.PLACE_CUE_FOR_BREAK if is_break else Phase.PLACE_CUE_BAULK
        match = asked(
            phase=phase, balls=balls, cue_in_hand="baulk", is_break=is_break, cue_placed=False,
            free_shot=not is_break,
        )  # fmt: skip
        placed = brain.decide(match, 0)
        assert isinstance(placed, c.PlaceCue)
        check_placement(match, 0, Position(placed.x, placed.y))


@pytest.mark.parametrize(
    ("cue", "option"),
    [
        (Position(0.62, 0.30), Option.CUE_IN_POSITION),  # a step from a red at the pocket
        (Position(0.692, -0.42), Option.CUE_IN_HAND_BAULK),  # right behind the black
    ],
)
def test_a_bot_takes_the_free_shot_from_where_it_is_easier(brain, cue, option):
    balls = {0: cue, 3: Position(0.83, 0.39), 8: Position(0.7, -0.35), 12: Position(-0.2, -0.2)}
    match = asked(
        phase=Phase.FREE_SHOT, decider=0, shooter=1, options=OPTIONS, free_shot=True, balls=balls
    )
    assert brain.decide(match, 0) == c.Choose(option=option)


def test_a_bot_wants_no_ball_that_ends_its_visit():
    wanted = {
        "open": (asked(groups=None), [3, 12]),
        "reds": (asked(), [3]),
        "free": (asked(free_shot=True), [3]),
        "black": (asked(balls={n: p for n, p in OPEN.items() if n != 3}), [8]),
    }
    for name, (match, balls) in wanted.items():
        assert goal_of(match, 0).wanted == balls, name
