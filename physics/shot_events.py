"""The events of a shot that follow from its pieces: strings, frozen balls, ties, travel, rest."""

from collections.abc import Sequence
from math import dist, hypot
from operator import attrgetter

import msgspec
import numpy as np
from numpy.typing import NDArray

from physics.brink import supported
from physics.crossings import CROSSING_HEAD, HEAD_STRING, LONG_STRING, string_crossings
from physics.cue_events import cut_angle_deg, scoops, tip_on_cue
from physics.frozen_rails import mark_frozen_rails
from physics.jumps import jumps_over
from physics.layout import CREEP, POCKETED, STATE_LOG, TOUCH
from physics.motion import contact_distance
from physics.outcome import Piece, Recorded
from physics.recording import state_of
from physics.shot_log import ShotLog, alone, state_at
from physics.state import BallState, Motion, Vector
from shared_rules.balls import CUE, LAG_A, LAG_B
from shared_rules.events import (
    BallBall,
    CrossesCenterString,
    CrossesHeadString,
    CrossesLongString,
    CueStrike,
    Event,
    Jaw,
    JumpOver,
    LongTipContact,
    PlaysAway,
    Pocketed,
    RailContact,
    RailTop,
    Rest,
    Scoop,
    Travel,
)

Array = NDArray[np.float64]
Meetings = Sequence[tuple[int, int]]

_AIR = Motion.AIR
_at = attrgetter("event.at")

NEAR_PAIR = 0.25  # of a ball: a gap under this makes a push-through possible (N9.5g)


def _crossings(log: ShotLog) -> list[Recorded]:
    if not log.world.table.bounded:
        return []
    out = np.empty((6 * len(log.rows) + 8, CROSSING_HEAD + STATE_LOG))
    count = string_crossings(
        log.rows, len(log.rows), len(log.balls), log.world.table.head_string, log.duration, out
    )
    recorded = []
    for row in out[:count].tolist():
        at, index, line, side, *_ = row
        ball = log.balls[int(index)]
        way = "out" if side > 0 else "in"
        event: Event
        if line == HEAD_STRING:
            event = CrossesHeadString(at=at, ball=ball, dir=way)  # type: ignore[arg-type]
        elif line == LONG_STRING:
            event = CrossesLongString(at=at, ball=ball)
        else:
            event = CrossesCenterString(at=at, ball=ball, dir=way)  # type: ignore[arg-type]
        recorded.append(alone(event, state_of(ball, row, CROSSING_HEAD)))
    return recorded


def _gap(log: ShotLog, a: BallState, b: BallState) -> float:
    span = log.world.spec(a.ball).radius + log.world.spec(b.ball).radius
    return dist(a.pos, b.pos) - span


def _cue_start(log: ShotLog) -> tuple[float, Vector] | None:
    """When and how fast the cue ball sets out, or None where it doesn't move by itself."""
    blows = [impulse for impulse in log.impulses if impulse.ball == CUE]
    if blows:
        first = min(blows, key=lambda i: i.at)
        return first.at, first.vel
    for state in log.states:
        if state.ball == CUE and hypot(*state.vel) > 0.0:
            return 0.0, state.vel
    return None


def _cue_contacts(events: Sequence[Recorded]) -> Meetings:
    """Places in ``events`` where the cue ball meets a ball, and which."""
    found = []
    for k, record in enumerate(events):
        event = record.event
        if isinstance(event, BallBall) and CUE in (event.a, event.b):
            found.append((k, event.b if event.a == CUE else event.a))
    return found


def _played_into(log: ShotLog, vel: Vector, cue: BallState, other: BallState) -> bool:
    """Whether a stroke with this velocity goes into a ball that touches the cue ball, if only
    within the tolerance: straight on, it would meet it."""
    x, y = other.pos[0] - cue.pos[0], other.pos[1] - cue.pos[1]
    speed = hypot(vel[0], vel[1])
    if x * vel[0] + y * vel[1] <= CREEP * hypot(x, y):
        return False
    span = log.world.spec(cue.ball).radius + log.world.spec(other.ball).radius
    return abs(x * vel[1] - y * vel[0]) < span * speed


def _mark_touching(log: ShotLog, events: list[Recorded], contacts: Meetings) -> list[Recorded]:
    """``frozen_start`` on the first contact of pairs that touched; who was played away from."""
    start = _cue_start(log)
    cue = next((s for s in log.states if s.ball == CUE), None)
    if start is None or cue is None:
        return []
    at, vel = start
    reach = log.frozen_tolerance + TOUCH
    away = []
    for state in log.states:
        if state.ball == CUE or state.motion >= POCKETED or _gap(log, cue, state) > reach:
            continue
        if _played_into(log, vel, cue, state):
            for k, other in contacts:
                if other == state.ball:
                    event = msgspec.structs.replace(events[k].event, frozen_start=True)
                    events[k] = msgspec.structs.replace(events[k], event=event)
                    break
        elif hypot(*vel) > 0.0:
            both = {CUE: cue, state.ball: state}
            away.append(Recorded(PlaysAway(at=at, b=state.ball), None, both, both))
    return away


def _mark_ties(log: ShotLog, events: list[Recorded], contacts: Meetings) -> None:
    """``tie`` on the cue ball's contacts so near its first that none can be called first.

    A ball that had been driven by another before the cue ball met it is in no tie (RULES 0.3).
    """
    if not contacts:
        return
    first = events[contacts[0][0]].event.at
    tied: dict[int, int] = {}
    for k, ball in contacts:
        if events[k].event.at - first > log.tie_window:
            break
        driven = any(
            isinstance(record.event, BallBall)
            and ball in (record.event.a, record.event.b)
            and record.event.at < events[k].event.at
            for record in events[:k]
        )
        if ball not in tied and not driven:
            tied[ball] = k
    if len(tied) > 1:
        for k in tied.values():
            event = msgspec.structs.replace(events[k].event, tie=1)
            events[k] = msgspec.structs.replace(events[k], event=event)


