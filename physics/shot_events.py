"""The events of a shot that follow from its pieces: strings, frozen balls, ties, travel, rest."""

from collections.abc import Mapping, Sequence

from physics.outcome import Piece, Recorded, TimedImpulse, World
from physics.state import BallState


def complete_events(
    world: World,
    states: Sequence[BallState],
    impulses: Sequence[TimedImpulse],
    pieces: Mapping[int, Sequence[Piece]],
    events: list[Recorded],
    final: Mapping[int, BallState],
    duration: float,
    cut: bool,
    tie_window: float,
) -> list[Recorded]:
    """All events of the shot, in order."""
    return events
