"""Fixtures to tables: who is called where, who is there, who is late, and the table's opening.

``Calls.advance`` brings a competition as far as it can go now; the caller holds its lock.
"""

import logging

from server.club import shown
from server.club.book import Book
from server.club.pairings import Pairing, pairings
from server.club.tables import Tables, has_counted, is_dead, is_over, terms_of
from server.competitions import acts as a
from server.competitions.calling import late, next_calls
from server.competitions.competition import Competition
from server.competitions.facts import Call
from server.course import Course
from server.floor import Floor
from server.lobby.seating import is_here, send, tell_found
from server.logs import fields
from server.people import People
from server.person import Person
from server.storage.competitions import LeagueTable, at_table
from server.storage.records import UNFINISHED, Statements
from server.storage.store import Store
from server.table import Table
from shared_rules import messages as m
from shared_rules.refusal import Code, Refusal
from shared_rules.state import Phase

log = logging.getLogger("headstring.server.club")

STOOD_STILL_S = 10.0
"""So long between two rounds, and no player's time has run: the server could not go on."""


class Calls:
    """See the module."""

    def __init__(
        self, book: Book, floor: Floor, people: People, store: Store, tables: Tables
    ) -> None:
        self._book = book
        self._floor = floor
        self._people = people
        self._store = store
        self._tables = tables
        self._played: set[str] = set()  # tables seen with their match under way
        self._told: set[tuple[str, int, int | None]] = set()  # whose adjourned table was named
        self._called_at: dict[str, float] = {}  # when each had a station last
        self._went: dict[str, float] = {}  # when each competition was brought on last
        self._swept: dict[str, int] = {}  # length of each log when its tables were looked over
        self._restarted: set[str] = set()  # those not brought on since the start
        book.changed = self._tell_what_is_over

    def restarted(self, alive: float) -> None:
        """The server has started anew; it was alive last at a Unix time."""
        for name, competition in self._book.kept.items():
            self._went[name] = max([alive, *(line.at for line in competition.log[-1:])])
            self._restarted.add(name)

    def in_turn(self) -> list[str]:
        """All competitions, those first that have had a station longest ago."""
        return sorted(self._book.kept, key=lambda name: self._called_at.get(name, 0.0))

    async def advance(self, name: str) -> None:
        """Who is here has arrived, who is late is put out, adjourned matches free their station,
        free stations get matches, and matches whose players are here get their tables.

        Raises:
            Refusal, NotStored: something could not be done now; call again later.
        """
        competition, now = self._book.kept[name], self._people.wall()
        if competition.facts.started and not self._is_done(name, competition):
            await self._stood_still(name, now)
            await self._arrive(name)
            for act in late(self._book.kept[name], now):
                await self._book.record(name, "server", act)
            await self._hold_adjourned(name)
            await self._call(name)
            for match, call in list(self._book.kept[name].calls.items()):
                await self._seat(name, match, call)
            await self._close_dead(name)
        self._went[name] = now

    def _is_done(self, name: str, competition: Competition) -> bool:
        return competition.is_over and self._swept.get(name) == len(competition.log)

    async def _stood_still(self, name: str, now: float) -> None:
        """Nobody is later for the time in which the server was down, or could not write."""
        went, competition = self._went.get(name, now), self._book.kept[name]
        least = 0.0 if name in self._restarted else STOOD_STILL_S
        if now - went > least and competition.calls and competition.facts.paused_at is None:
            since = max(went, competition.log[-1].at)
            act = a.Resumed(since=since, reason="the server had stopped")
            await self._book.record(name, "server", act)
        self._restarted.discard(name)

    async def _arrive(self, name: str) -> None:
        """Who is signed in is at his station; of a team one is enough."""
        competition = self._book.kept[name]
        for match, call in competition.calls.items():
            for side in call.sides:
                people = competition.facts.entrants[side].people
                here = any((p := self._people.present(who)) and is_here(p) for who in people)
                if here and side not in call.arrived:
                    await self._book.record(name, "server", a.Arrived(match=match, entrant=side))

    # --- tables that don't go on --------------------------------------------------------------

    async def _hold_adjourned(self, name: str) -> None:
        """A match whose table is adjourned waits for an official, and its station is free.

        Once for each adjournment: one that he has let go on stays so until its players are back.
        """
        for match, call in list(self._book.kept[name].calls.items()):
            table = self._tables.latest(name, self._book.kept[name], match, call.sides)
            if table is None:
                continue
            adjourned, version = await self._adjourned(table)
            if not adjourned:
                self._played.add(table)
                continue
            known = self._book.kept[name].facts.adjourned.get(match) == version
            if not known or table in self._played:
                await self._book.record(name, "server", a.CalledOff(match=match))
                await self._book.record(name, "server", a.Held(match=match, adjourned=version))
            self._played.discard(table)

    async def _adjourned(self, table: str) -> tuple[bool, int]:
        """Whether the match of a table is adjourned, and its version."""
        open_table = self._floor.tables.get(table)
        keeper = open_table.course.keeper if open_table is not None else None
        if open_table is None or keeper is None:
            status, version = await self._store.matches.standing(table)
            return status == "adjourned", version
        return open_table.course.attendance.adjourned, keeper.state.version

    async def put_away_dead(self) -> None:
        """Close the tables of matches on which nothing hangs any more.

        No lock is held: a table that ends a match waits for its competition's.
        """
        for table in list(self._floor.tables.values()):
            at = self._tables.get(table.id)
            if at is None or not is_dead(self._book.kept[at.competition], at):
                continue
            if is_over(table):
                continue
            try:
                await table.oversee(lambda course, at=at: self._put_away(course, at))  # type: ignore[misc]
            except Refusal as refusal:
                if refusal.code not in (Code.TABLE_CLOSED, Code.SHUTTING_DOWN, Code.OVERLOADED):
                    log.warning(
                        "a table can't be put away: %s", refusal, extra=fields(table=at.table)
                    )

    async def _put_away(self, course: Course, at: LeagueTable) -> None:
        keeper = course.keeper
        if keeper is None or keeper.state.phase in (Phase.SHOT_RUNNING, Phase.MATCH_OVER):
            return
        if is_dead(self._book.kept[at.competition], at):
            await course.put_away("the match is settled without this table", "closed")

    async def _close_dead(self, name: str) -> None:
        """The same for tables that are in the log alone, because their match was adjourned."""
        competition = self._book.kept[name]
        if self._swept.get(name) == len(competition.log):
            return
        for at in await self._store.competitions.unfinished(name):
            if at.table not in self._floor.tables and is_dead(competition, at):
                await self._store.matches.set_status(at.table, "closed")
        self._swept[name] = len(competition.log)

    # --- calls --------------------------------------------------------------------------------

    async def _call(self, name: str) -> None:
        async with self._book.calling:
            competition = self._book.kept[name]
            playing = (p.id for p in self._people.everybody() if not self._floor.is_free(p, ""))
            called, taken = self._book.elsewhere(name)
            busy = called.union(playing)
            for act in next_calls(competition, self._people.wall(), busy, taken):
                competition = await self._book.record(name, "server", act)
                self._called_at[name] = self._people.wall()
                self.tell(name, competition, act, None)

    def checked(self, name: str, act: a.Called) -> a.Called:
        """An official's call, with the time from which lateness counts; the caller holds
        ``calling``.

        Raises:
            Refusal: another competition has the station, or somebody of the match.
        """
        competition = self._book.kept[name]
        people, stations = self._book.elsewhere(name)
        match = competition.fixtures.get(act.match)
        if act.station in stations:
            raise Refusal(Code.TABLE_FULL, f"another competition is at {act.station}")
        if match is not None and not people.isdisjoint(competition.people_of(match)):
            raise Refusal(Code.ALREADY_PLAYING, "somebody of it plays in another competition")
        standing = competition.calls.get(act.match)
        least = standing.due if standing is not None else self._people.wall()
        return a.Called(
            match=act.match, sides=act.sides, station=act.station, due=max(act.due, least)
        )

    # --- tables that are opened ---------------------------------------------------------------

    async def _seat(self, name: str, match: str, call: Call) -> None:
        """Open the table of a match whose players are both here and free; of a team match those
        of its boards, one after the other."""
        competition = self._book.kept[name]
        waiting = pairings(competition, match, call.sides)
        if any(self._is_played(at) for pairing in waiting for at in self._tables.of(name, pairing)):
            return
        for pairing in waiting:
            first, second = (self._people.present(side) for side in pairing.sides)
            if first is None or second is None:
                continue
            if not all(is_here(p) and self._floor.is_free(p, "") for p in (first, second)):
                continue
            begun = await self._begun(competition, name, pairing)
            if begun is None:
                await self._open(name, pairing, call, (first, second))
            elif (name, call.entry, pairing.board) not in self._told:
                self._told.add((name, call.entry, pairing.board))
                self.tell(name, competition, _again(match, call), begun, pairing)
            return

    def _is_played(self, at: LeagueTable) -> bool:
        """Whether the match of a table is under way."""
        table = self._floor.tables.get(at.table)
        return table is not None and not table.course.attendance.adjourned and not is_over(table)

    async def _begun(self, competition: Competition, name: str, pairing: Pairing) -> str | None:
        """The table at which these two have begun this match and not ended it.

        One that was put away because a player had left is taken up again when he is back in; one
        that an official has closed isn't.  A match that was played to its end is played again only
        if its result was taken back.
        """
        for at in self._tables.of(name, pairing):
            table = self._floor.tables.get(at.table)
            if table is None:
                status, _ = await self._store.matches.standing(at.table)
            else:
                status = "over" if is_over(table) else "running"
            if status in UNFINISHED or (status == "over" and not has_counted(competition, at)):
                return at.table
            if (
                status == "closed"
                and await self._store.actions.last_action(at.table, "close_table") is None
            ):
                record = await self._store.matches.load(at.table)
                assert record is not None
                await self._store.matches.reopen(record, False, ())
                return at.table
        return None

    async def _open(
        self, name: str, pairing: Pairing, call: Call, pair: tuple[Person, Person]
    ) -> None:
        competition = self._book.kept[name]
        terms = terms_of(competition, pairing)
        opened: list[LeagueTable] = []

        def also(table: str) -> Statements:
            at = LeagueTable(
                table=table, competition=name, match=pairing.match, sides=pairing.sides,
                board=pairing.board,
            )  # fmt: skip
            self._tables.add((at,))
            opened.append(at)
            return (at_table(at),)

        def announce(table: Table) -> None:
            tell_found(pair, table, terms, "competition")
            self.tell(name, competition, _again(pairing.match, call), table.id, pairing)

        try:
            await self._floor.open_match(pair, terms, also, announce)
        except BaseException as error:
            for at in opened:
                self._tables.discard(at)
            if not isinstance(error, Refusal):
                raise
            log.warning("a match gets no table: %s", error, extra=fields(competition=name))

    def _tell_what_is_over(self, name: str, before: Competition, after: Competition) -> None:
        """Tell both sides of each match that was called and isn't any more."""
        for match, call in before.calls.items():
            if match in after.calls and after.calls[match].sides == call.sides:
                continue
            now = after.fixtures.get(match)
            waits = now is not None and now.is_open and now.sides == call.sides
            for seat, side in enumerate(call.sides):
                told = m.MatchCallOver(
                    competition=name, name=after.settings.name, match=match, waits=waits,
                    opponent=before.facts.entrants[call.sides[1 - seat]].name,
                )  # fmt: skip
                for who in before.facts.entrants[side].people:
                    person = self._people.present(who)
                    if person is not None:
                        send(person, told)

    def tell(
        self,
        name: str,
        competition: Competition,
        act: a.Called,
        table: str | None,
        pairing: Pairing | None = None,
    ) -> None:
        """Tell both sides of a match where it is called to; of a board the two who play it."""
        for side in act.sides:
            for who in competition.facts.entrants[side].people:
                person = self._people.present(who)
                if person is not None and (pairing is None or who in pairing.sides):
                    send(person, shown.called(name, competition, act, side, table, pairing))


def _again(match: str, call: Call) -> a.Called:
    return a.Called(match=match, sides=call.sides, station=call.station, due=call.due)
