"""A long line for tests: carries bytes to a server and back, each way with its own delay.

In order like TCP, whatever the jitter.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass
class Way:
    """One direction: ``delay_s`` and up to ``jitter_s`` more."""

    delay_s: float
    jitter_s: float = 0.0


@asynccontextmanager
async def slow_line(port: int, up: Way, down: Way, seed: int = 1) -> AsyncIterator[int]:
    """A port of this machine that leads to ``port`` by a long line."""
    chance = random.Random(seed)
    tasks: set[asyncio.Task[None]] = set()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: Way) -> None:
        loop = asyncio.get_running_loop()
        arriving: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def read() -> None:
            while data := await reader.read(65536):
                delay = way.delay_s + chance.random() * way.jitter_s
                arriving.put_nowait((loop.time() + delay, data))
            arriving.put_nowait((loop.time() + way.delay_s, b""))

        reading = asyncio.create_task(read())
        try:
            while True:
                due, data = await arriving.get()
                await asyncio.sleep(due - loop.time())
                if not data:
                    break
                writer.write(data)
        finally:
            reading.cancel()
            writer.close()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        for task in (
            asyncio.create_task(carry(reader, far_writer, up)),
            asyncio.create_task(carry(far_reader, writer, down)),
        ):
            tasks.add(task)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
