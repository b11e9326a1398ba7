"""A stroke of the cue: from its speed, heading and tip offset to the ball's velocity and spin.

Closed forms of Alciatore: TP A.30 for speed and spin, TP A.31 for squirt (REFERENCES 5).  Beyond
the miscue limit the tip slips and friction alone decides what the ball gets.
"""

import math
from dataclasses import dataclass

from physics.follow_through import TIP_RADIUS, length_of, shortest_of, speed_left
from physics.material import Material
from physics.outcome import FollowThrough, TimedImpulse
from physics.state import BallSpec, Vector
from shared_rules.balls import CUE
from shared_rules.events import CueStrike, Event, LongTipContact

#: Fastest cue that is accepted, m/s.  An extreme break is a ball at 16 m/s, a cue at 12 (REF 5).
MAX_CUE_SPEED = 20.0

#: Steepest cue that is accepted, degrees.
MAX_ELEVATION_DEG = 85.0

#: Longest follow-through that is accepted, m.
MAX_FOLLOW_THROUGH = 0.5

_E_BED = Material().e_bed


@dataclass(frozen=True, slots=True)
class CueSpec:
    """A cue: ``mass`` in kg (0.5386 is 19 oz), restitution and friction of the tip.

    ``end_mass_ratio`` is the ball's mass over the effective end mass of the shaft, which decides
    the squirt; 0 switches squirt off.  The default 25 lies between a standard shaft (20) and a
    low-deflection one (29), TP A.31 and B.1.
    """

    mass: float = 0.5386
    e_tip: float = 0.75
    end_mass_ratio: float = 25.0
    mu_tip: float = 0.6

    @property
    def miscue_limit(self) -> float:
        """Largest tip offset, in ball radii, at which the tip holds: sin(atan(mu_tip)).

        0.514 at 0.6; published as about half a radius.
        """
        return self.mu_tip / math.hypot(1.0, self.mu_tip)


@dataclass(frozen=True, slots=True)
class Stroke:
    """What the player does.

    ``speed`` of the cue just before contact, m/s; ``heading_deg`` in the plane, 0 = +x,
    counter-clockwise; ``elevation_deg`` of the butt; ``tip`` = (a, b), offset in ball radii across
    the cue, a > 0 to the right as the player sees it, b > 0 above centre; ``at`` in seconds;
    ``follow_through`` is how far the cue goes on after the blow, m (None: as the arm stops it).
    """

    speed: float
    heading_deg: float
    elevation_deg: float = 0.0
    tip: tuple[float, float] = (0.0, 0.0)
    at: float = 0.0
    ball: int = CUE
    follow_through: float | None = None


@dataclass(frozen=True, slots=True)
class Struck:
    """Velocity (m/s) and spin (rad/s) of the ball as it leaves the tip."""

    vel: Vector
    spin: Vector
    miscue: bool


