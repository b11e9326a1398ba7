"""How far the butt of the cue must be raised to clear what lies behind the ball that is struck.

The cue is a cone that widens from the tip to the butt; rails and balls must not reach into it.
Pure geometry: no ball moves.  The hand that bridges takes no room.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from math import cos, hypot, radians, sin, sqrt
from typing import Literal, NamedTuple

from physics.follow_through import SHAFT_RADIUS
from physics.layout import CUSHION_DEPTH
from physics.outcome import World
from physics.state import BallState
from physics.strike import MAX_ELEVATION_DEG, Stroke
from physics.table import TableSpec
from shared_rules.balls import LAG_A, LAG_B

LENGTH = 1.47
"""Length of the cue, m: 58 in (REFERENCES 1.3)."""
BUTT_RADIUS = 0.0146
"""Half the width of the butt, m."""
WIDENS = (BUTT_RADIUS - SHAFT_RADIUS) / LENGTH
PRECISION_DEG = 1e-4
"""The elevation is found to this, and rounded up to what is clear."""

Obstacle = int | Literal["rail"] | None
"""What the cue would lie on: a ball, a rail, or nothing."""


class Clearance(NamedTuple):
    """The least elevation, in degrees, and what a flatter cue would lie on."""

    least_deg: float
    obstacle: Obstacle


# What is behind.  A rail, seen along it: how much of the way back leads to it, how much of the way
# to the right, and the edges of its top (metres from the ball's centre, height above it).  A ball,
# seen along the cue: metres behind, metres aside, height of its centre, radius, its number.
_Rails = list[tuple[float, float, list[tuple[float, float]]]]
_Balls = list[tuple[float, float, float, float, int]]


def least_elevation_deg(world: World, states: Iterable[BallState], stroke: Stroke) -> float:
    """The least elevation, in degrees, at which the cue clears rails and other balls.

    Args:
        world: table and balls.
        states: the balls at rest before the stroke, the one that is struck among them.
        stroke: ball, heading and tip are used; its own elevation is not.

    At most MAX_ELEVATION_DEG: where even that is not clear nothing steeper can be played.
    """
    return clearance(world, states, stroke).least_deg


def clearance(world: World, states: Iterable[BallState], stroke: Stroke) -> Clearance:
    """``least_elevation_deg``, and what stands in the way of a flatter cue."""
    c, s = cos(radians(stroke.heading_deg)), sin(radians(stroke.heading_deg))
    lying = {ball.ball: ball for ball in states}
    struck = lying.pop(stroke.ball)
    x, y, z = struck.pos
    rails = _rails_behind(world, struck.pos, (-c, -s))
    balls: _Balls = []
    for ball in lying.values():
        radius = world.spec(ball.ball).radius
        dx, dy = ball.pos[0] - x, ball.pos[1] - y
        behind, aside = -(dx * c + dy * s), dx * s - dy * c
        # Nothing ahead of the ball can be in the way, nor what the butt passes beside.
        if behind > -radius and abs(aside) < 2.0 * radius + BUTT_RADIUS and behind < LENGTH:
            balls.append((behind, aside, ball.pos[2] - z, radius, ball.ball))
    radius = world.spec(stroke.ball).radius
    low, high = 0.0, MAX_ELEVATION_DEG
    obstacle = _obstacle(low, stroke.tip, radius, rails, balls)
    if obstacle is None:
        return Clearance(low, None)
    while high - low > PRECISION_DEG:
        middle = 0.5 * (low + high)
        met = _obstacle(middle, stroke.tip, radius, rails, balls)
        if met is None:
            high = middle
        else:
            low, obstacle = middle, met
    return Clearance(high, obstacle)


def least_elevation_at(
    table: TableSpec, positions: Mapping[int, tuple[float, float]], ball: int, heading_deg: float,
    tip: tuple[float, float],
) -> float:  # fmt: skip
    """``least_elevation_deg`` of a stroke on ``ball`` in a match, balls by number on the bed.

    Server, client and bots ask this and so agree.  In a lag the other ball is in nobody's way.
    """
    return clearance_at(table, positions, ball, heading_deg, tip).least_deg


def clearance_at(
    table: TableSpec, positions: Mapping[int, tuple[float, float]], ball: int, heading_deg: float,
    tip: tuple[float, float],
) -> Clearance:  # fmt: skip
    """``least_elevation_at``, and what stands in the way of a flatter cue."""
    lag = ball in (LAG_A, LAG_B)
    world = World(table, balls={ball: table.cue_ball} if lag else {})
    states = [
        BallState(number, (at[0], at[1], world.spec(number).radius))
        for number, at in positions.items()
        if number == ball or not lag
    ]
    return clearance(world, states, Stroke(1.0, heading_deg, 0.0, tip, ball=ball))


def _rails_behind(
    world: World, at: tuple[float, float, float], back: tuple[float, float]
) -> _Rails:
    """The rails that the cue comes to: their noses, where the wood begins, where it ends.

    A rail is the whole line of its nose, in front of a pocket as well.
    """
    table = world.table
    if not table.bounded:
        return []
    found: _Rails = []
    for k, half in ((0, 0.5 * table.length), (1, 0.5 * table.width)):
        for side in (1.0, -1.0):
            room, share = half - side * at[k], side * back[k]
            # The player's right is a quarter turn from the cue's back.  A cue that leads away from
            # a rail faster than it widens does not come to it.
            aside = side * (-back[1] if k == 0 else back[0])
            if room < LENGTH and share > -WIDENS:
                edges = (
                    (0.0, table.nose_height),
                    (CUSHION_DEPTH, table.rail_top),
                    (table.rail_width, table.rail_top),
                )
                found.append((share, aside, [(room + past, up - at[2]) for past, up in edges]))
    return found


def _clears_rail(edges: list[tuple[float, float]], out: float, rise: float) -> bool:
    """Whether the cue clears the edges of a rail's top, and its butt what lies between them."""
    if not all(_clears_edge(near, up, out, rise) for near, up in edges):
        return False
    x, z = LENGTH * out, LENGTH * rise
    for (x0, z0), (x1, z1) in pairwise(edges):
        dx, dz = x1 - x0, z1 - z0
        over = (x - x0) * dx + (z - z0) * dz
        if 0.0 < over < dx * dx + dz * dz and (z - z0) * dx - (x - x0) * dz < (
            BUTT_RADIUS * hypot(dx, dz)
        ):
            return False
    return True


