"""From the start screen to a server, its lobby, a table there, and back, as a person goes."""

import json

import pytest

from client.play.hand import Mode
from client.screens.clipboard import NoClipboard
from client.screens.places import used_places
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.client.screens.user import beside
from tests.server.wire_client import WireClient

SHORT = m.TableTerms(overrides={"match": {"games_to_win": 1}})


def to_the_lobby(user, server) -> None:
    user.push("servers")
    assert user.where == "ServersScreen"
    user.write("address", server.address)
    user.push("go")
    user.until(lambda: user.where == "LobbyScreen" and user.top.visit.inside)
    user.step(2)


def test_an_address_a_lobby_a_table_a_guest_and_back(user, server):
    ann = user()
    to_the_lobby(ann, server)
    assert ann.top.focus == "open"
    assert used_places()[0].url == f"ws://{server.address}"
    ann.push("open")
    assert ann.where == "TermsScreen"
    ann.push("race:-")
    ann.push("agree")
    ann.until(lambda: ann.where == "Party" and ann.top.session.view is not None)
    ann.until(lambda: ann.top.session.view.known)
    table = ann.top.session.view.table
    bob = server.do(WireClient.connect(server.port, "Bob"))
    server.do(bob.join(table))
    ann.until(lambda: ann.top.app.mode is Mode.AIM)
    state = ann.top.session.view.state
    assert state.description.ruleset.match.games_to_win == 2
    ann.top.app.hand.aim.speed = 1.33
    ann.tap("space")
    ann.until(lambda: ann.top.session.view.state.lag.struck[0])
    answer = ann.while_(server, bob.strike(1.6))
    assert isinstance(answer, m.Accepted), answer
    ann.until(lambda: ann.top.session.view.state.phase is not Phase.LAG)
    ann.tap("escape")
    leave = next(b for b in ann.top.app.hud.model.dialog.buttons if b.action == "leave")
    ann.tap(leave.key)
    ann.tap("1")
    ann.until(lambda: ann.where == "LobbyScreen")
    assert ann.top.session.phase == "ready" and ann.top.session.view is None
    ann.until(lambda: ann.page.find(f"table:{table}") is not None)
    ann.push(f"table:{table}")
    ann.push(f"sit:{table}")
    ann.until(lambda: ann.where == "Party" and ann.top.session.view is not None)
    ann.until(lambda: ann.top.session.view.known)
    assert ann.top.session.view.table == table and ann.top.session.view.seat == 0


def test_a_challenge_is_accepted_with_the_keys_and_leads_to_the_table(user, server):
    ann = user()
    to_the_lobby(ann, server)
    bob = server.do(WireClient.connect(server.port, "Bob"))
    server.do(bob.ask(m.EnterLobby))
    server.do(bob.ask(m.Say, text="dobrý večer"))
    ann.until(lambda: ann.sees("Bob: dobrý večer"))
    ann.push("line")
    ann.window.inputs.type("ahoj, příteli")
    ann.tap("enter")
    heard = ann.while_(server, bob.until(lambda x: isinstance(x, m.Said) and x.line.by == "Ann"))
    assert heard.line.text == "ahoj, příteli"
    server.do(bob.ask(m.Challenge, who="Ann", terms=SHORT))
    ann.until(lambda: ann.sees("Bob challenges you: Nine-ball, EPBF rules · race to 1"))
    (decline,) = [w.action for w in ann.page.active() if w.action.startswith("decline:")]
    ann.focus(decline)
    ann.tap("enter")
    over = ann.while_(server, bob.until(lambda x: isinstance(x, m.ChallengeOver)))
    assert over.outcome == "declined"
    ann.until(lambda: ann.page.find(decline) is None)
    server.do(bob.ask(m.Challenge, who="Ann", terms=SHORT))
    ann.until(lambda: any(w.action.startswith("accept:") for w in ann.page.active()))
    ann.focus(next(w.action for w in ann.page.active() if w.action.startswith("accept:")))
    ann.tap("enter")
    ann.until(lambda: ann.where == "Party" and ann.top.app.mode is Mode.AIM)
    assert ann.top.session.view.name_of(1) in ("Bob", "Ann")


