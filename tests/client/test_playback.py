"""Where balls are drawn: by the server's clock, from the middle of a shot, turning as they roll."""

import itertools
import math

import pytest

from client.net.server_clock import ServerClock
from client.net.session import Opened, Received, Session
from client.net.view import Shot, TableView
from client.play.playback import Playback
from physics.orientation import multiply
from physics.outcome import World
from physics.record import record
from shared_rules import messages as m
from shared_rules.state import LagState, Phase
from shared_rules.table import Position
from tests.client.builders import TABLE, R, event, rolling, snapshot, state, welcome
from tests.physics.shots import on_bed, shoot


def view_of(match, shot=None) -> TableView:
    return TableView(table=TABLE, state=match, shot=shot, known=True)


def clock_at(server: float, local: float = 0.0, pace: float = 1.0) -> ServerClock:
    clock = ServerClock()
    clock.begin(local, server, pace)
    return clock


def test_a_shot_begins_at_its_beginning_and_catches_up():
    """Its first picture is the one after the contact: that it moves is seen at once."""
    playback, clock = Playback(), clock_at(100.1)
    view = view_of(state(Phase.SHOT_RUNNING), Shot(4, 100.0, rolling()))
    assert playback.show(view, clock, 0.0).shot_time == pytest.approx(1 / 60)
    times = [playback.show(view, clock, 0.02 * k).shot_time for k in range(1, 30)]
    assert all(b > a for a, b in itertools.pairwise(times))
    assert times[-1] == pytest.approx(0.1 + 0.02 * 29)


def test_a_shot_heard_of_at_once_is_never_shown_ahead_of_the_server():
    playback, clock = Playback(), clock_at(100.004)
    view = view_of(state(Phase.SHOT_RUNNING), Shot(4, 100.0, rolling()))
    assert playback.show(view, clock, 0.0).shot_time == pytest.approx(0.004)


def test_a_latecomer_sees_it_from_where_it_is():
    playback, clock = Playback(), clock_at(101.0)
    shot = Shot(4, 100.0, rolling())
    shown = playback.show(view_of(state(Phase.SHOT_RUNNING), shot), clock, 0.0)
    assert shown.shot_time == pytest.approx(1.0)
    x = -0.635 + 1.0 - 0.25 * 1.0
    assert shown.poses[0][0] == pytest.approx((x, 0.0, R), abs=1e-4)


def test_a_shot_that_is_over_is_not_played_to_who_comes_after():
    playback, clock = Playback(), clock_at(150.0)
    shown = playback.show(view_of(state(), Shot(4, 100.0, rolling())), clock, 0.0)
    assert shown.shot is None and set(shown.poses) == set(state().balls)


def test_br_088_a_shot_can_be_skipped_to_its_end():
    """Where it leads is shown at once; the next shot is shown whole again."""
    playback, clock = Playback(), clock_at(100.0)
    assert not playback.skip()  # nothing is being shown
    shot = Shot(4, 100.0, rolling())
    view = view_of(state(Phase.SHOT_RUNNING), shot)
    assert playback.show(view, clock, 0.1).shot_time < 0.2
    assert playback.skip()
    shown = playback.show(view, clock, 0.2)
    assert shown.shot_time == shot.trajectory.duration
    assert view.state.phase is Phase.SHOT_RUNNING  # nothing may be done any sooner
    later = Shot(5, 110.0, rolling())
    shown = playback.show(view_of(state(Phase.SHOT_RUNNING), later), clock, 10.1)
    assert shown.shot is later and shown.shot_time < 0.2


def test_a_rolling_ball_turns_by_its_way_over_its_radius():
    playback, clock = Playback(), clock_at(100.0)
    view = view_of(state(Phase.SHOT_RUNNING), Shot(4, 100.0, rolling()))
    playback.show(view, clock, 0.0)
    pos, face = playback.show(view, clock, 1.0).poses[0]
    angle = 2 * math.acos(min(1.0, abs(face[0])))
    way = (pos[0] + 0.635) / R
    turned = way % (2 * math.pi)
    assert angle == pytest.approx(min(turned, 2 * math.pi - turned), abs=1e-3)


