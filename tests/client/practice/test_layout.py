"""Layouts: where balls may lie, and the text by which they are shared."""

import itertools
import json
import math
import random

import pytest

from client.practice.layout import (
    BALLS,
    PRESETS,
    LayoutError,
    TableLayout,
    frame_of,
    free_place,
    may_lie,
    nearest_place,
    racked,
    read,
    written,
)
from physics.rack import DISCIPLINES
from server.shots import frame_of as frame_of_server
from shared_rules.balls import CUE
from shared_rules.table import Position

EMPTY = TableLayout("9ft")


def lies_well(layout: TableLayout) -> bool:
    return all(may_lie(layout, ball, at) for ball, at in layout.balls.items())


@pytest.mark.parametrize("table", PRESETS)
@pytest.mark.parametrize("discipline", DISCIPLINES)
def test_every_rack_lies_on_every_table_and_survives_its_text(table, discipline):
    layout = racked(table, discipline, seed=11)
    assert lies_well(layout) and CUE in layout.balls
    again = read(written(layout))
    assert again.table == table and again.balls.keys() == layout.balls.keys()
    for ball, at in layout.balls.items():
        assert math.dist(at, again.balls[ball]) < 1e-9
    assert read(written(again)) == again


def test_a_text_is_short_and_may_be_pasted_with_whatever_blanks():
    layout = read("  9ft 0:-635,0\n 1:635,12.5  ")
    assert layout.balls == {0: Position(-0.635, 0.0), 1: Position(0.635, 0.0125)}
    assert written(layout) == "9ft 0:-635,0 1:635,12.5"
    assert len(written(racked("9ft", "straight_pool", 1))) < 500


def test_a_case_of_simulate_is_a_layout_too():
    case = {"id": "x", "table": "8ft", "balls": {"0": {"pos": [0.1, 0.2]}, "9": {"pos": [0, 0]}}}
    assert read(json.dumps(case)) == TableLayout(
        "8ft", {0: Position(0.1, 0.2), 9: Position(0.0, 0.0)}
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unknown_name"),
        ("9ft", None),
        ("10ft 0:0,0", "unknown_name"),
        ("unbounded 0:0,0", "unknown_name"),
        ("9ft 0:0", "bad_json"),
        ("9ft 0:0,nan", "bad_json"),
        ("9ft 0:1e3,0", "bad_json"),
        ("9ft 01:0,0", "bad_json"),
        ("9ft 16:0,0", "unknown_name"),
        ("9ft 1:0,0 1:300,0", "conflict"),
        ("9ft 1:0,0 2:57,0", "overlap"),
        ("9ft 1:0,0 2:57.15,0", None),
        ("9ft 1:400,625", "overlap"),
        ("9ft 1:9000,0", "out_of_range"),
        ("9ft 1:1270,635", "out_of_range"),
        ("{", "bad_json"),
        ('{"table": "9ft", "balls": {"0": {"pos": [0, 0], "vel": [1, 0, 0]}}}', "conflict"),
        ('{"table": "9ft", "balls": {"LA": {"pos": [0, 0]}}}', "unknown_name"),
        ('{"table": "unbounded", "balls": {"0": {"pos": [0, 0]}}}', "unknown_name"),
        ("9ft " + "0:0,0 " * 9000, "bad_json"),
    ],
)
def test_what_is_no_layout_says_what_is_wrong(text, code):
    if code is None:
        assert lies_well(read(text))
        return
    with pytest.raises(LayoutError) as caught:
        read(text)
    assert caught.value.code == code and str(caught.value)


@pytest.mark.parametrize("table", PRESETS)
def test_the_frame_is_the_one_that_matches_are_played_on(table):
    assert frame_of(table) == frame_of_server(table)


def test_a_ball_comes_where_it_is_put_and_beside_what_is_in_its_way():
    layout = EMPTY.with_ball(1, Position(0.0, 0.0))
    assert nearest_place(layout, 2, Position(0.3, 0.1)) == Position(0.3, 0.1)
    beside = nearest_place(layout, 2, Position(0.03, 0.0))
    assert math.dist(beside, (0.0, 0.0)) == pytest.approx(2 * 0.028575, abs=1e-8)
    assert may_lie(layout, 2, beside)
    frozen = nearest_place(EMPTY, 1, Position(0.4, 0.63))
    frame = frame_of("9ft")
    assert frozen.y == pytest.approx(frame.width / 2 - frame.cushion_reach(1), abs=1e-9)


@pytest.mark.parametrize(
    "point", [(1.27, 0.635), (0.0, 0.66), (2.0, 0.0), (0.0, -1.0), (1.42, 0.1)]
)
def test_over_a_pocket_or_beyond_the_cushions_there_is_no_place(point):
    assert nearest_place(EMPTY, 1, Position(*point)) is None


def test_wherever_balls_are_dropped_they_lie_well():
    dice = random.Random(3)
    for _ in range(20):
        layout = EMPTY
        for ball in BALLS:
            for _ in range(50):
                at = Position(dice.gauss(0.0, 0.08), dice.gauss(0.0, 0.08))
                place = nearest_place(layout, ball, at)
                if place is not None:
                    layout = layout.with_ball(ball, place)
                    break
        assert lies_well(layout)
        assert len(layout.balls) >= 10
        assert lies_well(read(written(layout)))


def test_every_ball_finds_room_on_the_long_string():
    for table, order in itertools.product(PRESETS, (BALLS, tuple(reversed(BALLS)))):
        layout = TableLayout(table)
        for ball in order:
            layout = layout.with_ball(ball, free_place(layout, ball))
        assert lies_well(layout) and len(layout.balls) == 16
