"""Trajectories as bytes and back: ``docs/trajectory.md`` describes every one of them.

Positions are whole micrometres, velocities and spins single precision, times ticks of 0.1 µs (of
more only where a shot lasts over seven minutes).  What follows from a piece's velocity and spin
(rates while sliding and rolling, natural roll) is left out and computed by the reader; a piece for
which it doesn't follow carries it.  Where nothing but friction acted between two pieces, the later
one starts as the earlier one ends, and only its time is sent.  Version 1, without that, is read.
"""

import math
import struct

from physics.orientation import IDENTITY, Quaternion, Vector
from physics.state import Motion
from physics.track import STILL, ZERO, Segment, Track
from physics.trajectory import Cloth, Contact, ContactKind, Trajectory, TrajectoryError
from shared_rules.events import POCKETS, RAILS, Pocket

MAGIC = b"HSTR"
VERSION = 2
READABLE = (1, 2)
MAX_BYTES = 1 << 20
MAX_PIECES = 20_000
MAX_BALLS = 18
MAX_VEL = 1e4
MAX_SPIN = 1e6
MAX_RATE = 1e8
TICK = 1e-7
MAX_EXPONENT = 12

_HEAD = struct.Struct("<4sBBBBHddddd")
_BALL = struct.Struct("<BBHd")
_PIECE = struct.Struct("<BI")
_CONTACT = struct.Struct("<IBBBH")
_MICRO = 1e-6
_FLAT, _NATURAL, _DERIVED, _HELD, _FOLLOWS = 0x08, 0x10, 0x20, 0x40, 0x80
# How far off a piece that follows may be: at its start, once more at its end (m); at rest; rad/s.
_POS_SLACK, _REST_SLACK, _SPIN_SLACK = 1.5e-6, 0.9e-6, 1e-3
_NOTHING = 255
_AT_RAILS = (ContactKind.RAIL, ContactKind.RAIL_TOP)
_AT_POCKETS = (ContactKind.JAW, ContactKind.POCKET, ContactKind.LINER)
_TURNED, _CUT_SHORT = 0x01, 0x01
# The wire's numbers of the motions: fixed, whatever the enumeration does.
_MOTIONS = (
    Motion.REST, Motion.SPIN, Motion.ROLL, Motion.SLIDE, Motion.AIR, Motion.POCKETED,
    Motion.OFF_TABLE,
)  # fmt: skip


def encode(trajectory: Trajectory) -> bytes:
    """See ``Trajectory.encode``."""
    exponent = _exponent(trajectory)
    tick = TICK * 2**exponent
    cloth = trajectory.cloth
    out = bytearray(
        _HEAD.pack(
            MAGIC, VERSION, exponent, len(trajectory.tracks),
            _CUT_SHORT if trajectory.cut_short else 0, len(trajectory.contacts),
            round(_latest(trajectory) / tick) * tick,
            cloth.g, cloth.mu_slide, cloth.mu_roll, cloth.spin_decel,
        )
    )  # fmt: skip
    try:
        for track in trajectory.tracks.values():
            _write_track(out, track, cloth, tick, trajectory)
        for contact in trajectory.contacts:
            out += _CONTACT.pack(
                round(contact.at / tick), contact.kind, contact.a,
                _place_code(contact), min(round(contact.strength * 1000), 0xFFFF),
            )  # fmt: skip
    except (struct.error, OverflowError) as error:
        raise ValueError(f"a number lies outside what a trajectory holds: {error}") from error
    if len(out) > MAX_BYTES:
        raise ValueError(f"a trajectory of {len(out)} bytes is over the limit of {MAX_BYTES}")
    return bytes(out)


def _latest(trajectory: Trajectory) -> float:
    """The end; never before the last piece's start, which is rounded just the same."""
    starts = (t.segments[-1].start for t in trajectory.tracks.values())
    return max(trajectory.duration, *starts, 0.0)


