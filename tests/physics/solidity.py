"""Whether anything passes through anything: bed, cushions, rails and floor against all pieces.

``intrusions`` looks at every piece of an outcome at its start, its end and between; it knows a
table by its outlines and heights.  ``energies`` is the whole energy as time goes on.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from physics.geometry import build_geometry
from physics.layout import (
    CUSHION_DEPTH,
    EDGE_LEN,
    EDGE_TX,
    EDGE_TY,
    EDGE_X,
    EDGE_Y,
    FACE,
    HOLE_RADIUS,
    HOLE_X,
    HOLE_Y,
    TOP_A,
    TOP_KIND,
    TOP_N,
)
from physics.outcome import Outcome, Piece, World
from physics.rail_tops import nearest_top
from physics.state import Motion

DEEP = 1e-4  # m: an overlap of more than this is a fault
INSIDE = 9  # places looked at within a piece


@dataclass(frozen=True)
class Intrusion:
    """A ball ``depth`` metres inside something at a time (s) and place (m)."""

    what: str
    ball: int
    at: float
    pos: tuple[float, ...]
    depth: float


def ends(outcome: Outcome, ball: int) -> list[tuple[Piece, float]]:
    """Pieces of a ball, each with how long it lasts."""
    pieces = outcome.pieces[ball]
    starts = [p.start for p in pieces[1:]] + [max(outcome.duration, pieces[-1].start)]
    return [(p, end - p.start) for p, end in zip(pieces, starts, strict=True)]


def moments(piece: Piece, lasts: float) -> list[float]:
    """Seconds after a piece's start at which to look: both ends, between, and its lowest place."""
    times = [lasts * k / (INSIDE + 1) for k in range(INSIDE + 2)]
    for x in range(3):
        if piece.acc[x] != 0.0 and 0.0 < -piece.vel[x] / piece.acc[x] < lasts:
            times.append(-piece.vel[x] / piece.acc[x])
    return times


def place(piece: Piece, s: float) -> np.ndarray:
    """Centre of a ball ``s`` seconds into a piece."""
    return np.array([piece.pos[x] + (piece.vel[x] + 0.5 * piece.acc[x] * s) * s for x in range(3)])


class Table:
    """What is solid on a table, told by distance."""

    def __init__(self, world: World) -> None:
        self.spec = world.table
        geometry = build_geometry(self.spec)
        self.edges, self.holes = geometry.edges, geometry.holes
        self.tops = geometry.tops
        level = (self.tops[:, TOP_KIND] == FACE) & (self.tops[:, TOP_N + 2] > 0.5)
        self.plan = self.tops[level, TOP_A : TOP_A + 9].reshape(-1, 3, 3)

    def over_hole(self, at: np.ndarray, wider: float = 0.0) -> bool:
        """Whether a place is over a pocket's hole."""
        return any(
            math.hypot(at[0] - h[HOLE_X], at[1] - h[HOLE_Y]) < h[HOLE_RADIUS] + wider
            for h in self.holes
        )

    def under_bed(self, at: np.ndarray, radius: float) -> float:
        """How deep a ball is in the bed (m)."""
        if self.spec.bounded:
            x, y = 0.5 * self.spec.length, 0.5 * self.spec.width
            deep = CUSHION_DEPTH
            if abs(at[0]) > x + deep or abs(at[1]) > y + deep or self.over_hole(at, 1e-9):
                return 0.0
        return radius - float(at[2])

    def in_cushion(self, at: np.ndarray, radius: float) -> float:
        """How deep a ball is in a nose or a facing, at nose height (m)."""
        if not len(self.edges):
            return 0.0
        e = self.edges
        px, py = at[0] - e[:, EDGE_X], at[1] - e[:, EDGE_Y]
        along = np.clip(px * e[:, EDGE_TX] + py * e[:, EDGE_TY], 0.0, e[:, EDGE_LEN])
        dx, dy = px - along * e[:, EDGE_TX], py - along * e[:, EDGE_TY]
        gap = np.sqrt(dx * dx + dy * dy + (at[2] - self.spec.nose_height) ** 2)
        return radius - float(gap.min())

    def in_rail(self, at: np.ndarray, radius: float) -> float:
        """How deep a ball is in a face of a rail, or its centre under the top of one (m)."""
        near = np.empty(4)
        touched = nearest_top(self.tops, at, radius, near)
        depth = radius - float(near[3]) if touched >= 0 else 0.0
        return max(depth, self._under_top(at, radius))

    def _under_top(self, at: np.ndarray, radius: float) -> float:
        """How far below a rail's top a centre is that lies between that and the bed's level."""
        if not 0.0 < at[2] < 2.0 * radius:
            return 0.0
        turned = self.plan[:, (1, 2, 0)]
        sides = (turned[..., 0] - self.plan[..., 0]) * (at[1] - self.plan[..., 1])
        sides -= (turned[..., 1] - self.plan[..., 1]) * (at[0] - self.plan[..., 0])
        over = (sides.min(axis=1) > 0.0) | (sides.max(axis=1) < 0.0)
        if not over.any():
            return 0.0
        side, corners = sides[over], self.plan[over]
        tops = (side[:, (1, 2, 0)] * corners[..., 2]).sum(axis=1) / side.sum(axis=1)
        return max(0.0, float((tops - at[2]).max()) + radius) if (tops > at[2]).any() else 0.0

    def near_rail(self, at: np.ndarray, radius: float) -> bool:
        """Whether a ball is so far out that it could touch a rail."""
        x, y = 0.5 * self.spec.length - radius, 0.5 * self.spec.width - radius
        return self.spec.bounded and (abs(at[0]) >= x or abs(at[1]) >= y)


