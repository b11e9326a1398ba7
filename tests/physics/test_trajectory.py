"""The trajectory's reader and its bytes, on pieces made by hand from the closed forms."""

import importlib.util
import math
import struct
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.bench import posed, run
from physics.case_input import read_case
from physics.orientation import IDENTITY, from_rotation, multiply, normalised, turn
from physics.record import record
from physics.state import Motion
from physics.track import Segment, Track
from physics.trajectory import Cloth, Contact, ContactKind, Trajectory, TrajectoryError
from physics.trajectory_codec import derived_rates

R = 0.028575
CLOTH = Cloth(g=9.81, mu_slide=0.2, mu_roll=0.01, spin_decel=10.0)
ZERO = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class HandPiece:
    start: float
    pos: tuple
    vel: tuple
    acc: tuple
    spin: tuple
    spin_acc: tuple
    motion: Motion
    pocket: str | None = None


def piece(start, motion, pos, vel=ZERO, spin=ZERO, pocket=None, held=False):
    bare = Segment(start, pos, vel, ZERO, spin, ZERO, motion, pocket)
    moving = motion in (Motion.SLIDE, Motion.ROLL, Motion.SPIN, Motion.AIR)
    acc, spin_acc = derived_rates(bare, R, CLOTH, held) if moving else (ZERO, ZERO)
    return HandPiece(start, pos, vel, acc, spin, spin_acc, motion, pocket)


def at_end(p, h):
    """Position, velocity and spin of a piece after h seconds."""
    pos = tuple(x + v * h + a * h * h / 2 for x, v, a in zip(p.pos, p.vel, p.acc, strict=True))
    vel = tuple(v + a * h for v, a in zip(p.vel, p.acc, strict=True))
    spin = tuple(w + b * h for w, b in zip(p.spin, p.spin_acc, strict=True))
    return pos, vel, spin


def slide_roll_rest(v=2.0, heading=0.3, wz=8.0):
    """A stun ball: slide, roll with side, roll without, rest (REFERENCES 2)."""
    vel = (v * math.cos(heading), v * math.sin(heading), 0.0)
    slide = piece(0.0, Motion.SLIDE, (-0.6, -0.3, R), vel, (0.0, 0.0, wz), held=True)
    t1 = 2 * v / (7 * 0.2 * 9.81)
    pos, vel, spin = at_end(slide, t1)
    roll = piece(t1, Motion.ROLL, pos, vel, (-vel[1] / R, vel[0] / R, spin[2]))
    t2 = t1 + abs(wz) / 10.0
    pos, vel, spin = at_end(roll, t2 - t1)
    on = piece(t2, Motion.ROLL, pos, vel, (-vel[1] / R, vel[0] / R, 0.0))
    t3 = t2 + math.hypot(*vel) / (0.01 * 9.81)
    rest = piece(t3, Motion.REST, at_end(on, t3 - t2)[0])
    return [slide, roll, on, rest]


def shot():
    cue = slide_roll_rest()
    hit = [
        piece(0.0, Motion.REST, (0.5, 0.1, R)),
        piece(0.4, Motion.AIR, (0.5, 0.1, R), (0.3, 0.1, 1.0), (5.0, 6.0, 7.0)),
        piece(0.6, Motion.POCKETED, (0.7, 0.2, -0.1), pocket="side_left"),
    ]
    odd = HandPiece(0.0, (0.1, 0.0, 0.05), (0.2, 0.1, -0.3), (0.5, 1.5, -4.0), (1.0, 2.0, 3.0),
                    (7.0, 8.0, 9.0), Motion.SLIDE)  # fmt: skip
    edge = [odd, piece(0.05, Motion.SPIN, (0.11, 0.005, R), spin=(0.0, 0.0, -20.0)),
            piece(2.05, Motion.REST, (0.11, 0.005, R))]  # fmt: skip
    contacts = [
        Contact(0.0, ContactKind.STRIKE, 0, None, 2.0),
        Contact(0.4, ContactKind.BALL, 0, 3, 1.234),
        Contact(0.41, ContactKind.RAIL, 0, "foot", 0.5),
        Contact(0.6, ContactKind.POCKET, 3, "side_left", 0.31),
    ]
    return Trajectory.build({0: cue, 3: hit, 7: edge}, {0: R, 3: R, 7: R}, CLOTH, contacts,
                            cue[-1].start)  # fmt: skip


def distance(a, b):
    return math.dist(a, b)


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
            assert distance(got.pos, want.pos) < 1e-5
            assert distance(got.vel, want.vel) < 1e-5
            assert distance(got.spin, want.spin) < 1e-3
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


def test_reading_sixteen_balls_is_cheap():
    pieces = {b: slide_roll_rest(2.0, b * 0.4, 5.0) for b in range(16)}
    t = Trajectory.build(pieces, dict.fromkeys(pieces, R), CLOTH, [], 14.0)
    best = math.inf
    for _ in range(5):
        start = time.perf_counter()
        for i in range(100):
            t.states_at(i / 10)
        best = min(best, (time.perf_counter() - start) / 100)
    assert best < 3e-4


