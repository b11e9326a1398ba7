"""What is heard: the contacts of a shot when they come, the rolling, the signals, the device."""

import itertools
import os
import struct
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from client.hud.model import ClockFace
from client.net.view import Shot, TableView
from client.play.hand import Mode
from client.play.playback import Shown
from client.play.settings import load_settings
from client.sound.alerts import Alerts
from client.sound.cues import due, loudest, score_of
from client.sound.desk import MOST_AT_ONCE, SoundDesk
from client.sound.mixer import FILES, Mixer
from client.sound.rolling import Rolling
from client.words import say
from physics.trajectory import Contact, ContactKind, Trajectory
from shared_rules.state import LagState, Phase, RunningShot, Stroke
from shared_rules.table import Position
from tests.client.builders import TABLE, members, rolling, state


def shot_with(*contacts) -> Trajectory:
    """A ball that rolls for two seconds, with these contacts."""
    plain = rolling()
    return Trajectory(plain.cloth, plain.tracks.values(), contacts, plain.duration)


def contact(at, kind=ContactKind.BALL, strength=2.0, b=1) -> Contact:
    return Contact(at, kind, 0, b, strength)


class Ear(Mixer):
    """A mixer without a device that remembers what it was given."""

    def __init__(self) -> None:
        super().__init__(None)
        self.heard: list[tuple[str, float, float, float]] = []
        self.rolls: list[float] = []

    @property
    def sounds(self) -> bool:
        return True

    def play(self, name, gain, pan=0.0, pitch=1.0) -> None:
        self.heard.append((name, gain, pan, pitch))

    def loop(self, name, gain, pan=0.0, pitch=1.0) -> None:
        self.rolls.append(gain)

    @property
    def names(self) -> list[str]:
        return [name for name, *_ in self.heard]


# --- the score ----------


def test_every_kind_of_contact_has_a_sound_that_exists():
    for kind, strength in itertools.product(ContactKind, (0.1, 1.0, 3.0, 8.0, 20.0)):
        (cue,) = score_of(shot_with(contact(0.5, kind, strength)))
        assert (FILES / f"{cue.sound}.wav").exists(), (kind, strength)
        assert 0 < cue.gain <= 1 and 0.5 < cue.pitch < 1.5


@pytest.mark.parametrize("kind", list(ContactKind))
def test_the_harder_the_louder(kind):
    speeds = (0.2, 0.5, 1.0, 2.0, 4.0)
    gains = [score_of(shot_with(contact(0.5, kind, v)))[0].gain for v in speeds]
    assert gains == sorted(set(gains))


def test_the_click_of_balls_rises_with_speed_without_a_break():
    tones = []
    for speed in np.geomspace(0.1, 10.0, 60):
        (cue,) = score_of(shot_with(contact(0.5, strength=float(speed))))
        tones.append((cue.sound, cue.pitch))
    for (before, low), (after, high) in itertools.pairwise(tones):
        assert after > before or (after == before and high > low)


def test_a_touch_too_soft_to_hear_is_left_out():
    assert score_of(shot_with(contact(0.5, strength=0.003))) == ()


def test_a_tip_that_slips_sounds_otherwise():
    trajectory = shot_with(contact(0.0, ContactKind.STRIKE, 3.0, None))
    assert score_of(trajectory)[0].sound == "tip_1"
    assert score_of(trajectory, {0})[0].sound == "miscue"


def test_every_cue_is_due_once_whatever_the_frames():
    at = [0.0, 0.1, 0.1, 0.333, 0.9, 1.5]
    score = score_of(shot_with(*[contact(t) for t in at]))
    for frame in (1 / 144, 1 / 60, 1 / 7, 0.5):
        times = np.append(np.arange(0.0, 2.0, frame), 2.0)
        heard = [cue.at for a, b in itertools.pairwise(times) for cue in due(score, a, b)]
        assert heard == at
    assert list(due(score, 1.0, 0.5)) == []


def test_of_too_many_at_once_the_loudest_are_kept():
    score = score_of(shot_with(*[contact(0.1, strength=0.5 + k) for k in range(6)]))
    kept = loudest(score, 2)
    assert sorted(c.gain for c in kept) == sorted(c.gain for c in score)[-2:]


# --- rolling ----------


