"""Once a frame: what of the shot is due, how the balls roll, what is signalled, to the mixer."""

import math
from collections.abc import Callable, Iterable

from client.net.view import Shot
from client.play.playback import Shown
from client.sound.cues import Cue, due, loudest, score_of
from client.sound.mixer import Mixer
from client.sound.rolling import FULL_M_S, Rolling
from physics.strike import CueSpec
from shared_rules.state import RunningShot

BEHIND_S = 0.3
"""What lies farther back than this, after a frame that took long, is not made up for."""
MOST_AT_ONCE = 8
"""Cues that one frame may begin."""
SIGNALS = 0.55
PITCH_STILL, PITCH_FAST = 0.75, 1.15

Pan = Callable[[tuple[float, float, float]], float]


class SoundDesk:
    """The sounds of one table's client."""

    def __init__(self, mixer: Mixer) -> None:
        self.mixer = mixer
        self._shot: Shot | None = None
        self._score: tuple[Cue, ...] = ()
        self._rolling: Rolling | None = None
        self._until = 0.0

    def set_volume(self, percent: int, muted: bool) -> None:
        """Loudness in percent; halves of it sound like halves, so the share is squared."""
        self.mixer.set_volume(0.0 if muted else (percent / 100) ** 2)

    def step(
        self, shown: Shown, running: RunningShot | None, pan: Pan, signals: Iterable[str]
    ) -> None:
        """Sound a frame.

        Args:
            shown: what the playback shows.
            running: the strokes of the shot that runs, if one does.
            pan: from a place on the table to -1 (left of the screen) to 1.
            signals: names of sounds that are not the table's.
        """
        for name in signals:
            self.mixer.play(name, SIGNALS)
        if self.mixer.sounds:
            self._follow(shown, running, pan)

    def _follow(self, shown: Shown, running: RunningShot | None, pan: Pan) -> None:
        shot, t = shown.shot, shown.shot_time
        if shot is None or t is None:
            if self._shot is not None:
                # The last frame may have been a little before the end.
                self._play(due(self._score, self._until, self._until + BEHIND_S), pan)
                self._shot, self._score, self._rolling = None, (), None
                self.mixer.loop("rolling", 0.0)
            return
        if shot is not self._shot:
            self._shot = shot
            self._score = score_of(shot.trajectory, miscued(running))
            self._rolling = Rolling(shot.trajectory)
            self._until = 0.0 if t < BEHIND_S else t
        self._play(due(self._score, max(self._until, t - BEHIND_S), t), pan)
        self._until = t
        assert self._rolling is not None
        level, speed, place = self._rolling.at(t)
        share = min(speed / FULL_M_S, 1.0)
        pitch = PITCH_STILL + (PITCH_FAST - PITCH_STILL) * math.sqrt(share)
        self.mixer.loop("rolling", level, pan(place) if level > 0 else 0.0, pitch)

    def _play(self, cues: Iterable[Cue], pan: Pan) -> None:
        for cue in loudest(tuple(cues), MOST_AT_ONCE):
            self.mixer.play(cue.sound, cue.gain, pan(cue.place), cue.pitch)

    def close(self) -> None:
        """Nothing sounds any more."""
        self.mixer.silence()


def miscued(running: RunningShot | None) -> frozenset[int]:
    """The balls from which the tip slips off."""
    if running is None:
        return frozenset()
    limit = CueSpec().miscue_limit
    return frozenset(ball for ball, _, stroke in running.strokes if math.hypot(*stroke.tip) > limit)
