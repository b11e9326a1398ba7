"""Servers of the local network on the server screen: chosen, not typed; members by their PIN."""

import shutil
from dataclasses import replace

import pytest

from client.net.lan import Found
from client.play.hand import Mode
from client.screens.places import used_places
from shared_rules import messages as m
from shared_rules.lan import Announced
from shared_rules.messages import PROTOCOL
from shared_rules.messages import oversight as acts
from tests.client.screens.user import beside
from tests.server.test_oversight import account, give
from tests.server.test_tls import _make
from tests.server.wire_client import WireClient

CLUB = Announced(name="Klub U Stromu", machine="pokladna", version="0.1.0", pins=True)
FAR = Found("far", replace(CLUB, machine="sklad"), "192.168.1.6", 4747)


def near(server, **said) -> Found:
    return Found("near", replace(CLUB, **said), "127.0.0.1", server.port)


def to_the_servers(ann) -> None:
    ann.push("servers")
    ann.step(2)


def test_servers_come_and_go_by_themselves_and_same_named_ones_are_told_apart(user, network):
    ann = user()
    to_the_servers(ann)
    assert ann.sees("appear here by themselves") and network.searches == 1
    network.found = (FAR, replace(FAR, service="two", host="192.168.1.7", answers=False))
    ann.step(2)
    one, two = ann.page.find("lan:far"), ann.page.find("lan:two")
    assert one.label == two.label == "Klub U Stromu" and one.bold
    assert one.note == "sklad · 192.168.1.6:4747 · guests welcome"
    assert "192.168.1.7:4747" in two.note and "firewall" in two.note
    ann.push("lan:far")
    assert ann.page.find("address").text == "ws://192.168.1.6:4747" and ann.top.focus == "go"
    assert ann.page.find("lan:far").on
    network.found = ()
    ann.step(2)
    assert ann.page.find("lan:far") is None
    network.problem = "this computer is on no network"
    ann.step(2)
    assert ann.sees("This computer is on no network")
    ann.tap("escape")
    assert ann.where == "StartScreen" and network.searches == 0


def test_the_only_one_is_chosen_when_it_comes_unless_an_address_is_typed(user, network):
    ann = user()
    to_the_servers(ann)
    assert ann.top.focus == "address"
    network.found = (FAR,)
    ann.step(2)
    assert ann.page.find("address").text == FAR.url and ann.top.focus == "go"
    ann.write("address", "")
    ann.step(2)
    assert ann.page.find("address").text == "" and ann.top.focus == "address"


def test_one_of_another_protocol_is_grey_and_says_why(user, network):
    ann = user()
    to_the_servers(ann)
    newer = replace(FAR, said=replace(FAR.said, protocol=PROTOCOL + 1, version="2.0"))
    network.found = (newer,)
    ann.step(2)
    assert "newer version (2.0)" in ann.page.find("lan:far").why_not
    ann.push("lan:far")
    assert "newer version" in ann.notice and ann.page.find("address").text == ""
    ann.preferences.change(language="cs")
    ann.step(2)
    assert "novější verzi (2.0)" in ann.page.find("lan:far").why_not


def test_friends_on_a_network_without_accounts_or_internet_play_by_an_invitation(
    user, network, folder
):
    """BR-097: nothing is typed but the table and its code; without the code nobody sits down."""
    with beside(folder / "club", guests="lan", registration=False) as server:
        bob = server.do(WireClient.connect(server.port, "Bob"))
        table = server.do(bob.open(private=True, watch="invited"))
        network.found = (near(server),)
        ann = user()
        to_the_servers(ann)
        assert ann.page.find("address").text == f"ws://127.0.0.1:{server.port}"  # the only one
        ann.push("lan:near")
        ann.tap("enter")
        ann.until(lambda: ann.where == "LobbyScreen" and ann.top.visit.inside)
        assert not ann.top.session.account
        ann.write("table", table)
        ann.write("table_code", "WRONG234")
        ann.push("go_sit")
        ann.until(lambda: ann.where == "LobbyScreen" and ann.notice)
        assert "invitation" in ann.notice
        ann.write("table", table)
        ann.write("table_code", bob.invitation)
        ann.push("go_sit")
        ann.until(lambda: ann.where == "Party" and ann.top.app.mode is Mode.AIM)
        assert ann.top.session.view.table == table


def test_a_member_comes_in_by_name_and_pin_which_is_asked_for_again(user, network, folder):
    with beside(folder / "club", guests="no") as server:

        async def members() -> None:
            at = server.server
            olga = await account(at, "Olga", "administrator")
            made = acts.CreateAccount(name="Ann", pin="482913")
            assert isinstance(await give(olga, made), m.Accepted)

        server.do(members())
        network.found = (near(server, guests="no"),)
        ann = user()
        to_the_servers(ann)
        assert "members only" in ann.page.find("lan:near").note
        assert ann.page.find("pin") is not None and ann.page.find("pin").secret
        ann.push("go")
        assert ann.notice == "A PIN is 6 digits"
        ann.write("pin", "730264")
        ann.push("go")
        ann.until(lambda: ann.top._signing_in is None)
        ann.step()
        assert ann.where == "ServersScreen" and "password" in ann.notice
        ann.write("pin", "482913")
        ann.tap("enter")
        ann.until(lambda: ann.where == "LobbyScreen" and ann.top.visit.inside)
        assert ann.top.session.account and ann.top.session.name == "Ann"
        ann.push("back")
        assert ann.where == "ServersScreen" and ann.page.find("pin").text == ""
        place = used_places()[0]
        assert (place.name, place.account, place.pin) == ("Ann", True, True)
        kept = folder / "data" / "tokens.json"
        assert not kept.exists() or "Ann@" not in kept.read_text()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the keys")
def test_a_server_with_the_clubs_own_certificate_is_trusted_with_it_alone(user, network, folder):
    certificate, key = _make(folder, "club")
    tls = {"tls_certificate": certificate, "tls_key": key}
    with beside(folder / "club", **tls) as server:
        network.found = (near(server, tls=True),)
        ann = user()
        to_the_servers(ann)
        assert ann.page.find("address").text == f"wss://127.0.0.1:{server.port}"
        ann.push("go")
        ann.until(lambda: ann.where == "LobbyScreen" and ann.sees("of anybody whom"))
        ann.tap("escape")
        ann.write("ca", certificate)
        ann.push("go")
        ann.until(lambda: ann.where == "LobbyScreen" and ann.top.visit.inside)
        assert used_places()[0].ca == certificate


@pytest.mark.parametrize(
    ("content", "told"),
    [(None, "can't read"), (b"no certificate", "holds no certificate in pem")],
)
def test_a_certificate_is_asked_for_with_tls_only_and_a_wrong_one_is_a_sentence(
    user, tmp_path, content, told
):
    ann = user()
    to_the_servers(ann)
    ann.write("address", "ws://pool.example.org")
    assert ann.page.find("ca") is None
    ann.write("address", "wss://pool.example.org")
    file = tmp_path / "club.pem"
    if content is not None:
        file.write_bytes(content)
    ann.write("ca", str(file))
    ann.push("go")
    assert ann.where == "ServersScreen" and ann.top.focus == "ca"
    assert told in ann.notice.lower()
