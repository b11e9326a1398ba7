"""The sans-I/O session: signing in, numbered events, cuts and the clock."""

import itertools

import msgspec
import pytest

from client.hud.news import news_line
from client.net.server_clock import ServerClock
from client.net.session import AIM_EVERY_S, Garbled, Lost, Opened, Received, Session
from client.net.thread import NetThread
from shared_rules import messages as m
from shared_rules.commands import Concede
from shared_rules.state import Phase
from tests.client.builders import TABLE, event, members, rolling, snapshot, state, welcome


def ready(name="Ann", **changes) -> Session:
    session = Session(name)
    session.handle(Opened(0.0))
    assert session.take_outgoing() == [m.Hello(protocol=1, name=name, client="headstring")]
    session.handle(Received(welcome(**changes), 0.1))
    return session


def seated() -> Session:
    session = ready()
    request = session.join(TABLE)
    session.take_outgoing()
    session.handle(Received(m.Accepted(re=request, table=TABLE), 0.2))
    session.handle(Received(snapshot(), 0.2))
    session.take_answers()
    return session


def test_requests_wait_for_the_sign_in():
    session = Session("Ann")
    request = session.list_tables()
    session.handle(Opened(0.0))
    assert [type(x) for x in session.take_outgoing()] == [m.Hello]
    session.handle(Received(welcome(), 0.1))
    assert session.take_outgoing() == [m.ListTables(id=request)]
    assert session.token == "t" * 24


def test_events_are_taken_in_order_once_and_a_gap_asks_for_the_rest():
    session = seated()
    session.handle(Received(event(11), 1.0))
    session.handle(Received(event(11, state(version=99)), 1.0))
    assert session.view.seq == 11 and session.view.state.version == 11
    session.handle(Received(event(14), 1.1))
    assert session.view.seq == 11
    (rejoin,) = session.take_outgoing()
    assert isinstance(rejoin, m.JoinTable) and rejoin.last_seen == 11
    session.handle(Received(event(15), 1.1))
    assert session.take_outgoing() == []  # one request is enough
    session.handle(Received(m.Accepted(re=rejoin.id, table=TABLE), 1.2))
    for seq in (12, 13, 14, 15):
        session.handle(Received(event(seq), 1.2))
    assert session.view.seq == 15


def test_after_a_cut_it_comes_back_with_token_place_and_the_same_request():
    session = seated()
    request = session.play(Concede())
    (sent,) = session.take_outgoing()
    session.handle(Lost("cut", 2.0))
    assert session.phase == "lost" and session.reason == "cut"
    session.handle(Opened(2.5))
    (hello,) = session.take_outgoing()
    assert hello.token == "t" * 24 and hello.name is None
    session.handle(Received(welcome(tables=(TABLE,)), 2.6))
    again = session.take_outgoing()
    assert again[0] == sent or again[1] == sent
    (rejoin,) = [x for x in again if isinstance(x, m.JoinTable)]
    assert rejoin.last_seen == 10
    assert session.waiting_for(request) and session.busy
    session.handle(Received(m.Accepted(re=request, table=TABLE, version=8), 2.7))
    assert not session.busy


def test_a_refusal_is_an_answer_and_changes_nothing():
    session = seated()
    before = session.view.state
    request = session.play(Concede())
    session.handle(
        Received(m.Refused(code="not_allowed", fault="player", message="No.", re=request), 1.0)
    )
    (answer,) = session.take_answers()
    assert (answer.re, answer.code, answer.message) == (request, "not_allowed", "No.")
    assert session.view.state is before


def test_an_unknown_token_begins_anew_under_the_name():
    session = Session("Ann", token="x" * 20)
    session.handle(Opened(0.0))
    assert session.take_outgoing()[0].token == "x" * 20
    session.handle(Received(m.Refused(code="bad_token", fault="client", message="?"), 0.1))
    assert session.take_outgoing()[0].name == "Ann"


def test_a_hello_that_came_twice_ends_nothing():
    """The refusal of the second copy may overtake the welcome of the first."""
    session = Session("Ann")
    session.handle(Opened(0.0))
    twice = m.Refused(code="already_signed_in", fault="client", message="signed in already")
    session.handle(Received(twice, 0.1))
    assert session.phase == "signing_in"
    session.handle(Received(welcome(), 0.2))
    assert session.phase == "ready"


def test_a_taken_name_ends_a_person_and_renames_a_bot():
    taken = m.Refused(code="name_taken", fault="player", message="Ann is here already.")
    person = Session("Ann")
    person.handle(Opened(0.0))
    person.handle(Received(taken, 0.1))
    assert person.phase == "over" and "Ann" in person.reason
    bot = Session("Bot")
    bot.renames = True
    bot.handle(Opened(0.0))
    bot.take_outgoing()
    bot.handle(Received(taken, 0.1))
    assert bot.take_outgoing()[0].name == "Bot 2"


