"""Replays: what spectators were told, found again by whoever may see it, without judging anew."""

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import insert

from physics.trajectory import Trajectory
from server import replays
from server.config import database_url
from server.storage import archive, schema
from server.storage.archive import Wanted
from server.storage.store import Store
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.announcements import Announcement
from shared_rules.state import MatchState, Phase
from shared_rules.wire import write_message
from tests.server import fake_physics as fake
from tests.server.bench_table import (
    break_balls,
    in_loop,
    lag,
    serving,
    table_after_break,
    two_players,
)
from tests.server.databases import standing_for, url_of
from tests.server.wire_client import WireClient

RACE_TO_1 = {"match": {"games_to_win": 1}}
OLD = Path(__file__).parents[1] / "data" / "server" / "schema_0001.db"


async def _replay(client: WireClient, match: str, **fields: Any) -> list[m.Replay]:
    """All pieces of a match."""
    pieces: list[m.Replay] = []
    start: int | None = 0
    while start is not None:
        piece = await client.ask(m.GetReplay, match=match, start=start, **fields)
        assert isinstance(piece, m.Replay), piece
        pieces.append(piece)
        start = piece.next
    return pieces


def _states(events: list[m.ReplayEvent]) -> list[MatchState]:
    """The public state after each event, put together as a client does."""
    state: dict[str, Any] = {}
    made = []
    for event in events:
        state |= event.changes
        made.append(msgspec.convert(state, MatchState))
    return made


async def _whole_match(ann: WireClient, bob: WireClient) -> None:
    await lag(ann, bob)
    await break_balls(ann, bob)
    await bob.strike(fake.NINE)
    for player in (ann, bob):
        await player.until_state(lambda s: s.phase is Phase.MATCH_OVER)


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_replay_from_where_no_match_comes_to_is_empty(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, overrides=RACE_TO_1)
        await _whole_match(ann, bob)
        piece = await ann.ask(m.GetReplay, match=ann.table, start=2**31 - 1)
        assert piece.events == () and piece.next is None
        assert (await ann.ask(m.GetReplay, match=ann.table, start=2**31)).code == "out_of_range"


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_replay_is_what_spectators_were_told_br_085(tmp_path: Path) -> None:
    """BR-085: also for spectators, those who were there and others.  Every event, its state and its
    trajectory, and no more: nothing of what players or spectators have said among themselves."""
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, overrides=RACE_TO_1)
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        talk = {ann: "between the two of us", eve: "among those who watch"}
        for who, text in talk.items():
            said = await who.ask(m.Say, text=text, table=ann.table)
            assert isinstance(said, m.Accepted), said
        heard_by = {bob: talk[ann], eve: talk[eve]}
        for who, text in heard_by.items():
            await who.until(lambda x, text=text: isinstance(x, m.Said) and x.line.text == text)  # type: ignore[misc]
        await _whole_match(ann, bob)
        await eve.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        for who in (ann, bob, eve, await WireClient.connect(server.port, "Dan")):
            shown = b"".join(write_message(piece) for piece in await _replay(who, ann.table))
            assert b"Ann" in shown
            assert not [text for text in talk.values() if text.encode() in shown]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(replays, "_PIECE_BYTES", 1500)
            patch.delattr(archive, "apply")  # whatever became of the rules
            pieces = await _replay(eve, ann.table)
        assert len(pieces) > 5
        events = [event for piece in pieces for event in piece.events]
        assert [event.number for event in events] == list(range(1, len(events) + 1))
        states = _states(events)
        told = [x for x in eve.seen if isinstance(x, m.RoomEvent)]
        assert len(told) > 8 and eve.state_after(told[-1]) == states[-1]
        for heard in told:
            state = eve.state_after(heard)
            event = events[state.version - 1]
            assert states[state.version - 1] == state
            assert event.by == heard.by
            said = msgspec.convert(event.announcements, tuple[Announcement, ...])
            assert said == heard.announcements
        shots = {e.shot.shot: e.shot.trajectory for e in events if e.shot is not None}
        assert shots == ann.trajectories and eve.trajectories.items() <= shots.items()
        summary = pieces[-1].summary
        assert summary.players == ("Ann", "Bob") and summary.status == "over"
        assert summary.result is not None and summary.result.winner == 1
        assert summary.result.games == states[-1].games
        assert summary.ended_at is not None and summary.ended_at >= summary.opened_at
        listed = await eve.ask(m.ListReplays)
        assert listed.matches == (summary,) and listed.next is None


@in_loop
async def test_a_lag_stroke_that_was_unseen_stays_so(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server)
        await ann.strike(3.0)
        await bob.until_state(lambda s: s.lag is not None and s.lag.struck[0])
        (piece,) = await _replay(bob, ann.table)
        lag_state = _states(list(piece.events))[-1].lag
        assert lag_state is not None and lag_state.struck[0] and lag_state.strokes[0] is None


