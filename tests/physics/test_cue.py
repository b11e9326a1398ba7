"""The cue through the public door: massé, scoop, jump, squirt, against REFERENCES 5."""

import math

import pytest

from physics.outcome import World
from physics.simulation import simulate
from physics.strike import CueSpec, Stroke, impulse_of, squirt_angle
from physics.table import TABLES
from shared_rules.events import BallBall, JumpOver, Scoop
from tests.physics.posing import R, ball, events, first, heading, pose
from tests.physics.shots import on_bed

BED = World(TABLES["unbounded"])

NO_SQUIRT = {"end_mass_ratio": None}


def strike(speed, tip=(0.0, 0.0), elevation=0.0, **keys):
    return {
        "speed": speed, "heading_deg": 0.0, "elevation_deg": elevation, "tip": list(tip), **keys,
    }  # fmt: skip


@pytest.mark.parametrize("speed", [1.0, 3.0])
@pytest.mark.parametrize(
    "a, b, elevation, degrees",
    [(0.4, -0.3, 75, -96.08), (0.35, -0.35, 10, -5.47), (0.4, 0, 30, -13.0), (0.4, 0, 5, -2.0),
     (0.45, -0.2, 60, -52.41)],
)  # fmt: skip
def test_masse_ends_in_coriolis_direction_after_all_its_hops(a, b, elevation, degrees, speed):
    got = pose(
        {"0": ball(0, 0)}, table="unbounded", cue=NO_SQUIRT, strike=strike(speed, (a, b), elevation)
    )
    rolling = events(got, "roll_onset")[-1]["after"]["0"]
    assert heading(rolling) == pytest.approx(degrees, abs=0.01)
    assert events(got, "bed_bounce")
    assert not events(got, "cue_recontact", "long_tip_contact")


def test_masse_goes_around_a_ball():
    balls = {"0": ball(0, 0), "1": ball(0.2, 0.0)}
    straight = pose(balls, table="unbounded", strike=strike(1.5))
    assert first(straight, "ball_ball")["b"] == "1"
    got = pose(
        balls, table="unbounded", strike={**strike(3.0, (0.3, -0.3), 55.0), "heading_deg": 35.0},
        sample_at=[0.005 * k for k in range(200)],
    )  # fmt: skip
    assert not events(got, "ball_ball")
    way = [s["balls"]["0"]["pos"] for s in got["samples"]]
    end = got["final"]["0"]["pos"]
    # Out to its left, around it in the plane, and across its line behind it.
    assert min(math.hypot(p[0] - 0.2, p[1]) for p in way) > 2 * R
    assert max(p[1] for p in way) > 0.02 and end[0] > 0.2 and end[1] < -R


def test_an_elevated_stroke_hops_and_a_level_one_does_not():
    for elevation, hops in ((0.0, False), (3.0, False), (20.0, True)):
        got = pose({"0": ball(0, 0)}, table="unbounded", strike=strike(2.0, (0, 0), elevation))
        heights = [e["after"]["0"]["vel"][2] for e in events(got, "bed_bounce")]
        assert any(v > 0.0 for v in heights) == hops
    # The bed gives back half of what drives the ball into it.
    down = 1.75 * 2.0 / (1 + 0.170097 / 0.5386) * math.sin(math.radians(20.0))
    assert heights[0] == pytest.approx(0.5 * down, rel=1e-4)


def test_a_jump_clears_a_ball():
    # vz 1.06 to 1.44 m/s clear a full ball at 0.15 to 0.35 m (REFERENCES 5).
    balls = {"0": ball(0, 0), "1": ball(0.25, 0.0)}
    times = [0.001 * k for k in range(600)]
    got = pose(balls, table="unbounded", strike=strike(4.0, (0, 0.1), 45.0), sample_at=times)
    assert not events(got, "ball_ball")
    over = [s["balls"]["0"]["pos"] for s in got["samples"]]
    assert max(p[2] for p in over if abs(p[0] - 0.25) < 0.01) > 3 * R
    assert not events(got, "scoop")  # from above, that is allowed (N9.4.7)


