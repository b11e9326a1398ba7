"""The trajectory's bytes: what is damaged is refused, older versions are read, the page is true."""

import importlib.util
import math
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.bench import posed, run
from physics.record import record
from physics.state import Motion
from physics.trajectory import Contact, ContactKind, Trajectory, TrajectoryError
from tests.physics.hand_pieces import (
    CLOTH,
    R,
    piece,
    shot,
    slide_roll_rest,
)


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
            assert math.dist(old.state_at(ball, at).pos, shot.state_at(ball, at).pos) < 1e-5
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
                assert math.dist(pos, want.pos) < 1e-9
                assert math.dist(vel, want.vel) < 1e-9
                assert math.dist(spin, want.spin) < 1e-6
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