def _exponent(trajectory: Trajectory) -> int:
    latest = _latest(trajectory)
    exponent = 0
    while latest / (TICK * 2**exponent) >= 0xFFFFFFFF:
        exponent += 1
    if exponent > MAX_EXPONENT:
        raise ValueError(f"a shot of {latest} s is too long for a trajectory")
    return exponent


def _place_code(contact: Contact) -> int:
    place = contact.b_or_place
    if place is None:
        return _NOTHING
    if isinstance(place, int):
        return place
    names: tuple[str, ...] = RAILS if contact.kind in _AT_RAILS else POCKETS
    return names.index(place)


def _write_track(
    out: bytearray, track: Track, cloth: Cloth, tick: float, whole: Trajectory
) -> None:
    turned = track.orientation != IDENTITY
    out += _BALL.pack(track.ball, _TURNED if turned else 0, len(track.segments), track.radius)
    if turned:
        out += struct.pack("<4f", *track.orientation)
    ends = [s.start for s in track.segments[1:]] + [whole.duration]
    slack = 0.0 if whole.rounded else 1.0
    before: Segment | None = None
    for s, until in zip(track.segments, ends, strict=True):
        fields = _follower_fields(before, s, until, track.radius, cloth, tick, slack)
        if fields is None:
            fields = _piece_fields(s, track.radius, cloth, tick)
        out += fields
        before = _read_piece(_Reader(fields), before, track.radius, cloth, tick)


def _piece_fields(s: Segment, radius: float, cloth: Cloth, tick: float) -> bytes:
    flat = abs(s.pos[2] - radius) < 0.5 * _MICRO and s.vel[2] == 0.0
    shape = _MOTIONS.index(s.motion) | (_FLAT if flat else 0)
    pos = [round(p / _MICRO) for p in (s.pos[:2] if flat else s.pos)]
    fields = struct.pack(f"<{len(pos)}i", *pos)
    if s.motion is Motion.POCKETED:
        fields += bytes((POCKETS.index(s.pocket) if s.pocket in POCKETS else _NOTHING,))
    if s.motion not in STILL:
        shape, floats = _moving_fields(s, shape, radius, cloth)
        fields += struct.pack(f"<{len(floats)}f", *floats)
    return _PIECE.pack(shape, round(s.start / tick)) + fields


def _follower_fields(
    before: Segment | None, s: Segment, until: float, radius: float, cloth: Cloth, tick: float,
    slack: float,
) -> bytes | None:  # fmt: skip
    """The short form of a piece that starts as the one before it ends; None where it doesn't."""
    full = _piece_fields(s, radius, cloth, tick)
    shape, rates = full[0], 0 if s.motion in STILL or full[0] & _DERIVED else _RATES
    start = full[1 : _PIECE.size] + full[len(full) - rates :]
    if before is None or before.motion in STILL or s.motion is Motion.POCKETED:
        return None
    # Side spin that has just died is rounded to not quite 0: *held* says that nothing brakes it.
    for held in (0, _HELD) if shape & _DERIVED else (0,):
        short = bytes((shape | held | _FOLLOWS,)) + start
        read = _read_piece(_Reader(short), before, radius, cloth, tick)
        within = slack * (_REST_SLACK if s.motion in STILL else _POS_SLACK)
        near = math.dist(read.pos, s.pos) <= within
        near &= (until - s.start) * math.dist(read.vel, s.vel) <= slack * _POS_SLACK
        same = _close(read.spin, s.spin, slack * _SPIN_SLACK) and _close(read.acc, s.acc, 0.01)
        if near and same and _close(read.spin_acc, s.spin_acc, 0.3):
            return short
    return None


