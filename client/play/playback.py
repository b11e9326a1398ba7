"""Where every ball is to be drawn now: trajectories by the server's clock, the rest of the state.

A shot reaches us half a round trip after it began.  We start it with the picture after the contact,
so that its first frame moves already, and make the rest up within a quarter of a second; who joins
later than that sees it from where it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from client.net.server_clock import ServerClock
from client.net.view import Shot, TableView
from physics.orientation import IDENTITY, Quaternion, multiply
from physics.state import Motion
from shared_rules.balls import LAG_A, LAG_B
from shared_rules.state import MatchState, Phase
from shared_rules.table import Position

CATCH_UP_S = 0.25
FIRST_PICTURE_S = 1 / 60
"""So far into the shot is its first picture, if that time has passed."""
LATE_S = 0.6
"""A shot heard of later than this is joined where it is."""
HANG_ON_S = 1.5
"""Longest time for which a ruled shot is played on, should our clock lag behind."""

Pose = tuple[tuple[float, float, float], Quaternion]


@dataclass(frozen=True)
class Shown:
    """A frame's balls.  ``shot_time``: seconds into the shot being played, None at rest."""

    poses: Mapping[int, Pose]
    shot: Shot | None
    shot_time: float | None


class Playback:
    """Turns the view of a table into the poses of its balls."""

    def __init__(self) -> None:
        self._shot: Shot | None = None
        self._began = 0.0
        self._late = 0.0
        self._faces: dict[int, Quaternion] = {}
        self._start_faces: dict[int, Quaternion] = {}
        self._rack: tuple[int, int] | None = None
        self._done = True
        self._skipped: Shot | None = None
        self.at: float | None = None
        """Seconds into the shot to show instead of the present: for still pictures."""

    def show(self, view: TableView, clock: ServerClock, local: float) -> Shown:
        """Poses at a local time (s)."""
        state = view.state
        if state is None:
            return Shown({}, None, None)
        self._watch_for_a_new_rack(state)
        if view.shot is not None and view.shot is not self._shot:
            self._take_up(view.shot, state, clock, local)
        if self._shot is not None and not self._done:
            t = self.time(clock, local)
            running = state.phase is Phase.SHOT_RUNNING or state.resumes_to is Phase.SHOT_RUNNING
            behind = t < self._shot.trajectory.duration and t < self._give_up
            if running or behind:
                if running:
                    self._give_up = t + HANG_ON_S * max(clock.pace, 1.0)
                return Shown(self._moving(t), self._shot, t)
            self._finish()
        return Shown(resting_poses(state, self._faces), None, None)

    def time(self, clock: ServerClock, local: float) -> float:
        """Seconds into the shot that is shown, at a local time."""
        assert self._shot is not None
        if self.at is not None:
            return self.at
        if self._skipped is self._shot:
            return self._shot.trajectory.duration
        t = clock.now(local) - self._shot.started_at
        left = max(0.0, 1.0 - (local - self._began) / CATCH_UP_S)
        return max(t - self._late * left, 0.0)

    def skip(self) -> bool:
        """Show where the shot leads at once; whether one was being shown.

        What may be done waits for the server all the same.
        """
        if self._shot is None or self._done:
            return False
        self._skipped = self._shot
        return True

    @property
    def last(self) -> Shot | None:
        """The shot that was shown last."""
        return self._shot

    def _take_up(self, shot: Shot, state: MatchState, clock: ServerClock, local: float) -> None:
        self._shot = shot
        self._began = local
        late = clock.now(local) - shot.started_at
        pace = max(clock.pace, 1.0)
        self._late = max(late - FIRST_PICTURE_S * pace, 0.0) if late <= LATE_S * pace else 0.0
        self._done = state.phase is not Phase.SHOT_RUNNING and late > shot.trajectory.duration
        self._give_up = late + HANG_ON_S * pace
        self._start_faces = dict(self._faces)

    def _moving(self, t: float) -> dict[int, Pose]:
        poses = self.poses_at(t)
        self._faces.update({ball: face for ball, (_, face) in poses.items()})
        return poses

    def poses_at(self, t: float) -> dict[int, Pose]:
        """The balls at a moment of the last shot."""
        assert self._shot is not None
        return moving_poses(self._shot, t, self._start_faces)

    def _finish(self) -> None:
        """Turn every ball as the shot leaves it."""
        assert self._shot is not None
        self._moving(self._shot.trajectory.duration)
        self._done = True

    def _watch_for_a_new_rack(self, state: MatchState) -> None:
        rack = (state.rack_number, int(state.racked))
        if self._rack is not None and rack != self._rack and state.phase is not Phase.SHOT_RUNNING:
            self._faces.clear()
            self._done = True
        self._rack = rack

    _give_up = 0.0


def moving_poses(shot: Shot, t: float, faces: Mapping[int, Quaternion]) -> dict[int, Pose]:
    """The balls ``t`` seconds into a shot; ``faces``: how they were turned when it began."""
    poses: dict[int, Pose] = {}
    for ball, state in shot.trajectory.states_at(t).items():
        if state.motion in (Motion.POCKETED, Motion.OFF_TABLE):
            continue
        face = multiply(shot.trajectory.orientation_at(ball, t), faces.get(ball, IDENTITY))
        poses[ball] = (state.pos, face)
    return poses


def resting_poses(state: MatchState, faces: Mapping[int, Quaternion]) -> dict[int, Pose]:
    """The balls as they lie by the state; ``faces``: how they are turned."""
    frame = state.description.frame
    poses: dict[int, Pose] = {}
    for ball, place in _on_bed(state).items():
        radius = frame.cue_ball_radius if ball == 0 else frame.ball_radius
        poses[ball] = ((place[0], place[1], radius), faces.get(ball, IDENTITY))
    return poses


def _on_bed(state: MatchState) -> dict[int, Position]:
    """Balls that lie on the bed by the state: in a lag the two lag balls."""
    if state.phase in (Phase.LAG, Phase.LAG_REFEREE_DECISION) and state.lag is not None:
        return {LAG_A: state.lag.balls[0], LAG_B: state.lag.balls[1]}
    return state.balls
