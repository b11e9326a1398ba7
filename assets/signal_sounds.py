"""The signals: your turn, the clock runs out, a challenge, a line of chat.  Struck wooden bars.

A marimba's bar is cut so that its second mode is four times the first, its third nearly ten
(Fletcher and Rossing, ch. 19.3); a mallet of felt leaves the high ones weak.
"""

from collections.abc import Callable

import numpy as np

from assets.synthesis import Signal, modes, place, room, samples, unit

G4, C5, E5, G5, C6 = 392.0, 523.25, 659.26, 783.99, 1046.5


def tone(frequency: float, ring_s: float, duration: float) -> Signal:
    """A bar struck once."""
    rows = [
        (frequency, ring_s, 1.0),
        (4.0 * frequency, ring_s / 4, 0.22),
        (9.8 * frequency, ring_s / 9, 0.06),
    ]
    return unit(modes(duration, rows, 0.0006))


def turn() -> Signal:
    """It is your turn: up a fourth."""
    parts = [(0.0, 0.8, tone(G5, 0.09, 0.3)), (0.11, 1.0, tone(C6, 0.11, 0.34))]
    return room(place(parts, 0.40), 201, 0.05)


def warning() -> Signal:
    """The clock is nearly out: one dry knock of a wood block, for every second."""
    rows = [(910.0, 0.014, 1.0), (1630.0, 0.009, 0.7), (2480.0, 0.005, 0.3)]
    return room(unit(modes(0.10, rows, 0.0003)), 211, 0.04, 0.02)


def challenge() -> Signal:
    """Somebody wants something of you: a chord taken apart, upwards."""
    notes = [(0.0, 0.8, C5), (0.10, 0.9, E5), (0.20, 1.0, G5)]
    parts = [(at, gain, tone(f, 0.10, 0.35)) for at, gain, f in notes]
    return room(place(parts, 0.46), 221, 0.05)


def chat() -> Signal:
    """A line of chat: one soft low bar."""
    return room(tone(G4, 0.05, 0.16), 231, 0.03, 0.02)


SOUNDS: dict[str, Callable[[], np.ndarray]] = {
    "turn": lambda: samples(turn()),
    "warning": lambda: samples(warning()),
    "challenge": lambda: samples(challenge()),
    "chat": lambda: samples(chat()),
}
"""The signals by name, as 16-bit samples."""
