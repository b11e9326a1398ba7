"""What replays need: what was told of each order, results, and ways to find matches.

Revision ID: 0004
Revises: 0003
"""

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_INDICES = {
    "matches_by_watch": "watch",
    "matches_of_seat_0": "seat_0",
    "matches_of_seat_1": "seat_1",
}


def upgrade() -> None:
    op.add_column("orders", sa.Column("told", sa.LargeBinary))
    op.add_column("matches", sa.Column("result", sa.LargeBinary))
    watch = sa.Column("watch", sa.String(16), nullable=False, server_default="nobody")
    op.add_column("matches", watch)
    matches = sa.table("matches", sa.column("match"), sa.column("terms"), sa.column("watch"))
    bind = op.get_bind()
    for match, terms in bind.execute(sa.select(matches.c.match, matches.c.terms)).fetchall():
        try:
            who = msgspec.msgpack.decode(terms, type=dict).get("watch", "everyone")
        except msgspec.MsgspecError:
            continue  # a table that can't be read is shown to nobody
        bind.execute(sa.update(matches).where(matches.c.match == match).values(watch=who))
    for name, column in _INDICES.items():
        op.create_index(name, "matches", [column, "opened_at", "match"])


def downgrade() -> None:
    for name in _INDICES:
        op.drop_index(name, "matches")
    op.drop_column("matches", "watch")
    op.drop_column("matches", "result")
    op.drop_column("orders", "told")
