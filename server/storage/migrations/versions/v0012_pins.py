"""Members come in by a PIN.

Revision ID: 0012
Revises: 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("accounts", sa.Column("pin_hash", sa.String(255)))


def downgrade() -> None:
    op.drop_column("accounts", "pin_hash")
