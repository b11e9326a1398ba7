"""What players of online pool games report of sync and lifecycle, as scenarios; and a list of all.

``tests/data/reports.json`` holds the ids of every area.
"""

import ast
import asyncio
import json
import random
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import msgpack
import msgspec
import pytest

from client.hud.game import strip
from server.config import database_url
from server.storage.store import Store
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.announcements import GameWon, Racked
from shared_rules.match import apply, new_match, replay
from shared_rules.state import MatchDescription, MatchState, Option, Phase
from shared_rules.view import public_state
from tests.faults.indoors import indoors
from tests.faults.lossy import LossyClient
from tests.faults.scripted import command
from tests.server import fake_physics as fake
from tests.server.bench_table import (
    back,
    break_balls,
    in_loop,
    lag,
    serving,
    table_after_break,
    two_players,
)
from tests.server.test_going_down import FakeProcess, free_port
from tests.server.wire_client import WireClient

_TESTS = Path(__file__).parents[1]
_DAY_S = 86_400.0


# Reports of other areas that no test names yet.
_OWED = {
    "BR-040", "BR-098", "BR-100", "BR-102", "BR-103", "BR-104", "BR-105", "BR-109",
}  # fmt: skip


def _tests_of(path: Path) -> Iterator[str]:
    """Name and docstring of every test that is collected from a file: no helper, no comment."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = [x for x in tree.body if isinstance(x, ast.ClassDef) and x.name.startswith("Test")]
    for holder in (tree, *classes):
        for found in holder.body:
            function = isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef)
            if function and found.name.startswith("test_"):
                yield f"{found.name} {ast.get_docstring(found)}"


def test_every_report_is_named_by_a_test() -> None:
    listed = set(json.loads((_TESTS / "data/reports.json").read_text())["areas"])
    said = " ".join(said for path in _TESTS.rglob("test_*.py") for said in _tests_of(path))
    named = {f"BR-{number}" for number in re.findall(r"BR[-_](\d{3})", said, re.IGNORECASE)}
    assert listed - named - _OWED == set()
    assert listed >= _OWED and named <= listed


async def _late(server: object, table: str) -> WireClient:
    """Somebody who comes now and looks on; he has what a snapshot gives."""
    eve = await WireClient.connect(server.port, f"Eve {random.randrange(10**9)}")  # type: ignore[attr-defined]
    assert isinstance(await eve.watch(table), m.Accepted)
    await eve.until(lambda x: isinstance(x, m.Snapshot))
    return eve


@pytest.mark.parametrize("ruleset", ["nine_ball_epbf", "eight_ball"])
def test_br_043_all_see_the_same_balls_before_the_first_aim(tmp_path: Path, ruleset: str) -> None:
    """BR-043: in the first rack, in the next, and in the other game."""

    @in_loop
    async def play() -> None:
        async with serving(tmp_path) as server:
            ann, bob = await two_players(
                server,
                ruleset=ruleset,
                overrides={"match": {"games_to_win": 3}, "concede_scope": "game"},
            )
            eve = await _late(server, ann.table)
            await lag(ann, bob)
            for rack in (1, 2):
                states = [
                    await who.until_state(lambda s, rack=rack: s.rack_number == rack and s.racked)
                    for who in (ann, bob, eve)
                ]
                late = await _late(server, ann.table)
                assert late.state is not None and len(states[0].balls) >= 9
                for state in (*states, late.state):
                    assert state.balls == states[0].balls
                await bob.give(c.Concede())

    play()


@in_loop
async def test_br_043_also_in_a_rematch_and_when_another_game_follows(tmp_path: Path) -> None:
    """BR-043: the same two, once more at the same terms, then eight-ball on the same server."""
    async with serving(tmp_path) as server:
        short = {"match": {"games_to_win": 1}, "concede_scope": "match"}
        ann, bob = await two_players(server, overrides=short)
        await bob.give(c.Concede())
        await ann.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        start = {who: len(who.seen) for who in (ann, bob)}
        for who in (bob, ann):
            assert isinstance(await who.ask(m.Rematch, table=ann.table), m.Accepted)
        for who in (ann, bob):
            found = await who.until(lambda x: isinstance(x, m.MatchFound), start[who])
            who.table = found.table
        await _racked_alike(server, bob, ann, 9)  # seats are changed
        await ann.give(c.Concede())
        await bob.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        for who in (ann, bob):
            await who.ask(m.LeaveTable, table=who.table)
        await bob.join(await ann.open(ruleset="eight_ball", overrides=short))
        await _racked_alike(server, ann, bob, 15)


async def _racked_alike(server: object, first: WireClient, second: WireClient, balls: int) -> None:
    """From the lag on: before the first aim all who are there have the same balls."""
    for who in (first, second):
        await who.until_state(
            lambda s, who=who: s.description.match_id == who.table and s.phase is Phase.LAG
        )
    eve = await _late(server, first.table)
    await lag(first, second)
    racked = [await who.until_state(lambda s: s.racked) for who in (first, second, eve)]
    late = await _late(server, first.table)
    assert late.state is not None
    for state in (*racked, late.state):
        assert state.balls == racked[0].balls and len(set(state.balls) - {0}) == balls
        assert (state.consecutive_fouls, state.games, state.groups) == ((0, 0), (0, 0), None)
        assert state.last_ruling is None or state.last_ruling.shooter is None


@in_loop
async def test_br_044_ball_in_hand_is_over_for_all_once_it_is_struck(tmp_path: Path) -> None:
    """BR-044: placed and struck; nobody, and no latecomer, still sees the ball in hand."""
    async with serving(tmp_path, time_scale=4.0) as server:
        ann, bob = await table_after_break(server)
        eve = await _late(server, ann.table)
        await bob.strike(fake.MISS)
        await ann.until_state(lambda s: s.phase is Phase.PLACE_CUE_ANYWHERE)
        for place in ((0.0, 0.3), (-0.2, 0.3)):
            await ann.give(c.PlaceCue(x=place[0], y=place[1]))
        await eve.until_state(lambda s: s.cue_placed and s.balls[0] == (-0.2, 0.3))
        placed = await _late(server, ann.table)
        assert placed.state == eve.state
        await ann.strike(fake.SAFE, fake.SLOW_DEG)
        rolling = await _late(server, ann.table)
        for who in (ann, bob, eve, placed, rolling):
            state = await who.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
            assert (state.cue_in_hand, state.cue_placed) == ("none", ann.state.cue_placed)  # type: ignore[union-attr]


@in_loop
async def test_br_046_whoever_comes_late_sees_the_table_as_it_is(tmp_path: Path) -> None:
    """BR-046: in every state of a match; another version is told so."""
    async with serving(tmp_path, time_scale=4.0, between_games_s=4.0) as server:
        ann = await WireClient.connect(server.port, "Ann")
        bob = await WireClient.connect(server.port, "Bob")
        name = await ann.open(overrides={"match": {"games_to_win": 2}})
        assert (await _late(server, name)).state is None  # nobody plays yet
        await bob.join(name)
        seen: list[Phase] = []

        async def look(phase: Phase) -> None:
            for who in (ann, bob):
                await who.until_state(lambda s: s.phase is phase)
            late = await _late(server, name)
            assert late.state is not None and late.state.phase is phase
            if phase is not Phase.LAG:  # where each sees his own stroke
                assert late.state == ann.state == bob.state
            seen.append(phase)

        await look(Phase.LAG)
        await ann.strike(3.0)
        await bob.strike(2.0)
        await look(Phase.LAG_CHOICE)
        await ann.give(c.Choose(option=Option.BREAK))
        await ann.until_state(lambda s: s.racked)
        await look(Phase.PLACE_CUE_FOR_BREAK)
        await break_balls(ann, bob)
        await look(Phase.AWAIT_SHOT)
        await bob.strike(fake.MISS, fake.SLOW_DEG)
        await look(Phase.SHOT_RUNNING)
        await look(Phase.PLACE_CUE_ANYWHERE)
        await ann.give(c.PlaceCue(x=0.0, y=0.3))
        await ann.strike(fake.NINE)
        await look(Phase.GAME_OVER)
        await look(Phase.PLACE_CUE_FOR_BREAK)
        await bob.give(c.Concede())
        await look(Phase.MATCH_OVER)
        for other in (m.PROTOCOL + 1, m.PROTOCOL - 1):
            old = await WireClient.connect(server.port)
            await old.send(m.Hello(protocol=other, name="Old"))
            refused = await old.until(lambda x: isinstance(x, m.Refused))
            assert refused.code == "unsupported_protocol" and str(m.PROTOCOL) in refused.message
        # an older build of this protocol, which sends none of the fields that have come since
        old = await WireClient.connect(server.port)
        await old.raw(msgpack.packb({"m": "hello", "protocol": m.PROTOCOL, "name": "Older"}))
        await old.until(lambda x: isinstance(x, m.Welcome))
        await old.raw(msgpack.packb({"m": "watch_table", "id": 1, "table": name}))
        snapshot = await old.until(lambda x: isinstance(x, m.Snapshot))
        assert snapshot.state == ann.state


@in_loop
async def test_br_047_who_did_not_see_the_balls_fall_knows_which_are_down(tmp_path: Path) -> None:
    """BR-047: seven are down; tray, its order and score are those of who has watched from the
    start: for who comes now, for who comes back, in the replay and after a restart."""
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        eve = await _late(server, ann.table)
        order = (1, 8, 2, 7, 6, 3, 4)
        for ball in order:
            await bob.strike(fake.HIGH if ball > 5 else fake.POT)
            for who in (ann, bob, eve):
                await who.until_state(lambda s, b=ball: b not in s.balls and s.running is None)
        late = await _late(server, ann.table)
        ann.cut()
        again = await back(server, ann)
        await again.until(lambda x: isinstance(x, m.Snapshot | m.RoomEvent))
        changes: dict[str, object] = {}
        replayed = await late.ask(m.GetReplay, match=ann.table, start=0)
        for event in replayed.events:
            changes |= event.changes
        assert replayed.next is None
        shown = msgspec.convert(changes, MatchState)
        for state in (bob.state, eve.state, late.state, again.state, shown):
            assert state is not None
            assert (state.down, set(state.balls), state.games) == (order, {0, 5, 9}, (0, 0))
            numbers = [ball for ball, left in strip(state) if not left]
            assert numbers == list(order)
    async with serving(tmp_path) as server:
        assert (await _late(server, ann.table)).state.down == order  # type: ignore[union-attr]


class _Day:
    """What a day of play must not hold: a table that is as new though nobody has won."""

    def __init__(self) -> None:
        self.racks = self.strokes = 0
        self._before: MatchState | None = None

    def see(self, state: MatchState) -> None:
        before, self._before = self._before, state
        if before is None or before is state:
            return
        if before.description.match_id != state.description.match_id:
            assert before.phase is Phase.MATCH_OVER, "a match has gone before its end"
            return
        assert state.version >= before.version and state.shot_number >= before.shot_number
        self.strokes += state.shot_number - before.shot_number
        if state.rack_number != before.rack_number:
            assert state.rack_number > before.rack_number
            assert sum(state.games) >= sum(before.games)
            self.racks += 1
        elif before.racked and state.racked and before.game_begun:
            assert set(state.balls) <= set(before.balls), "balls are back that had fallen"


def _check_reasons(description: MatchDescription, orders: tuple[c.Order, ...]) -> None:
    """Each rack after the first has been told why: somebody had won the game, by this."""
    state, why = new_match(description), "the match begins"
    for order in orders:
        applied = apply(state, order)
        state = applied.state
        for said in applied.announcements:
            if isinstance(said, GameWon):
                why = said.reason
            elif isinstance(said, Racked):
                assert why, f"rack {said.rack} comes of nothing"
                why = ""


def test_br_056_no_table_is_reset_in_a_day(tmp_path: Path) -> None:
    """BR-056: 24 hours by the server's clock; racks only after games, and each by the server."""

    async def play() -> None:
        async with indoors(tmp_path, messages_per_s=1e6, messages_burst=1e6) as place:
            luck = random.Random(56)
            clients = [LossyClient(place, name, luck, 0.0) for name in ("Ann", "Bob")]
            ann, bob = clients
            day, table = _Day(), ""
            tables: list[str] = []
            rules = {"match": {"games_to_win": 20}}
            while place.real_s < _DAY_S:
                for seat, who in enumerate(clients):
                    await who.step()
                    view, session = who.session.view, who.session
                    state = view.state if view is not None else None
                    if who is ann and state is not None:
                        day.see(state)
                    if who is ann and not session.busy and session.phase == "ready":
                        over = state is not None and state.phase is Phase.MATCH_OVER
                        if over or (view is None and not session._pending):
                            session.view = None
                            session.open_table(overrides=rules)
                    now_at = ann.session.view
                    if who is bob and now_at and now_at.known and now_at.table != table:
                        table, session.view = now_at.table, None
                        session.join(table)
                        tables.append(table)
                    if state is not None and not session.busy:
                        due = command(state, seat)  # type: ignore[arg-type]
                        if isinstance(due, c.Strike) and state.phase is Phase.AWAIT_SHOT:
                            place.real_s += 150.0  # he thinks
                        if due is not None:
                            session.play(due)
                await asyncio.sleep(0.001)
                place.real_s += 0.3
            assert day.racks > 15 and day.strokes > 300
            assert not place.house.metrics.void_shots
            assert not sum((who.refused for who in clients), start=ann.refused)["internal"]
            for name in tables:
                record = await place.store.matches.load(name)
                assert record is not None
                racks = [o for o in record.orders if isinstance(o.command, c.RackBalls)]
                assert all(order.by.value == "server" for order in racks)
                assert record.description is not None
                _check_reasons(record.description, record.orders)

    asyncio.run(asyncio.wait_for(play(), 120))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL there")
@pytest.mark.parametrize("by", ["concession", "stroke"])
def test_br_119_the_result_that_was_shown_is_the_one_that_is_stored(
    tmp_path: Path, by: str
) -> None:
    """BR-119: the server is killed in the instant in which a player hears that he has won."""

    @in_loop
    async def play() -> None:
        database = tmp_path / "db.sqlite3"
        with FakeProcess(database_url(str(database)), free_port()) as server:
            await asyncio.to_thread(server.start)
            ann, bob = await two_players(
                server,  # type: ignore[arg-type]
                overrides={"match": {"games_to_win": 1}, "concede_scope": "match"},
            )
            if by == "stroke":  # of Bob's, judged by the server
                await lag(ann, bob)
                await break_balls(ann, bob)
                await bob.strike(fake.NINE)
            else:
                await ann.send(ann.play(c.Concede()))
            shown = await bob.until_state(lambda s: s.phase is Phase.MATCH_OVER)
            await server.end(signal.SIGKILL)
        store = await Store.open(database_url(str(database)))
        record = await store.matches.load(bob.table)
        await store.close()
        assert record is not None and record.description is not None and record.status == "over"
        assert shown.winner == 1
        assert public_state(replay(record.description, record.orders), 1) == shown

    play()
