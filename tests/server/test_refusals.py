"""Bad input at a table, over real sockets: refused with a code and a sentence, nothing changed."""

from pathlib import Path
from typing import Any

import msgpack

from server.app import MatchServer
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Option, Phase, Stroke
from shared_rules.wire import MAX_CLIENT_BYTES, write_message
from tests.server import fake_physics as fake
from tests.server.bench_table import in_debug_loop, lag, serving, table_after_break, two_players
from tests.server.wire_client import RAISED_DEG, WireClient


class Unchanged:
    """Checks that a match and its log are as they were."""

    def __init__(self, server: MatchServer, table: str) -> None:
        self.server, self.table = server, table
        keeper = server.house.floor.tables[table].course.keeper
        assert keeper is not None
        self.keeper = keeper
        self.state = keeper.state

    async def check(self) -> None:
        assert self.keeper.state is self.state
        record = await self.server.store.matches.load(self.table)
        assert record is not None and len(record.orders) == self.state.version


async def _refused(client: WireClient, unchanged: Unchanged, command: Any, code: str) -> None:
    answer = await client.give(command)
    assert isinstance(answer, m.Refused), answer
    assert answer.code == code and len(answer.message) > 8
    await unchanged.check()


def _strike(speed: float = 2.0, **fields: Any) -> c.Strike:
    fields = {"heading_deg": 0.0, "elevation_deg": RAISED_DEG, **fields}
    return c.Strike(stroke=Stroke(speed=speed, **fields))


