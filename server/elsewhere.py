"""Who sits down at a table is no longer at the tables where his matches are adjourned.

Else his opponent there would find him present, and their match would go on without him.
"""

import asyncio
import contextlib
from collections.abc import Iterable

from server.connection import Connection
from server.person import Person
from server.table import Table
from shared_rules.refusal import Refusal

_leaving: set[asyncio.Task[None]] = set()


def leave_adjourned(person: Person, others: Iterable[Table]) -> None:
    """Have a person leave those of his other tables that are adjourned; he may come back."""
    for table in others:
        seat = table.room.seat_of(person)
        connection = table.room.player(seat) if seat is not None else None
        if connection is not None and table.room.adjourned:
            task = asyncio.get_running_loop().create_task(_leave(table, connection))
            _leaving.add(task)  # a loop keeps no task alive
            task.add_done_callback(_leaving.discard)


async def _leave(table: Table, connection: Connection) -> None:
    with contextlib.suppress(Refusal):  # it closes, or the server does
        await table.gone(connection, "left")
