"""Which six digits are a PIN, and which are too easy to be one."""

import pytest

from shared_rules.pins import is_easy, is_pin


@pytest.mark.parametrize("text", ["482913", "000000", "730264"])
def test_six_digits_are_a_pin(text):
    assert is_pin(text)


@pytest.mark.parametrize("text", ["", "48291", "4829130", "48291a", "٤٨٢٩١٣", "482 913", "²82913"])
def test_nothing_else_is(text):
    assert not is_pin(text)


@pytest.mark.parametrize(
    "pin", ["000000", "112211", "123456", "890123", "654321", "210987", "123123", "121212"]
)
def test_what_everybody_tries_is_easy(pin):
    assert is_easy(pin)


def test_nearly_all_are_not():
    assert sum(is_easy(f"{n:06}") for n in range(1_000_000)) < 5000