@in_debug_loop
async def test_commands_that_the_rules_refuse(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        same = Unchanged(server, ann.table)
        await _refused(ann, same, _strike(), "not_your_turn")
        await _refused(bob, same, c.PlaceCue(x=0.0, y=0.0), "wrong_state")
        await _refused(bob, same, c.Choose(option=Option.PASS_BACK), "option_not_available")
        await _refused(bob, same, _strike(tip=(0.9, 0.9)), "stroke_out_of_range")
        await _refused(bob, same, _strike(elevation_deg=0.0), "elevation_too_low")
        low = await bob.give(_strike(elevation_deg=0.0))
        assert f"raise it to {bob._raised(0.0):.2f} degrees" in low.message
        await _refused(
            bob,
            same,
            _strike(elevation_deg=bob._raised(0.0), follow_through=0.001),
            "stroke_out_of_range",
        )
        await _refused(bob, same, c.EndTimeOut(), "wrong_state")
        answer = await bob.give(_strike(), version=same.state.version - 4)
        assert answer.code == "stale_state"
        answer = await bob.give(_strike(), version=same.state.version + 1)
        assert answer.code == "stale_state"
        await same.check()


@in_debug_loop
async def test_a_placement_off_the_area_or_on_a_ball(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server)
        await lag(ann, bob)
        same = Unchanged(server, ann.table)
        await _refused(ann, same, c.PlaceCue(x=-0.6, y=0.0), "outside_head_area")
        await _refused(ann, same, c.PlaceCue(x=-0.635, y=0.0), "outside_head_area")
        await _refused(ann, same, c.PlaceCue(x=-1.26, y=0.0), "outside_bed")
        await _refused(ann, same, c.PlaceCue(x=-0.8, y=4.0), "outside_bed")
        await _refused(ann, same, _strike(), "cue_ball_not_placed")
        await _refused(bob, same, c.PlaceCue(x=-0.8, y=0.0), "not_your_turn")
        await ann.give(c.PlaceCue(x=-0.8, y=0.0))
        await ann.strike(fake.MISS)  # a foul on the break: Bob decides
        await bob.until_state(lambda s: s.phase is Phase.DECIDE_AFTER_BREAK_FOUL)
        await bob.give(c.Choose(option=Option.BALL_IN_HAND_ANYWHERE))
        await bob.until_state(lambda s: s.phase is Phase.PLACE_CUE_ANYWHERE)
        same = Unchanged(server, ann.table)
        await _refused(bob, same, c.PlaceCue(x=0.635, y=0.01), "placement_overlaps_ball")


@in_debug_loop
async def test_during_motion(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=2.0) as server:
        ann, bob = await table_after_break(server)
        await bob.strike(fake.SAFE, fake.SLOW_DEG)
        await ann.until_state(lambda s: s.phase is Phase.SHOT_RUNNING)
        same = Unchanged(server, ann.table)
        await _refused(ann, same, _strike(), "balls_moving")
        await _refused(bob, same, c.Concede(), "balls_moving")


@in_debug_loop
async def test_wrong_numbers_never_reach_the_match(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        _, bob = await table_after_break(server)
        same = Unchanged(server, bob.table)
        for number, value in enumerate([float("nan"), float("inf"), -1.0, 0.0, 13.01, True, "2"]):
            stroke = {"speed": value, "heading_deg": 0.0}
            play = {"m": "play", "id": 10 + number, "table": bob.table}
            command = {"command": {"c": "strike", "stroke": stroke}}
            start = len(bob.seen)
            await bob.raw(msgpack.packb(play | command))
            answer = await bob.until(lambda x: isinstance(x, m.Refused), start)
            assert answer.code in ("out_of_range", "malformed") and answer.re == 10 + number
        await same.check()


@in_debug_loop
async def test_unreadable_bytes_leave_the_connection_as_it_is(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        _, bob = await table_after_break(server)
        same = Unchanged(server, bob.table)
        for data, code in (
            (b"\xc1 no msgpack", "not_msgpack"),
            ("a text frame", "not_msgpack"),
            (b"\x00" * (MAX_CLIENT_BYTES + 1), "too_large"),
            (msgpack.packb({"m": "finish_shot", "id": 1}), "unknown_message"),
            (msgpack.packb({"m": "play", "id": 1, "table": bob.table, "winner": 1}), "malformed"),
        ):
            start = len(bob.seen)
            await bob.raw(data)
            answer = await bob.until(lambda x: isinstance(x, m.Refused), start)
            assert answer.code == code
        await same.check()
        assert isinstance(await bob.ask(m.Ping), m.Pong)


@in_debug_loop
async def test_the_servers_own_commands_are_nobody_elses(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        _, bob = await table_after_break(server)
        same = Unchanged(server, bob.table)
        for number, (command, code) in enumerate((
            ({"c": "award_loss", "seat": 0, "scope": "match", "reason": "I won"}, "not_allowed"),
            ({"c": "finish_shot", "shot": 3, "events": [], "balls": {}}, "malformed"),
            ({"c": "next_game"}, "malformed"),
        )):  # fmt: skip
            start = len(bob.seen)
            play = {"m": "play", "id": 5 + number, "table": bob.table, "command": command}
            await bob.raw(msgpack.packb(play))
            answer = await bob.until(lambda x: isinstance(x, m.Refused), start)
            assert answer.code == code
        await same.check()


@in_debug_loop
async def test_a_spectator_and_a_stranger_cannot_play(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        same = Unchanged(server, bob.table)
        eve = await WireClient.connect(server.port, "Eve")
        eve.table = ann.table
        await _refused(eve, same, _strike(), "not_at_this_table")
        await eve.watch(ann.table)
        await _refused(eve, same, _strike(), "not_at_this_table")
        await _refused(eve, same, c.Concede(), "not_at_this_table")
        answer = await eve.join(ann.table)
        assert answer.code == "table_full"
        answer = await bob.watch(ann.table)
        assert answer.code == "already_playing"
        await same.check()


@in_debug_loop
async def test_the_same_message_twice_is_carried_out_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        _, bob = await table_after_break(server)
        request = bob.play(_strike(fake.SAFE))
        first = await bob.ask_again(request)
        await bob.until_state(lambda s: s.shot_number == 3 and s.shooter == 0)
        again = await bob.ask_again(request)
        assert isinstance(first, m.Accepted) and again == first
        same = Unchanged(server, bob.table)
        assert same.state.shot_number == 3
        reused = m.Play(id=request.id, table=bob.table, command=c.Concede())
        answer = await bob.ask_again(reused)
        assert answer.code == "id_reused"
        refused = bob.play(_strike(fake.SAFE))
        assert (await bob.ask_again(refused)).code == "not_your_turn"
        assert (await bob.ask_again(refused)).code == "not_your_turn"
        await same.check()


@in_debug_loop
async def test_two_copies_of_a_stroke_at_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        _, bob = await table_after_break(server)
        data = write_message(bob.play(_strike(fake.POT)))
        for _ in range(3):
            await bob.raw(data)
        await bob.until_state(lambda s: 1 not in s.balls)
        await bob.ask(m.Ping)
        assert bob.state is not None and bob.state.shot_number == 3
        answers = [x for x in bob.seen if isinstance(x, m.Accepted)]
        assert answers[-1] == answers[-2] == answers[-3]


@in_debug_loop
async def test_before_the_second_player_there_is_no_match(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        await ann.open()
        answer = await ann.give(_strike())
        assert answer.code == "wrong_state"
