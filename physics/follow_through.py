"""What the cue does after the blow: how fast it still is, and how far it goes on.

``speed_left`` tells what the blow leaves it, ``within_reach`` stops it short of what stands in its
way.  Where it then meets balls is found in the event loop (``physics.tip``).
"""

from collections.abc import Iterable
from dataclasses import replace
from math import sqrt

from physics.layout import CUSHION_DEPTH
from physics.outcome import FollowThrough, World
from physics.state import BallState, Vector

STOP_S = 0.1
"""Seconds in which the arm stops the cue, where no length is asked: 5 cm at 1 m/s left."""
SOONEST_S = 0.02
"""No arm stops a cue in less, s: 6 g at 1.2 m/s left, of a stroke at 2 m/s (no source)."""
LONGEST = 0.25
"""The longest follow-through that comes by itself, m."""
TIP_RADIUS = 0.0106
"""Radius of the tip's dome, m: that of a nickel, as tips are shaped."""
SHAFT_RADIUS = 0.00625
"""Half of a tip of 12.5 mm (REFERENCES 1.3), m."""
SPARE = 0.002
"""A player stops this far short of what stands in the way, m."""


def speed_left(
    cue_speed: float, ball_speed: float, offset2: float, down: float, e_tip: float, e_bed: float
) -> float:
    """Speed of the cue after the blow, m/s; negative: it is thrown back.

    Restitution decides it: the point of the ball that was struck leaves the tip with ``e V``, and
    so ``V' = v (cos² t - e_bed sin² t + 5/2 rho²) - e V`` with ``rho²`` = ``offset2``, and ``down``
    = ``sin t`` of the elevation.  For a level cue this is ``V - v m/M``, momentum.  An elevated one
    has the bed behind the ball, which throws it back, and more than 33 degrees at centre ball
    leave no follow-through at all: that is how a ball with another close to it is played.
    """
    back = 1.0 - down * down - e_bed * down * down + 2.5 * offset2
    return ball_speed * back - e_tip * cue_speed


def length_of(speed: float, asked: float | None) -> float:
    """Follow-through in m of a cue with ``speed`` left: as asked, or what the arm needs."""
    return min(0.5 * speed * STOP_S, LONGEST) if asked is None else asked


def shortest_of(speed: float) -> float:
    """The shortest follow-through in m that an arm can bring about with ``speed`` left."""
    return max(0.0, 0.5 * speed * SOONEST_S)


def within_reach(
    follow: FollowThrough, at: Vector, world: World, others: Iterable[BallState]
) -> FollowThrough | None:
    """``follow`` from a ball at ``at``, stopped short of balls, rails and bed in its way.

    A player sees what lies there and holds the cue back; only what moves into the way of the tip
    later is met by it.  None where there is no way at all.
    """
    start = tuple(a + o for a, o in zip(at, follow.offset, strict=True))
    length = follow.length
    for ball in others:
        span = world.spec(ball.ball).radius + follow.radius + SPARE
        d = [b - s for b, s in zip(ball.pos, start, strict=True)]
        ahead = sum(x * w for x, w in zip(d, follow.way, strict=True))
        aside2 = sum(x * x for x in d) - ahead * ahead
        if ahead > 0.0 and aside2 < span * span:
            length = min(length, ahead - sqrt(span * span - aside2))
    if follow.way[2] < 0.0:
        length = min(length, (start[2] - SHAFT_RADIUS) / -follow.way[2])
    if world.table.bounded and start[2] < world.table.rail_top + SHAFT_RADIUS:
        table = world.table
        for k, half in ((0, 0.5 * table.length), (1, 0.5 * table.width)):
            room = half - abs(start[k])
            # Over a rail or in a pocket's mouth already: the way out is free.
            if follow.way[k] * start[k] > 0.0 and room > -CUSHION_DEPTH:
                length = min(length, (room - follow.radius) / abs(follow.way[k]))
    return replace(follow, length=length) if length > 0.0 else None