@in_loop
async def test_a_running_match_up_to_what_was_told(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=0.1) as server:
        ann, bob = await two_players(server)
        await ann.strike(3.0)
        await bob.strike(2.0)
        await ann.until_state(lambda s: s.phase is Phase.SHOT_RUNNING)
        eve = await WireClient.connect(server.port, "Eve")
        (piece,) = await _replay(eve, ann.table)
        last = piece.events[-1]
        assert last.shot is not None and last.shot.trajectory == ann.trajectories[1]
        assert piece.summary.status == "running" and piece.summary.result is None
        nothing = await eve.ask(m.GetReplay, match=ann.table, start=last.number)
        assert nothing.events == () and nothing.next is None
        # as if the shot weren't stored yet: then nobody has been told of the stroke
        async with server.store._engine.begin() as connection:
            await connection.exec_driver_sql("DELETE FROM shots")
        (piece,) = await _replay(eve, ann.table)
        assert piece.events[-1].number == last.number - 1


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_who_may_see_which_match(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        eve = await WireClient.connect(server.port, "Eve")
        tables = {}
        for number, watch in enumerate(("everyone", "invited", "nobody")):
            ann = await WireClient.connect(server.port, f"Ann {number}")
            bob = await WireClient.connect(server.port, f"Bob {number}")
            tables[watch] = (await ann.open(watch=watch), ann, bob)
            await bob.join(ann.table)
            await bob.until_state(lambda s: s.phase is Phase.LAG)
        listed = await eve.ask(m.ListReplays)
        assert [match.match for match in listed.matches] == [tables["everyone"][0]]
        for watch, code in (("invited", "wrong_invitation"), ("nobody", "watching_not_allowed")):
            table, ann, bob = tables[watch]
            assert (await eve.ask(m.GetReplay, match=table)).code == code
            for player in (ann, bob):
                assert (await _replay(player, table))[0].summary.match == table
                listed = await player.ask(m.ListReplays, mine=True)
                assert [match.match for match in listed.matches] == [table]
                found = await eve.ask(m.ListReplays, player=player_name(player, listed))
                assert found.matches == ()
        table, ann, _ = tables["invited"]
        assert await _replay(eve, table, invitation=ann.invitation)
        assert (await eve.ask(m.GetReplay, match="NOSUCH")).code == "unknown_match"
        assert (await eve.ask(m.ListReplays, page="nonsense")).code == "out_of_range"
        waiting = await WireClient.connect(server.port, "Dan")
        await waiting.open()
        assert (await eve.ask(m.GetReplay, match=waiting.table)).code == "unknown_match"
        assert len((await eve.ask(m.ListReplays)).matches) == 1


def player_name(player: WireClient, listed: m.ReplayList) -> str:
    assert player.snapshot is not None and player.snapshot.seat is not None
    return listed.matches[0].players[player.snapshot.seat]


@in_loop
async def test_a_referee_sees_the_match_that_he_officiated(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        bob = await WireClient.connect(server.port, "Bob")
        opened = await ann.ask(m.OpenTable, watch="nobody", referee=True)
        await bob.join(opened.table)
        rita = await WireClient.connect(server.port, "Rita")
        rita.table = opened.table
        invitation = opened.referee_invitation
        await rita.ask(m.OfficiateTable, table=opened.table, invitation=invitation)
        await rita.until_state(lambda s: s.phase is Phase.LAG)
        assert (await rita.ask(m.GetReplay, match=opened.table)).code == "watching_not_allowed"
        assert isinstance(await rita.give(c.Suspend(reason="a phone")), m.Accepted)
        assert (await _replay(rita, opened.table))[-1].events


async def _fill(store: Store, count: int) -> None:
    """Matches of many players: every seventh is Ann's, every third may not be watched."""
    description = msgspec.msgpack.encode(
        {"ruleset": {"id": "nine_ball_wpa"}, "players": ["A", "B"]}
    )
    people, matches = schema.people, schema.matches
    async with store._engine.begin() as connection:
        for number in range(7):
            name = "ann" if number == 0 else f"p{number}"
            row = {"person": f"p{number}", "name": name, "name_key": name, "created_at": 0.0}
            await connection.execute(insert(people).values(row))
        rows = [
            {
                "match": f"M{n:05}", "status": "over", "seat_0": f"p{n % 7}",
                "seat_1": f"p{(n + 1) % 7}", "terms": b"", "description": description,
                "watch": "everyone" if n % 3 else "nobody", "request": n, "digest": b"",
                "answer": b"", "opened_at": float(n // 2),
            }
            for n in range(count)
        ]  # fmt: skip
        await connection.execute(insert(matches), rows)


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_pages_hold_every_match_once_the_latest_first(tmp_path: Path) -> None:
    store = await Store.open(url_of(tmp_path))
    await _fill(store, 100)
    numbers = range(100)

    async def all_of(me: str, **wanted: Any) -> list[int]:
        found, place = [], None
        while True:
            some, place = await store.archive.find(Wanted(most=9, place=place, **wanted), me)
            found += [int(match.match[1:]) for match in some]
            if place is None:
                return found
            assert len(some) == 9

    def seats(n: int) -> tuple[int, int]:
        return n % 7, (n + 1) % 7

    latest = sorted(numbers, reverse=True)
    assert await all_of("nobody") == [n for n in latest if n % 3]
    assert await all_of("p2") == [n for n in latest if n % 3 or 2 in seats(n)]
    assert await all_of("p2", mine=True) == [n for n in latest if 2 in seats(n)]
    assert await all_of("x", player="ann") == [n for n in latest if n % 3 and 0 in seats(n)]
    mine = [n for n in latest if 0 in seats(n) and (n % 3 or 1 in seats(n))]
    assert await all_of("p1", player="ann") == mine
    assert await all_of("p1", player="ann", mine=True) == [
        n for n in latest if {0, 1} == set(seats(n))
    ]
    assert await all_of("x", before=20.0, after=10.0) == [
        n for n in latest if n % 3 and 10 <= n // 2 < 20
    ]
    assert await all_of("x", player="nobody") == []
    await store.close()


@in_loop
async def test_no_question_for_matches_looks_through_all_of_them(tmp_path: Path) -> None:
    store = await Store.open(url_of(tmp_path))
    wanted = Wanted(before=50.0, after=1.0, place=(40.0, "M00080"))
    named = Wanted(player="ann")
    queries = [
        *archive.pages(wanted, "p1", []),
        *archive.pages(Wanted(mine=True), "p1", []),
        *archive.pages(named, "p1", ["p0"]),
        archive._told_after("M00001", 5, 1.0),
    ]
    async with store._engine.connect() as connection:
        for query in queries:
            literal = {"literal_binds": True}
            text = str(query.compile(store._engine.sync_engine, compile_kwargs=literal))
            plan = (await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}")).fetchall()
            steps = [row[3] for row in plan]
            assert steps and all(step.startswith("SEARCH") for step in steps), (text, steps)
    await store.close()


def test_a_database_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    """Its matches go on and are replayed, with their trajectories of version 1."""
    file = tmp_path / "server.sqlite3"
    shutil.copy(OLD, file)
    with sqlite3.connect(file) as old:
        last = old.execute("SELECT max(at) FROM orders").fetchone()[0]
        tables = dict(old.execute("SELECT status, match FROM matches").fetchall())
    old.close()

    @in_loop
    async def play() -> None:
        with standing_for(tmp_path, database_url(str(file))):
            async with serving(tmp_path, physics="server.shots:play") as server:
                assert server.clock.now() >= last
                assert set(server.house.floor.tables) == {tables["running"], tables["waiting"]}
                eve = await WireClient.connect(server.port, "Eve")
                pieces = await _replay(eve, tables["over"])
                events = [event for piece in pieces for event in piece.events]
                assert _states(events)[-1].phase is Phase.MATCH_OVER
                shots = [event.shot for event in events if event.shot is not None]
                assert len(shots) == 29
                for shot in shots:
                    assert shot.trajectory[:5] == b"HSTR\x01"
                    played = Trajectory.decode(shot.trajectory)
                    assert played.duration == pytest.approx(shot.duration, abs=1e-6)
                    assert played.states_at(0.5 * shot.duration)
                hidden = await eve.ask(m.GetReplay, match=tables["running"])
                assert hidden.code == "wrong_invitation"
                assert [x.match for x in (await eve.ask(m.ListReplays)).matches] == [tables["over"]]

    play()


@in_loop
async def test_pieces_wait_for_a_reader_who_is_slow(tmp_path: Path) -> None:
    """Asking for many at once gets them one after the other, and nobody is hung up on."""
    async with serving(tmp_path) as server:
        ann, _ = await table_after_break(server)
        eve = await WireClient.connect(server.port, "Eve")
        requests = [m.GetReplay(id=eve.next_id(), match=ann.table) for _ in range(60)]
        for request in requests:
            await eve.send(request)
        for request in requests:
            answer = await eve.until(lambda x, id=request.id: getattr(x, "re", None) == id)
            assert isinstance(answer, m.Replay) and answer.events


@in_loop
async def test_a_table_that_is_shown_late_is_replayed_late(tmp_path: Path) -> None:
    """Also the result: who watches learns from a replay no more than at the table."""
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, overrides=RACE_TO_1, delay_s=300.0)
        await _whole_match(ann, bob)
        eve = await WireClient.connect(server.port, "Eve")
        seen = await eve.ask(m.GetReplay, match=ann.table)
        assert seen.events == () and seen.next is None
        for summary in (seen.summary, (await eve.ask(m.ListReplays)).matches[0]):
            assert (summary.status, summary.result, summary.ended_at) == ("running", None, None)
        (mine,) = await _replay(bob, ann.table)
        assert mine.summary.result is not None and len(mine.events) > 8
