"""Opening, listing, joining, watching and leaving tables."""

from pathlib import Path

from shared_rules import messages as m
from shared_rules.state import Phase, ShotClock
from tests.server.bench_table import eventually, in_loop, serving, table_after_break, two_players
from tests.server.wire_client import WireClient


@in_loop
async def test_a_table_is_listed_as_it_was_opened(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        await ann.open(
            ruleset="nine_ball_wpa",
            overrides={"match": {"games_to_win": 3}},
            table="8ft",
            shot_clock=ShotClock(limit_s=30.0),
        )
        answer = await ann.ask(m.ListTables)
        (row,) = answer.tables
        assert (row.table, row.ruleset, row.players) == (ann.table, "nine_ball_wpa", ("Ann", None))
        assert (row.games_to_win, row.shot_clock_s, row.phase) == (3, 30.0, "WAITING_FOR_PLAYERS")
        assert ann.snapshot is not None and ann.snapshot.state is None
        assert ann.snapshot.table_preset == "8ft" and ann.snapshot.invitation == ann.invitation
        bob = await WireClient.connect(server.port, "Bob")
        await bob.join(ann.table.lower())
        state = await ann.until_state(lambda s: s.phase is Phase.LAG)
        assert state.description.frame.length == 2.3368
        assert state.description.players == ("Ann", "Bob")


@in_loop
async def test_tables_that_cannot_be_opened(tmp_path: Path) -> None:
    async with serving(tmp_path, max_tables=1) as server:
        ann = await WireClient.connect(server.port, "Ann")
        for fields, code in (
            ({"ruleset": "snooker"}, "bad_ruleset"),
            ({"overrides": {"match": {"games_to_win": 1000}}}, "bad_ruleset"),
            ({"overrides": {"cheat": True}}, "bad_ruleset"),
            ({"table": "unbounded"}, "bad_ruleset"),
            ({"table": "10ft"}, "bad_ruleset"),
        ):
            assert (await ann.ask(m.OpenTable, **fields)).code == code
        deep: dict[str, object] = {}
        for _ in range(900):
            deep = {"a": deep}
        assert (await ann.ask(m.OpenTable, overrides=deep)).fault != "server"
        await ann.open()
        assert (await ann.ask(m.OpenTable)).code == "already_playing"
        bob = await WireClient.connect(server.port, "Bob")
        assert (await bob.ask(m.OpenTable)).code == "too_many_tables"
        assert (await bob.join("NOSUCH")).code == "unknown_table"


@in_loop
async def test_opening_twice_with_one_id_opens_one_table(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        request = m.OpenTable(id=77)
        first = await ann.ask_again(request)
        again = await ann.ask_again(request)
        assert again == first and len(server.house.floor.tables) == 1


@in_loop
async def test_a_refusal_to_open_stays_the_answer(tmp_path: Path) -> None:
    async with serving(tmp_path, max_tables=1) as server:
        dan = await WireClient.connect(server.port, "Dan")
        await dan.open()
        ann = await WireClient.connect(server.port, "Ann")
        request = m.OpenTable(id=77)
        assert (await ann.ask_again(request)).code == "too_many_tables"
        await dan.ask(m.LeaveTable, table=dan.table)
        await eventually(lambda: not server.house.floor.tables)
        assert (await ann.ask_again(request)).code == "too_many_tables"
        assert (await ann.ask_again(m.OpenTable(id=77, private=True))).code == "id_reused"
        assert isinstance(await ann.ask(m.OpenTable), m.Accepted)


@in_loop
async def test_private_tables_and_who_may_watch(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        await ann.open(private=True, watch="invited")
        bob = await WireClient.connect(server.port, "Bob")
        assert (await bob.join(ann.table)).code == "wrong_invitation"
        assert (await bob.join(ann.table, invitation="AAAAAAAA")).code == "wrong_invitation"
        assert (await bob.watch(ann.table)).code == "wrong_invitation"
        assert isinstance(await bob.join(ann.table, invitation=ann.invitation), m.Accepted)
        eve = await WireClient.connect(server.port, "Eve")
        assert isinstance(await eve.watch(ann.table, invitation=ann.invitation), m.Accepted)
        assert eve.snapshot is None or eve.snapshot.invitation is None
        closed = await WireClient.connect(server.port, "Dan")
        await closed.open(watch="nobody")
        answer = await eve.watch(closed.table, invitation=closed.invitation)
        assert answer.code == "watching_not_allowed"


@in_loop
async def test_a_player_is_in_one_match_only(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, _ = await two_players(server)
        dan = await WireClient.connect(server.port, "Dan")
        await dan.open()
        assert (await ann.join(dan.table)).code == "already_playing"
        assert (await ann.ask(m.OpenTable)).code == "already_playing"
        assert isinstance(await ann.watch(dan.table), m.Accepted)  # watching is no playing


@in_loop
async def test_the_opener_who_leaves_closes_his_table(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        await ann.open()
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        await ann.ask(m.LeaveTable, table=ann.table)
        closed = await eve.until(lambda x: isinstance(x, m.TableClosed))
        assert "left" in closed.reason and not server.house.floor.tables
        await ann.open()  # and he may open another


@in_loop
async def test_fifty_spectators_come_and_go_and_the_state_does_not_change(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, _ = await table_after_break(server)
        assert ann.state is not None
        version = ann.state.version
        watchers = [await WireClient.connect(server.port, f"Eve {n}") for n in range(50)]
        for eve in watchers:
            assert isinstance(await eve.watch(ann.table), m.Accepted)
        await ann.until(lambda x: isinstance(x, m.PresenceEvent) and x.spectators == 50)
        for eve in watchers:
            await eve.close()
        await ann.until(lambda x: isinstance(x, m.PresenceEvent) and x.spectators == 0)
        keeper = server.house.floor.tables[ann.table].course.keeper
        assert keeper is not None and keeper.state.version == version
        presence = [x for x in ann.seen if isinstance(x, m.PresenceEvent)]
        assert len(presence) < 60  # many who come at once are one event


@in_loop
async def test_after_the_match_both_are_free_and_the_room_closes(tmp_path: Path) -> None:
    async with serving(tmp_path, linger_s=20.0, time_scale=40.0) as server:
        ann, bob = await table_after_break(server, overrides={"match": {"games_to_win": 1}})
        await bob.strike(4.0)
        await ann.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        assert isinstance(await ann.ask(m.OpenTable), m.Accepted)
        await bob.close()
        again = await WireClient.connect(server.port, token=bob.token)
        assert isinstance(await again.join(bob.table), m.Accepted)  # to look at the result
        assert again.snapshot is None or again.snapshot.seat == 1
        bob = again
        closed = await bob.until(lambda x: isinstance(x, m.TableClosed))
        assert closed.reason == "the match is over"
        assert (await bob.join(closed.table)).code == "unknown_table"
