"""The tables of matches: which table is of which match, and the terms on which it is opened."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import msgspec

from server.club.pairings import Pairing, board_of, pairings
from server.competitions.acts import BoardResult, Pair, Settling
from server.competitions.competition import Competition
from server.shots import usual_table
from server.storage.competitions import LeagueTable
from server.storage.records import Terms
from server.table import Table
from server.terms import new_code
from shared_rules.ruleset import Ruleset
from shared_rules.state import Phase


class Tables:
    """Every table that a competition has had."""

    def __init__(self) -> None:
        self._of_match: defaultdict[tuple[str, str], list[LeagueTable]] = defaultdict(list)
        self._by_name: dict[str, LeagueTable] = {}

    def add(self, tables: Iterable[LeagueTable]) -> None:
        """These too, the oldest first."""
        for at in tables:
            self._by_name[at.table] = at
            self._of_match[at.competition, at.match].append(at)

    def discard(self, at: LeagueTable) -> None:
        """It could not be opened."""
        if self._by_name.pop(at.table, None) is not None:
            self._of_match[at.competition, at.match].remove(at)

    def get(self, table: str) -> LeagueTable | None:
        """Of which match a table is; None: it is of no competition."""
        return self._by_name.get(table)

    def every(self) -> list[LeagueTable]:
        """All of them, the oldest first."""
        return list(self._by_name.values())

    def of(self, competition: str, pairing: Pairing) -> list[LeagueTable]:
        """The tables at which these two have begun a match, or a board, the latest first."""
        mine = self._of_match.get((competition, pairing.match), [])
        return [
            at for at in reversed(mine)
            if set(at.sides) == set(pairing.sides) and at.board == pairing.board
        ]  # fmt: skip

    def latest(self, name: str, competition: Competition, match: str, sides: Pair) -> str | None:
        """The table at which these two have begun a match last; of a team match, where the
        first board is played that has begun and isn't over."""
        for pairing in pairings(competition, match, sides):
            if tables := self.of(name, pairing):
                return tables[0].table
        return None


def is_over(table: Table) -> bool:
    """Whether the match of an open table has been played to its end."""
    keeper = table.course.keeper
    return keeper is not None and keeper.state.phase is Phase.MATCH_OVER


def is_dead(competition: Competition, at: LeagueTable) -> bool:
    """Whether nothing hangs any more on the match that is played at a table: it is settled, one
    of them has left, or a correction has others meet."""
    match = competition.fixtures.get(at.match)
    if match is None or not match.is_open:
        return True
    first, second = match.sides
    assert first is not None and second is not None  # it is open
    waiting = pairings(competition, match.id, (first, second))
    return not any(p.board == at.board and set(p.sides) == set(at.sides) for p in waiting)


def has_counted(competition: Competition, at: LeagueTable) -> bool:
    """Whether a result of these two has ever been entered, even if it was taken back."""
    if at.board is not None:
        return any(
            isinstance(line.act, BoardResult)
            and (line.act.match, line.act.board) == (at.match, at.board)
            and line.act.score is not None
            for line in competition.log
        )
    return any(
        isinstance(line.act, Settling)
        and line.act.match == at.match
        and set(line.act.sides) == set(at.sides)
        for line in competition.log
    )


def terms_of(competition: Competition, pairing: Pairing) -> Terms:
    """The terms of the table for a match: the competition's rules, or the board's, over its
    races."""
    ruleset = competition.settings.ruleset
    if pairing.board is not None:
        board = board_of(competition, pairing.board)
        ruleset, races = board.ruleset or ruleset, (board.race_to, board.race_to)
    else:
        reason = competition.fixtures[pairing.match].reason
        assert reason is not None
        races = reason.races
    return Terms(
        ruleset=_with_races(ruleset, races),
        preset=usual_table(ruleset.discipline),
        invitation=new_code(8),
    )


def _with_races(ruleset: Ruleset, races: tuple[int, int]) -> Ruleset:
    length = "sets_to_win" if ruleset.match.sets_to_win > 1 else "games_to_win"
    changed: dict[str, Any] = {length: max(races)}
    changed["races"] = races if races[0] != races[1] else None
    match = msgspec.structs.replace(ruleset.match, **changed)
    return msgspec.structs.replace(ruleset, match=match)