def _followed(
    before: Segment, start: float, shape: int, radius: float
) -> tuple[Vector, Vector, Vector]:
    """Place, velocity and spin at the end of a piece, rounded to what the format holds."""
    h = start - before.start
    pos = tuple(
        round((p + (v + 0.5 * a * h) * h) / _MICRO) * _MICRO
        for p, v, a in zip(before.pos, before.vel, before.acc, strict=True)
    )
    rates = zip((*before.vel, *before.spin), (*before.acc, *before.spin_acc), strict=True)
    values = (v + a * h for v, a in rates)
    vx, vy, vz, wx, wy, wz = struct.unpack("<6f", struct.pack("<6f", *values))
    motion, flat = _MOTIONS[shape & 0x07], shape & _FLAT
    if motion in STILL or motion is Motion.SPIN:
        vx = vy = vz = 0.0
    vel = (vx, vy, 0.0 if flat else vz)
    spin: Vector | None = ZERO if motion in STILL else (wx, wy, wz)
    if shape & _NATURAL:
        spin = natural_spin(motion, vel, (wx, wy, wz), radius)
    if spin is None:
        raise TrajectoryError("only a rolling or spinning ball has a natural spin")
    return (pos[0], pos[1], radius if flat else pos[2]), vel, spin


def _moving_fields(s: Segment, shape: int, radius: float, cloth: Cloth) -> tuple[int, list[float]]:
    floats: list[float] = []
    if s.motion is not Motion.SPIN:
        floats += s.vel[:2] if shape & _FLAT else s.vel
    if _close(natural_spin(s.motion, s.vel, s.spin, radius), s.spin, 1e-5):
        shape |= _NATURAL
        floats.append(s.spin[2])
    else:
        floats += s.spin
    for held in (0, _HELD):
        acc, spin_acc = derived_rates(s, radius, cloth, bool(held))
        if _close(acc, s.acc, 1e-5) and _close(spin_acc, s.spin_acc, 1e-3):
            return shape | _DERIVED | held, floats
    return shape, [*floats, *s.acc, *s.spin_acc]


def _close(a: Vector | None, b: Vector, within: float) -> bool:
    return a is not None and all(abs(p - q) <= within for p, q in zip(a, b, strict=True))


def natural_spin(motion: Motion, vel: Vector, spin: Vector, radius: float) -> Vector | None:
    """Spin of a rolling ball from its velocity, of one turning on the spot; z as in ``spin``."""
    if motion is Motion.ROLL:
        return (-vel[1] / radius, vel[0] / radius, spin[2])
    if motion is Motion.SPIN:
        return (0.0, 0.0, spin[2])
    return None


def derived_rates(s: Segment, radius: float, cloth: Cloth, held: bool) -> tuple[Vector, Vector]:
    """Acceleration (m/s²) and spin rate (rad/s²) of a piece from its velocity and spin.

    REFERENCES 2: sliding, friction mu_slide·g against the slip u = v - R(wy, -wx), and a spin that
    responds at 5/2 of it; rolling, mu_roll·g against the velocity with the spin following it; in
    both and on the spot, side spin decays at spin_decel unless ``held``.  In the air gravity alone.
    """
    (vx, vy, _), (wx, wy, wz) = s.vel, s.spin
    twist = 0.0 if held or wz == 0.0 else -math.copysign(cloth.spin_decel, wz)
    if s.motion is Motion.SLIDE:
        ux, uy = vx - radius * wy, vy + radius * wx
        size = math.hypot(ux, uy)
        k = -cloth.mu_slide * cloth.g / size if size > 0.0 else 0.0
        ax, ay = k * ux, k * uy
        return (ax, ay, 0.0), (2.5 * ay / radius, -2.5 * ax / radius, twist)
    if s.motion is Motion.ROLL:
        size = math.hypot(vx, vy)
        k = -cloth.mu_roll * cloth.g / size if size > 0.0 else 0.0
        ax, ay = k * vx, k * vy
        return (ax, ay, 0.0), (-ay / radius, ax / radius, twist)
    if s.motion is Motion.SPIN:
        return ZERO, (0.0, 0.0, twist)
    return (0.0, 0.0, -cloth.g), ZERO


