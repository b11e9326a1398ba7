"""One server a database: two would play the same matches twice.

Beside a SQLite file a file is locked, in PostgreSQL an advisory lock is held.  Either goes with the
process, however that ends.
"""

import sys
from pathlib import Path
from typing import IO

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

_ADVISORY_KEY = 0x4865616473747269  # "Headstri": any number, the same in every server


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

    async def release(self) -> None:
        """Let another server have it."""
        self._file.close()


class AdvisoryLock:
    """A lock of a PostgreSQL database, held by a connection that is kept for nothing else."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    @classmethod
    async def take(cls, engine: AsyncEngine) -> "AdvisoryLock":
        """Take the lock.

        Raises:
            DatabaseInUse: another server holds it.
        """
        connection = await engine.connect()
        asked = text("SELECT pg_try_advisory_lock(:key)")
        taken = await connection.scalar(asked, {"key": _ADVISORY_KEY})
        await connection.commit()  # the lock is the session's, not the transaction's
        if not taken:
            await connection.close()
            raise DatabaseInUse("another server uses this database")
        return cls(connection)

    async def release(self) -> None:
        """Let another server have it."""
        await self._connection.invalidate()
        await self._connection.close()


if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: IO[bytes]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
