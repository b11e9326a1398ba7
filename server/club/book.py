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
from server.competitions.acts import AnyAct, BoardResult
from server.competitions.competition import Competition
from server.competitions.setup import Settings
from server.competitions.teams import result_of
from server.storage import competitions as rows
from server.storage.competitions import CompetitionStore
from server.terms import code_key
from shared_rules.refusal import Code, Refusal

MOST_COMPETITIONS = 2000


class Book:
    """``kept``: every competition by its id, the oldest first."""

    def __init__(self, store: CompetitionStore, wall: Callable[[], float]) -> None:
        """``wall``: the Unix time; ``changed``: told each change but those by a table."""
        self.changed: Callable[[str, Competition, Competition], None] = lambda *_: None
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

    def with_acts(
        self, name: str, by: str, acts: Sequence[AnyAct]
    ) -> tuple[Competition, Sequence[Executable]]:
        """The competition with so many more lines, and the statements that write them; not yet in
        force.  The last board of a team match brings the result of that, as a line of the server.

        Raises:
            Refusal: one of the acts isn't taken.
        """
        after = self.kept[name]
        number = len(after.log)
        for act in acts:
            at = max([self._wall(), *(line.at for line in after.log[-1:])])
            after = competitions.record(after, at, by, act)
            result = isinstance(act, BoardResult) and result_of(after.facts, act.match, act.sides)
            if result:
                after = competitions.record(after, at, "server", result)
        return after, [rows.line(name, line) for line in after.log[number:]]

    async def record(
        self, name: str, by: str, act: AnyAct, also: Sequence[Executable] = ()
    ) -> Competition:
        """One more line, on the disk and then in force; the caller holds the lock.

        Raises:
            Refusal, NotStored: nothing has changed.
        """
        after, lines = self.with_acts(name, by, (act,))
        await self._store.write(*lines, *also)
        before, self.kept[name] = self.kept[name], after
        self.changed(name, before, after)
        return after
