"""A reader of trajectories, by docs/trajectory.md, with the standard library only.

    python trajectory_reader.py SHOT.bin 1.25      # where every ball is after 1.25 s

``read(blob)`` gives the shot; ``shot.at(ball, t)`` any ball's position, velocity and spin at any
time, in any order of times; ``shot.turned(ball, t)`` how it has turned.
"""

import math
import struct
import sys
from bisect import bisect_right

MOTIONS = ("rest", "spin", "roll", "slide", "air", "pocketed", "off_table")
STILL = ("rest", "pocketed", "off_table")
FLAT, NATURAL, DERIVED, HELD, FOLLOWS = 8, 16, 32, 64, 128
KINDS = (
    "strike", "ball", "rail", "jaw", "pocket", "bed", "tip", "rail_top", "floor", "liner",
)  # fmt: skip


class Piece:
    """Constant acceleration ``acc`` and rate of spin ``twist`` from ``start`` on."""

    def __init__(self, start, motion, pos, vel, spin, acc, twist):
        self.start, self.motion = start, motion
        self.pos, self.vel, self.spin, self.acc, self.twist = pos, vel, spin, acc, twist

    def at(self, t):
        """Position, velocity and spin at ``t``."""
        h = max(t - self.start, 0.0)
        pos = [
            p + v * h + a * h * h / 2 for p, v, a in zip(self.pos, self.vel, self.acc, strict=True)
        ]
        vel = [v + a * h for v, a in zip(self.vel, self.acc, strict=True)]
        spin = [w + b * h for w, b in zip(self.spin, self.twist, strict=True)]
        return pos, vel, spin


class Shot:
    """``balls``: ball to its pieces; ``contacts``: (at, kind, ball, place, m/s)."""

    def __init__(self, duration, cut_short, balls, starts_turned, contacts):
        self.duration, self.cut_short = duration, cut_short
        self.balls, self.starts_turned, self.contacts = balls, starts_turned, contacts

    def at(self, ball, t):
        """Position, velocity and spin of a ball at ``t`` seconds."""
        t = min(t, self.duration)
        pieces = self.balls[ball]
        i = bisect_right([p.start for p in pieces], t) - 1
        return pieces[max(i, 0)].at(t)

    def turned(self, ball, t):
        """Unit quaternion (w, x, y, z) of a ball at ``t`` against the start of the shot."""
        t = min(t, self.duration)
        q = self.starts_turned[ball]
        pieces = self.balls[ball]
        for piece, after in zip(pieces, [*pieces[1:], None], strict=True):
            end = t if after is None else min(t, after.start)
            length = end - piece.start
            if length <= 0.0:
                continue
            fastest = max(math.hypot(*piece.spin), math.hypot(*piece.at(end)[2]))
            steps = max(1, math.ceil(fastest * length / 0.2))
            for k in range(steps):
                h = length / steps
                spin = piece.at(piece.start + (k + 0.5) * h)[2]
                q = _times(_rotation([w * h for w in spin]), q)
        return q


def _rotation(r):
    angle = math.hypot(*r)
    s = math.sin(angle / 2) / angle if angle > 0.0 else 0.0
    return (math.cos(angle / 2), r[0] * s, r[1] * s, r[2] * s)


def _times(a, b):
    w, x, y, z = a
    p, q, r, s = b
    return (
        w * p - x * q - y * r - z * s, w * q + x * p + y * s - z * r,
        w * r - x * s + y * p + z * q, w * s + x * r - y * q + z * p,
    )  # fmt: skip


def read(blob):
    """The shot in these bytes; ValueError if they are none of version 1 or 2."""
    at = 0

    def take(layout):
        nonlocal at
        values = struct.unpack_from("<" + layout, blob, at)
        at += struct.calcsize("<" + layout)
        return values

    if blob[:4] != b"HSTR" or blob[4] not in (1, 2):
        raise ValueError("no trajectory of version 1 or 2")
    _, _, k, n_balls, flags, n_contacts, duration, *cloth = take("4sBBBBHddddd")
    tick = 1e-7 * 2**k
    balls, turned = {}, {}
    for _ in range(n_balls):
        ball, has_turned, count, radius = take("BBHd")
        turned[ball] = take("4f") if has_turned else (1.0, 0.0, 0.0, 0.0)
        pieces = balls[ball] = []
        for _ in range(count):
            pieces.append(_piece(take, pieces, radius, cloth, tick))
    contacts = []
    for _ in range(n_contacts):
        ticks, kind, ball, place, strength = take("IBBBH")
        if kind >= len(KINDS):
            raise ValueError(f"no contact has the number {kind}")
        contacts.append((ticks * tick, KINDS[kind], ball, place, strength / 1000))
    if at != len(blob):
        raise ValueError("bytes left over")
    return Shot(duration, bool(flags & 1), balls, turned, contacts)


def _piece(take, before, radius, cloth, tick):
    shape, ticks = take("BI")
    start, motion = ticks * tick, MOTIONS[shape & 7]
    flat, still = shape & FLAT, motion in STILL
    pos, vel, spin = [0.0] * 3, [0.0] * 3, [0.0] * 3
    if shape & FOLLOWS:
        pos, vel, spin = before[-1].at(start)
        pos = [round(p / 1e-6) * 1e-6 for p in pos]
        vel, spin = (list(struct.unpack("<3f", struct.pack("<3f", *v))) for v in (vel, spin))
        if still or motion == "spin":
            vel = [0.0] * 3
        if still:
            spin = [0.0] * 3
    else:
        place = take("2i" if flat else "3i")
        pos[: len(place)] = [p * 1e-6 for p in place]
    if flat:
        pos[2], vel[2] = radius, 0.0
    if motion == "pocketed":
        take("B")
    if still:
        return Piece(start, motion, pos, vel, spin, [0.0] * 3, [0.0] * 3)
    if not shape & FOLLOWS:
        if motion != "spin":
            v = take("2f" if flat else "3f")
            vel[: len(v)] = v
        if shape & NATURAL:
            spin[2] = take("f")[0]
        else:
            spin = list(take("3f"))
    if shape & NATURAL:
        spin[:2] = (-vel[1] / radius, vel[0] / radius) if motion == "roll" else (0.0, 0.0)
    if shape & DERIVED:
        rates = _rates(motion, vel, spin, radius, cloth, shape & HELD)
    else:
        rates = (take("3f"), take("3f"))
    return Piece(start, motion, pos, vel, spin, *rates)


def _rates(motion, vel, spin, radius, cloth, held):
    g, mu_slide, mu_roll, spin_decel = cloth
    twist = 0.0 if held or spin[2] == 0.0 else -math.copysign(spin_decel, spin[2])
    if motion == "air":
        return [0.0, 0.0, -g], [0.0] * 3
    if motion == "spin":
        return [0.0] * 3, [0.0, 0.0, twist]
    if motion == "roll":
        ux, uy, rate, lever = vel[0], vel[1], mu_roll * g, -1.0
    else:
        ux, uy = vel[0] - radius * spin[1], vel[1] + radius * spin[0]
        rate, lever = mu_slide * g, 2.5
    size = math.hypot(ux, uy)
    ax, ay = (-rate * ux / size, -rate * uy / size) if size > 0.0 else (0.0, 0.0)
    return [ax, ay, 0.0], [lever * ay / radius, -lever * ax / radius, twist]


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        shot = read(file.read())
    for number in shot.balls:
        print(number, *(round(x, 6) for x in shot.at(number, float(sys.argv[2]))[0]))
