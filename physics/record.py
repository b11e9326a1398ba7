"""From what the engine found to the record that is played: pieces and audible contacts."""

import math
from collections.abc import Iterable, Iterator

from physics.outcome import Outcome, Recorded, World
from physics.trajectory import Cloth, Contact, ContactKind, Trajectory
from shared_rules.events import (
    BallBall,
    BedBounce,
    CueStrike,
    Jaw,
    Pocketed,
    RailContact,
    RailTop,
    SettledDrop,
)


def record(world: World, outcome: Outcome) -> Trajectory:
    """The trajectory of a shot that ``physics.simulation.simulate`` has run in ``world``."""
    return Trajectory.build(
        outcome.pieces,
        {ball: world.spec(ball).radius for ball in outcome.pieces},
        Cloth.of(world.material),
        contacts_of(outcome.events),
        outcome.duration,
        outcome.cut,
    )


def contacts_of(events: Iterable[Recorded]) -> Iterator[Contact]:
    """The contacts among a shot's events, each with its strength (``Contact``)."""
    for recorded in events:
        event = recorded.event
        place: str | None = None
        match event:
            case CueStrike(ball=ball):
                kind = ContactKind.STRIKE
            case BallBall(a=ball, b=other):
                yield Contact(event.at, ContactKind.BALL, ball, other, _strength(recorded))
                continue
            case RailContact(ball=ball, rail=rail):
                kind, place = ContactKind.RAIL, rail
            case Jaw(ball=ball, pocket=pocket):
                kind, place = ContactKind.JAW, pocket
            case RailTop(ball=ball, pocket=None, rail=rail):
                kind, place = ContactKind.RAIL_TOP, rail
            case RailTop(ball=ball, pocket=pocket):
                kind, place = ContactKind.JAW, pocket
            case Pocketed(ball=ball, pocket=pocket):
                kind, place = ContactKind.POCKET, pocket
            case SettledDrop(ball=ball, pocket=pocket):
                kind, place = ContactKind.POCKET, pocket
            case BedBounce(ball=ball):
                kind = ContactKind.BED
            case _:
                continue
        strength = _speed(recorded, ball) if kind is ContactKind.POCKET else _strength(recorded)
        yield Contact(event.at, kind, ball, place, strength)


def _strength(recorded: Recorded) -> float:
    """Largest change of velocity of a ball in the contact, m/s."""
    changes = (
        math.dist(recorded.before[ball].vel, after.vel)
        for ball, after in recorded.after.items()
        if ball in recorded.before
    )
    return max(changes, default=0.0)


def _speed(recorded: Recorded, ball: int) -> float:
    state = recorded.before.get(ball)
    return math.hypot(*state.vel) if state is not None else 0.0
