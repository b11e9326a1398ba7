"""What a bot loads beside its thinking: the physics, while it signs in or waits to be sent."""

import threading


def load_physics() -> None:
    """Load the physics; what is not compiled yet plays as plain Python meanwhile."""
    from physics.simulation import spare_the_collector, warm_up

    warm_up(wait=False)
    spare_the_collector()


def load_physics_beside() -> None:
    """The same in a thread: who needs it sooner waits for it."""
    threading.Thread(target=load_physics, name="headstring-warm", daemon=True).start()
