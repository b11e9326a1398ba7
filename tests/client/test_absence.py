"""An opponent who is gone, in words, and the claims that the menu offers."""

import msgspec
import pytest

from client.hud.absence import away_words, claim_buttons, slow_line_words
from client.net.session import Opened, Received, Session
from client.net.view import TableView
from shared_rules import messages as m
from shared_rules.ruleset import make_ruleset
from shared_rules.state import Phase
from tests.client.builders import TABLE, members, snapshot, state, welcome

AWAY = m.Member(name="Bob", connected=False, absence="dropped", claim_from=160.0, away_until=220.0)
IDLE = msgspec.structs.replace(AWAY, absence="idle")
LEFT = m.Member(name="Bob", connected=False, absence="left", claim_from=120.0, away_until=180.0)


def _view(bob: m.Member = AWAY, seat=0, **changes) -> TableView:
    view = TableView(table=TABLE)
    match = state(**changes)
    players = (members()[0], bob)
    view.take_snapshot(snapshot(match, players=players, seat=seat))
    return view


@pytest.mark.parametrize(
    ("member", "now", "words"),
    [
        (AWAY, 117.0, "away, back within 43 s"),
        (AWAY, 160.0, "overdue, ruled in 60 s"),
        (AWAY, 230.0, "away, back within 0 s"),
        (LEFT, 110.0, "has left, back within 10 s"),
        (IDLE, 117.0, "sits still, 43 s left"),
        (m.Member(name="Bob", connected=False, absence="idle"), 0.0, "sits still"),
        (m.Member(name="Bob", connected=False, absence="left"), 0.0, "has left"),
        (m.Member(name="Bob", connected=False, absence="dropped"), 0.0, "away"),
    ],
)
def test_how_he_went_and_how_long_he_has(member, now, words):
    assert away_words(member, now, "en") == words
    assert away_words(member, now, "cs") != words


def test_a_slow_line_is_told_and_a_quick_one_is_not():
    assert slow_line_words(m.Member(name="B", connected=True, round_trip_s=0.31), "en") == (
        "slow line, 310 ms"
    )
    for quick in (None, m.Member(name="B", connected=True, round_trip_s=0.05)):
        assert slow_line_words(quick, "en") == ""


def test_the_menu_offers_a_claim_with_the_reason_why_not_yet():
    early = claim_buttons(_view(), 118.0, "en")
    assert [b.action for b in early] == ["claim:win", "claim:adjourn"]
    assert all("42 s" in b.why_not for b in early)
    assert [b.why_not for b in claim_buttons(_view(), 160.0, "en")] == ["", ""]


def test_where_an_absence_adjourns_no_win_is_offered():
    described = state().description
    rules = make_ruleset("nine_ball_epbf", {"disconnect": {"effect": "adjourn"}})
    view = _view(description=msgspec.structs.replace(described, ruleset=rules))
    assert [b.action for b in claim_buttons(view, 200.0, "en")] == ["claim:adjourn"]


def test_no_claim_on_one_who_is_here_nor_by_one_who_watches_nor_after_the_end():
    assert claim_buttons(_view(members()[1]), 200.0, "en") == ()
    assert claim_buttons(_view(seat=None), 200.0, "en") == ()
    assert claim_buttons(_view(phase=Phase.MATCH_OVER, winner=0), 200.0, "en") == ()
    adjourned = m.Member(name="Bob", connected=False, absence="dropped")
    assert all(b.why_not for b in claim_buttons(_view(adjourned), 200.0, "en"))


def test_a_session_claims_and_repeats_it_after_a_cut():
    session = Session("Ann")
    assert session.claim_absence() is None
    session.handle(Opened(0.0))
    session.handle(Received(welcome(), 0.0))
    session.handle(Received(snapshot(state()), 0.0))
    session.take_outgoing()
    number = session.claim_absence("adjourn")
    (claim,) = session.take_outgoing()
    assert claim == m.ClaimAbsence(id=number, table=TABLE, ask="adjourn")
    session.handle(Opened(5.0))
    session.handle(Received(welcome(), 5.0))
    assert claim in session.take_outgoing()


def test_who_is_taken_for_idle_and_touches_anything_says_once_that_he_is_here():
    session = Session("Ann")
    session.handle(Opened(0.0))
    session.handle(Received(welcome(), 0.0))
    session.handle(Received(snapshot(state()), 0.0))
    session.take_outgoing()
    session.wake()
    assert session.take_outgoing() == []
    here = members()
    idle = m.PresenceEvent(table=TABLE, seq=11, clock=1.0, players=(IDLE, here[1]), spectators=0)
    session.handle(Received(idle, 1.0))
    session.wake()
    session.wake()
    (said,) = session.take_outgoing()
    assert isinstance(said, m.JoinTable) and said.table == TABLE
    session.handle(Received(m.Accepted(re=said.id, table=TABLE), 1.1))
    back = m.PresenceEvent(table=TABLE, seq=12, clock=1.2, players=here, spectators=0)
    session.handle(Received(back, 1.2))
    session.wake()
    assert session.take_outgoing() == []
