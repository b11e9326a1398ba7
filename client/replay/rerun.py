"""A stored match being played: where in it we are, how fast it goes, where every ball lies.  Pure.

It stands where a table's :class:`~client.play.playback.Playback` does, so the stage shows a stored
match as it shows a live one.
"""

from client.net.server_clock import ServerClock
from client.net.view import TableView
from client.play.playback import Playback, Shown, moving_poses, resting_poses
from client.replay.timeline import MarkKind, Now, Timeline
from physics.orientation import Quaternion

SPEEDS = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0)
Faces = dict[int, Quaternion]


class Rerun(Playback):
    """``at``: seconds from the beginning; ``speed``: seconds of the match in a second."""

    def __init__(self, timeline: Timeline, at: float = 0.0) -> None:
        super().__init__()
        self.timeline = timeline
        self.playing = True
        self.speed = 1.0
        self._turned: list[Faces] = [{}]
        self._place(at)

    def _place(self, at: float) -> None:
        self.at: float = min(max(at, 0.0), self.timeline.duration)
        self.now: Now = self.timeline.now(self.at)

    # --- time ----------

    def advance(self, dt: float) -> None:
        """So many seconds pass; at the end it stops."""
        if not self.playing:
            return
        self._place(self.at + dt * self.speed)
        if self.at >= self.timeline.duration:
            self.playing = False

    def play_or_pause(self) -> None:
        """Stop, or go on; from the end it begins anew."""
        self.playing = not self.playing
        if self.playing and self.at >= self.timeline.duration:
            self._place(0.0)

    def go_to(self, at: float) -> None:
        """Be at a moment; it plays on if it played."""
        self._place(at)

    def step(self, way: int, *kinds: MarkKind) -> bool:
        """Go to the next or last mark of these kinds, and stop there; False: there is none."""
        at = self.timeline.step(self.at, way, *kinds)
        if at is None:
            return False
        self.playing = False
        self._place(at)
        return True

    def faster(self, way: int) -> None:
        """The next speed up (1) or down (-1)."""
        here = SPEEDS.index(self.speed) + way
        self.speed = SPEEDS[min(max(here, 0), len(SPEEDS) - 1)]

    # --- the table ----------

    def show(self, view: TableView, clock: ServerClock, local: float) -> Shown:
        """Where the balls are; view and clock are not asked."""
        now = self.now
        if now.shot is not None and now.shot_time is not None:
            poses = moving_poses(now.shot, now.shot_time, self._faces_before(now.index))
            return Shown(poses, now.shot, now.shot_time)
        ended = self.timeline.shot(now.index)
        if ended is not None:  # nothing came after it
            faces = self._faces_before(now.index)
            return Shown(moving_poses(ended, ended.trajectory.duration, faces), None, None)
        return Shown(resting_poses(now.state, self._faces_before(now.index + 1)), None, None)

    def _faces_before(self, index: int) -> Faces:
        """How the balls are turned before an event, as the last shots of its rack left them.

        What was once found is kept.
        """
        known = self._turned
        while len(known) <= index:
            known.append(self._faces_after(len(known) - 1))
        return known[index]

    def _faces_after(self, index: int) -> Faces:
        timeline, faces = self.timeline, self._turned[index]
        shot = timeline.shot(index)
        if shot is not None:
            ended = moving_poses(shot, shot.trajectory.duration, faces)
            return faces | {ball: face for ball, (_, face) in ended.items()}
        return {} if index and _rack(timeline, index) != _rack(timeline, index - 1) else faces


def _rack(timeline: Timeline, index: int) -> tuple[int, bool]:
    """Which rack it is, and whether its balls stand: with another one they begin unturned."""
    state = timeline.state(index)
    return state.rack_number, state.racked
