"""Pieces made by hand from the closed forms, and a short shot of them (REFERENCES 2)."""

import math
from dataclasses import dataclass

from physics.state import Motion
from physics.track import Segment
from physics.trajectory import Cloth, Contact, ContactKind, Trajectory
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