def test_challenging_following_and_a_quick_match_from_the_lists(user, server):
    ann = user()
    to_the_lobby(ann, server)
    bob = server.do(WireClient.connect(server.port, "Bob"))
    server.do(bob.ask(m.EnterLobby))
    ann.until(lambda: ann.page.find("person:Bob") is not None)
    ann.push("person:Bob")
    ann.push("follow:Bob")
    ann.until(lambda: ann.sees("free · guest · friend"))
    ann.push("challenge:Bob")
    ann.push("agree")
    asked = ann.while_(server, bob.until(lambda x: isinstance(x, m.Challenged))).challenge
    assert asked.by == "Ann" and asked.terms.ruleset == "nine_ball_epbf"
    ann.until(lambda: ann.page.find(f"withdraw:{asked.challenge}") is not None)
    ann.push(f"withdraw:{asked.challenge}")
    ann.while_(server, bob.until(lambda x: isinstance(x, m.ChallengeOver)))
    ann.push("quick")
    ann.push("agree")
    ann.until(lambda: ann.page.find("cancel") is not None)
    ann.push("cancel")
    ann.until(lambda: ann.page.find("quick") is not None)
    ann.push("quick")
    terms = m.TableTerms(overrides={"match": {"games_to_win": ann.preferences.now.race}})
    ann.push("agree")
    server.do(bob.ask(m.QuickMatch, terms=terms))
    ann.until(lambda: ann.where == "Party" and ann.top.app.mode is Mode.AIM)


def test_a_watcher_sees_the_tables_that_can_be_watched_and_a_private_one_asks_for_its_code(
    user, server
):
    bob = server.do(WireClient.connect(server.port, "Bob"))
    table = server.do(bob.open(private=True, watch="everyone"))
    ann = user()
    to_the_lobby(ann, server)
    ann.until(lambda: ann.page.find(f"table:{table}") is not None)
    ann.push(f"table:{table}")
    ann.write("code", "WRONG")
    ann.push(f"sit:{table}")
    ann.until(lambda: ann.where == "LobbyScreen" and ann.notice)
    assert "invitation" in ann.notice
    ann.write("code", bob.invitation)
    ann.push(f"sit:{table}")
    ann.until(lambda: ann.where == "Party" and ann.top.app.mode is Mode.AIM)


@pytest.mark.parametrize("address", ["http://pool.example.org", "pool:notaport", ""])
def test_a_wrong_address_is_a_sentence_and_nothing_is_left(user, address):
    ann = user()
    ann.push("servers")
    ann.write("address", address)
    ann.push("go")
    assert ann.where == "ServersScreen" and f"“{address}” is no address" in ann.notice
    ann.tap("escape")
    assert ann.where == "StartScreen"


def test_an_account_is_made_kept_and_its_password_is_not(user, server, folder):
    ann = user()
    ann.push("servers")
    ann.write("address", server.address)
    ann.push("way:-")  # round to the new account
    ann.write("password", "correct horse")
    ann.write("again", "correct hors")
    ann.push("go")
    assert "differ" in ann.notice
    ann.write("again", "correct horse")
    ann.tap("enter")
    ann.until(lambda: ann.where == "LobbyScreen" and ann.top.visit.inside)
    assert ann.top.session.account
    ann.push("back")
    assert ann.where == "ServersScreen" and ann.top._way == "account"
    assert ann.top.entries["password"].text == ""
    ann.push("go")  # with the kept sign-in
    ann.until(lambda: ann.where == "LobbyScreen" and ann.top.visit.inside)
    ann.push("back")
    ann.write("password", "wrong")
    ann.push("go")
    ann.until(lambda: ann.top._signing_in is None)
    ann.step()
    assert ann.where == "ServersScreen" and "password" in ann.notice.lower()
    kept = "".join(p.read_text() for p in (folder / "data").iterdir() if p.is_file())
    assert "correct" not in kept and "wrong" not in kept


