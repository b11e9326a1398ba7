"""Bullet at the contacts: bodies placed touching near the origin, one long step, manifolds read.

Traps that this module heeds (DESIGN.md): shapes are 1 um larger than the balls, so that a
touching pair is found; there is no gravity and the step is long, so that position correction
(0.2 depth / dt) vanishes, and positions are thrown away; manifolds are cleared after every
contact, so that nothing is carried into the next; restitution and friction are products, so one
body carries the pair's value and the other 1; no callback is set.  Which pairs of a cluster take
part is said by collision masks, a bit a pair, on bodies freshly put into a fresh world: masks are
read when two bodies first overlap.  Velocities are given relative to the common centre of mass.

Panda3D asks for a path to a body's node whenever it moves, and makes one where nobody holds any:
that took half the time of a contact, so each world holds paths to its bodies.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import tan
from typing import Any

from panda3d.bullet import (
    BulletConvexHullShape,
    BulletPlaneShape,
    BulletRigidBodyNode,
    BulletSphereShape,
    BulletWorld,
)
from panda3d.core import (
    BitMask32,
    LPoint3,
    LVector3,
    NodePath,
    TransformState,
    load_prc_file_data,
)

from physics.geometry import Cushion, build_geometry
from physics.layout import CUSHION_DEPTH
from physics.state import BallSpec
from physics.table import TableSpec

load_prc_file_data("", "bullet-solver-iterations 50")
load_prc_file_data("", "bullet-filter-algorithm mask")

Row = list[float]

SKIN = 1e-6  # m, by which shapes are larger than balls
STEP = 10.0  # s
# The hulls are thin ledges whose underside draws back steeply, so that a ball that has sunk deep
# into a pocket still meets the edge, as it does in closed form.
PLATE = 0.008  # m, their thickness
LEAN = 1.3  # rad, of the underside from the vertical


def empty_world() -> Any:
    """A world without gravity."""
    world = BulletWorld()
    world.set_gravity(LVector3(0, 0, 0))
    return world


def ball_body(spec: BallSpec, name: str) -> Any:
    """A ball that nothing slows."""
    body = BulletRigidBodyNode(name)
    body.add_shape(BulletSphereShape(spec.radius + SKIN))
    body.set_mass(spec.mass)
    inertia = 0.4 * spec.mass * spec.radius**2
    body.set_inertia(LVector3(inertia, inertia, inertia))
    body.set_deactivation_enabled(False)
    body.set_linear_damping(0.0)
    body.set_angular_damping(0.0)
    return body


def forget_places() -> None:
    """Let go of the places that bodies have been at.  Panda3D keeps every transform that was ever
    set until a frame has been drawn, and a server draws none: a break leaves 75 KB behind."""
    TransformState.garbage_collect()


_NO_SPIN = LVector3(0, 0, 0)


def _at(x: float, y: float, z: float) -> Any:
    return TransformState.make_pos(LPoint3(x, y, z))


def place(body: Any, x: float, y: float, z: float) -> None:
    """Put a body there (m)."""
    body.set_transform(_at(x, y, z))


def _only_point(world: Any) -> Any:
    """The first point of the first manifold (getting either by its number leaves 32 bytes behind
    that nobody frees, in Panda3D 1.10)."""
    return world.get_manifolds()[0].get_manifold_points()[0]


class PairWorld:
    """Two balls of given kinds, for contacts of a lone pair."""

    def __init__(self, a: BallSpec, b: BallSpec) -> None:
        self._world = empty_world()
        self._a, self._b = ball_body(a, "a"), ball_body(b, "b")
        self._paths = (NodePath(self._a), NodePath(self._b))
        self._world.attach(self._a)
        self._world.attach(self._b)
        self._b.set_friction(1.0)
        self._b.set_restitution(1.0)
        self._radii = (a.radius, b.radius)
        self._shares = (b.mass / (a.mass + b.mass), a.mass / (a.mass + b.mass))

    def solve(self, row: Row) -> Row:
        """Impulse of one contact (columns in ``layout``)."""
        (_, _, _, nx, ny, nz, _, mu, e, vx, vy, vz, ax, ay, az, bx, by, bz, *_) = row
        a, b = self._a, self._b
        ra, rb = self._radii
        ma, mb = self._shares
        place(a, -ra * nx, -ra * ny, -ra * nz)
        place(b, rb * nx, rb * ny, rb * nz)
        a.set_linear_velocity(LVector3(ma * vx, ma * vy, ma * vz))
        b.set_linear_velocity(LVector3(-mb * vx, -mb * vy, -mb * vz))
        a.set_angular_velocity(LVector3(ax, ay, az))
        b.set_angular_velocity(LVector3(bx, by, bz))
        a.set_restitution(e)
        a.set_friction(mu)
        self._world.do_physics(STEP, 0)
        point = _only_point(self._world)
        x, y, z = point.get_lateral_friction_dir1()
        found = point.get_normal_world_on_b()
        push = point.get_applied_impulse_lateral1()
        if found[0] * nx + found[1] * ny + found[2] * nz > 0.0:
            push = -push
        normal = point.get_applied_impulse()
        self._world.get_manifolds()[0].clear_manifold()
        return [normal, push, x, y, z, 0.0]


class CushionWorld:
    """A ball at one or two cushions of a table, with the bed under it unless it is off it.

    What is built for one cushion serves for all that have its shape (``shapes``).
    """

    def __init__(
        self, table: TableSpec, ball: BallSpec, numbers: tuple[int, ...], on_bed: bool
    ) -> None:
        self._world = empty_world()
        self._ball = ball_body(ball, "ball")
        self._ball.set_restitution(1.0)
        self._ball.set_friction(0.0)
        self._paths = [NodePath(self._ball)]
        self._radius = ball.radius
        bed = BulletRigidBodyNode("bed")
        bed.add_shape(BulletPlaneShape(LVector3(0, 0, 1), 0.0))
        bed.set_restitution(0.0)
        bed.set_into_collide_mask(BitMask32.bit(0))
        self._world.attach(self._ball)
        if on_bed:
            self._world.attach(bed)
        self._lies = _at(0.0, 0.0, ball.radius)
        self._frames = frames(table)
        first = self._frames[numbers[0]]
        self._bodies = []
        for k, number in enumerate(numbers):
            body = BulletRigidBodyNode(str(k))
            body.set_into_collide_mask(BitMask32.bit(k + 1))  # the ball's alone, not the bed's
            body.add_shape(_hull(build_geometry(table).cushions[number], table.nose_height, first))
            self._world.attach(body)
            self._bodies.append(body)
            self._paths.append(NodePath(body))

    def solve(self, rows: Sequence[Row], numbers: tuple[int, ...]) -> list[float]:
        """Normal impulses of one ball's cushion contacts, one a cushion."""
        first, frame, ball = rows[0], self._frames[numbers[0]], self._ball
        px, py = frame.place(first[19], first[20])
        vx, vy = frame.direction(first[9], first[10])
        z = first[21]
        ball.set_transform(self._lies if z == self._radius else _at(0.0, 0.0, z))
        ball.set_linear_velocity(LVector3(vx, vy, first[11]))
        ball.set_angular_velocity(_NO_SPIN)
        there = _at(-px, -py, 0.0)
        for row, body in zip(rows, self._bodies, strict=True):
            body.set_transform(there)
            body.set_restitution(row[8])
        return _normal_impulses(self._world, len(rows))


