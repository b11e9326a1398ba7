"""The first schema: people, tables, orders, shots, starts.

Revision ID: 0001
Revises:
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("name_key", sa.String(64), nullable=False, index=True),
        sa.Column("token_hash", sa.LargeBinary(32), nullable=False, unique=True),
        sa.Column("created_at", sa.Float, nullable=False),
    )
    op.create_table(
        "matches",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("status", sa.String(16), nullable=False, index=True),
        sa.Column("seat_0", sa.String(32), sa.ForeignKey("people.person"), nullable=False),
        sa.Column("seat_1", sa.String(32), sa.ForeignKey("people.person")),
        sa.Column("terms", sa.LargeBinary, nullable=False),
        sa.Column("description", sa.LargeBinary),
        sa.Column("used_0", sa.Float, nullable=False, server_default="0"),
        sa.Column("used_1", sa.Float, nullable=False, server_default="0"),
        sa.Column("request", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sa.Column("opened_at", sa.Float, nullable=False),
        sa.Column("ended_at", sa.Float),
    )
    op.create_table(
        "orders",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.match"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.person")),
        sa.Column("request", sa.BigInteger),
        sa.Column("digest", sa.LargeBinary(32)),
        sa.Column("answer", sa.LargeBinary),
    )
    op.create_index("orders_of_person", "orders", ["person", "at"])
    op.create_table(
        "shots",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.match"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("shot", sa.Integer, nullable=False),
        sa.Column("started_at", sa.Float, nullable=False),
        sa.Column("duration", sa.Float, nullable=False),
        sa.Column("trajectory", sa.LargeBinary, nullable=False),
        sa.Column("events", sa.LargeBinary, nullable=False),
        sa.Column("balls", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "starts",
        sa.Column("start", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("clock", sa.Float, nullable=False),
        sa.Column("wall_time", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for name in ("starts", "shots", "orders", "matches", "people"):
        op.drop_table(name)
