"""One shot from start to rest: ``simulate`` and the loop behind it."""

from collections.abc import Sequence

from physics.outcome import Outcome, Piece, Recorded, TimedImpulse, World
from physics.state import BallState

__all__ = ["Outcome", "Piece", "Recorded", "TimedImpulse", "World", "simulate", "warm_up"]

MAX_EVENTS = 20_000


def simulate(
    world: World,
    states: Sequence[BallState],
    impulses: Sequence[TimedImpulse] = (),
    until: float = 120.0,
    max_events: int = MAX_EVENTS,
    tie_window: float = 0.0005,
) -> Outcome:
    """Everything that follows from ``states`` and ``impulses``, to rest or to ``until`` (s)."""
    raise NotImplementedError


def warm_up() -> None:
    """Load compiled code and Bullet, so that the first shot is as fast as the others."""
