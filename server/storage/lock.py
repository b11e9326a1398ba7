"""One server a database: two would play the same matches twice.

Beside a SQLite file a file is locked, in PostgreSQL an advisory lock is held.  Either goes with the
process, however that ends.
"""

import contextlib
import os
import sys
from pathlib import Path
from typing import IO

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.storage.files import open_private

_ADVISORY_KEY = 0x4865616473747269  # "Headstri": any number, the same in every server


class DatabaseInUse(Exception):
    """Another server has this database open."""


class FileLock:
    """An exclusive lock on a file beside a SQLite database, however that was named: beside the
    file itself, not beside a link to it.  ``made``: there was no such file.

    It is no lock of the database's own file, since SQLite's are, and where ``flock`` and ``fcntl``
    are one (BSD, NFS) they would be in each other's way.
    """

    def __init__(self, database: Path) -> None:
        """Take the lock.

        Raises:
            DatabaseInUse: another process holds it, or the file has a second name.
        """
        database = database.resolve()
        if database.exists() and database.stat().st_nlink > 1:
            raise DatabaseInUse(
                f"the database {database} has another name as well (a hard link), under which "
                "another server may use it: take one away; headstring backup makes copies"
            )
        self._path = database.with_name(database.name + ".lock")
        self.made = not self._path.exists()
        while True:
            self._file: IO[bytes] = open(self._path, "a+b", opener=open_private)  # noqa: SIM115
            try:
                _take(self._file)
            except OSError as error:
                self._file.close()
                raise DatabaseInUse(f"another server uses the database {database}") from error
            if self._is_the_one_there():
                break
            self._file.close()

    def _is_the_one_there(self) -> bool:
        """Whether the file that is locked is still the one of that name: who had it before may
        have removed it while we waited to open it."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())
        except FileNotFoundError:
            return False

    def hold(self) -> None:
        """Make the file again if somebody has deleted it; the lock is held all the time.

        Raises:
            DatabaseInUse: another process was faster.
        """
        if not self._is_the_one_there():
            again = FileLock(self._path.with_name(self._path.name.removesuffix(".lock")))
            self._file.close()
            self._file = again._file

    def release(self, remove: bool = False) -> None:
        """Let another server have it; ``remove``: with its file."""
        if remove and sys.platform != "win32":  # while nobody else can have it
            self._path.unlink(missing_ok=True)
        self._file.close()
        if remove and sys.platform == "win32":
            with contextlib.suppress(PermissionError):  # it is another's already
                self._path.unlink(missing_ok=True)


async def lock_session(connection: AsyncConnection) -> None:
    """Make a session of PostgreSQL the one of a server; on SQLite the file's lock does it.

    The lock is held as long as the session, and a session whose client has gone in the middle of a
    transaction ends within ten seconds: whoever gets the lock knows that nothing of an earlier
    session can happen any more.

    Raises:
        DatabaseInUse: another session has it.
    """
    if connection.dialect.name != "postgresql":
        return
    await connection.execute(text("SET idle_in_transaction_session_timeout = '10s'"))
    asked = text("SELECT pg_try_advisory_lock(:key)")
    taken = await connection.scalar(asked, {"key": _ADVISORY_KEY})
    await connection.commit()  # settings and the lock are the session's, not the transaction's
    if not taken:
        raise DatabaseInUse("another server uses this database")


if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: IO[bytes]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
