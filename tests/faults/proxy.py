"""A proxy on loopback that does to a line what networks do: delay, stall, silence, a cut at a byte.

``slow``: each way's delay and jitter, in order as TCP has it.  ``stall``: nothing passes for a
while, and all of it afterwards.  ``silence``: the lines there are stay open and carry nothing any
more, as when a machine has vanished.  ``cut`` and ``cut_after``: at once, or after so many more
bytes one way, wherever in a frame that is.
"""

import asyncio
import random
from dataclasses import dataclass, field
from typing import Literal, Self

Direction = Literal["up", "down"]  # to the server, to the client


@dataclass
class Way:
    """One direction: ``delay_s`` and up to ``jitter_s`` more."""

    delay_s: float = 0.0
    jitter_s: float = 0.0


@dataclass(eq=False)
class _Line:
    """One connection and its other half."""

    writers: dict[Direction, asyncio.StreamWriter]  # where what goes that way is written
    silent: bool = False
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def cut(self) -> None:
        for writer in self.writers.values():
            writer.transport.abort()


class FaultProxy:
    """Use ``async with FaultProxy(port) as proxy``, and connect to ``proxy.port``."""

    def __init__(
        self, port: int, up: Way | None = None, down: Way | None = None, seed: int = 1
    ) -> None:
        self.ways: dict[Direction, Way] = {"up": up or Way(), "down": down or Way()}
        self.cuts = 0
        self.passed = {"up": 0, "down": 0}  # bytes
        self._far = port
        self._chance = random.Random(seed)
        self._lines: set[_Line] = set()
        self._open = asyncio.Event()
        self._open.set()
        self._left: dict[Direction, int | None] = {"up": None, "down": None}

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        tasks = [task for line in self._lines for task in line.tasks]
        for task in tasks:
            task.cancel()
        self.cut()
        await asyncio.gather(*tasks, return_exceptions=True)

    def cut(self) -> None:
        """Cut every line there is."""
        for line in list(self._lines):
            line.cut()

    def cut_after(self, count: int, way: Direction) -> None:
        """Cut the line that carries the ``count``-th byte from now, behind that byte."""
        self._left[way] = count

    def silence(self) -> None:
        """The lines there are carry nothing any more; new ones do."""
        for line in self._lines:
            line.silent = True

    async def stall(self, seconds: float) -> None:
        """Nothing passes for so long."""
        self._open.clear()
        await asyncio.sleep(seconds)
        self._open.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._far)
        except OSError:  # nobody listens
            writer.transport.abort()
            return
        line = _Line({"up": far_writer, "down": writer})
        self._lines.add(line)
        line.tasks = [
            asyncio.create_task(self._carry(line, reader, "up")),
            asyncio.create_task(self._carry(line, far_reader, "down")),
        ]
        await asyncio.wait(line.tasks)
        self._lines.discard(line)

    async def _carry(self, line: _Line, reader: asyncio.StreamReader, way: Direction) -> None:
        loop = asyncio.get_running_loop()
        arriving: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def read() -> None:
            data = b"-"
            while data:
                try:
                    data = await reader.read(65536)
                except ConnectionError:
                    data = b""
                speed = self.ways[way]
                delay = speed.delay_s + self._chance.random() * speed.jitter_s
                arriving.put_nowait((loop.time() + delay, data))

        reading = asyncio.create_task(read())
        try:
            while True:
                due, data = await arriving.get()
                await asyncio.sleep(due - loop.time())
                await self._open.wait()
                if line.silent:
                    continue
                if not data or not self._pass(line, data, way):
                    break
        finally:
            reading.cancel()
            line.cut()

    def _pass(self, line: _Line, data: bytes, way: Direction) -> bool:
        """Hand on; False: the line was cut instead."""
        left = self._left[way]
        if left is not None and len(data) >= left:
            self._left[way] = None
            self.cuts += 1
            line.writers[way].write(data[:left])
            return False
        if left is not None:
            self._left[way] = left - len(data)
        self.passed[way] += len(data)
        line.writers[way].write(data)
        return True
