"""The guide line: what the stroke that is held would do, as far as the table allows to show it.

From the same strike and the same simulation as the shot itself, so it is true with english too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from client.scene.overlays import Departure
from physics.outcome import Outcome, Piece, World
from physics.simulation import simulate
from physics.state import BallState, Motion
from physics.strike import CueSpec, impulse_of
from physics.strike import Stroke as Blow
from physics.table import TableSpec
from shared_rules.events import BallBall, Jaw, Pocketed, RailContact
from shared_rules.state import Stroke
from shared_rules.table import Position

Reach = Literal["none", "first_contact", "full"]
LOOK_AHEAD_S = 8.0
EVENTS = {"first_contact": 16, "full": 40}
"""Enough for what is shown; a whole break is not worked out for a line to the rack."""
DEPARTURE_M = 0.45
STEP_S = 0.02
Point = tuple[float, float]


@dataclass(frozen=True)
class Guide:
    """A line to draw: the cue ball's way, where it meets a ball, and both ways from there."""

    points: tuple[Point, ...] = ()
    ghost: Point | None = None
    departures: tuple[Departure, ...] = ()
    meets: int | None = None


def guide(
    table: TableSpec,
    balls: Mapping[int, Position],
    ball: int,
    stroke: Stroke,
    reach: Reach,
    cue: CueSpec | None = None,
) -> Guide:
    """What may be shown of a stroke on ``ball`` (the cue ball, or in a lag one's own)."""
    if reach == "none" or ball not in balls:
        return Guide()
    world = World(table)
    states = [BallState(n, (p[0], p[1], world.spec(n).radius)) for n, p in sorted(balls.items())]
    blow = Blow(stroke.speed, stroke.heading_deg, stroke.elevation_deg, stroke.tip, ball=ball)
    impulse = impulse_of(blow, cue or CueSpec(), world.spec(ball))
    outcome = simulate(world, states, (impulse,), until=LOOK_AHEAD_S, max_events=EVENTS[reach])
    return _read(outcome, ball, reach)


def _read(outcome: Outcome, ball: int, reach: Reach) -> Guide:
    end, meets = outcome.duration, None
    rails: list[float] = []
    for record in outcome.events:
        event = record.event
        if isinstance(event, BallBall) and ball in (event.a, event.b):
            end, meets = event.at, event.b if event.a == ball else event.a
            break
        if isinstance(event, RailContact | Jaw | Pocketed) and event.ball == ball:
            rails.append(event.at)
            if reach == "first_contact" or len(rails) >= 3 or isinstance(event, Pocketed):
                end = event.at
                break
    points = _way(outcome.pieces[ball], 0.0, end)
    if meets is None:
        return Guide(points)
    ghost = points[-1]
    departures: tuple[Departure, ...] = ()
    if reach == "full":
        departures = (
            Departure(_way(outcome.pieces[meets], end, outcome.duration, DEPARTURE_M), True),
            Departure(_way(outcome.pieces[ball], end, outcome.duration, DEPARTURE_M), False),
        )
    return Guide(points, ghost, departures, meets)


def _way(
    pieces: Sequence[Piece], start: float, end: float, longest: float = 20.0
) -> tuple[Point, ...]:
    """Points of a ball's way between two times, at most ``longest`` metres of it."""
    points: list[Point] = []
    gone = 0.0
    for k, piece in enumerate(pieces):
        until = min(pieces[k + 1].start if k + 1 < len(pieces) else end, end)
        at = max(piece.start, start)
        if (
            until < start
            or piece.start > end
            or piece.motion in (Motion.POCKETED, Motion.OFF_TABLE)
        ):
            continue
        # A rolling ball goes straight: its ends are enough; a sliding one may curve.
        steps = 1 if piece.motion is Motion.ROLL else max(1, min(40, int((until - at) / STEP_S)))
        for j in range(steps + 1):
            s = at + (until - at) * j / steps - piece.start
            x = piece.pos[0] + piece.vel[0] * s + 0.5 * piece.acc[0] * s * s
            y = piece.pos[1] + piece.vel[1] * s + 0.5 * piece.acc[1] * s * s
            if points:
                dx, dy = x - points[-1][0], y - points[-1][1]
                leg = (dx * dx + dy * dy) ** 0.5
                if leg < 1e-6:
                    continue
                if gone + leg > longest:
                    part = (longest - gone) / leg
                    points.append((points[-1][0] + dx * part, points[-1][1] + dy * part))
                    return tuple(points)
                gone += leg
            points.append((x, y))
    return tuple(points)
