"""Next-contact times against closed forms, a dense scan, and the shots that once broke engines."""

import math
import random
from itertools import pairwise

import pytest

from physics.contact_times import first_descent, line_meeting, sphere_meeting
from physics.layout import NEVER

R = 0.028575


def test_first_descent_finds_the_first_falling_root_only():
    # (t - 1)(t - 2)(t - 3)(t - 4) falls through 0 at 1 and at 3.
    assert first_descent(24.0, -50.0, 35.0, -10.0, 1.0, 9.0, 1e-12) == pytest.approx(1.0, abs=1e-14)
    # Started between 1 and 2, below zero, the next fall is at 3: shift by 1.5.
    c = [1.0]
    for root in (-0.5, 0.5, 1.5, 2.5):
        c = [a - root * b for a, b in zip([0.0, *c], [*c, 0.0], strict=True)]
    assert first_descent(*c, 9.0, 1e-12) == pytest.approx(1.5, abs=1e-13)


def test_a_touch_without_depth_is_no_root():
    assert first_descent(1.0, -2.0, 1.0, 0.0, 0.0, 5.0, 1e-12) == NEVER
    assert first_descent(1.0 - 1e-9, -2.0, 1.0, 0.0, 0.0, 5.0, 1e-12) == pytest.approx(1, abs=1e-4)


def test_vanishing_leading_coefficients_change_nothing():
    assert first_descent(3.0, -2.0, 0.0, 0.0, 0.0, 5.0, 1e-12) == pytest.approx(1.5, abs=1e-15)
    assert first_descent(3.0, -4.0, 1.0, 0.0, 0.0, 5.0, 1e-12) == pytest.approx(1.0, abs=1e-15)
    assert first_descent(3.0, 0.0, 0.0, 0.0, 0.0, 5.0, 1e-12) == NEVER


def test_first_descent_agrees_with_a_dense_scan():
    draw = random.Random(5)
    found = 0
    for _ in range(400):
        c = [draw.uniform(0.0, 1.0), *(draw.uniform(-2.0, 2.0) for _ in range(4))]
        value = lambda t, c=c: sum(k * t**n for n, k in enumerate(c))  # noqa: E731
        t = first_descent(*c, 3.0, 1e-12)
        steps = [3.0 * k / 3000 for k in range(3001)]
        falls = [b for a, b in pairwise(steps) if value(a) > 0.0 >= value(b)]
        if falls:
            found += 1
            # A scan may step over a pair of roots, never the other way round.
            assert t <= falls[0]
            assert abs(value(t)) < 1e-12
            assert value(t + 1e-6) < 0.0
        elif t < NEVER:
            assert value(t - 1e-6) > 0.0 > value(t + 1e-6)
    assert found > 100


def test_two_balls_that_slow_down_alike_meet_as_without_slowing():
    a = 0.0981
    t = sphere_meeting(0.5, 0, 0, -0.5, 0, 0, 0, 0, 0, 2 * R, 10.0, False)
    assert t == pytest.approx((0.5 - 2 * R) / 0.5, abs=1e-15)
    # The target resting: the closer decelerates, a true quadratic.
    t = sphere_meeting(0.5, 0, 0, -0.5, 0, 0, 0.5 * a, 0, 0, 2 * R, 5.0, False)
    gap = 0.5 - 2 * R
    assert t == pytest.approx((0.5 - math.sqrt(0.25 - 2 * a * gap)) / a, rel=1e-13)


@pytest.mark.parametrize(("aside", "hit"), [(0.0, False), (-1e-9, True), (1e-9, False)])
def test_grazing_is_decided_at_a_nanometre(aside, hit):
    t = sphere_meeting(0.9, 2 * R + aside, 0, -0.5, 0, 0, 0, 0, 0, 2 * R, 10.0, False)
    assert (t < NEVER) is hit


def test_what_touches_now_counts_only_when_it_meets_again():
    # Parting at 1 m/s, pulled back at 2 m/s^2: again after 1 s.
    t = sphere_meeting(2 * R, 0, 0, 1.0, 0, 0, -1.0, 0, 0, 2 * R, 5.0, True)
    assert t == pytest.approx(1.0, abs=1e-12)


def test_line_meeting_takes_the_falling_root():
    assert line_meeting(1.0, -2.0, 0.5, 9.0) == pytest.approx(2.0 - math.sqrt(2.0), rel=1e-15)
    assert line_meeting(1.0, 2.0, -0.5, 9.0) == pytest.approx(2.0 + math.sqrt(6.0), rel=1e-15)
    assert line_meeting(1.0, 2.0, 0.5, 9.0) == NEVER
    assert line_meeting(1.0, -2.0, 0.5, 0.5) == NEVER
