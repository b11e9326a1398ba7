"""The record of real shots: the engine's pieces through the trajectory and its bytes."""

import itertools
import math

import pytest

from physics.bench import SHOTS, posed, run
from physics.record import record
from physics.trajectory import ContactKind, Trajectory

MOST_BYTES = {"nine-ball break": 16_000, "eight-ball break": 24_000}


@pytest.fixture(scope="module", params=SHOTS)
def played(request):
    shot = posed(request.param)
    outcome = run(shot)
    return request.param, shot, outcome, record(shot.world, outcome)


def test_bytes_keep_the_shot_to_ten_micrometres(played):
    _, _, outcome, trajectory = played
    back = Trajectory.decode(trajectory.encode())
    assert back.balls == trajectory.balls
    for i in range(500):
        at = outcome.duration * i / 499
        for name, want in trajectory.states_at(at).items():
            got = back.state_at(name, at)
            assert math.dist(got.pos, want.pos) < 1e-5
    for name, state in outcome.final.items():
        assert math.dist(back.state_at(name, outcome.duration + 1).pos, state.pos) < 1e-6


def test_a_shot_is_small(played):
    name, _, _, trajectory = played
    assert len(trajectory.encode()) < MOST_BYTES.get(name, 3000)
    assert Trajectory.decode(trajectory.encode()).encode() == trajectory.encode()


def test_rates_follow_from_velocity_and_spin_and_are_not_sent(played):
    *_, trajectory = played
    pieces = sum(len(t.segments) for t in trajectory.tracks.values())
    rest = 50 + 12 * len(trajectory.balls) + 9 * len(trajectory.contacts)
    # 33 bytes slide at most; short steps over a pocket's edge carry their own rates.
    assert (len(trajectory.encode()) - rest) / pieces < 45


def test_balls_never_jump(played):
    """Where one piece ends the next begins."""
    *_, trajectory = played
    for track in trajectory.tracks.values():
        for a, b in itertools.pairwise(track.segments):
            h = b.start - a.start
            end = [p + v * h + c * h * h / 2 for p, v, c in zip(a.pos, a.vel, a.acc, strict=True)]
            assert math.dist(end, b.pos) < 1e-6


def test_contacts_are_those_of_the_events(played):
    *_, outcome, trajectory = played
    kinds = [c.kind for c in trajectory.contacts]
    tags = [r.event.__struct_config__.tag for r in outcome.events]
    assert kinds.count(ContactKind.BALL) == tags.count("ball_ball") > 0
    assert kinds.count(ContactKind.RAIL) == tags.count("rail") > 0
    assert kinds.count(ContactKind.POCKET) == tags.count("pocketed")
    hardest = max(c.strength for c in trajectory.contacts if c.kind is ContactKind.BALL)
    assert 0.3 < hardest < 12.0


def test_a_latecomer_sees_the_same_shot(played):
    _, _, outcome, trajectory = played
    whole = Trajectory.decode(trajectory.encode())
    at = outcome.duration / 3
    late = Trajectory.decode(whole.cut(at).encode())
    for i in range(50):
        when = at + (outcome.duration - at) * i / 49
        assert late.states_at(when) == whole.states_at(when)