def test_rolling_is_as_loud_as_it_is_fast_and_ends_with_the_shot():
    trajectory = rolling()
    roll = Rolling(trajectory)
    levels = [roll.at(t)[0] for t in np.linspace(0, trajectory.duration, 20)]
    assert levels[0] > 0.05 and levels == sorted(levels, reverse=True)
    assert levels[-1] < 0.02 and roll.at(trajectory.duration + 5)[0] == 0.0
    _, speed, place = roll.at(1.0)
    state_then = trajectory.state_at(0, 1.0)
    assert speed == pytest.approx(state_then.vel[0], abs=0.03)
    assert place[0] == pytest.approx(state_then.pos[0], abs=0.05)


# --- the desk ----------


def heard_of(desk_times, trajectory, running=None) -> Ear:
    ear = Ear()
    desk, shot = SoundDesk(ear), Shot(1, 0.0, trajectory)
    for t in desk_times:
        desk.step(Shown({}, shot, t), running, lambda place: 0.25, ())
    desk.step(Shown({}, None, None), None, lambda place: 0.0, ())
    return ear


def test_a_shot_is_heard_from_its_first_blow_on():
    trajectory = shot_with(contact(0.0, ContactKind.STRIKE), contact(0.51), contact(1.99))
    ear = heard_of(np.arange(0.004, 1.98, 1 / 60), trajectory)
    assert [name[:4] for name in ear.names] == ["tip_", "ball", "ball"]
    assert ear.heard[1][2] == 0.25
    assert max(ear.rolls) > 0.05 and ear.rolls[-1] == 0.0


def test_who_comes_late_does_not_hear_what_is_past():
    trajectory = shot_with(contact(0.0, ContactKind.STRIKE), contact(0.5), contact(1.2))
    ear = heard_of([1.0, 1.1, 1.3], trajectory)
    assert len(ear.names) == 1


def test_a_frame_that_took_long_does_not_let_everything_sound_at_once():
    trajectory = shot_with(*[contact(0.2 + 0.1 * k) for k in range(14)])
    ear = heard_of([0.1, 1.55], trajectory)
    assert 1 <= len(ear.names) <= 4
    crowd = shot_with(*[contact(0.2) for _ in range(40)])
    assert len(heard_of([0.1, 0.3], crowd).names) == MOST_AT_ONCE


def test_a_miscue_is_known_by_the_stroke():
    stroke = Stroke(speed=2.0, heading_deg=0.0, tip=(0.0, 0.8))
    running = RunningShot(
        number=1, shooter=0, strokes=((0, 0.0, stroke),), started_at=0.0, balls_before={},
        hand_before="none", phase_before=Phase.AWAIT_SHOT,
    )  # fmt: skip
    trajectory = shot_with(contact(0.0, ContactKind.STRIKE))
    assert heard_of([0.0, 0.1], trajectory, running).names == ["miscue"]


# --- signals ----------


def seated(match, **changes) -> TableView:
    return TableView(
        table=TABLE, seat=0, role="player", state=match, known=True, players=members(), **changes
    )


def test_the_turn_is_signalled_when_it_comes_and_not_at_each_stroke():
    alerts = Alerts()
    mine = seated(state(Phase.AWAIT_SHOT, shooter=0))
    theirs = seated(state(Phase.AWAIT_SHOT, shooter=1))
    runs = seated(state(Phase.SHOT_RUNNING, shooter=0))
    assert alerts.heard(theirs, Mode.WAIT, None) == []
    assert alerts.heard(mine, Mode.AIM, None) == ["turn"]
    assert alerts.heard(mine, Mode.AIM, None) == []
    assert alerts.heard(runs, Mode.WAIT, None) == []
    assert alerts.heard(mine, Mode.AIM, None) == []
    assert alerts.heard(theirs, Mode.WAIT, None) == []
    assert alerts.heard(mine, Mode.PLACE, None) == ["turn"]


def test_the_lag_is_a_turn_too():
    lag = LagState(balls=(Position(-0.6, 0.3), Position(-0.6, -0.3)))
    alerts = Alerts()
    view = seated(state(Phase.LAG, shooter=None, lag=lag))
    assert alerts.heard(view, Mode.AIM, None) == ["turn"]
    assert alerts.heard(view, Mode.AIM, None) == []


