"""A match with a fault in it, and what came of it.

Ann, and Bob behind the proxy, play the scripted match to its end; Eve watches by a line of her own.
What everybody was told is held against the log, and Eve's events against those of a match without
a fault: what the match lost, and what others noticed.
"""

import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from websockets.exceptions import ConnectionClosed

from server.app import MatchServer
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.match import apply, new_match
from shared_rules.state import MatchState, Phase
from tests.faults.proxy import FaultProxy
from tests.faults.scripted import command
from tests.server.bench_table import serving
from tests.server.kills import Person, check_told
from tests.server.wire_client import WireClient

RULES = {"match": {"games_to_win": 1}}
_SCALE = 10.0
_PATIENCE_S = 90.0


@dataclass(frozen=True)
class Evidence:
    """``lost``: what somebody was told and the log doesn't hold, or holds twice; ``noticed``: what
    others were told beyond the match itself; ``codes``: to the offender; ``silence_s``: the longest
    time in which Eve heard nothing; ``back_s``: the longest until he who was hit was back."""

    commands: int = 0
    lost: int = 0
    noticed: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    silence_s: float = 0.0
    back_s: float | None = None
    times: int = 0


class Watcher(WireClient):
    """A spectator who notes when he was told what."""

    def __init__(self, socket: Any) -> None:
        super().__init__(socket)
        self.heard_at: list[float] = []
        self.presences: list[str] = []
        self._here = (True, True)

    def _take(self, message: Any) -> None:
        super()._take(message)
        if isinstance(message, m.RoomEvent):
            self.heard_at.append(time.monotonic())
        elif isinstance(message, m.PresenceEvent):
            here = tuple(player is None or player.connected for player in message.players)
            for number, name in enumerate(("Ann", "Bob")):
                if here[number] != self._here[number]:
                    self.presences.append(f"{name} {'back' if here[number] else 'away'}")
            self._here = (here[0], here[1])

    @property
    def story(self) -> list[str]:
        """The match as it was told: kinds of announcements, with whom they are about."""
        return [
            f"{a.__struct_config__.tag} {getattr(a, 'seat', '')}".strip()
            for message in self.seen
            if isinstance(message, m.RoomEvent)
            for a in message.announcements
        ]


class Scripted(Person):
    """A player who does what the script says, and comes back whatever happens.

    ``patience_s``: how long he waits for an answer before he takes the line for dead.
    ``before``: called before a command is sent.
    """

    patience_s = 20.0

    def __init__(self, port: int, name: str, seat: int) -> None:
        super().__init__(SimpleNamespace(port=port), name, seat)  # type: ignore[arg-type]
        self.before: Callable[[m.Play], Awaitable[None]] | None = None

    def _command(self, luck: random.Random) -> c.PlayerCommand | None:
        state = self.client.state
        return None if state is None or self.seat is None else command(state, self.seat)  # type: ignore[arg-type]

    async def _send(self, request: m.Play) -> None:
        if self.before is not None:
            await self.before(request)
        try:
            async with asyncio.timeout(self.patience_s):
                await super()._send(request)
        except TimeoutError:
            self.client.cut()
            await self.client.until_closed()
            raise

    async def listen(self) -> None:
        """Ask now and then whether the line still carries; as every client does."""
        while True:
            await asyncio.sleep(0.2)
            client = self.client
            try:
                async with asyncio.timeout(self.patience_s):
                    await client.ask(m.Ping)
            except TimeoutError:
                client.cut()
            except (AssertionError, ConnectionClosed):  # the line is known to be gone
                continue


@dataclass
class Scene:
    """A running match.  ``codes``: what offenders were told; ``times``: how often it happened."""

    server: MatchServer
    proxy: FaultProxy
    ann: Scripted
    bob: Scripted
    eve: Watcher
    table: str
    long: bool
    codes: Counter[str]
    times: int = 0

    @property
    def state(self) -> MatchState:
        """As Eve knows it."""
        assert self.eve.state is not None
        return self.eve.state

    @property
    def over(self) -> bool:
        return self.eve.state is not None and self.eve.state.phase is Phase.MATCH_OVER

    async def until_shot(self, number: int) -> None:
        """Once that shot has been struck, or the match is over."""
        await self.eve.until_state(lambda s: s.shot_number >= number or s.phase is Phase.MATCH_OVER)

    def told(self, client: WireClient) -> None:
        """Count what an offender was told."""
        for message in client.seen:
            if isinstance(message, m.Refused):
                self.codes[message.code] += 1
            elif isinstance(message, m.Goodbye):
                self.codes[f"goodbye: {message.reason}"] += 1


