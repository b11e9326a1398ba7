"""A table with a referee, talk at it, and a rematch: through the screens, at a real server."""

import pytest

from client.play.hand import Mode
from client.play.input import Input, stands_for_digit
from client.play.keys import OWN_KEYS, KeyMap
from client.screens.officiate import AGAINST, PLAIN, WITH_BALLS, order_of
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.client.screens.test_servers import to_the_lobby
from tests.server.wire_client import WireClient


@pytest.mark.parametrize("act", [*AGAINST, *WITH_BALLS, *PLAIN])
def test_every_act_is_the_command_that_is_asked_whether_it_may_be_given(act):
    order = order_of(act, 1, (3, 5), 30, "I saw it", "as is right")
    assert type(order) is {**AGAINST, **WITH_BALLS, **PLAIN}[act]
    assert order.reason == "I saw it"
    if act in AGAINST:
        assert order.seat == 1
    if act in WITH_BALLS:
        named = [getattr(order, f, ()) for f in ("balls", "over_opening", "outside")]
        assert (3, 5) in named


def test_an_award_without_a_reason_has_one_all_the_same():
    assert order_of("award_set", 0, (), 30, "", "as is right").reason == "as is right"
    assert order_of("conduct_advice", 0, (), 30, "", "-").kind == "advice"


@pytest.mark.parametrize(
    ("made", "digit"),
    [("2", False), ("none", True), ("&", True), ("-", False), ("=", False), ("k", False)],
)
def test_a_key_in_the_row_of_digits_is_its_digit_unless_it_means_something(made, digit):
    assert stands_for_digit(made, OWN_KEYS, choosing=False) is digit
    assert stands_for_digit(made, OWN_KEYS, choosing=True) is (made != "2")


def test_a_key_that_a_player_has_given_to_an_action_is_no_digit():
    assert not stands_for_digit("&", KeyMap((("again", "&"),)), choosing=False)


@pytest.mark.parametrize(("choosing", "heard"), [(True, ["1", "1"]), (False, ["+", "+"])])
def test_a_key_with_plus_in_the_place_of_1_chooses_while_there_is_something_to_choose(
    choosing, heard
):
    inputs = Input()
    inputs.choosing = choosing
    inputs.take_digit("1", "+", True)
    inputs.press("+")
    assert inputs.held == {heard[0]}
    inputs.take_digit("1", "+", False)
    inputs.release("+")
    assert not inputs.held
    told = [(e.name, e.kind) for e in inputs.events]
    assert told[0] == (heard[0], "down") and (heard[1], "up") in told
    inputs.choosing = False
    inputs.press("+")
    assert inputs.held == {"+"}


def phase_at(party) -> Phase | None:
    """How far the match at a table is, once there is one."""
    state = party.session.view.state
    return state.phase if state is not None else None


def at_a_table(ann, server):
    """Ann at a table with a referee, Bob opposite, Ref judging by the code on Ann's screen."""
    to_the_lobby(ann, server)
    ann.push("open")
    ann.push("referee:+")
    ann.push("agree")
    ann.until(lambda: ann.where == "Party" and ann.top.session.view is not None)
    ann.until(lambda: ann.top.session.view.known and ann.top.session.view.referee_invitation)
    return ann.top.session.view


def test_a_referee_comes_and_decides_and_two_play_once_more(user, server):
    ann = user()
    view = at_a_table(ann, server)
    ann.step(2)
    assert view.referee_invitation in ann.top.app.hud.model.banner
    ref = user(name="Ref")
    ref.push("servers")
    ref.write("address", server.address)
    ref.write("name", "Ref")
    ref.push("go")
    ref.until(lambda: ref.where == "LobbyScreen" and ref.top.visit.relations is not None)
    ref.step(2)
    ref.write("table", view.table.lower())
    ref.write("table_code", view.referee_invitation)
    ref.push("go_judge")
    ref.until(lambda: ref.where == "Party" and ref.top.session.view is not None)
    ref.until(lambda: ref.top.session.view.known)
    assert ref.top.session.view.role == "referee"
    bob = server.do(WireClient.connect(server.port, "Bob"))
    server.do(bob.join(view.table))
    ref.until(lambda: phase_at(ref.top) is Phase.LAG)
    ref.step(2)
    ref.tap("f2")
    assert ref.where == "OfficiateScreen"
    ref.write("reason", "dlouho váhal")
    assert ref.page.find("slow").why_not and ref.page.find("restore").why_not
    ref.push("award_match")
    ref.until(lambda: ref.where == "Party")
    ref.until(lambda: ref.top.session.view.state.phase is Phase.MATCH_OVER)
    assert ref.top.session.view.state.winner == 1
    ann.until(lambda: phase_at(ann.top) is Phase.MATCH_OVER)
    assert any("dlouho váhal" in getattr(n.announcement, "reason", "") for n in view.news)
    party, table = ann.top, view.table
    ann.until(lambda: party.app.hud.model.dialog is not None)
    server.do(bob.ask(m.Rematch, table=table))
    offered = "Play once more: Bob wants to"
    ann.until(lambda: party.app.hud.model.dialog.buttons[0].label == offered)
    ann.tap("1")
    ann.until(lambda: party.session.view.table != table and phase_at(party) is Phase.LAG)
    ann.step(2)
    assert party.session.view.seat == 1 and party.app.hand.rematch == ""
    assert party.app.hud.model.dialog is None


def test_two_talk_at_a_table(user, server):
    ann = user()
    to_the_lobby(ann, server)
    ann.push("open")
    ann.push("agree")
    ann.until(lambda: ann.where == "Party" and ann.top.session.view is not None)
    ann.until(lambda: ann.top.session.view.known)
    party = ann.top
    table = party.session.view.table
    bob = server.do(WireClient.connect(server.port, "Bob"))
    server.do(bob.join(table))
    ann.until(lambda: party.app.mode is Mode.AIM)
    ann.tap("f3")
    assert ann.where == "TalkScreen"
    ann.window.inputs.type("dobrou hru")
    ann.tap("enter")
    heard = ann.while_(server, bob.until(lambda x: isinstance(x, m.Said)))
    assert (heard.line.by, heard.line.text, heard.table) == ("Ann", "dobrou hru", table)
    server.do(bob.ask(m.Say, text="díky", table=table))
    ann.until(lambda: ann.sees("Bob: díky") and ann.sees("Ann: dobrou hru"))
    ann.tap("escape")
    assert ann.where == "Party"
