"""Those who watch: in the middle of a shot, too slow, in the way of nobody."""

import asyncio
import contextlib
from collections import Counter
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from server.bench.crowd import Facts, Seen, Watcher, enter
from server.websocket import Websocket
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.announcements import OfficialActed
from shared_rules.commands import Actor
from shared_rules.refusal import Code
from shared_rules.state import MatchState, Phase
from shared_rules.view import public_state
from shared_rules.wire import write_message
from tests.server import fake_physics as fake
from tests.server.bench_table import eventually, in_loop, serving, table_after_break
from tests.server.wire_client import WireClient


@in_loop
async def test_joining_in_the_middle_of_a_shot(tmp_path: Path) -> None:
    """BR-079: the running shot, at its present time, and with the first message."""
    async with serving(tmp_path, time_scale=6.0) as server:
        ann, bob = await table_after_break(server)
        await bob.strike(fake.POT, fake.SLOW_DEG)
        running = await ann.until(
            lambda x: isinstance(x, m.RoomEvent) and x.in_flight and x.in_flight.shot == 3
        )
        eve = await WireClient.connect(server.port, "Eve")
        before = (await eve.ask(m.Ping)).clock
        answer = await eve.watch(ann.table)
        snapshot = await eve.until(lambda x: isinstance(x, m.Snapshot))
        after = (await eve.ask(m.Ping)).clock
        assert before <= snapshot.clock <= after  # of now, by the server's clock
        assert eve.seen.index(snapshot) == eve.seen.index(answer) + 1  # and the first that he gets
        assert snapshot.in_flight == running.in_flight
        assert 0.0 < snapshot.clock - snapshot.in_flight.started_at < 10 * fake.DURATION
        assert snapshot.state.phase is Phase.SHOT_RUNNING and 1 in snapshot.state.balls
        await eve.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert eve.state == (await ann.until_state(lambda s: s.phase is Phase.AWAIT_SHOT))


@in_loop
async def test_no_ruling_before_the_balls_have_stopped(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=6.0) as server:
        ann, bob = await table_after_break(server)
        await bob.strike(fake.POT, fake.SLOW_DEG)
        judged = await ann.until(
            lambda x: isinstance(x, m.RoomEvent) and any(_is_judged(a, 3) for a in x.announcements)
        )
        struck = next(
            x for x in ann.seen if getattr(x, "in_flight", None) and x.in_flight.shot == 3
        )
        assert judged.clock - struck.in_flight.started_at >= 10 * fake.DURATION
        between = ann.seen[ann.seen.index(struck) : ann.seen.index(judged)]
        for message in between:
            if isinstance(message, m.RoomEvent):
                state = ann.state_after(message)
                assert state.last_ruling is None or state.last_ruling.shot < 3
                assert 1 in state.balls
        assert judged.clock - struck.clock < 10 * fake.DURATION + 6.0  # a second of a busy machine


def _is_judged(announcement: object, shot: int) -> bool:
    ruling = getattr(announcement, "ruling", None)
    return ruling is not None and ruling.shot == shot


@in_loop
async def test_who_stops_reading_is_reseeded_and_harms_nobody(tmp_path: Path) -> None:
    """What is kept for one who doesn't read; of the process: ``test_slow_reader`` (BR-082)."""
    async with serving(tmp_path, outbox_messages=20, outbox_bytes=64 * 1024) as server:
        ann, bob = await table_after_break(server)
        eve = await WireClient.connect(server.port, "Eve", receive_bytes=8192)
        await eve.watch(ann.table)
        room = server.house.floor.tables[ann.table].room
        (slow,) = [member for member, seat in room.members.items() if seat is None]
        eve.socket.transport.pause_reading()
        assert room.state is not None
        said = OfficialActed(by="referee", act="suspend", reason="x" * 2000)
        for _ in range(500):
            await room.tell(Actor.SERVER, (said,), room.state)
            await asyncio.sleep(0.001)
        assert slow.outbox.reseeds > 0
        assert len(slow.outbox) <= 20 and slow.outbox.bytes <= 64 * 1024
        line = slow._socket
        assert isinstance(line, Websocket) and not line.has_room
        waiting = slow.outbox.bytes + line.transport.get_write_buffer_size()
        assert waiting < 512 * 1024
        await bob.strike(fake.POT)
        state = await bob.until_state(lambda s: 1 not in s.balls)
        start = len(eve.seen)
        eve.socket.transport.resume_reading()
        await eve.until(lambda x: isinstance(x, m.Snapshot), start)
        await eve.until_state(lambda s: s.version >= state.version)
        assert eve.state == state and len(eve.seen) - start < 400


