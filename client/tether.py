"""Runs ``headstring …`` for as long as the program that started it lives.

``python -m client.tether MODULE …``: imports these modules, or calls functions that are named as
``module:function``; then a line of the standard input says with which arguments ``headstring`` is
to run, as JSON.  So a program can be started before it is known what it will have to do.  When the
standard input comes to its end, because whoever holds the other side has gone, however it went,
the program is told to stop.
"""

import importlib
import json
import os
import runpy
import signal
import sys
import threading

MOST = 65536  # bytes of the arguments


def _watch() -> None:
    # Not by way of sys.stdin: its lock, held here when the command ends by itself, would abort
    # the interpreter on its way out, and hide why.
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _told() -> list[str] | None:
    """The arguments; None if whoever could say them has gone."""
    line = b""
    while not line.endswith(b"\n") and len(line) < MOST:
        read = os.read(0, 4096)
        if not read:
            return None
        line += read
    return [str(word) for word in json.loads(line)]


def main() -> None:
    """Get ready, wait to be told, and run the command."""
    for place in sys.argv[1:]:
        module, _, function = place.partition(":")
        imported = importlib.import_module(module)
        if function:
            getattr(imported, function)()
    arguments = _told()
    if arguments is None:
        return
    threading.Thread(target=_watch, name="headstring-tether", daemon=True).start()
    sys.argv[1:] = arguments
    runpy.run_module("headstring", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
