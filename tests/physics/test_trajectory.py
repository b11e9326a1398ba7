"""The trajectory's reader, on pieces made by hand from the closed forms and the engine's own."""

import math

import pytest

from physics.bench import posed, run
from physics.case_input import read_case
from physics.orientation import IDENTITY, from_rotation, multiply, normalised, turn
from physics.record import record
from physics.state import Motion
from physics.track import Segment, Track
from physics.trajectory import Trajectory, TrajectoryError
from tests.physics.hand_pieces import (
    CLOTH,
    ZERO,
    R,
    piece,
    shot,
    slide_roll_rest,
)


def test_states_follow_the_closed_forms():
    t = shot()
    v = t.state_at(0, 4.0 / (7 * 0.2 * 9.81)).vel
    assert math.hypot(*v) == pytest.approx(2.0 * 5 / 7, rel=1e-12)
    assert t.state_at(0, 0.1).motion is Motion.SLIDE
    assert t.state_at(0, t.duration).motion is Motion.REST
    assert t.state_at(3, 0.4).motion is Motion.AIR  # at an event, the state after it
    assert t.state_at(3, 0.5).pos[2] == pytest.approx(R + 0.1 - 9.81 * 0.005)
    assert t.state_at(3, 99.0).pos == (0.7, 0.2, -0.1)
    assert set(t.states_at(1.0)) == {0, 3, 7} == set(t.balls)


def test_bytes_keep_every_state_to_ten_micrometres():
    t = shot()
    back = Trajectory.decode(t.encode())
    assert back.duration == pytest.approx(t.duration, abs=1e-7)
    for i in range(401):
        at = t.duration * i / 399  # past the end, too
        for ball, want in t.states_at(at).items():
            got = back.state_at(ball, at)
            assert math.dist(got.pos, want.pos) < 1e-5
            assert math.dist(got.vel, want.vel) < 1e-5
            assert math.dist(got.spin, want.spin) < 1e-3
            assert got.motion is want.motion or i == 399  # the end, 50 ns apart


def test_bytes_are_stable_and_compact():
    t = shot()
    blob = t.encode()
    back = Trajectory.decode(blob)
    assert back.encode() == blob
    assert len(blob) < 420
    assert [c.b_or_place for c in back.contacts] == [None, 3, "foot", "side_left"]
    assert back.contacts[1].strength == pytest.approx(1.234)
    assert back.tracks[3].segments[-1].pocket == "side_left"


def test_what_follows_from_velocity_is_not_sent():
    one = Trajectory.build({0: slide_roll_rest()}, {0: R}, CLOTH, [], 20.0)
    # 50 header, 12 ball, slide 5+8+8+12; two rolls that follow: 5 each; where it comes
    # to rest is said again, to be exact: 5+8.
    assert len(one.encode()) == 50 + 12 + 33 + 2 * 5 + 13


def test_a_long_shot_uses_longer_ticks():
    rest = piece(3000.0, Motion.REST, (0.0, 0.0, R))
    roll = piece(0.0, Motion.ROLL, (-1.0, 0.0, R), (1e-3, 0.0, 0.0), (0.0, 1e-3 / R, 0.0))
    t = Trajectory.build({0: [roll, rest]}, {0: R}, CLOTH, [], 3000.0)
    back = Trajectory.decode(t.encode())
    assert back.tracks[0].segments[1].start == pytest.approx(3000.0, abs=1e-6)
    assert back.encode() == t.encode()


def test_a_cut_plays_the_same_to_the_last_digit():
    t = Trajectory.decode(shot().encode())
    for at in (0.0, 0.2, 0.5, 1.0, 5.0, t.duration):
        rest = t.cut(at)
        late = Trajectory.decode(rest.encode())
        assert all(c.at >= at for c in rest.contacts)
        for i in range(20):
            when = at + (t.duration - at) * i / 19
            assert rest.states_at(when) == t.states_at(when)
            assert late.states_at(when) == t.states_at(when)
            for ball in t.balls:
                q, p = late.orientation_at(ball, when), t.orientation_at(ball, when)
                assert abs(sum(a * b for a, b in zip(q, p, strict=True))) > 1 - 1e-9
    assert len(t.cut(5.0).encode()) < len(t.encode())


def fine_orientation(segments, until):
    """Many tiny midpoint steps: the slow way to the same orientation."""
    q = IDENTITY
    ends = [s.start for s in segments[1:]] + [until]
    for s, end in zip(segments, ends, strict=True):
        end = min(end, until)
        n = max(int((end - s.start) * 8000), 1)
        h = (end - s.start) / n
        if h <= 0:
            continue
        for i in range(n):
            w = tuple(a + b * (i + 0.5) * h for a, b in zip(s.spin, s.spin_acc, strict=True))
            q = normalised(multiply(from_rotation(tuple(c * h for c in w)), q))
    return q


