"""Running absences, and when a table was opened by the server's clock; events of a shot once.

The order that judged a shot held its events and resting balls a second time.

Revision ID: 0006
Revises: 0005
"""

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for seat in (0, 1):
        op.add_column("matches", sa.Column(f"away_{seat}", sa.Float))
        op.add_column("matches", sa.Column(f"away_kind_{seat}", sa.String(8)))
    op.add_column("matches", sa.Column("at", sa.Float, nullable=False, server_default="0"))
    matches = sa.table("matches", sa.column("match"), sa.column("at"))
    orders = sa.table(
        "orders", sa.column("match"), sa.column("number"), sa.column("at"), sa.column("body")
    )
    first = sa.select(sa.func.min(orders.c.at)).where(orders.c.match == matches.c.match)
    op.execute(sa.update(matches).values(at=sa.func.coalesce(first.scalar_subquery(), 0.0)))
    bind = op.get_bind()
    for (match,) in bind.execute(sa.select(matches.c.match)).fetchall():
        _leave_out_events(bind, orders, match)


def _leave_out_events(bind: sa.Connection, orders: sa.TableClause, match: str) -> None:
    mine = sa.select(orders.c.number, orders.c.body).where(orders.c.match == match)
    for number, body in bind.execute(mine).fetchall():
        try:
            order = msgspec.msgpack.decode(body)
            command = order["command"]
            if command["c"] != "finish_shot":
                continue
        except (msgspec.MsgspecError, TypeError, KeyError):
            continue  # a log that can't be read stays as it is
        shorter = order | {"command": command | {"events": [], "balls": {}}}
        bind.execute(
            sa.update(orders)
            .where(orders.c.match == match, orders.c.number == number)
            .values(body=msgspec.msgpack.encode(shorter))
        )


def downgrade() -> None:
    raise NotImplementedError("older versions look for the events of a shot in its order")
