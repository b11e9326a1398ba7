"""The database's tables, as the code uses them; ``migrations`` makes them.

``matches.terms`` is what a table was opened with, ``description`` what the rules got once both
players were there.  ``orders`` is the log: a match is its description and its orders, replayed.
An order of a player holds the request that it came from (its id, what it said hashed, the answer),
as a match holds the one that opened it, so that a request sent again is known after a restart.
The order that judged a shot is stored without the shot's events, which are in ``shots``.
``orders.told`` is what spectators were told of an order: replays are made of it.
``matches.at`` is when the table was opened, by the server's clock; ``away_*`` is the absence that
runs: since when, and whether he left or was cut off.
``shots.number`` is the number of the order that struck, so that a void shot's repeat has its own.
A guest is a row of ``people``; an account has one of ``accounts`` too.  ``sessions`` are the tokens
of a person, hashed, one a device.  ``actions`` is what officials have done: ``by_person`` is null
for the command line on the machine itself, ``body`` the act as it was given, without passwords;
a sanction is in force until ``until`` (null: for good) unless ``undone_at`` is set.
The times of these and ``opened_at``, ``ended_at`` and ``wall_time`` are Unix times; all others are
the server's clock.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    false,
)

metadata = MetaData()

people = Table(
    "people",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("name_key", String(64), nullable=False, index=True),
    Column("created_at", Float, nullable=False),
)

accounts = Table(
    "accounts",
    metadata,
    Column("person", String(32), ForeignKey("people.person"), primary_key=True),
    Column("name_key", String(64), nullable=False, unique=True),
    Column("password_hash", String(255), nullable=False),  # empty: none
    Column("pin_hash", String(255)),
    Column("role", String(16), nullable=False),
    Column("created_at", Float, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", LargeBinary(32), primary_key=True),
    Column("session", String(16), nullable=False, unique=True),
    Column("person", String(32), ForeignKey("people.person"), nullable=False, index=True),
    Column("client", String(64), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("used_at", Float, nullable=False, index=True),
)

actions = Table(
    "actions",
    metadata,
    Column("action", String(16), primary_key=True),
    Column("at", Float, nullable=False, index=True),
    Column("by_person", String(32), ForeignKey("people.person")),
    Column("act", String(24), nullable=False),
    Column("person", String(32), ForeignKey("people.person"), index=True),
    Column("match", String(32), ForeignKey("matches.match"), index=True),
    Column("reason", String(200), nullable=False),
    Column("until", Float),
    Column("body", LargeBinary, nullable=False),
    Column("request", BigInteger),
    Column("digest", LargeBinary(32)),
    Column("undone_at", Float),
    Column("undone_by", String(32), ForeignKey("people.person")),
    Column("undone_reason", String(200)),
    Column("address", String(64), index=True),  # of a guest, for some days
    UniqueConstraint("by_person", "request", name="actions_by_request"),
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
    # of the terms, for those who look for replays
    Column("watch", String(16), nullable=False, server_default="nobody"),
    Column("result", LargeBinary),
    # of a table that is shown late: what those who watch know of its status until then
    Column("delay_s", Float, nullable=False, server_default="0"),
    Column("shown_status", String(16)),
    Column("hidden_until", Float),
    Column("used_0", Float, nullable=False, server_default="0"),
    Column("used_1", Float, nullable=False, server_default="0"),
    Column("away_0", Float),
    Column("away_1", Float),
    Column("away_kind_0", String(8)),
    Column("away_kind_1", String(8)),
    Column("at", Float, nullable=False, server_default="0"),
    Column("request", BigInteger, nullable=False),
    Column("digest", LargeBinary(32), nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("opened_at", Float, nullable=False),
    Column("ended_at", Float),
    Index("matches_by_watch", "watch", "opened_at", "match"),
    Index("matches_of_seat_0", "seat_0", "opened_at", "match"),
    Index("matches_of_seat_1", "seat_1", "opened_at", "match"),
)

orders = Table(
    "orders",
    metadata,
    Column("match", String(32), ForeignKey("matches.match"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("told", LargeBinary),
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

# A match that counted, as each of its players sees it; ``number``: of the match, in their order.
# ``weight``: of the result, nothing while it is ``discounted``; by the server's clock others know
# it from ``shown_from`` on, ``person`` himself from ``told_from`` on.
ratings = Table(
    "ratings",
    metadata,
    Column("match", String(32), ForeignKey("matches.match"), primary_key=True),
    Column("person", String(32), ForeignKey("people.person"), primary_key=True),
    Column("discipline", String(24), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("at", Float, nullable=False),
    Column("opponent", String(32), ForeignKey("people.person"), nullable=False),
    Column("score", Float, nullable=False),
    Column("expected", Float, nullable=False),
    *(
        Column(f"{when}_{what}", Float, nullable=False)
        for when in ("before", "after")
        for what in ("rating", "deviation", "volatility")
    ),
    Column("opponent_rating", Float, nullable=False),
    Column("opponent_deviation", Float, nullable=False),
    Column("weight", Float, nullable=False, server_default="1"),
    Column("discounted", Boolean, nullable=False, server_default=false()),
    Column("shown_from", Float, nullable=False, server_default="0"),
    Column("told_from", Float, nullable=False, server_default="0"),
    Index("ratings_of_person", "person", "discipline", "number"),
    Index("ratings_in_order", "discipline", "number"),
)

# Whom somebody follows, has muted for himself, or has blocked.
relations = Table(
    "relations",
    metadata,
    Column("person", String(32), ForeignKey("people.person"), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("other", String(32), ForeignKey("people.person"), primary_key=True),
    Column("since", Float, nullable=False),
)

# Who may write nothing at a table; ``at``: Unix time.
silences = Table(
    "silences",
    metadata,
    Column("match", String(32), ForeignKey("matches.match"), primary_key=True),
    Column("person", String(32), ForeignKey("people.person"), primary_key=True),
    Column("by_person", String(32), ForeignKey("people.person"), nullable=False),
    Column("reason", String(200), nullable=False),
    Column("at", Float, nullable=False),
)

# What neither an order nor a match holds of what was asked: see ``storage.requests``.
requests = Table(
    "requests",
    metadata,
    Column("person", String(32), ForeignKey("people.person"), primary_key=True),
    Column("request", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("digest", LargeBinary(32), nullable=False),
    Column("answer", LargeBinary, nullable=False),
)

# Competitions: the settings of the opening, the lines of the log (``server.competitions``), which
# table a match has; ``by_id``: a person, or the server.  Times are Unix times.
competitions = Table(
    "competitions",
    metadata,
    Column("competition", String(32), primary_key=True),
    Column("settings", LargeBinary, nullable=False),
    Column("by_id", String(64), nullable=False),
    Column("at", Float, nullable=False),
)

competition_log = Table(
    "competition_log",
    metadata,
    Column("competition", String(32), ForeignKey("competitions.competition"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("by_id", String(64), nullable=False),
    Column("body", LargeBinary, nullable=False),
)

competition_tables = Table(
    "competition_tables",
    metadata,
    Column("match", String(32), ForeignKey("matches.match"), primary_key=True),
    Column("competition", String(32), ForeignKey("competitions.competition"), nullable=False),
    Column("fixture", String(64), nullable=False),
    Column("side_0", String(64), nullable=False),
    Column("side_1", String(64), nullable=False),
    Column("board", Integer),  # of a team match; the sides are those who play it
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
