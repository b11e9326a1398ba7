"""Bullet asked for several pairs of balls that share balls: one problem, in a world of its own.

Which pairs take part is said by collision masks, a bit a pair (``physics.bullet_worlds``).
"""

from collections.abc import Sequence
from math import sqrt

from panda3d.core import BitMask32, LVector3, NodePath

from physics.bullet_worlds import STEP, Row, ball_body, empty_world, place
from physics.state import BallSpec


def _walk(rows: Sequence[Row], specs: Sequence[BallSpec]) -> dict[int, tuple[float, ...]]:
    """Places of the balls of a cluster about its first ball, from pair to pair."""
    place: dict[int, tuple[float, ...]] = {int(rows[0][1]): (0.0, 0.0, 0.0)}
    while True:
        grown = False
        for row in rows:
            a, b = int(row[1]), int(row[2])
            span = specs[a].radius + specs[b].radius
            for known, new, sense in ((a, b, span), (b, a, -span)):
                if known in place and new not in place:
                    at = place[known]
                    place[new] = tuple(at[x] + sense * row[3 + x] for x in range(3))
                    grown = True
        if not grown:
            return place


def _velocities(rows: Sequence[Row], place: dict[int, tuple[float, ...]]) -> dict[int, list[float]]:
    """Velocities of the balls of a cluster relative to its first ball, from pair to pair."""
    velocity: dict[int, list[float]] = {int(rows[0][1]): [0.0, 0.0, 0.0]}
    while len(velocity) < len(place):
        for row in rows:
            a, b = int(row[1]), int(row[2])
            if a in velocity and b not in velocity:
                velocity[b] = [velocity[a][x] - row[9 + x] for x in range(3)]
            elif b in velocity and a not in velocity:
                velocity[a] = [velocity[b][x] + row[9 + x] for x in range(3)]
    return velocity


def solve_cluster(rows: Sequence[Row], specs: Sequence[BallSpec]) -> list[Row]:
    """Normal impulses of pairs that hang together, solved as one problem without friction.

    The restitution is that of the fastest pair; what is left of slower ones comes up as a later
    round.
    """
    world = empty_world()
    places = _walk(rows, specs)
    velocity = _velocities(rows, places)
    total = sum(specs[i].mass for i in places)
    mean = [sum(specs[i].mass * velocity[i][x] for i in places) / total for x in range(3)]
    bounce = sqrt(max(rows, key=lambda r: r[6])[8])
    masks = {i: BitMask32.all_off() for i in places}
    for bit, row in enumerate(rows):
        for i in (int(row[1]), int(row[2])):
            masks[i].set_bit(bit)
    paths = []
    for i in sorted(places):
        body = ball_body(specs[i], str(i))
        paths.append(NodePath(body))
        body.set_into_collide_mask(masks[i])
        body.set_restitution(bounce)
        body.set_friction(0.0)
        place(body, *places[i])
        body.set_linear_velocity(LVector3(*(velocity[i][x] - mean[x] for x in range(3))))
        world.attach(body)
    world.do_physics(STEP, 0)
    pushes: dict[tuple[int, int], float] = {}
    for manifold in world.get_manifolds():
        a, b = (int(node.get_name()) for node in (manifold.get_node0(), manifold.get_node1()))
        points = manifold.get_manifold_points()
        pushes[min(a, b), max(a, b)] = sum(p.get_applied_impulse() for p in points)
    return [[pushes[int(row[1]), int(row[2])], 0.0, 0.0, 0.0, 0.0, 1.0] for row in rows]
