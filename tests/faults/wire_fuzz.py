"""A million wrong messages against decoder, session and house: no crash, no leak, no wrong state.

    python -m tests.faults.wire_fuzz --messages 1000000 --seed 1        (make fuzz-wire)

They go to a house on SQLite, and where PostgreSQL is installed a tenth of them to one on that too.

Messages come in batches, each from its own seed and with new people at new tables, so a run can be
taken up at any batch (``--first``) and a find be had again.  After each batch the tables' logs hold
exactly what players were told was accepted, and replay to the states of the tables and to what
everybody was told last; nothing is left in memory.
"""

import argparse
import asyncio
import contextlib
import gc
import logging
import os
import random
import sys
import tempfile
import time
import weakref
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from server.connection import Connection
from server.course import Course
from server.storage.records import MatchRecord
from server.table import Table
from shared_rules import messages as m
from shared_rules.match import replay
from shared_rules.refusal import Refusal
from shared_rules.state import Phase
from shared_rules.view import public_state
from shared_rules.wire import read_server_message
from tests.faults.fuzz_people import Person
from tests.faults.indoors import Indoors, indoors
from tests.faults.mutate import Mutator
from tests.server.databases import Cluster, has_postgresql, standing_for

BATCH = 2000
MOST_GROWTH_MIB = 24.0
"""What memory may grow by between the first tenth of a long run and its end."""
_KEPT = 64  # messages that are sent again


