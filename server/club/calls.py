"""Fixtures to tables: who is called where, who is there, who is late, and the table's opening.

``Calls.advance`` brings a competition as far as it can go now; the caller holds the book's lock.
"""

import msgspec

from server.club import shown
from server.club.book import Book
from server.competitions import acts as a
from server.competitions.calling import late, next_calls
from server.competitions.competition import Competition
from server.competitions.facts import Call
from server.floor import Floor
from server.lobby.seating import is_here, send, tell_found
from server.people import People, Person
from server.shots import usual_table
from server.storage.competitions import LeagueTable, at_table
from server.storage.records import UNFINISHED, Statements, Terms
from server.storage.store import Store
from server.table import Table
from server.terms import new_code
from shared_rules.ruleset import Ruleset


class Calls:
    """See the module."""

    def __init__(
        self,
        book: Book,
        floor: Floor,
        people: People,
        store: Store,
        tables: dict[str, LeagueTable],
    ) -> None:
        """``tables``: by name, every table that a competition has had; new ones are added."""
        self._book = book
        self._floor = floor
        self._people = people
        self._store = store
        self._tables = tables
        self._adjourned: set[str] = set()

    async def advance(self, name: str) -> None:
        """Who is late is put out, adjourned matches free their station, free stations get matches,
        and matches whose players are here get their tables.

        Raises:
            Refusal, NotStored: something could not be done now; call again later.
        """
        competition = self._book.kept[name]
        if not competition.facts.started or competition.is_over:
            return
        for act in late(competition, self._people.wall()):
            await self._book.record(name, "server", act)
        await self._hold_adjourned(name)
        await self._call(name)
        for match, call in list(self._book.kept[name].calls.items()):
            await self._arrive_and_open(name, match, call)

    async def _hold_adjourned(self, name: str) -> None:
        """A match whose table is adjourned waits for an official, and its station is free."""
        for at in list(self._tables.values()):
            table = self._floor.tables.get(at.table)
            if at.competition != name or table is None:
                continue
            if not table.course.attendance.adjourned:
                self._adjourned.discard(at.table)
            elif at.table not in self._adjourned:
                if at.match in self._book.kept[name].calls:
                    await self._book.record(name, "server", a.CalledOff(match=at.match))
                    await self._book.record(name, "server", a.Held(match=at.match))
                self._adjourned.add(at.table)

    async def _call(self, name: str) -> None:
        competition = self._book.kept[name]
        busy = {
            person.id for person in self._people.everybody() if not self._floor.is_free(person, "")
        }
        taken = set[str]()
        for other, one in self._book.kept.items():
            if other == name or not one.facts.calls:
                continue
            for match, standing in one.calls.items():
                taken.add(standing.station)
                busy |= one.people_of(one.fixtures[match])
        now = self._people.wall()
        for act in next_calls(competition, now, frozenset(busy), frozenset(taken)):
            competition = await self._book.record(name, "server", act)
            self._tell(name, competition, act, None)

    async def _arrive_and_open(self, name: str, match: str, call: Call) -> None:
        competition = self._book.kept[name]
        pair = [self._people.present(side) for side in call.sides]
        for side, person in zip(call.sides, pair, strict=True):
            if person is not None and is_here(person) and side not in call.arrived:
                act = a.Arrived(match=match, entrant=side)
                competition = await self._book.record(name, "server", act)
        first, second = pair
        if first is None or second is None or not _has_table(competition, match):
            return
        ready = all(is_here(p) and self._floor.is_free(p, "") for p in (first, second))
        if ready and not await self._has_one(name, match, call):
            await self._open(name, match, call, (first, second))

    async def _has_one(self, name: str, match: str, call: Call) -> bool:
        """Whether there is a table already at which these two have begun this match."""
        for at in self._tables.values():
            if (at.competition, at.match, at.sides) == (name, match, call.sides):
                if at.table in self._floor.tables:
                    return True
                record = await self._store.load(at.table)
                if record is not None and record.status in UNFINISHED:
                    return True
        return False

    async def _open(self, name: str, match: str, call: Call, pair: tuple[Person, Person]) -> None:
        competition = self._book.kept[name]
        terms = terms_of(competition, match)
        act = a.Called(match=match, sides=call.sides, station=call.station, due=call.due)
        opened: list[LeagueTable] = []

        def also(table: str) -> Statements:
            at = LeagueTable(table=table, competition=name, match=match, sides=call.sides)
            self._tables[table] = at
            opened.append(at)
            return (at_table(at),)

        def announce(table: Table) -> None:
            tell_found(pair, table, terms, "competition")
            self._tell(name, competition, act, table.id)

        try:
            await self._floor.open_match(pair, terms, also, announce)
        except BaseException:
            for at in opened:
                del self._tables[at.table]
            raise

    def _tell(self, name: str, competition: Competition, act: a.Called, table: str | None) -> None:
        for side in act.sides:
            for who in competition.facts.entrants[side].people:
                person = self._people.present(who)
                if person is not None:
                    send(person, shown.called(name, competition, act, side, table))


def _has_table(competition: Competition, match: str) -> bool:
    """Whether a match can be played at a table of this server: one against one, to equal races."""
    reason = competition.fixtures[match].reason
    teams = competition.settings.teams is not None
    return not teams and reason is not None and reason.races[0] == reason.races[1]


def terms_of(competition: Competition, match: str) -> Terms:
    """The terms of the table for a match: the competition's rules, over the match's race."""
    reason = competition.fixtures[match].reason
    assert reason is not None
    return Terms(
        ruleset=_with_race(competition.settings.ruleset, reason.races[0]),
        preset=usual_table(competition.settings.ruleset.discipline),
        invitation=new_code(8),
    )


def _with_race(ruleset: Ruleset, race: int) -> Ruleset:
    sets = ruleset.match.sets_to_win > 1
    changed = {"sets_to_win" if sets else "games_to_win": race}
    match = msgspec.structs.replace(ruleset.match, **changed)
    return msgspec.structs.replace(ruleset, match=match)
