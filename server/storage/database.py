"""Opening the database: its engine, its settings for durability, its migrations.

SQLite runs in WAL mode with ``synchronous=FULL``, so that a commit survives a power cut.
"""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, NullPool, create_engine, event, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InvalidRequestError, NoSuchModuleError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from server.storage import schema
from server.storage.lock import DatabaseInUse, lock_session
from server.storage.place import NoFolder

log = logging.getLogger("headstring.server.database")

BUSY_TIMEOUT_MS = 5000  # how long SQLite waits for somebody else's lock
_VERSION = "alembic_version"
MIGRATIONS = Path(__file__).parent / "migrations"


class DatabaseUnusable(Exception):
    """The database can't be opened; the message tells a person why."""


class OtherVersion(Exception):
    """The database's schema is none that this build knows."""


class NoDatabase(DatabaseUnusable):
    """There is none, or an empty one, where one is needed."""


@contextmanager
def told_to_people(url: str) -> Iterator[None]:
    """Turns what goes wrong while a database is opened into ``DatabaseUnusable``."""
    try:
        yield
    except (ArgumentError, NoSuchModuleError) as error:
        raise DatabaseUnusable(
            f"{shown_url(url)} is no database that is known here: give a file of SQLite, "
            "or postgresql+asyncpg://user:password@host/name"
        ) from error
    except (InvalidRequestError, ImportError) as error:
        raise DatabaseUnusable(f"no driver for the database {shown_url(url)}: {error}") from error
    except DBAPIError as error:
        raise DatabaseUnusable(f"the database {shown_place(url)}: {error.orig}") from error
    except sqlite3.Error as error:
        raise DatabaseUnusable(f"the database {shown_place(url)}: {error}") from error
    except (IsADirectoryError, NoFolder) as error:
        raise DatabaseUnusable(str(error)) from error
    except OSError as error:
        why = error.strerror or str(error)
        raise DatabaseUnusable(f"the database {shown_place(url)}: {why}") from error
    except OtherVersion as error:
        raise DatabaseUnusable(
            f"the database {shown_place(url)} is of another version of Headstring: {error}"
        ) from error


def shown_url(url: str) -> str:
    """The URL without its password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "named by --database"


def shown_place(url: str) -> str:
    """The file of a SQLite database, or the URL of another without its password."""
    path = sqlite_file(url)
    return shown_url(url) if path is None else str(path)


def sqlite_file(url: str) -> Path | None:
    """File of a SQLite URL; None for another database or one in memory."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        return None
    return Path(str(parsed.database))


def make_engine(url: str) -> AsyncEngine:
    """Engine of a database URL; nothing is opened yet."""
    path = sqlite_file(url)
    if path is not None and path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file in it")
    # A database that was restarted has cut the connections that lie ready.
    postgresql = make_url(url).get_backend_name() == "postgresql"
    engine = create_async_engine(url, hide_parameters=True, pool_pre_ping=postgresql)
    if make_url(url).get_backend_name() == "sqlite":
        event.listen(engine.sync_engine, "connect", _set_sqlite)
    return engine


def is_in_memory(engine: AsyncEngine) -> bool:
    """Whether the database would be gone with its connection."""
    url = engine.url
    return url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")


def make_thread_engine(engine: AsyncEngine) -> Engine:
    """The same SQLite file without an asynchronous driver, for use in a thread."""
    url = engine.url.set(drivername="sqlite+pysqlite")
    plain = create_engine(url, hide_parameters=True, poolclass=NullPool)
    event.listen(plain, "connect", _set_sqlite)
    return plain


def _set_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON",
        f"busy_timeout={BUSY_TIMEOUT_MS}",
    ):  # fmt: skip
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def no_database(url: str) -> NoDatabase:
    """That there is none, for a person who may have mistyped it."""
    path = sqlite_file(url)
    what = "database" if path is not None and not path.exists() else "database of Headstring in"
    return NoDatabase(f"there is no {what} {shown_place(url)}")


def is_missing(url: str) -> bool:
    """Whether there is no file of a SQLite database, or an empty one."""
    path = sqlite_file(url)
    return path is not None and not (path.exists() and path.stat().st_size)


def leave_to_others(path: Path) -> None:
    """Nothing, unless a SQLite file is another program's; looked at without changing its settings.

    Raises:
        DatabaseUnusable: it is.
    """
    with closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT_MS / 1000)) as plain:
        names = {name for (name,) in plain.execute("SELECT name FROM sqlite_master")}
    if names and _VERSION not in names:
        raise DatabaseUnusable(f"{path} is a database of another program")


async def holds_ours(engine: AsyncEngine) -> bool:
    """Whether a database has tables of ours."""
    async with engine.connect() as connection:
        return await connection.run_sync(lambda plain: inspect(plain).has_table(_VERSION))


async def forget_ours(engine: AsyncEngine) -> None:
    """Drop every table of ours, unless another server has the database; they stay if that fails."""
    try:
        async with engine.connect() as connection:
            await lock_session(connection)
            await connection.run_sync(schema.metadata.drop_all)
            await connection.exec_driver_sql(f"DROP TABLE IF EXISTS {_VERSION}")
            await connection.commit()
    except (DBAPIError, DatabaseInUse, OSError) as error:
        log.warning("new tables stay in the database: %s", error)


async def migrate(engine: AsyncEngine) -> None:
    """Bring the database's schema up to this build, wholly or not at all."""
    async with engine.connect() as connection:
        if await connection.run_sync(_is_up_to_date):
            return  # looking through all rows would take the longer the more there are
        sqlite = engine.dialect.name == "sqlite"
        if sqlite:
            # A table is changed by making it anew, which must not take what refers to it along;
            # SQLite can leave references alone only outside of a transaction.
            await connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
        # Alembic, a fifth of what a server imports, is for the few starts that need it.
        from server.storage.migrating import upgrade

        await connection.run_sync(upgrade)
        if sqlite:
            broken = (await connection.exec_driver_sql("PRAGMA foreign_key_check")).fetchall()
            if broken:
                raise DatabaseUnusable(f"rows of the database refer to none: {broken[:3]}")
        await connection.commit()
        if sqlite:
            await connection.exec_driver_sql("PRAGMA foreign_keys=ON")
            await connection.commit()


def _is_up_to_date(connection: Connection) -> bool:
    if not inspect(connection).has_table("alembic_version"):
        return False
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
    return found == [max(revisions())]


def revisions() -> set[str]:
    """The revisions of the schema that this build knows: the numbers of its migrations."""
    return {path.name[1:5] for path in (MIGRATIONS / "versions").glob("v*_*.py")}
