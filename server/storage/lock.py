"""One server a database file: two would play the same matches twice.

The lock goes with the process, however that ends.
"""

import sys
from pathlib import Path
from typing import IO


class DatabaseInUse(Exception):
    """Another server has this database open."""


class FileLock:
    """An exclusive lock on a file beside the database."""

    def __init__(self, path: Path) -> None:
        """Take the lock.

        Raises:
            DatabaseInUse: another process holds it.
        """
        self._file: IO[bytes] = path.open("a+b")
        try:
            _take(self._file)
        except OSError as error:
            self._file.close()
            raise DatabaseInUse(f"another server uses the database beside {path}") from error

    def release(self) -> None:
        self._file.close()


if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: IO[bytes]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
