"""The drills: layouts and what has to be done at them, as data.  Metres on a 9-ft table.

Well-known exercises: stop shots from growing distances, straight pots, lagging for speed, cuts
round the foot spot, target fields for draw and follow, balls on the rail, three balls in order.
"""

import math

from client.practice.goals import Disc, EndsIn, Lags, Pots, Stops
from client.practice.layout import TableLayout, frame_of
from client.practice.run import Course, Stage
from physics.pots import mouths
from shared_rules.balls import CUE
from shared_rules.events import Pocket
from shared_rules.table import Position

TABLE = "9ft"
FRAME = frame_of(TABLE)
R = FRAME.ball_radius
CORNER: Pocket = "foot_left"
_MOUTH = next(m for m in mouths(TableLayout(TABLE).spec) if m.name == CORNER)
STOP_M = 2 * R
"""A stop shot ends within a ball of where it met the other."""


def diagonal(from_corner: float) -> Position:
    """A place on the line from the left foot corner through the middle, so far from its mouth."""
    size = math.hypot(*_MOUTH.at)
    share = 1.0 - from_corner / size
    return Position(_MOUTH.at[0] * share, _MOUTH.at[1] * share)


def straight(ball_way: float, cue_way: float) -> TableLayout:
    """Ball 1 so far from the corner, and the cue ball so far behind it in line."""
    return TableLayout(TABLE, {1: diagonal(ball_way), CUE: diagonal(ball_way + cue_way)})


def cut(angle_deg: float, cue_way: float = 0.7) -> TableLayout:
    """Ball 1 on the foot spot, to be cut into the corner so far off the straight line."""
    spot = FRAME.foot_spot
    drive = math.atan2(_MOUTH.at[1] - spot.y, _MOUTH.at[0] - spot.x)
    ghost = (spot.x - 2 * R * math.cos(drive), spot.y - 2 * R * math.sin(drive))
    way = drive - math.radians(angle_deg)
    cue = Position(ghost[0] - cue_way * math.cos(way), ghost[1] - cue_way * math.sin(way))
    return TableLayout(TABLE, {1: spot, CUE: cue})


def on_rail(x: float) -> TableLayout:
    """Ball 1 frozen to the left long rail at ``x``, the cue ball a little behind and away."""
    ball = Position(x, FRAME.width / 2 - FRAME.cushion_reach(1))
    return TableLayout(TABLE, {1: ball, CUE: Position(x - 0.42, ball.y - 0.22)})


def target(ball_way: float, cue_way: float, past: float, radius: float) -> Stage:
    """A straight pot after which the cue ball goes ``past`` (negative: back) the contact."""
    field = diagonal(ball_way + 2 * R - past)
    parts = (Pots(1, CORNER), EndsIn(Disc(field.x, field.y, radius)))
    return Stage(straight(ball_way, cue_way), parts)


def _layout(*places: tuple[float, float]) -> TableLayout:
    return TableLayout(TABLE, {ball: Position(*at) for ball, at in enumerate(places)})


DRILLS: tuple[Course, ...] = (
    Course(
        "stop",
        tuple(
            Stage(straight(0.55, way), (Pots(1, CORNER), Stops(STOP_M)))
            for way in (0.30, 0.50, 0.70, 0.95, 1.20)
        ),
    ),
    Course(
        "straight",
        tuple(
            Stage(straight(*ways), (Pots(1, CORNER),))
            for ways in ((0.4, 0.4), (0.6, 0.6), (0.8, 0.8), (1.0, 1.0), (1.2, 1.2))
        ),
    ),
    Course(
        "lag",
        (Stage(_layout((-0.75, 0.30)), (Lags(((0.05, 3), (0.15, 2), (0.30, 1))),), speed=1.0),) * 5,
    ),
    Course(
        "cuts",
        tuple(Stage(cut(angle), (Pots(1, CORNER),)) for angle in (0.0, 15.0, 30.0, 45.0, 60.0)),
    ),
    Course(
        "targets",
        (
            target(0.55, 0.50, -0.25, 0.14),
            target(0.55, 0.50, -0.50, 0.18),
            target(0.90, 0.50, 0.20, 0.12),
            target(0.90, 0.50, 0.45, 0.18),
            target(0.70, 0.70, -0.60, 0.25),
        ),
    ),
    Course(
        "rail",
        tuple(Stage(on_rail(x), (Pots(1, CORNER),)) for x in (0.95, 0.80, 0.65, 0.50, 0.35)),
    ),
    Course(
        "ghost",
        tuple(
            Stage(layout, (Pots(),), shots=3)
            for layout in (
                _layout((-0.20, 0.10), (0.75, 0.35), (0.30, -0.40), (0.95, -0.20)),
                _layout((0.10, -0.20), (0.80, -0.40), (0.80, 0.25), (0.00, 0.40)),
                _layout((-0.60, 0.00), (-0.90, 0.40), (0.10, 0.42), (0.90, 0.00)),
                _layout((0.30, 0.05), (0.00, -0.42), (-0.85, -0.30), (-0.60, 0.35)),
                _layout((0.00, 0.00), (0.60, 0.30), (0.95, -0.35), (-0.40, -0.30)),
            )
        ),
    ),
)
BY_NAME = {drill.name: drill for drill in DRILLS}
