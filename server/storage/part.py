"""What the parts of the store are made of: one subject each, over the same two doors."""

from collections.abc import Awaitable, Callable, Sequence

from sqlalchemy import Executable, Row

Rows = Sequence[Row]  # type: ignore[type-arg]


class StorePart:
    """A part of the store: reads, and writes all that it is given together or nothing of it."""

    def __init__(
        self,
        read: Callable[[Executable], Awaitable[Rows]],
        write: Callable[..., Awaitable[None]],
    ) -> None:
        self._read = read
        self._write = write
