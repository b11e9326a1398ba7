"""The board: what everybody in the lobby is told of people, tables and open challenges.

Looked over a few times a second, while anybody wants it; what has changed since is one message,
encoded once, for all.  Who comes, and who reads too slowly, gets all of it as it was told last.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import msgspec

from server.connection import Connection
from server.floor import Floor
from server.gallery import BATCH
from server.people import People
from server.person import Person
from server.rating.book import RatingBook
from server.table import Table
from shared_rules.messages import (
    ChallengeSummary,
    LobbyChanges,
    LobbyPerson,
    LobbyShown,
    LobbyTable,
)
from shared_rules.state import Phase
from shared_rules.wire import write_message

TOPIC = "lobby"  # no table is called so
MOST_PEOPLE = 1000
MOST_TABLES_SHOWN = 500

T = TypeVar("T", LobbyPerson, LobbyTable, ChallengeSummary)


class _View(msgspec.Struct, frozen=True):
    people: dict[str, LobbyPerson] = {}
    tables: dict[str, LobbyTable] = {}
    challenges: dict[str, ChallengeSummary] = {}
    here: int = 0


class Board:
    """See the module.  ``readers``: connections that are told."""

    def __init__(
        self,
        people: People,
        floor: Floor,
        ratings: RatingBook,
        challenges: Callable[[], Iterable[ChallengeSummary]],
    ) -> None:
        """``challenges``: those that are open to all."""
        self.readers: dict[Connection, None] = {}
        self._people = people
        self._floor = floor
        self._ratings = ratings
        self._challenges = challenges
        self._seq = 0
        self._view = _View()
        self._shown: bytes | None = None

    def admit(self, connection: Connection) -> None:
        """From now on this connection is told; it gets all of the board first."""
        if not self.readers:
            self._view, self._shown = self._look(), None
        self.readers[connection] = None
        connection.outbox.forget(TOPIC)
        connection.event(TOPIC, self._snapshot())

    def dismiss(self, connection: Connection) -> None:
        """It is told no more."""
        if connection in self.readers:
            del self.readers[connection]
            connection.outbox.forget(TOPIC)

    def snapshot(self, connection: Connection) -> bytes | None:
        """All of the board, for a reader who was too slow; None: he reads no more."""
        return self._snapshot() if connection in self.readers else None

    async def tell(self) -> None:
        """Tell all readers what has changed, if anything has."""
        if not self.readers:
            return
        before, self._view = self._view, self._look()
        after = self._view
        if before == after:
            return
        self._seq += 1
        self._shown = None
        people, people_gone = _changes(before.people, after.people)
        tables, tables_gone = _changes(before.tables, after.tables)
        challenges, challenges_gone = _changes(before.challenges, after.challenges)
        data = write_message(
            LobbyChanges(
                seq=self._seq,
                here=after.here,
                people=people,
                tables=tables,
                challenges=challenges,
                people_gone=people_gone,
                tables_gone=tables_gone,
                challenges_gone=challenges_gone,
            )
        )
        for count, connection in enumerate(list(self.readers), start=1):
            if connection in self.readers:  # he may have left meanwhile
                connection.event(TOPIC, data)
            if count % BATCH == 0:
                await asyncio.sleep(0)

    def _snapshot(self) -> bytes:
        if self._shown is None:
            view = self._view
            self._shown = write_message(
                LobbyShown(
                    seq=self._seq,
                    here=view.here,
                    people=tuple(view.people.values()),
                    tables=tuple(view.tables.values()),
                    challenges=tuple(view.challenges.values()),
                )
            )
        return self._shown

    # --- looking ------------------------------------------------------------------------------

    def _look(self) -> _View:
        here = [person for person in self._people.everybody() if person.connection is not None]
        tables = list(self._floor.listed())[:MOST_TABLES_SHOWN]
        late = self._floor.seen_late()
        return _View(
            people={
                person.name: self._person(person, late.get(person.id))
                for person in here[:MOST_PEOPLE]
            },
            tables={table.id: _table(table) for table in tables},
            challenges={c.challenge: c for c in self._challenges()},
            here=len(here),
        )

    def _person(self, person: Person, late: Table | None) -> LobbyPerson:
        plays = self._floor.plays_at(person) or late
        watches = person.connection is not None and person.connection.tables
        shown = plays is not None and plays.room.terms.watch == "everyone"
        return LobbyPerson(
            name=person.name,
            account=person.account,
            status="playing" if plays is not None else "watching" if watches else "free",
            ratings=self._ratings.shown(person.id),
            table=plays.id if plays is not None and shown else None,
        )


def _table(table: Table) -> LobbyTable:
    room, terms = table.room, table.room.terms
    state = room.public
    first, second = (person.name if person is not None else None for person in room.seats)
    clock = state.clock.shot_clock if state is not None else terms.shot_clock
    return LobbyTable(
        table=table.id,
        ruleset=terms.ruleset.id,
        discipline=terms.ruleset.discipline,
        players=(first, second),
        status=(
            "waiting" if room.seats[1] is None
            else "over" if state is not None and state.phase is Phase.MATCH_OVER
            else "adjourned" if room.seen_to_end
            else "playing"
        ),
        games=state.games if state is not None else (0, 0),
        sets=state.sets if state is not None else (0, 0),
        games_to_win=terms.ruleset.match.games_to_win,
        sets_to_win=terms.ruleset.match.sets_to_win,
        races=terms.ruleset.match.races,
        shot_clock_s=clock.limit_s if clock is not None else None,
        watch=terms.watch,
        private=terms.private,
        rated=terms.rated,
    )  # fmt: skip


def _changes(
    before: Mapping[str, T], after: Mapping[str, T]
) -> tuple[tuple[T, ...], tuple[str, ...]]:
    """What is new or different, and what is no more."""
    changed = tuple(row for name, row in after.items() if before.get(name) != row)
    return changed, tuple(name for name in before if name not in after)