class Errors(logging.Handler):
    """Faults of the server, as it logs them: with a traceback."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.lines.append(logging.Formatter().format(record))


class Batch:
    """Some thousand messages of two players, one who watches, a stranger and one not signed in."""

    def __init__(self, place: Indoors, seed: int, number: int) -> None:
        self.place = place
        self.luck = random.Random(f"{seed}:{number}")
        self.mutator = Mutator(self.luck)
        self.ann, self.bob = Person(place, f"Ann {number}"), Person(place, f"Bob {number}")
        self.eve, self.zoe = Person(place, f"Eve {number}"), Person(place, f"Zoe {number}")
        self.nobody = Person(place, f"No {number}", signs_in=False)
        self.people = [self.ann, self.bob, self.eve, self.zoe, self.nobody]
        self.tables: set[str] = set()
        self.kept: list[bytes] = []
        self.orders = self.given = 0  # in the logs, and by players
        self.refusals: Counter[str] = Counter()

    async def run(self, messages: int) -> None:
        """Send so many, then check.

        Raises:
            AssertionError: something came out wrong.
        """
        for count in range(messages):
            if count % 50 == 0:
                await self._sit_down()
            if self.luck.random() < 0.001:
                await self._flood()
            await self._one()
            await asyncio.sleep(0)
        await self._check()
        await self._go_home()

    async def _one(self) -> None:
        luck = self.luck
        who = luck.choices(self.people, (30, 30, 15, 15, 10))[0]
        await who.be_here()
        due = who.due() if luck.random() < 0.5 else None
        data = due or who.anything(luck, sorted(self.tables))
        chance = luck.random() * (1.0 if due is None else 2.0)  # matches are to go on
        if chance < 0.40:
            data = self.mutator.structure(data)
        elif chance < 0.70:
            data = self.mutator.bytes(data, self.kept)
        elif chance < 0.80 and self.kept:
            data = luck.choice(self.kept)  # another's, or his own once more
        elif len(self.kept) < _KEPT:
            self.kept.append(data)
        else:
            self.kept[luck.randrange(_KEPT)] = data
        await who.send(data.decode("latin-1") if luck.random() < 0.005 else data)
        if who.latest and luck.random() < 0.05:
            self._read_wrong(who.latest)

    def _read_wrong(self, message: bytes) -> None:
        """What a client makes of a server's message gone wrong."""
        wrong = self.luck.choice(
            (self.mutator.structure, lambda data: self.mutator.bytes(data, self.kept))
        )(message)
        with contextlib.suppress(Refusal):
            read_server_message(wrong)

    async def _flood(self) -> None:
        """Somebody sends without end and is hung up on."""
        who = self.luck.choice(self.people)
        await who.be_here()
        before, self.place.message_real_s = self.place.message_real_s, 0.0
        for _ in range(400):
            if who.line.is_over:
                break
            await who.send(b"\xc1")
        self.place.message_real_s = before
        assert who.line.is_over, "a flood was not noticed"

    async def _sit_down(self) -> None:
        """Two play and one watches; where the match is over, a new one."""
        for who in self.people:
            await who.be_here()
            who.listen()
        self.tables |= self.place.house.floor.tables.keys()
        name = self.ann.playing()
        if name is None or name != self.bob.playing():
            for player in (self.ann, self.bob):
                await player.end_matches()
            before = set(self.place.house.floor.tables)
            await self.ann.ask(m.OpenTable, overrides={"match": {"games_to_win": 1}})
            name = next(iter(set(self.place.house.floor.tables) - before), None)
            if name is None:  # a match can't be ended while balls roll; later
                return
        for player in (self.ann, self.bob):
            await player.ask(m.JoinTable, table=name)
        await self.eve.ask(m.WatchTable, table=name)
        self.tables.add(name)

    # --- what must be so ----------------------------------------------------------------------

    async def _check(self) -> None:
        self.tables |= self.place.house.floor.tables.keys()
        for who in self.people:
            who.listen()
        for name in sorted(self.tables):
            record = await self._record(name)
            if record is not None and record.description is not None:
                self._check_log(record)
                for who in self.people:
                    self._check_told(who, record)
        assert not self.place.house.metrics.refused["internal"], "a fault of the server"

    async def _record(self, name: str) -> MatchRecord | None:
        """A table's log; of an open one while its actor does nothing else."""

        async def as_it_is(course: Course) -> MatchRecord | None:
            record = await self.place.store.matches.load(name)
            if record is not None and record.description is not None:
                assert course.keeper is not None
                state = replay(record.description, record.orders)
                assert course.keeper.state == state, "the log doesn't replay to the state"
            return record

        table = self.place.house.floor.tables.get(name)
        if table is not None:
            with contextlib.suppress(Refusal):  # it closes just now
                return await table.oversee(as_it_is)
        return await self.place.store.matches.load(name)

    def _check_log(self, record: MatchRecord) -> None:
        """It replays to the table's state, and players' orders are those they were told of."""
        assert record.description is not None
        self.orders += len(record.orders)
        for seat in (0, 1):
            given = {n for n, order in enumerate(record.orders, 1) if order.by.seat == seat}
            told: set[int] = set()
            for who in self.people:
                told |= who.accepted.get((record.seats[seat] or "", record.match), set())
            assert given == told, (record.match, seat, given ^ told)
            self.given += len(given)
        told_to_others = [
            key
            for who in self.people
            for key in who.accepted
            if key[1] == record.match and key[0] not in record.seats
        ]
        assert not told_to_others, "somebody without a seat has given a command"

    def _check_told(self, who: Person, record: MatchRecord) -> None:
        """What he was told last of a table is in its log."""
        assert record.description is not None
        for (person, name), state in who.told.items():
            if name == record.match:
                seat = record.seats.index(person) if person in record.seats else None
                upto = replay(record.description, record.orders[: state.version])
                assert public_state(upto, seat) == state, (who.name, name)  # type: ignore[arg-type]

    async def _go_home(self) -> None:
        """Everybody goes, tables are closed, and nothing of them is left."""
        house = self.place.house
        left: weakref.WeakSet[Connection | Table] = weakref.WeakSet(
            [*house.connections, *house.floor.tables.values()]
        )
        for who in self.people:
            self.refusals += who.codes
            await who.line.cut()
        for name in list(house.floor.tables):
            await self._close(name)
        assert not house.floor.tables and not house.connections
        assert len(house.people) == 0, "somebody is kept who has gone"
        self.people.clear()
        del self.ann, self.bob, self.eve, self.zoe, self.nobody, who
        for _ in range(3):
            await asyncio.sleep(0.002)
            gc.collect()
        assert not left, f"left behind: {list(left)[:3]}"

    async def _close(self, name: str) -> None:
        """As an official would."""

        async def put_away(course: Course) -> None:
            await course.put_away("the evening is over", "closed")

        for _ in range(1000):
            table = self.place.house.floor.tables.get(name)
            if table is None:
                return
            keeper = table.course.keeper
            if keeper is None or keeper.state.phase is not Phase.SHOT_RUNNING:
                await table.oversee(put_away)
                return
            self.place.real_s += 0.1
            await asyncio.sleep(0.001)
        raise AssertionError("the balls roll for ever")


