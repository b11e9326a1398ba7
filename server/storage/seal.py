"""The seal of a backup: a digest of all that it holds, kept in it.

SQLite's own check looks at pages and indices; a letter changed in the middle of a row passes it.
A table's rows are summed up whatever their order and whichever kind of database they come from, so
that what was written can be held against what was read.
"""

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence

import msgspec

TABLE = "backup_seal"
_MODULUS = 2**256
_OBJECTS = (
    "SELECT type, name, tbl_name, sql FROM sqlite_master "
    f"WHERE name <> '{TABLE}' AND name NOT LIKE 'sqlite_%' ORDER BY type, name"
)


class Rows:
    """The rows of a table: how many, and the sum of their hashes."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.count = 0
        self.sum = 0
        self._columns = sorted(columns)

    def add(self, row: Mapping[str, object]) -> None:
        """One more, in plain values; a truth value counts as SQLite keeps it."""
        values = [row[column] for column in self._columns]
        plain = [int(value) if isinstance(value, bool) else value for value in values]
        digest = hashlib.sha256(msgspec.msgpack.encode(plain)).digest()
        self.count += 1
        self.sum = (self.sum + int.from_bytes(digest, "big")) % _MODULUS


def rows_of(file: sqlite3.Connection, table: str) -> Rows:
    """All rows of a table of a SQLite file."""
    found = file.execute(f'SELECT * FROM "{table}"')
    columns = [column[0] for column in found.description]
    rows = Rows(columns)
    for values in found:
        rows.add(dict(zip(columns, values, strict=True)))
    return rows


def digest_of(file: sqlite3.Connection, revision: str, sums: Mapping[str, int]) -> bytes:
    """Of the schema of a SQLite file, its revision, and the sum of each of its tables."""
    objects = file.execute(_OBJECTS).fetchall()
    tables = [(table, value.to_bytes(32, "big")) for table, value in sorted(sums.items())]
    return hashlib.sha256(msgspec.msgpack.encode((revision, objects, tables))).digest()


def put(file: sqlite3.Connection, digest: bytes) -> None:
    """Seal a file."""
    file.execute(f"CREATE TABLE {TABLE} (sha256 BLOB NOT NULL)")
    file.execute(f"INSERT INTO {TABLE} VALUES (?)", (digest,))
    file.commit()


def get(file: sqlite3.Connection) -> bytes | None:
    """The seal of a file; None: it has none."""
    there = file.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (TABLE,)).fetchone()
    if there is None:
        return None
    found = file.execute(f"SELECT sha256 FROM {TABLE}").fetchall()
    return found[0][0] if len(found) == 1 and isinstance(found[0][0], bytes) else b""


def take_off(file: sqlite3.Connection) -> None:
    """What is brought back is a database like any other."""
    file.execute(f"DROP TABLE IF EXISTS {TABLE}")
