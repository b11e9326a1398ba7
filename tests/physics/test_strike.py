"""The stroke against the published closed forms (REFERENCES 5) and its refusals."""

import math
from dataclasses import astuple

import pytest

from physics.state import BallSpec
from physics.strike import (
    MAX_CUE_SPEED,
    CueSpec,
    Stroke,
    StrokeError,
    impulse_of,
    squirt_angle,
    strike,
)

BALL = BallSpec()
CUE = CueSpec()


@pytest.mark.parametrize(
    "b, speed, ratio", [(0.0, 2.659952, 0.0), (0.4, 2.039849, 1.0), (-0.5, 1.803368, -1.25)]
)
def test_s01_speed_and_spin_of_a_level_stroke(b, speed, ratio):
    struck = strike(Stroke(2.0, 0.0, tip=(0.0, b)), CUE, BALL)
    assert struck.vel[0] == pytest.approx(speed, rel=1e-6)
    assert BALL.radius * struck.spin[1] / struck.vel[0] == pytest.approx(ratio, abs=1e-6)
    assert not struck.miscue


@pytest.mark.parametrize(
    "a, end, degrees",
    [(0.25, 20, 1.484979), (0.5, 20, 2.709432), (0.25, 30, 1.039743), (0.5, 30, 1.885995)],
)
def test_s02_squirt_goes_away_from_the_english(a, end, degrees):
    struck = strike(Stroke(2.0, 0.0, tip=(a, 0.0)), CueSpec(end_mass_ratio=end), BALL)
    assert math.degrees(math.atan2(struck.vel[1], struck.vel[0])) == pytest.approx(
        degrees, abs=1e-5
    )
    assert struck.spin[2] > 0  # right english
    assert squirt_angle(-a, end) == -squirt_angle(a, end)


def test_no_end_mass_no_squirt():
    struck = strike(Stroke(2.0, 0.0, tip=(0.5, 0.0)), CueSpec(end_mass_ratio=0.0), BALL)
    assert struck.vel[1] == 0.0


@pytest.mark.parametrize("heading", [0.0, 37.0, 90.0, 180.0, 270.0, -1.0, 725.0])
def test_a_heading_only_turns_the_stroke(heading):
    tip = (0.2, 0.3)
    plain = strike(Stroke(3.0, 0.0, tip=tip), CUE, BALL)
    turned = strike(Stroke(3.0, heading, tip=tip), CUE, BALL)
    c, s = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    for a, b in ((plain.vel, turned.vel), (plain.spin, turned.spin)):
        assert b == pytest.approx((a[0] * c - a[1] * s, a[0] * s + a[1] * c, a[2]), abs=1e-9)


def test_half_turns_are_exact():
    ahead, back = (strike(Stroke(3.0, h, tip=(0.1, 0.2)), CUE, BALL) for h in (33.0, 213.0))
    assert back.vel == (-ahead.vel[0], -ahead.vel[1], ahead.vel[2])
    assert strike(Stroke(3.0, 0.0), CUE, BALL).vel[1] == 0.0


def test_energy_of_the_ball_is_less_than_the_cues():
    for a, b in [(0.0, 0.0), (0.3, 0.3), (0.5, 0.0), (0.6, 0.5), (0.0, -1.0), (0.7, -0.7)]:
        struck = strike(Stroke(5.0, 20.0, tip=(a, b)), CUE, BALL)
        m, r = BALL.mass, BALL.radius
        energy = 0.5 * m * math.hypot(*struck.vel) ** 2
        energy += 0.2 * m * r * r * math.hypot(*struck.spin) ** 2
        assert energy < 0.5 * CUE.mass * 25.0


def test_beyond_the_limit_it_is_a_miscue():
    assert CUE.miscue_limit == pytest.approx(0.5145, abs=1e-4)
    good = strike(Stroke(2.0, 0.0, tip=(0.51, 0.0)), CUE, BALL)
    bad = strike(Stroke(2.0, 0.0, tip=(0.8, 0.0)), CUE, BALL)
    assert bad.miscue and not good.miscue
    assert math.hypot(*bad.vel) < 0.7 * math.hypot(*good.vel)
    assert bad.vel[1] > abs(good.vel[1])  # far to the left of the stroke
    assert impulse_of(Stroke(2.0, 0.0, tip=(0.8, 0.0)), CUE, BALL).events[0].miscue


@pytest.mark.parametrize(
    "stroke, key",
    [
        (Stroke(0.0, 0.0), "speed"),
        (Stroke(-1.0, 0.0), "speed"),
        (Stroke(MAX_CUE_SPEED + 1e-9, 0.0), "speed"),
        (Stroke(math.nan, 0.0), "speed"),
        (Stroke(1.0, math.inf), "heading_deg"),
        (Stroke(1.0, 0.0, tip=(0.8, 0.7)), "tip"),
        (Stroke(1.0, 0.0, tip=(math.nan, 0.0)), "tip"),
        (Stroke(1.0, 0.0, elevation_deg=86.0), "elevation_deg"),
        (Stroke(1.0, 0.0, at=-0.1), "at"),
    ],
)
def test_a_stroke_that_cannot_be_played_is_refused(stroke, key):
    with pytest.raises(StrokeError) as refusal:
        strike(stroke, CUE, BALL)
    assert refusal.value.key == key
    assert key in str(refusal.value)


def test_an_elevated_cue_drives_the_ball_down_and_tilts_its_spin():
    struck = strike(Stroke(2.0, 0.0, elevation_deg=30.0, tip=(0.0, 0.0)), CUE, BALL)
    assert struck.vel[2] == pytest.approx(-struck.vel[0] * math.tan(math.radians(30.0)))
    masse = strike(Stroke(2.0, 0.0, elevation_deg=30.0, tip=(0.4, 0.0)), CUE, BALL)
    # Right english of an elevated cue has a part about the line of the stroke: the ball curves
    # to the right (TP A.19: negative angle).
    assert masse.spin[0] > 0 and masse.spin[2] > 0
    v, w, r = masse.vel, masse.spin, BALL.radius
    assert (5 * v[1] - 2 * r * w[0]) / 7 < 0


@pytest.mark.parametrize(
    "a, b, elevation, degrees",
    [(0.4, -0.3, 75, -96.08), (0.35, -0.35, 10, -5.47), (0.4, 0, 30, -13.0), (0.4, 0, 5, -2.0),
     (0.45, -0.2, 60, -52.41)],
)  # fmt: skip
def test_masse_rolls_off_in_coriolis_direction(a, b, elevation, degrees):
    # TP A.19: the direction at roll onset, were there no blow from the bed and no squirt.
    cue = CueSpec(end_mass_ratio=0.0)
    v, w, _ = astuple(strike(Stroke(2.0, 0.0, elevation, (a, b)), cue, BALL))
    onset = (5 * v[0] + 2 * BALL.radius * w[1], 5 * v[1] - 2 * BALL.radius * w[0])
    assert math.degrees(math.atan2(onset[1], onset[0])) == pytest.approx(degrees, abs=0.005)
