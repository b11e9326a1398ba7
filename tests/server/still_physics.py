"""The fake physics with trajectories that our client can read; in them nothing moves.

Loads quickly: it is what the workers of ``tests.server.fake_server`` run.
"""

import dataclasses

from physics.trajectory import Cloth, Trajectory
from server.shots import ShotJob, ShotResult
from tests.server import fake_physics


def play(job: ShotJob) -> ShotResult:
    """See ``fake_physics``."""
    result = fake_physics.play(job)
    still = Trajectory(Cloth(9.81, 0.2, 0.01, 10.0), (), (), result.duration)
    return dataclasses.replace(result, trajectory=still.encode())
