"""Reasons of a lost connection in both languages, whoever gave them."""

import re
from pathlib import Path

import pytest

from client.hud.describe import Moment, describe
from client.net.session import Lost, Session
from client.play.hand import Hand, Mode
from client.reasons import REASONS, reason_text

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("english", REASONS)
def test_a_reason_has_czech_words_and_keeps_what_it_names(english):
    names = [f"<{k}>" for k in range(english.count("*"))]
    parts = english.split("*")
    said = "".join(a + b for a, b in zip(parts, [*names, ""], strict=True))
    czech = reason_text("cs", said)
    assert czech != said and "*" not in czech
    assert all(name in czech for name in names)
    assert reason_text("en", said) == said


def test_what_the_server_says_at_the_end_is_known():
    said = set()
    for path in (ROOT / "server").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        said |= set(re.findall(r'Goodbye\(\s*reason="([^"]+)"', text))
        said |= set(re.findall(r'_close\("([^"]+)"', text))
    lobby = (ROOT / "server" / "lobby" / "lobby.py").read_text(encoding="utf-8")
    left = set(re.findall(r'QueueLeft\(reason="([^"]+)"', lobby))
    assert len(left) == 3
    said |= left
    door = (ROOT / "server" / "web" / "door.py").read_text(encoding="utf-8")
    turned_away = set(re.findall(r'_refusal\(\s*Code\.\w+,\s*"([^"]+)"', door))
    assert len(said) > 5 and len(turned_away) == 5
    said |= turned_away
    assert not {reason for reason in said if reason_text("cs", reason) == reason}


def test_refusals_are_known_and_strange_words_stay():
    assert reason_text("cs", "the match is over") == "zápas skončil"
    assert reason_text("cs", "it is your opponent's turn") == "na řadě je soupeř"
    assert reason_text("cs", "gone fishing") == "gone fishing"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Nothing answers at here:4747; is the server running? Trying again"),
        ("cs", "Na here:4747 nic neodpovídá; běží server? Zkouším to znovu"),
    ],
)
def test_a_server_that_was_never_reached_is_not_called_lost(language, words):
    session = Session("Ann")
    session.handle(Lost("nothing answers at here:4747; is the server running?", 0.0))
    model = describe(session, Moment(Hand(), Mode.WAIT, language, 1.0))
    assert model.banner.startswith(words)


def test_the_end_of_a_session_is_told_in_the_language_shown():
    session = Session("Ann")
    session.finish("you have come back elsewhere")
    model = describe(session, Moment(Hand(), Mode.WAIT, "cs", 1.0))
    assert model.banner.startswith("Přihlásili jste se jinde.")
