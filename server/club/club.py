"""The club: requests about competitions, and what follows by time.

A free station gets the next match whose players are free; once both are here its table is opened
with both seated.  The end of the match and its result are one commit.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import msgspec
from sqlalchemy import Executable

from server import competitions
from server.accounts import roles
from server.accounts.oversight import Oversight
from server.accounts.own_matches import check_entry
from server.accounts.roles import Right
from server.chat.text import cleaned
from server.clock import ServerClock
from server.club import shown
from server.club.book import Book
from server.club.calls import Calls
from server.club.outcome import changed
from server.club.tables import Tables
from server.competitions import acts as a
from server.competitions.setup import Settings
from server.connection import Connection
from server.floor import Floor
from server.memory import Tell, once, remember
from server.people import People
from server.person import Person
from server.rounds import Rounds
from server.storage.competitions import LeagueTable
from server.storage.journal import NotStored
from server.storage.requests import remembering
from server.storage.store import Store
from server.terms import code_key, new_code
from shared_rules import messages as m
from shared_rules.messages.league import LeagueRequest
from shared_rules.refusal import Code, Refusal
from shared_rules.ruleset import check_ruleset
from shared_rules.state import MatchState

log = logging.getLogger("headstring.server.club")


class Club:
    """See the module."""

    def __init__(
        self, store: Store, people: People, floor: Floor, oversight: Oversight, clock: ServerClock
    ) -> None:
        self._store = store
        self._people = people
        self.book = Book(store.competitions, self._wall)
        self._oversight = oversight
        self._clock = clock
        self._tables = Tables()
        self._opening = asyncio.Lock()
        self._calls = Calls(self.book, floor, people, store, self._tables)
        self._rounds = Rounds("club", self._advance, log)

    def _wall(self) -> float:
        return self._people.wall()

    # --- by time ------------------------------------------------------------------------------

    async def load(self) -> None:
        """Every competition, before the tables are brought back."""
        await self.book.load()
        self._tables.add(await self._store.competitions.tables())
        self._calls.restarted(await self._store.alive_at())

    def start(self) -> None:
        """Begin to call matches; needs a running event loop."""
        self._rounds.start()

    async def stop(self) -> None:
        """Call nobody any more."""
        await self._rounds.stop()

    async def _advance(self) -> None:
        for name in self._calls.in_turn():
            try:
                async with self.book.lock(name):
                    await self._calls.advance(name)
            except (Refusal, NotStored) as error:
                log.warning("competition %s doesn't go on: %s", name, error)
            except Exception:
                log.exception("a fault of the server")
        await self._calls.put_away_dead()

    # --- what happens at tables ---------------------------------------------------------------

    def at_table(self, table: str) -> LeagueTable | None:
        """The match of a competition that a table is, or was, for."""
        return self._tables.get(table)

    @property
    def tables(self) -> Iterable[LeagueTable]:
        """Every table that a competition has had."""
        return self._tables.every()

    def station_of(self, at: LeagueTable) -> str | None:
        """Where the match of a table was called to last."""
        competition = self.book.kept[at.competition]
        call = competition.facts.calls.get(at.match)
        if call is not None:
            return call.station
        for line in reversed(competition.log):  # it is settled, and its call is over
            if isinstance(line.act, a.Called) and line.act.match == at.match:
                return line.act.station
        return None

    @asynccontextmanager
    async def settling(
        self, table: str, before: MatchState, after: MatchState
    ) -> AsyncIterator[Sequence[Executable]]:
        """What an order at a table does to its competition, to be written with it."""
        at = self._tables.get(table)
        if at is None or before.winner == after.winner:
            yield ()
            return
        async with self.book.lock(at.competition):
            try:
                acts = changed(self.book.kept[at.competition], at, before, after)
                made = self.book.with_acts(at.competition, "server", acts) if acts else None
            except Refusal as refusal:  # the match is over all the same
                log.warning("table %s doesn't count for its competition: %s", table, refusal)
                made = None
            if not made:
                yield ()
                return
            yield made[1]
            self.book.kept[at.competition] = made[0]

    # --- requests -----------------------------------------------------------------------------

    async def take(self, connection: Connection, request: LeagueRequest) -> None:
        """Carry out a request and answer it.

        Raises:
            Refusal, NotStored: nothing has changed.
        """
        person = connection.speaker
        if person is None:
            return
        match request:
            case m.ListCompetitions():
                kept = reversed(self.book.kept.items())
                every = tuple(shown.summary(name, one) for name, one in kept)
                connection.send(m.Competitions(re=request.id, competitions=every))
            case m.GetCompetition():
                found, name = self.book.find(request.competition), _id(request.competition)
                now = self._people.wall()
                connection.send(
                    shown.whole(request.id, name, found, self._tables, now, request.log)
                )
            case m.EnterAct(preview=True):
                roles.check(person.role, Right.RUN_COMPETITIONS)
                await self._preview(connection, person, request)
            case m.OpenCompetition():
                roles.check(person.role, Right.RUN_COMPETITIONS)
                await once(connection, request, lambda tell: self._open(person, request, tell))
            case m.EnterAct() | m.DrawCompetition():
                roles.check(person.role, Right.RUN_COMPETITIONS)
                await once(connection, request, lambda tell: self._enter(person, request, tell))

    async def _open(self, person: Person, request: m.OpenCompetition, tell: Tell) -> None:
        settings = _read(request.settings, Settings)
        _check_rules(settings)
        async with self._opening:
            self.book.check_room()
            while (name := new_code(6)) in self.book.kept:
                pass
            answer = m.Accepted(re=request.id, competition=name)
            await self.book.open(name, settings, person.id, self._with(person, request, answer))
        tell(answer)

    async def _enter(
        self, person: Person, request: m.EnterAct | m.DrawCompetition, tell: Tell
    ) -> None:
        name = _id(request.competition)
        self.book.find(name)
        act = None
        if isinstance(request, m.EnterAct):
            act = await self._named(_read(request.act, a.AnyAct))
        async with AsyncExitStack() as locks:
            await locks.enter_async_context(self.book.lock(name))
            competition = self.book.kept[name]
            if act is not None:
                check_entry(competition, person.id, act)
            else:
                seed = getattr(request, "seed", None)
                act = competitions.draw(competition, secrets.randbits(53) if seed is None else seed)
            if isinstance(act, a.Called):
                await locks.enter_async_context(self.book.calling)
                act = self._calls.checked(name, act)
            number = len(competition.log) + 1
            answer = m.Accepted(re=request.id, competition=name, entry=number)
            also = self._with(person, request, answer)
            after = await self.book.record(name, person.id, act, also)
        tell(answer)
        if isinstance(act, a.Called):
            self._calls.tell(name, after, act, None)

    async def _preview(self, connection: Connection, person: Person, request: m.EnterAct) -> None:
        act = _read(request.act, a.AnyAct)
        if not isinstance(act, a.Corrected):
            raise Refusal(Code.NOT_ALLOWED, "only corrections are previewed")
        name = _id(request.competition)
        competition = self.book.find(name)
        after, _ = self.book.with_acts(name, person.id, (act,))  # refused as it would be
        found = competitions.consequences(competition, after.log[-1])
        connection.send(shown.follows(request.id, found))

    async def _named(self, act: a.AnyAct) -> a.AnyAct:
        """An entry or a line-up with the ids of the people who are named; rules that hold
        together."""
        if isinstance(act, a.SettingsChanged):
            _check_rules(act.settings)
        if isinstance(act, a.LineUp):
            boards = [
                tuple([(await self._oversight.find(who)).person for who in players])
                for players in act.boards
            ]
            return msgspec.structs.replace(act, boards=tuple(boards))
        if not isinstance(act, a.Entered):
            return act
        entrant = act.entrant
        if entrant.players:
            found = [(await self._oversight.find(who)).person for who in entrant.players]
            players = tuple(found)
            return msgspec.structs.replace(
                act, entrant=msgspec.structs.replace(entrant, players=players)
            )
        who = await self._oversight.find(entrant.id)
        return msgspec.structs.replace(
            act, entrant=msgspec.structs.replace(entrant, id=who.person, name=who.name)
        )

    def _with(
        self,
        person: Person,
        request: m.OpenCompetition | m.EnterAct | m.DrawCompetition,
        answer: m.Accepted,
    ) -> Sequence[Executable]:
        return remembering(person.id, remember(request, answer), self._clock.now())


def _id(name: str) -> str:
    return code_key(name)


def _check_rules(settings: Settings) -> None:
    check_ruleset(settings.ruleset)
    for board in settings.teams.boards if settings.teams is not None else ():
        check_ruleset(board.ruleset or settings.ruleset)


def _read(value: dict[str, Any], kind: Any) -> Any:
    """Settings or an act, of texts that are cleaned.

    Raises:
        Refusal: ``malformed``.
    """
    try:
        return msgspec.convert(_clean(value), kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise Refusal(Code.MALFORMED, f"{error}") from error


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return cleaned(value)
    if isinstance(value, dict):
        return {key: _clean(part) for key, part in value.items()}
    return [_clean(part) for part in value] if isinstance(value, list | tuple) else value
