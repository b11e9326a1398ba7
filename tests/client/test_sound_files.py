"""The sounds that the scripts make: the committed files are what the scripts write."""

import numpy as np
import pytest

from assets.make import SOUND_FILES, SOUNDS
from assets.synthesis import RATE, hertz_time, read

MOST_BYTES = 600_000


@pytest.mark.parametrize("name", sorted(SOUNDS))
def test_the_script_writes_the_committed_sound(name):
    made = SOUNDS[name]().astype(int)
    kept = read(SOUND_FILES / name).astype(int)
    assert made.shape == kept.shape
    # Mathematics libraries may round the last bits otherwise: one step of 32767, and rarely.
    difference = np.abs(made - kept)
    assert difference.max() <= 1
    assert (difference > 0).mean() < 0.001


def test_no_sound_lies_about_without_a_script_and_all_are_small():
    assert {path.name for path in SOUND_FILES.iterdir()} == set(SOUNDS)
    assert sum(path.stat().st_size for path in SOUND_FILES.iterdir()) < MOST_BYTES


@pytest.mark.parametrize("name", sorted(SOUNDS))
def test_a_sound_is_loud_enough_and_ends_in_silence(name):
    samples = read(SOUND_FILES / name).astype(float) / 32768
    assert 0.8 < np.abs(samples).max() < 0.95
    assert abs(samples.mean()) < 0.02
    if name != "rolling.wav":
        assert np.abs(samples[-20:]).max() < 0.01 and abs(samples[0]) < 0.05


def test_what_is_looped_joins_without_a_click():
    samples = read(SOUND_FILES / "rolling.wav").astype(float)
    step = np.abs(np.diff(samples))
    assert abs(samples[0] - samples[-1]) <= step.max()


def bright(name: str) -> float:
    """Mean frequency of a sound's power, Hz."""
    samples = read(SOUND_FILES / f"{name}.wav").astype(float)
    power = np.abs(np.fft.rfft(samples)) ** 2
    return float((power * np.fft.rfftfreq(len(samples), 1 / RATE)).sum() / power.sum())


@pytest.mark.parametrize(
    "row",
    [
        ("ball_0", "ball_1", "ball_2", "ball_3"),
        ("tip_0", "tip_1", "tip_2"),
        ("cushion_0", "cushion_1", "cushion_2"),
    ],
)
def test_the_harder_the_brighter(row):
    heights = [bright(name) for name in row]
    assert heights == sorted(heights) and heights[-1] > 1.2 * heights[0]


def test_the_contact_of_two_balls_shortens_as_hertz_has_it():
    assert hertz_time(1.0) / hertz_time(32.0) == pytest.approx(2.0)
    # High-speed film: a few tenths of a millisecond.
    assert 2e-4 < hertz_time(1.0) < 5e-4
