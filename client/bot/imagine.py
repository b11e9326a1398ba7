"""A stroke tried in the head: the same physics as on the server, and what the rules look for."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from physics.clearance import least_elevation_at
from physics.outcome import Outcome, World
from physics.simulation import simulate
from physics.state import BallState
from physics.strike import (
    MAX_FOLLOW_THROUGH,
    CueSpec,
    Stroke,
    impulse_of,
    least_follow_through,
)
from physics.table import TABLES
from shared_rules.balls import CUE
from shared_rules.events import BallBall, Event, Jaw, OffTable, Pocketed, RailContact
from shared_rules.limits import Limits
from shared_rules.table import Position

LONGEST_S = 30.0


@dataclass(frozen=True)
class Manner:
    """How the cue is held: the butt raised at least so far; held back right after the blow."""

    raised_deg: float = 0.0
    held_back: bool = False


PLAIN = Manner()


@dataclass(frozen=True)
class Imagined:
    """What came of a stroke, as far as a choice needs it.

    ``before`` and ``heading_deg``: the balls and the stroke that it came of.
    ``departure_deg``: direction in which the first ball hit leaves; None if none was hit.
    ``rail_after``: a rail was met, or a ball fell, after the first hit.
    """

    first: int | None
    departure_deg: float | None
    pocketed: dict[int, str]
    off_table: bool
    rail_after: bool
    rails: int
    balls: dict[int, Position]
    events: tuple[Event, ...] = ()
    before: Mapping[int, Position] = field(default_factory=dict)
    heading_deg: float = 0.0

    @property
    def scratch(self) -> bool:
        """The cue ball was lost."""
        return CUE in self.pocketed or self.off_table


class Imagination:
    """Tries strokes on one table; ``limits`` are those of the ruleset that is played."""

    def __init__(self, preset: str) -> None:
        """Raises:
        ValueError: this build does not know the table.
        """
        if preset not in TABLES:
            raise ValueError(f"there is no table {preset!r}")
        self.world = World(TABLES[preset])
        self.cue = CueSpec()
        self.limits = Limits()

    def try_stroke(
        self,
        balls: Mapping[int, Position],
        speed: float,
        heading_deg: float,
        tip: tuple[float, float] = (0.0, 0.0),
        ball: int = CUE,
        manner: Manner = PLAIN,
    ) -> Imagined:
        """Play a stroke of ``speed`` m/s on the ball ``ball`` of a table at rest."""
        stroke = self.stroke(balls, speed, heading_deg, tip, ball, manner)
        impulse = impulse_of(stroke, self.cue, self.world.spec(ball))
        states = [
            BallState(number, (p[0], p[1], self.world.spec(number).radius))
            for number, p in sorted(balls.items())
        ]
        outcome = simulate(
            self.world, states, (impulse,), until=LONGEST_S, **self.limits.arguments()
        )
        return replace(_seen(outcome, ball), before=balls, heading_deg=heading_deg)

    def stroke(
        self,
        balls: Mapping[int, Position],
        speed: float,
        heading_deg: float,
        tip: tuple[float, float],
        ball: int,
        manner: Manner,
    ) -> Stroke:
        """A stroke that the server takes: what lies behind the ball and what an arm can do count.

        The butt is raised at least as far as rails and balls demand, and a cue that is held back
        goes on for as short a way as it can be stopped in.
        """
        least = least_elevation_at(self.world.table, balls, ball, heading_deg, tip)
        stroke = Stroke(speed, heading_deg, max(manner.raised_deg, least), tip, ball=ball)
        if not manner.held_back:
            return stroke
        shortest = least_follow_through(stroke, self.cue, self.world.spec(ball))
        return replace(stroke, follow_through=min(shortest, MAX_FOLLOW_THROUGH))


def _seen(outcome: Outcome, ball: int) -> Imagined:
    first: int | None = None
    departure = None
    pocketed: dict[int, str] = {}
    off = rail_after = False
    rails = 0
    for record in outcome.events:
        event = record.event
        if isinstance(event, BallBall):
            if first is None and ball in (event.a, event.b):
                first = event.b if event.a == ball else event.a
                vel = record.after[first].vel if first in record.after else (0.0, 0.0, 0.0)
                departure = math.degrees(math.atan2(vel[1], vel[0]))
        elif isinstance(event, RailContact | Jaw):
            rails += 1
            rail_after = rail_after or first is not None
        elif isinstance(event, Pocketed):
            pocketed[event.ball] = event.pocket
            rail_after = rail_after or first is not None
        elif isinstance(event, OffTable):
            off = off or event.ball == ball
            rail_after = rail_after or first is not None
    gone = set(pocketed)
    rest = {n: Position(s.pos[0], s.pos[1]) for n, s in outcome.final.items() if n not in gone}
    events = tuple(record.event for record in outcome.events)
    return Imagined(first, departure, pocketed, off, rail_after, rails, rest, events)
