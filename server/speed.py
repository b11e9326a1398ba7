"""What makes the server's process fast: its event loop, and when garbage is looked for."""

import asyncio
import gc
import importlib
from collections.abc import Callable

# Of so many new objects, so many rounds of those; never all by itself.
# Each object is looked at twice whatever these are; what they settle is how many at a time: a round
# of the middle looks at eight thousand, some milliseconds (fifty thousand took 20 to 50).
_YOUNG, _MIDDLE, _OLD = 2_000, 2, 1_000_000
_GONE_BEFORE_ALL = 10_000

LoopFactory = Callable[[], asyncio.AbstractEventLoop]


def loop_factory(fast: bool = True, tls: bool = False) -> LoopFactory | None:
    """Maker of uvloop's event loops where it is installed (``headstring[fast]``); else None.

    ``fast`` False: None, the loop of asyncio, in any case.  So it is with ``tls`` by the server
    itself: uvloop reads a new socket before it can be told to wait for TLS (``server.securing``),
    and the handshake's beginning is lost.
    """
    if tls or not fast:
        return None
    try:
        uvloop = importlib.import_module("uvloop")
    except ImportError:
        return None
    factory: LoopFactory = uvloop.new_event_loop
    return factory


def settle_collector() -> None:
    """Let the garbage collector pass over what stays for as long as the server runs.

    What has been loaded by now is never garbage.  A match's states are thrown away by reference
    counting, and so is a connection that has ended (``Connection.close``); what the collector is
    for is what ``asyncio`` and ``websockets`` leave of it, some kilobytes.  Looking through
    everything takes some 60 ms with 400 tables, in which nobody is answered, so it is done when
    there may be much to find: see ``Departures``.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)


class Departures:
    """Counts connections that have ended; after many the collector looks through everything."""

    def __init__(self, most: int = _GONE_BEFORE_ALL) -> None:
        self._most = most
        self._gone = 0

    def one_more(self) -> None:
        """A connection has ended."""
        self._gone += 1
        if self._gone >= self._most:
            self._gone = 0
            gc.collect()