class _Reader:
    """Bytes taken in order; whatever is missing or absurd is a TrajectoryError."""

    def __init__(self, blob: bytes) -> None:
        self.blob = blob
        self.at = 0

    def take(self, layout: struct.Struct) -> tuple[int | float, ...]:
        if self.at + layout.size > len(self.blob):
            raise TrajectoryError(f"the trajectory ends in the middle, at byte {self.at}")
        values = layout.unpack_from(self.blob, self.at)
        self.at += layout.size
        return values

    def byte(self) -> int:
        return int(self.take(_BYTE)[0])

    def floats(self, n: int, limit: float) -> tuple[float, ...]:
        values = self.take(_FLOATS[n])
        # A comparison with NaN is false, so this refuses it too.
        if not all(-limit <= v <= limit for v in values):
            raise TrajectoryError(f"a number out of bounds at byte {self.at - 4 * n}")
        return values


_RATES = 24  # bytes of a piece's own rates
_BYTE = struct.Struct("<B")
_FLOATS = {n: struct.Struct(f"<{n}f") for n in (1, 2, 3, 4)}
_INTS = {n: struct.Struct(f"<{n}i") for n in (2, 3)}


def decode(blob: bytes) -> Trajectory:
    """See ``Trajectory.decode``."""
    if len(blob) > MAX_BYTES:
        raise TrajectoryError(f"{len(blob)} bytes are over the limit of {MAX_BYTES}")
    reader = _Reader(bytes(blob))
    if len(blob) < _HEAD.size or blob[:4] != MAGIC:
        raise TrajectoryError("these bytes are no trajectory")
    _, version, exponent, n_balls, flags, n_contacts, duration, *constants = _HEAD.unpack_from(blob)
    reader.at = _HEAD.size
    if version not in READABLE:
        raise TrajectoryError(f"trajectory version {version}; this build reads {READABLE}")
    if exponent > MAX_EXPONENT or n_balls > MAX_BALLS or flags & ~_CUT_SHORT:
        raise TrajectoryError("the trajectory's header is out of bounds")
    tick = TICK * 2**exponent
    if not 0.0 <= duration <= tick * 0xFFFFFFFF or not all(0.0 <= c <= 1e6 for c in constants):
        raise TrajectoryError("the trajectory's duration or constants are out of bounds")
    cloth = Cloth(*constants)
    tracks: dict[int, Track] = {}
    for _ in range(n_balls):
        track = _read_track(reader, cloth, tick, version)
        if track.ball in tracks:
            raise TrajectoryError(f"ball {track.ball} comes twice")
        tracks[track.ball] = track
    contacts = [_read_contact(reader, tick, tracks) for _ in range(n_contacts)]
    if reader.at != len(blob):
        raise TrajectoryError(f"{len(blob) - reader.at} bytes too many")
    return Trajectory(
        cloth, tracks.values(), contacts, duration, bool(flags & _CUT_SHORT), rounded=True
    )


def _read_track(reader: _Reader, cloth: Cloth, tick: float, version: int) -> Track:
    *whole, radius = reader.take(_BALL)
    ball, flags, count = (int(v) for v in whole)
    if ball >= MAX_BALLS or flags > _TURNED or not 1 <= count <= MAX_PIECES:
        raise TrajectoryError(f"a track out of bounds at byte {reader.at - _BALL.size}")
    if not 1e-3 <= radius <= 1.0:
        raise TrajectoryError(f"a ball of radius {radius} m")
    orientation: Quaternion = IDENTITY
    if flags & _TURNED:
        w, x, y, z = reader.floats(4, 1.001)
        if abs(w * w + x * x + y * y + z * z - 1.0) > 1e-3:
            raise TrajectoryError("an orientation that is no rotation")
        orientation = (w, x, y, z)
    segments: list[Segment] = []
    before: Segment | None = None
    for _ in range(count):
        if version == 1 and reader.at < len(reader.blob) and reader.blob[reader.at] & _FOLLOWS:
            raise TrajectoryError("a piece of version 1 with a flag of version 2")
        before = _read_piece(reader, before, radius, cloth, tick)
        segments.append(before)
    try:
        return Track(ball, radius, segments, orientation)
    except ValueError as error:
        raise TrajectoryError(str(error)) from error


