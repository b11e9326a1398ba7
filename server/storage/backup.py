"""Backups: a whole database as one SQLite file, made while a server runs, and brought back.

The file has the tables and the revision of the database that it was made of, whichever kind that
is, so that a club can move from one kind to the other.  Reading needs no lock: SQLite's online
backup and a REPEATABLE READ transaction of PostgreSQL both see one moment, and stop nobody.  It is
sealed (``storage.seal``): whatever is damaged in it later is found before it is brought back.
"""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, MetaData, Table, create_engine, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.storage import seal
from server.storage.database import (
    make_engine,
    revisions,
    sqlite_file,
    told_to_people,
)
from server.storage.files import MODE, close_to_others, open_private
from server.storage.journal import Journal
from server.storage.migrating import upgrade
from server.storage.place import Place
from server.storage.putting_back import (
    MARK,
    START_ANEW,
    a_later_start,
    nobodys_mark,
    put_back_file,
)
from server.storage.seal import Rows

_VERSION = "alembic_version"
_ROWS = 500


class BackupError(Exception):
    """No backup, or none that can be brought back; the message tells a person why."""


@dataclass(frozen=True)
class Backup:
    """What a file holds: the schema's revision, rows by table, and the sums of these."""

    revision: str
    rows: dict[str, int]
    sums: dict[str, int] = field(repr=False)

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {table}" for table, count in sorted(self.rows.items()))
        return f"schema {self.revision}: {counts}"


# --- making one -----------------------------------------------------------------------------------


async def back_up(url: str, path: Path) -> Backup:
    """Write a database into a new file; whatever runs on it goes on.

    Raises:
        BackupError: the file is there already, the database holds nothing of ours, or what was
            written is not what was read.
        DatabaseUnusable: the database can't be read.
    """
    with told_to_people(url):
        source = sqlite_file(url)
    part = _begun(path, source)
    try:
        with told_to_people(url):
            if source is not None:
                wanted = await asyncio.to_thread(_copy_file, source, part)
            else:
                wanted = await _copy_tables(url, part)
        await asyncio.to_thread(_seal, part, wanted)
        found = await asyncio.to_thread(check, part)
        if found != wanted:
            raise BackupError(f"read {wanted}, but wrote {found}")
        await asyncio.to_thread(_finish, part, path)
    finally:
        os.remove(part)
    return found


