"""The club's competitions as a player sees them: who is up, the call, the table and back."""

import pytest

from client.screens.club_page import describe
from shared_rules import messages as m
from shared_rules.messages.oversight import AwardTable
from shared_rules.state import Phase
from tests.client.screens.test_officials import phase_at
from tests.server.club.test_round_robin import drawn, enter, opened
from tests.server.test_oversight import account, done
from tests.server.wire_client import WireClient


def to_the_club(ann, server):
    ann.push("servers")
    ann.write("address", server.address)
    ann.write("name", "Ann")
    ann.push("go")
    ann.until(lambda: ann.where == "LobbyScreen" and ann.top.visit.relations is not None)
    ann.step(2)
    ann.push("club")
    assert ann.where == "ClubScreen"


async def _call(official, competition):
    """Ann's match gets a station."""
    await enter(official, competition, "stations_set", stations=["table 1"])


def test_a_player_sees_when_he_is_up_is_called_plays_and_sees_what_came_of_it(user, server):
    ann = user()
    official = server.do(account(server.server, "Olga", "official"))
    bob = server.do(WireClient.connect(server.port, "Bob"))
    to_the_club(ann, server)
    ann.until(lambda: "no competition yet" in ann.page.texts())
    competition = server.do(drawn(official, ["Ann", "Bob"], []))
    ann.until(lambda: ann.top.shown is not None)
    ann.step(2)
    assert ann.sees("Club night") and ann.sees("against Bob") and ann.sees("race to 1")
    assert ann.sees("Standings") and ann.sees("Round 1")
    server.do(_call(official, competition))
    ann.until(lambda: ann.where == "Party")  # both are here: the table opens by itself
    ann.until(lambda: phase_at(ann.top) is Phase.LAG)
    view = ann.top.session.view
    assert {view.name_of(0), view.name_of(1)} == {"Ann", "Bob"}
    bob.table = view.table
    server.do(bob.until_state(lambda s: s.phase is Phase.LAG))
    server.do(done(official, AwardTable(table=view.table, seat=view.seat)))
    ann.until(lambda: phase_at(ann.top) is Phase.MATCH_OVER)
    ann.until(lambda: ann.top.app.hud.model.dialog is not None)
    ann.tap("enter")
    assert ann.where == "ClubScreen" and ann.notice == ""  # the call is over
    ann.until(lambda: ann.sees("1. Ann: 1 won, 0 lost"))
    ann.until(lambda: ann.sees("No match of yours is left"))


def test_another_competition_is_looked_at_by_a_press(user, server):
    ann = user()
    official = server.do(account(server.server, "Olga", "official"))
    server.do(WireClient.connect(server.port, "Bob"))
    server.do(opened(official, name="Later"))
    to_the_club(ann, server)
    first = server.do(drawn(official, ["Ann", "Bob"], []))
    other = server.do(opened(official, name="Another", format={"format": "double"}))
    ann.until(lambda: ann.top.competitions is not None and len(ann.top.competitions) == 3)
    ann.step(2)
    ann.push(f"competition:{first}")
    ann.until(lambda: ann.sees("against Bob"))
    ann.push(f"competition:{other}")
    ann.until(lambda: ann.sees("You have not entered this competition"))
    assert ann.sees("Double elimination · entries are open · 0 entered")
    ann.tap("escape")
    assert ann.where == "LobbyScreen"


@pytest.mark.parametrize("language", ["en", "cs"])
def test_every_stage_and_outcome_has_words(language):
    sides = ("a", "b")

    def match(stage, number, outcome=None, **more):
        return {
            "id": f"{stage}{number}", "stage": stage, "round": number, "sides": sides,
            "outcome": outcome, "struck": False, "empty": False, "feeders": [], "reason": None,
        } | more  # fmt: skip

    stages = ("round", "winners", "losers", "final", "third_place", "challenge")
    kinds = ("walk_over", "forfeit", "bye", "played")
    fixtures = [match(stage, 1) for stage in stages] + [match("final", 2, struck=True)]
    fixtures += [match("round", 2, {"kind": kind, "score": None, "winner": "a"}) for kind in kinds]
    fixtures.append(match("losers", 3, sides=(None, "b"), feeders=["W1.1"]))
    for form in ("round_robin", "swiss", "single", "double", "ladder"):
        summary = m.CompetitionSummary(
            competition="C", name="Cup", format=form, status="drawn", entrants=2
        )
        shown = m.CompetitionShown(
            re=1, competition="C", settings={"format": {"format": form}},
            entrants=({"id": "a", "name": "Ann"}, {"id": "b", "name": "Bob"}),
            fixtures=tuple(fixtures), calls=(), estimates=(), log=(), paused=True,
            standings=({"place": 1, "entrant": "a", "played": 1, "won": 1, "lost": 0,
                        "games": (1, 0), "points": 2},),
            placings=({"entrant": "a", "first": None, "last": None},
                      {"entrant": "b", "first": 3, "last": 4}),
        )  # fmt: skip
        texts = describe((summary,), shown, "Bob", language).texts()
        assert "Ann" in texts and "W1.1" in texts


def test_a_lost_connection_is_told_on_the_page_of_the_club_and_it_comes_back(user, server):
    ann = user()
    server.do(WireClient.connect(server.port, "Bob"))
    to_the_club(ann, server)
    ann.until(lambda: ann.top.competitions is not None)
    ann.top._lobby.connection.cut()
    ann.until(lambda: "Connection lost" in ann.notice)
    ann.until(lambda: ann.top.session.phase == "ready")
    ann.step(2)
    assert ann.where == "ClubScreen" and ann.notice == ""