class JawWorld:
    """A ball on the bed at jaws of a pocket: a sphere meets no more of them than tangent planes."""

    def __init__(self, ball: BallSpec) -> None:
        self._world = empty_world()
        self._ball = ball_body(ball, "ball")
        self._ball.set_restitution(1.0)
        self._ball.set_friction(0.0)
        self._path = NodePath(self._ball)
        self._radius = ball.radius
        self._world.attach(self._ball)
        bed = BulletRigidBodyNode("bed")
        bed.add_shape(BulletPlaneShape(LVector3(0, 0, 1), -ball.radius))
        bed.set_restitution(0.0)
        self._world.attach(bed)

    def solve(self, rows: Sequence[Row]) -> list[float]:
        """Normal impulses of the ball's contacts, one a row."""
        planes = []
        for k, row in enumerate(rows):
            plane = BulletRigidBodyNode(str(k))
            plane.add_shape(BulletPlaneShape(LVector3(*row[3:6]), -self._radius))
            plane.set_restitution(row[8])
            self._world.attach(plane)
            planes.append(plane)
        place(self._ball, 0.0, 0.0, 0.0)
        self._ball.set_linear_velocity(LVector3(*rows[0][9:12]))
        self._ball.set_angular_velocity(_NO_SPIN)
        answers = _normal_impulses(self._world, len(rows))
        for plane in planes:
            self._world.remove(plane)
        return answers


