"""The lag: what its two strokes mean (LAG.*, N9.1), as a pure function of their events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared_rules import events as ev
from shared_rules.balls import LAG_A, LAG_B
from shared_rules.ruleset_keys import LagRules
from shared_rules.state import Seat
from shared_rules.table import Position, TableFrame

BALLS = (LAG_A, LAG_B)
"""The lag balls of seats 0 and 1."""

# A ball at rest against the head cushion may come out this much beyond it, mm.
_ROUNDING_MM = 1e-3

# Contact with a jaw of a side pocket is contact with a side cushion (D8.1); the jaws of a corner
# belong to two cushions, and touching them proves neither.
_SIDE_POCKETS = ("side_left", "side_right")


@dataclass(frozen=True, slots=True)
class LagVerdict:
    """What a lag means.

    ``faults``: codes 1.2a to 1.2f of each seat (LAG.3a to f).  ``winner``: None when it is
    repeated.  ``referee_decides``: a late stroke, and a referee who may let it stand (N9.1.4).
    """

    faults: tuple[tuple[str, ...], tuple[str, ...]]
    gaps_mm: tuple[float | None, float | None]
    winner: Seat | None
    referee_decides: bool = False


def start_places(frame: TableFrame) -> tuple[Position, Position]:
    """Where the lag balls lie first: near behind the head string, amid each half (LAG.2)."""
    x = frame.head_string - 2 * frame.radius(LAG_A)
    return Position(x, frame.width / 4), Position(x, -frame.width / 4)


def judge_lag(
    events: Sequence[ev.Event],
    resting: Mapping[int, Position],
    rules: LagRules,
    frame: TableFrame,
    *,
    referee: bool,
) -> LagVerdict:
    """What a lag means.

    Args:
        events: of both strokes, in order.
        resting: where the lag balls came to rest; used where no event says the gap.
        referee: whether one sits at the table.
    """
    gaps = (_gap_mm(events, LAG_A, resting, frame), _gap_mm(events, LAG_B, resting, frame))
    victim, hit_at = _victim(events)
    a, b = (
        _faults_until(events[:hit_at], ball) if ball == victim else _faults(events, ball, gap)
        for ball, gap in zip(BALLS, gaps, strict=True)
    )
    faults = (a, b)
    winner = _winner(faults, gaps, rules.tie_mm)
    if _late(events):
        asked = rules.late_stroke == "referee" and referee and not all(faults)
        return LagVerdict(faults, gaps, winner if asked else None, asked)
    return LagVerdict(faults, gaps, winner)


def _winner(
    faults: tuple[tuple[str, ...], tuple[str, ...]],
    gaps: tuple[float | None, float | None],
    tie_mm: float,
) -> Seat | None:
    """LAG.4b, c: nobody if both are bad, or the distances cannot be told apart."""
    if faults[0] and faults[1]:
        return None
    if faults[0] or faults[1]:
        return 1 if faults[0] else 0
    a, b = gaps
    if a is None or b is None or abs(a - b) < tie_mm:
        return None
    return 0 if a < b else 1


def _faults(events: Sequence[ev.Event], ball: int, gap_mm: float | None) -> tuple[str, ...]:
    """What was wrong with a lag ball that nothing ran into: LAG.3a to f."""
    found = set(_faults_until(events, ball))
    if not _foot_contacts(events, ball):
        found.add("1.2b")
    if gap_mm is not None and gap_mm < -_ROUNDING_MM:
        found.add("1.2e")  # at rest in a pocket mouth beyond the nose line of the head cushion
    return tuple(sorted(found))


def _faults_until(events: Sequence[ev.Event], ball: int) -> tuple[str, ...]:
    """The faults that a lag ball has shown already, wherever it is to stop: LAG.3a to d and f."""
    mine = [e for e in events if getattr(e, "ball", None) == ball]
    found = []
    if any(isinstance(e, ev.CrossesLongString) for e in mine):
        found.append("1.2a")
    if _foot_contacts(mine, ball) > 1:
        found.append("1.2b")
    if any(isinstance(e, ev.Pocketed | ev.SupportedOverPocket | ev.OffTable) for e in mine):
        found.append("1.2c")
    if any(_is_side(e) for e in mine):
        found.append("1.2d")
    cue = (ev.CueRecontact, ev.LongTipContact, ev.EquipmentContact)
    if any(isinstance(e, cue) for e in mine):
        found.append("1.2f")
    return tuple(found)


def _foot_contacts(events: Sequence[ev.Event], ball: int) -> int:
    cushion = (ev.RailContact, ev.Jaw)
    return sum(isinstance(e, cushion) and (e.ball, e.rail) == (ball, "foot") for e in events)


def _is_side(event: ev.Event) -> bool:
    if isinstance(event, ev.RailContact | ev.Jaw) and event.rail is not None:
        return event.rail in ("left", "right")
    return isinstance(event, ev.Jaw) and event.pocket in _SIDE_POCKETS


def _gap_mm(
    events: Sequence[ev.Event], ball: int, resting: Mapping[int, Position], frame: TableFrame
) -> float | None:
    for event in events:
        if isinstance(event, ev.Rest) and event.ball == ball:
            said = event.gap_to_head_cushion_mm
            if said is not None:
                return said
    if ball not in resting:
        return None
    return (resting[ball][0] + frame.length / 2 - frame.cushion_reach(ball)) * 1e3


def _late(events: Sequence[ev.Event]) -> bool:
    """LAG.4a: one ball was struck after the other had touched the foot cushion."""
    reached: set[int] = set()
    for event in events:
        if isinstance(event, ev.CueStrike) and reached - {event.ball}:
            return True
        if isinstance(event, ev.RailContact) and event.rail == "foot":
            reached.add(event.ball)
    return False


def _victim(events: Sequence[ev.Event]) -> tuple[int | None, int]:
    """The lag ball that the other ran into in its own half, and the place of that in the events.

    What it does after that is no fault of its player.
    """
    crossed: set[int] = set()
    for order, event in enumerate(events):
        if isinstance(event, ev.CrossesLongString):
            crossed.add(event.ball)
        if isinstance(event, ev.BallBall) and {event.a, event.b} == set(BALLS):
            innocent = set(BALLS) - crossed
            return (innocent.pop() if len(innocent) == 1 else None), order
    return None, len(events)
