"""A match of a competition, as the log makes it: who meets whom, over what race, how it ended."""

from dataclasses import dataclass
from typing import Literal

from server.competitions import acts as a
from server.competitions.acts import Stage
from server.competitions.facts import Facts
from server.competitions.handicap import Reason, races_of

Side = str | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended; ``winner`` None is a draw.  ``entry``: the line of the log that says so.

    ``score`` is in the order of the fixture's sides; None where nothing was played.
    """

    winner: Side
    loser: Side
    kind: Literal["played", "forfeit", "walk_over", "bye"]
    score: tuple[int, int] | None = None
    boards: tuple[tuple[int, int], ...] = ()
    entry: int = 0
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match.  The first side lags or breaks as the one named first.

    ``feeders``: the matches whose results are still awaited for a side.  ``empty``: nobody will
    play here (a bye against a bye, or a second final that isn't needed).  ``struck``: its result
    doesn't count, because a side's results were struck out.
    """

    id: str
    stage: Stage
    round: int
    number: int
    sides: tuple[Side, Side]
    feeders: tuple[str, ...] = ()
    outcome: Outcome | None = None
    reason: Reason | None = None
    not_before: float = 0.0
    empty: bool = False
    struck: bool = False

    @property
    def is_open(self) -> bool:
        """Both sides are known and it isn't settled."""
        return self.outcome is None and None not in self.sides and not (self.struck or self.empty)

    @property
    def pair(self) -> frozenset[str]:
        """Who is known to play here."""
        return frozenset(side for side in self.sides if side is not None)


def outcome_of(facts: Facts, match: str, first: str, second: str) -> Outcome | None:
    """How this match between these two ended, if it has: by what was entered, or by a leaving."""
    settled = facts.settled.get((match, frozenset((first, second))))
    if settled is None:
        return _by_leaving(facts, first, second)
    act, entry, at = settled.act, settled.entry, settled.at
    match act:
        case a.Forfeit():
            winner = act.sides[act.sides[0] == act.loser]
            return Outcome(winner, act.loser, "forfeit", entry=entry, at=at)
        case a.WalkOver():
            loser = act.sides[act.sides[0] == act.winner]
            return Outcome(act.winner, loser, "walk_over", entry=entry, at=at)
    score, boards = act.score, act.boards
    if act.sides[0] != first:
        score, boards = score[::-1], tuple(board[::-1] for board in boards)
    ahead, behind = winner_of(facts, score, first, second)
    return Outcome(ahead, behind, "played", score, boards, entry, at)


def winner_of(facts: Facts, score: tuple[int, int], first: str, second: str) -> tuple[Side, Side]:
    """Winner and loser by a score: who has his race, else who is nearer to it; (None, None) level.

    Of a match that an official ended early the games still wanted decide, so that a handicap keeps
    its worth.
    """
    if facts.settings.teams is not None:
        ahead = score[0] - score[1]
    else:
        races = races_of(facts.settings, facts.entrants[first], facts.entrants[second]).races
        ahead = (races[1] - score[1]) - (races[0] - score[0])
    if ahead == 0:
        return None, None
    return (first, second) if ahead > 0 else (second, first)


def _by_leaving(facts: Facts, first: str, second: str) -> Outcome | None:
    """A walk-over where one has left; where both have, for him who left later."""
    gone = [side for side in (first, second) if side in facts.left]
    if not gone:
        return None
    loser = min(gone, key=lambda side: facts.left[side].entry)
    winner = second if loser == first else first
    return Outcome(winner, loser, "walk_over", entry=facts.left[loser].entry)


def fixture(
    facts: Facts, match: str, stage: Stage, round_number: int, number: int, first: str, second: str
) -> Fixture:
    """A match whose sides are both known."""
    return Fixture(
        id=match,
        stage=stage,
        round=round_number,
        number=number,
        sides=(first, second),
        outcome=outcome_of(facts, match, first, second),
        reason=races_of(facts.settings, facts.entrants[first], facts.entrants[second]),
        not_before=not_before(facts, round_number),
    )


def not_before(facts: Facts, round_number: int) -> float:
    """The time of a round's match day, 0 where none is set."""
    days = facts.settings.match_days
    return days[round_number - 1] if round_number <= len(days) else 0.0