class StrokeError(ValueError):
    """A stroke that can't be played; ``key`` is the field at fault."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


def check_stroke(stroke: Stroke) -> None:
    """Refuse a stroke that can't be played.

    Raises:
        StrokeError: speed not in (0, MAX_CUE_SPEED], elevation not in 0 .. MAX_ELEVATION_DEG, a
            tip beyond the ball, a negative time, a follow-through not in 0 .. MAX_FOLLOW_THROUGH,
            or a number that is not finite.
    """
    a, b = stroke.tip
    follow = 0.0 if stroke.follow_through is None else stroke.follow_through
    for key, value in (
        ("speed", stroke.speed), ("heading_deg", stroke.heading_deg),
        ("elevation_deg", stroke.elevation_deg), ("tip", a), ("tip", b), ("at", stroke.at),
        ("follow_through", follow),
    ):  # fmt: skip
        if not math.isfinite(value):
            raise StrokeError(key, f"{key} must be finite")
    if not 0.0 < stroke.speed <= MAX_CUE_SPEED:
        raise StrokeError(
            "speed", f"speed is {stroke.speed}; the limits are over 0 and up to {MAX_CUE_SPEED} m/s"
        )
    if math.hypot(a, b) > 1.0:
        raise StrokeError(
            "tip", f"tip is {math.hypot(a, b):.4g} ball radii off centre; the limit is 1"
        )
    if not 0.0 <= stroke.elevation_deg <= MAX_ELEVATION_DEG:
        raise StrokeError(
            "elevation_deg",
            f"elevation_deg is {stroke.elevation_deg}; the limits are 0 and {MAX_ELEVATION_DEG:g}",
        )
    if not 0.0 <= follow <= MAX_FOLLOW_THROUGH:
        raise StrokeError(
            "follow_through",
            f"follow_through is {follow}; the limits are 0 and {MAX_FOLLOW_THROUGH:g} m",
        )
    if stroke.at < 0.0:
        raise StrokeError("at", f"at is {stroke.at}; the limit is 0")


def strike(stroke: Stroke, cue: CueSpec, ball: BallSpec) -> Struck:
    """Velocity and spin that a stroke gives to a ball at rest.

    ``v = (1 + e) V / (1 + m/M + 5/2 (a² + b²))`` along the cue and ``R w = 5/2 v (a up - b right)``
    with up and right square to the cue (TP A.30); then squirt, away from the english, by
    ``tan = 5/2 a sqrt(1 - a²) / (1 + m/m_end + 5/2 (1 - a²))`` (TP A.31).  An elevated cue drives
    the ball into the bed: its velocity has a part downwards, and the bed answers as to any
    falling ball.  Beyond ``cue.miscue_limit`` see ``_miscue``.

    Raises:
        StrokeError: see ``check_stroke``.
    """
    check_stroke(stroke)
    a, b = stroke.tip
    if math.hypot(a, b) > cue.miscue_limit:
        return _miscue(stroke, cue, ball)
    frame = _frame(stroke.heading_deg, stroke.elevation_deg)
    speed = _speed(stroke.speed, a * a + b * b, cue.e_tip, ball.mass / cue.mass)
    squirt = squirt_angle(a, cue.end_mass_ratio)
    # Right english (a > 0) sends the ball to the left of the stroke.
    vel = frame.vector(speed * math.cos(squirt), -speed * math.sin(squirt), 0.0)
    return Struck(vel, frame.spin(speed, a, b, ball.radius), False)


def squirt_angle(a: float, end_mass_ratio: float) -> float:
    """Squirt in rad, positive for right english and then to the left (TP A.31)."""
    if end_mass_ratio <= 0.0:
        return 0.0
    c2 = 1.0 - a * a
    return math.atan2(2.5 * a * math.sqrt(c2), 1.0 + end_mass_ratio + 2.5 * c2)


def impulse_of(stroke: Stroke, cue: CueSpec, ball: BallSpec, e_bed: float = _E_BED) -> TimedImpulse:
    """The stroke as the engine takes it, with its ``cue_strike`` and the follow-through.

    ``e_bed``, the bed's restitution, tells how much of an elevated stroke comes back to the cue.

    Raises:
        StrokeError: see ``check_stroke``.
    """
    struck = strike(stroke, cue, ball)
    event = CueStrike(at=stroke.at, ball=stroke.ball, miscue=struck.miscue)
    events: tuple[Event, ...] = (event,)
    follow = None if struck.miscue else _follow(stroke, cue, ball, e_bed)
    if follow is not None and _stays_on(stroke, cue, ball):
        events = (event, LongTipContact(at=stroke.at, ball=stroke.ball))
    rise = ball.radius * _outward(stroke)[2]
    return TimedImpulse(stroke.ball, stroke.at, struck.vel, struck.spin, events, follow, rise)


def _stays_on(stroke: Stroke, cue: CueSpec, ball: BallSpec) -> bool:
    """Whether the ball's centre doesn't leave the tip behind: it is pushed, not struck.

    So where ``e < 5/2 rho² v / V`` (REFERENCES 5), with a dead tip far off centre; never below the
    miscue limit with a sound one.
    """
    offset2 = stroke.tip[0] ** 2 + stroke.tip[1] ** 2
    speed = _speed(stroke.speed, offset2, cue.e_tip, ball.mass / cue.mass)
    return 2.5 * offset2 * speed > cue.e_tip * stroke.speed


def _outward(stroke: Stroke) -> Vector:
    """Unit vector from the ball's centre to where the tip meets it."""
    a, b = stroke.tip
    depth = math.sqrt(max(0.0, 1.0 - a * a - b * b))
    return _frame(stroke.heading_deg, stroke.elevation_deg).vector(-depth, a, b)


