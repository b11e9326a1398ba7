"""Requests that were carried out and that neither an order nor an opened table holds.

Revision ID: 0009
Revises: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "requests",
        sa.Column("person", sa.String(32), sa.ForeignKey("people.person"), primary_key=True),
        sa.Column("request", sa.BigInteger, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("requests")
