"""Three laws of the cushion beside each other: which of them meets the published figures best.

Each takes the velocity and the spin of a ball on the bed that touches a straight nose and gives
those after it.  The nose lies along x, the ball comes with ``vel[1]`` > 0.  The coefficient of
restitution may be a number or fall with the normal speed.

``bullet``: plain Bullet, nose and bed as one problem with its own friction, which acts along one
direction, that of the slip at the start.  ``built_up``: Bullet's normal impulse without friction,
(1 + e) m v / cos(theta), and friction at nose and bed while it builds up.  ``energetic``: the same
build-up, which ends when the nose has given back e^2 of the work that it took (Stronge), as in
Mathavan, Jackson and Parkin 2010.
"""

from math import sqrt

from panda3d.bullet import (
    BulletConvexHullShape,
    BulletPlaneShape,
    BulletRigidBodyNode,
    BulletSphereShape,
    BulletWorld,
)
from panda3d.core import LPoint3, LVector3, TransformState

R, M, G, NOSE = 0.028575, 0.170097, 9.81, 0.03629025
SIN = (NOSE - R) / R
COS = sqrt(1.0 - SIN * SIN)
MU_SLIDE, MU_ROLL = 0.20, 0.010
STEPS = 300


def _cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _rub(vel, spin, lever, most):
    """Friction of at most ``most`` at ``lever`` (unit vector from the centre); changes both."""
    turn = _cross(spin, lever)
    u = [vel[k] + R * turn[k] for k in range(3)]
    along = sum(u[k] * lever[k] for k in range(3))
    u = [u[k] - along * lever[k] for k in range(3)]
    slip = sqrt(sum(x * x for x in u))
    if slip <= 0.0:
        return
    size = min(most, M * slip / 3.5)
    push = [-size * x / slip for x in u]
    twist = _cross(lever, push)
    for k in range(3):
        vel[k] += push[k] / M
        spin[k] += twist[k] / (0.4 * M * R)


def _load(vel, spin, impulse, mu, mu_bed):
    """One step of the build-up."""
    lever, down = (0.0, COS, SIN), (0.0, 0.0, -1.0)
    for k in range(3):
        vel[k] -= impulse * lever[k] / M
    _rub(vel, spin, lever, mu * impulse)
    if vel[2] < 0.0:
        bed = -M * vel[2]
        vel[2] = 0.0
        _rub(vel, spin, down, mu_bed * bed)


def built_up(vel, spin, e, mu, mu_bed=MU_SLIDE):
    """Bullet's normal impulse, friction while it builds up."""
    vel, spin = list(vel), list(spin)
    whole = (1.0 + e) * M * vel[1] / COS
    for _ in range(STEPS):
        _load(vel, spin, whole / STEPS, mu, mu_bed)
    return vel, spin


def energetic(vel, spin, e, mu, mu_bed=MU_SLIDE):
    """The impulse ends when the nose has given back ``e``^2 of the work that it took."""
    vel, spin = list(vel), list(spin)
    step = 2.0 * M * vel[1] / COS / STEPS
    taken = given = 0.0
    for _ in range(20 * STEPS):
        before, old = vel[1] * COS + vel[2] * SIN, (list(vel), list(spin))
        _load(vel, spin, step, mu, mu_bed)
        work = 0.5 * step * (before + vel[1] * COS + vel[2] * SIN)
        if work >= 0.0:
            taken += work
            continue
        if given - work >= e * e * taken:
            vel, spin = old
            _load(vel, spin, step * (e * e * taken - given) / -work, mu, mu_bed)
            break
        given -= work
    return vel, spin


def bullet(vel, spin, e, mu, mu_bed=MU_SLIDE):
    """Plain Bullet with its own friction at nose and bed."""
    world = BulletWorld()
    world.set_gravity(LVector3(0, 0, 0))
    ball = BulletRigidBodyNode("ball")
    ball.add_shape(BulletSphereShape(R + 1e-6))
    ball.set_mass(M)
    ball.set_inertia(LVector3(0.4 * M * R * R))
    ball.set_linear_damping(0.0)
    ball.set_angular_damping(0.0)
    ball.set_restitution(1.0)
    ball.set_friction(1.0)
    ball.set_transform(TransformState.make_pos(LPoint3(0, -R * COS, R)))
    bed = BulletRigidBodyNode("bed")
    bed.add_shape(BulletPlaneShape(LVector3(0, 0, 1), 0.0))
    bed.set_restitution(0.0)
    bed.set_friction(mu_bed)
    nose = BulletRigidBodyNode("nose")
    hull = BulletConvexHullShape()
    for x in (-0.5, 0.5):
        for y, z in ((0.0, NOSE), (0.03, NOSE - 0.008), (0.05, NOSE), (0.05, NOSE - 0.008)):
            hull.add_point(LPoint3(x, y, z))
    hull.set_margin(0.0)
    nose.add_shape(hull)
    nose.set_restitution(e)
    nose.set_friction(mu)
    for body in (ball, bed, nose):
        world.attach(body)
    ball.set_linear_velocity(LVector3(*vel))
    ball.set_angular_velocity(LVector3(*spin))
    world.do_physics(10.0, 0)
    for manifold in world.get_manifolds():
        manifold.clear_manifold()
    return list(ball.get_linear_velocity()), list(ball.get_angular_velocity())


LAWS = {"bullet": bullet, "built_up": built_up, "energetic": energetic}


def roll_onset(vel, spin):
    """Horizontal velocity once the ball rolls: 5/7 v + 2/7 R (w x z)."""
    return (
        (5.0 * vel[0] + 2.0 * R * spin[1]) / 7.0,
        (5.0 * vel[1] - 2.0 * R * spin[0]) / 7.0,
    )


def travel(law, e_of, mu, v):
    """Lengths of a 9-ft table that a ball runs which rolls off one end rail at ``v`` m/s.

    ``e_of`` gives the restitution at a normal speed (m/s).
    """
    span, way, rim = 2.54 - 2.0 * R * COS, 0.0, v  # rim: R times the spin
    while True:
        left = span
        slip = v - rim
        if abs(slip) > 1e-9:
            a = -MU_SLIDE * G if slip > 0.0 else MU_SLIDE * G
            time = 2.0 * abs(slip) / (7.0 * MU_SLIDE * G)
            gone = v * time + 0.5 * a * time * time
            if gone >= left:
                time = 2.0 * left / (v + sqrt(max(v * v + 2.0 * a * left, 0.0)))
                gone = left
            v += a * time
            rim -= 2.5 * a * time
            way, left = way + gone, left - gone
        if left > 0.0:
            ends = v * v / (2.0 * MU_ROLL * G)
            if ends <= left:
                return (way + ends) / 2.54
            v = rim = sqrt(v * v - 2.0 * MU_ROLL * G * left)
            way += left
        vel, spin = law((0.0, v, 0.0), (-rim / R, 0.0, 0.0), e_of(v * COS), mu)
        v, rim = -vel[1], spin[0] * R
        if v <= 0.0:
            return way / 2.54
