"""What is round a pocket has no way through it, on any table, stretched at random or not."""

import math
import os
import random
from dataclasses import replace

import numpy as np

from physics.geometry import build_geometry
from physics.layout import (
    CORNER_X,
    CUSHION_DEPTH,
    EDGE_LEN,
    EDGE_NX,
    EDGE_ROUND,
    EDGE_TX,
    EDGE_X,
    FACE,
    HOLE_AX,
    HOLE_LINER,
    HOLE_RADIUS,
    HOLE_X,
    TOP_A,
    TOP_KIND,
    TOP_N,
    TOP_POCKET,
    TOP_WOOD,
)
from physics.material import MarlowFriction, Material
from physics.outcome import World
from physics.rail_mesh import RIM
from physics.simulation import simulate
from physics.state import BallSpec, BallState, Motion
from physics.table import TABLES
from shared_rules.events import Jaw
from tests.physics.fuzz.poser import odd_sizes
from tests.physics.shots import kinetic
from tests.physics.solidity import intrusions

PRESETS = [name for name, spec in TABLES.items() if spec.bounded]
STRETCHED = 600 if os.environ.get("HEADSTRING_SOAK") == "1" else 40
THROWS = 10  # on each table


def tables():
    """Every preset, and as many again stretched, some with a cue ball of another size."""
    yield from (TABLES[name] for name in PRESETS)
    for number in range(STRETCHED):
        draw = random.Random(f"stretched {number}")
        spec = TABLES[draw.choice(PRESETS)]
        radius = spec.ball.radius * draw.choice([1.0, draw.uniform(0.86, 1.1)])
        spec = replace(spec, cue_ball=BallSpec(radius, spec.ball.mass))
        yield replace(spec, **odd_sizes(draw, spec))


def in_a_pocket(draw, spec):
    """A ball thrown anyhow that is over a hole, between the slate's side and the liner; or None."""
    geometry, r = build_geometry(spec), spec.cue_ball.radius
    hole = draw.choice(geometry.holes.tolist())
    room = min(hole[HOLE_RADIUS] - EDGE_ROUND, hole[HOLE_LINER]) - r - 1e-3
    turn, far = draw.uniform(0.0, 2.0 * math.pi), room * math.sqrt(draw.random())
    x, y = hole[HOLE_X] + far * math.cos(turn), hole[HOLE_X + 1] + far * math.sin(turn)
    e, c = geometry.edges, geometry.corners
    dx, dy = x - e[:, EDGE_X], y - e[:, EDGE_X + 1]
    foot = dx * e[:, EDGE_TX] + dy * e[:, EDGE_TX + 1]
    gap = np.abs(dx * e[:, EDGE_NX] + dy * e[:, EDGE_NX + 1])
    beside = (gap < 1.3 * r) & (foot >= 0.0) & (foot <= e[:, EDGE_LEN])
    points = np.hypot(x - c[:, CORNER_X], y - c[:, CORNER_X + 1])
    if beside.any() or points.min() < 1.3 * r:
        return None
    speed, heading = draw.choice([0.5, 2.0, 5.0, 10.0, 20.0]), draw.uniform(0.0, 2.0 * math.pi)
    rise = speed * draw.choice([0.0, 0.2, 1.0]) * draw.uniform(-1.0, 1.0)
    vel = (speed * math.cos(heading), speed * math.sin(heading), rise)
    spin = tuple(draw.choice([0.0, 100.0, 500.0]) * draw.uniform(-1.0, 1.0) for _ in range(3))
    return BallState(0, (x, y, draw.uniform(-0.04, 0.06)), vel, spin, Motion.AIR)


def test_a_ball_thrown_about_in_a_pocket_goes_through_nothing_and_comes_to_an_end():
    draw, thrown = random.Random(77), 0
    for spec in tables():
        for _ in range(THROWS):
            ball = in_a_pocket(draw, spec)
            if ball is None:
                continue
            thrown += 1
            world = World(spec)
            outcome = simulate(world, [ball], until=60.0)
            assert not intrusions(world, outcome), (spec, ball)
            assert not outcome.cut and outcome.final[0].motion >= Motion.REST, (spec, ball)
            # Inside the rails there is no floor to fall to.
            x, y, _ = outcome.final[0].pos
            inside = abs(x) < 0.5 * spec.length + 0.1 and abs(y) < 0.5 * spec.width + 0.1
            assert not (inside and outcome.final[0].motion is Motion.OFF_TABLE), (spec, ball)
    assert thrown > 3 * STRETCHED