@pytest.mark.parametrize("v, wz", [(6.0, 40.0), (3.0, -90.0), (1.0, 0.0)])
def test_a_stripe_is_right_after_ten_seconds(v, wz):
    track = Track(0, R, [Segment(*vars(p).values()) for p in slide_roll_rest(v, 0.3, wz)])
    until = min(10.0, track.segments[-1].start)
    want = fine_orientation(track.segments, until)
    got = track.orientation_at(until)
    angle = 2 * math.acos(min(1.0, abs(sum(a * b for a, b in zip(got, want, strict=True)))))
    assert angle < 2e-3  # the slow way's own error; a stripe is 20 mm wide, this is 0.06 mm


@pytest.mark.parametrize(
    ("tip", "elevation", "speed"),
    [((0.0, 0.0), 0.0, 3.0), ((0.45, 0.1), 3.0, 2.0), ((0.3, -0.2), 65.0, 3.5)],
    ids=["slide", "english", "masse"],
)
def test_a_stripe_is_where_the_engine_turned_it_after_ten_seconds(tip, elevation, speed):
    strike = {"speed": speed, "heading_deg": 20.0, "elevation_deg": elevation, "tip": list(tip)}
    cloth = {"mu_roll": 0.004, "spin_decel": 4.0}  # slow enough to move for ten seconds
    case = {"balls": {"0": {"pos": [-0.9, 0.1]}}, "table": {"preset": "9ft", "pockets": "none"}}
    shot = read_case({"id": "turn", **case, "strike": strike, "material": cloth})
    outcome = run(shot)
    pieces, until = outcome.pieces[0], min(10.0, outcome.duration)
    assert until > 5.0
    want = fine_orientation(pieces, until)
    got = Trajectory.decode(record(shot.world, outcome).encode()).orientation_at(0, until)
    angle = 2 * math.acos(min(1.0, abs(sum(a * b for a, b in zip(got, want, strict=True)))))
    assert math.degrees(angle) < 0.5


def test_orientation_does_not_depend_on_the_frames_asked_for():
    smooth, jumped = shot(), shot()
    for i in range(600):
        smooth.orientation_at(0, i / 60)
    a, b = smooth.orientation_at(0, 10.0), jumped.orientation_at(0, 10.0)
    assert a == pytest.approx(b, abs=1e-12)


def test_rolling_turns_forward():
    # A ball that rolls a quarter of its girth towards +x brings its top to the front.
    q = turn((0.0, 2.0, 0.0), ZERO, math.pi / 4)
    w, x, y, z = multiply(multiply(q, (0.0, 0.0, 0.0, 1.0)), (q[0], -q[1], -q[2], -q[3]))
    assert (w, x, y, z) == pytest.approx((0.0, 1.0, 0.0, 0.0), abs=1e-12)


@pytest.mark.parametrize("name", ["nine-ball break", "eight-ball break", "three-rail kick"])
def test_bytes_keep_the_engines_own_pieces_to_ten_micrometres(name):
    shot = posed(name)
    outcome = run(shot)
    exact = record(shot.world, outcome)
    blob = exact.encode()
    read = Trajectory.decode(blob)
    assert read.encode() == blob
    for ball, track in exact.tracks.items():
        ends = [s.start for s in track.segments[1:]] + [exact.duration]
        for s, end in zip(track.segments, ends, strict=True):
            for k in range(9):
                at = s.start + (end - s.start) * k / 8
                got, want = read.state_at(ball, at), track.state_at(at)
                assert math.dist(got.pos, want.pos) < 1e-5


def test_long_and_fast_pieces_stay_within_ten_micrometres():
    far = slide_roll_rest(v=14.0, heading=0.71, wz=200.0)
    exact = Trajectory.build({0: far}, {0: R}, CLOTH, [], far[-1].start)
    read = Trajectory.decode(exact.encode())
    for k in range(2000):
        at = far[-1].start * k / 1999
        assert math.dist(read.state_at(0, at).pos, exact.state_at(0, at).pos) < 1e-5


def test_nothing_follows_a_ball_at_rest():
    rest = piece(0.0, Motion.REST, (0.1, 0.2, R))
    blob = Trajectory.build({0: [rest, rest]}, {0: R}, CLOTH, [], 1.0).encode()
    # The second piece, 13 bytes before the end, as one that follows.
    with pytest.raises(TrajectoryError, match="follows nothing"):
        Trajectory.decode(blob[:-13] + bytes([blob[-13] | 0x80]) + blob[-12:-8])
    with pytest.raises(TrajectoryError, match="follows nothing"):
        Trajectory.decode(blob[:62] + bytes([blob[62] | 0x80]) + blob[63:67] + blob[75:])


def test_the_piece_that_runs_is_found_by_halving():
    """Reading costs the same however long a shot is: ten comparisons in a thousand pieces."""

    class Counting(float):
        asked = 0

        def __lt__(self, other):
            Counting.asked += 1
            return float(self) < other

    pieces = [piece(0.1 * k, Motion.REST, (0.0, 0.0, R)) for k in range(1000)]
    track = Trajectory.build({0: pieces}, {0: R}, CLOTH, [], 100.0).tracks[0]
    for at in (0.0, 0.05, 37.3, 99.95):
        Counting.asked = 0
        track.state_at(Counting(at))
        assert 0 < Counting.asked <= 11