def path_length(pieces: Sequence[Piece], start: float, end: float) -> float:
    """Length of a ball's path between two times (m), Gauss-Legendre on each piece."""
    nodes = ((-0.9061798459386640, 0.2369268850561891), (-0.5384693101056831, 0.4786286704993665),
             (0.0, 0.5688888888888889), (0.5384693101056831, 0.4786286704993665),
             (0.9061798459386640, 0.2369268850561891))  # fmt: skip
    total = 0.0
    for k, piece in enumerate(pieces):
        stop = pieces[k + 1].start if k + 1 < len(pieces) else end
        a, b = max(start, piece.start), min(end, stop)
        if b <= a or piece.motion in (Motion.REST, Motion.SPIN):
            continue
        for node, weight in nodes:
            s = 0.5 * (a + b + node * (b - a)) - piece.start
            speed = hypot(*(piece.vel[x] + piece.acc[x] * s for x in range(3)))
            total += 0.5 * (b - a) * weight * speed
    return total


def _travel(log: ShotLog, events: Sequence[Recorded], contacts: Meetings) -> list[Recorded]:
    """Path lengths that N9.5g needs: of a touching or near pair played full enough.

    Measured from their contact until either meets a rail (or pocket), or both are still.
    """
    if not contacts:
        return []
    states = {s.ball: s for s in log.states}
    k, ball = contacts[0]
    near = 2.0 * log.world.spec(ball).radius * NEAR_PAIR
    if _gap(log, states[CUE], states[ball]) >= near:
        return []
    record = events[k]
    angle = cut_angle_deg(record.before[CUE], record.before[ball])
    if angle is None or angle >= log.graze_deg:
        return []
    end = log.duration
    pair = (CUE, ball)
    for later in events[k:]:
        event = later.event
        if isinstance(event, RailContact | Jaw | RailTop | Pocketed) and event.ball in pair:
            end = event.at
            break
    travelled = []
    for b in pair:
        pieces = log.pieces[b]
        mm = 1000.0 * path_length(pieces, record.event.at, end)
        running = [p for p in pieces if p.start < end] or [pieces[0]]
        travelled.append(alone(Travel(at=end, ball=b, mm=mm), state_at(running[-1], end)))
    return travelled


def _jumps(log: ShotLog, events: Sequence[Recorded], contacts: Meetings) -> list[Recorded]:
    """Where the cue ball passes above another ball."""
    if not any(piece.motion is _AIR for piece in log.pieces.get(CUE, ())):
        return []
    touches: dict[int, list[float]] = {}
    for k, ball in contacts:
        touches.setdefault(ball, []).append(events[k].event.at)
    recorded, radii = [], {ball: log.world.spec(ball).radius for ball in log.pieces}
    for at, over in jumps_over(log.pieces, radii, touches, log.duration):
        running = {b: [p for p in log.pieces[b] if p.start <= at][-1] for b in (CUE, over)}
        both = {b: state_at(piece, at) for b, piece in running.items()}
        recorded.append(Recorded(JumpOver(at=at, over=over), None, both, both))
    return recorded


def _rest(log: ShotLog) -> list[Recorded]:
    """The end: one event, or in a lag one for each ball still on the table."""
    if log.cut:
        return []
    lag = [ball for ball in (LAG_A, LAG_B) if ball in log.final]
    if not lag:
        return [Recorded(Rest(at=log.duration), None, {}, {})]
    recorded = []
    for ball in lag:
        state = log.final[ball]
        if state.motion >= Motion.POCKETED:
            continue
        reach = contact_distance(log.world.spec(ball).radius, log.world.table.nose_height)
        gap = state.pos[0] + 0.5 * log.world.table.length - reach
        event = Rest(at=log.duration, ball=ball, gap_to_head_cushion_mm=1000.0 * gap)
        recorded.append(alone(event, state))
    return recorded


def complete_events(log: ShotLog, events: list[Recorded]) -> list[Recorded]:
    """All events of the shot in order: those logged, and those that follow from the pieces.

    What happens at one instant keeps this order: strokes, who was played away from, travel,
    contacts and changes of motion as they were met, crossings, departures from rails, balls held
    over a hole, rest.
    """
    events = list(events)
    contacts = _cue_contacts(events)
    departures = mark_frozen_rails(log, events)
    away = _mark_touching(log, events, contacts)
    _mark_ties(log, events, contacts)
    travel = _travel(log, events, contacts)
    jumps = _jumps(log, events, contacts)
    travel += tip_on_cue(log.impulses, events, log.graze_deg)
    travel += scoops(log.impulses, events, jumps, log.upper_tip)
    opening: list[Recorded] = []
    if log.impulses:
        struck = {i.at for i in log.impulses}
        opening = [r for r in events if _opens(r, struck)]
        events = [r for r in events if not _opens(r, struck)]
    merged = [*opening, *away, *travel, *events, *_crossings(log), *jumps, *departures]
    merged.sort(key=_at)
    if not log.cut:
        merged += supported(log)
    return merged + _rest(log)


def _opens(record: Recorded, struck: set[float]) -> bool:
    """Whether this is an event of a stroke itself."""
    return record.event.at in struck and isinstance(
        record.event, CueStrike | Scoop | LongTipContact
    )
