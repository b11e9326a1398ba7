"""Spotting, placement, frozen balls and racks: where balls lie and may lie."""

from math import cos, hypot, radians, sin, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared_rules.balls import CUE
from shared_rules.cushions import nearest_on_rail
from shared_rules.frozen import frozen_balls, near_cue, rails_within, threatened
from shared_rules.nine_ball import NINE_BALL
from shared_rules.placement import (
    check_area,
    check_on_bed,
    in_head_area,
    nearest_pocket,
    overlapped,
)
from shared_rules.rack import check_rack
from shared_rules.refusal import Code, Refusal
from shared_rules.ruleset import SpotRules, make_ruleset
from shared_rules.spotting import nearest_free, spot_position, touches_another
from shared_rules.table import Position, TableFrame
from tests.shared_rules.table import RACK_ORDER

FRAME = TableFrame()
SPOT = FRAME.foot_spot
D = 2 * FRAME.ball_radius
WPA = make_ruleset("nine_ball_wpa").spot
EPBF = make_ruleset("nine_ball_epbf").spot


# The nose meets the ball 7.715 mm above its centre.
REACH = sqrt(0.028575**2 - 0.00771525**2)


def test_a_ball_touches_the_nose_nearer_than_its_radius():
    assert FRAME.cushion_reach(1) == pytest.approx(REACH, abs=1e-12)
    assert 0.0275 < REACH < 0.02752