async def run(
    folder: Path, messages: int, seed: int, first: int = 0, say: Callable[[str], object] = print
) -> Counter[str]:
    """So many messages from batch ``first`` on; figures by name.

    Raises:
        AssertionError: something came out wrong; what is said names the batch.
    """
    errors = Errors()
    logger = logging.getLogger("headstring")
    logger.addHandler(errors)
    figures: Counter[str] = Counter()
    settled_mib: float | None = None
    batches = max(1, -(-messages // BATCH))
    try:
        async with indoors(folder, new_people_burst=1e6) as place:
            for number in range(first, first + batches):
                batch = Batch(place, seed, number)
                size = min(BATCH, messages - (number - first) * BATCH)
                try:
                    await batch.run(size)
                    assert not errors.lines, errors.lines[0]
                except BaseException:
                    say(f"batch {number} of seed {seed}: {errors.lines[:1]}")
                    raise
                figures["messages"] += size
                figures["orders"] += batch.orders
                figures["commands"] += batch.given
                figures["tables"] += len(batch.tables)
                for code, count in batch.refusals.items():
                    figures[code] += count
                if batches >= 10 and number - first == batches // 10:
                    settled_mib = _memory_mib()
                if (number - first) % 10 == 9:
                    say(f"batch {number}: {figures['messages']} messages, {_memory_mib():.0f} MiB")
    finally:
        logger.removeHandler(errors)
    if settled_mib is not None:
        figures["MiB grown"] = round(_memory_mib() - settled_mib)
        assert figures["MiB grown"] <= MOST_GROWTH_MIB, figures["MiB grown"]
    return figures


def _memory_mib() -> float:
    """What this process holds; 0 where the system doesn't tell."""
    table = Path("/proc/self/statm")
    if not table.exists():
        return 0.0
    return int(table.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def main(arguments: list[str] | None = None) -> int:
    """Run, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the batch to begin with")
    parser.add_argument(
        "--database", choices=("sqlite", "postgresql", "both"), default="both",
        help="where they go; both: to SQLite, and a tenth to PostgreSQL where there is one",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    logging.getLogger("headstring").addHandler(logging.NullHandler())
    logging.getLogger("headstring").propagate = False
    if options.database != "postgresql":
        _run_on("SQLite", options.messages, options.seed, options.first)
    if options.database == "postgresql" or (options.database == "both" and has_postgresql()):
        part = 10 if options.database == "both" else 1
        cluster = Cluster()
        try:
            url = cluster.new_database()
            _run_on("PostgreSQL", options.messages // part, options.seed, options.first, url)
        finally:
            cluster.close()
    return 0


def _run_on(name: str, messages: int, seed: int, first: int, url: str = "") -> None:
    """Run, and print the figures; ``url``: of another database than a SQLite file."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with standing_for(folder, url) if url else contextlib.nullcontext():
            figures = asyncio.run(run(folder, messages, seed, first))
    print(f"{name}: {time.monotonic() - began:.0f} s")
    for figure, count in figures.items():
        print(f"{figure}: {count}")


if __name__ == "__main__":
    sys.exit(main())
