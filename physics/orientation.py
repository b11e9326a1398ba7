"""How a ball is turned: unit quaternions, and the rotation of a ball whose spin changes linearly.

Quaternions are ``(w, x, y, z)`` and turn the ball's own frame into the table frame.  Spin is the
angular velocity in the table frame, rad/s, so a turn by ``r`` (rotation vector) after ``q`` is
``from_rotation(r) * q``.
"""

import math

Quaternion = tuple[float, float, float, float]
Vector = tuple[float, float, float]

IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)

# Largest turn of one step while the axis turns; at 0.35 rad the fourth-order step below is good to
# 1e-6 rad, so a minute of play stays far under what an eye sees on a stripe.
STEP_ANGLE = 0.35


def multiply(p: Quaternion, q: Quaternion) -> Quaternion:
    """Hamilton product ``p * q``: first ``q`` turns, then ``p``."""
    pw, px, py, pz = p
    qw, qx, qy, qz = q
    return (
        pw * qw - px * qx - py * qy - pz * qz,
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy - px * qz + py * qw + pz * qx,
        pw * qz + px * qy - py * qx + pz * qw,
    )


def normalised(q: Quaternion) -> Quaternion:
    """``q`` scaled to length 1."""
    w, x, y, z = q
    n = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return (w * n, x * n, y * n, z * n)


def from_rotation(rotation: Vector) -> Quaternion:
    """Quaternion of a rotation vector (axis times angle, rad)."""
    x, y, z = rotation
    angle = math.sqrt(x * x + y * y + z * z)
    if angle < 1e-12:
        return normalised((1.0, 0.5 * x, 0.5 * y, 0.5 * z))
    s = math.sin(0.5 * angle) / angle
    return (math.cos(0.5 * angle), x * s, y * s, z * s)


def axis_is_constant(spin: Vector, rate: Vector) -> bool:
    """Whether a spin that changes by ``rate`` keeps its axis, so that one turn is exact."""
    c = cross(spin, rate)
    size = math.hypot(*spin) * math.hypot(*rate)
    return math.hypot(*c) <= 1e-9 * size


def cross(a: Vector, b: Vector) -> Vector:
    """Vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def turn(spin: Vector, rate: Vector, h: float) -> Quaternion:
    """Rotation during ``h`` seconds of a spin that starts at ``spin`` and changes by ``rate``.

    Fourth-order Magnus expansion (Blanes et al. 2009): the mean spin, corrected by the commutator
    of spin and rate.  Exact where the axis is constant.
    """
    k = -h * h * h / 12.0
    half = 0.5 * h
    c = cross(spin, rate)
    return from_rotation(
        (
            (spin[0] + rate[0] * half) * h + k * c[0],
            (spin[1] + rate[1] * half) * h + k * c[1],
            (spin[2] + rate[2] * half) * h + k * c[2],
        )
    )


def step_length(spin: Vector, rate: Vector, length: float) -> float:
    """Step in seconds for a piece of ``length`` seconds: all of it where the axis is constant."""
    if length <= 0.0 or axis_is_constant(spin, rate):
        return max(length, 1e-9)
    end = (spin[0] + rate[0] * length, spin[1] + rate[1] * length, spin[2] + rate[2] * length)
    fastest = max(math.hypot(*spin), math.hypot(*end))
    return min(length, STEP_ANGLE / max(fastest, 1e-9))