def _read_piece(
    reader: _Reader, before: Segment | None, radius: float, cloth: Cloth, tick: float
) -> Segment:
    code, ticks = reader.take(_PIECE)
    shape, start = int(code), ticks * tick
    if shape & 0x07 >= len(_MOTIONS):
        raise TrajectoryError(f"no motion has the number {shape & 7}")
    motion = _MOTIONS[shape & 0x07]
    if motion in STILL and shape & ~(0x07 | _FLAT | _FOLLOWS):
        raise TrajectoryError("a still ball with a moving ball's flags")
    if shape & _FOLLOWS:
        if before is None or before.motion in STILL or motion is Motion.POCKETED:
            raise TrajectoryError("a piece that follows nothing")
        pos, vel, spin = _followed(before, start, shape, radius)
    else:
        flat = shape & _FLAT
        place = tuple(p * _MICRO for p in reader.take(_INTS[2 if flat else 3]))
        pos = (place[0], place[1], radius if flat else place[-1])
        vel = spin = ZERO
    if motion in STILL:
        pocket = _read_pocket(reader) if motion is Motion.POCKETED else None
        return Segment(start, pos, ZERO, ZERO, ZERO, ZERO, motion, pocket)
    if not shape & _FOLLOWS:
        vel, spin = _read_velocities(reader, shape, motion, radius)
    s = Segment(start, pos, vel, ZERO, spin, ZERO, motion, None)
    if shape & _DERIVED:
        acc, spin_acc = derived_rates(s, radius, cloth, bool(shape & _HELD))
        return s._replace(acc=acc, spin_acc=spin_acc)
    if shape & _HELD:
        raise TrajectoryError("a piece with its own rates and a flag for derived ones")
    (ax, ay, az), (bx, by, bz) = reader.floats(3, MAX_RATE), reader.floats(3, MAX_RATE)
    return s._replace(acc=(ax, ay, az), spin_acc=(bx, by, bz))


def _read_pocket(reader: _Reader) -> Pocket | None:
    code = reader.byte()
    if code != _NOTHING and code >= len(POCKETS):
        raise TrajectoryError(f"no pocket has the number {code}")
    return None if code == _NOTHING else POCKETS[code]


def _read_velocities(
    reader: _Reader, shape: int, motion: Motion, radius: float
) -> tuple[Vector, Vector]:
    vel: Vector = ZERO
    if motion is not Motion.SPIN:
        v = reader.floats(2 if shape & _FLAT else 3, MAX_VEL)
        vel = (v[0], v[1], 0.0 if shape & _FLAT else v[2])
    if not shape & _NATURAL:
        wx, wy, wz = reader.floats(3, MAX_SPIN)
        return vel, (wx, wy, wz)
    natural = natural_spin(motion, vel, (0.0, 0.0, reader.floats(1, MAX_SPIN)[0]), radius)
    if natural is None:
        raise TrajectoryError("only a rolling or spinning ball has a natural spin")
    return vel, natural


def _read_contact(reader: _Reader, tick: float, tracks: dict[int, Track]) -> Contact:
    ticks, code, a, place, strength = (int(v) for v in reader.take(_CONTACT))
    try:
        kind = ContactKind(code)
    except ValueError as error:
        raise TrajectoryError(f"no contact has the number {code}") from error
    names: tuple[int | str, ...] = ()
    if kind is ContactKind.BALL:
        names = tuple(range(MAX_BALLS))
    elif kind in _AT_RAILS:
        names = RAILS
    elif kind in _AT_POCKETS:
        names = POCKETS
    if a not in tracks or (place != _NOTHING and place >= len(names)):
        raise TrajectoryError(f"a contact out of bounds at byte {reader.at - _CONTACT.size}")
    if kind is ContactKind.BALL and place not in tracks:
        raise TrajectoryError("a contact with a ball that isn't there")
    return Contact(
        ticks * tick, kind, a, None if place == _NOTHING else names[place], strength / 1000
    )