@pytest.mark.parametrize(
    "spoil",
    [
        lambda b: b"",
        lambda b: b"HSTQ" + b[4:],
        lambda b: b[:4] + b"\x03" + b[5:],
        lambda b: b[:4] + b"\x01" + b[5:],  # version 1 has no pieces that follow
        lambda b: b[:-1],
        lambda b: b + b"\x00",
        lambda b: b[:5] + b"\xff" + b[6:],
        lambda b: b[:6] + b"\xff" + b[7:],
        lambda b: b[:10] + struct.pack("<d", math.nan) + b[18:],
        lambda b: b[:10] + struct.pack("<d", -1.0) + b[18:],
        lambda b: b[:18] + struct.pack("<d", math.inf) + b[26:],
        lambda b: b[:50] + b"\x40" + b[51:],
        lambda b: b[:54] + struct.pack("<d", 0.0) + b[62:],
        lambda b: b[:62] + b"\x07" + b[63:],
        lambda b: b[:75] + struct.pack("<f", math.nan) + b[79:],
        lambda b: b[:75] + struct.pack("<f", 1e30) + b[79:],
        lambda b: b + bytes(1 << 20),
    ],
)
def test_malformed_bytes_are_refused(spoil):
    with pytest.raises(TrajectoryError):
        Trajectory.decode(spoil(shot().encode()))


def test_pieces_that_go_back_in_time_are_refused():
    with pytest.raises(ValueError, match="back in time"):
        Trajectory.build({0: list(reversed(slide_roll_rest()))}, {0: R}, CLOTH, [], 1.0)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_damage_is_refused_or_read_never_worse(data):
    blob = bytearray(shot().encode())
    for _ in range(data.draw(st.integers(1, 4))):
        blob[data.draw(st.integers(0, len(blob) - 1))] = data.draw(st.integers(0, 255))
    blob = blob[: data.draw(st.integers(0, len(blob)))] if data.draw(st.booleans()) else blob
    try:
        read = Trajectory.decode(bytes(blob))
    except TrajectoryError:
        return
    assert all(math.isfinite(x) for s in read.states_at(1.0).values() for x in s.pos)


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(blob):
    with pytest.raises(TrajectoryError):
        Trajectory.decode(blob)


def test_numbers_beyond_the_format_are_refused():
    far = piece(0.0, Motion.REST, (1e6, 0.0, R))
    with pytest.raises(ValueError, match="outside"):
        Trajectory.build({0: [far]}, {0: R}, CLOTH, [], 1.0).encode()


def test_version_1_is_still_read():
    """Bytes that were stored by version 1."""
    roll = [
        piece(0.0, Motion.ROLL, (-0.635, 0.0, R), (0.5, 0.0, 0.0), (0.0, 0.5 / R, 2.0)),
        piece(0.2, Motion.ROLL, (-0.536962, 0.0, R), (0.48038, 0.0, 0.0), (0.0, 0.48038 / R, 0.0)),
        piece(1.0, Motion.POCKETED, (1.27, 0.6, -0.06), pocket="foot_left"),
    ]
    contacts = [
        Contact(0.0, ContactKind.STRIKE, 0, None, 0.5),
        Contact(1.0, ContactKind.POCKET, 0, "foot_left", 0.4),
    ]
    rest = [piece(0.0, Motion.REST, (0.5, -0.25, R))]
    shot = Trajectory.build({0: roll, 9: rest}, {0: R, 9: R}, CLOTH, contacts, 1.0)
    blob = bytes.fromhex(
        "48535452 01 00 02 00 0200 000000000000f03f 1f85eb51b89e2340 9a9999999999c93f"
        "7b14ae47e17a843f 0000000000002440"
        "00 00 0300 fbcbeec9c3429d3f"
        "3a 00000000 884ff6ff00000000 0000003f00000000 00000040"
        "3a 80841e00 7ecef7ff00000000 5ef4f53e00000000 00000000"
        "05 80969800 f0601300c0270900a015ffff 04"
        "09 00 0100 fbcbeec9c3429d3f"
        "08 00000000 20a10700702ffcff"
        "00000000 00 00 ff f401"
        "80969800 04 00 04 9001"
    )
    old = Trajectory.decode(blob)
    assert old.state_at(0, 0.1).pos[0] == pytest.approx(-0.5854905, abs=1e-6)
    assert old.contacts[1].b_or_place == "foot_left"
    for at in (0.0, 0.1, 0.3, 1.0):
        for ball in (0, 9):
            assert distance(old.state_at(ball, at).pos, shot.state_at(ball, at).pos) < 1e-5
    new = old.encode()
    assert new[4] == 2
    assert Trajectory.decode(new).states_at(0.7) == old.states_at(0.7)


