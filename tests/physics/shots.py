"""Shots posed straight to the engine, and what can be read off their pieces."""

import math
from itertools import pairwise

from physics.outcome import Outcome, World
from physics.simulation import simulate
from physics.state import BallState, Motion

R = 0.028575
NOSE = 0.03629025
REACH = math.sqrt(R * R - (NOSE - R) ** 2)


def on_bed(ball, x, y, vx=0.0, vy=0.0, spin=(0.0, 0.0, 0.0)):
    """A ball lying on the cloth."""
    return BallState(ball, (x, y, R), (vx, vy, 0.0), spin)


def rolling(ball, x, y, vx, vy=0.0, side=0.0):
    """A ball in natural roll."""
    return on_bed(ball, x, y, vx, vy, (-vy / R, vx / R, side))


def shoot(*states, world=None, **keys):
    """Simulate in the given world, by default the 9-ft table."""
    return simulate(world or World(), states, **keys)


def of(outcome: Outcome, kind, ball=None):
    """Records of one kind of event, of one ball if given."""
    return [
        record
        for record in outcome.events
        if isinstance(record.event, kind) and (ball is None or record.event.ball == ball)
    ]


def kinetic(world, states):
    """Kinetic energy of ball states (J)."""
    total = 0.0
    for state in states:
        spec = world.spec(state.ball)
        v2, w2 = (sum(c * c for c in vector) for vector in (state.vel, state.spin))
        total += 0.5 * spec.mass * (v2 + 0.4 * spec.radius**2 * w2)
    return total


def piece_at(pieces, at):
    """The piece that runs at a time."""
    running = pieces[0]
    for piece in pieces:
        if piece.start <= at:
            running = piece
    return running


def position(pieces, at):
    """Centre of a ball at a time."""
    piece = piece_at(pieces, at)
    s = at - piece.start
    return tuple(piece.pos[k] + (piece.vel[k] + 0.5 * piece.acc[k] * s) * s for k in range(3))


def deepest_overlap(outcome, radius=R, samples=200, until=2.0, level=False):
    """Greatest overlap of two balls in play over sampled times (m, positive when they overlap).

    ``level``: only of balls at one height; what lies on another is let in a little.
    """
    worst = 0.0
    for k in range(samples):
        at = min(until, outcome.duration) * k / samples
        there = [
            position(pieces, at)
            for pieces in outcome.pieces.values()
            if piece_at(pieces, at).motion < Motion.POCKETED
        ]
        for i, a in enumerate(there):
            for b in there[:i]:
                if not level or abs(a[2] - b[2]) < 1e-9:
                    worst = max(worst, 2 * radius - math.dist(a, b))
    return worst


def largest_jump(outcome):
    """Greatest gap between the end of a piece and the start of the next (m)."""
    worst = 0.0
    for pieces in outcome.pieces.values():
        for a, b in pairwise(pieces):
            worst = max(worst, math.dist(position([a], b.start), b.pos))
    return worst
