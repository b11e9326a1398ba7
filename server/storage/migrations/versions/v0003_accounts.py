"""Accounts, sessions (several tokens a person) and what officials do.

Revision ID: 0003
Revises: 0002
"""

import secrets
import time

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("person", sa.String(32), sa.ForeignKey("people.person"), primary_key=True),
        sa.Column("name_key", sa.String(64), nullable=False, unique=True),
        sa.Column("password_hash", sa.String(255), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
    )
    sessions = op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary(32), primary_key=True),
        sa.Column("session", sa.String(16), nullable=False, unique=True),
        sa.Column(
            "person", sa.String(32), sa.ForeignKey("people.person"), nullable=False, index=True
        ),
        sa.Column("client", sa.String(64), nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("used_at", sa.Float, nullable=False, index=True),
    )
    op.create_table(
        "actions",
        sa.Column("action", sa.String(16), primary_key=True),
        sa.Column("at", sa.Float, nullable=False, index=True),
        sa.Column("by_person", sa.String(32), sa.ForeignKey("people.person")),
        sa.Column("act", sa.String(24), nullable=False),
        sa.Column("person", sa.String(32), sa.ForeignKey("people.person"), index=True),
        sa.Column("match", sa.String(32), sa.ForeignKey("matches.match"), index=True),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("until", sa.Float),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("request", sa.BigInteger),
        sa.Column("digest", sa.LargeBinary(32)),
        sa.Column("undone_at", sa.Float),
        sa.Column("undone_by", sa.String(32), sa.ForeignKey("people.person")),
        sa.Column("undone_reason", sa.String(200)),
        sa.UniqueConstraint("by_person", "request", name="actions_by_request"),
    )
    _move_tokens(sessions)
    with op.batch_alter_table("people") as people:
        people.drop_column("token_hash")


def _move_tokens(sessions: sa.Table) -> None:
    """Everybody's one token is his first session."""
    old = sa.text("SELECT person, token_hash, created_at FROM people")
    now = time.time()
    rows = [
        {
            "token_hash": bytes(row.token_hash),
            "session": secrets.token_hex(8),
            "person": row.person,
            "client": "",
            "created_at": row.created_at,
            "used_at": now,
        }
        for row in op.get_bind().execute(old)
    ]
    if rows:
        op.bulk_insert(sessions, rows)


def downgrade() -> None:
    raise NotImplementedError("a person's many tokens don't fit into the one of revision 0001")
