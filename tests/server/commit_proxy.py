"""A proxy before PostgreSQL that cuts the line at a COMMIT, or lets nobody through.

``cut``: ``before``: the next COMMIT doesn't reach the database; ``after``: it does, and its answer
is lost; None: nothing is cut.  ``closed``: new connections are refused.
"""

import asyncio
import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import Literal, Self

from tests.server.databases import Cluster


class CommitProxy:
    """Use ``async with CommitProxy(cluster) as proxy``; ``proxy.url`` is a database behind it."""

    def __init__(self, cluster: Cluster) -> None:
        self.cut: Literal["before", "after"] | None = None
        self.cuts = 0
        self.closed = False
        self._cluster = cluster
        self._folder = Path(tempfile.mkdtemp(prefix="headstring-proxy-"))
        name = cluster.new_database().partition("@/")[2].partition("?")[0]
        self.name = name
        self.url = cluster.url(name, self._folder)
        self._lines: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Self:
        path = self._folder / self._cluster.socket.name
        self._server = await asyncio.start_unix_server(self._serve, path)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.hang_up()
        shutil.rmtree(self._folder)

    def hang_up(self) -> None:
        """Cut every line there is."""
        for line in list(self._lines):
            line.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.closed:
            writer.transport.abort()
            return
        to_database = await asyncio.open_unix_connection(str(self._cluster.socket))
        self._lines |= {writer, to_database[1]}
        armed = asyncio.Event()  # the answer to a COMMIT is not to come through
        down = asyncio.create_task(self._down(to_database[0], writer, armed))
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                if self.cut is not None and b"COMMIT" in data:
                    self.cuts += 1
                    before, self.cut = self.cut == "before", None
                    if before:
                        break
                    armed.set()
                to_database[1].write(data)
        if armed.is_set():
            await down
        for line in (writer, to_database[1]):
            line.transport.abort()
            self._lines.discard(line)
        await down

    async def _down(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, armed: asyncio.Event
    ) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                if armed.is_set():
                    break
                writer.write(data)
        writer.transport.abort()
