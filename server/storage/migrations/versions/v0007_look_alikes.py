"""Names that look alike are the same: every key anew, as this build makes it.

Of accounts whose names turn out to be the same the oldest keeps the name; the others keep theirs
as it is shown, come in by their tokens, and are known to officials by their ids.

Revision ID: 0007
Revises: 0006
"""

import sqlalchemy as sa
from alembic import op

from server.names import LONGEST_KEY, name_key

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_people = sa.table("people", sa.column("person"), sa.column("name"), sa.column("name_key"))
_accounts = sa.table(
    "accounts", sa.column("person"), sa.column("name_key"), sa.column("created_at")
)


def upgrade() -> None:
    bind = op.get_bind()
    keys = {}
    for person, name in bind.execute(sa.select(_people.c.person, _people.c.name)).fetchall():
        keys[person] = name_key(name)[:LONGEST_KEY]
        _set(bind, _people, person, keys[person])
    oldest = sa.select(_accounts.c.person).order_by(_accounts.c.created_at, _accounts.c.person)
    people = [row[0] for row in bind.execute(oldest).fetchall()]
    for person in people:  # first out of the way: keys are unique
        _set(bind, _accounts, person, f"~{person}")
    taken: set[str] = set()
    for person in people:
        if keys[person] not in taken:
            taken.add(keys[person])
            _set(bind, _accounts, person, keys[person])


def _set(bind: sa.Connection, table: sa.TableClause, person: str, key: str) -> None:
    bind.execute(sa.update(table).where(table.c.person == person).values(name_key=key))


def downgrade() -> None:
    raise NotImplementedError("older versions take names for different that are the same now")