def _clears_edge(near: float, up: float, out: float, rise: float) -> bool:
    """Whether the cue passes over a straight edge, or stops short of it.

    Seen along the edge, which lies ``near`` metres off the beginning of the cue's axis and ``up``
    above it; each metre of the axis leads ``out`` metres towards the edge and ``rise`` up.
    """
    if out * LENGTH > near and rise * near < up * out:
        return False  # the axis itself passes under it
    way2 = out * out + rise * rise
    along = LENGTH
    if way2 > WIDENS * WIDENS:
        # Square to the axis, and a little further back, because the cue widens.
        apart = abs(near * rise - up * out)
        along = (near * out + up * rise + apart * WIDENS / sqrt(way2 - WIDENS * WIDENS)) / way2
        along = min(max(along, 0.0), LENGTH)
    return hypot(near - along * out, up - along * rise) >= SHAFT_RADIUS + WIDENS * along


def _obstacle(
    degrees: float, tip: tuple[float, float], radius: float, rails: _Rails, balls: _Balls
) -> Obstacle:
    """What a cue at this elevation would lie on (lengths are from the struck ball's centre)."""
    level, rise = cos(radians(degrees)), sin(radians(degrees))
    a, b = tip
    depth = sqrt(max(0.0, 1.0 - a * a - b * b))
    # Where the cue's axis begins: behind, aside (to the right) and above the centre.
    start = (radius * (depth * level - b * rise), radius * a, radius * (depth * rise + b * level))
    for share, right, edges in rails:
        off = start[0] * share + start[1] * right
        if not _clears_rail([(n - off, up - start[2]) for n, up in edges], level * share, rise):
            return "rail"
    for behind, aside, up, size, number in balls:
        d = (behind - start[0], aside - start[1], up - start[2])
        along = min(max(d[0] * level + d[2] * rise, 0.0), LENGTH)
        gap = hypot(d[0] - along * level, d[1], d[2] - along * rise)
        if gap < size + SHAFT_RADIUS + WIDENS * along:
            return number
    return None
