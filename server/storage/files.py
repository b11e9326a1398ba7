"""Files of a SQLite database: readable by their owner alone, since every match and hash is in them.

SQLite gives the files that it makes beside the database the database's own mode, so that is set
before the first of them is there; what an earlier version left open to others is closed.
"""

import contextlib
import os
import stat
from pathlib import Path

_BESIDE = ("-wal", "-shm")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
MODE = 0o600


def make_private(database: Path) -> None:
    """Make a database's file, empty, unless it is there.

    An existing one isn't opened: to close it would end the locks that SQLite holds on it in this
    process.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(database, os.O_RDWR | os.O_CREAT | os.O_EXCL, MODE))


def close_to_others(database: Path) -> None:
    """Leave a database and what is beside it to their owner alone."""
    for suffix in ("", *_BESIDE):
        with contextlib.suppress(FileNotFoundError):
            _close_to_others(database.with_name(database.name + suffix))


def open_private(path: str, flags: int) -> int:
    """An opener (``open``) of a file that nobody else can read; an existing one is closed to
    others."""
    opened = os.open(path, flags, MODE)
    _close_to_others(Path(path))
    return opened


def _close_to_others(path: Path) -> None:
    mode = path.stat().st_mode
    if mode & _OTHERS:
        # who may write it without owning it leaves it as its owner has it
        with contextlib.suppress(PermissionError):
            path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
