"""Ratings, and whom people follow, mute and block.

Revision ID: 0005
Revises: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_FIGURES = (
    "at", "score", "expected", "before_rating", "before_deviation", "before_volatility",
    "after_rating", "after_deviation", "after_volatility", "opponent_rating", "opponent_deviation",
)  # fmt: skip


def upgrade() -> None:
    op.create_table(
        "ratings",
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.match"), primary_key=True),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.person"), primary_key=True),
        sa.Column("discipline", sa.String(24), nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("opponent", sa.String(32), sa.ForeignKey("people.person"), nullable=False),
        *(sa.Column(name, sa.Float, nullable=False) for name in _FIGURES),
    )
    op.create_index("ratings_of_person", "ratings", ["person", "discipline", "number"])
    op.create_index("ratings_in_order", "ratings", ["discipline", "number"])
    op.create_table(
        "relations",
        sa.Column("person", sa.String(32), sa.ForeignKey("people.person"), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("other", sa.String(32), sa.ForeignKey("people.person"), primary_key=True),
        sa.Column("since", sa.Float, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("relations")
    op.drop_index("ratings_in_order", "ratings")
    op.drop_index("ratings_of_person", "ratings")
    op.drop_table("ratings")
