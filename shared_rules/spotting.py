"""Where a ball goes that is spotted (RULES 11.1; G.1.4, N9.5s1)."""

from collections.abc import Mapping
from math import cos, hypot, pi, sin, sqrt

from shared_rules.balls import CUE
from shared_rules.ruleset_keys import SpotRules
from shared_rules.table import Position, TableFrame

_ROUNDING = 1e-9


def _clearance(other: int, frame: TableFrame, rules: SpotRules) -> float:
    """Least distance of centres between a spotted ball and ``other``."""
    touching = frame.ball_radius + frame.radius(other)
    # G.1.4b, c: in contact with an object ball in the way, a small gap only to the cue ball.
    return touching if rules.contact and other != CUE else touching + rules.gap_mm * 1e-3


def _free(x: float, balls: Mapping[int, Position], frame: TableFrame, rules: SpotRules) -> bool:
    return all(
        hypot(bx - x, by) >= _clearance(ball, frame, rules) - _ROUNDING
        for ball, (bx, by) in balls.items()
    )


def _nearest(
    candidates: list[float], balls: Mapping[int, Position], frame: TableFrame, rules: SpotRules
) -> float | None:
    spot = frame.foot_spot.x
    limit = frame.length / 2 - frame.ball_radius  # clear of the cushion
    for x in sorted(candidates, key=lambda c: abs(c - spot)):
        if abs(x) <= limit and _free(x, balls, frame, rules):
            return x
    return None


def spot_position(balls: Mapping[int, Position], frame: TableFrame, rules: SpotRules) -> Position:
    """Place of a ball to be spotted on the long string, moving no other.

    The foot spot, else the nearest free place towards the foot cushion, else, when that part of
    the line is full, the nearest on the head side.
    """
    spot = frame.foot_spot.x
    tangents: list[float] = []
    for ball, (bx, by) in balls.items():
        reach = _clearance(ball, frame, rules)
        if abs(by) < reach:
            half = sqrt(reach * reach - by * by)
            tangents += [bx - half, bx + half]
    behind = _nearest([spot, *(x for x in tangents if x >= spot)], balls, frame, rules)
    if behind is not None:
        return Position(behind, 0.0)
    ahead = _nearest([x for x in tangents if x < spot], balls, frame, rules)
    # Fifteen balls cannot fill the whole long string, so there is always a place.
    assert ahead is not None
    return Position(ahead, 0.0)


def touches_another(position: Position, balls: Mapping[int, Position], frame: TableFrame) -> bool:
    """Whether a spotted ball lies against one of ``balls``."""
    return any(
        hypot(bx - position.x, by - position.y) <= frame.ball_radius + frame.radius(ball) + 1e-6
        for ball, (bx, by) in balls.items()
    )


def nearest_free(
    wanted: Position, balls: Mapping[int, Position], frame: TableFrame, ball: int
) -> Position:
    """The free place on the bed nearest to ``wanted``, to a millimetre (N9.9n)."""
    mine = frame.radius(ball)
    inside_x, inside_y = frame.length / 2 - mine, frame.width / 2 - mine

    def free(x: float, y: float) -> bool:
        return (
            abs(x) <= inside_x
            and abs(y) <= inside_y
            and all(
                hypot(bx - x, by - y) >= mine + frame.radius(other)
                for other, (bx, by) in balls.items()
            )
        )

    for ring in range(int(frame.length * 1e3)):
        for step in range(72):
            angle = 2 * pi * step / 72
            x = wanted.x + ring * 1e-3 * cos(angle)
            y = wanted.y + ring * 1e-3 * sin(angle)
            if free(x, y):
                return Position(x, y)
    raise AssertionError("sixteen balls cannot fill a table")