class TestSpotting:
    @pytest.mark.parametrize("rules", [WPA, EPBF])
    def test_the_free_foot_spot(self, rules):
        assert spot_position({1: Position(0.0, 0.0)}, FRAME, rules) == SPOT

    def test_contact_with_the_ball_in_the_way_under_wpa(self):
        place = spot_position({5: SPOT}, FRAME, WPA)
        assert place.x == pytest.approx(SPOT.x + D, abs=1e-9) and place.y == 0.0
        assert touches_another(place, {5: SPOT}, FRAME)

    def test_a_gap_under_epbf(self):
        place = spot_position({5: SPOT}, FRAME, EPBF)
        assert place.x == pytest.approx(SPOT.x + D + 0.001, abs=1e-9)
        assert not touches_another(place, {5: SPOT}, FRAME)

    def test_a_gap_to_the_cue_ball_under_both(self):
        for rules in (WPA, EPBF):
            place = spot_position({CUE: SPOT}, FRAME, rules)
            assert place.x == pytest.approx(SPOT.x + D + 0.001, abs=1e-9)

    def test_a_ball_beside_the_line_is_touched_not_overlapped(self):
        beside = Position(SPOT.x, D / 2)
        place = spot_position({5: beside}, FRAME, WPA)
        assert place.x > SPOT.x
        assert hypot(place.x - beside.x, beside.y) == pytest.approx(D, abs=1e-9)

    def test_a_gap_between_two_is_used_if_it_is_wide_enough(self):
        two = {5: SPOT, 6: Position(SPOT.x + 2 * D, 0.0)}
        assert spot_position(two, FRAME, WPA).x == pytest.approx(SPOT.x + D, abs=1e-9)
        narrow = {5: SPOT, 6: Position(SPOT.x + 1.9 * D, 0.0)}
        assert spot_position(narrow, FRAME, WPA).x == pytest.approx(SPOT.x + 2.9 * D, abs=1e-9)

    def test_the_head_side_when_the_rest_is_full(self):
        count = int((FRAME.length / 4) // D) + 1
        full = {n + 1: Position(SPOT.x + n * D, 0.0) for n in range(count)}
        assert spot_position(full, FRAME, WPA).x == pytest.approx(SPOT.x - D, abs=1e-9)

    @settings(max_examples=80, deadline=None)
    @given(
        st.lists(st.tuples(st.floats(-1.24, 1.24), st.floats(-0.06, 0.06)), max_size=10),
        st.sampled_from([WPA, EPBF, SpotRules(gap_mm=5.0)]),
    )
    def test_never_overlaps_and_is_nearest(self, places, rules):
        balls = {}
        for n, (x, y) in enumerate(places, 1):
            if overlapped(Position(x, y), balls, FRAME, n) is None:
                balls[n] = Position(x, y)
        place = spot_position(balls, FRAME, rules)
        apart = D if rules.contact else D + rules.gap_mm * 1e-3
        near = [hypot(place.x - x, place.y - y) for x, y in balls.values()]
        assert all(d >= apart - 1e-8 for d in near)
        if place.x > SPOT.x:
            steps = int((place.x - SPOT.x) / 0.002)
            for k in range(steps):
                x = SPOT.x + k * 0.002
                assert any(hypot(bx - x, by) < apart for bx, by in balls.values())

    def test_nearest_free_place(self):
        crowd = {1: Position(0.0, 0.0), 2: Position(D, 0.0)}
        place = nearest_free(Position(0.01, 0.0), crowd, FRAME, 3)
        assert overlapped(place, crowd, FRAME, 3) is None
        assert hypot(place.x - 0.01, place.y) < 1.2 * D


class TestPlacement:
    def test_the_string_is_outside(self):
        string = FRAME.head_string
        assert not in_head_area(Position(string, 0.0), FRAME)
        assert in_head_area(Position(string - 1e-9, 0.0), FRAME)
        with pytest.raises(Refusal) as refused:
            check_area(Position(string, 0.0), "head", FRAME)
        assert refused.value.code == Code.OUTSIDE_HEAD_AREA
        check_area(Position(string, 0.0), "anywhere", FRAME)

    @pytest.mark.parametrize("sign", [1, -1])
    def test_the_bed_ends_at_the_cushions(self, sign):
        x, y = FRAME.length / 2 - REACH, FRAME.width / 2 - REACH
        check_on_bed(Position(sign * x, sign * y), FRAME)
        for off in (Position(sign * (x + 1e-6), 0.0), Position(0.0, sign * (y + 1e-6))):
            with pytest.raises(Refusal) as refused:
                check_on_bed(off, FRAME)
            assert refused.value.code == Code.OUTSIDE_BED

    def test_touching_is_not_overlapping(self):
        balls = {3: Position(0.0, 0.0)}
        assert overlapped(Position(D, 0.0), balls, FRAME) is None
        assert overlapped(Position(D - 1e-6, 0.0), balls, FRAME) == 3

    def test_a_smaller_cue_ball(self):
        frame = TableFrame(cue_ball_radius=0.0238)
        touching = frame.ball_radius + frame.cue_ball_radius
        assert overlapped(Position(touching, 0.0), {3: Position(0.0, 0.0)}, frame) is None
        assert frame.cushion_reach(CUE) < frame.cushion_reach(1) == FRAME.cushion_reach(CUE)


class TestFrozen:
    def test_the_limit_is_the_rulesets(self):
        x = FRAME.length / 2 - REACH
        balls = {CUE: Position(0.0, 0.0), 1: Position(x - 0.0001, 0.0), 2: Position(0.0, -D)}
        frozen = frozen_balls(balls, FRAME, 0.1)
        assert frozen.to_rail == ((1, "foot"),) and frozen.to_cue == (2,)
        assert frozen_balls(balls, FRAME, 0.05).to_rail == ()

    def test_a_ball_at_two_rails_touches_neither_in_the_mouth_between_them(self):
        x, y = FRAME.length / 2 - REACH, FRAME.width / 2 - REACH
        assert rails_within(1, Position(-x, -y), 1e-4, FRAME) == set()
        assert rails_within(1, Position(-x, -y), 0.05, FRAME) == {"head", "right"}

    def test_a_ball_in_front_of_a_side_pocket_touches_no_rail(self):
        y = FRAME.width / 2 - REACH
        assert rails_within(1, Position(0.0, y), 1e-4, FRAME) == set()
        assert rails_within(1, Position(FRAME.side_mouth / 2, y), 1e-4, FRAME) == {"left"}

    def test_a_facing_is_the_end_of_its_cushion(self):
        # Beside the middle of the left cushion's facing at the foot: its cut angle is 142 degrees.
        x, y = FRAME.length / 2 - FRAME.corner_mouth / sqrt(2), FRAME.width / 2
        c, s = cos(radians(38.0)), sin(radians(38.0))
        at = Position(x + 0.02 * c + REACH * s, y + 0.02 * s - REACH * c)
        assert rails_within(1, at, 1e-6, FRAME) == {"left"}
        off = Position(at.x + 2e-4 * s, at.y - 2e-4 * c)
        assert rails_within(1, off, 1e-4, FRAME) == set()
        nearest = nearest_on_rail(at, "left", FRAME)
        assert nearest == pytest.approx((x + 0.02 * c, y + 0.02 * s), abs=1e-12)
        assert frozen_balls({1: at}, FRAME, 0.1).to_rail == ((1, "left"),)

    def test_near_the_cue_ball(self):
        balls = {CUE: Position(0.0, 0.0), 1: Position(D + 0.01, 0.0), 2: Position(0.0, D + 0.02)}
        assert near_cue(balls, 0.0143, FRAME) == [1]
        assert near_cue({1: Position(0.0, 0.0)}, 1.0, FRAME) == []

    @pytest.mark.parametrize(
        ("heading", "full_enough"), [(0.0, True), (70.0, True), (76.0, False), (180.0, False)]
    )
    def test_half_distance_is_for_full_hits(self, heading, full_enough):
        balls = {CUE: Position(0.0, 0.0), 1: Position(D, 0.0)}
        assert (threatened(balls, heading, 75.0, FRAME) == {1}) is full_enough
        assert (threatened(balls, -heading, 75.0, FRAME) == {1}) is full_enough

    @pytest.mark.parametrize(("gap", "near"), [(0.24, True), (0.26, False)])
    def test_a_push_through_threatens_within_a_quarter_of_a_ball(self, gap, near):
        balls = {CUE: Position(0.0, 0.0), 1: Position(D * (1 + gap), 0.0)}
        assert (threatened(balls, 0.0, 75.0, FRAME) == {1}) is near


class TestRack:
    def balls(self):
        return dict(zip(RACK_ORDER, NINE_BALL.rack.slots(FRAME), strict=True))

    def test_a_tight_rack_stands(self):
        check_rack(NINE_BALL.rack, self.balls(), FRAME, 0.0)

    @pytest.mark.parametrize(
        ("spoil", "word"),
        [
            (lambda b: b.pop(3), "1 to 9"),
            (lambda b: b.update({9: b[1], 1: b[9]}), "foot spot"),
            (lambda b: b.update({9: b[4], 4: b[9]}), "middle"),
            (lambda b: b.update({8: Position(b[8].x + 1e-3, b[8].y)}), "touch"),
            (lambda b: b.update({8: Position(b[8].x - 1e-3, b[8].y)}), "overlap"),
            (lambda b: b.update({1: Position(float("nan"), 0.0)}), "beside"),
        ],
    )
    def test_others_are_refused(self, spoil, word):
        balls = self.balls()
        spoil(balls)
        with pytest.raises(Refusal, match=word):
            check_rack(NINE_BALL.rack, balls, FRAME, 0.03)

    def test_moved_as_a_whole_it_is_not_on_the_spot(self):
        moved = {b: Position(x + 0.01, y) for b, (x, y) in self.balls().items()}
        with pytest.raises(Refusal, match="foot spot"):
            check_rack(NINE_BALL.rack, moved, FRAME, 0.03)

    @pytest.mark.parametrize(
        ("rows", "valid"),
        [
            ([[1], [4, 7], [2, 9, 6], [8, 3], [5]], True),
            ([[2], [4, 7], [1, 9, 6], [8, 3], [5]], False),
            ([[1], [4, 7], [9, 2, 6], [8, 3], [5]], False),
            ([[1], [4, 7], [2, 9, 6], [8, 3]], False),
            ([[1], [4, 4], [2, 9, 6], [8, 3], [5]], False),
            ([[1, 4], [7], [2, 9, 6], [8, 3], [5]], False),
            ([], False),
        ],
    )
    def test_rows(self, rows, valid):
        assert (NINE_BALL.rack.fault(rows) is None) is valid


@pytest.mark.parametrize(
    ("x", "y", "pocket"),
    [
        (-1.28, 0.64, "head_left"),
        (-1.28, -0.64, "head_right"),
        (0.02, 0.66, "side_left"),
        (-0.02, -0.66, "side_right"),
        (1.26, 0.64, "foot_left"),
        (1.28, -0.62, "foot_right"),
    ],
)
def test_a_ball_in_a_mouth_lies_at_that_pocket(x, y, pocket):
    """N9.9m: left is left as seen from the head, on the side of +y."""
    assert nearest_pocket(Position(x, y), TableFrame()) == pocket
