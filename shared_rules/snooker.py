"""Whether the cue ball is snookered: no straight way to any part of a ball on (BB.1c).

The cue ball runs straight along a heading, as wide as it is, until it first meets a ball or the
nose of a cushion.  It is snookered when there is no heading at which the first it meets is a ball
on.  What it meets first changes only at headings at which it just passes something, or at which it
meets two things at once; so between neighbouring headings of these one look is enough.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from math import asin, atan2, cos, hypot, pi, sin, sqrt

from shared_rules.balls import CUE
from shared_rules.table import Position, TableFrame

Circle = tuple[float, float, float]
"""x, y and the distance at which the centre of the cue ball meets it (m)."""
Nose = tuple[Position, Position]

# A way narrower than this is no way: it is lost in the rounding of positions, rad.
_NARROW = 1e-7
# A cue ball that lies against a cushion may be pressed into it by this much, m.
_PRESSED = 1e-6


def snookered(
    balls: Mapping[int, Position],
    on: Iterable[int],
    frame: TableFrame,
    touching: Iterable[int] = (),
) -> bool:
    """Whether no ball on can be hit directly by the cue ball (BB.1c, ambiguity 52).

    Args:
        balls: centres of all balls on the bed, the cue ball among them.
        on: the balls on.  Without any there is nothing to be snookered on.
        touching: balls declared as touching the cue ball: one that is on is hit by playing away
            from it (BB.9).

    Raises:
        ValueError: the cue ball is not on the bed.
    """
    if CUE not in balls:
        raise ValueError("the cue ball is not on the bed")
    here = frozenset(on).intersection(balls)
    if not here or here & set(touching):
        return False
    return _snookered(tuple(sorted((n, *p) for n, p in balls.items())), here, frame)


@lru_cache(maxsize=128)
def _snookered(
    balls: tuple[tuple[int, float, float], ...], on: frozenset[int], frame: TableFrame
) -> bool:
    x, y = next((x, y) for ball, x, y in balls if ball == CUE)
    noses = _noses(frame)
    circles = {
        ball: (bx - x, by - y, frame.cue_ball_radius + frame.radius(ball))
        for ball, bx, by in balls
        if ball != CUE
    }
    points = [(p.x - x, p.y - y, frame.cushion_reach(CUE)) for nose in noses for p in nose]
    around = [(Position(a.x - x, a.y - y), Position(b.x - x, b.y - y)) for a, b in noses]
    return not any(_open(ball, circles, points, around, frame) for ball in sorted(on))


def _open(
    ball: int, circles: Mapping[int, Circle], points: list[Circle], noses: list[Nose],
    frame: TableFrame,
) -> bool:  # fmt: skip
    """Whether there is a heading at which the cue ball, at the origin, first meets ``ball``."""
    target = circles[ball]
    tx, ty, _ = target
    middle, half = atan2(ty, tx), _half_angle(target)
    others = [c for n, c in circles.items() if n != ball and _overlap(c, middle, half)]
    hinder = [*others, *(p for p in points if _overlap(p, middle, half))]
    # Angles from the line to the target's centre, at which what is met first may change.
    turns = {-half, half}
    for circle in hinder:
        turns.update(_turns(target, circle, middle))
    turns.update(_at_noses(target, noses, frame, middle))
    within = sorted(t for t in turns if -half <= t <= half)
    return any(
        _reaches(target, middle + (low + high) / 2, others, noses, frame)
        for low, high in pairwise(within)
        if high - low > _NARROW
    )


def _half_angle(circle: Circle) -> float:
    """Half the angle under which a circle is seen from the origin; a quarter turn in contact."""
    x, y, radius = circle
    return asin(min(1.0, radius / hypot(x, y)))


def _overlap(circle: Circle, middle: float, half: float) -> bool:
    x, y, _ = circle
    return abs(_turned(atan2(y, x) - middle)) < half + _half_angle(circle)


def _turned(angle: float) -> float:
    """The angle within half a turn of zero."""
    return (angle + pi) % (2 * pi) - pi


def _turns(target: Circle, circle: Circle, middle: float) -> Iterator[float]:
    """Where the cue ball just passes a circle, or meets it and the target at once."""
    x, y, radius = circle
    aside, half = _turned(atan2(y, x) - middle), _half_angle(circle)
    yield from (aside - half, aside + half)
    tx, ty, reach = target
    dx, dy = x - tx, y - ty
    apart = hypot(dx, dy)
    if apart == 0.0 or apart > reach + radius or apart < abs(reach - radius):
        return
    along = (reach * reach - radius * radius + apart * apart) / (2 * apart)
    across = sqrt(max(0.0, reach * reach - along * along))
    for side in (-1.0, 1.0):
        px = tx + (along * dx - side * across * dy) / apart
        py = ty + (along * dy + side * across * dx) / apart
        yield _turned(atan2(py, px) - middle)


def _at_noses(
    target: Circle, noses: list[Nose], frame: TableFrame, middle: float
) -> Iterator[float]:
    """Where the cue ball meets the target and the side of a cushion at once."""
    tx, ty, reach = target
    off = frame.cushion_reach(CUE)
    for (ax, ay), (bx, by) in noses:
        length = hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / length, (by - ay) / length
        apart = (tx - ax) * uy - (ty - ay) * ux
        for side in (-off, off):
            height = side - apart
            if abs(height) >= reach:
                continue
            run = sqrt(reach * reach - height * height)
            for way in (-run, run):
                px, py = tx + height * uy + way * ux, ty - height * ux + way * uy
                yield _turned(atan2(py, px) - middle)


def _reaches(
    target: Circle, heading: float, others: list[Circle], noses: list[Nose], frame: TableFrame
) -> bool:
    """Whether the cue ball, rolling along a heading, meets the target before anything else."""
    along = (cos(heading), sin(heading))
    way = _met_after(target, along)
    if way is None:
        return False
    for circle in others:
        sooner = _met_after(circle, along)
        if sooner is not None and sooner < way:
            return False
    end = Position(way * along[0], way * along[1])
    return not any(_in_the_way(nose, end, frame.cushion_reach(CUE)) for nose in noses)


def _met_after(circle: Circle, along: tuple[float, float]) -> float | None:
    """How far the centre of the cue ball runs until it meets a circle; None if it never does."""
    x, y, radius = circle
    ahead, aside = x * along[0] + y * along[1], x * along[1] - y * along[0]
    if ahead <= 0.0 or abs(aside) >= radius:
        return None
    return max(0.0, ahead - sqrt(radius * radius - aside * aside))


def _in_the_way(nose: Nose, end: Position, reach: float) -> bool:
    """Whether a way from the origin comes nearer to a nose than the cue ball may.

    One that lies against the cushion, or in a pocket's mouth, may go along it and away from it.
    """
    start = Position(0.0, 0.0)
    allowed = min(reach, _apart(start, *nose)) - _PRESSED
    return _crossing(start, end, *nose) or min(
        _apart(end, *nose), _apart(nose[0], start, end), _apart(nose[1], start, end)
    ) < allowed  # fmt: skip


def _apart(point: Position, a: Position, b: Position) -> float:
    """Distance of a point from a segment."""
    dx, dy = b.x - a.x, b.y - a.y
    length2 = dx * dx + dy * dy
    t = 0.0 if length2 == 0.0 else ((point.x - a.x) * dx + (point.y - a.y) * dy) / length2
    t = min(1.0, max(0.0, t))
    return hypot(point.x - a.x - t * dx, point.y - a.y - t * dy)


def _crossing(a: Position, b: Position, c: Position, d: Position) -> bool:
    """Whether two segments cross."""
    return _side(a, b, c) * _side(a, b, d) < 0.0 and _side(c, d, a) * _side(c, d, b) < 0.0


def _side(a: Position, b: Position, p: Position) -> float:
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)


def _noses(frame: TableFrame) -> list[Nose]:
    """The noses of the six cushions, from jaw point to jaw point."""
    x, y = frame.length / 2, frame.width / 2
    corner, side = frame.corner_mouth / sqrt(2), frame.side_mouth / 2
    noses = [(Position(e, corner - y), Position(e, y - corner)) for e in (-x, x)]
    for s in (-y, y):
        noses.append((Position(corner - x, s), Position(-side, s)))
        noses.append((Position(side, s), Position(x - corner, s)))
    return noses
