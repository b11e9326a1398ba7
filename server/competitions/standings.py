"""Standings of a round robin, a season or a Swiss: a recount of the matches, with tie-breaks.

Everything is counted from the fixtures each time; nothing is carried from one result to the next.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from server.competitions.facts import Facts
from server.competitions.fixtures import Fixture
from server.competitions.setup import TieBreak

Value = float | None


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the standings.

    ``score``: games of single matches, boards of team matches, won and lost; ``games``: games, of
    team matches those of all boards.  ``tie_breaks``: the value of each, in the competition's
    order, None where it doesn't apply.  ``place`` is shared by those whom nothing parts; None for
    who was put out or struck out.
    """

    place: int | None
    entrant: str
    points: int
    played: int
    won: int
    drawn: int
    lost: int
    score: tuple[int, int]
    games: tuple[int, int]
    tie_breaks: tuple[tuple[TieBreak, Value], ...]
    has_left: bool


@dataclass(slots=True)
class Tally:
    """What the matches of one entrant come to.

    ``opponents``: who was met and the points that the match gave; without opponent (a bye, a match
    that was given) None stands for him.
    """

    points: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    score: list[int] = field(default_factory=lambda: [0, 0])
    games: list[int] = field(default_factory=lambda: [0, 0])
    opponents: list[tuple[str | None, int]] = field(default_factory=list)

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost


def standings(facts: Facts, made: Iterable[Fixture]) -> tuple[Row, ...]:
    """The table, best first; those who are out of it (N9.9j) at its end."""
    matches = [m for m in made if m.outcome is not None and not m.struck]
    struck = {side for m in made if m.struck for side in m.sides if side in facts.left}
    tallies = tally(facts, matches)
    out = [
        who
        for who in tallies
        if who in struck or (who in facts.left and facts.left[who].disqualified)
    ]
    ranked = [who for who in tallies if who not in set(out)]
    values = {who: dict[TieBreak, Value]() for who in tallies}
    groups = _Parting(facts, tallies, matches, values).groups(ranked)
    rows, place = [], 1
    for group in groups:
        rows += [_row(facts, who, place, tallies[who], values[who]) for who in group]
        place += len(group)
    rows += [_row(facts, who, None, tallies[who], values[who]) for who in out]
    return tuple(rows)


def _row(
    facts: Facts, who: str, place: int | None, mine: Tally, values: dict[TieBreak, Value]
) -> Row:
    return Row(
        place=place,
        entrant=who,
        points=mine.points,
        played=mine.played,
        won=mine.won,
        drawn=mine.drawn,
        lost=mine.lost,
        score=(mine.score[0], mine.score[1]),
        games=(mine.games[0], mine.games[1]),
        tie_breaks=tuple((name, values.get(name)) for name in facts.settings.tie_breaks),
        has_left=who in facts.left,
    )


def tally(facts: Facts, matches: Sequence[Fixture]) -> dict[str, Tally]:
    """What each entrant's matches come to, in the order of entry."""
    tallies = {who: Tally() for who in facts.entrants}
    given = facts.settings.points
    for match in matches:
        out = match.outcome
        if out is None:
            continue
        pairs = match.sides, match.sides[::-1]
        score, boards = _counted(facts, match)
        for turned, (side, other) in enumerate(pairs):
            if side is None:
                continue
            mine = tallies[side]
            if out.winner is None:
                got, mine.drawn = given.draw, mine.drawn + 1
            elif out.winner == side:
                got, mine.won = given.win, mine.won + 1
            else:
                got, mine.lost = given.loss, mine.lost + 1
            mine.points += got
            mine.opponents.append((other if out.kind == "played" else None, got))
            for i in (0, 1):
                mine.score[i] += score[i ^ turned]
                mine.games[i] += boards[i ^ turned]
    return tallies


def _counted(facts: Facts, match: Fixture) -> tuple[tuple[int, int], tuple[int, int]]:
    """Score and games that count; a match that was given counts the winner's race to nothing."""
    out = match.outcome
    assert out is not None
    if out.score is not None:
        games = out.score
        if out.boards:
            games = sum(b[0] for b in out.boards), sum(b[1] for b in out.boards)
        return out.score, games
    if out.kind == "bye" or out.winner is None or match.reason is None:
        return (0, 0), (0, 0)
    won = match.sides.index(out.winner)
    teams = facts.settings.teams
    if teams is None:
        score = games = (match.reason.races[won], 0)
    else:
        score = (len(teams.boards), 0)
        games = (sum(board.race_to for board in teams.boards), 0)
    return (score[::-1], games[::-1]) if won else (score, games)


