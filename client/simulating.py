"""Simulating in a client: one shot at a time, whoever asks.

Bullet's world is one for the whole process, so two threads in it at once (two bots of a demo, a
bot and a guide line) would read each other's contacts.
"""

import threading
from collections.abc import Sequence

from physics import simulation
from physics.outcome import Outcome, TimedImpulse, World
from physics.state import BallState

_ALONE = threading.Lock()


def simulate(
    world: World,
    states: Sequence[BallState],
    impulses: Sequence[TimedImpulse],
    until: float,
    max_events: int = simulation.MAX_EVENTS,
) -> Outcome:
    """``physics.simulation.simulate``, while no other thread simulates."""
    with _ALONE:
        return simulation.simulate(world, states, impulses, until=until, max_events=max_events)


def warm_up() -> None:
    """Load and compile the physics, while nobody simulates."""
    with _ALONE:
        simulation.warm_up()
