"""How a stroke is seen: the backswing, the way to the ball, and where the bed ends it."""

import math
from dataclasses import replace

from client.scene.cue import StrokeMotion
from physics.follow_through import SHAFT_RADIUS
from shared_rules.state import Stroke

DRAWN_M = 0.05


def motion_of(stroke: Stroke) -> StrokeMotion:
    """How a stroke is seen: the harder, the longer the backswing."""
    pull = DRAWN_M + 0.022 * stroke.speed
    return replace(StrokeMotion(stroke.speed), pull_m=pull, back_s=0.22, hold_s=0.0)


def way_to_the_bed(stroke: Stroke, height: float) -> float:
    """How far the cue can go on from the ball until it meets the bed, m; ``height``: a radius."""
    fall = math.sin(math.radians(stroke.elevation_deg))
    if fall < 1e-3:
        return math.inf
    a, b = stroke.tip
    depth = math.sqrt(max(0.0, 1.0 - a * a - b * b))
    level = math.sqrt(1.0 - fall * fall)
    return max(height * (1.0 + depth * fall + b * level) - SHAFT_RADIUS, 0.0) / fall