def test_the_clock_knocks_at_ten_and_for_the_last_five():
    alerts = Alerts()
    view = seated(state(Phase.AWAIT_SHOT, shooter=0))
    alerts.heard(view, Mode.AIM, None)
    knocks = []
    for tenth in range(120, 0, -1):
        second = -(-tenth // 10)
        face = ClockFace(second, "to shoot", second <= 10, 0.5)
        if "warning" in alerts.heard(view, Mode.AIM, face):
            knocks.append(second)
    assert knocks == [10, 5, 4, 3, 2, 1]
    # Another's clock is his affair.
    face = ClockFace(5, "to shoot", True, 0.1)
    assert alerts.heard(seated(state(Phase.AWAIT_SHOT, shooter=1)), Mode.WAIT, face) == []


def test_an_opponent_who_comes_is_signalled():
    alerts = Alerts()
    view = seated(state(Phase.AWAIT_SHOT, shooter=1))
    both = view.players
    view.players = (both[0], None)
    assert alerts.heard(view, Mode.WAIT, None) == []
    view.players = both
    assert alerts.heard(view, Mode.WAIT, None) == ["challenge"]
    assert alerts.heard(view, Mode.WAIT, None) == []


# --- settings and device ----------


@pytest.mark.parametrize("stored", ['"loud"', "-1", "101", "true", "1e3", "null"])
def test_a_volume_that_makes_no_sense_gives_way_to_the_default(tmp_path, monkeypatch, stored):
    monkeypatch.setenv("HEADSTRING_DATA", str(tmp_path))
    (tmp_path / "settings.json").write_text(f'{{"volume": {stored}, "muted": 3}}')
    settings = load_settings()
    assert settings.volume == 80 and settings.muted is False


def test_without_a_device_everything_is_silent_and_says_so():
    mixer = Mixer(None, "sound_none")
    desk = SoundDesk(mixer)
    desk.set_volume(100, muted=False)
    desk.step(Shown({}, Shot(1, 0.0, rolling()), 0.1), None, lambda place: 0.0, ["turn"])
    desk.close()
    assert not mixer.sounds
    assert all("sound" in say("en", key) for key in ("sound_none",))


def stereo_of(content: bytes) -> tuple[np.ndarray, int]:
    """Samples and rate of a file of the extensible kind, which the library of 3.11 can't read."""
    head, body = content.index(b"fmt ") + 8, content.index(b"data") + 8
    _, channels, rate = struct.unpack_from("<HHI", content, head)
    (bits,) = struct.unpack_from("<H", content, head + 14)
    assert (channels, bits) == (2, 16)
    data = np.frombuffer(content[body : body + (len(content) - body) // 4 * 4], "<i2")
    return data.reshape(-1, 2), rate


PLAYED = """
    import sys, time
    from panda3d.core import AudioManager, load_prc_file_data
    load_prc_file_data("", "audio-library-name p3openal_audio")
    from client.sound.mixer import Mixer
    mixer = Mixer(AudioManager.create_AudioManager())
    assert mixer.sounds and not mixer.problem
    def go(seconds):
        for _ in range(int(seconds / 0.01)):
            mixer.update()
            time.sleep(0.01)
    go(0.1)
    mixer.play("turn", 0.8, -1.0)
    go(0.55)
    mixer.play("turn", 0.8, 1.0)
    go(0.55)
    mixer.set_volume(0.0)
    mixer.play("turn", 0.8)
    mixer.loop("rolling", 0.5)
    go(0.4)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="OpenAL's own way to a file")
def test_the_device_plays_left_right_and_nothing_at_volume_0(tmp_path):
    """Through the real OpenAL, whose output goes to a file."""
    out, config = tmp_path / "out.wav", tmp_path / "alsoft.conf"
    config.write_text(
        f"[general]\nchannels=stereo\nsample-type=int16\nhrtf=false\n[wave]\nfile={out}\n"
    )
    environment = {**os.environ, "ALSOFT_CONF": str(config), "ALSOFT_DRIVERS": "wave"}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PLAYED)], env=environment, timeout=60,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    data, rate = stereo_of(out.read_bytes())
    left, right = (data / 32768.0).T
    ear = left - right
    loud = np.flatnonzero(np.abs(left) + np.abs(right) > 0.02)
    first = slice(loud[0], loud[0] + int(0.4 * rate))
    second = slice(loud[0] + int(0.55 * rate), loud[0] + int(0.95 * rate))
    assert np.sum(left[first] ** 2) > 4 * np.sum(right[first] ** 2)
    assert np.sum(right[second] ** 2) > 4 * np.sum(left[second] ** 2)
    assert np.abs(ear[loud[0] + int(1.15 * rate) :]).max() < 0.01
