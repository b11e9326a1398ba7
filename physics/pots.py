"""Which pots are on, and how hard: ghost ball, cut angle, what stands in the way.

Pure geometry, SI; nothing is simulated.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from physics.table import TableSpec
from shared_rules.balls import CUE

Point = tuple[float, float]

HARDEST_CUT_DEG = 72.0
CLEARANCE_M = 0.001


@dataclass(frozen=True)
class Mouth:
    """A pocket as one aims at it: the point between its jaws, the way in, and its width (m)."""

    name: str
    at: Point
    inward: tuple[float, float]
    width: float


@dataclass(frozen=True)
class Pot:
    """A ball that can be driven into a pocket from where the cue ball lies.

    ``ghost``: where the cue ball must be when it meets the ball.  ``slack_deg``: how far off the
    cue's heading may be, by geometry alone; the larger, the easier.
    """

    ball: int
    pocket: str
    ghost: Point
    heading_deg: float
    drive_deg: float
    cut_deg: float
    cue_way: float
    ball_way: float
    slack_deg: float


def mouths(spec: TableSpec) -> tuple[Mouth, ...]:
    """The six pockets of a table; none on a table without."""
    if spec.pockets == "none":
        return ()
    x, y = spec.length / 2, spec.width / 2
    inset = spec.corner_mouth / (2 * math.sqrt(2))
    diagonal = 1 / math.sqrt(2)
    made = []
    for end, sx in (("head", -1.0), ("foot", 1.0)):
        for side, sy in (("left", 1.0), ("right", -1.0)):
            at = (sx * (x - inset), sy * (y - inset))
            way = (sx * diagonal, sy * diagonal)
            made.append(Mouth(f"{end}_{side}", at, way, spec.corner_mouth))
    for side, sy in (("left", 1.0), ("right", -1.0)):
        made.append(Mouth(f"side_{side}", (0.0, sy * y), (0.0, sy), spec.side_mouth))
    return tuple(made)


def clear(
    start: Point,
    end: Point,
    others: Iterable[Point],
    gap: float,
) -> bool:
    """Whether a ball going straight from start to end passes everything by at least ``gap``."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length2 = dx * dx + dy * dy
    for x, y in others:
        ox, oy = x - start[0], y - start[1]
        t = 0.0 if length2 == 0.0 else max(0.0, min(1.0, (ox * dx + oy * dy) / length2))
        if math.hypot(ox - t * dx, oy - t * dy) < gap:
            return False
    return True


def angle_between(a_deg: float, b_deg: float) -> float:
    """Signed difference ``a - b`` in degrees, in (-180, 180]."""
    return -((b_deg - a_deg + 180.0) % 360.0 - 180.0)


def ghost_for(target: Point, drive_deg: float, reach: float) -> Point:
    """Where the cue ball's centre is when it drives ``target`` along ``drive_deg``."""
    a = math.radians(drive_deg)
    return (target[0] - reach * math.cos(a), target[1] - reach * math.sin(a))


def heading(start: Point, end: Point) -> float:
    """Direction from start to end in degrees."""
    return math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))


def pots_on(balls: Mapping[int, Point], ball: int, spec: TableSpec) -> list[Pot]:
    """Direct pots of ``ball``, the easiest first; ``balls`` with the cue ball on the table."""
    found = [pot for mouth in mouths(spec) if (pot := _pot(balls, ball, mouth, spec)) is not None]
    return sorted(found, key=lambda p: -p.slack_deg)


def _pot(balls: Mapping[int, Point], ball: int, mouth: Mouth, spec: TableSpec) -> Pot | None:
    cue, target = balls[CUE], balls[ball]
    radius = spec.ball.radius
    reach = radius + spec.cue_ball.radius
    drive = heading(target, mouth.at)
    entry = math.radians(drive)
    straight = math.cos(entry) * mouth.inward[0] + math.sin(entry) * mouth.inward[1]
    window = mouth.width * straight - 2 * radius
    if window <= 0.0:
        return None
    ghost = ghost_for(target, drive, reach)
    way = math.dist(cue, ghost)
    aim = heading(cue, ghost) if way > 1e-6 else drive
    cut = abs(angle_between(drive, aim))
    if cut > HARDEST_CUT_DEG or not _on_bed(ghost, spec):
        return None
    others = [p for n, p in balls.items() if n not in (CUE, ball)]
    if not clear(target, mouth.at, others, 2 * radius + CLEARANCE_M):
        return None
    if not clear(cue, ghost, others, reach + CLEARANCE_M):
        return None
    run = math.dist(target, mouth.at)
    # A heading error d moves the contact by way*d, which turns the ball's way by that over
    # reach*cos(cut); half the window over the run is what the pocket forgives.
    forgiven = math.atan2(window / 2, max(run, 0.02))
    slack = forgiven * reach * math.cos(math.radians(cut)) / max(way, reach)
    return Pot(ball, mouth.name, ghost, aim, drive, cut, way, run, math.degrees(slack))


def _on_bed(p: Point, spec: TableSpec) -> bool:
    radius = spec.cue_ball.radius
    return abs(p[0]) <= spec.length / 2 - radius and abs(p[1]) <= spec.width / 2 - radius