Play = Callable[[Scene], Awaitable[None]]


async def play(folder: Path, fault: Play | None, long: bool = False, **settings: Any) -> Evidence:
    """The match with a fault in it.

    Raises:
        AssertionError: the match came out otherwise than without it.
    """
    async with (
        asyncio.timeout(_PATIENCE_S * (10 if long else 1)),
        _scene(folder, long, settings) as scene,
    ):
        await _play_out(scene, fault)
        return await _evidence(scene)


async def _play_out(scene: Scene, fault: Play | None) -> None:
    """Until the match is over, everybody has his answers, and the fault is."""
    people = (scene.ann, scene.bob)
    tasks = [asyncio.create_task(p.play(random.Random(1))) for p in people]
    tasks += [asyncio.create_task(p.listen()) for p in people]
    disturbing = asyncio.create_task(fault(scene) if fault is not None else asyncio.sleep(0))
    try:
        while not scene.over or any(p.unanswered is not None for p in people):
            for task in (*tasks, disturbing):
                if task.done():
                    task.result()
            await asyncio.sleep(0.01)
        await disturbing
    finally:
        for task in (*tasks, disturbing):
            task.cancel()
        await asyncio.gather(*tasks, disturbing, return_exceptions=True)


@asynccontextmanager
async def _scene(folder: Path, long: bool, settings: dict[str, Any]) -> AsyncIterator[Scene]:
    async with (
        serving(folder, **{"time_scale": _SCALE} | settings) as server,
        FaultProxy(server.port) as proxy,
    ):
        eve = await Watcher.connect(server.port, "Eve")
        ann, bob = Scripted(server.port, "Ann", 0), Scripted(proxy.port, "Bob", 1)
        for person in (ann, bob):
            await person.come()
        table = await ann.client.open(overrides=RULES)
        await eve.watch(table)
        assert isinstance(eve, Watcher)
        await bob.client.join(table)
        ann.table = bob.table = table
        yield Scene(server, proxy, ann, bob, eve, table, long, Counter())
        for person in (ann, bob):
            person.client.cut()


async def _evidence(scene: Scene) -> Evidence:
    """Hold what everybody was told against the log."""
    record = await scene.server.store.matches.load(scene.table)
    assert record is not None and record.description is not None
    states = [new_match(record.description)]
    for order in record.orders:
        states.append(apply(states[-1], order).state)
    stored = {
        shot.shot: shot.trajectory for shot in await scene.server.store.matches.shots(scene.table)
    }
    lost = 0
    versions: list[int] = []
    for person in (scene.ann, scene.bob):
        for request, answer in person.accepted:
            assert answer.version is not None
            versions.append(answer.version)
            known = answer.version <= len(record.orders)
            lost += not (known and record.orders[answer.version - 1].command == request.command)
    lost += len(versions) - len(set(versions))
    by_players = sum(order.by.seat is not None for order in record.orders)
    assert by_players == len(set(versions)), "an order that no player has given"
    counts: Counter[str] = Counter()
    for person in (scene.ann, scene.bob):
        for client in person.clients:
            _check_ended_well(client)
            check_told(client, person.seat, states, stored, counts)
    check_told(scene.eve, None, states, stored, counts)
    heard = scene.eve.heard_at
    gaps = [later - earlier for earlier, later in pairwise(heard)]
    story = scene.eve.story
    assert story == await clean_story(), story
    return Evidence(
        commands=len(versions),
        lost=lost,
        noticed=tuple(scene.eve.presences),
        codes=tuple(sorted(scene.codes)),
        silence_s=max(gaps),
        back_s=max((*scene.ann.back_s, *scene.bob.back_s), default=None),
        times=scene.times,
    )


def _check_ended_well(client: WireClient) -> None:
    """He has understood everything that came."""
    if client._task.done() and not client._task.cancelled():
        with suppress(OSError):
            client._task.result()


_clean: list[str] = []


async def clean_story() -> list[str]:
    """The match without a fault, as Eve is told it."""
    if not _clean:
        with tempfile.TemporaryDirectory() as folder:
            async with _scene(Path(folder), False, {"time_scale": 50.0}) as scene:
                await _play_out(scene, None)
                _clean.extend(scene.eve.story)
    return _clean
