"""A server from its start to its end: signals, and how it goes down.

The first SIGTERM or Ctrl-C lets shots in flight end, as far as they do within
``server.stop_grace_real_s``; a second one waits for nothing more.  What was told is stored anyway.
"""

import asyncio
import logging
import os
import signal

from server import systemd
from server.app import MatchServer
from server.config import ServerConfig, database_url
from server.logs import fields
from server.speed import settle_collector
from server.storage.database import shown_place
from server.storage.journal import TakenOver
from server.tls import TlsUnusable

log = logging.getLogger("headstring.server")


class _Signals:
    """``stop``: the first that asks to end has come; ``hasten``: a second one."""

    def __init__(self) -> None:
        self.stop = asyncio.Event()
        self.hasten = asyncio.Event()
        self.reload = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        # ``signal.signal`` works on every platform.
        for name in ("SIGINT", "SIGTERM", "SIGBREAK"):
            number = getattr(signal, name, None)
            if number is not None:
                signal.signal(number, self._tell)

        if hasattr(signal, "SIGHUP"):
            self._hangs_up = hangs_up()
            signal.signal(signal.SIGHUP, self._tell_hup)

    def _tell_hup(self, number: int, frame: object) -> None:
        if self._hangs_up:
            self._tell(number, frame)
        else:
            self._loop.call_soon_threadsafe(self.reload.set)

    def _tell(self, _number: int, _frame: object) -> None:
        self._loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        (self.hasten if self.stop.is_set() else self.stop).set()


def hangs_up() -> bool:
    """Whether SIGHUP means that the terminal is gone, which ends the server; else: read the files
    again.

    It does where a terminal is in control of this process, wherever the log goes, unless whoever
    started it ignored the signal, as ``nohup`` does: he means it to outlive the terminal.
    """
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        return False
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True


async def serve(config: ServerConfig) -> None:
    """Serve until a signal comes.

    Raises:
        DatabaseInUse, DatabaseUnusable, PortUnusable, WorkerDied: it can't start.
        TakenOver: another server has the database now.
    """
    signals = _Signals()
    starting = asyncio.create_task(MatchServer.start(config))
    stopping = asyncio.create_task(signals.stop.wait())
    await asyncio.wait((starting, stopping), return_when=asyncio.FIRST_COMPLETED)
    if not starting.done():
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        return
    server = await starting
    settle_collector()
    log.info("listens", extra=fields(host=config.host, port=server.port))
    scheme = "ws" if server.listener.tls is None else "wss"
    print(f"Headstring listens on {scheme}://{_shown(config.host)}:{server.port}", flush=True)
    if server.store.made:
        place = shown_place(database_url(config.database))
        print(f"There was no database {place}: it is new, without people and matches.", flush=True)
    systemd.notify(f"READY=1\nSTATUS=listens on port {server.port}")
    reloading = asyncio.create_task(_reload(server, signals.reload))
    watchdog = asyncio.create_task(systemd.feed_watchdog())
    taken_over = asyncio.create_task(server.store.journal.taken_over.wait())
    await asyncio.wait((stopping, taken_over), return_when=asyncio.FIRST_COMPLETED)
    systemd.notify("STOPPING=1\nSTATUS=goes down")
    print("Headstring stops; all matches are stored.", flush=True)
    await server.stop(0.0 if taken_over.done() else config.stop_grace_real_s, signals.hasten)
    watchdog.cancel()
    reloading.cancel()
    if taken_over.done():
        raise TakenOver("another server has taken over the database")
    taken_over.cancel()


async def _reload(server: MatchServer, wanted: asyncio.Event) -> None:
    """Read certificate and key again whenever that is wanted; runs for ever."""
    while True:
        await wanted.wait()
        wanted.clear()
        tls = server.listener.tls
        if tls is None:
            log.info("nothing to read again: there is no TLS")
            continue
        try:
            tls.reload()
        except (TlsUnusable, OSError) as error:
            log.error("certificate and key stay as they were: %s", error)
        else:
            log.info("certificate and key are read again")
            tls.warn()


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
