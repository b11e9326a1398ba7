"""A stroke played without rules, and what came of it.  Pure."""

import itertools
import math
from dataclasses import dataclass
from functools import cached_property

from client.practice.layout import TableLayout
from physics.outcome import World
from physics.record import record
from physics.simulation import simulate
from physics.state import BallState, Motion
from physics.strike import CueSpec, impulse_of
from physics.strike import Stroke as Blow
from physics.trajectory import Trajectory
from shared_rules.balls import CUE
from shared_rules.events import (
    BallBall,
    Event,
    Jaw,
    OffTable,
    Pocket,
    Pocketed,
    RailContact,
    SettledDrop,
)
from shared_rules.limits import Limits
from shared_rules.state import Call, Stroke
from shared_rules.table import Position

WAY_STEP_S = 0.05


class NotPlayed(RuntimeError):
    """The balls did not come to rest."""


@dataclass(frozen=True)
class PlayedShot:
    """A stroke, the table before it, and what came of it.  ``call``: what was called for it."""

    before: TableLayout
    stroke: Stroke
    trajectory: Trajectory
    events: tuple[Event, ...]
    after: TableLayout
    call: Call | None = None

    @cached_property
    def pocketed(self) -> tuple[tuple[int, Pocket], ...]:
        """Balls that fell and where, in order."""
        return tuple(
            (e.ball, e.pocket) for e in self.events if isinstance(e, Pocketed | SettledDrop)
        )

    @cached_property
    def off(self) -> tuple[int, ...]:
        """Balls that left the table, in order."""
        gone = {ball for ball, _ in self.pocketed} | set(self.after.balls)
        return tuple(
            dict.fromkeys(
                e.ball for e in self.events if isinstance(e, OffTable) and e.ball not in gone
            )
        )

    @property
    def lost(self) -> bool:
        """Whether the cue ball is no more on the table."""
        return CUE not in self.after.balls

    @property
    def rests(self) -> Position | None:
        """Where the cue ball came to rest."""
        return self.after.balls.get(CUE)

    @cached_property
    def first(self) -> tuple[int, Position] | None:
        """The ball that the cue ball met first, and where the cue ball was then."""
        for event in self.events:
            if isinstance(event, BallBall) and CUE in (event.a, event.b):
                at = self.trajectory.state_at(CUE, event.at).pos
                return (event.b if event.a == CUE else event.a), Position(at[0], at[1])
        return None

    @cached_property
    def rails(self) -> tuple[str, ...]:
        """The cushions that the cue ball met, in order; a jaw counts as that of its pocket."""
        return tuple(
            e.rail or "jaw"
            for e in self.events
            if isinstance(e, RailContact | Jaw) and e.ball == CUE and not e.still_frozen
        )

    @cached_property
    def way(self) -> float:
        """How far the cue ball went, m."""
        steps = max(1, math.ceil(self.trajectory.duration / WAY_STEP_S))
        times = [self.trajectory.duration * k / steps for k in range(steps + 1)]
        places = [self.trajectory.state_at(CUE, t).pos for t in times]
        return sum(math.dist(a[:2], b[:2]) for a, b in itertools.pairwise(places))


def play(layout: TableLayout, stroke: Stroke, call: Call | None = None) -> PlayedShot:
    """Play a stroke at the cue ball to its end.

    Raises:
        NotPlayed: the balls do not come to rest.
    """
    world = World(layout.spec)
    states = [
        BallState(ball, (at[0], at[1], world.spec(ball).radius))
        for ball, at in sorted(layout.balls.items())
    ]
    blow = Blow(
        stroke.speed, stroke.heading_deg, stroke.elevation_deg, stroke.tip, ball=CUE,
        follow_through=stroke.follow_through,
    )  # fmt: skip
    impulse = impulse_of(blow, CueSpec(), world.spec(CUE))
    outcome = simulate(world, states, (impulse,), **Limits().arguments())
    if outcome.cut:
        raise NotPlayed("the balls did not come to rest")
    lying = {
        ball: Position(state.pos[0], state.pos[1])
        for ball, state in outcome.final.items()
        if state.motion not in (Motion.POCKETED, Motion.OFF_TABLE)
    }
    events = tuple(recorded.event for recorded in outcome.events)
    after = TableLayout(layout.table, lying)
    return PlayedShot(layout, stroke, record(world, outcome), events, after, call)