class SurfaceWorld:
    """A ball against a plane: bed, top of a rail, liner, what it meets in flight in a pocket."""

    def __init__(self, ball: BallSpec) -> None:
        self._world = empty_world()
        self._ball = ball_body(ball, "ball")
        self._ball.set_restitution(1.0)
        self._ball.set_friction(1.0)
        self._path = NodePath(self._ball)
        self._radius = ball.radius
        self._world.attach(self._ball)

    def solve(self, row: Row) -> Row:
        """Impulse of one contact."""
        nx, ny, nz = row[3:6]
        plane = BulletRigidBodyNode("plane")
        plane.add_shape(BulletPlaneShape(LVector3(nx, ny, nz), -self._radius))
        plane.set_restitution(row[8])
        plane.set_friction(row[7])
        self._world.attach(plane)
        place(self._ball, 0.0, 0.0, 0.0)
        self._ball.set_linear_velocity(LVector3(*row[9:12]))
        self._ball.set_angular_velocity(LVector3(*row[12:15]))
        self._world.do_physics(STEP, 0)
        point = _only_point(self._world)
        x, y, z = point.get_lateral_friction_dir1()
        found = point.get_normal_world_on_b()
        push = point.get_applied_impulse_lateral1()
        if found[0] * nx + found[1] * ny + found[2] * nz < 0.0:
            push = -push
        answer = [point.get_applied_impulse(), push, x, y, z, 0.0]
        self._world.remove(plane)
        return answer


def _normal_impulses(world: Any, count: int) -> list[float]:
    """Step, and read the impulses on a "ball" of ``count`` bodies that bear their numbers."""
    world.do_physics(STEP, 0)
    pushes = [0.0] * count
    for manifold in world.get_manifolds():
        name = manifold.get_node0().get_name()
        if name == "ball":
            name = manifold.get_node1().get_name()
        if name != "bed":
            for point in manifold.get_manifold_points():
                pushes[int(name)] += point.get_applied_impulse()
        manifold.clear_manifold()
    return pushes


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame of a cushion: x along it, y off it, origin in the middle of its nose.

    Cushions that a half turn of the table takes into each other answer alike in theirs.
    """

    normal: tuple[float, float]
    origin: tuple[float, float]

    def direction(self, x: float, y: float) -> tuple[float, float]:
        """A direction of the table in this frame."""
        nx, ny = self.normal
        return x * ny - y * nx, x * nx + y * ny

    def place(self, x: float, y: float) -> tuple[float, float]:
        """A place on the table in this frame."""
        return self.direction(x - self.origin[0], y - self.origin[1])


def _frame(cushion: Cushion) -> Frame:
    (ax, ay), (bx, by) = cushion.outline[cushion.nose : cushion.nose + 2]
    return Frame(cushion.normal, (0.5 * (ax + bx), 0.5 * (ay + by)))


@lru_cache(maxsize=64)
def frames(table: TableSpec) -> tuple[Frame, ...]:
    """The frames of a table's cushions, by number."""
    return tuple(_frame(cushion) for cushion in build_geometry(table).cushions)


@lru_cache(maxsize=64)
def shapes(table: TableSpec) -> tuple[int, ...]:
    """For each cushion of a table the first that has the same shape, each in its frame."""
    found: dict[tuple[tuple[float, ...], ...], int] = {}
    cushions = build_geometry(table).cushions
    return tuple(
        found.setdefault(_corners(cushion, table.nose_height, frame), number)
        for number, (cushion, frame) in enumerate(zip(cushions, frames(table), strict=True))
    )


def _corners(cushion: Cushion, nose_height: float, frame: Frame) -> tuple[tuple[float, ...], ...]:
    """Corners of the convex hull that stands for a cushion, in a frame.

    In one order whatever the cushion, and without differences in the last digits.
    """
    back = (-cushion.normal[0], -cushion.normal[1])
    points = list(cushion.outline)
    if len(points) == 2:
        points += [(x + CUSHION_DEPTH * back[0], y + CUSHION_DEPTH * back[1]) for x, y in points]
    recess = PLATE * tan(LEAN)
    middle = sum(x * back[1] - y * back[0] for x, y in points) / len(points)
    corners = []
    for x, y in points:
        # Below, the outline draws back under the nose and in from both ends.
        inset = recess if x * back[1] - y * back[0] < middle else -recess
        if len(cushion.outline) == 2:
            inset = 0.0
        low_x = x + recess * back[0] + inset * back[1]
        low_y = y + recess * back[1] - inset * back[0]
        corners.append((*frame.place(x, y), nose_height))
        corners.append((*frame.place(low_x, low_y), nose_height - PLATE))
    # No -0.0 either, which would be another's 0.0.
    return tuple(sorted((round(x, 9) + 0.0, round(y, 9) + 0.0, z) for x, y, z in corners))


def _hull(cushion: Cushion, nose_height: float, frame: Frame) -> Any:
    """A cushion as a convex hull in a frame."""
    shape = BulletConvexHullShape()
    for corner in _corners(cushion, nose_height, frame):
        shape.add_point(LPoint3(*corner))
    shape.set_margin(0.0)
    return shape
