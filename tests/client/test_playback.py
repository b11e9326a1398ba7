"""Where balls are drawn: by the server's clock, from the middle of a shot, turning as they roll."""

import itertools
import math

import pytest

from client.net.server_clock import ServerClock
from client.net.view import Shot, TableView
from client.play.playback import Playback
from physics.orientation import multiply
from shared_rules.state import LagState, Phase
from shared_rules.table import Position
from tests.client.builders import TABLE, R, rolling, state


def view_of(match, shot=None) -> TableView:
    return TableView(table=TABLE, state=match, shot=shot, known=True)


def clock_at(server: float, local: float = 0.0, pace: float = 1.0) -> ServerClock:
    clock = ServerClock()
    clock.begin(local, server, pace)
    return clock


def test_a_shot_begins_at_its_beginning_and_catches_up():
    playback, clock = Playback(), clock_at(100.1)
    view = view_of(state(Phase.SHOT_RUNNING), Shot(4, 100.0, rolling()))
    assert playback.show(view, clock, 0.0).shot_time == pytest.approx(0.0)
    times = [playback.show(view, clock, 0.02 * k).shot_time for k in range(1, 30)]
    assert all(b > a for a, b in itertools.pairwise(times))
    assert times[-1] == pytest.approx(0.1 + 0.02 * 29)


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
