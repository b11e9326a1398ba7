"""What waits to be sent to one connection: bounded, and never waited for.

Answers to a client's own requests keep their place.  Events of a table give way when the reader is
too slow: they are dropped and one ``Reseed`` mark takes their place, which the writer turns into a
fresh snapshot when it gets to it.  How a cue is held (``put_passing``) is worth nothing late.
"""

from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True)
class Reseed:
    """In place of events that were dropped: send a snapshot of this table now."""

    table: str


class Outbox:
    """Messages in order, at most ``max_messages`` and ``max_bytes`` of them."""

    def __init__(self, max_messages: int, max_bytes: int) -> None:
        self.max_messages = max_messages
        self.max_bytes = max_bytes
        self.bytes = 0
        self.reseeds = 0  # how often events gave way to a snapshot
        self._queue: deque[tuple[str | None, bytes] | Reseed] = deque()
        self._behind: set[str] = set()

    def __len__(self) -> int:
        return len(self._queue)

    def _fits(self, data: bytes) -> bool:
        if not self._queue:
            return True
        return len(self._queue) < self.max_messages and self.bytes + len(data) <= self.max_bytes

    def put(self, data: bytes) -> bool:
        """An answer.  False: the reader leaves too much unread; it should be hung up."""
        if not self._fits(data):
            return False
        self._push(None, data)
        return True

    def put_event(self, table: str, data: bytes) -> None:
        """A numbered event of a table, or what stands for all before it."""
        if table in self._behind:
            return
        if self._fits(data):
            self._push(table, data)
        else:
            self.reseed(table)

    def put_passing(self, table: str, data: bytes) -> None:
        """Something that is only worth sending at once."""
        if not self._queue:
            self._push(table, data)

    def reseed(self, table: str) -> None:
        """Drop what waits of this table; a snapshot goes in its place."""
        if table in self._behind:
            return
        self.forget(table)
        self._queue.append(Reseed(table))
        self._behind.add(table)
        self.reseeds += 1

    def forget(self, table: str) -> None:
        """Drop everything of this table."""
        kept: deque[tuple[str | None, bytes] | Reseed] = deque()
        for item in self._queue:
            if isinstance(item, Reseed):
                if item.table != table:
                    kept.append(item)
            elif item[0] != table:
                kept.append(item)
            else:
                self.bytes -= len(item[1])
        self._queue = kept
        self._behind.discard(table)

    def pop(self) -> bytes | Reseed | None:
        """The next thing to send; None: nothing waits."""
        if not self._queue:
            return None
        item = self._queue.popleft()
        if isinstance(item, Reseed):
            self._behind.discard(item.table)
            return item
        self.bytes -= len(item[1])
        return item[1]

    def _push(self, table: str | None, data: bytes) -> None:
        self._queue.append((table, data))
        self.bytes += len(data)
