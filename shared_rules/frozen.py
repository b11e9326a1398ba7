"""What touches what before a stroke, declared by the server from the gaps (D8.4, F6.7e).

Also which balls lie within one ball diameter of a cushion (N9.5l) and which are so near the cue
ball that a push-through threatens (N9.5g).
"""

from collections.abc import Mapping
from math import cos, hypot, radians, sin

from shared_rules.balls import CUE
from shared_rules.cushions import nearest_on_rail
from shared_rules.events import RAILS, Rail
from shared_rules.state import FrozenBalls
from shared_rules.table import Position, TableFrame

MILLIMETRE = 1e-3
# Positions travel through several hands; a gap this much over the limit is still the limit.
_ROUNDING = 1e-9


def rails_within(ball: int, position: Position, gap_m: float, frame: TableFrame) -> frozenset[Rail]:
    """Rails to which the ball has at most this gap, at the nose of a cushion or at a jaw (D8.1)."""
    reach = frame.cushion_reach(ball) + gap_m + _ROUNDING
    x, y = position
    if abs(x) < frame.length / 2 - reach and abs(y) < frame.width / 2 - reach:
        return frozenset()
    near = {rail: nearest_on_rail(position, rail, frame) for rail in RAILS}
    return frozenset(rail for rail, p in near.items() if hypot(p.x - x, p.y - y) <= reach)


def frozen_balls(balls: Mapping[int, Position], frame: TableFrame, frozen_mm: float) -> FrozenBalls:
    """What touches what, with gaps of at most ``frozen_mm`` taken as touching."""
    gap = frozen_mm * MILLIMETRE
    to_rail = tuple(
        (ball, rail)
        for ball in sorted(balls)
        for rail in sorted(rails_within(ball, balls[ball], gap, frame))
    )
    return FrozenBalls(to_rail=to_rail, to_cue=tuple(near_cue(balls, gap, frame)))


def near_cue(balls: Mapping[int, Position], gap_m: float, frame: TableFrame) -> list[int]:
    """Object balls whose gap to the cue ball is at most ``gap_m``, in order."""
    if CUE not in balls:
        return []
    x, y = balls[CUE]
    reach = frame.cue_ball_radius + frame.ball_radius + gap_m + _ROUNDING
    return [
        ball
        for ball, (bx, by) in sorted(balls.items())
        if ball != CUE and hypot(bx - x, by - y) <= reach
    ]


def threatened(
    balls: Mapping[int, Position], heading_deg: float, graze_deg: float, frame: TableFrame
) -> frozenset[int]:
    """Object balls to which the half-distance test of N9.5g applies for a stroke.

    Touching, or nearer than a quarter of a ball, and played full enough: cut angle under
    ``graze_deg`` (ambiguity 8).
    """
    found = set()
    along = (cos(radians(heading_deg)), sin(radians(heading_deg)))
    reach = frame.cue_ball_radius + frame.ball_radius
    fullest = sin(radians(graze_deg)) * reach
    for ball in near_cue(balls, frame.ball_radius / 2, frame):
        dx, dy = balls[ball][0] - balls[CUE][0], balls[ball][1] - balls[CUE][1]
        ahead, aside = dx * along[0] + dy * along[1], abs(dx * along[1] - dy * along[0])
        # The sine of the cut angle is the offset across the stroke over the distance of centres.
        if ahead > 0.0 and aside < fullest:
            found.add(ball)
    return frozenset(found)