def test_version_2_is_these_bytes():
    """Stored shots must stay readable: a change here needs a new version."""
    one = Trajectory.build({0: slide_roll_rest()}, {0: R}, CLOTH, [], 20.0)
    blob = bytes.fromhex(
        "48535452020001000000"
        "00000000000034401f85eb51b89e23409a9999999999c93f7b14ae47e17a843f0000000000002440"
        "00000400fbcbeec9c3429d3f"
        "6b0000000040d8f6ff206cfbffef90f43f6d4e173f000000000000000000000041"
        "bae0702c00"
        "bae082a600"
        "089f7cda08"
        "68c09500f9"
        "932c00"
    )
    assert one.encode() == blob
    assert Trajectory.decode(blob).state_at(0, 20.0).motion is Motion.REST


@pytest.fixture(scope="module")
def reader():
    """The reader that docs/trajectory.md points to."""
    path = Path(__file__).resolve().parents[2] / "examples" / "python" / "trajectory_reader.py"
    assert len(path.read_text("utf-8").splitlines()) < 200
    spec = importlib.util.spec_from_file_location("trajectory_reader", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reader_of_the_page_agrees(reader):
    for case in ("nine-ball break", "three-rail kick"):
        shot = posed(case)
        blob = record(shot.world, run(shot)).encode()
        ours, theirs = Trajectory.decode(blob), reader.read(blob)
        times = [ours.duration * k / 40 for k in range(42)]
        for at in [*times, *reversed(times)]:
            for ball, want in ours.states_at(at).items():
                pos, vel, spin = theirs.at(ball, at)
                assert distance(pos, want.pos) < 1e-9
                assert distance(vel, want.vel) < 1e-9
                assert distance(spin, want.spin) < 1e-6
        for ball in ours.balls:
            q, p = ours.orientation_at(ball, 10.0), theirs.turned(ball, 10.0)
            assert abs(sum(a * b for a, b in zip(q, p, strict=True))) > math.cos(math.radians(0.25))
        assert [c[0] for c in theirs.contacts] == [c.at for c in ours.contacts]


def test_the_reader_of_the_page_reads_version_1(reader):
    blob = bytes.fromhex(
        "48535452 01 00 01 00 0000 000000000000f03f 1f85eb51b89e2340 9a9999999999c93f"
        "7b14ae47e17a843f 0000000000002440 00 00 0100 fbcbeec9c3429d3f"
        "3a 00000000 884ff6ff00000000 0000003f00000000 00000040"
    )
    assert reader.read(blob).at(0, 0.1)[0][0] == pytest.approx(-0.5854905, abs=1e-6)


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
                assert distance(got.pos, want.pos) < 1e-5


def test_long_and_fast_pieces_stay_within_ten_micrometres():
    far = slide_roll_rest(v=14.0, heading=0.71, wz=200.0)
    exact = Trajectory.build({0: far}, {0: R}, CLOTH, [], far[-1].start)
    read = Trajectory.decode(exact.encode())
    for k in range(2000):
        at = far[-1].start * k / 1999
        assert distance(read.state_at(0, at).pos, exact.state_at(0, at).pos) < 1e-5


def test_nothing_follows_a_ball_at_rest():
    rest = piece(0.0, Motion.REST, (0.1, 0.2, R))
    blob = Trajectory.build({0: [rest, rest]}, {0: R}, CLOTH, [], 1.0).encode()
    # The second piece, 13 bytes before the end, as one that follows.
    with pytest.raises(TrajectoryError, match="follows nothing"):
        Trajectory.decode(blob[:-13] + bytes([blob[-13] | 0x80]) + blob[-12:-8])
    with pytest.raises(TrajectoryError, match="follows nothing"):
        Trajectory.decode(blob[:62] + bytes([blob[62] | 0x80]) + blob[63:67] + blob[75:])


@pytest.mark.parametrize("kind", list(ContactKind))
def test_every_kind_of_contact_keeps_its_place(kind):
    place = {
        ContactKind.BALL: 1, ContactKind.RAIL: "left", ContactKind.RAIL_TOP: "foot",
        ContactKind.JAW: "side_left", ContactKind.POCKET: "foot_right",
        ContactKind.LINER: "head_left",
    }.get(kind)  # fmt: skip
    rest = [piece(0.0, Motion.REST, (0.1, 0.2, R))]
    other = [piece(0.0, Motion.REST, (0.3, 0.2, R))]
    contact = Contact(0.5, kind, 0, place, 1.5)
    shot = Trajectory.build({0: rest, 1: other}, {0: R, 1: R}, CLOTH, [contact], 1.0)
    assert Trajectory.decode(shot.encode()).contacts == (contact,)


def test_a_kind_of_contact_that_is_unknown_is_refused():
    rest = [piece(0.0, Motion.REST, (0.1, 0.2, R))]
    contacts = [Contact(0.5, ContactKind.BED, 0, None, 1.5)]
    blob = Trajectory.build({0: rest}, {0: R}, CLOTH, contacts, 1.0).encode()
    with pytest.raises(TrajectoryError, match="no contact"):
        Trajectory.decode(blob[:-5] + bytes([len(ContactKind)]) + blob[-4:])