@in_loop
async def test_aiming_is_shown_to_those_who_watch_and_never_stored(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        assert bob.state is not None
        version, seq = bob.state.version, eve.seq
        for number in range(50):
            await bob.send(m.Aim(table=bob.table, heading_deg=float(number), tip=(0.1, -0.2)))
        await ann.send(m.Aim(table=ann.table, heading_deg=99.0))  # not his turn
        await eve.send(m.Aim(table=ann.table, heading_deg=98.0))
        aiming = await eve.until(lambda x: isinstance(x, m.Aiming))
        assert (aiming.seat, aiming.tip) == (1, (0.1, -0.2))
        await bob.ask(m.Ping)
        await eve.ask(m.Ping)
        shown = [x for x in eve.seen if isinstance(x, m.Aiming)]
        assert 1 <= len(shown) <= 22 and all(x.heading_deg < 90 for x in shown)
        assert not [x for x in bob.seen if isinstance(x, m.Aiming)]
        keeper = server.house.floor.tables[ann.table].course.keeper
        assert keeper is not None and keeper.state.version == version and eve.seq <= seq + 1


async def _with_spectators(tmp_path: Path, disturbed: bool) -> list[tuple[Any, ...]]:
    """A match, and all that Ann is told of it; disturbed, three spectators misbehave meanwhile."""
    async with serving(tmp_path, outbox_messages=16) as server:
        ann, bob = await table_after_break(server, overrides={"match": {"games_to_win": 1}})
        if disturbed:
            names = ("Eve", "Fay", "Gus")
            eve, fay, gus = [
                await WireClient.connect(server.port, name, receive_bytes=4096) for name in names
            ]
            for who in (eve, fay, gus):
                await who.watch(ann.table)
            # one sends nonsense until he is hung up on
            with contextlib.suppress(ConnectionClosed):
                for _ in range(100):
                    await eve.raw(b"\xff" * 100)
            await eve.until_closed()
            # one has stopped reading, and asks on
            fay._task.cancel()
            for _ in range(100):
                await fay.send(m.WatchTable(id=fay.next_id(), table=ann.table))
            person = server.house.people.present_by_key("fay")
            assert person is not None and person.connection is not None
            waits = person.connection.outbox
            await eventually(lambda: len(waits) > 0)
            # one crashes in the middle of a message
            gus.socket.transport.write(b"\x82\xff")
            gus.cut()
        await bob.strike(fake.POT)
        await ann.until_state(lambda s: 1 not in s.balls and s.running is None)
        await bob.strike(fake.MISS)
        await ann.until_state(lambda s: s.phase is Phase.PLACE_CUE_ANYWHERE)
        await ann.give(c.PlaceCue(x=0.0, y=0.3))
        await ann.strike(fake.NINE)
        await ann.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        if disturbed:
            assert len(waits) > 0, "he reads again"
        told = [x for x in ann.seen if isinstance(x, m.RoomEvent)]
        return [_what_was_told(event, ann.state_after(event)) for event in told]


def _what_was_told(event: m.RoomEvent, state: MatchState) -> tuple[Any, ...]:
    """An event without times and the name of the table."""
    kinds = [a.__struct_config__.tag for a in event.announcements]
    ruling = state.last_ruling
    judged = None if ruling is None else (ruling.shot, ruling.pocketed, ruling.fouls)
    counts = (state.games, state.winner, state.shot_number, state.rack_number)
    return (
        event.by,
        kinds,
        state.version,
        state.phase,
        state.shooter,
        set(state.balls),
        judged,
        counts,
    )


def test_no_spectator_harms_a_match(tmp_path: Path) -> None:
    """BR-081: nonsense, a reader who has stopped and a crash: the match is the same, event by event
    (the rating: test_rated_matches)."""

    @in_loop
    async def play() -> None:
        alone = await _with_spectators(tmp_path / "alone", disturbed=False)
        watched = await _with_spectators(tmp_path / "watched", disturbed=True)
        assert alone == watched and len(alone) > 10

    for name in ("alone", "watched"):
        (tmp_path / name).mkdir()
    play()


async def _crowd(port: int, table: str, size: int, deaf: int = 0) -> tuple[list[Watcher], Seen]:
    seen, facts = Seen(), Facts()
    watchers = [Watcher(f"W {n}", table, seen, facts, n < deaf) for n in range(size)]
    await asyncio.gather(*(enter(port, watcher) for watcher in watchers))
    return watchers, seen


@in_loop
async def test_who_comes_and_goes_changes_no_match(tmp_path: Path) -> None:
    """BR-055: fifty come and go in one rack; the version grows by what is played alone."""
    async with serving(tmp_path, new_people_burst=1000.0) as server:
        ann, bob = await table_after_break(server)
        assert bob.state is not None
        before = bob.state
        for _ in range(5):
            watchers, _ = await _crowd(server.port, ann.table, 10)
            for watcher in watchers:
                watcher.leave()
        room = server.house.floor.tables[ann.table].room
        await eventually(lambda: room.spectators == 0)
        assert room.state is not None and public_state(room.state, None) == before
        await bob.strike(fake.POT)
        after = await ann.until_state(lambda s: 1 not in s.balls and s.shooter is not None)
        orders = [x for x in ann.seen if isinstance(x, m.RoomEvent)]
        assert after.version == ann.state_after(orders[-1]).version
        versions = [ann.state_after(x).version for x in orders]
        assert versions == sorted(set(versions)) and after.version <= before.version + 3


@in_loop
async def test_a_crowd_costs_one_encoding_and_no_more_bytes_than_a_player(tmp_path: Path) -> None:
    """BR-084, and BR-082: five of two hundred don't read, and the others miss nothing."""
    async with serving(tmp_path, new_people_burst=1000.0) as server:
        ann, bob = await table_after_break(server)
        watchers, seen = await _crowd(server.port, ann.table, 200, deaf=5)
        await ann.until(lambda x: isinstance(x, m.PresenceEvent) and x.spectators == 200)
        metrics = server.house.metrics
        before, start = metrics.events_encoded, len(ann.seen)
        handed = metrics.events_handed
        seen.bytes = seen.events = 0
        first = ann.seq
        await bob.strike(fake.POT)
        await ann.until_state(lambda s: 1 not in s.balls and s.shooter is not None)
        told = [x for x in ann.seen[start:] if isinstance(x, m.RoomEvent | m.PresenceEvent)]
        assert metrics.events_encoded - before == len(told) == ann.seq - first
        await eventually(lambda: seen.events >= 195 * len(told))
        assert seen.events == 195 * len(told)
        assert metrics.events_handed - handed == 202 * len(told)
        player = sum(len(write_message(x)) for x in told)
        assert seen.bytes <= 195 * (player + 10 * len(told))  # frames have headers
        assert all(len(had) == 195 for had in seen.had.values()) and seen.had
        for watcher in watchers:
            watcher.leave()


@in_loop
async def test_newcomers_of_one_moment_share_a_snapshot(tmp_path: Path) -> None:
    async with serving(tmp_path, new_people_burst=1000.0) as server:
        ann, _ = await table_after_break(server)
        before = server.house.metrics.snapshots_encoded
        watchers, seen = await _crowd(server.port, ann.table, 100)
        assert seen.snapshots == 100
        assert server.house.metrics.snapshots_encoded - before < 50
        for watcher in watchers:
            watcher.leave()


@in_loop
async def test_who_skips_the_rolling_balls_can_act_no_earlier(tmp_path: Path) -> None:
    """BR-088: before the shot has ended on the server's clock nothing is taken.

    That he can skip them is the client's: ``tests/client/test_playback.py``.
    """
    async with serving(tmp_path, time_scale=4.0) as server:
        ann, bob = await table_after_break(server)
        await bob.strike(fake.POT, fake.SLOW_DEG)
        await ann.until(lambda x: getattr(x, "in_flight", None) and x.in_flight.shot == 3)
        codes: Counter[str] = Counter()
        while (answer := await bob.strike(fake.POT)).__struct_config__.tag == "refused":
            codes[answer.code] += 1
            await asyncio.sleep(0.02)
        assert set(codes) == {Code.BALLS_MOVING.value} and codes.total() > 3
        pong = await bob.ask(m.Ping)
        flights = [x.in_flight for x in ann.seen if getattr(x, "in_flight", None)]
        (third,) = {flight.started_at for flight in flights if flight.shot == 3}
        assert pong.clock >= third + 10 * fake.DURATION


@in_loop
async def test_a_crowd_that_goes_at_once_is_all_let_go(tmp_path: Path) -> None:
    """More than may wait at a table: who has gone is never told to try again."""
    async with serving(tmp_path, new_people_burst=1000.0) as server:
        ann, _ = await table_after_break(server)
        table = server.house.floor.tables[ann.table]
        watchers, _ = await _crowd(server.port, ann.table, 20)
        connections = [c for c in table.room.members if c in table.room.gallery]
        table.most_waiting = 0  # as if it were full all the time
        for watcher in watchers:
            watcher.leave()
        await eventually(lambda: all(c.closed for c in connections))
        await eventually(lambda: table.room.spectators == 0)
        assert set(table.room.members) == set(table.room._players.values())


@in_loop
async def test_who_asks_without_reading_and_is_cut_is_let_go(tmp_path: Path) -> None:
    """His reader waits for room that will never come."""
    async with serving(tmp_path, messages_per_s=1e6, messages_burst=1e6) as server:
        await table_after_break(server)
        before = set(server.listener.connections)
        eve = await WireClient.connect(server.port, "Eve", receive_bytes=8192)
        (slow,) = server.listener.connections - before
        eve.socket.transport.pause_reading()
        for number in range(20_000):
            await eve.send(m.ListTables(id=eve.next_id()))
            if number % 100 == 0:
                await asyncio.sleep(0.01)
            if slow._reading is not None:
                break
        assert slow._reading is not None and not slow.closed
        eve.cut()
        await eventually(lambda: slow.closed)
        assert slow not in server.listener.connections
