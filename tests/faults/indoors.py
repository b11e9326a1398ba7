"""A house without sockets: bytes go into sessions, answers come back as bytes.

Everything behind the socket is the server's own: session, house, tables, database.  Its clock is
moved by hand, so that thousands of messages have a match's time and no second of ours.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from server.clock import ServerClock
from server.config import ServerConfig
from server.connection import Connection
from server.house import House
from server.pool import ShotFailed
from server.shots import ShotJob, ShotResult
from server.storage.store import Store
from shared_rules.messages import Goodbye
from tests.server import fake_physics, still_physics
from tests.server.bench_table import config

_SCALE = 1000.0  # of a table's own waiting


class Ear:
    """What a connection was sent; takes everything at once."""

    has_room = True
    is_idle = True

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.ended = False

    def hand(self, data: bytes) -> None:
        self.heard.append(data)

    def end(self, reason: str) -> None:
        self.ended = True


class Line:
    """One connection: ``send`` is what a socket would bring, ``ear`` what it would carry away."""

    def __init__(self, indoors: "Indoors", connection: Connection, ear: Ear) -> None:
        self.connection, self.ear = connection, ear
        self._indoors = indoors

    @property
    def is_over(self) -> bool:
        return self.connection.last_words is not None

    async def send(self, data: bytes | str) -> None:
        """As the listener does with a message."""
        if self.is_over:
            return
        indoors = self._indoors
        indoors.real_s += indoors.message_real_s
        step = self.connection.session.receive(data, indoors.real_s)
        await indoors.house.take(self.connection, step, indoors.real_s)

    async def cut(self) -> None:
        """The line is gone."""
        indoors = self._indoors
        self.connection.hang_up(_CLOSED)
        indoors.house.connections.discard(self.connection)
        await indoors.house.gone(self.connection)


async def _run_shot(job: object) -> ShotResult:
    """Plays a shot at once; keeps nothing of it."""
    assert isinstance(job, ShotJob)
    if job.strokes[0][2].speed in (fake_physics.DIES, fake_physics.HANGS):
        raise ShotFailed("the physics worker died")
    return still_physics.play(job)


class Indoors:
    """``real_s``: what the machine's clock says; ``message_real_s``: what a message takes."""

    def __init__(self, house: House, store: Store, settings: ServerConfig) -> None:
        self.house, self.store = house, store
        self.real_s = 0.0
        self.message_real_s = 0.05
        self._settings = settings
        self._addresses = 0

    def connect(self, address: str = "") -> Line:
        """A new connection, from an address of its own unless one is given."""
        self._addresses += 1
        number = self._addresses
        address = address or f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        ear = Ear()
        connection = Connection(self._settings, address, ear, self.house.snapshot, True)
        self.house.connections.add(connection)
        return Line(self, connection, ear)


_CLOSED = Goodbye(reason="closed", come_back=False)


@asynccontextmanager
async def indoors(folder: Path, **changes: object) -> AsyncIterator[Indoors]:
    """A house on a database in ``folder``; ``changes``: of its settings."""
    settings = config(folder, time_scale=_SCALE, between_games_s=0.1, **changes)
    store = await Store.open(settings.database)
    number = await store.note_start(0.0)
    place: list[Indoors] = []

    def passed() -> float:
        # a message of 50 ms stands for as long by the server's clock
        return place[0].real_s / _SCALE if place else 0.0

    clock = ServerClock(0.0, _SCALE, passed)
    store.keep_clock(clock.now)
    house = House(store, clock, settings, _run_shot, number)
    place.append(Indoors(house, store, settings))
    await house.take_up()
    house.closed = False
    try:
        yield place[0]
    finally:
        await house.stop()
        await store.close()
