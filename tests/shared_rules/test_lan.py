"""What a server says of itself on its network, and what is read of it, whoever has written it."""

import pytest

from shared_rules.lan import SERVICE, Announced, announced
from shared_rules.messages import PROTOCOL

CLUB = Announced(
    name="Klub U Stromu č. 5", machine="pokladna", version="0.1.0", tls=True, guests="lan",
    pins=True, host="pool.example.org",
)  # fmt: skip


def test_what_is_said_is_what_is_read():
    assert announced(CLUB.properties()) == CLUB
    assert CLUB.protocol == PROTOCOL


@pytest.mark.parametrize(
    "name", ["A" * 300, "ž" * 300, "St. Mary's\x00\x1b[2J\nClub", ".", "🎱" * 99]
)
def test_any_name_of_a_club_makes_strings_and_labels_that_dns_takes(name):
    said = Announced(name=name, machine="m", version="1")
    for key, value in said.properties().items():
        assert len(f"{key}={value}".encode()) <= 255
    label = said.instance("a1b2c3").removesuffix(f".{SERVICE}")
    assert 0 < len(label.encode()) <= 63 and "." not in label and label.isprintable()
    read = announced(said.properties())
    assert read is not None and read.name and read.name.isprintable()


def test_same_named_servers_have_different_services():
    assert CLUB.instance("a1b2c3") != CLUB.instance("a1b2c4")


@pytest.mark.parametrize(
    "given", [{}, {"name": "x"}, {"protocol": None}, {"protocol": "²"}, {"protocol": "9" * 99}]
)
def test_what_is_no_server_of_ours_is_none(given):
    assert announced(given) is None


def test_of_a_later_version_what_is_known_is_read():
    read = announced({"PROTOCOL": "7", "guests": "sometimes", "tls": "x", "new": None})
    assert read == Announced(name="Headstring", machine="", version="", protocol=7)
