"""Tables that are shown late: spectators learn nothing before its time."""

import asyncio
import time
from pathlib import Path

import pytest

from server.app import MatchServer
from server.clock import ServerClock
from server.config import ServerConfig
from server.connection import Connection
from server.gallery import Gallery, Scene
from server.metrics import Metrics
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.server import fake_physics as fake
from tests.server.bench_table import config, eventually, in_loop, serving, table_after_break
from tests.server.wire_client import WireClient

DELAY_S = 20.0  # two real seconds on these servers' clocks


async def _late(client: WireClient, message: m.RoomEvent | m.Snapshot) -> float:
    """How long after its time a message is there at the earliest, by the server's clock."""
    pong = await client.ask(m.Ping)
    return float(pong.clock - message.clock)


@in_loop
async def test_spectators_see_all_of_it_later_and_players_at_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, delay_s=DELAY_S)
        eve = await WireClient.connect(server.port, "Eve")
        answer = await eve.watch(ann.table)
        early = await eve.until(lambda x: isinstance(x, m.Snapshot))
        assert early.delay_s == DELAY_S and early.seq < ann.seq
        assert ann.snapshot is not None and ann.snapshot.delay_s == 0.0
        assert early.state is None or early.state.version < bob.state.version  # type: ignore[union-attr]
        assert answer.version == (early.state.version if early.state else None)
        await bob.strike(fake.POT)
        state = await ann.until_state(lambda s: 1 not in s.balls)
        assert eve.state is None or 1 in eve.state.balls or not eve.state.balls
        judged = await eve.until(
            lambda x: isinstance(x, m.RoomEvent) and x.changes.version == state.version
        )
        assert await _late(eve, judged) >= DELAY_S
        seen = [x for x in eve.seen if isinstance(x, m.RoomEvent)]
        assert seen and eve.state_after(seen[-1]) == state
        live = {
            x.seq: x
            for x in ann.seen
            if isinstance(x, m.RoomEvent) and ann.state_after(x).lag is None
        }
        same = [x for x in seen if x.seq in live]
        assert len(same) > 3 and all(live[x.seq] == x for x in same)


@in_loop
async def test_the_list_of_tables_tells_no_score_early(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, delay_s=DELAY_S)
        await bob.strike(fake.NINE)
        await ann.until_state(lambda s: s.games == (0, 1))
        eve = await WireClient.connect(server.port, "Eve")
        (listed,) = (await eve.ask(m.ListTables)).tables
        assert listed.games == (0, 0) and listed.delay_s == DELAY_S
        while listed.games == (0, 0):
            await asyncio.sleep(0.1)
            (listed,) = (await eve.ask(m.ListTables)).tables
        assert listed.games == (0, 1)


@in_loop
async def test_aims_are_shown_late_and_coming_back_brings_nothing_early(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, delay_s=DELAY_S)
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        aimed = time.monotonic()
        await bob.send(m.Aim(table=bob.table, heading_deg=12.0))
        await ann.until(lambda x: isinstance(x, m.Aiming))
        last = bob.seq
        await eve.watch(ann.table, last_seen=last)  # a number that she can't know yet
        again = [x for x in eve.seen if isinstance(x, m.Snapshot)][-1]
        assert again.seq < last and not [x for x in eve.seen if isinstance(x, m.Aiming)]
        await eve.until(lambda x: isinstance(x, m.Aiming))
        assert time.monotonic() - aimed >= DELAY_S / 10.0


@in_loop
async def test_the_referee_of_a_late_table_sees_it_live(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, delay_s=DELAY_S, referee=True)
        invitation = next(x for x in ann.seen if getattr(x, "referee_invitation", None))
        ref = await WireClient.connect(server.port, "Ref")
        ref.table = ann.table
        await ref.ask(m.OfficiateTable, table=ann.table, invitation=invitation.referee_invitation)
        await bob.strike(fake.POT)
        state = await bob.until_state(lambda s: 1 not in s.balls)
        began = time.monotonic()
        await ref.until_state(lambda s: s.version >= state.version)
        assert time.monotonic() - began < DELAY_S / 10.0
        assert ref.snapshot is not None and ref.snapshot.delay_s == 0.0


