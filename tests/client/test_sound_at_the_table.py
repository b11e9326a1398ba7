"""Sound in the client as a player has it: a stroke is heard, volume and mute, news."""

import pytest

from client.play.settings import load_settings
from client.words import say
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.commands import Actor
from shared_rules.state import Stroke
from tests.client.driver import Driven
from tests.client.local_table import LocalTable
from tests.client.test_sound import Ear


@pytest.fixture
def driven(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADSTRING_DATA", str(tmp_path))
    table = LocalTable()
    driven = Driven(table)
    table.start()
    driven.app.sound.mixer = Ear()
    driven.app.preferences._keep = True
    driven.frames(2)
    yield driven
    driven.close()


def test_a_lag_is_heard_and_seen(driven):
    ear = driven.app.sound.mixer
    driven.frames(2)
    assert ear.names == ["turn"]
    for seat in (0, 1):
        stroke = Stroke(speed=1.6, heading_deg=0.0)
        driven.table.order(Actor.of(seat), c.Strike(stroke=stroke))
    driven.frames(150)
    assert [name[:3] for name in ear.names] == ["tur", "tip", "tip", "cus", "cus"]
    # Seen from over the table the foot rail is on the right, the head on the left.
    assert all(pan > 0.1 for *_, pan, _ in ear.heard[3:5])
    assert all(pan < -0.1 for *_, pan, _ in ear.heard[1:3])
    assert max(ear.rolls) > 0.02


def test_volume_and_mute_by_key_and_by_mouse_are_said_and_kept(driven):
    driven.key("m")
    assert driven.model.toast == say("en", "sound_muted")
    assert load_settings().muted
    driven.key("m")
    assert driven.model.toast == say("en", "sound_level", n=80)
    driven.key(".")
    assert load_settings().volume == 90
    driven.key("escape")
    driven.push("sound")
    assert driven.model.dialog.body == say("en", "sound_level", n=90)
    for _ in range(12):
        driven.push("quieter")
    assert driven.model.dialog.body == say("en", "sound_level", n=0)
    assert load_settings().volume == 0
    driven.push("louder")
    driven.push("mute")
    assert driven.model.dialog.body == say("en", "sound_muted")
    driven.push("back")
    assert driven.model.dialog is None


NEWS = (
    (
        m.Said(
            channel="players",
            table="t",
            line=m.ChatLine(number=1, at=1.0, by="Bob", text="good luck"),
        ),
        "chat",
        "Bob: good luck",
    ),
    (m.RematchOffered(table="t", by="Bob"), "challenge", "Bob offers a rematch"),
    (
        m.MatchFound(table="t", seat=0, opponent="Bob", how="quick_match", invitation="x" * 12),
        "challenge",
        "You play Bob",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("news", "sound", "line"), NEWS)
def test_what_is_signalled_is_also_read(driven, news, sound, line):
    ear = driven.app.sound.mixer
    ear.heard.clear()
    driven.session.company.news.append(news)
    driven.frames(1)
    assert ear.names == [sound]
    assert driven.model.toast == line


def test_ones_own_chat_makes_no_sound(driven):
    ear = driven.app.sound.mixer
    ear.heard.clear()
    line = m.ChatLine(number=1, at=1.0, by="Ann", text="thanks")
    driven.session.company.news.append(m.Said(channel="players", table="t", line=line))
    driven.frames(1)
    assert ear.names == []
