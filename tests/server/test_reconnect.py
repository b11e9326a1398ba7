"""Cuts at every phase and back again; half-open sockets; nothing lost and nothing done twice."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server.app import MatchServer
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Option, Phase, Stroke
from shared_rules.wire import write_message
from tests.faults.proxy import FaultProxy
from tests.server import fake_physics as fake
from tests.server.bench_table import (
    away_rules,
    break_balls,
    eventually,
    in_loop,
    lag,
    serving,
    table_after_break,
    two_players,
)
from tests.server.wire_client import RAISED_DEG, WireClient


async def _back(server: MatchServer, gone: WireClient, last_seen: int | None = None) -> WireClient:
    """The same person on a new connection, at his table again."""
    client = await WireClient.connect(server.port, token=gone.token)
    if last_seen is not None:
        client.knows_what(gone)
    answer = await client.join(gone.table, last_seen=last_seen)
    assert isinstance(answer, m.Accepted), answer
    return client


async def _to_lag(ann: WireClient, bob: WireClient) -> None:
    await ann.strike(3.0)


async def _to_lag_choice(ann: WireClient, bob: WireClient) -> None:
    await ann.strike(3.0)
    await bob.strike(2.0)
    await ann.until_state(lambda s: s.phase is Phase.LAG_CHOICE)


async def _to_break(ann: WireClient, bob: WireClient) -> None:
    await lag(ann, bob)


async def _to_push_out(ann: WireClient, bob: WireClient) -> None:
    await lag(ann, bob)
    await break_balls(ann, bob)
    await bob.give(c.DeclarePushOut())
    await bob.strike(fake.MISS)
    await bob.until_state(lambda s: s.phase is Phase.DECIDE_AFTER_PUSH_OUT)


async def _to_ball_in_hand(ann: WireClient, bob: WireClient) -> None:
    await lag(ann, bob)
    await break_balls(ann, bob)
    await bob.strike(fake.MISS)
    await bob.until_state(lambda s: s.phase is Phase.PLACE_CUE_ANYWHERE)


async def _to_time_out(ann: WireClient, bob: WireClient) -> None:
    await lag(ann, bob)
    await break_balls(ann, bob)
    await bob.give(c.RequestTimeOut())
    await bob.until_state(lambda s: s.phase is Phase.TIME_OUT)


async def _to_moving(ann: WireClient, bob: WireClient) -> None:
    await lag(ann, bob)
    await break_balls(ann, bob)
    await bob.strike(fake.POT)


_STAGES = [
    _to_lag, _to_lag_choice, _to_break, _to_push_out, _to_ball_in_hand, _to_time_out, _to_moving,
]  # fmt: skip


@pytest.mark.parametrize("stage", _STAGES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("resume", [False, True], ids=["snapshot", "rest"])
def test_a_cut_in_the_middle_of_anything(
    tmp_path: Path, stage: Callable[[WireClient, WireClient], Awaitable[None]], resume: bool
) -> None:
    @in_loop
    async def play() -> None:
        async with serving(tmp_path) as server:
            ann, bob = await two_players(server)
            await stage(ann, bob)
            bob.cut()
            await ann.until_presence(1, here=False)
            start = len(ann.seen)
            new = await _back(server, bob, bob.seq if resume else None)
            await ann.until_presence(1, True, start)
            moved = stage is _to_moving
            await new.until_state(lambda s: not moved or s.phase is Phase.AWAIT_SHOT)
            await ann.until_state(lambda s: not moved or s.phase is Phase.AWAIT_SHOT)
            if stage is not _to_lag:  # in the lag each sees his own stroke only
                assert new.state == ann.state
            assert any(isinstance(x, m.Snapshot) for x in new.seen) is not resume
            if moved:
                assert new.state is not None and 1 not in new.state.balls
                if resume:
                    assert new.trajectories[3] == ann.trajectories[3]
            for client in (ann, new):
                await client.close()

    play()


@in_loop
async def test_cut_right_after_the_stroke_it_is_carried_out_once(tmp_path: Path) -> None:
    """BR-058: the same match, and the shot's result once."""
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        request = bob.play(
            c.Strike(stroke=Stroke(speed=fake.POT, heading_deg=0.0, elevation_deg=RAISED_DEG))
        )
        await bob.send(request)
        await ann.until_state(lambda s: s.shot_number == 3)
        bob.cut()
        new = await _back(server, bob)
        answer = await new.ask_again(request)  # he can't know whether it arrived
        assert isinstance(answer, m.Accepted)
        await new.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert new.state is not None and new.state.shot_number == 3


