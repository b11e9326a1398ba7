"""What the cue did in a shot, read off its events and pieces: a push, a scoop.

Second contacts of the tip are met in the event loop (``physics.tip``); these here follow from how
long a tip contact lasts, and from what a ball flew over.
"""

from collections.abc import Sequence
from math import acos, degrees, hypot, inf

from physics.follow_through import SHAFT_RADIUS
from physics.outcome import Recorded, TimedImpulse
from physics.state import BallState
from physics.tip import CONTACT_S
from shared_rules.balls import CUE
from shared_rules.events import (
    BallBall,
    CueStrike,
    Jaw,
    RailContact,
    RailTop,
    Scoop,
    TipOnCueAtContact,
)

PRESSED_ON_S = 0.5 * CONTACT_S
"""A ball met within this of the blow is met with the tip still on the cue ball, s.

In life the cue ball gains its speed v over the CONTACT_S = T of the blow, and, as the force rises
and falls evenly, covers v T / 2 of way in it.  The engine's cue ball has v from the start and is
that far after T / 2.  At 2.7 m/s that is a gap of 2 mm.
"""


def cut_angle_deg(cue: BallState, other: BallState) -> float | None:
    """Angle between a ball's way and the line of centres; None for a ball that is still."""
    line = [other.pos[x] - cue.pos[x] for x in range(3)]
    size = hypot(*cue.vel) * hypot(*line)
    if size == 0.0:
        return None
    along = sum(cue.vel[x] * line[x] for x in range(3))
    return degrees(acos(max(-1.0, min(1.0, along / size))))


def tip_on_cue(
    impulses: Sequence[TimedImpulse], events: Sequence[Recorded], graze_deg: float
) -> list[Recorded]:
    """``tip_on_cue_at_contact`` of balls so near that the tip is still on the cue ball (F6.7b).

    Not of a ball that touched before the stroke (F6.7c); hit thinner than ``graze_deg`` it is a
    ``graze`` (F6.7d).
    """
    blows = [i.at for i in impulses if i.ball == CUE and _is_stroke(i)]
    if not blows:
        return []
    found: list[Recorded] = []
    met: set[int] = set()
    for record in events:
        event = record.event
        if not isinstance(event, BallBall) or CUE not in (event.a, event.b):
            continue
        ball = event.b if event.a == CUE else event.a
        if ball in met or not any(0.0 <= event.at - at < PRESSED_ON_S for at in blows):
            continue
        met.add(ball)
        if not event.frozen_start:
            angle = cut_angle_deg(record.before[CUE], record.before[ball])
            graze = angle is not None and angle >= graze_deg
            told = TipOnCueAtContact(at=event.at, b=ball, graze=graze)
            found.append(Recorded(told, None, record.before, record.before))
    return found


def scoops(
    impulses: Sequence[TimedImpulse],
    events: Sequence[Recorded],
    jumps: Sequence[Recorded],
    upper_tip: bool,
) -> list[Recorded]:
    """``scoop`` of a stroke that lifts the cue ball from below (N9.5o).

    Either the tip itself lifts it, going under it, or it hops off the bed over a ball from a tip
    that met it too low: below its equator, or with ``upper_tip`` less than half a tip's radius
    above it (N9.4.7, ambiguity 10).  Deliberate where it clears a ball (one of the ``jumps``)
    before it meets a ball or the rail; a lift that clears none is an accident (ambiguity 9).
    """
    if not impulses:
        return []
    found = []
    for record in events:
        event = record.event
        if not isinstance(event, CueStrike) or event.ball != CUE:
            continue
        blow = next(i for i in impulses if i.ball == CUE and i.at == event.at)
        met = _first_met(events, event.at)
        clears = any(event.at <= jump.event.at < met for jump in jumps)
        low = blow.rise < (0.5 * SHAFT_RADIUS if upper_tip else 0.0)
        if blow.vel[2] > 0.0 or (clears and low):
            told = Scoop(at=event.at, intentional=clears)
            found.append(Recorded(told, None, record.before, record.after))
    return found


def _first_met(events: Sequence[Recorded], since: float) -> float:
    """When, after ``since``, the cue ball first meets a ball or a part of the rail (s)."""
    for record in events:
        event = record.event
        if event.at < since:
            continue
        if isinstance(event, BallBall) and CUE in (event.a, event.b):
            return event.at
        if isinstance(event, RailContact | Jaw | RailTop) and event.ball == CUE:
            return event.at
    return inf


def _is_stroke(impulse: TimedImpulse) -> bool:
    return any(isinstance(event, CueStrike) for event in impulse.events)