def _cue_left(stroke: Stroke, cue: CueSpec, ball: BallSpec, e_bed: float) -> float:
    """Speed of the cue after the blow, m/s."""
    offset2 = stroke.tip[0] ** 2 + stroke.tip[1] ** 2
    return speed_left(
        stroke.speed,
        _speed(stroke.speed, offset2, cue.e_tip, ball.mass / cue.mass),
        offset2,
        math.sin(math.radians(stroke.elevation_deg)),
        cue.e_tip,
        e_bed,
    )


def least_follow_through(
    stroke: Stroke, cue: CueSpec, ball: BallSpec, e_bed: float = _E_BED
) -> float:
    """The shortest follow-through of a stroke that an arm can bring about, m."""
    return shortest_of(_cue_left(stroke, cue, ball, e_bed))


def _follow(stroke: Stroke, cue: CueSpec, ball: BallSpec, e_bed: float) -> FollowThrough | None:
    """The cue after the blow; None where it is thrown back.  (A tip that miscues slips past.)"""
    speed = _cue_left(stroke, cue, ball, e_bed)
    length = length_of(speed, stroke.follow_through)
    if speed <= 0.0 or length <= 0.0:
        return None
    x, y, z = (n * (ball.radius + TIP_RADIUS) for n in _outward(stroke))
    way = _frame(stroke.heading_deg, stroke.elevation_deg).along
    return FollowThrough((x, y, z), way, speed, length, TIP_RADIUS, cue.mass, cue.e_tip, cue.mu_tip)


@dataclass(frozen=True, slots=True)
class _Frame:
    """The cue's own axes: along the stroke, to the player's right, and up square to both."""

    along: Vector
    right: Vector
    up: Vector

    def vector(self, along: float, right: float, up: float) -> Vector:
        x, y, z = (
            along * d + right * r + up * u
            for d, r, u in zip(self.along, self.right, self.up, strict=True)
        )
        return (x, y, z)

    def spin(self, speed: float, a: float, b: float, radius: float) -> Vector:
        k = 2.5 * speed / radius
        return self.vector(0.0, -k * b, k * a)


def _frame(heading_deg: float, elevation_deg: float) -> _Frame:
    """The axes of a stroke; exact at quarter turns, and exactly mirrored by a half turn."""
    quarter, rest = divmod(heading_deg % 360.0, 90.0)
    c, s = math.cos(math.radians(rest)), math.sin(math.radians(rest))
    for _ in range(int(quarter)):
        c, s = -s, c
    level, down = math.cos(math.radians(elevation_deg)), math.sin(math.radians(elevation_deg))
    return _Frame((c * level, s * level, -down), (s, -c, 0.0), (c * down, s * down, level))


def _speed(cue_speed: float, offset2: float, e_tip: float, mass_ratio: float) -> float:
    return (1.0 + e_tip) * cue_speed / (1.0 + mass_ratio + 2.5 * offset2)


def _miscue(stroke: Stroke, cue: CueSpec, ball: BallSpec) -> Struck:
    """The tip slips off: a dead blow (no restitution) at the edge of the friction cone.

    The impulse leans from the surface's normal towards the stroke by atan(mu_tip), so its lever is
    the miscue limit whatever the offset; the ball squirts far away from the english.  A tip that
    goes under the ball lifts it (a scoop): level and 0.8 R below centre, it leaves at 22 degrees.
    One that slips off over the top presses it into the bed.  A model of our own: no measured
    miscues are published.
    """
    a, b = stroke.tip
    offset = math.hypot(a, b)
    ua, ub = a / offset, b / offset
    lean = math.atan(cue.mu_tip)
    # Against the stroke the normal is turned outwards by asin(offset); friction takes back `lean`.
    off_line = math.asin(min(offset, 1.0)) - lean
    lever = math.sin(lean)
    along = math.cos(off_line)
    inverse = along * along * ball.mass / cue.mass + 1.0 + 2.5 * lever * lever
    speed = stroke.speed * along / inverse
    aside = -speed * math.sin(off_line)
    frame = _frame(stroke.heading_deg, stroke.elevation_deg)
    vel = frame.vector(speed * along, aside * ua, aside * ub)
    return Struck(vel, frame.spin(speed, lever * ua, lever * ub, ball.radius), True)