def intrusions(world: World, outcome: Outcome, deep: float = DEEP) -> list[Intrusion]:
    """Everything that overlaps by more than ``deep`` (m); falling balls against rails only."""
    table = Table(world)
    found = []
    for ball in outcome.pieces:
        radius = world.spec(ball).radius
        for piece, lasts in ends(outcome, ball):
            if piece.motion >= Motion.POCKETED:
                continue
            for s in moments(piece, lasts):
                at = place(piece, s)
                depths = {"bed": table.under_bed(at, radius)}
                if table.near_rail(at, radius):
                    depths["cushion"] = table.in_cushion(at, radius)
                    if at[2] > radius + 1e-9:
                        depths["rail"] = table.in_rail(at, radius)
                for what, depth in depths.items():
                    if depth > deep:
                        found.append(
                            Intrusion(what, ball, piece.start + s, tuple(at.tolist()), depth)
                        )
    return found


def deepest_pair(world: World, outcome: Outcome) -> float:
    """Greatest overlap of two balls in play at any start, end or inside of their pieces (m)."""
    worst = 0.0
    balls = sorted(outcome.pieces)
    spans = {b: ends(outcome, b) for b in balls}
    for i, a in enumerate(balls):
        for b in balls[:i]:
            reach = world.spec(a).radius + world.spec(b).radius
            for p, p_lasts in spans[a]:
                for q, q_lasts in spans[b]:
                    start = max(p.start, q.start)
                    end = min(p.start + p_lasts, q.start + q_lasts)
                    if max(p.motion, q.motion) >= Motion.POCKETED or end < start:
                        continue
                    for k in range(INSIDE + 2):
                        t = start + (end - start) * k / (INSIDE + 1)
                        gap = place(p, t - p.start) - place(q, t - q.start)
                        worst = max(worst, reach - float(np.sqrt(gap @ gap)))
    return worst


def energies(world: World, outcome: Outcome) -> list[tuple[float, float]]:
    """Time and whole energy (J), height included, at the start of every piece.

    A ball that is gone keeps the energy of where it went.
    """
    times = sorted({p.start for pieces in outcome.pieces.values() for p in pieces})
    spans = {ball: ends(outcome, ball) for ball in outcome.pieces}
    g = world.material.g
    told = []
    for t in times:
        total = 0.0
        for ball, pieces in spans.items():
            spec = world.spec(ball)
            piece = [p for p, _ in pieces if p.start <= t][-1]
            # On a rail or an edge only starts are exact: between, a piece is a parabola.
            rolls = piece.motion in (Motion.ROLL, Motion.SLIDE) and piece.pos[2] != spec.radius
            rides = piece.motion is Motion.AIR and piece.acc != (0.0, 0.0, -g)
            exact = piece.motion < Motion.POCKETED and not rolls and not rides
            s = t - piece.start if exact else 0.0
            v2 = sum((piece.vel[x] + piece.acc[x] * s) ** 2 for x in range(3))
            w2 = sum((piece.spin[x] + piece.spin_acc[x] * s) ** 2 for x in range(3))
            total += 0.5 * spec.mass * (v2 + 0.4 * spec.radius**2 * w2)
            total += spec.mass * g * float(place(piece, s)[2])
        told.append((t, total))
    return told


def most_gained(world: World, outcome: Outcome) -> float:
    """Greatest rise of the whole energy from one start of a piece to the next (J)."""
    told = [e for _, e in energies(world, outcome)]
    return max((b - a for a, b in pairwise(told)), default=0.0)
