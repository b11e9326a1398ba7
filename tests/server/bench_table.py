"""Servers and matches for tests: started in the test's own loop, brought to a wanted phase."""

import asyncio
import functools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from server.app import MatchServer
from server.config import ServerConfig
from shared_rules import commands as c
from shared_rules.state import MatchState, Option, Phase
from tests.server import fake_physics as fake
from tests.server.databases import url_of
from tests.server.wire_client import WireClient

TIME_LIMIT_S = 300.0  # ends a test that hangs, also on a machine with ten other things to do


def in_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run an async test, with a limit."""
    return _in_loop(test, debug=False)


def in_debug_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """The same in asyncio's debug mode, which takes twice as long."""
    return _in_loop(test, debug=True)


def _in_loop(test: Callable[..., Awaitable[None]], debug: bool) -> Callable[..., None]:
    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        async def limited() -> None:
            async with asyncio.timeout(TIME_LIMIT_S):
                await test(*args, **kwargs)

        asyncio.run(limited(), debug=debug)

    return run


async def eventually(wanted: Callable[[], bool]) -> None:
    """Return once something of the server's that no client is told has come about."""
    for _ in range(3000):
        if wanted():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it has not come about in half a minute")


def config(tmp_path: Path, **changes: Any) -> ServerConfig:
    """Settings for a test: any port, a file in the test's folder, fast time."""
    settings = {
        "port": 0,
        "database": url_of(tmp_path),
        "workers": 1,
        "time_scale": 10.0,
        "physics": "tests.server.fake_physics:play",
        "between_games_s": 0.5,
        "password_memory_kib": 128,
        "password_passes": 1,
    }
    return ServerConfig(**(settings | changes))


@asynccontextmanager
async def serving(
    tmp_path: Path, workers: bool = False, **changes: Any
) -> AsyncIterator[MatchServer]:
    """A server; physics inline unless ``workers``."""
    pool = None if workers else fake.InlinePool()
    server = await MatchServer.start(config(tmp_path, **changes), pool)
    try:
        yield server
    finally:
        await server.stop()


async def two_players(server: MatchServer, **table: Any) -> tuple[WireClient, WireClient]:
    """Ann (seat 0) and Bob (seat 1) at a new table, in the lag."""
    ann = await WireClient.connect(server.port, "Ann")
    bob = await WireClient.connect(server.port, "Bob")
    name = await ann.open(**table)
    await bob.join(name, invitation=ann.invitation)
    await ann.until_state(lambda s: s.phase is Phase.LAG)
    await bob.until_state(lambda s: s.phase is Phase.LAG)
    return ann, bob


async def lag(ann: WireClient, bob: WireClient) -> None:
    """Ann wins the lag and chooses to break; the balls are racked."""
    await ann.strike(3.0)
    await bob.strike(2.0)
    await ann.until_state(lambda s: s.phase is Phase.LAG_CHOICE)
    await ann.give(c.Choose(option=Option.BREAK))
    await ann.until_state(lambda s: s.racked)
    await bob.until_state(lambda s: s.racked)


async def break_balls(ann: WireClient, bob: WireClient) -> None:
    """Ann breaks fairly; nothing falls and it is Bob's turn."""
    await ann.give(c.PlaceCue(x=-0.8, y=0.1))
    answer = await ann.strike(fake.BREAK)
    assert answer.__struct_config__.tag == "accepted", answer
    for player in (ann, bob):
        await player.until_state(lambda s: s.phase is Phase.AWAIT_SHOT and s.shooter == 1)


async def table_after_break(server: MatchServer, **table: Any) -> tuple[WireClient, WireClient]:
    """Ann and Bob after a fair break by Ann: Bob is at the table."""
    ann, bob = await two_players(server, **table)
    await lag(ann, bob)
    await break_balls(ann, bob)
    return ann, bob


async def real_lag(ann: WireClient, bob: WireClient) -> MatchState:
    """A lag with the real physics, repeated while nobody has won it; the choice is open."""
    state = await ann.until_state(lambda s: s.phase is Phase.LAG)
    while state.phase is Phase.LAG:
        number = state.shot_number + 1
        await bob.until_state(lambda s: s.phase is Phase.LAG)
        await ann.strike(1.45)
        await bob.strike(1.4)
        state = await ann.until_state(
            lambda s, number=number: s.shot_number == number and s.phase is not Phase.SHOT_RUNNING
        )
    return state


async def pause_in_log(server: MatchServer, table: str) -> tuple[float, float]:
    """When the last pause of a match began and ended, by the server's clock, as the log has it."""
    record = await server.store.matches.load(table)
    assert record is not None
    began = [order.at for order in record.orders if isinstance(order.command, c.Suspend)]
    ended = [order.at for order in record.orders if isinstance(order.command, c.Resume)]
    return began[-1], ended[-1]


def away_rules(**keys: Any) -> dict[str, Any]:
    """Overrides with graces of seconds; by themselves things come only much later; race to 3."""
    wanted = {"grace_s": 3.0, "left_grace_s": 1.0, "claim_s": 600.0, "budget_s": 1000.0}
    return {"disconnect": wanted | keys, "match": {"games_to_win": 3}}


async def back(server: MatchServer, gone: WireClient) -> WireClient:
    """The same person on a new connection, at his table again."""
    client = await WireClient.connect(server.port, token=gone.token)
    answer = await client.join(gone.table)
    assert answer.__struct_config__.tag == "accepted", answer
    return client
