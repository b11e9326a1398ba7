"""``headstring backup`` and ``headstring restore``: a database as one file, and back."""

import argparse
import asyncio
import sys
from collections.abc import Awaitable
from pathlib import Path

from server.config import database_url
from server.storage.backup import Backup, BackupError, back_up, restore
from server.storage.database import DatabaseUnusable
from server.storage.lock import DatabaseInUse

_DATABASE = "SQLite file or SQLAlchemy URL (default: server.sqlite3 in your data folder)"


def add_backup_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``backup``."""
    parser.epilog = """\
examples:
  headstring backup club-2026-11-30.backup                     of the database in your data folder
  headstring backup FILE --database postgresql+asyncpg://user@host/name

The server goes on meanwhile.  The file is checked after it is written, and can be read by you
alone.  An existing file is never written over.
"""
    parser.add_argument("file", metavar="FILE", type=Path, help="a new file")
    parser.add_argument("--database", metavar="FILE_OR_URL", help=_DATABASE)


def add_restore_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``restore``."""
    parser.epilog = """\
examples:
  headstring restore club.backup --database new.sqlite3
  headstring restore club.backup --database postgresql+asyncpg://user@host/name
  headstring restore club.backup --replace            give up what the database holds

No server may run on the database meanwhile.  A backup of an older version is brought up to date.
"""
    parser.add_argument("file", metavar="FILE", type=Path, help="a backup")
    parser.add_argument("--database", metavar="FILE_OR_URL", help=_DATABASE)
    parser.add_argument(
        "--replace", action="store_true", help="put it in the place of what the database holds"
    )


def run_backup(options: argparse.Namespace) -> int:
    """Make a backup; the exit status."""
    made = back_up(database_url(options.database), options.file)
    return _told("backup", made, f"{options.file} holds")


def run_restore(options: argparse.Namespace) -> int:
    """Bring a backup back; the exit status."""
    brought = restore(options.file, database_url(options.database), options.replace)
    return _told("restore", brought, "restored")


def _told(command: str, doing: Awaitable[Backup], what: str) -> int:
    async def do() -> Backup:
        return await doing

    try:
        backup = asyncio.run(do())
    except (BackupError, DatabaseUnusable, DatabaseInUse, OSError) as error:
        print(f"headstring {command}: {error}", file=sys.stderr)
        return 1
    print(f"{what} {backup}")
    return 0
