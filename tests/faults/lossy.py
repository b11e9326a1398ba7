"""A line between client and house that loses, doubles and reorders whole messages.

A websocket over TCP can't: this is what a careless proxy, or a client with a fault, might do.  The
client is ours (``client.net.session``), the server everything behind the socket.
"""

import random
from collections import Counter

from client.net.link_events import Lost, Opened, Received
from client.net.session import Session
from shared_rules.wire import read_server_message, write_message
from tests.faults.indoors import Indoors, Line

_MESSAGES = 20  # without an answer for as long as so many take, a line is given up
_SILENT_MESSAGES = 60  # without any news


class LossyClient:
    """One client on such a line.  ``rate``: of messages lost, doubled and overtaken, each."""

    def __init__(self, place: Indoors, name: str, luck: random.Random, rate: float) -> None:
        self.place, self.luck, self.rate = place, luck, rate
        self.session = Session(name)
        self.refused: Counter[str] = Counter()
        self.happened: Counter[str] = Counter()
        self.line: Line | None = None
        self._late: dict[str, list[bytes]] = {"up": [], "down": []}
        self._waiting_since: float | None = None
        self._news = (0, 0.0)  # the latest event of the table, and when it came

    async def step(self) -> None:
        """Send and hear what there is; come back if the line is of no use any more."""
        now = self.place.real_s
        if self.line is None:
            self.line = self.place.connect()
            self._late = {"up": [], "down": []}
            self.session.handle(Opened(now))
        for message in self.session.take_outgoing():
            for data in self._on_the_way("up", write_message(message)):
                await self.line.send(data)
        self.hear()
        waits = self.session.phase != "ready" or bool(self.session._pending)
        waits = waits or self.session._catching_up.asking
        seq = self.session.view.seq if self.session.view is not None else 0
        if seq != self._news[0]:
            self._news = (seq, now)
        if self._lasted(self._news[1], _SILENT_MESSAGES):
            self._news = (seq, now)
            await self.come_again()
        elif not waits:
            self._waiting_since = None
        elif self._waiting_since is None:
            self._waiting_since = now
        elif self.line.is_over or self._lasted(self._waiting_since, _MESSAGES):
            await self.come_again()

    def _lasted(self, since: float, messages: int) -> bool:
        """Nothing is ever lost on a line without losses."""
        return self.rate > 0 and self.place.real_s - since > messages * self.place.message_real_s

    async def come_again(self) -> None:
        """Give the line up for another."""
        assert self.line is not None
        await self.line.cut()
        self.line, self._waiting_since = None, None
        self.session.handle(Lost("no answer", self.place.real_s))

    def hear(self) -> None:
        """Take what has come."""
        assert self.line is not None
        heard, self.line.ear.heard = self.line.ear.heard, []
        for data in heard:
            for arrived in self._on_the_way("down", data):
                message = read_server_message(arrived)
                self.session.handle(Received(message, self.place.real_s))
        for answer in self.session.take_answers():
            if answer.code is not None:
                assert answer.message, "a refusal says why"
                self.refused[answer.code] += 1

    def _on_the_way(self, way: str, data: bytes) -> list[bytes]:
        """What arrives for a message: nothing, it, it twice, or with one that it has overtaken."""
        chance, late = self.luck.random(), self._late[way]
        if chance < self.rate:
            self.happened["lost"] += 1
            return []
        if chance < 2 * self.rate:
            self.happened["doubled"] += 1
            arrives = [data, data]
        elif chance < 3 * self.rate:
            self.happened["overtaken"] += 1
            late.append(data)
            return []
        else:
            arrives = [data]
        self._late[way] = []
        return arrives + late
