"""Straight pool for a bot: the opening safety, and what the table is worth once balls are racked.

The break of a rack of fifteen is not to scatter it: a thin hit on a ball of the last row sends two
balls and the cue ball to cushions, and the cue ball back to the head (S14.3b).
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from client.bot.goal import Goal
from physics.pots import ghost_for, heading, pots_on
from shared_rules.balls import CUE
from shared_rules.rerack import rerack_of
from shared_rules.state import Call
from shared_rules.table import Position

if TYPE_CHECKING:
    from client.bot.strokes import Planned, Strokes

SAFETY = Call(safety=True)
_THIN_DEG = (48.0, 56.0, 64.0, 71.0)
_SPEEDS = (2.2, 2.8, 3.5)
_ENGLISH = (0.0, 0.3)
_SHAKEN = 6
_HOME_WORTH = 0.2
"""What it is worth, in pots, that the cue ball comes home to the head cushion."""
_IN_HAND_WORTH = 0.4
_OPENING_DEG = (15.0, 62.0)
_OPENS_WORTH = 0.4
"""A break ball is to be cut, so that the cue ball goes on into the rack."""


def opening(strokes: "Strokes", balls: Mapping[int, Position], goal: Goal) -> "Planned":
    """The opening break, called as a safety: legal, and the cue ball far from what it opens."""
    from client.bot.strokes import Planned

    tried: list[tuple[float, Planned]] = []
    cue = balls[CUE]
    reach = strokes.spec.ball.radius + strokes.spec.cue_ball.radius
    for ball, side in _corners(balls):
        straight = heading(cue, balls[ball])
        for thin in _THIN_DEG:
            aim = heading(cue, ghost_for(balls[ball], straight - side * thin, reach))
            for speed in _SPEEDS:
                for english in _ENGLISH:
                    tip = (side * english, 0.0)
                    planned = Planned(speed, aim, tip, 1.0, 0.0, SAFETY)
                    tried.append((_safe(strokes, balls, goal, planned), planned))
    tried.sort(key=lambda found: -found[0])
    best: Planned | None = None
    for value, planned in tried[:_SHAKEN]:
        shaken = strokes.shaken(balls, planned.speed, planned.heading_deg, planned.tip)
        worth = value + sum(_worth(strokes, seen, goal) for seen in shaken)
        worth /= 1 + len(shaken)
        if best is None or worth > best.value:
            best = replace(planned, value=worth)
    assert best is not None  # a rack has corners
    return best


def _corners(balls: Mapping[int, Position]) -> list[tuple[int, float]]:
    """The two balls at the back corners of a rack, and on which side of it (+1: left)."""
    objects = [ball for ball in balls if ball != CUE]
    back = max(balls[ball].x for ball in objects)
    row = [ball for ball in objects if back - balls[ball].x < 0.02]
    return [(max(row, key=lambda b: balls[b].y), 1.0), (min(row, key=lambda b: balls[b].y), -1.0)]


def _safe(strokes: "Strokes", balls: Mapping[int, Position], goal: Goal, p: "Planned") -> float:
    return _worth(
        strokes, strokes.imagination.try_stroke(balls, p.speed, p.heading_deg, p.tip), goal
    )


def _worth(strokes: "Strokes", seen, goal: Goal) -> float:
    home = 0.0
    if CUE in seen.balls:
        left = (seen.balls[CUE].x + strokes.spec.length / 2) / strokes.spec.length
        home = _HOME_WORTH * (1.0 - left)
    return strokes.worth(seen, goal, SAFETY) + home


def worth_of_rack(strokes: "Strokes", balls: Mapping[int, Position], goal: Goal) -> float:
    """What cue ball and break ball are worth beside fourteen balls that are racked (S14.8)."""
    rules, pattern = goal.situation.ruleset, goal.game.rack
    rerack = rerack_of(balls, pattern, goal.frame, rules.rack.gap_mm)
    if rerack.cue_ball == "in_hand_head" or rerack.fifteenth == "racked":
        return _IN_HAND_WORTH if rerack.fifteenth != "racked" else 0.0
    spots = {"head_spot": goal.frame.head_spot, "center_spot": goal.frame.centre_spot}
    slots = pattern.slots(goal.frame)[-len(rerack.balls) :]
    table = dict(zip(rerack.balls, slots, strict=True))
    (last,) = (ball for ball in balls if ball not in rerack.balls and ball != CUE)
    table[last] = spots.get(rerack.fifteenth, balls[last])
    table[CUE] = spots.get(rerack.cue_ball, balls[CUE])
    found = 0.0
    for pot in pots_on(table, last, strokes.spec):
        low, high = _OPENING_DEG
        opens = low <= pot.cut_deg <= high and _towards_rack(pot.ghost, pot.drive_deg, goal)
        found = max(found, strokes.geometric_chance(pot) * (1.0 + _OPENS_WORTH * opens))
    return found


def _towards_rack(ghost: tuple[float, float], drive_deg: float, goal: Goal) -> bool:
    """Whether the cue ball, which leaves about square to the ball, passes the rack's middle."""
    spot = goal.frame.foot_spot
    middle = Position(spot.x + 4 * goal.frame.ball_radius, spot.y)
    way = math.radians(heading(ghost, middle) - drive_deg)
    return abs(math.sin(way)) > 0.6
