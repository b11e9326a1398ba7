"""Balls and marks keep apart for who lacks one of the three cones (BR-093)."""

import itertools
import math

import numpy as np
import pytest

from client.hud.theme import GOLD, GREEN, RED, TEXT
from client.scene.balls import COLOURS, IVORY, PALE_YELLOW, paint_of
from client.scene.balls import RED as RED_BALL
from client.scene.balls import YELLOW as YELLOW_BALL
from client.scene.colour_vision import SIGHTS, apart, lab, seen
from shared_rules.table import Position
from tests.client.at_the_table import show
from tests.client.builders import state

LEAST = 25.0
"""CIE 1976; 2.3 is just noticed side by side, and these are seen across a table."""


def test_the_usual_sight_changes_nothing_and_greys_stay_grey_to_everyone():
    some = np.array([[250, 20, 30], [12, 200, 90], [128, 128, 128]])
    assert np.array_equal(seen(some, "usual"), some)
    for sight in SIGHTS:
        grey = seen(np.array([128, 128, 128]), sight)
        assert np.ptp(grey.astype(int)) <= 1


def test_lab_is_cies():
    # Bruce Lindbloom's calculator, sRGB under D65.
    assert lab(np.array([255, 0, 0])) == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    assert lab(np.array([255, 255, 255])) == pytest.approx([100.0, 0.0, 0.0], abs=0.02)


def test_red_and_green_of_one_lightness_fall_together_without_the_middle_cone():
    assert apart((180, 110, 60), (130, 135, 60), "usual") > 35
    assert apart((180, 110, 60), (130, 135, 60), "deuteranopia") < 15


@pytest.mark.parametrize("sight", SIGHTS)
def test_no_two_colours_of_pool_balls_fall_together(sight):
    pairs = itertools.combinations(COLOURS, 2)
    least = min((apart(COLOURS[p], COLOURS[q], sight), p, q) for p, q in pairs)
    assert least[0] > LEAST, least
    white = min((apart(colour, IVORY, sight), ball) for ball, colour in COLOURS.items())
    assert white[0] > LEAST, white


def test_solids_stripes_and_the_balls_of_a_lag_differ_in_their_pattern_too():
    for ball in range(1, 8):
        solid, stripe = paint_of(ball), paint_of(ball + 8)
        assert solid.colour == stripe.colour and solid.kind != stripe.kind
    assert paint_of(16).kind != paint_of(17).kind


@pytest.mark.parametrize("sight", SIGHTS)
def test_the_balls_of_black_ball_keep_apart(sight):
    kinds = (RED_BALL, YELLOW_BALL, COLOURS[8], IVORY)
    assert min(apart(p, q, sight) for p, q in itertools.combinations(kinds, 2)) > LEAST
    assert apart(IVORY, PALE_YELLOW, sight) > 8  # of a lag: the pattern says it, not the hue


@pytest.mark.parametrize("sight", SIGHTS)
def test_what_the_hud_says_in_colours_is_not_said_in_hue_alone(sight):
    """Warnings, good and bad differ in lightness or hue to everyone; words say the same."""
    tones = [tuple(round(255 * part) for part in tone[:3]) for tone in (RED, GREEN, TEXT)]
    assert min(apart(p, q, sight) for p, q in itertools.combinations(tones, 2)) > 15
    gold = tuple(round(255 * part) for part in GOLD[:3])
    assert apart(gold, tones[2], sight) > 15


def test_br_093_numbers_are_read_in_the_overhead_view_at_1080p(driven):
    """A ball at rest wears its number upright, of digits at least 8 pixels high."""
    d = driven(size=(1920, 1080))
    balls = {0: Position(-0.9, 0.0)}
    balls |= {k + 1: Position(-0.5 + 0.28 * (k % 5), 0.3 - 0.3 * (k // 5)) for k in range(15)}
    show(d, state(balls=balls))
    d.key("2")
    d.settle()
    assert d.app.hud.numbered == set(range(1, 16))
    root = d.app.hud._tags._root
    for ball in range(1, 16):
        (text,) = root.find(f"**/number {ball}").find_all_matches("**/+TextNode")
        assert text.node().text == str(ball)
        # The line's height in sizes is 1.32 or more; a digit's is 0.7 of the size.
        assert 0.7 * text.get_sz() * d.app.hud.scale >= 8.0
        low, high = text.get_tight_bounds(d.app.hud.root)
        x, y = d.pixel_of(*balls[ball])
        middle = (low.x + high.x) / 2 * d.app.hud.scale, -(low.z + high.z) / 2 * d.app.hud.scale
        assert math.dist(middle, (x, y)) < 5.0
    d.key("u")
    assert d.app.hud.numbered == set()
    d.key("u")
    d.key("1")
    d.frames(2)
    assert d.app.hud.numbered == set()  # behind the cue the balls are large enough