def test_a_goodbye_without_return_and_nonsense_end_the_session():
    session = seated()
    session.handle(Received(m.Goodbye(reason="Signed in elsewhere.", come_back=False), 1.0))
    assert session.phase == "over" and session.reason == "Signed in elsewhere."
    session = seated()
    session.handle(Garbled("nonsense", 1.0))
    assert session.phase == "over"
    session = seated()
    session.handle(Received(m.Goodbye(reason="Restart.", come_back=True), 1.0))
    assert session.phase == "lost"


def test_a_shot_that_cannot_be_read_is_a_sentence_not_a_crash():
    session = seated()
    bad = m.ShotInFlight(shot=4, started_at=101.0, trajectory=b"nonsense")
    session.handle(Received(event(11, in_flight=bad), 1.0))
    assert session.phase == "over" and "can't read" in session.reason


def test_the_running_shot_and_presence_reach_the_view():
    session = seated()
    flight = m.ShotInFlight(shot=4, started_at=101.0, trajectory=rolling().encode())
    session.handle(Received(event(11, state(Phase.SHOT_RUNNING), in_flight=flight), 1.0))
    assert session.view.running.trajectory.duration == pytest.approx(2.0)
    away = m.PresenceEvent(
        table=TABLE, seq=12, clock=102.0, players=members((True, False)), spectators=3
    )
    session.handle(Received(away, 1.1))
    assert session.view.spectators == 3 and not session.view.players[1].connected


def test_aim_is_sent_at_a_bounded_rate_the_latest_only():
    session = seated()
    session.tick(10.0)
    session.take_outgoing()
    session.aim(1.0, 0.0, (0.0, 0.0))
    session.aim(361.0, 0.0, (0.1, 0.0))
    session.tick(10.01)
    (aim,) = [x for x in session.take_outgoing() if isinstance(x, m.Aim)]
    assert aim.heading_deg == pytest.approx(1.0) and aim.tip == (0.1, 0.0)
    session.aim(2.0, 0.0, (0.0, 0.0))
    session.tick(10.02)
    assert not [x for x in session.take_outgoing() if isinstance(x, m.Aim)]


def test_the_clock_is_right_within_the_asymmetry_of_the_way():
    clock = ServerClock()
    for k in range(8):
        sent = 1.0 * k
        clock.pong(sent, sent + 0.3, 5000.0 + sent + 0.25)  # 250 ms out, 50 ms back
    assert clock.now(10.0) == pytest.approx(5010.0, abs=0.11)
    assert clock.round_trip_s == pytest.approx(0.3)
    assert clock.pace == 1.0


def test_a_fast_clock_runs_at_the_pace_that_the_server_names():
    session = ready(time_scale=20.0)
    assert session.clock.pace == 20.0
    session.tick(0.1)
    (ping,) = session.take_outgoing()
    session.handle(Received(m.Pong(re=ping.id, clock=101.0), 0.12))
    assert session.clock.now(1.11) == pytest.approx(121.0)


def test_pings_go_out_often_at_first_then_rarely():
    session = ready()
    sent = 0
    for k in range(200):
        session.tick(0.1 + k * 0.05)
        sent += sum(isinstance(x, m.Ping) for x in session.take_outgoing())
    assert 8 <= sent <= 12


def test_a_table_that_is_gone_after_a_cut_is_closed_with_the_reason():
    session = seated()
    session.handle(Lost("cut", 2.0))
    session.handle(Opened(2.5))
    session.handle(Received(welcome(), 2.6))
    (rejoin,) = [x for x in session.take_outgoing() if isinstance(x, m.JoinTable)]
    gone = m.Refused(code="unknown_table", fault="player", message="It is gone.", re=rejoin.id)
    session.handle(Received(gone, 2.7))
    assert session.view.closed == "It is gone."


def test_a_refused_seat_leaves_no_table():
    session = ready()
    request = session.join("other")
    full = m.Refused(code="table_full", fault="player", message="Both seats are taken.", re=request)
    session.handle(Received(full, 0.2))
    assert session.view is None


def _rejoins(session: Session) -> list[m.JoinTable]:
    return [x for x in session.take_outgoing() if isinstance(x, m.JoinTable)]


def test_a_question_for_what_is_missing_that_brings_nothing_is_asked_again():
    session = seated()
    session.handle(Received(event(14), 1.1))
    (first,) = _rejoins(session)
    session.tick(2.0)
    assert _rejoins(session) == []
    session.tick(6.0)  # question or answer was lost
    (second,) = _rejoins(session)
    assert second.id != first.id and second.last_seen == 10
    busy = m.Refused(code="overloaded", fault="server", message="busy", re=second.id)
    session.handle(Received(busy, 6.1))
    assert session.view.closed is None
    session.tick(11.0)
    (third,) = _rejoins(session)
    session.handle(Received(m.Accepted(re=third.id, table=TABLE), 11.1))
    session.tick(20.0)
    assert _rejoins(session) == []
    session.handle(Received(event(14), 20.1))  # it was lost again
    assert len(_rejoins(session)) == 1


