"""A small client for tests: speaks the protocol over a real socket and remembers what it was told.

It keeps, a table, the last public state, presence, sequence number and every trajectory.
"""

import asyncio
import socket as sockets
import ssl
import time
from collections.abc import Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from physics.clearance import least_elevation_at
from physics.table import TABLES
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.balls import CUE, LAG_A, LAG_B
from shared_rules.changes import changed
from shared_rules.state import MatchState, Stroke
from shared_rules.wire import read_server_message, write_message

RAISED_DEG = 60.0
"""Over everything that lies behind a ball in these tests; their physics doesn't mind."""
PATIENCE_S = 30.0


class WireClient:
    """Use ``await WireClient.connect(port)``; ``seen`` holds every message in order."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.seen: list[Any] = []
        self.token = ""
        self.table = ""
        self.invitation: str | None = None
        self.state: MatchState | None = None
        self.snapshot: m.Snapshot | None = None
        self.presence: m.PresenceEvent | None = None
        self.seqs: dict[str, int] = {}  # of each table, its latest event's number
        self._states: dict[str, MatchState | None] = {}  # of each table, as of that event
        self._after: dict[tuple[str, int], MatchState] = {}
        self.trajectories: dict[int, bytes] = {}
        self.rulings: dict[int, tuple[Any, Any]] = {}
        self.closed_code: int | None = None
        self._id = time.time_ns() // 1000  # never used before by this person
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._read())

    @property
    def seq(self) -> int:
        """Number of the latest event of the table joined or watched last."""
        return self.seqs.get(self.table, 0)

    @classmethod
    async def connect(
        cls, port: int, name: str = "", token: str = "", receive_bytes: int | None = None,
        trust: ssl.SSLContext | None = None,
    ) -> "WireClient":  # fmt: skip
        """Connect; with a name or a token also sign in.

        ``receive_bytes``: how much the system keeps for a reader that doesn't read.  ``trust``:
        it comes over TLS, and trusts these authorities.
        """
        raw = sockets.socket()
        if receive_bytes is not None:
            raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, receive_bytes)
        raw.setblocking(False)
        await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", port))
        socket = await connect(
            f"{'ws' if trust is None else 'wss'}://127.0.0.1:{port}",
            sock=raw,
            ssl=trust,
            compression=None,
            max_size=None,
            ping_interval=None,
        )
        client = cls(socket)
        if name or token:
            await client.hello(name, token)
        return client

    async def hello(self, name: str = "", token: str = "") -> m.Welcome:
        hello = m.Hello(protocol=m.PROTOCOL, name=name or None, token=token or None)
        start = len(self.seen)
        await self.send(hello)
        welcome: m.Welcome = await self.until(_is(m.Welcome), start)
        self.token = welcome.token
        return welcome

    async def send(self, message: Any) -> None:
        await self.raw(message if isinstance(message, bytes) else write_message(message))

    async def raw(self, data: bytes | str) -> None:
        await self.socket.send(data)

    def next_id(self) -> int:
        self._id += 1
        return self._id

    async def ask(self, kind: Any, **fields: Any) -> Any:
        """Send a request and return its answer: accepted, refused, tables or pong."""
        request = kind(id=fields.pop("id", None) or self.next_id(), **fields)
        return await self.ask_again(request)

    async def ask_again(self, request: Any) -> Any:
        start = len(self.seen)
        await self.send(request)
        return await self.until(lambda x: getattr(x, "re", None) == request.id, start)

    async def open(self, **fields: Any) -> str:
        """Open a table and sit at it."""
        answer = await self.ask(m.OpenTable, **fields)
        assert isinstance(answer, m.Accepted), answer
        self.table, self.invitation = answer.table or "", answer.invitation
        await self.until(_is(m.Snapshot))
        return self.table

    async def join(self, table: str, **fields: Any) -> Any:
        self.table = table
        return await self.ask(m.JoinTable, table=table, **fields)

    async def watch(self, table: str, **fields: Any) -> Any:
        self.table = table
        return await self.ask(m.WatchTable, table=table, **fields)

    def play(self, command: Any, **fields: Any) -> m.Play:
        """The request that gives a command, with a new id."""
        number = fields.pop("id", None) or self.next_id()
        return m.Play(id=number, table=self.table, command=command, **fields)

    async def give(self, command: Any, **fields: Any) -> Any:
        return await self.ask_again(self.play(command, **fields))

    async def strike(self, speed: float, heading_deg: float = 0.0, **fields: Any) -> Any:
        stroke = Stroke(
            speed=speed, heading_deg=heading_deg, elevation_deg=self._raised(heading_deg)
        )
        return await self.give(c.Strike(stroke=stroke), **fields)

    def _raised(self, heading_deg: float) -> float:
        """The elevation that clears what lies behind the ball; of both balls in a lag."""
        state = self.state
        balls = dict(state.balls)
        if state.lag is not None:
            balls = {LAG_A: state.lag.balls[0], LAG_B: state.lag.balls[1]}
        table = TABLES[state.description.frame.preset]
        struck = [ball for ball in (CUE, LAG_A, LAG_B) if ball in balls]
        return max(
            (least_elevation_at(table, balls, b, heading_deg, (0.0, 0.0)) for b in struck),
            default=RAISED_DEG,
        )

    async def until(self, wanted: Callable[[Any], bool], start: int = 0) -> Any:
        """The first message from ``start`` on that is wanted."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for message in self.seen[start:]:
                    if wanted(message):
                        return message
                start = len(self.seen)
                await self._next()

    async def until_presence(self, seat: int, here: bool, start: int = 0) -> m.PresenceEvent:
        """The first presence from ``start`` on in which a player is here, or away with a time."""

        def wanted(message: Any) -> bool:
            if not isinstance(message, m.PresenceEvent):
                return False
            player = message.players[seat]
            if player is None:
                return False
            return player.connected if here else player.away_until is not None

        found: m.PresenceEvent = await self.until(wanted, start)
        return found

    async def until_state(self, wanted: Callable[[MatchState], bool]) -> MatchState:
        """The state once it is as wanted."""
        async with asyncio.timeout(PATIENCE_S):
            while self.state is None or not wanted(self.state):
                await self._next()
            return self.state

    def knows_what(self, gone: "WireClient") -> None:
        """Go on from all that an earlier connection was told."""
        self.table, self.state = gone.table, gone.state
        self.seqs, self._states = dict(gone.seqs), dict(gone._states)
        self.trajectories = gone.trajectories

    def event_of(self, state: MatchState) -> m.RoomEvent:
        """The event that has led to a state."""
        (place,) = (place for place, after in self._after.items() if after is state)
        return next(
            x for x in self.seen if isinstance(x, m.RoomEvent) and (x.table, x.seq) == place
        )

    def state_after(self, event: m.RoomEvent) -> MatchState:
        """The state that an event has led to."""
        return self._after[event.table, event.seq]

    async def until_closed(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await self._task

    def said(self, kind: str) -> list[Any]:
        """All announcements of a kind (its tag) that it was told."""
        return [
            a
            for message in self.seen
            if isinstance(message, m.RoomEvent)
            for a in message.announcements
            if a.__struct_config__.tag == kind
        ]

    async def close(self) -> None:
        await self.socket.close()
        await asyncio.gather(self._task, return_exceptions=True)

    def cut(self) -> None:
        """The line breaks: no goodbye."""
        self.socket.transport.abort()

    async def _next(self) -> None:
        if self._task.done():
            raise AssertionError(f"connection closed ({self.closed_code}): {self.seen[-3:]}")
        self._news.clear()
        news = asyncio.ensure_future(self._news.wait())
        try:
            await asyncio.wait((news, self._task), return_when=asyncio.FIRST_COMPLETED)
        finally:
            news.cancel()

    async def _read(self) -> None:
        try:
            async for data in self.socket:
                assert isinstance(data, bytes)
                self._take(read_server_message(data))
                self._news.set()
        except ConnectionClosed:
            pass
        self.closed_code = self.socket.close_code
        self._news.set()

    def _take(self, message: Any) -> None:
        self.seen.append(message)
        if isinstance(message, m.Snapshot):
            self.snapshot, self.state = message, message.state
            self.seqs[message.table] = message.seq
            self._states[message.table] = message.state
        elif isinstance(message, m.RoomEvent):
            self._count(message)
            state = self.state = changed(self._states[message.table], message.changes)
            self._states[message.table] = self._after[message.table, message.seq] = state
            ruling = state.last_ruling
            if ruling is not None:
                self.rulings[ruling.shot] = (ruling, state.games)
        elif isinstance(message, m.PresenceEvent):
            self._count(message)
            self.presence = message
        flight = getattr(message, "in_flight", None)
        if flight is not None:
            self.trajectories[flight.shot] = flight.trajectory

    def _count(self, message: m.RoomEvent | m.PresenceEvent) -> None:
        before = self.seqs[message.table]
        assert message.seq == before + 1, (message.table, message.seq, before)
        self.seqs[message.table] = message.seq


def _is(kind: Any) -> Callable[[Any], bool]:
    return lambda message: isinstance(message, kind)
