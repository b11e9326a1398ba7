"""A whole server: store, clock, workers, house and port, started and stopped in order."""

import asyncio
import logging

from server.abandoned import Abandoned
from server.clock import ServerClock
from server.config import ServerConfig, database_url
from server.house import House
from server.lan import Announcer
from server.listener import Listener
from server.logs import fields
from server.pool import Pool, WorkerPool
from server.storage.database import shown_place
from server.storage.journal import NotStored
from server.storage.lock import DatabaseInUse
from server.storage.store import Store
from server.tidying import Tidying
from server.tls import ServerTls
from server.web.board.board import Board
from server.web.site import make_site

log = logging.getLogger("headstring.server")

_CLOCK_NOTED_EVERY_REAL_S = 5.0


class MatchServer:
    """Use ``await MatchServer.start(config)``, later ``await server.stop()``."""

    def __init__(
        self,
        config: ServerConfig,
        store: Store,
        clock: ServerClock,
        pool: Pool,
        house: House,
        listener: Listener,
        abandoned: Abandoned,
        tidying: Tidying,
    ) -> None:
        self.abandoned = abandoned
        self.tidying = tidying
        self.store = store
        self.clock = clock
        self.pool = pool
        self.house = house
        self.listener = listener
        self._announcer = Announcer.of(config, listener.sockets, listener.tls is not None)
        if self._announcer is not None:
            self._announcer.start()
        house.metrics.lag.start()
        self._noting = asyncio.create_task(self._note_clock(), name="clock")
        self._tidying = asyncio.create_task(tidying.run(), name="tidy")

    @classmethod
    async def start(cls, config: ServerConfig, pool: Pool | None = None) -> "MatchServer":
        """Open the database and the port, warm the workers, bring back the tables, let people in.

        ``pool`` takes the place of the worker processes that ``config`` describes.

        Raises:
            DatabaseInUse: another server has the database.
            DatabaseUnusable: it can't be opened.
            PortUnusable: the port can't be had.
            TlsUnusable: certificate and key can't be used.
            WorkerDied: the physics can't start.
        """
        tls = ServerTls.of(config)
        url = database_url(config.database)
        store = await Store.open(url)
        if store.made:
            log.info("made a new database", extra=fields(database=shown_place(url)))
        pool = pool or WorkerPool(
            config.physics, config.workers, config.shot_limit_real_s, early=config.open_early
        )
        listener: Listener | None = None
        try:
            last = await store.last_clock()
            clock = ServerClock(last, config.time_scale)
            number = await store.note_start(last)
            house = House(store, clock, config, pool.run, number)
            if tls is not None:
                tls.warn()
                house.metrics.certificate_days = tls.days_left
            board = Board(config, house, store, clock)
            site, pages = make_site(config, house, store, pool, clock, board)
            listener = Listener(house, config, site, board, pages, tls)
            await listener.open()  # first: without a port there is nothing to warm up for
            await pool.start()
            clock.start_at(last)
            store.keep_clock(clock.now)
            store.journal.on_commit = house.metrics.commit_seconds.observe
            store.journal.on_standstill = clock.stand
            tables = await house.take_up()
            if tables:
                log.info("unfinished tables are back", extra=fields(tables=tables))
            abandoned = Abandoned(store, house.floor, house.people, config.guest_match_days)
            tidying = Tidying(abandoned.end, house.people.forget_unused, await store.alive_at())
            await board.feed.start()
            house.closed = False
        except BaseException:
            if listener is not None:
                listener.say_goodbye()
                await listener.close()
            await pool.close()
            await store.close(undo=True)
            raise
        return cls(config, store, clock, pool, house, listener, abandoned, tidying)

    @property
    def port(self) -> int:
        return self.listener.port

    async def stop(self, grace_real_s: float = 0.0, hasten: asyncio.Event | None = None) -> None:
        """Goodbye to all, everything stored, workers ended.

        ``grace_real_s``: so long shots in flight may end and be judged; ``hasten`` cuts it short.
        """
        if self._announcer is not None:  # first, so that nobody comes who would be turned away
            await self._announcer.stop()
        self.house.metrics.lag.stop()
        for task in (self._noting, self._tidying):
            task.cancel()
        await asyncio.gather(self._noting, self._tidying, return_exceptions=True)
        self.house.floor.stopping = self.house.closed = True
        if grace_real_s > 0:
            await self._wind_down(grace_real_s, hasten or asyncio.Event())
        self.listener.say_goodbye()
        await self.listener.board.feed.stop()
        await self.house.stop()
        await self.store.journal.abandon()  # whoever waits for it must be able to go
        await self.listener.close()
        try:
            await self.store.note_clock(self.clock.now())
        except NotStored as error:  # what anyone was told is stored
            log.error("the clock could not be stored", extra=fields(error=str(error)))
        await self.pool.close()
        await self.store.close()
        log.info("strokes: %s", self.house.metrics.strokes())

    async def _wind_down(self, grace_real_s: float, hasten: asyncio.Event) -> None:
        winding = asyncio.create_task(self.house.floor.wind_down(grace_real_s))
        hastening = asyncio.create_task(hasten.wait())
        await asyncio.wait((winding, hastening), return_when=asyncio.FIRST_COMPLETED)
        for task in (winding, hastening):
            task.cancel()
        await asyncio.gather(winding, hastening, return_exceptions=True)

    async def _note_clock(self) -> None:
        """Keep the clock in the log, so that a restart doesn't set it back by long."""
        while True:
            await asyncio.sleep(_CLOCK_NOTED_EVERY_REAL_S)
            try:
                await self.store.note_clock(self.clock.now())
            except NotStored as error:  # it is written with every order as well
                why = fields(error=str(error))
                log.log(error.level, "the clock could not be stored", extra=why)
            try:
                if self.store.place is not None:
                    self.store.place.hold()
            except (DatabaseInUse, OSError) as error:
                log.error("the lock beside the database: %s", error)
