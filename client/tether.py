"""Runs ``headstring …`` for as long as the program that started it lives.

``python -m client.tether serve …``: as ``python -m headstring serve …``, but when the standard
input comes to its end, because whoever holds the other side has gone, however it went, the
command is told to stop.
"""

import os
import runpy
import signal
import threading


def _watch() -> None:
    # Not by way of sys.stdin: its lock, held here when the command ends by itself, would abort
    # the interpreter on its way out, and hide why.
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Run the command that the arguments name."""
    threading.Thread(target=_watch, name="headstring-tether", daemon=True).start()
    runpy.run_module("headstring", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
