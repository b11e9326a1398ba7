"""Corrections: what follows from one, told before it is applied.

The consequences are the difference between two histories, the one that counts and the one with the
correction in it; so they are right for every format without a rule of their own.
"""

from dataclasses import dataclass
from typing import Literal

from server.competitions.acts import Corrected, Drawn, Entry
from server.competitions.competition import Competition, append
from server.competitions.facts import effective
from server.competitions.fixtures import Fixture, Side
from server.competitions.placings import Placing


@dataclass(frozen=True, slots=True)
class Touched:
    """A match, other than the corrected one, that has other sides or another outcome after it.

    ``state``: it waits; it is at a station; or it is settled: then its result falls away, since
    others meet there (``outcome_stays`` false).  If it is corrected back, the result counts again.
    """

    match: str
    state: Literal["waiting", "called", "settled"]
    before: tuple[Side, Side]
    after: tuple[Side, Side]
    outcome_stays: bool


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a correction brings.

    ``rounds_stand``: rounds that were drawn after the corrected line and are not drawn anew.
    ``placings``: the places that change, before and after.
    """

    touched: tuple[Touched, ...]
    rounds_stand: tuple[int, ...]
    placings: tuple[tuple[Placing | None, Placing | None], ...]

    @property
    def weight(self) -> Literal["none", "waiting", "settled"]:
        """How far it reaches: to no match, to some that wait, to some that have been played."""
        if any(not touched.outcome_stays for touched in self.touched):
            return "settled"
        return "waiting" if self.touched else "none"


def original(competition: Competition, entry: int) -> Entry | None:
    """The line of this number as it counts now; None if it was taken back or isn't there."""
    return next((e for e in effective(competition.log) if e.number == entry), None)


def consequences(competition: Competition, entry: Entry) -> Consequences:
    """What would follow from a line with a correction, which isn't applied."""
    assert isinstance(entry.act, Corrected)
    after = append(competition, entry)
    corrected = getattr(entry.act.old or entry.act.new, "match", None)
    touched = []
    for name, old in competition.fixtures.items():
        new = after.fixtures.get(name)
        if new is None or name == corrected or (old.sides, old.outcome) == (new.sides, new.outcome):
            continue
        touched.append(_touched(competition, old, new))
    stand = tuple(
        line.act.round
        for line in competition.log
        if isinstance(line.act, Drawn) and line.act.round > 1 and line.number > entry.act.entry
    )
    before = {placing.entrant: placing for placing in competition.placings}
    now = {placing.entrant: placing for placing in after.placings}
    moved = tuple(
        (before.get(who), now.get(who))
        for who in competition.facts.entrants
        if before.get(who) != now.get(who)
    )
    return Consequences(tuple(touched), stand, moved)


def _touched(competition: Competition, old: Fixture, new: Fixture) -> Touched:
    settled = old.outcome is not None and old.outcome.kind != "bye"
    called = old.id in competition.calls
    return Touched(
        match=old.id,
        state="settled" if settled else "called" if called else "waiting",
        before=old.sides,
        after=new.sides,
        outcome_stays=not settled or old.outcome == new.outcome,
    )
