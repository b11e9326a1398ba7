"""What makes the server's process fast: its event loop, and when garbage is looked for."""

import asyncio
import gc
import importlib
from collections.abc import Callable

# Of so many new objects, so many rounds of those, and so many rounds of the latter.
_YOUNG, _MIDDLE, _OLD = 20_000, 20, 50

LoopFactory = Callable[[], asyncio.AbstractEventLoop]


def loop_factory(fast: bool = True) -> LoopFactory | None:
    """Maker of uvloop's event loops where it is installed (``headstring[fast]``); else None.

    ``fast`` False: None, the loop of asyncio, in any case.
    """
    if not fast:
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
    counting; what the collector is for, cycles, comes with connections that end, and is little.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)
