"""Logs of matches, as they are stored and read.

The order that judges a shot holds its events and where the balls came to rest, which are stored
with the shot before it is shown.  They are kept once: left out of the stored order, and put back
when the log is read.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import Executable, Row, select

from server.storage.packing import unpacked
from server.storage.schema import orders, shots
from shared_rules.commands import FinishShot, Order, Strike
from shared_rules.events import Event
from shared_rules.table import Position

Read = Callable[[Executable], Awaitable[Sequence[Row[Any]]]]

_order = msgspec.msgpack.Decoder(Order)
_events = msgspec.msgpack.Decoder(tuple[Event, ...])
_balls = msgspec.msgpack.Decoder(dict[int, Position])


def stored(order: Order) -> bytes:
    """An order as it is stored, without what its shot holds."""
    if isinstance(order.command, FinishShot):
        order = replace(order, command=FinishShot(shot=order.command.shot, events=(), balls={}))
    return msgspec.msgpack.encode(order)


def read_events(data: bytes) -> tuple[Event, ...]:
    """The stored events of a shot."""
    return _events.decode(unpacked(data))


def read_balls(data: bytes) -> dict[int, Position]:
    """Where the balls came to rest, as it is stored."""
    return _balls.decode(unpacked(data))


async def read_log(read: Read, match: str) -> tuple[Order, ...]:
    """All orders of a match, whole.

    Raises:
        LookupError: the log judges a shot that isn't stored.
        msgspec.DecodeError: it can't be read.
    """
    bodies = await read(
        select(orders.c.number, orders.c.body)
        .where(orders.c.match == match)
        .order_by(orders.c.number)
    )
    results = {
        row.number: row
        for row in await read(
            select(shots.c.number, shots.c.events, shots.c.balls).where(shots.c.match == match)
        )
    }
    log: list[Order] = []
    struck = 0
    for row in bodies:
        order = _order.decode(row.body)
        if isinstance(order.command, Strike):
            struck = row.number
        log.append(_whole(order, results.get(struck)))
    return tuple(log)


def _whole(order: Order, shot: Row[Any] | None) -> Order:
    command = order.command
    if not isinstance(command, FinishShot):
        return order
    if shot is None:
        raise LookupError(f"the log judges the shot {command.shot}, which isn't stored")
    events, balls = read_events(shot.events), read_balls(shot.balls)
    return replace(order, command=FinishShot(shot=command.shot, events=events, balls=balls))
