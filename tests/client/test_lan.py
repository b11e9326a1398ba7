"""Which address of a server that was found is tried first, and what is told of it."""

import argparse
import asyncio
import ipaddress
import json
import time
from dataclasses import replace

import pytest

from client import find
from client.net import lan
from client.net.lan import Found, found_within, ranked
from shared_rules.lan import Announced

OWN = [ipaddress.ip_interface(text) for text in ("127.0.0.1/8", "192.168.1.9/24", "172.17.0.1/16")]
CLUB = Found("s", Announced(name="Club", machine="pc", version="1"), "192.168.1.5", 4747)


def test_the_nearest_address_goes_first_and_what_every_computer_has_last():
    given = ["172.17.0.1", "fd00::5", "10.8.0.1", "192.168.1.5"]
    assert ranked(given, OWN) == ["192.168.1.5", "10.8.0.1", "fd00::5", "172.17.0.1"]


@pytest.mark.parametrize(
    ("host", "tls", "url"),
    [
        ("192.168.1.5", False, "ws://192.168.1.5:4747"),
        ("fd00::5", False, "ws://[fd00::5]:4747"),
        ("pool.example.org", True, "wss://pool.example.org:4747"),
    ],
)
def test_the_address_is_one_for_server(host, tls, url):
    assert replace(CLUB, host=host, said=replace(CLUB.said, tls=tls)).url == url


def told(monkeypatch, capsys, found, problem="", json_=False):
    async def search(_seconds):
        return found, problem

    monkeypatch.setattr(find, "found_within", search)
    status = find.run(argparse.Namespace(seconds=1.0, json=json_))
    out, err = capsys.readouterr()
    return status, out, err


def test_servers_are_listed_and_why_one_cant_play_there(monkeypatch, capsys):
    newer = replace(CLUB, said=replace(CLUB.said, name="New", protocol=2))
    older = replace(CLUB, said=replace(CLUB.said, name="Old", protocol=0))
    deaf = replace(CLUB, answers=False)
    status, out, err = told(monkeypatch, capsys, (CLUB, newer, older, deaf))
    assert status == 0 and not err
    lines = out.splitlines()
    assert lines[0] == "Club  ws://192.168.1.5:4747  pc  guests welcome  version 1"
    assert "protocol 2, this program 1: this program is too old" in lines[1]
    assert "protocol 0, this program 1: it is too old" in lines[2]
    assert "a firewall may be in the way" in lines[3]
    status, out, err = told(monkeypatch, capsys, (CLUB,), json_=True)
    (one,) = json.loads(out)
    assert (one["name"], one["url"], one["why_not"]) == ("Club", CLUB.url, None)


def test_none_found_is_said_with_the_reason(monkeypatch, capsys):
    assert told(monkeypatch, capsys, (), json_=True)[:2] == (1, "[]\n")
    status, out, err = told(monkeypatch, capsys, (), "this computer is on no network")
    assert (status, out) == (1, "") and err.endswith("this computer is on no network\n")


def test_a_computer_on_no_network_is_told_so(monkeypatch):
    monkeypatch.setattr("ifaddr.get_adapters", lambda: [])
    assert asyncio.run(found_within(0.05)) == ((), "this computer is on no network")


def test_a_search_of_its_own_thread_tells_what_it_finds_and_ends(monkeypatch):
    async def search(tell, over):
        tell((CLUB,), "")
        await over.wait()

    monkeypatch.setattr(lan, "search_lan", search)
    made = lan.LanSearch().start()
    end = time.monotonic() + 10
    while not made.found and time.monotonic() < end:
        time.sleep(0.01)
    assert made.found == (CLUB,)
    made.close()
    made._thread.join(10)
    assert not made._thread.is_alive()


def test_a_server_that_was_killed_is_forgotten_though_its_name_is_still_known(monkeypatch):
    class Silent:
        def __init__(self, *_):
            pass

        async def async_request(self, *_):
            return False

    class Open:
        zeroconf = None

    told = []
    monkeypatch.setattr(lan, "AsyncServiceInfo", Silent)
    monkeypatch.setattr("ifaddr.get_adapters", lambda: [])

    async def ask() -> None:
        search = lan._Search(lambda found, _problem: told.append(found))
        search._found["s"], search._zeroconf = CLUB, Open()
        search._ask_again()
        await search._asking["s"]

    asyncio.run(ask())
    assert told == [()]