def test_faces_are_kept_from_shot_to_shot_and_cleared_by_a_rack():
    playback, clock = Playback(), clock_at(100.0)
    running = view_of(state(Phase.SHOT_RUNNING), Shot(4, 100.0, rolling()))
    playback.show(running, clock, 0.0)
    end = playback.show(running, clock, 2.5).poses[0][1]
    running.state = state()
    rest = playback.show(running, clock, 2.6)
    assert rest.poses[0][1] == pytest.approx(end)
    running.state, running.shot = state(Phase.SHOT_RUNNING), Shot(5, 103.0, rolling())
    playback.show(running, clock, 3.0)
    turned = playback.show(running, clock, 4.0).poses[0][1]
    fresh = rolling().orientation_at(0, 1.0)
    assert turned == pytest.approx(multiply(fresh, end), abs=1e-6)
    running.state = state(rack_number=2)
    playback.show(running, clock, 6.0)
    assert playback.show(running, clock, 6.1).poses[0][1] == (1.0, 0.0, 0.0, 0.0)


def test_a_ruling_that_comes_early_does_not_cut_the_shot_short():
    playback, clock = Playback(), clock_at(100.0)
    view = view_of(state(Phase.SHOT_RUNNING), Shot(4, 100.0, rolling()))
    playback.show(view, clock, 0.0)
    playback.show(view, clock, 1.8)
    view.state = state()
    assert playback.show(view, clock, 1.9).shot is not None
    assert playback.show(view, clock, 2.1).shot is None


def test_a_fast_clock_plays_fast():
    playback, clock = Playback(), clock_at(100.0, pace=10.0)
    view = view_of(state(Phase.SHOT_RUNNING), Shot(4, 100.0, rolling()))
    playback.show(view, clock, 0.0)
    assert playback.show(view, clock, 0.1).shot_time == pytest.approx(1.0)


def test_a_still_picture_shows_the_time_asked_for():
    playback, clock = Playback(), clock_at(100.0)
    playback.at = 0.3
    view = view_of(state(Phase.SHOT_RUNNING), Shot(4, 100.0, rolling()))
    assert playback.show(view, clock, 5.0).shot_time == 0.3


def test_in_a_lag_the_lag_balls_lie_on_the_table():
    lag = LagState(balls=(Position(-0.7, 0.3), Position(-0.7, -0.3)))
    shown = Playback().show(view_of(state(Phase.LAG, lag=lag)), clock_at(1.0), 0.0)
    assert set(shown.poses) == {16, 17}


def test_without_a_match_nothing_is_shown():
    assert Playback().show(view_of(None), clock_at(1.0), 0.0).poses == {}


def test_br_049_a_machine_with_another_sine_shows_the_same_end(monkeypatch):
    """BR-049: the client plays what the server has streamed; nothing of the stroke is worked out
    again, so sines and cosines that are off by a thousandth move no ball."""
    heading, speed = math.radians(9.5), 3.0

    def struck():
        velocity = (speed * math.cos(heading), speed * math.sin(heading))
        return [on_bed(0, -0.6, 0.1, *velocity), on_bed(2, 0.4, 0.27), on_bed(5, 0.8, -0.3)]

    outcome = shoot(*struck())
    sent = record(World(), outcome).encode()
    flight = m.ShotInFlight(shot=4, started_at=100.0, trajectory=sent)

    def ends() -> dict[int, tuple[float, float, float]]:
        session = Session("Ann")
        session.handle(Opened(0.0))
        session.handle(Received(welcome(), 0.0))
        session.join(TABLE)
        session.handle(Received(snapshot(), 0.0))
        running = state(Phase.SHOT_RUNNING, version=11, shot_number=4)
        session.handle(Received(event(11, running, in_flight=flight), 0.0))
        playback, clock = Playback(), clock_at(100.0)
        for tenths in range(int(10 * outcome.duration) + 1):
            playback.show(session.view, clock, tenths / 10)
        shown = playback.show(session.view, clock, outcome.duration)
        return {ball: pos for ball, (pos, _) in shown.poses.items()}

    want = ends()
    for ball, final in outcome.final.items():
        assert want[ball] == pytest.approx(final.pos, abs=1e-6)
    sine, cosine = math.sin, math.cos
    monkeypatch.setattr(math, "sin", lambda x: sine(x) * 1.001)
    monkeypatch.setattr(math, "cos", lambda x: cosine(x) * 0.999)
    worked_out = shoot(*struck()).final  # what such a machine would make of the stroke
    assert max(math.dist(worked_out[ball].pos, want[ball]) for ball in want) > 1e-3
    assert ends() == want
