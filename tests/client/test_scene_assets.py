"""The pictures that the scripts make: the committed ones are what the scripts draw."""

import numpy as np
import pytest
from PIL import Image

from assets import ball_numbers
from assets.make import IMAGES, PICTURES


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_the_script_draws_the_committed_picture(name):
    drawn = PICTURES[name]().astype(int)
    with Image.open(IMAGES / name) as picture:
        kept = np.asarray(picture).astype(int)
    assert drawn.shape == kept.shape
    # Mathematics libraries may round the last bit otherwise: one step of 255, and rarely.
    difference = np.abs(drawn - kept)
    assert difference.max() <= 1
    assert (difference > 0).mean() < 0.001


def test_no_picture_lies_about_without_a_script():
    assert {path.name for path in IMAGES.iterdir()} == set(PICTURES)


def test_every_ball_has_its_own_number():
    sheet = ball_numbers.draw()
    size = ball_numbers.CELL
    cells = []
    for number in range(16):
        row, column = divmod(number, 4)
        top = (3 - row) * size
        cells.append(sheet[top : top + size, column * size : (column + 1) * size] > 127)
    assert not cells[0].any()
    for number in range(1, 16):
        assert 0.03 < cells[number].mean() < 0.35
        for other in range(1, number):
            assert (cells[number] != cells[other]).mean() > 0.02
    # Six and nine tell which way up they are.
    for number in (6, 9):
        assert cells[number][int(0.80 * size) : int(0.86 * size)].any()


@pytest.mark.parametrize("name", ["cloth_weave.png", "wood_grain.png"])
def test_tiles_repeat_without_a_seam(name):
    tile = PICTURES[name]().astype(float)
    if tile.ndim == 3:
        tile = tile.mean(axis=2)
    inside = np.abs(np.diff(tile, axis=1)).mean()
    seam = np.abs(tile[:, 0] - tile[:, -1]).mean()
    assert seam < 2.5 * inside + 2