def test_a_hop_over_a_ball_from_below_the_equator_is_a_false_jump():
    balls = {"0": ball(0, 0), "1": ball(0.25, 0.0)}
    # The tip at sqrt(1 - b²) sin t + b cos t = -0.03 of the radius, below the middle.
    got = pose(balls, table="unbounded", strike=strike(9.0, (0, -0.5), 28.0, follow_through=0.0))
    assert not events(got, "ball_ball")
    assert events(got, "scoop")[0]["intentional"] is True


def _told(balls, stroke, **limits):
    states = [on_bed(n, x, 0.0) for n, x in balls.items()]
    impulse = impulse_of(stroke, CueSpec(), BED.spec(0))
    return [r.event for r in simulate(BED, states, [impulse], **limits).events]


def test_where_only_below_the_middle_is_false_a_tip_just_above_it_may_jump():
    # At 33 degrees the middle of the tip is 1.5 mm above the equator, half a tip's radius is 3.1.
    low = Stroke(9.0, 0.0, 33.0, (0.0, -0.5), follow_through=0.0)
    scoops = {
        upper: [e for e in _told({0: 0.0, 1: 0.25}, low, upper_tip=upper) if isinstance(e, Scoop)]
        for upper in (True, False)
    }
    assert [e.intentional for e in scoops[True]] == [True] and scoops[False] == []
    below = Stroke(9.0, 0.0, 28.0, (0.0, -0.5), follow_through=0.0)
    assert any(isinstance(e, Scoop) for e in _told({0: 0.0, 1: 0.25}, below, upper_tip=False))


def test_what_is_flown_over_after_a_ball_was_met_is_not_cleared_by_the_stroke():
    # It comes down on the 1, which throws it over both: no false jump, though the tip was low.
    low = Stroke(5.0, 0.0, 28.0, (0.0, -0.5), follow_through=0.0)
    told = _told({0: 0.0, 1: 0.18, 2: 0.238}, low)
    met = next(k for k, e in enumerate(told) if isinstance(e, BallBall))
    assert any(isinstance(e, JumpOver) and e.over == 2 for e in told[met:])
    assert not any(isinstance(e, JumpOver) for e in told[:met])
    assert not any(isinstance(e, Scoop) for e in told)


def test_a_scoop_lifts_the_ball_over_another():
    balls = {"0": ball(0, 0), "1": ball(0.25, 0.0)}
    got = pose(balls, table="unbounded", strike=strike(7.0, (0, -0.85)))
    (told,) = events(got, "scoop")
    assert told["intentional"] is True and first(got, "cue_strike")["miscue"] is True
    assert told["after"]["0"]["vel"][2] > 0.0
    assert not events(got, "ball_ball")
    kinds = [e["t"] for e in got["events"]]
    assert kinds.index("cue_strike") < kinds.index("scoop")


def test_a_lift_that_clears_nothing_is_an_accident():
    got = pose(
        {"0": ball(0, 0), "1": ball(0.9, 0.4)}, table="unbounded", strike=strike(3.0, (0, -0.85))
    )
    (told,) = events(got, "scoop")
    assert "intentional" not in told
    plain = pose({"0": ball(0, 0)}, table="unbounded", strike=strike(3.0, (0, -0.45)))
    assert not events(plain, "scoop")


def test_a_miscue_over_the_top_presses_the_ball_down():
    got = pose({"0": ball(0, 0)}, table="unbounded", strike=strike(5.0, (0, 0.9)))
    blow = first(got, "cue_strike")
    assert blow["miscue"] is True and blow["after"]["0"]["vel"][2] < 0.0
    assert not events(got, "scoop")


@pytest.mark.parametrize(
    "offset, ratio, measured", [(0.453, 20, 2.5), (0.453, 29, 1.8), (0.267, 12, 2.4)]
)
def test_squirt_as_measured(offset, ratio, measured):
    assert math.degrees(squirt_angle(offset, ratio)) == pytest.approx(measured, abs=0.02)
