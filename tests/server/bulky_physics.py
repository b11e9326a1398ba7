"""The fake physics with trajectories of 40 KB, so that few strokes fill what waits for a reader."""

import dataclasses

from server.shots import ShotJob, ShotResult
from tests.server import fake_physics

TRAJECTORY_BYTES = 40_000


def play(job: ShotJob) -> ShotResult:
    """See ``fake_physics``."""
    result = fake_physics.play(job)
    return dataclasses.replace(result, trajectory=bytes(TRAJECTORY_BYTES))
