"""How far the butt of the cue must be raised to clear what lies behind the ball that is struck.

The cue is a cone that widens from the tip to the butt; rails and balls must not reach into it.
Pure geometry: no ball moves.  The hand that bridges takes no room.
"""

from collections.abc import Iterable, Mapping
from math import cos, hypot, radians, sin, sqrt

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
PRECISION_DEG = 1e-4
"""The elevation is found to this, and rounded up to what is clear."""

# What is behind, seen along the cue: (metres behind the ball's centre, height) of the rails, and
# (metres behind, metres aside, height of the centre, radius) of the balls.
_Points = list[tuple[float, float]]
_Balls = list[tuple[float, float, float, float]]


def least_elevation_deg(world: World, states: Iterable[BallState], stroke: Stroke) -> float:
    """The least elevation, in degrees, at which the cue clears rails and other balls.

    Args:
        world: table and balls.
        states: the balls at rest before the stroke, the one that is struck among them.
        stroke: ball, heading and tip are used; its own elevation is not.

    At most MAX_ELEVATION_DEG: where even that is not clear nothing steeper can be played.
    """
    c, s = cos(radians(stroke.heading_deg)), sin(radians(stroke.heading_deg))
    lying = {ball.ball: ball for ball in states}
    struck = lying.pop(stroke.ball)
    x, y, z = struck.pos
    rails = _rails_behind(world, (x, y), (-c, -s))
    balls: _Balls = []
    for ball in lying.values():
        radius = world.spec(ball.ball).radius
        dx, dy = ball.pos[0] - x, ball.pos[1] - y
        behind, aside = -(dx * c + dy * s), dx * s - dy * c
        # Nothing ahead of the ball can be in the way, nor what the butt passes beside.
        if behind > -radius and abs(aside) < 2.0 * radius + BUTT_RADIUS and behind < LENGTH:
            balls.append((behind, aside, ball.pos[2] - z, radius))
    rails = [(behind, height - z) for behind, height in rails]
    radius = world.spec(stroke.ball).radius
    low, high = 0.0, MAX_ELEVATION_DEG
    if _clears(low, stroke.tip, radius, rails, balls):
        return low
    while high - low > PRECISION_DEG:
        middle = 0.5 * (low + high)
        if _clears(middle, stroke.tip, radius, rails, balls):
            high = middle
        else:
            low = middle
    return high


def least_elevation_at(
    table: TableSpec, positions: Mapping[int, tuple[float, float]], ball: int, heading_deg: float,
    tip: tuple[float, float],
) -> float:  # fmt: skip
    """``least_elevation_deg`` of a stroke on ``ball`` in a match, balls by number on the bed.

    Server, client and bots ask this and so agree.  In a lag the other ball is in nobody's way.
    """
    lag = ball in (LAG_A, LAG_B)
    world = World(table, balls={ball: table.cue_ball} if lag else {})
    states = [
        BallState(number, (at[0], at[1], world.spec(number).radius))
        for number, at in positions.items()
        if number == ball or not lag
    ]
    return least_elevation_deg(world, states, Stroke(1.0, heading_deg, 0.0, tip, ball=ball))


def _rails_behind(world: World, at: tuple[float, float], back: tuple[float, float]) -> _Points:
    """Edges of the rails that the cue passes over: nose, where the wood begins, where it ends.

    A rail is the whole line of its nose, in front of a pocket as well.
    """
    table = world.table
    if not table.bounded:
        return []
    found: _Points = []
    for k, half in ((0, 0.5 * table.length), (1, 0.5 * table.width)):
        if back[k] == 0.0:
            continue
        room = half - at[k] * (1.0 if back[k] > 0.0 else -1.0)
        edges = (
            (0.0, table.nose_height),
            (CUSHION_DEPTH, table.rail_top),
            (table.rail_width, table.rail_top),
        )
        for beyond, height in edges:
            behind = (room + beyond) / abs(back[k])
            if 0.0 < behind < LENGTH:
                found.append((behind, height))
    return found


def _clears(
    degrees: float, tip: tuple[float, float], radius: float, rails: _Points, balls: _Balls
) -> bool:
    """Whether a cue at this elevation clears everything (lengths from the struck ball's centre)."""
    level, rise = cos(radians(degrees)), sin(radians(degrees))
    a, b = tip
    depth = sqrt(max(0.0, 1.0 - a * a - b * b))
    # Where the cue's axis begins: behind, aside (to the right) and above the centre.
    start = (radius * (depth * level - b * rise), radius * a, radius * (depth * rise + b * level))
    widens = (BUTT_RADIUS - SHAFT_RADIUS) / LENGTH
    for behind, height in rails:
        along = (behind - start[0]) / level
        if 0.0 < along < LENGTH:
            under = (SHAFT_RADIUS + widens * along) / level
            if start[2] + along * rise - under < height:
                return False
    for behind, aside, up, size in balls:
        d = (behind - start[0], aside - start[1], up - start[2])
        along = min(max(d[0] * level + d[2] * rise, 0.0), LENGTH)
        gap = hypot(d[0] - along * level, d[1], d[2] - along * rise)
        if gap < size + SHAFT_RADIUS + widens * along:
            return False
    return True
