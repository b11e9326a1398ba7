"""How many frames a second are worth drawing: few while other programs need the processor.

Where a processor draws instead of a graphics card, every frame is taken from the private server
and the house bot beside it, and from who waits for them.
"""

from collections.abc import Callable
from typing import Literal

from panda3d.core import ClockObject

from client.play.input import Input

Pace = Literal["full", "calm", "waiting"]
"""Things move; nothing does unless somebody touches something; a program beside is waited for."""

MOST_FRAMES_S = 144
CALM_FRAMES_S = 30
WAITING_FRAMES_S = 10
LIVELY_S = 1.5
"""So long after a touch the picture may still follow it: a camera glides, a toast comes."""


def pace_of(activity: object) -> Pace:
    """What an activity says of itself; one that says nothing moves."""
    return getattr(activity, "pace", "full")


class Pacer:
    """Sets the frame rate that the window's clock keeps to.

    Args:
        inputs: keys and mouse: whoever touches them sees every frame.
        software: a processor draws; a graphics card has frames to spare.
        set_rate: told the rate, in frames a second, when it changes.
    """

    def __init__(
        self, inputs: Input, software: bool, set_rate: Callable[[float], None] | None = None
    ) -> None:
        self._inputs, self._software = inputs, software
        if set_rate is None:
            ticking = ClockObject.get_global_clock()
            ticking.set_mode(ClockObject.M_limited)
            set_rate = ticking.set_frame_rate
        self._set_rate = set_rate
        self._rate = 0
        self._touched = float("-inf")
        self._mouse: tuple[float, float] | None = None

    def step(self, pace: Pace, now: float) -> None:
        """Before a frame at local time ``now`` of an activity of this pace."""
        inputs = self._inputs
        if inputs.held or inputs.events or inputs.mouse != self._mouse:
            self._touched, self._mouse = now, inputs.mouse
        rate = self._wanted(pace, now - self._touched < LIVELY_S)
        if rate != self._rate:
            self._rate = rate
            self._set_rate(rate)

    def _wanted(self, pace: Pace, lively: bool) -> int:
        if not self._software or pace == "full":
            return MOST_FRAMES_S
        if pace == "waiting":
            return CALM_FRAMES_S if lively else WAITING_FRAMES_S
        return MOST_FRAMES_S if lively else CALM_FRAMES_S
