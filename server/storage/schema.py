"""The database's tables, as the code uses them; ``migrations`` makes them.

``matches.terms`` is what a table was opened with, ``description`` what the rules got once both
players were there.  ``orders`` is the log: a match is its description and its orders, replayed.
An order of a player holds the request that it came from (its id, what it said hashed, the answer),
as a match holds the one that opened it, so that a request sent again is known after a restart.
``shots.number`` is the number of the order that struck, so that a void shot's repeat has its own.
``opened_at``, ``ended_at``, ``created_at`` and ``wall_time`` are Unix times for people to read; all
other times are the server's clock.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
)

metadata = MetaData()

people = Table(
    "people",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("name_key", String(64), nullable=False, index=True),
    Column("token_hash", LargeBinary(32), nullable=False, unique=True),
    Column("created_at", Float, nullable=False),
)

matches = Table(
    "matches",
    metadata,
    Column("match", String(32), primary_key=True),
    Column("status", String(16), nullable=False, index=True),
    Column("seat_0", String(32), ForeignKey("people.person"), nullable=False),
    Column("seat_1", String(32), ForeignKey("people.person")),
    Column("terms", LargeBinary, nullable=False),
    Column("description", LargeBinary),
    Column("used_0", Float, nullable=False, server_default="0"),
    Column("used_1", Float, nullable=False, server_default="0"),
    Column("request", BigInteger, nullable=False),
    Column("digest", LargeBinary(32), nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("opened_at", Float, nullable=False),
    Column("ended_at", Float),
)

orders = Table(
    "orders",
    metadata,
    Column("match", String(32), ForeignKey("matches.match"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("person", String(32), ForeignKey("people.person")),
    Column("request", BigInteger),
    Column("digest", LargeBinary(32)),
    Column("answer", LargeBinary),
    Index("orders_of_person", "person", "at"),
)

shots = Table(
    "shots",
    metadata,
    Column("match", String(32), ForeignKey("matches.match"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("shot", Integer, nullable=False),
    Column("started_at", Float, nullable=False),
    Column("duration", Float, nullable=False),
    Column("trajectory", LargeBinary, nullable=False),
    Column("events", LargeBinary, nullable=False),
    Column("balls", LargeBinary, nullable=False),
)

starts = Table(
    "starts",
    metadata,
    Column("start", Integer, primary_key=True, autoincrement=True),
    Column("clock", Float, nullable=False),
    Column("wall_time", Float, nullable=False),
)

# One row: who writes to this database, the number of the latest commit, the server's clock then.
ledger = Table(
    "ledger",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("writer", String(32), nullable=False),
    Column("batch", BigInteger, nullable=False),
    Column("settled", BigInteger, nullable=False),
    Column("clock", Float, nullable=False),
)
