"""What of a table that is shown late others know; what a rated match weighs, and whether it counts.

Revision ID: 0010
Revises: 0009
"""

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("delay_s", sa.Float, nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("shown_status", sa.String(16)))
    op.add_column("matches", sa.Column("hidden_until", sa.Float))
    for name, default in (("shown_from", "0"), ("told_from", "0"), ("weight", "1")):
        column = sa.Column(name, sa.Float, nullable=False, server_default=default)
        op.add_column("ratings", column)
    op.add_column(
        "ratings", sa.Column("discounted", sa.Boolean, nullable=False, server_default=sa.false())
    )
    matches = sa.table(
        "matches", sa.column("match"), sa.column("terms"), sa.column("status"), sa.column("delay_s")
    )
    bind = op.get_bind()
    going_on = matches.c.status.in_(("waiting", "running", "adjourned"))
    unfinished = sa.select(matches.c.match, matches.c.terms).where(going_on)
    for match, terms in bind.execute(unfinished).fetchall():
        try:
            delay_s = msgspec.msgpack.decode(terms)["delay_s"]
        except (msgspec.MsgspecError, TypeError, KeyError):
            continue  # older than such tables
        bind.execute(
            sa.update(matches).where(matches.c.match == match).values(delay_s=float(delay_s))
        )


def downgrade() -> None:
    for name in ("shown_from", "told_from", "weight", "discounted"):
        op.drop_column("ratings", name)
    for name in ("delay_s", "shown_status", "hidden_until"):
        op.drop_column("matches", name)