@in_loop
async def test_br_062_a_half_open_socket_ends_late_and_its_player_stays(tmp_path: Path) -> None:
    """BR-062: it ends long after the new one is live, and nothing comes of it."""
    rules = away_rules(grace_s=1.0, claim_s=1.0, effect="award_match")
    async with serving(tmp_path) as server, FaultProxy(server.port) as proxy:
        ann = await WireClient.connect(server.port, "Ann")
        bob = await WireClient.connect(proxy.port, "Bob")
        await bob.join(await ann.open(overrides=rules))
        for player in (ann, bob):
            await player.until_state(lambda s: s.phase is Phase.LAG)
        await lag(ann, bob)
        await break_balls(ann, bob)
        person = server.house.people.present_by_key("bob")
        assert person is not None
        old = person.connection
        proxy.silence()  # his machine has vanished: nothing tells the server so
        new = await _back(server, bob)
        told, live_at = len(ann.seen), server.clock.now()
        assert old is not None and person.connection is not old
        assert old in server.house.connections, "the old one has ended before it mattered"
        await eventually(lambda: old not in server.house.connections)
        assert server.clock.now() - live_at > 5.0  # more than a grace and a claim take
        room = server.house.floor.tables[ann.table].room
        assert not room.absence.is_away(1) and room.player(1) is person.connection
        assert room.absence.used[1] < 5.0  # no more than the way back took
        claimed = await ann.ask(m.ClaimAbsence, table=ann.table)
        assert claimed.code == "opponent_present"
        assert isinstance(await new.strike(fake.POT), m.Accepted)
        await ann.until_state(lambda s: 1 not in s.balls)
        for event in ann.seen[told:]:
            if isinstance(event, m.PresenceEvent):
                member = event.players[1]
                assert member is not None and member.connected and member.away_until is None


@in_loop
async def test_a_token_takes_over_a_connection_that_is_still_there(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        new = await _back(server, bob)  # the old socket is still there
        await bob.until_closed()
        assert isinstance(bob.seen[-1], m.Goodbye) and not bob.seen[-1].come_back
        await asyncio.sleep(0.2)  # the old one's late end changes nothing
        room = server.house.floor.tables[ann.table].room
        assert not room.absence.is_away(1) and room.player(1) is not None
        assert isinstance(await new.strike(fake.POT), m.Accepted)
        await ann.until_state(lambda s: 1 not in s.balls)
        last = [x for x in ann.seen if isinstance(x, m.PresenceEvent)][-1]
        assert last.players[1] is not None and last.players[1].connected


@in_loop
async def test_what_the_old_socket_still_says_is_not_heard(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        _, bob = await table_after_break(server)
        stroke = c.Strike(stroke=Stroke(speed=fake.POT, heading_deg=0.0, elevation_deg=RAISED_DEG))
        late = write_message(bob.play(stroke))
        new = await _back(server, bob)
        try:
            await bob.raw(late)
        except Exception as error:
            assert "Closed" in type(error).__name__
        await asyncio.sleep(0.1)
        assert isinstance(await new.ask(m.Ping), m.Pong)
        assert new.state is not None and new.state.phase is Phase.AWAIT_SHOT


@in_loop
async def test_too_far_back_gets_a_snapshot(tmp_path: Path) -> None:
    async with serving(tmp_path, history_events=3) as server:
        ann, bob = await table_after_break(server)
        seen = bob.seq
        bob.cut()
        for _ in range(3):
            await ann.ask(m.LeaveTable, table=ann.table)
            await ann.join(ann.table)
        new = await WireClient.connect(server.port, token=bob.token)
        await new.join(bob.table, last_seen=seen)
        snapshot = await new.until(lambda x: isinstance(x, m.Snapshot))
        assert snapshot.state == ann.state and snapshot.seat == 1


@in_loop
async def test_a_last_seen_that_never_was_gets_a_snapshot(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        new = await WireClient.connect(server.port, token=bob.token)
        await new.join(ann.table, last_seen=2**52)
        await new.until(lambda x: isinstance(x, m.Snapshot))


@in_loop
async def test_nothing_is_reset_by_coming_back(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, overrides={"match": {"games_to_win": 3}})
        await lag(ann, bob)
        await break_balls(ann, bob)
        await bob.strike(fake.MISS)
        await ann.until_state(lambda s: s.phase is Phase.PLACE_CUE_ANYWHERE)
        await ann.give(c.PlaceCue(x=0.0, y=0.3))
        await ann.strike(fake.NINE)
        await ann.until_state(lambda s: s.rack_number == 2 and s.racked)
        before = ann.state
        for client in (ann, bob):
            client.cut()
        new = await _back(server, ann)
        await _back(server, bob)
        assert new.state == before and before is not None and before.games == (1, 0)


@in_loop
async def test_the_lag_stroke_of_the_other_is_unseen_until_both_are_in(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server)
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        await ann.strike(3.0)
        for client in (bob, eve):
            state = await client.until_state(lambda s: s.lag is not None and s.lag.struck[0])
            assert state.lag is not None and state.lag.strokes == (None, None)
        own = await ann.until_state(lambda s: s.lag is not None and s.lag.struck[0])
        assert own.lag is not None and own.lag.strokes[0] is not None
        assert not bob.trajectories
        await bob.strike(2.0)
        await bob.until_state(lambda s: s.phase is Phase.LAG_CHOICE)
        assert bob.trajectories == ann.trajectories and len(bob.trajectories) == 1
        assert (await bob.give(c.Choose(option=Option.BREAK))).code == "not_decider"