@in_loop
async def test_a_restart_shows_nothing_early(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, delay_s=DELAY_S)
        await bob.strike(fake.POT)
        state = await ann.until_state(lambda s: 1 not in s.balls)
    again = await MatchServer.start(config(tmp_path), fake.InlinePool())
    try:
        eve = await WireClient.connect(again.port, "Eve")
        await eve.watch(ann.table)
        first = await eve.until(lambda x: isinstance(x, m.Snapshot))
        assert first.state is None
        shown = await eve.until(lambda x: isinstance(x, m.Snapshot) and x.state is not None)
        assert shown.state.balls == state.balls and await _late(eve, shown) >= DELAY_S
        assert shown.state.phase in (Phase.SUSPENDED, state.phase)
    finally:
        await again.stop()


class _Line:
    """A line that keeps what it is handed."""

    def __init__(self) -> None:
        self.has_room = self.is_idle = True
        self.handed: list[bytes] = []

    def hand(self, data: bytes) -> None:
        self.handed.append(data)

    def end(self, reason: str) -> None:
        self.handed.append(b"end")


def _watcher(line: _Line) -> Connection:
    return Connection(ServerConfig(), "", line, lambda _connection, _table: b"snapshot")


def _gallery(delay_s: float, most_bytes: int) -> tuple[Gallery, list[float]]:
    now = [0.0]
    clock = ServerClock(source=lambda: now[0])
    return Gallery("T", clock, Scene(0), delay_s, most_bytes, Metrics()), now


@in_loop
async def test_what_waits_to_be_shown_is_bounded() -> None:
    gallery, now = _gallery(delay_s=100.0, most_bytes=100_000)
    line = _Line()
    gallery.admit(_watcher(line), 0)
    for seq in range(1, 5001):
        now[0] = seq / 100
        gallery.show(Scene(seq), b"event %d" % seq)
        gallery.pass_on(b"aim")
    assert len(gallery._coming) < 100 and gallery._bytes < 500_000
    now[0] = 200.0
    gallery._go_on()
    await eventually(lambda: gallery.shown.seq == 5000)
    assert line.handed[0] == b"event 1"
    assert line.handed[-1] == b"snapshot" and gallery._bytes == 0
    gallery.stop()


@in_loop
async def test_nobody_gets_an_event_twice_or_misses_one_while_a_batch_goes_out() -> None:
    gallery, _ = _gallery(delay_s=0.0, most_bytes=10**6)
    lines = [_Line() for _ in range(200)]
    watchers = [_watcher(line) for line in lines]
    for watcher in watchers:
        gallery.admit(watcher, 0)
    gallery.show(Scene(1), b"1")
    gallery.dismiss(watchers[0])
    gallery.admit(watchers[0], 1)  # gone and back, with a snapshot as of 1
    gallery.show(Scene(2), b"2")
    late = _Line()
    gallery.admit(_watcher(late), 2)
    await eventually(lambda: all(len(line.handed) == 2 for line in lines[1:]))
    assert lines[0].handed in ([b"2"], [b"1", b"2"]) and late.handed == []
    assert all(line.handed == [b"1", b"2"] for line in lines[1:])


@in_loop
async def test_those_who_watch_wait_while_a_stroke_is_on_its_way_but_not_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.gallery.GIVES_WAY_REAL_S", 0.3)
    gallery, _ = _gallery(delay_s=0.0, most_bytes=10**6)
    lines = [_Line() for _ in range(200)]
    for line in lines:
        gallery.admit(_watcher(line), 0)

    def had(event: bytes) -> int:
        return sum(event in line.handed for line in lines)

    async def rounds() -> None:
        for _ in range(10):
            await asyncio.sleep(0)

    gallery.show(Scene(1), b"1")
    with gallery.giving_way(True):
        before = had(b"1")
        await rounds()
        assert had(b"1") == before < 200
        gallery.show(Scene(2), b"2")  # the stroke is told
        await eventually(lambda: had(b"2") == 200)
    assert all(line.handed == [b"1", b"2"] for line in lines)
    await asyncio.sleep(0.7)
    gallery.show(Scene(3), b"3")
    with pytest.raises(ZeroDivisionError), gallery.giving_way(True):
        raise ZeroDivisionError  # it is refused: they go on at once
    assert had(b"3") > before
    with gallery.giving_way(True):  # not again at once
        await rounds()
    assert had(b"3") == 200
    await asyncio.sleep(0.7)
    gallery.show(Scene(4), b"4")
    with gallery.giving_way(True):
        await eventually(lambda: had(b"4") == 200)  # nothing comes of the stroke for long
    gallery.stop()