def test_a_server_that_vanishes_is_a_sentence_on_every_screen_with_a_way_back(user, folder):
    with beside(folder / "one") as server:
        ann = user()
        to_the_lobby(ann, server)
        ann.push("open")
        server.stop()
        ann.step(3)
        ann.push("agree")
        ann.until(lambda: ann.where == "Party")
        ann.until(lambda: ann.top.app.hud.model.banner)
        ann.tap("escape")
        leave = next(b for b in ann.top.app.hud.model.dialog.buttons if b.action == "leave")
        ann.tap(leave.key)
        ann.tap("1")
        ann.until(lambda: ann.where == "LobbyScreen")
        ann.until(lambda: "Connection lost" in ann.notice)
        ann.tap("escape")
        assert ann.where == "ServersScreen"
        ann.push("go")
        ann.until(lambda: ann.where == "LobbyScreen" and ann.sees("is the server running?"))
        ann.tap("escape")
        ann.tap("escape")
        assert ann.where == "StartScreen"


def test_a_server_that_sends_one_away_is_a_sentence_where_one_came_from(user, server):
    ann = user()
    to_the_lobby(ann, server)
    ann.top.session.finish("the server restarts")
    ann.step(2)
    assert ann.where == "ServersScreen" and ann.notice == "The server restarts"


def test_a_list_of_servers_that_makes_no_sense_is_left_out(user, folder):
    (folder / "data").mkdir()
    file = folder / "data" / "servers.json"
    good = {"url": "ws://a:1", "name": "Ann", "account": True}
    file.write_text(json.dumps({"servers": [good, 7, {"url": 3}, {**good, "url": ""}]}))
    assert [place.url for place in used_places()] == ["ws://a:1"]
    file.write_text("no json")
    assert used_places() == ()
    ann = user()
    ann.push("servers")
    assert ann.where == "ServersScreen"


def test_conceding_at_a_table_from_the_lobby_leads_back_there(user, server):
    ann = user()
    to_the_lobby(ann, server)
    bob = server.do(WireClient.connect(server.port, "Bob"))
    server.do(bob.ask(m.EnterLobby))
    terms = m.TableTerms(overrides={"match": {"games_to_win": 1}, "concede_scope": "match"})
    server.do(bob.ask(m.Challenge, who="Ann", terms=terms))
    ann.until(lambda: any(w.action.startswith("accept:") for w in ann.page.active()))
    ann.push(next(w.action for w in ann.page.active() if w.action.startswith("accept:")))
    ann.until(lambda: ann.where == "Party" and ann.top.app.mode is Mode.AIM)
    found = server.do(bob.until(lambda x: isinstance(x, m.MatchFound)))
    bob.table = found.table
    server.do(bob.until_state(lambda s: s.phase is Phase.LAG))
    server.do(bob.give(c.Concede()))
    ann.until(lambda: ann.top.app.mode is Mode.OVER)
    ann.step(2)
    ann.tap("enter")
    ann.until(lambda: ann.where == "LobbyScreen")
    assert ann.top.session.phase == "ready"


def test_what_is_pasted_stands_in_the_line_also_when_the_keys_come_within_one_frame(
    user, monkeypatch
):
    ann = user()
    ann.push("servers")
    ann.write("address", "")
    monkeypatch.setattr("client.screens.page_screen.paste", lambda: " pool.example.org:4747\n")
    for name in ("control", "v"):
        ann.window.inputs.press(name)
    ann.window.inputs.type("\x16")
    for name in ("v", "control"):
        ann.window.inputs.release(name)
    ann.step()
    assert ann.page.find("address").text == "pool.example.org:4747"

    def fails():
        raise NoClipboard("xclip")

    monkeypatch.setattr("client.screens.page_screen.paste", fails)
    ann.window.inputs.press("control")
    ann.tap("v")
    assert "clipboard can't be read (xclip)" in ann.notice
