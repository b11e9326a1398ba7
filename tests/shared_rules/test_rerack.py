"""What is in the way of a continuation rack, to the millimetre, and where it goes (S14.8)."""

from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared_rules.balls import CUE
from shared_rules.placement import overlapped
from shared_rules.rerack import blocks, in_rack_area, rerack_of, stands_without_apex
from shared_rules.straight_pool import STRAIGHT_POOL
from shared_rules.table import Position, TableFrame

FRAME = TableFrame()
R = FRAME.ball_radius
PATTERN = STRAIGHT_POOL.rack
SPOT = FRAME.foot_spot
GAP_MM = 0.03
LOOSE = 4 * GAP_MM * 1e-3  # so much wider may the loosest rack be
IN = Position(SPOT.x + 4 * R, 0.0)
HEAD, CENTRE = FRAME.head_spot, FRAME.centre_spot
BEHIND = Position(HEAD.x - 0.3, 0.2)
AWAY = Position(-0.1, 0.3)


def inside(x, y):
    return in_rack_area(Position(x, y), R, PATTERN, FRAME, GAP_MM)


@pytest.mark.parametrize("slot", range(15))
def test_every_place_of_the_rack_is_in_it_the_apex_too(slot):
    x, y = PATTERN.slots(FRAME)[slot]
    assert inside(x, y)


def test_the_back_line_touches_the_last_row():
    back = SPOT.x + 8 * R * 0.75**0.5 + R + LOOSE  # apex, four rows, and the ball's own radius
    assert inside(back + R - 1e-5, 0.0)
    assert not inside(back + R + 1e-5, 0.0)


def test_the_sides_touch_the_outer_balls():
    """Square to a side, at its middle, the line is a radius from the outer row."""
    slots = PATTERN.slots(FRAME)
    middle = Position((slots[0].x + slots[10].x) / 2, (slots[0].y + slots[10].y) / 2)
    out = Position(-0.5, 0.75**0.5)  # square to the left side
    for beyond, is_in in ((-1e-5, True), (1e-5, False)):
        away = 2 * R + LOOSE + beyond
        assert inside(middle.x + away * out.x, middle.y + away * out.y) is is_in


def test_the_corner_in_front_of_the_apex_is_part_of_the_outline():
    """The lines meet two radii in front of the apex ball's centre."""
    corner = SPOT.x - 2 * (R + LOOSE)
    assert inside(corner - R + 1e-5, 0.0)
    assert not inside(corner - R - 1e-5, 0.0)


@given(st.floats(-1.2, 1.2), st.floats(-0.6, 0.6))
def test_whatever_is_out_of_it_leaves_room_for_every_ball(x, y):
    if not inside(x, y):
        for slot in PATTERN.slots(FRAME):
            assert hypot(slot.x - x, slot.y - y) >= 2 * R


@pytest.mark.parametrize(
    ("cue", "last", "racked", "cue_to", "last_to"),
    [
        (AWAY, BEHIND, 14, "as_is", "as_is"),
        (AWAY, IN, 14, "as_is", "head_spot"),
        (HEAD, IN, 14, "as_is", "center_spot"),
        (Position(HEAD.x, 2 * R - 1e-4), IN, 14, "as_is", "center_spot"),
        (Position(HEAD.x, 2 * R + 1e-4), IN, 14, "as_is", "head_spot"),
        (IN, AWAY, 14, "in_hand_head", "as_is"),
        (IN, HEAD, 14, "in_hand_head", "as_is"),  # on the string: not behind it
        (IN, BEHIND, 14, "head_spot", "as_is"),
        (IN, Position(HEAD.x - 1e-4, 0.0), 14, "center_spot", "as_is"),
        (IN, Position(HEAD.x - 1e-4, 2 * R), 14, "head_spot", "as_is"),
        (Position(IN.x, 2 * R), IN, 15, "in_hand_head", "racked"),
        (AWAY, None, 15, "as_is", "racked"),
        (IN, None, 15, "in_hand_head", "racked"),
    ],
)
def test_what_goes_where(cue, last, racked, cue_to, last_to):
    balls = {CUE: cue} | ({} if last is None else {12: last})
    rerack = rerack_of(balls, PATTERN, FRAME, GAP_MM)
    assert (len(rerack.balls), rerack.cue_ball, rerack.fifteenth) == (racked, cue_to, last_to)
    assert (12 in rerack.balls) == (racked == 15)


places = st.builds(Position, st.floats(-1.24, 1.24), st.floats(-0.6, 0.6))


@given(places, places)
def test_wherever_they_lie_nothing_overlaps_once_the_rack_stands(cue, last):
    if hypot(cue.x - last.x, cue.y - last.y) < 2 * R:
        return
    rerack = rerack_of({CUE: cue, 12: last}, PATTERN, FRAME, GAP_MM)
    slots = PATTERN.slots(FRAME)[-len(rerack.balls) :]
    table = dict(zip(rerack.balls, slots, strict=True))
    spots = {"head_spot": HEAD, "center_spot": CENTRE}
    if rerack.fifteenth != "racked":
        table[12] = spots.get(rerack.fifteenth, last)
    if rerack.cue_ball != "in_hand_head":
        table[CUE] = spots.get(rerack.cue_ball, cue)
    for ball, place in table.items():
        assert overlapped(place, table, FRAME, ball) is None


def test_a_ball_that_touches_one_on_the_spot_does_not_block_it():
    assert not blocks(Position(HEAD.x - 2 * R, 0.0), R, HEAD, FRAME)
    assert blocks(Position(HEAD.x - 2 * R + 1e-6, 0.0), R, HEAD, FRAME)


def test_fourteen_stand_as_racked_until_one_has_gone_or_moved():
    slots = PATTERN.slots(FRAME)
    standing = dict(zip(range(1, 15), slots[1:], strict=True)) | {CUE: AWAY}
    assert stands_without_apex(standing, PATTERN, FRAME, GAP_MM)
    moved = {**standing, 7: Position(standing[7].x + 2e-3, standing[7].y)}
    assert not stands_without_apex(moved, PATTERN, FRAME, GAP_MM)