def test_an_accepted_command_of_which_nothing_comes_is_asked_for():
    session = seated()
    request = session.play(Concede())
    session.take_outgoing()
    session.handle(Received(m.Accepted(re=request, table=TABLE, version=8), 1.0))
    session.tick(2.0)
    assert _rejoins(session) == []
    session.tick(3.5)
    (asked,) = _rejoins(session)
    assert asked.last_seen == 10
    session.handle(Received(m.Accepted(re=asked.id, table=TABLE, version=8), 3.6))
    session.handle(Received(event(11, state(version=8)), 3.6))
    session.tick(30.0)
    assert _rejoins(session) == []


def test_a_command_for_a_turn_that_is_over_shows_that_something_is_missing():
    session = seated()
    request = session.play(Concede())
    session.take_outgoing()
    late = m.Refused(code="stale_state", fault="player", message="changed", re=request)
    session.handle(Received(late, 1.0))
    assert len(_rejoins(session)) == 1


def test_a_shot_that_nobody_judges_and_a_clock_that_stands_are_asked_for():
    flight = m.ShotInFlight(shot=4, started_at=101.0, trajectory=rolling().encode())
    running = state(Phase.SHOT_RUNNING, version=11)
    session = seated()
    session.handle(Received(event(11, running, in_flight=flight, clock=101.0), 1.0))
    end = session.view.shot.started_at + session.view.shot.trajectory.duration
    local = next(t for t in range(1, 1000) if session.clock.now(float(t)) > end)
    session.tick(float(local))
    assert _rejoins(session) == []
    session.tick(local + 4.0)
    assert len(_rejoins(session)) == 1

    session = seated()
    clock = msgspec.structs.replace(state().clock, deadline=110.0)
    session.handle(Received(event(11, state(version=11, clock=clock), clock=101.0), 1.0))
    local = next(t for t in range(1, 1000) if session.clock.now(float(t)) > 110.0)
    session.tick(float(local))
    assert _rejoins(session) == []
    session.tick(local + 4.0)
    assert len(_rejoins(session)) == 1


def test_a_call_to_a_match_is_news_also_at_its_table() -> None:
    session = Session("Ann")
    called = m.MatchCalled(
        competition="H4T8QZ", name="Club night", match="R1-1", station="table 2", opponent="Bob",
        due=0.0, late_s=900.0, races=(5, 5), why="no_handicap", table="K7Q2MX",
    )  # fmt: skip
    found = m.MatchFound(
        table="K7Q2MX", seat=0, opponent="Bob", how="competition", invitation="WNANX9D9"
    )
    over = m.MatchCallOver(
        competition="H4T8QZ", name="Club night", match="R1-1", opponent="Bob", waits=True
    )
    for message in (found, called, over):
        session._take(message, 0.0)
    assert session.company.take() == [found, called, over]
    assert "will be again" in news_line("en", over)[0]
    settled = msgspec.structs.replace(over, waits=False)
    assert news_line("cs", settled) == ("Váš zápas proti hráči Bob se už nehraje", "note")
    assert news_line("en", called) == ("Bob against you: at table 2", "good")


@pytest.mark.parametrize("frames_per_s", [20, 60, 240])
def test_br_117_how_a_cue_is_held_is_as_late_at_any_frame_rate(frames_per_s):
    """BR-117: each frame shows the newest aim that has come, however many came since the last; and
    one's own goes out with the first frame after its 50 ms."""
    session = seated()
    net = NetThread("ws://nowhere.invalid", session)
    out, take = [], session.take_outgoing
    session.take_outgoing = lambda: out.extend(take()) or []
    came = now = 1.0
    sent: list[float] = []
    for frame in range(2 * frames_per_s):
        while came <= now:  # the other sends forty a second
            newest = came
            aiming = m.Aiming(table=TABLE, seat=0, heading_deg=came, elevation_deg=0.0, tip=(0, 0))
            net._inbox.put(Received(aiming, came))
            came += 0.025
        session.aim(float(frame % 180), 0.0, (0.0, 0.0))
        net.pump(now)
        assert session.view.aiming.heading_deg == newest
        aims = [x for x in out if isinstance(x, m.Aim)]
        assert [x.heading_deg for x in aims] in ([], [float(frame % 180)])  # none that is older
        sent += [now] * len(aims)
        out.clear()
        now += 1.0 / frames_per_s
    gaps = [b - a for a, b in itertools.pairwise(sent)]
    assert len(sent) > 20 and max(gaps) <= AIM_EVERY_S + 1.0 / frames_per_s + 1e-9
