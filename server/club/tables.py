"""The tables of matches: which table is of which match, and the terms on which it is opened."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import msgspec

from server.competitions.acts import Pair, Settling
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

    def of(self, competition: str, match: str, sides: Pair) -> list[LeagueTable]:
        """The tables at which these two have begun a match, the latest first."""
        mine = self._of_match.get((competition, match), [])
        return [at for at in reversed(mine) if set(at.sides) == set(sides)]

    def latest(self, competition: str, match: str, sides: Pair) -> str | None:
        """The table at which these two have begun a match last."""
        tables = self.of(competition, match, sides)
        return tables[0].table if tables else None


def is_over(table: Table) -> bool:
    """Whether the match of an open table has been played to its end."""
    keeper = table.course.keeper
    return keeper is not None and keeper.state.phase is Phase.MATCH_OVER


def is_dead(competition: Competition, at: LeagueTable) -> bool:
    """Whether nothing hangs any more on the match that is played at a table: it is settled, one
    of them has left, or a correction has others meet."""
    match = competition.fixtures.get(at.match)
    return match is None or not match.is_open or match.pair != set(at.sides)


def has_counted(competition: Competition, at: LeagueTable) -> bool:
    """Whether a result of these two has ever been entered, even if it was taken back."""
    return any(
        isinstance(line.act, Settling)
        and line.act.match == at.match
        and set(line.act.sides) == set(at.sides)
        for line in competition.log
    )


def has_table(competition: Competition, match: str) -> bool:
    """Whether a match can be played at a table of this server: one against one."""
    return competition.settings.teams is None and competition.fixtures[match].reason is not None


def terms_of(competition: Competition, match: str) -> Terms:
    """The terms of the table for a match: the competition's rules, over the match's races."""
    reason = competition.fixtures[match].reason
    assert reason is not None
    return Terms(
        ruleset=_with_races(competition.settings.ruleset, reason.races),
        preset=usual_table(competition.settings.ruleset.discipline),
        invitation=new_code(8),
    )


def _with_races(ruleset: Ruleset, races: tuple[int, int]) -> Ruleset:
    length = "sets_to_win" if ruleset.match.sets_to_win > 1 else "games_to_win"
    changed: dict[str, Any] = {length: max(races)}
    changed["races"] = races if races[0] != races[1] else None
    match = msgspec.structs.replace(ruleset.match, **changed)
    return msgspec.structs.replace(ruleset, match=match)
