"""The ledger: one row that every commit writes to.

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    ledger = op.create_table(
        "ledger",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("writer", sa.String(32), nullable=False),
        sa.Column("batch", sa.BigInteger, nullable=False),
        sa.Column("settled", sa.BigInteger, nullable=False),
        sa.Column("clock", sa.Float, nullable=False),
    )
    # The clock was kept nowhere, but found by looking through everything.
    clock = 0.0
    for table, column in (("orders", "at"), ("shots", "started_at"), ("starts", "clock")):
        latest = op.get_bind().execute(sa.text(f"SELECT max({column}) FROM {table}"))
        clock = max(clock, latest.scalar() or 0.0)
    op.bulk_insert(ledger, [{"id": 1, "writer": "", "batch": 0, "settled": 0, "clock": clock}])


def downgrade() -> None:
    op.drop_table("ledger")
