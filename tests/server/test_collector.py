"""What the garbage collector is left to do while a server runs."""

import asyncio
import gc
import weakref
from pathlib import Path

from server.speed import Departures
from tests.server.bench_table import eventually, in_loop, serving, two_players
from tests.server.wire_client import WireClient


class _Cycle:
    def __init__(self) -> None:
        self.itself = self


def test_everything_is_looked_through_after_many_have_gone() -> None:
    gc.disable()
    try:
        gone = weakref.ref(_Cycle())
        departures = Departures(most=3)
        for _ in range(2):
            departures.one_more()
        assert gone() is not None
        departures.one_more()
        assert gone() is None
        later = weakref.ref(_Cycle())
        departures.one_more()
        assert later() is not None, "the count begins anew"
    finally:
        gc.enable()


@in_loop
async def test_ended_connections_go_without_being_looked_for(tmp_path: Path) -> None:
    """However they end, of players and of those who watch: nothing of ours refers to itself."""
    async with serving(tmp_path, ping_players_real_s=0.05) as server:
        ann, bob = await two_players(server)
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        await asyncio.sleep(0.2)  # lines are measured
        gc.collect()
        gc.disable()
        try:
            gone = [weakref.ref(x) for x in server.house.connections]
            gone += [weakref.ref(x._socket) for x in server.house.connections]
            assert len(gone) == 6
            await ann.close()
            bob.cut()
            await eve.close()
            await bob.until_closed()
            await eventually(lambda: not any(x() for x in gone))
        finally:
            gc.enable()
