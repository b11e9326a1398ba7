"""``headstring backup`` and ``headstring restore``: a database as one file, and back."""

import argparse
import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from server.config.sources import ConfigUnusable, add_database, url_of
from server.storage.backup import BackupError, back_up, check, restore
from server.storage.database import DatabaseUnusable, shown_place
from server.storage.lock import DatabaseInUse


def add_backup_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``backup``."""
    parser.epilog = """\
examples:
  headstring backup club-2026-11-30.backup                     of the database in your data folder
  headstring backup FILE --config server.toml                  of a server with these settings
  headstring backup FILE --database postgresql+asyncpg://user@host/name
  headstring backup --check club-2026-11-30.backup             is it still whole?

The server goes on meanwhile.  The file is checked after it is written, and can be read by you
alone.  An existing file is never written over.
"""
    parser.add_argument("file", metavar="FILE", type=Path, help="a new file")
    parser.add_argument(
        "--check", action="store_true", help="make none: check the one that FILE is"
    )
    add_database(parser)


def add_restore_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``restore``."""
    parser.epilog = """\
examples:
  headstring restore club.backup --database new.sqlite3
  headstring restore club.backup --database postgresql+asyncpg://user@host/name
  headstring restore club.backup --config server.toml
  headstring restore club.backup --replace            give up what the database holds

No server may run on the database meanwhile.  A backup of an older version is brought up to date.
"""
    parser.add_argument("file", metavar="FILE", type=Path, help="a backup")
    add_database(parser)
    parser.add_argument(
        "--replace", action="store_true", help="put it in the place of what the database holds"
    )
    parser.add_argument(
        "--unsealed", action="store_true",
        help="take a file without a seal, or with a broken one: a backup of an earlier version, a "
        "copy of a database, what is left of a damaged backup",
    )  # fmt: skip


def run_backup(options: argparse.Namespace) -> int:
    """Make a backup, or check one; the exit status."""

    async def make() -> str:
        if options.check:
            return f"{options.file} is whole: {check(options.file)}"
        return f"{options.file} holds {await back_up(url_of(options), options.file)}"

    return _told("backup", make())


def run_restore(options: argparse.Namespace) -> int:
    """Bring a backup back; the exit status."""

    async def bring() -> str:
        url = url_of(options)
        brought = await restore(options.file, url, options.replace, options.unsealed)
        return f"restored into {shown_place(url)} {brought}"

    return _told("restore", bring())


def _told(command: str, doing: Coroutine[Any, Any, str]) -> int:
    try:
        print(asyncio.run(doing))
    except ConfigUnusable as error:
        for fault in error.faults:
            print(f"headstring {command}: {fault}", file=sys.stderr)
        return 2
    except (BackupError, DatabaseUnusable, DatabaseInUse, OSError) as error:
        print(f"headstring {command}: {error}", file=sys.stderr)
        return 1
    return 0
