"""The club's competitions: in memory as their logs make them, in the database line by line.

A line is in force once it is on the disk.  What changes a competition holds its ``lock``
meanwhile; what calls a match holds ``calling`` besides, because stations and people are those of
all competitions.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence

from sqlalchemy import Executable

from server import competitions
from server.competitions.acts import AnyAct
from server.competitions.competition import Competition
from server.competitions.setup import Settings
from server.storage import competitions as rows
from server.storage.competitions import CompetitionStore
from server.terms import code_key
from shared_rules.refusal import Code, Refusal

MOST_COMPETITIONS = 2000


class Book:
    """``kept``: every competition by its id, the oldest first."""

    def __init__(self, store: CompetitionStore, wall: Callable[[], float]) -> None:
        """``wall``: the Unix time."""
        self.kept: dict[str, Competition] = {}
        self.calling = asyncio.Lock()
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._store = store
        self._wall = wall

    async def load(self) -> None:
        """Everything that is stored."""
        for stored in await self._store.all():
            self.kept[stored.id] = await asyncio.to_thread(
                competitions.replay, stored.opened, stored.log
            )

    def lock(self, name: str) -> asyncio.Lock:
        """Held while that competition is changed; what happens in one delays no other."""
        return self._locks[name]

    def elsewhere(self, name: str) -> tuple[frozenset[str], frozenset[str]]:
        """People and stations that matches of other competitions are called to."""
        people, stations = set[str](), set[str]()
        for other, one in self.kept.items():
            if other == name or not one.facts.calls:
                continue
            for match, call in one.calls.items():
                stations.add(call.station)
                people |= one.people_of(one.fixtures[match])
        return frozenset(people), frozenset(stations)

    def find(self, name: str) -> Competition:
        """The competition of that id.

        Raises:
            Refusal: ``unknown_match``.
        """
        found = self.kept.get(code_key(name))
        if found is None:
            raise Refusal(Code.UNKNOWN_MATCH, f"there is no competition {name}")
        return found

    def check_room(self) -> None:
        """May there be one more?

        Raises:
            Refusal: ``overloaded``.
        """
        if len(self.kept) >= MOST_COMPETITIONS:
            raise Refusal(Code.OVERLOADED, "this server keeps no more competitions")

    async def open(
        self, name: str, settings: Settings, by: str, also: Sequence[Executable]
    ) -> None:
        """A new competition of that id.

        Raises:
            NotStored: there is none.
        """
        await self._store.write(rows.opened(name, settings, by, self._wall()), *also)
        self.kept[name] = competitions.new(settings)

    def with_act(self, name: str, by: str, act: AnyAct) -> tuple[Competition, Executable]:
        """The competition with one more line, and the statement that writes it; not yet in force.

        Raises:
            Refusal: the act isn't taken.
        """
        before = self.kept[name]
        at = max([self._wall(), *(line.at for line in before.log[-1:])])
        after = competitions.record(before, at, by, act)
        return after, rows.line(name, after.log[-1])

    async def record(
        self, name: str, by: str, act: AnyAct, also: Sequence[Executable] = ()
    ) -> Competition:
        """One more line, on the disk and then in force; the caller holds the lock.

        Raises:
            Refusal, NotStored: nothing has changed.
        """
        after, statement = self.with_act(name, by, act)
        await self._store.write(statement, *also)
        self.kept[name] = after
        return after
