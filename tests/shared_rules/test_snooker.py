"""The straight way to a ball on: hand cases, jaws, and a plain search over all headings."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared_rules import announcements as an
from shared_rules import commands as c
from shared_rules import events as ev
from shared_rules.balls import CUE
from shared_rules.placement import overlapped
from shared_rules.refusal import Code
from shared_rules.snooker import snookered
from shared_rules.table import Position, TableFrame
from tests.shared_rules.table import SEAT, SERVER, STROKE, Match, contact, pocketed, rail

UK = TableFrame(
    preset="uk7ft", length=1.829, width=0.914, ball_radius=0.0254, cue_ball_radius=0.0238125,
    nose_height=0.032258, corner_mouth=0.0813, side_mouth=0.0838,
)  # fmt: skip
SUM = UK.ball_radius + UK.cue_ball_radius


def table(**places):
    return {int(name[1:]): Position(*at) for name, at in places.items()}


def test_nothing_between_is_no_snooker():
    assert not snookered(table(b0=(0, 0), b1=(0.5, 0.1)), {1}, UK)


def test_a_ball_right_behind_another_is_hidden():
    assert snookered(table(b0=(-0.5, 0), b9=(-0.3, 0), b1=(0.5, 0)), {1}, UK)


def test_a_ball_hides_nothing_in_front_of_it():
    assert not snookered(table(b0=(-0.5, 0), b1=(-0.3, 0), b9=(0.5, 0)), {1}, UK)


@pytest.mark.parametrize(("gap", "hidden"), [(1e-4, False), (-1e-4, True)])
def test_an_edge_is_enough(gap, hidden):
    along = 0.6
    half_target = math.asin(SUM / along)
    near = 0.2
    half_blocker = math.asin(SUM / near)
    # The blocker covers all of the target but its left edge, or that too, by a tenth of a mm.
    aside = half_target - half_blocker - gap / along
    balls = table(b0=(0, 0), b1=(along, 0))
    balls[9] = Position(near * math.cos(aside), near * math.sin(aside))
    assert snookered(balls, {1}, UK) is hidden


def test_two_balls_leave_a_gap_or_they_do_not():
    wide = table(b0=(-0.5, 0), b9=(-0.2, 0.055), b10=(-0.2, -0.055), b1=(0.5, 0))
    assert not snookered(wide, {1}, UK)
    tight = table(b0=(-0.5, 0), b9=(-0.2, 0.045), b10=(-0.2, -0.045), b1=(0.5, 0))
    assert snookered(tight, {1}, UK)


def test_any_ball_on_that_can_be_hit_ends_it():
    balls = table(b0=(-0.5, 0), b9=(-0.3, 0), b1=(0.5, 0), b2=(-0.5, 0.3))
    assert not snookered(balls, {1, 2}, UK)


def test_no_ball_on_is_no_snooker():
    assert not snookered(table(b0=(0, 0), b9=(0.2, 0)), {1}, UK)


def test_a_touching_ball():
    touching = table(b0=(0, 0), b9=(SUM, 0), b1=(0.5, 0), b2=(-0.5, 0.1))
    assert snookered(touching, {1}, UK), "it hides half the table"
    assert not snookered(touching, {2}, UK)
    assert not snookered(touching, {9}, UK, touching=(9,)), "it is hit by playing away (BB.9)"


def test_balls_at_a_cushion_are_seen_along_it():
    y = UK.width / 2 - UK.cushion_reach(CUE)
    target = UK.width / 2 - UK.cushion_reach(1)
    assert not snookered(table(b0=(-0.6, y), b1=(0.3, target)), {1}, UK), "past the side pocket"
    assert snookered(table(b0=(-0.6, y), b9=(-0.4, target), b1=(0.3, target)), {1}, UK)


def test_the_jaws_hide_too():
    """The cue ball hangs in a corner: one sees out of it between the jaws alone."""
    x, y = UK.length / 2, UK.width / 2
    inside = 0.012
    mouth = UK.corner_mouth / (2 * math.sqrt(2))
    hanging = (x - mouth + inside, y - mouth + inside)
    down_the_rail = (x - UK.cushion_reach(1), -0.35)
    assert snookered(table(b0=hanging, b1=down_the_rail), {1}, UK)
    assert not snookered(table(b0=hanging, b1=(0.0, -0.2)), {1}, UK), "straight out of the mouth"
    on_bed = (x - 0.1, y - 0.1)
    assert not snookered(table(b0=on_bed, b1=down_the_rail), {1}, UK)


def test_a_ball_deep_in_a_jaw_is_hidden_by_it():
    x, y = UK.length / 2, UK.width / 2
    deep = (x + 0.03, y + 0.03)
    along_the_rail = (-0.8, y - UK.cushion_reach(CUE) - 0.001)
    assert snookered(table(b0=along_the_rail, b1=deep), {1}, UK)
    assert not snookered(table(b0=(0.4, -0.05), b1=deep), {1}, UK)


def first_met(balls, heading, frame):
    """The ball that a cue ball rolling along a heading meets first, in the open."""
    at, best = balls[CUE], (math.inf, None)
    for ball, place in balls.items():
        if ball == CUE:
            continue
        dx, dy = place[0] - at[0], place[1] - at[1]
        ahead = dx * math.cos(heading) + dy * math.sin(heading)
        aside = dx * math.sin(heading) - dy * math.cos(heading)
        reach = frame.cue_ball_radius + frame.ball_radius
        if ahead > 0 and abs(aside) < reach:
            best = min(best, (ahead - math.sqrt(reach * reach - aside * aside), ball))
    return best[1]


places = st.builds(Position, st.floats(-0.84, 0.84), st.floats(-0.39, 0.39))


@settings(max_examples=120, deadline=None)
@given(st.lists(places, min_size=3, max_size=9), st.integers(1, 3))
def test_it_agrees_with_a_search_over_all_headings(spots, on):
    balls = {}
    for ball, place in enumerate(spots):
        if overlapped(place, balls, UK, ball) is None:
            balls[ball] = place
    if CUE not in balls:
        return
    wanted = {ball for ball in balls if 0 < ball <= on}
    seen = any(first_met(balls, k * math.pi / 1500, UK) in wanted for k in range(3000))
    if seen:
        assert not snookered(balls, wanted, UK)
    elif wanted and snookered(balls, wanted, UK) is False:
        finer = (first_met(balls, k * math.pi / 60000, UK) in wanted for k in range(120000))
        assert any(finer), "a way was found that is none"


@given(st.lists(places, min_size=3, max_size=9), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_a_mirror_changes_nothing(spots, on):
    balls = {}
    for ball, place in enumerate(spots):
        if overlapped(place, balls, UK, ball) is None:
            balls[ball] = place
    if CUE not in balls:
        return
    wanted = set(range(1, on + 1))
    mirrored = {ball: Position(x, -y) for ball, (x, y) in balls.items()}
    turned = {ball: Position(-x, -y) for ball, (x, y) in balls.items()}
    one = snookered(balls, wanted, UK)
    assert snookered(mirrored, wanted, UK) == snookered(turned, wanted, UK) == one


# --- declaring it in a match -------------------------------------------------------------------


def hidden_match():
    """Seat 1 has the cue ball right behind the black, with reds and yellows beyond."""
    match = Match("black_ball")
    match.to_break()
    balls = dict(match.state.balls) | {CUE: Position(-1.2, 0.0), 8: Position(-1.13, 0.0)}
    crossed = [ev.CrossesCenterString(ball=b) for b in (3, 12)]
    match.strike(contact(1), *crossed, balls=balls)
    return match


def test_a_snooker_is_declared_and_gives_relief_for_one_stroke():
    match = hidden_match()
    assert match.state.shooter == 1
    match.give(SEAT[1], c.DeclareSnooker())
    assert [said.seat for said in match.heard(an.SnookerDeclared)] == [1]
    assert match.refused(SEAT[1], c.DeclareSnooker()) == Code.WRONG_STATE
    match.strike(rail(CUE), contact(3))
    assert (match.state.last_ruling.fouls, match.state.snooker_declared) == ((), False)


def test_who_does_not_declare_has_no_relief():
    match = hidden_match()
    match.strike(rail(CUE), contact(3))
    assert [foul.code for foul in match.state.last_ruling.fouls] == ["6.3"]


def test_moving_the_cue_ball_in_hand_lifts_the_declaration():
    match = hidden_match()
    match.strike(contact(8), pocketed(CUE))
    assert match.state.cue_in_hand == "baulk" and match.state.free_shot
    seat = SEAT[0]
    assert match.refused(seat, c.DeclareSnooker()) == Code.CUE_BALL_NOT_PLACED
    match.give(seat, c.PlaceCue(x=-1.2, y=0.0))
    match.give(seat, c.DeclareSnooker())
    match.give(seat, c.PlaceCue(x=-0.9, y=0.3))
    assert not match.state.snooker_declared
    assert match.refused(seat, c.DeclareSnooker()) == Code.NOT_SNOOKERED


def test_a_void_shot_keeps_the_declaration():
    match = hidden_match()
    match.give(SEAT[1], c.DeclareSnooker())
    before = match.state
    match.give(SEAT[1], c.Strike(stroke=STROKE))
    match.give(SERVER, c.VoidShot(shot=match.state.running.number, reason="worker died"))
    assert match.state.snooker_declared and match.state.balls == before.balls