class _Parting:
    """Parts those with as many points, tie-break after tie-break, and notes each one's values."""

    def __init__(
        self,
        facts: Facts,
        tallies: dict[str, Tally],
        matches: Sequence[Fixture],
        values: dict[str, dict[TieBreak, Value]],
    ) -> None:
        self._facts, self._tallies, self._values = facts, tallies, values
        self._given: dict[str, dict[str, tuple[int, int]]] = {who: {} for who in tallies}
        points = facts.settings.points
        for match in matches:
            one, other = match.sides
            if one is None or other is None or match.outcome is None:
                continue
            for me, him in ((one, other), (other, one)):
                winner = match.outcome.winner
                got = points.draw if winner is None else points.win if winner == me else points.loss
                had, times = self._given[me].get(him, (0, 0))
                self._given[me][him] = had + got, times + 1
        for who, mine in tallies.items():
            for name in facts.settings.tie_breaks:
                if name is not TieBreak.HEAD_TO_HEAD:
                    values[who][name] = self._value(name, who, mine)

    def groups(self, ranked: Sequence[str]) -> list[list[str]]:
        """Who shares a place with whom, best place first."""
        by_points = _split(ranked, {who: float(self._tallies[who].points) for who in ranked})
        parted = [self._part(group, self._facts.settings.tie_breaks) for group in by_points]
        return [group for groups in parted for group in groups]

    def _part(self, group: list[str], names: Sequence[TieBreak]) -> list[list[str]]:
        if len(group) == 1 or not names:
            return [group]
        name, rest = names[0], names[1:]
        if name is TieBreak.HEAD_TO_HEAD:
            for who, value in self._among(group).items():
                self._values[who][name] = value
        groups = _split(group, {who: self._values[who].get(name) for who in group})
        return [part for split in groups for part in self._part(split, rest)]

    def _among(self, group: Sequence[str]) -> dict[str, Value]:
        """Points in the matches among a group; nothing unless all have met equally often."""
        pairs = permutations(group, 2)
        times = {self._given[who].get(other, (0, 0))[1] for who, other in pairs}
        if len(times) != 1 or times == {0}:
            return dict.fromkeys(group)
        return {
            who: float(sum(self._given[who][other][0] for other in group if other != who))
            for who in group
        }

    def _value(self, name: TieBreak, who: str, mine: Tally) -> Value:
        match name:
            case TieBreak.BOARDS_DIFFERENCE:
                return float(mine.score[0] - mine.score[1])
            case TieBreak.GAMES_DIFFERENCE:
                return float(mine.games[0] - mine.games[1])
            case TieBreak.GAMES_WON:
                return float(mine.games[0])
            case TieBreak.AVERAGE:
                return mine.games[0] / sum(mine.games) if sum(mine.games) else None
            case TieBreak.WINS:
                return float(mine.won)
            case TieBreak.SONNEBORN_BERGER:
                return self._sonneborn_berger(mine)
            case TieBreak.BUCHHOLZ:
                return sum(self._strength(other, mine) for other, _ in mine.opponents)
            case TieBreak.MEDIAN_BUCHHOLZ:
                met = sorted(self._strength(other, mine) for other, _ in mine.opponents)
                return sum(met[1:-1])
            case TieBreak.LAG_OFF:
                return self._lag_off(who)
            case _:
                return None

    def _strength(self, other: str | None, mine: Tally) -> float:
        """Points of an opponent; without one, his own, as if he had met his equal."""
        return float(mine.points if other is None else self._tallies[other].points)

    def _sonneborn_berger(self, mine: Tally) -> float:
        win = self._facts.settings.points.win
        return sum(
            got / win * self._strength(other, mine) if win else 0.0 for other, got in mine.opponents
        )

    def _lag_off(self, who: str) -> Value:
        """The place in the last lag-off that he took part in, counted from its end."""
        for _, lagged in sorted(self._facts.lag_offs.items(), reverse=True):
            if who in lagged:
                return float(len(lagged) - lagged.index(who))
        return None


def _split(group: Sequence[str], value: dict[str, Value] | dict[str, float]) -> list[list[str]]:
    """A group in parts of equal value, highest first; in each the order stays."""
    parts: dict[Value, list[str]] = {}
    for who in group:
        parts.setdefault(value[who], []).append(who)
    keys = sorted(parts, key=lambda v: float("-inf") if v is None else v, reverse=True)
    return [parts[key] for key in keys]