def _begun(path: Path, source: Path | None) -> Path:
    """The file that becomes the backup once it is whole."""
    if path.exists():
        raise BackupError(f"{path} exists already; a backup never writes over anything")
    if source is not None and source.is_dir():
        raise BackupError(f"{source} is a folder; name a file in it")
    if source is not None and not source.exists():
        raise BackupError(f"there is no database {source}")
    part = path.with_name(path.name + ".part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, MODE))
    except OSError as error:
        raise BackupError(f"can't write {path}: {error.strerror}") from error
    return part


def _finish(part: Path, path: Path) -> None:
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    try:
        os.link(part, path)  # unlike a rename it never replaces
    except FileExistsError as error:
        raise BackupError(f"{path} exists already; a backup never writes over anything") from error
    except OSError:  # a file system without links
        with open(path, "xb", opener=open_private) as new, part.open("rb") as whole:
            shutil.copyfileobj(whole, new)


def _seal(path: Path, contents: Backup) -> None:
    with closing(sqlite3.connect(path)) as file:
        seal.put(file, seal.digest_of(file, contents.revision, contents.sums))


def check(path: Path, unsealed: bool = False) -> Backup:
    """What a backup holds, once it has been found whole.

    ``unsealed``: its seal, or that it has none, doesn't matter.

    Raises:
        BackupError: it is damaged, or no backup.
    """
    if not path.is_file():
        raise BackupError(f"there is no file {path}")
    try:
        with closing(_read_only(path)) as file:
            for pragma in ("integrity_check", "foreign_key_check"):
                found = file.execute(f"PRAGMA {pragma}").fetchall()
                if found not in ([("ok",)], []):
                    raise BackupError(f"{path} is damaged: {found[0]}")
            contents = _contents(file)
            if not unsealed:
                _check_seal(path, file, contents)
            return contents
    except sqlite3.Error as error:
        raise BackupError(f"{path} is no backup, or it is damaged: {error}") from error


def _check_seal(path: Path, file: sqlite3.Connection, contents: Backup) -> None:
    found = seal.get(file)
    if found is None:
        raise BackupError(
            f"{path} has no seal: it is of an earlier version, or a mere copy of a database, and "
            "nothing tells whether it is damaged; --unsealed takes it as it is"
        )
    if found != seal.digest_of(file, contents.revision, contents.sums):
        raise BackupError(f"{path} is damaged: its content is not what was backed up")


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _contents(file: sqlite3.Connection) -> Backup:
    names = file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    ours = (name for (name,) in names if not name.startswith("sqlite_"))
    tables = [name for name in ours if name not in (_VERSION, seal.TABLE)]
    if (_VERSION,) not in names:
        raise BackupError("it holds no database of Headstring")
    revision = file.execute(f"SELECT version_num FROM {_VERSION}").fetchone()
    if revision is None:
        raise BackupError("it holds no database of Headstring")
    return _backup(revision[0], {table: seal.rows_of(file, table) for table in tables})


def _backup(revision: str, tables: dict[str, Rows]) -> Backup:
    named = {str(table): rows for table, rows in tables.items()}  # names that know how to be quoted
    counts = {table: rows.count for table, rows in named.items()}
    return Backup(revision, counts, {table: rows.sum for table, rows in named.items()})


def _copy_file(source: Path, target: Path) -> Backup:
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.isolation_level = None
        old.execute("BEGIN")  # what is counted and what is copied is one moment
        contents = _contents(old)
        old.backup(new)
        new.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
    return contents


async def _copy_tables(url: str, target: Path) -> Backup:
    engine = make_engine(url)
    try:
        async with engine.connect() as connection:
            await connection.execution_options(isolation_level="REPEATABLE READ")
            await connection.execute(text("SET TRANSACTION READ ONLY"))
            tables = await connection.run_sync(_tables)
            if _VERSION not in tables.tables:
                raise BackupError("it holds no database of Headstring")
            revision = str(
                (await connection.execute(text(f"SELECT version_num FROM {_VERSION}"))).scalar_one()
            )
            new = make_engine(_sqlite_url(target))
            try:
                filled = await _fill(connection, new, tables, revision)
            finally:
                await new.dispose()
    finally:
        await engine.dispose()
    with closing(sqlite3.connect(target)) as file:
        file.execute("PRAGMA journal_mode=DELETE")
    return _backup(revision, filled)


async def _fill(
    source: AsyncConnection, target: AsyncEngine, tables: MetaData, revision: str
) -> dict[str, Rows]:
    """Make the tables of a revision and copy every row into them, as one transaction."""
    async with target.begin() as new:
        await new.run_sync(upgrade, revision)
        rows = {}
        for table in tables.sorted_tables:
            if table.name == _VERSION:
                continue
            await new.execute(table.delete())  # what the migrations put there
            rows[table.name] = await _copy_rows(source, new, table)
        return rows


async def _copy_rows(source: AsyncConnection, target: AsyncConnection, table: Table) -> Rows:
    rows = Rows(table.columns.keys())
    async with source.stream(select(table)) as result:
        async for some in result.mappings().partitions(_ROWS):
            batch: Sequence[dict[str, Any]] = [dict(row) for row in some]
            await target.execute(insert(table), batch)
            for row in batch:
                rows.add(row)
    return rows


def _tables(connection: Connection) -> MetaData:
    """The tables as they are there, whatever this build makes of them."""
    found = MetaData()
    found.reflect(connection)
    return found


def _sqlite_url(path: Path, driver: str = "+aiosqlite") -> str:
    return f"sqlite{driver}:///{path.absolute().as_posix()}"


# --- bringing one back ----------------------------------------------------------------------------


async def restore(path: Path, url: str, replace: bool = False, unsealed: bool = False) -> Backup:
    """Fill an empty database from a backup, and bring it up to date; all of it, or nothing.

    ``replace``: whatever the database holds is given up for it; ``unsealed``: see ``check``.

    Raises:
        BackupError: the backup is damaged or of a later version, or the database isn't empty.
        DatabaseInUse: a server runs on the database.
        DatabaseUnusable: the database can't be opened.
    """
    backup = await asyncio.to_thread(check, path, unsealed)
    if backup.revision not in revisions():
        raise BackupError(f"{path} is of a later version of Headstring (schema {backup.revision})")
    with told_to_people(url):
        target = sqlite_file(url)
        engine = make_engine(url)
        place = None if target is None else Place(target)
    journal = Journal(engine)
    done = False
    try:
        with told_to_people(url):
            await journal.connect()  # no server runs here meanwhile
            async with engine.connect() as connection:
                held = await connection.run_sync(_held)
            if held and not replace:
                raise BackupError(f"the database is not empty ({', '.join(held)})")
            if target is not None:
                await journal.close()
                await engine.dispose()
                await put_back_file(path, target)
                await asyncio.to_thread(close_to_others, target)
            else:
                await _put_back_tables(path, engine, backup)
        done = True
    finally:
        await journal.close()
        await engine.dispose()
        if place is not None:
            place.release(as_it_was=not done)
    return backup


def _held(connection: Connection) -> list[str]:
    """What a database holds already, beside what an unused server leaves."""
    tables = _tables(connection)
    counts = {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in tables.sorted_tables
    }
    made = {_VERSION, "ledger", "starts"}
    return [f"{count} {name}" for name, count in counts.items() if count and name not in made]


async def _put_back_tables(path: Path, engine: AsyncEngine, backup: Backup) -> None:
    old = create_engine(_sqlite_url(path, driver=""))
    try:
        async with engine.begin() as new:
            await new.run_sync(_clear)
            await new.run_sync(upgrade, backup.revision)
            with old.connect() as file:
                tables = await asyncio.to_thread(_tables, file)
                for name in (_VERSION, seal.TABLE):
                    if name in tables.tables:
                        tables.remove(tables.tables[name])
                wrote = {}
                for table in tables.sorted_tables:
                    await new.execute(table.delete())
                    await _put_rows(file, new, table)
                    wrote[table.name] = await _rows_there(new, table)
            found = _backup(backup.revision, wrote)
            if found != backup:
                raise BackupError(f"read {backup}, but wrote {found}")
            latest = (await new.execute(text("SELECT max(start) FROM starts"))).scalar()
            await new.execute(text(START_ANEW), a_later_start(latest))
            for table in tables.sorted_tables:
                await _count_on(new, table)
            await new.run_sync(upgrade, "head")
            await new.execute(text(MARK), nobodys_mark())
    finally:
        old.dispose()


async def _put_rows(file: Connection, new: AsyncConnection, table: Table) -> None:
    result = file.execution_options(yield_per=_ROWS).execute(select(table))
    for some in result.mappings().partitions(_ROWS):
        batch: Sequence[dict[str, Any]] = [dict(row) for row in some]
        await new.execute(insert(table), batch)


async def _rows_there(connection: AsyncConnection, table: Table) -> Rows:
    rows = Rows(table.columns.keys())
    looking = await connection.begin_nested()  # its end closes what PostgreSQL reads by
    result = await connection.stream(select(table))
    async for row in result.mappings():
        rows.add(dict(row))
    await looking.rollback()
    return rows


async def _count_on(connection: AsyncConnection, table: Table) -> None:
    """Let PostgreSQL number new rows after those that were put back."""
    keys = list(table.primary_key.columns)
    if len(keys) != 1:
        return
    named = {"table": table.name, "column": keys[0].name}
    sequence = text("SELECT pg_get_serial_sequence(:table, :column)")
    if (found := (await connection.execute(sequence, named)).scalar()) is None:
        return
    highest = select(func.max(keys[0]))
    value = (await connection.execute(highest)).scalar()
    if value is not None:
        set_it = text("SELECT setval(CAST(:sequence AS regclass), :value)")
        await connection.execute(set_it, {"sequence": found, "value": value})


def _clear(connection: Connection) -> None:
    _tables(connection).drop_all(connection)
