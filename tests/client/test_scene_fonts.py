"""The typeface has what both languages need."""

import pytest

from client.scene.fonts import WEIGHTS, font_path, load_font

LETTERS = "ěščřžýáíéúůďťňóĚŠČŘŽÝÁÍÉÚŮĎŤŇÓ0123456789→←↑↓–—„“…×%°"


@pytest.mark.parametrize("weight", sorted(WEIGHTS))
def test_every_czech_letter_is_there(weight):
    font = load_font(weight)
    assert font is load_font(weight)
    for letter in LETTERS:
        assert font.get_glyph(ord(letter)) is not None, letter
        assert not font.get_glyph(ord(letter)).is_whitespace(), letter


def test_an_unknown_weight_is_refused():
    with pytest.raises(ValueError, match="no weight"):
        font_path("feather")
