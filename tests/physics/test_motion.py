"""Closed forms of one ball's motion: slide, roll, spin (REFERENCES 2)."""

import math

import numpy as np
import pytest

from physics import layout
from physics.motion import advance, begin, contact_distance, kinetic_energy, settle

R, MASS, MU, ROLLING, G = 0.028575, 0.170097, 0.2, 0.01, 9.81


def row(vel, spin, z=R):
    s = np.zeros((1, layout.STATE_WIDTH))
    s[0, layout.POS + 2] = z
    s[0, layout.VEL : layout.VEL + 3] = vel
    s[0, layout.SPIN : layout.SPIN + 3] = spin
    s[0, layout.RADIUS], s[0, layout.MASS] = R, MASS
    s[0, layout.HOLE] = s[0, layout.LIP] = -1.0
    par = np.zeros(layout.PARAMETERS)
    par[layout.MU_SLIDE], par[layout.MU_ROLL] = MU, ROLLING
    par[layout.SPIN_DECEL], par[layout.GRAVITY] = 10.0, G
    begin(s, 0, 0.0, par)
    return s, par


def play_out(s, par):
    """Let pieces follow each other; the list of (motion, end)."""
    played = []
    while s[0, layout.T_END] < layout.NEVER:
        end = s[0, layout.T_END]
        played.append((int(s[0, layout.MOTION]), end))
        advance(s, 0, end)
        settle(s, 0)
        begin(s, 0, end, par)
    return played


def test_any_start_ends_at_the_roll_that_the_invariant_says():
    vel, spin = (1.3, -0.7, 0.0), (12.0, -40.0, 5.0)
    s, par = row(vel, spin)
    s[0, layout.SPIN + 2] = 0.0
    begin(s, 0, 0.0, par)
    slip = (vel[0] - R * spin[1], vel[1] + R * spin[0])
    assert s[0, layout.T_END] == pytest.approx(2 * math.hypot(*slip) / (7 * MU * G), rel=1e-14)
    advance(s, 0, s[0, layout.T_END])
    want = ((5 * vel[0] + 2 * R * spin[1]) / 7, (5 * vel[1] - 2 * R * spin[0]) / 7)
    assert tuple(s[0, layout.VEL : layout.VEL + 2]) == pytest.approx(want, rel=1e-13)
    assert s[0, layout.VEL] == pytest.approx(R * s[0, layout.SPIN + 1], abs=1e-12)


def test_slide_then_roll_then_rest_at_the_distances_of_the_laws():
    s, par = row((2.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    played = play_out(s, par)
    assert [motion for motion, _ in played] == [layout.SLIDE, layout.ROLL]
    slide, roll = 12 * 4 / (49 * MU * G), (10 / 7) ** 2 / (2 * ROLLING * G)
    assert s[0, layout.POS] == pytest.approx(slide + roll, rel=1e-13)
    assert s[0, layout.MOTION] == layout.REST


def test_side_spin_dies_alone_and_curves_nothing():
    s, par = row((1.0, 0.0, 0.0), (0.0, 1.0 / R, 200.0))
    played = play_out(s, par)
    assert [motion for motion, _ in played] == [layout.ROLL, layout.SPINNING]
    assert played[-1][1] == pytest.approx(20.0)
    assert s[0, layout.POS + 1] == 0.0 and not s[0, layout.SPIN : layout.SPIN + 3].any()


def test_no_energy_is_gained_on_the_way():
    s, _ = row((3.0, 1.0, 0.0), (100.0, -150.0, 60.0))
    last = kinetic_energy(s, 0)
    for k in range(1, 300):
        advance(s, 0, min(k * 0.005, s[0, layout.T_END]))
        assert kinetic_energy(s, 0) <= last * (1 + 1e-14)
        last = kinetic_energy(s, 0)


def test_off_the_bed_a_ball_falls():
    s, _ = row((1.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    assert s[0, layout.MOTION] == layout.AIR
    advance(s, 0, 2.0 / G)
    assert s[0, layout.POS + 2] == pytest.approx(R) and s[0, layout.POS] == pytest.approx(2 / G)


def test_centre_to_nose_at_contact():
    assert contact_distance(R, 1.27 * R) == pytest.approx(0.027514, abs=5e-7)
