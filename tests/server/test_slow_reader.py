"""What one who stops reading costs the server's process, and how he comes back (BR-082)."""

import asyncio
import sys
from pathlib import Path

from server.bench.crowd import Facts, Seen, Watcher, enter
from server.bench.served import Served, served
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Option, Phase
from tests.server import fake_physics as fake
from tests.server.bench_table import eventually, in_loop
from tests.server.wire_client import WireClient

_STROKES = 80
_READERS = 8
_MOST_KIB = 1000


async def _table(port: int) -> tuple[WireClient, WireClient]:
    """Ann and Bob after a fair break by Ann."""
    ann = await WireClient.connect(port, "Ann")
    bob = await WireClient.connect(port, "Bob")
    await bob.join(await ann.open())
    for who in (ann, bob):
        await who.until_state(lambda s: s.phase is Phase.LAG)
    await ann.strike(3.0)
    await bob.strike(2.0)
    await ann.until_state(lambda s: s.phase is Phase.LAG_CHOICE)
    await ann.give(c.Choose(option=Option.BREAK))
    await ann.until_state(lambda s: s.racked)
    await ann.give(c.PlaceCue(x=-0.8, y=0.1))
    await ann.strike(fake.BREAK)
    return ann, bob


async def _play(ann: WireClient, bob: WireClient, strokes: int) -> None:
    """Safeties by turns."""
    for _ in range(strokes):
        for who in (ann, bob):
            await who.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert ann.state is not None and ann.state.shooter is not None
        shot = ann.state.shot_number + 1
        await (ann, bob)[ann.state.shooter].strike(fake.SAFE)
        for who in (ann, bob):
            await who.until_state(lambda s, n=shot: s.shot_number == n and s.running is None)
            who.seen.clear()
            who.trajectories.clear()


@in_loop
async def _watched(server: Served, readers: int) -> None:
    ann, bob = await _table(server.port)
    seen, facts = Seen(), Facts()
    crowd = [Watcher(f"W {n}", ann.table, seen, facts, False) for n in range(readers)]
    await asyncio.gather(*(enter(server.port, watcher) for watcher in crowd))
    eve = await WireClient.connect(server.port, "Eve", receive_bytes=8192)
    await eve.watch(ann.table)
    await eve.until(lambda x: isinstance(x, m.Snapshot))
    await _play(ann, bob, _STROKES)  # what grows by play alone has grown
    assert ann.state is not None
    await eve.until_state(lambda s: s.version == ann.state.version)
    eve.seen.clear()
    seen.events = 0
    first = ann.seq

    eve.socket.transport.pause_reading()
    server.collect()
    before = server.figures().resident_kib
    await _play(ann, bob, _STROKES)
    server.collect()
    grown = server.figures().resident_kib - before
    await eventually(lambda: seen.events == readers * (ann.seq - first))  # the others miss nothing
    assert seen.lost == 0
    if sys.platform == "linux":  # elsewhere the system doesn't tell
        assert before > 0 and grown < _MOST_KIB

    eve.socket.transport.resume_reading()
    await eve.until(lambda x: isinstance(x, m.Snapshot))
    await eve.until_state(lambda s: s.version == ann.state.version)
    assert eve.state == ann.state
    had = sum(getattr(x, "in_flight", None) is not None for x in eve.seen)
    assert had < _STROKES / 2  # the rest was left out
    await _play(ann, bob, 1)
    await eve.until_state(lambda s: s.version == ann.state.version)
    assert eve.state == ann.state and eve.seq == ann.seq


def test_br_082_one_who_stops_reading_costs_no_megabyte_and_is_given_a_snapshot(
    tmp_path: Path,
) -> None:
    """BR-082: resident memory of the server's process; 3 MB of events pass him meanwhile.

    How soon the others have them: ``headstring bench server --part spectators --spectators 200
    --deaf 1``.
    """
    settings = {"physics": "tests.server.bulky_physics:play", "workers": 1, "time_scale": 20.0}
    with served(folder=str(tmp_path), **settings) as server:
        _watched(server, _READERS)
