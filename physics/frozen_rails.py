"""Balls frozen to a rail before the shot: which contacts are still the old one, when they leave.

D8.4: such a ball is driven to that rail only once it has left it.
"""

from math import sqrt

import msgspec

from physics.layout import TOUCH
from physics.motion import contact_distance
from physics.outcome import Recorded
from physics.shot_log import ShotLog, alone, state_at
from physics.state import Motion
from shared_rules.events import RAILS, LeavesRail, Rail, RailContact

PRESSED = 1e-4  # m: a ball further than this behind a nose line lies in a pocket's mouth
# Which way a rail lies: axis, and the sign of the coordinate that leads away from it.
_ACROSS: dict[Rail, tuple[int, float]] = {
    "head": (0, 1.0), "foot": (0, -1.0), "left": (1, -1.0), "right": (1, 1.0),
}  # fmt: skip


def _frozen_rails(log: ShotLog) -> list[tuple[int, Rail]]:
    """Balls frozen to a rail at the start, each with that rail."""
    frozen: list[tuple[int, Rail]] = []
    if not log.world.table.bounded:
        return frozen
    for state in log.states:
        radius = log.world.spec(state.ball).radius
        if state.motion >= Motion.POCKETED or state.pos[2] != radius:
            continue
        for rail in RAILS:
            axis, sense = _ACROSS[rail]
            gap = _off_rail(log, state.ball, rail) + sense * state.pos[axis]
            if -PRESSED <= gap <= log.frozen_tolerance + TOUCH:
                frozen.append((state.ball, rail))
    return frozen


def _off_rail(log: ShotLog, ball: int, rail: Rail) -> float:
    """Gap between a rail and a ball in the middle of the table (m).

    A rail is the whole line of its nose: in front of a pocket, too, a ball has to come away from
    that line before it can be driven to the rail.
    """
    table = log.world.table
    half = 0.5 * (table.length if _ACROSS[rail][0] == 0 else table.width)
    return half - contact_distance(log.world.spec(ball).radius, table.nose_height)


def _first_over(c0: float, c1: float, c2: float, until: float) -> float | None:
    """First t in [0, until] from which c0 + c1 t + c2 t^2 is positive (c0 is not), or None."""
    roots = [0.0]
    if c2 != 0.0:
        disc = c1 * c1 - 4.0 * c2 * c0
        if disc >= 0.0:
            root = sqrt(disc)
            roots += [(-c1 - root) / (2.0 * c2), (-c1 + root) / (2.0 * c2)]
    elif c1 != 0.0:
        roots.append(-c0 / c1)
    for t in sorted(roots):
        if 0.0 <= t <= until and c1 + 2.0 * c2 * t > 0.0 and abs(c0 + (c1 + c2 * t) * t) < 1e-12:
            return t
    return None


def _leaves(log: ShotLog, ball: int, rail: Rail) -> Recorded | None:
    """When a ball frozen to a rail is first further from it than that: it has left."""
    axis, sense = _ACROSS[rail]
    least = max(log.leaves_rail, log.frozen_tolerance + TOUCH)
    clear = _off_rail(log, ball, rail) - least
    pieces = log.pieces[ball]
    for k, piece in enumerate(pieces):
        end = pieces[k + 1].start if k + 1 < len(pieces) else log.duration
        gap = clear + sense * piece.pos[axis]
        t = _first_over(
            gap, sense * piece.vel[axis], 0.5 * sense * piece.acc[axis], end - piece.start
        )
        if gap > 0.0:
            t = 0.0
        if t is not None:
            at = piece.start + t
            return alone(LeavesRail(at=at, ball=ball, rail=rail), state_at(piece, at))
    return None


def mark_frozen_rails(log: ShotLog, events: list[Recorded]) -> list[Recorded]:
    """Set ``still_frozen`` on contacts before a ball has left its rail; the departures."""
    departures = []
    for ball, rail in _frozen_rails(log):
        departure = _leaves(log, ball, rail)
        left = departure.event.at if departure is not None else log.duration
        for k, record in enumerate(events):
            event = record.event
            if event.at > left:
                break
            if isinstance(event, RailContact) and event.ball == ball and event.rail == rail:
                still = msgspec.structs.replace(event, still_frozen=True)
                events[k] = msgspec.structs.replace(record, event=still)
        if departure is not None:
            departures.append(departure)
    return departures
