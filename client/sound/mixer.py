"""The sound device: recordings ready to be played, each by a few voices; or nothing, and why not.

Panda3D's OpenAL.  Voices are made once; a voice that still sounds is taken over only when all of
its recording's are busy.  A voice stands on a circle round the listener, who looks north.
"""

import math
from dataclasses import dataclass
from pathlib import Path

from direct.showbase.ShowBase import ShowBase
from panda3d.core import AudioManager, AudioSound, Filename

import assets

FILES = Path(assets.__file__).parent / "sounds"
VOICES = {"ball": 6, "cushion": 3, "tip": 2, "pocket": 3, "liner": 4, "facing": 3, "bed": 4}
"""Voices of each recording, by the first part of its name; 1 of the others."""
WIDEST_DEG = 60.0
"""Where a sound at the edge of the screen stands."""


@dataclass
class _Voices:
    """The voices of one recording, and the next to be used."""

    voices: list[AudioSound]
    next: int = 0

    def take(self) -> AudioSound:
        """A silent voice if there is one, else the one that was begun first."""
        for _ in self.voices:
            voice = self.voices[self.next]
            self.next = (self.next + 1) % len(self.voices)
            if voice.status() != AudioSound.PLAYING:
                return voice
        self.next = (self.next + 1) % len(self.voices)
        return self.voices[self.next - 1]


class Mixer:
    """All recordings on one device.

    Attributes:
        problem: key of the words that say why nothing is heard; empty when it is.
    """

    def __init__(self, manager: AudioManager | None = None, problem: str = "") -> None:
        """``manager``: None for silence, with ``problem`` as its reason."""
        self.problem = problem
        self._manager = manager
        self._kept: dict[str, _Voices] = {}
        self._volume = 1.0
        self._loops: dict[str, tuple[float, float]] = {}
        if manager is not None:
            manager.audio_3d_set_drop_off_factor(0.0)
            manager.audio_3d_set_listener_attributes(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1)
            for path in sorted(FILES.glob("*.wav")):
                self._load(manager, path.stem)

    def _load(self, manager: AudioManager, name: str) -> None:
        path = Filename.from_os_specific(str(FILES / f"{name}.wav"))
        count = VOICES.get(name.split("_", maxsplit=1)[0], 1)
        voices = [manager.get_sound(path, True) for _ in range(count)]
        if any(voice.length() <= 0.0 for voice in voices):
            self.problem = "sound_damaged"
            return
        self._kept[name] = _Voices(voices)

    @property
    def sounds(self) -> bool:
        """Whether anything can be heard."""
        return bool(self._kept)

    def set_volume(self, share: float) -> None:
        """Loudness of everything, 0 to 1; at 0 nothing is begun."""
        if share != self._volume:
            self._volume = share
            self._loops.clear()
            if share <= 0.0:
                for kept in self._kept.values():
                    for voice in kept.voices:
                        voice.stop()

    def play(self, name: str, gain: float, pan: float = 0.0, pitch: float = 1.0) -> None:
        """Begin a recording: ``gain`` 0 to 1, ``pan`` -1 (left) to 1, ``pitch`` a factor."""
        kept = self._kept.get(name)
        if kept is None or self._volume <= 0.0:
            return
        voice = kept.take()
        voice.stop()
        _stand(voice, pan)
        voice.set_play_rate(pitch)
        voice.set_volume(gain * self._volume)
        voice.play()

    def loop(self, name: str, gain: float, pan: float = 0.0, pitch: float = 1.0) -> None:
        """Keep a recording going as loud as this; 0 ends it."""
        kept = self._kept.get(name)
        if kept is None:
            return
        voice = kept.voices[0]
        if gain * self._volume < 1e-3:
            if name in self._loops:
                del self._loops[name]
                voice.stop()
            return
        before = self._loops.get(name)
        if before is None:
            voice.set_loop(True)
        elif abs(before[0] - gain) < 0.004 and abs(before[1] - pan) < 0.02:
            return
        self._loops[name] = (gain, pan)
        _stand(voice, pan)
        voice.set_play_rate(pitch)
        voice.set_volume(gain * self._volume)
        if voice.status() != AudioSound.PLAYING:
            voice.play()

    def update(self) -> None:
        """Let the device go on; where Panda3D's own tasks run, they do it as well."""
        if self._manager is not None:
            self._manager.update()

    def silence(self) -> None:
        """Stop everything."""
        self._loops.clear()
        for kept in self._kept.values():
            for voice in kept.voices:
                voice.stop()


def open_mixer(base: ShowBase) -> Mixer:
    """The mixer on a window's sound device; a silent one where there is none."""
    for manager, valid in zip(base.sfxManagerList, base.sfxManagerIsValidList, strict=True):
        if valid:
            return Mixer(manager)
    return Mixer(None, "sound_none")


def _stand(voice: AudioSound, pan: float) -> None:
    """Put a voice at a pan."""
    turn = math.radians(WIDEST_DEG) * min(max(pan, -1.0), 1.0)
    voice.set_3d_attributes(math.sin(turn), math.cos(turn), 0.0, 0.0, 0.0, 0.0)
