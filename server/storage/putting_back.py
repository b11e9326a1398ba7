"""How a backup takes the place of a SQLite database: as one transaction, and as nobody's.

Whoever had the database before finds another's mark in the ledger at his next commit, and ends: a
server that runs on it after all (its lock was deleted) must not go on as if nothing had happened.
"""

import asyncio
import os
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from server.storage import seal
from server.storage.database import make_engine, migrate
from server.storage.files import MODE

_STARTS_APART = 1000
"""After a restore starts count on from so much further: numbers of room events never come twice,
also those that were told after the backup was made."""

START_ANEW = "INSERT INTO starts (start, clock, wall_time) VALUES (:start, 0, 0)"
MARK = "UPDATE ledger SET writer = :writer"


def a_later_start(latest: int | None) -> dict[str, Any]:
    """Values of ``START_ANEW``; ``latest``: the backup's last start."""
    return {"start": (latest or 0) + _STARTS_APART}


def nobodys_mark() -> dict[str, Any]:
    """Values of ``MARK``."""
    return {"writer": secrets.token_hex(16)}


async def put_back_file(backup: Path, target: Path) -> None:
    """Bring a backup up to date beside a database, and put it into its place; all, or nothing."""
    part = target.with_name(target.name + ".part")
    try:
        await asyncio.to_thread(_copy, backup, part)
        engine = make_engine(f"sqlite+aiosqlite:///{part.absolute().as_posix()}")
        try:
            await migrate(engine)
        finally:
            await engine.dispose()
        await asyncio.to_thread(_replace, part, target)
    finally:
        for suffix in ("", "-wal", "-shm"):
            part.with_name(part.name + suffix).unlink(missing_ok=True)


def _copy(backup: Path, part: Path) -> None:
    os.close(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, MODE))
    read_only = f"{backup.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(part)) as new:
        with closing(sqlite3.connect(read_only, uri=True)) as old:
            old.backup(new)
        seal.take_off(new)
        latest = new.execute("SELECT max(start) FROM starts").fetchone()[0]
        new.execute(START_ANEW, a_later_start(latest))
        new.commit()


def _replace(part: Path, target: Path) -> None:
    with closing(sqlite3.connect(part)) as new, closing(sqlite3.connect(target)) as there:
        new.execute(MARK, nobodys_mark())
        new.commit()
        new.backup(there)  # one transaction: the target is as before, or as it is to be
