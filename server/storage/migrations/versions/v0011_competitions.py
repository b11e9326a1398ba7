"""Competitions, their logs and their tables.

Revision ID: 0011
Revises: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "competitions",
        sa.Column("competition", sa.String(32), primary_key=True),
        sa.Column("settings", sa.LargeBinary, nullable=False),
        sa.Column("by_id", sa.String(64), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "competition_log",
        sa.Column(
            "competition", sa.String(32), sa.ForeignKey("competitions.competition"),
            primary_key=True,
        ),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("by_id", sa.String(64), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )  # fmt: skip
    op.create_table(
        "competition_tables",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.match"), primary_key=True),
        sa.Column(
            "competition", sa.String(32), sa.ForeignKey("competitions.competition"),
            nullable=False,
        ),
        sa.Column("fixture", sa.String(64), nullable=False),
        sa.Column("side_0", sa.String(64), nullable=False),
        sa.Column("side_1", sa.String(64), nullable=False),
    )  # fmt: skip


def downgrade() -> None:
    for name in ("competition_tables", "competition_log", "competitions"):
        op.drop_table(name)
