"""An official holds a competition from nothing to its end by what is on the screen."""

import pytest

from tests.client.screens.test_club import to_the_club
from tests.server.club.test_round_robin import drawn
from tests.server.signing_in import SECRET
from tests.server.test_oversight import account
from tests.server.wire_client import WireClient


def to_the_console(olga, server):
    olga.push("servers")
    olga.write("address", server.address)
    for _ in range(2):
        olga.push("way:+")
    olga.write("name", "Olga")
    olga.write("password", SECRET)
    olga.push("go")
    olga.until(lambda: olga.where == "LobbyScreen" and olga.top.visit.relations is not None)
    olga.step(2)
    olga.push("club")
    olga.step(2)
    olga.push("console")
    assert olga.where == "ConsoleScreen"


def settled(olga, text):
    """What was asked is done, and seen."""
    olga.until(lambda: text in olga.notice)
    olga.step(2)


def _is_settled(olga, match):
    return any(f["id"] == match and f["outcome"] for f in olga.top.shown.fixtures)


def test_a_round_robin_from_nothing_to_the_last_match(user, server):
    olga = user(size=(1280, 720))
    server.do(account(server.server, "Olga", "official"))
    for name in ("Ann", "Bob", "Cid"):
        server.do(WireClient.connect(server.port, name))
    to_the_console(olga, server)
    olga.write("name", "Tuesday")
    for _ in range(4):
        olga.push("race:-")
    olga.push("create")
    olga.until(lambda: olga.top.shown is not None)
    olga.step(2)
    assert olga.sees("Tuesday") and olga.page.find("draw").why_not
    olga.write("who", "Ann, Bob, Cid, Nobody")
    olga.push("enter")
    olga.until(lambda: olga.sees("Entries: 3"))
    assert "Nobody" in olga.notice  # whom the server doesn't know
    olga.write("tables", "1")
    olga.push("stations")
    settled(olga, "The tables are set")
    olga.push("draw")
    assert "Press once more" in olga.notice and not olga.top.shown.fixtures
    olga.push("draw")
    olga.until(lambda: bool(olga.top.shown and olga.top.shown.fixtures))
    olga.until(lambda: bool(olga.top.shown.calls) and olga.top.shown.calls[0]["table"])
    for match in [f["id"] for f in olga.top.shown.fixtures]:
        olga.push(f"match:{match}")
        olga.write("score_0", "1")
        olga.write("score_1", "0")
        olga.push("result")
        olga.until(lambda m=match: _is_settled(olga, m))
    (competition,) = server.server.house.club.book.kept.values()
    assert competition.is_over
    olga.until(lambda: olga.sees("Settled") and not olga.sees("Waiting"))
    # the sheet for the wall
    olga.push("sheet")
    assert "Saved" in olga.notice


def test_what_is_done_about_a_match_and_a_correction_that_shows_what_follows(user, server):
    olga = user(size=(1280, 720))
    adam = server.do(account(server.server, "Adam", "official"))
    server.do(account(server.server, "Olga", "official"))
    for name in ("Ann", "Bob", "Cid", "Dan"):
        server.do(WireClient.connect(server.port, name))
    settings = {"format": {"format": "single"}, "race_to": 5}
    server.do(drawn(adam, ["Ann", "Bob", "Cid", "Dan"], [], **settings))
    to_the_console(olga, server)
    olga.until(lambda: olga.top.shown is not None)
    first, second = [f["id"] for f in olga.top.shown.fixtures][:2]
    olga.push(f"match:{first}")
    assert olga.page.find("call_off").why_not and olga.page.find("result").why_not
    olga.push("hold")
    settled(olga, "Kept back")
    olga.until(lambda: olga.page.find("release") is not None)
    olga.push("release")
    settled(olga, "It goes on")
    for match in (first, second):
        olga.push(f"match:{match}")
        olga.write("score_0", "5")
        olga.write("score_1", "3")
        olga.push("result")
        olga.until(lambda m=match: _is_settled(olga, m))
    line = next(x["number"] for x in olga.top.shown.log if x["act"]["act"] == "result")
    olga.push(f"line:{line}")
    olga.write("score_0", "2")
    olga.write("score_1", "5")
    olga.push("correct")
    olga.until(lambda: olga.page.find("apply") is not None)
    assert olga.sees("Matches that wait get other players")
    assert olga.top.shown.fixtures[0]["outcome"]["score"] == [5, 3], "not yet"
    olga.push("apply")
    settled(olga, "It is corrected")
    olga.until(lambda: any(x["act"]["act"] == "corrected" for x in olga.top.shown.log))
    entrant = olga.top.shown.entrants[0]
    olga.push(f"entrant:{entrant['id']}")
    olga.push(f"withdraw:{entrant['id']}")
    assert "Press once more" in olga.notice
    olga.push(f"withdraw:{entrant['id']}")
    settled(olga, "has left")
    # what the server refuses is said
    olga.write("tables", "1 1")
    olga.push("stations")
    settled(olga, "A station is named twice")


def test_only_officials_are_offered_it(user, server):
    ann = user()
    to_the_club(ann, server)
    ann.step(2)
    assert ann.page.find("console") is None


@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_page_fits_in_both_languages_and_sizes(user, server, language, scale):
    olga = user(size=(1280, 720), language=language, ui_scale=scale)
    adam = server.do(account(server.server, "Adam", "official"))
    server.do(account(server.server, "Olga", "official"))
    for name in ("Ann", "Bob"):
        server.do(WireClient.connect(server.port, name))
    server.do(drawn(adam, ["Ann", "Bob"], []))
    to_the_console(olga, server)
    olga.until(lambda: olga.top.shown is not None)
    olga.step(2)
    olga.focus(f"match:{olga.top.shown.fixtures[0]['id']}")  # by the tabulator, however far below
    olga.tap("enter")
    assert olga.page.find("hold") is not None