def test_a_ball_that_circles_along_a_liner_for_long_makes_larger_hops():
    """At 19 m/s its hops lasted 2 us each, and there were 1400 of them."""
    ball = BallState(9, (-1.319, -0.672, 0.0244), (7.893, -16.978, -3.327), (387.0, -501.0, -381.0))
    world = World(material=Material(e_cushion=1.0, mu_ball=MarlowFriction.constant(0.06)))
    outcome = simulate(world, [ball])
    assert outcome.final[9].motion is Motion.POCKETED
    assert not intrusions(world, outcome)
    jaws = [r for r in outcome.events if isinstance(r.event, Jaw)]
    assert 300 < len(jaws) < 700
    energies = [kinetic(world, jaw.after.values()) for jaw in jaws]
    assert np.diff(energies).max() < 0.01 * energies[0]


def test_a_slate_cut_reaches_back_to_its_facings():
    """One that ended before them left slate behind it, with a way down on either side."""
    for spec in tables():
        geometry = build_geometry(spec)
        for number, hole in enumerate(geometry.holes):
            ends = [
                c.outline[0 if side == 0 else -1]
                for c in geometry.cushions
                for side in (0, 1)
                if c.pockets[side] == number
            ]
            middle = 0.5 * (np.array(ends[0]) + ends[1])
            assert len(ends) == 2
            assert math.dist(middle, hole[HOLE_X : HOLE_X + 2]) < hole[HOLE_RADIUS]


def covers(corners, x, y):
    """Which triangles, seen from above, have a point inside them."""
    ahead = np.roll(corners, -1, axis=1)
    sides = (ahead[..., 0] - corners[..., 0]) * (y - corners[..., 1])
    sides -= (ahead[..., 1] - corners[..., 1]) * (x - corners[..., 0])
    return (sides > 0.0).all(axis=1) | (sides < 0.0).all(axis=1)


def test_the_wood_round_a_pocket_lies_once_everywhere_and_nowhere_over_the_hole():
    draw = random.Random(5)
    for spec in tables():
        geometry = build_geometry(spec)
        level = (geometry.tops[:, TOP_KIND] == FACE) & (geometry.tops[:, TOP_N + 2] > 0.5)
        wood = geometry.tops[level & (geometry.tops[:, TOP_WOOD] == 1.0)]
        faces = wood[:, TOP_A : TOP_A + 9].reshape(-1, 3, 3)
        for number, hole in enumerate(geometry.holes):
            own = wood[:, TOP_POCKET] == number
            for _ in range(80):
                # Over the hole, and behind it, where the rim goes round.
                share = draw.choice([draw.uniform(0.9, 0.999), draw.uniform(1.015, 1.15)])
                widest = math.pi if share < 1.0 else 0.5
                turn = math.atan2(hole[6], hole[5]) + draw.uniform(-widest, widest)
                far = share * hole[HOLE_LINER] / RIM
                x, y = hole[HOLE_X] + far * math.cos(turn), hole[HOLE_X + 1] + far * math.sin(turn)
                assert covers(faces[own], x, y).sum() <= 1
                # Facings of a side pocket that all but meet end before the wood begins: between
                # their cushions is a slot, for no ball, with wood in a part of it.
                deep = max(abs(x) - 0.5 * spec.length, abs(y) - 0.5 * spec.width)
                if share > 1.0 and abs(hole[HOLE_AX]) < 1e-9 and deep < CUSHION_DEPTH:
                    assert covers(faces, x, y).sum() <= 1
                    continue
                there = share > 1.0 and deep <= geometry.rail_width
                assert covers(faces, x, y).sum() == there, (spec, number, turn, share)
