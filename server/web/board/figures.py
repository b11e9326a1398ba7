"""How somebody plays, counted from what was told of stored matches: pots, breaks, runs, fouls."""

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, fields
from typing import Any

from server.review import Record, attempts_of
from shared_rules.balls import CUE
from shared_rules.replay import Told


@dataclass(slots=True)
class Figures:
    """What a player's strokes come to.

    ``strokes``: judged ones, lags left out; ``potted``: object balls that fell without a foul;
    ``attempts``, ``made``: strokes that were meant to pot, as ``server.review`` finds them.
    ``breaks``, ``break_made`` (a ball fell, no foul), ``break_fouls``.  ``racks``: won, of these
    ``runouts`` in one visit from his own break, ``cleared`` in one after the other's.
    ``longest``: balls in one visit.
    """

    strokes: int = 0
    visits: int = 0
    potted: int = 0
    attempts: int = 0
    made: int = 0
    breaks: int = 0
    break_made: int = 0
    break_fouls: int = 0
    fouls: int = 0
    safe: int = 0
    racks: int = 0
    racks_lost: int = 0
    runouts: int = 0
    cleared: int = 0
    longest: int = 0

    def __add__(self, other: "Figures") -> "Figures":
        """Both together."""
        summed = Figures()
        for one in fields(self):
            mine, others = getattr(self, one.name), getattr(other, one.name)
            whole = max(mine, others) if one.name == "longest" else mine + others
            setattr(summed, one.name, whole)
        return summed


@dataclass
class _Count:
    """The count as far as it has come; kept before each ruling, which may be taken back."""

    sides: tuple[Figures, Figures]
    run: int = 0
    at_table: int | None = None
    visits: tuple[int, int] = (0, 0)  # in the running rack
    breaker: int | None = None

    def copy(self) -> "_Count":
        kept = copy(self)
        kept.sides = (copy(self.sides[0]), copy(self.sides[1]))
        return kept


def figures_of(
    match: str, preset: str, seats: Sequence[str], told: Iterable[tuple[float, Told]]
) -> tuple[Figures, Figures]:
    """The figures of a match by seat, from all that was told of it."""
    records = [Record(at, one) for at, one in told]
    count = _Count((Figures(), Figures()))
    before: _Count | None = None
    state: dict[str, Any] = {}
    is_break = False
    for _, one in records:
        for said in one.announcements:
            match said.get("a"):
                case "racked" if not said.get("goes_on"):
                    count.visits, count.run, count.at_table = (0, 0), 0, None
                    count.breaker = said.get("breaker")
                case "struck":
                    is_break = bool(state.get("is_break"))
                case "ruling_revised" if before is not None:
                    count, before = before, None
                case "judged":
                    before = count.copy()
                    _judged(count, said["ruling"], is_break)
                case "game_won":
                    _won(count, said.get("seat"))
        state.update(one.changes)
    for attempt in attempts_of(match, preset, seats, records):
        side = count.sides[list(seats).index(attempt.person)]
        side.attempts += 1
        side.made += attempt.made
    return count.sides


def _judged(count: _Count, ruling: dict[str, Any], is_break: bool) -> None:
    seat = ruling.get("shooter")
    if seat not in (0, 1) or ruling.get("replay"):
        return
    side, foul = count.sides[seat], bool(ruling.get("fouls"))
    fell = [ball for ball in ruling.get("pocketed") or () if ball != CUE]
    if count.at_table != seat:
        count.at_table, count.run = seat, 0
        side.visits += 1
        first, second = count.visits
        count.visits = (first + (seat == 0), second + (seat == 1))
    side.strokes += 1
    side.fouls += foul
    if is_break:
        side.breaks += 1
        side.break_fouls += foul
        side.break_made += bool(fell) and not foul
    if not foul:
        side.potted += len(fell)
        count.run += len(fell)
        side.longest = max(side.longest, count.run)
        side.safe += not fell and not is_break and ruling.get("next_player") != seat
    if foul or ruling.get("next_player") not in (seat, None):
        count.at_table = None


def _won(count: _Count, seat: object) -> None:
    if not isinstance(seat, int) or seat not in (0, 1):
        return
    side = count.sides[seat]
    side.racks += 1
    count.sides[1 - seat].racks_lost += 1
    if count.visits[seat] == 1 and count.run:
        side.runouts += count.breaker == seat and count.visits[1 - seat] == 0
        side.cleared += count.breaker != seat
    count.run, count.at_table = 0, None
