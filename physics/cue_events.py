"""What the cue did in a shot, read off its events and pieces: a push, a scoop.

Second contacts of the tip are met in the event loop (``physics.tip``); these here follow from how
long a tip contact lasts, and from what a ball flew over.
"""

from collections.abc import Mapping, Sequence
from math import acos, degrees, hypot

from physics.follow_through import SHAFT_RADIUS
from physics.outcome import Piece, Recorded, TimedImpulse, World
from physics.state import BallState, Motion
from physics.tip import CONTACT_S
from shared_rules.balls import CUE
from shared_rules.events import BallBall, CueStrike, Scoop, TipOnCueAtContact

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
    pieces: Mapping[int, Sequence[Piece]],
    world: World,
    duration: float,
    events: Sequence[Recorded],
) -> list[Recorded]:
    """``scoop`` of a stroke that lifts the cue ball from below (N9.5o).

    Either the tip itself lifts it, going under it, or it hops off the bed over a ball from a tip
    less than half a tip's radius above its equator (ambiguity 10).  Deliberate where it clears a
    ball, a lift that clears none is an accident (ambiguity 9).
    """
    found = []
    for record in events:
        event = record.event
        if not isinstance(event, CueStrike) or event.ball != CUE:
            continue
        blow = next(i for i in impulses if i.ball == CUE and i.at == event.at)
        clears = _clears_a_ball(pieces, world, duration)
        lifted = blow.vel[2] > 0.0
        if lifted or (clears and blow.rise < 0.5 * SHAFT_RADIUS):
            told = Scoop(at=event.at, intentional=clears)
            found.append(Recorded(told, None, record.before, record.after))
    return found


def _is_stroke(impulse: TimedImpulse) -> bool:
    return any(isinstance(event, CueStrike) for event in impulse.events)


def _clears_a_ball(pieces: Mapping[int, Sequence[Piece]], world: World, duration: float) -> bool:
    """Whether the cue ball flies past over a ball that lies still."""
    ways = pieces[CUE]
    for k, flight in enumerate(ways):
        if flight.motion is not Motion.AIR:
            continue
        end = ways[k + 1].start if k + 1 < len(ways) else duration
        speed2 = flight.vel[0] ** 2 + flight.vel[1] ** 2
        for ball, there in pieces.items():
            lying = _running(there, flight.start)
            if ball == CUE or lying.motion > Motion.SPIN or speed2 == 0.0:
                continue
            x, y = lying.pos[0] - flight.pos[0], lying.pos[1] - flight.pos[1]
            abeam = (x * flight.vel[0] + y * flight.vel[1]) / speed2
            miss = abs(x * flight.vel[1] - y * flight.vel[0]) / speed2**0.5
            span = world.spec(CUE).radius + world.spec(ball).radius
            if 0.0 < abeam < end - flight.start and miss < span:
                return True
    return False


def _running(pieces: Sequence[Piece], at: float) -> Piece:
    running = pieces[0]
    for piece in pieces:
        if piece.start > at:
            break
        running = piece
    return running
