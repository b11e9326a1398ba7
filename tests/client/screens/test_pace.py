"""How many frames are drawn: few where a processor draws and nothing moves."""

from client.play.input import Input
from client.screens.pace import (
    CALM_FRAMES_S,
    LIVELY_S,
    MOST_FRAMES_S,
    WAITING_FRAMES_S,
    Pacer,
    pace_of,
)


def test_a_processor_draws_few_frames_while_nothing_moves_and_all_after_a_touch():
    rates, inputs = [], Input()
    pacer = Pacer(inputs, True, rates.append)
    pacer.step("waiting", 0.0)
    pacer.step("waiting", 0.1)
    pacer.step("calm", 0.2)
    inputs.move(5.0, 5.0)
    pacer.step("calm", 0.3)
    pacer.step("calm", 0.3 + LIVELY_S)
    inputs.press("arrow_left")
    inputs.events.clear()  # heard, and still held
    pacer.step("calm", 9.0)
    pacer.step("calm", 20.0)
    inputs.release("arrow_left")
    inputs.events.clear()
    pacer.step("calm", 30.0)
    pacer.step("full", 31.0)
    assert rates == [
        WAITING_FRAMES_S, CALM_FRAMES_S, MOST_FRAMES_S, CALM_FRAMES_S, MOST_FRAMES_S,
        CALM_FRAMES_S, MOST_FRAMES_S,
    ]  # fmt: skip


def test_a_graphics_card_draws_them_all():
    rates = []
    pacer = Pacer(Input(), False, rates.append)
    for k, pace in enumerate(("waiting", "calm", "full")):
        pacer.step(pace, float(k))
    assert rates == [MOST_FRAMES_S]


def test_an_activity_that_says_nothing_of_its_pace_moves():
    assert pace_of(object()) == "full"
