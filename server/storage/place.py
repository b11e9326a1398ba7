"""Where a SQLite database lies: held by one server, and left as it was found if nothing came of it.

A folder that somebody has named must be there, since a mistyped one would be a new and empty club.
Only the user's own data folder is made when it is missing.
"""

import contextlib
import os
from pathlib import Path

from server.config import data_directory
from server.storage.files import make_private
from server.storage.lock import FileLock

_BESIDE = ("-wal", "-shm", "-journal")


class NoFolder(FileNotFoundError):
    """The folder of a database isn't there; the message tells a person so."""


class Place:
    """The file of a database, empty if there was none, and the lock beside it."""

    def __init__(self, database: Path) -> None:
        """Take it.

        Raises:
            DatabaseInUse: another process has it.
            NoFolder: it would lie in a folder that isn't there.
            OSError: it can't be made.
        """
        self._database = database
        self._folders = _make_folder(database.parent)
        self._lock: FileLock | None = None
        self._found_bytes: int | None = 1  # None: there was no such file
        try:
            self._lock = FileLock(database)
            # not before the lock is ours: what is there then is what others have left
            self._found_bytes = database.stat().st_size if database.exists() else None
            make_private(database)
        except BaseException:
            self._undo()
            raise

    def hold(self) -> None:
        """See to it that it stays held; raises DatabaseInUse when another has it."""
        if self._lock is not None:
            self._lock.hold()

    def release(self, as_it_was: bool = False) -> None:
        """Let another server have it.

        ``as_it_was``: nothing has come of it; a database that was made here goes again, with all
        that was made for it.
        """
        if as_it_was:
            self._undo()
        elif self._lock is not None:
            self._lock.release()

    def _undo(self) -> None:
        if not self._found_bytes:
            for suffix in _BESIDE:
                self._database.with_name(self._database.name + suffix).unlink(missing_ok=True)
            if self._found_bytes is None:
                self._database.unlink(missing_ok=True)
            else:
                os.truncate(self._database, 0)
        if self._lock is not None:
            self._lock.release(remove=self._lock.made)
        for folder in self._folders:
            with contextlib.suppress(OSError):  # somebody has put something into it meanwhile
                folder.rmdir()


def _make_folder(folder: Path) -> list[Path]:
    """The folders that had to be made, the innermost first."""
    if folder.is_dir():
        return []
    if folder != data_directory():
        raise NoFolder(f"there is no folder {folder}")
    missing = [f for f in (folder, *folder.parents) if not f.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing
