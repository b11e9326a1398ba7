"""A sanction against a guest holds for who comes anew from his address.

Revision ID: 0013
Revises: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("actions", sa.Column("address", sa.String(64)))
    op.create_index("ix_actions_address", "actions", ["address"])


def downgrade() -> None:
    op.drop_index("ix_actions_address", "actions")
    op.drop_column("actions", "address")
