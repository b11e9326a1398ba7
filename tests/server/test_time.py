"""What passes by itself: clocks that run out, players who are away, matches adjourned."""

from pathlib import Path

from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.announcements import ClockRanOut
from shared_rules.state import Option, Phase, ShotClock
from tests.server import fake_physics as fake
from tests.server.bench_table import eventually, in_loop, serving, table_after_break, two_players
from tests.server.wire_client import WireClient


def _disconnect(**keys: object) -> dict[str, object]:
    return {"disconnect": {"grace_s": 2.0, "claim_s": 0.0, "budget_s": 30.0} | keys}


@in_loop
async def test_the_servers_clock_rules_at_the_deadline(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=4.0) as server:
        _, bob = await table_after_break(server, shot_clock=ShotClock(limit_s=5.0))
        assert bob.state is not None
        deadline = bob.state.clock.deadline
        assert deadline is not None
        await bob.until_state(lambda s: s.shooter == 0)
        event = next(
            x
            for x in bob.seen
            if isinstance(x, m.RoomEvent)
            and any(isinstance(a, ClockRanOut) for a in x.announcements)
        )
        assert 0.0 <= event.clock - deadline < 4.0  # a second of a busy machine
        assert bob.state is not None and bob.state.consecutive_fouls == (0, 1)


@in_loop
async def test_a_clock_runs_on_for_who_is_away(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, shot_clock=ShotClock(limit_s=5.0))
        bob.cut()
        state = await ann.until_state(lambda s: s.shooter == 0)
        assert state.consecutive_fouls == (0, 1)


@in_loop
async def test_who_stays_away_loses_the_game_then_the_match(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=20.0) as server:
        ann, bob = await table_after_break(
            server, overrides=_disconnect(budget_s=5.0) | {"match": {"games_to_win": 9}}
        )
        bob.cut()
        away = await ann.until_presence(1, here=False)
        player = away.players[1]
        assert player is not None and player.away_until is not None
        assert 0.0 < player.away_until - away.clock <= 2.0
        state = await ann.until_state(lambda s: s.games == (1, 0))
        assert state.phase in (Phase.GAME_OVER, Phase.PLACE_CUE_FOR_BREAK)
        state = await ann.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        assert state.winner == 0  # his five seconds were used up


@in_loop
async def test_the_balls_are_waited_for_when_an_absence_ends_in_a_shot(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(
            server,
            overrides=_disconnect(grace_s=0.5, budget_s=0.5) | {"match": {"games_to_win": 3}},
        )
        await bob.strike(fake.POT, fake.SLOW_DEG)  # three seconds, far beyond his time
        bob.cut()
        state = await ann.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        assert state.winner == 0
        assert [r.ruling.pocketed for r in ann.said("judged")][-1] == (1,)
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.status == "over"


@in_loop
async def test_back_within_the_grace_time_nothing_happens(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=_disconnect(grace_s=20.0))
        bob.cut()
        await ann.until_presence(1, here=False)
        new = await WireClient.connect(server.port, token=bob.token)
        await new.join(bob.table)
        await new.strike(fake.POT)
        state = await new.until_state(lambda s: 1 not in s.balls)
        assert state.games == (0, 0)
        used = server.house.floor.tables[ann.table].room.absence.used
        assert 0.0 < used[1] < 20.0 and used[0] == 0.0


@in_loop
async def test_both_away_the_match_is_adjourned_and_goes_on_when_both_are_back(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=_disconnect(grace_s=10.0))
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        before = eve.snapshot.state if eve.snapshot else None
        ann.cut()
        bob.cut()
        await eve.until_state(lambda s: s.phase is Phase.SUSPENDED)
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.status == "adjourned"
        ann2 = await WireClient.connect(server.port, token=ann.token)
        await ann2.open()  # an adjourned match binds nobody
        assert (await ann2.join(ann.table)).code == "already_playing"
        await ann2.ask(m.LeaveTable, table=(await _own_other_table(ann2, ann.table)))
        assert isinstance(await ann2.join(ann.table), m.Accepted)
        bob2 = await WireClient.connect(server.port, token=bob.token)
        await bob2.join(ann.table)
        state = await bob2.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert before is not None and (state.balls, state.shooter) == (before.balls, before.shooter)
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.status == "running"


async def _own_other_table(client: WireClient, but: str) -> str:
    tables = (await client.ask(m.ListTables)).tables
    return str(next(t.table for t in tables if t.table != but))


@in_loop
async def test_who_comes_back_to_an_adjourned_match_waits_for_the_other(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=20.0) as server:
        ann, bob = await table_after_break(
            server,
            overrides=_disconnect(grace_s=10.0, effect="award_match")
            | {"match": {"games_to_win": 3}},
        )
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        ann.cut()
        bob.cut()
        await eve.until_state(lambda s: s.phase is Phase.SUSPENDED)
        ann2 = await WireClient.connect(server.port, token=ann.token)
        await ann2.join(ann.table)
        claimed = await ann2.ask(m.ClaimAbsence, table=ann.table)
        assert claimed.code == "play_suspended"
        bob2 = await WireClient.connect(server.port, token=bob.token)
        await bob2.join(ann.table)
        state = await ann2.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert state.winner is None and state.games == (0, 0)


@in_loop
async def test_adjourn_as_the_rulesets_effect(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=_disconnect(effect="adjourn"))
        bob.cut()
        await ann.until_state(lambda s: s.phase is Phase.SUSPENDED)
        bob2 = await WireClient.connect(server.port, token=bob.token)
        await bob2.join(ann.table)
        await ann.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)


@in_loop
async def test_the_opener_who_never_comes_back(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.connect(server.port, "Ann")
        await ann.open(overrides=_disconnect())
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        ann.cut()
        await eve.until(lambda x: isinstance(x, m.TableClosed))
        assert not server.house.floor.tables
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.status == "closed"
        await WireClient.connect(server.port, "Ann")  # the name is free again


@in_loop
async def test_nobody_decides_and_the_first_option_is_taken(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=100.0) as server:
        ann, bob = await two_players(server)
        await ann.strike(3.0)
        await bob.strike(2.0)
        state = await ann.until_state(lambda s: s.racked)  # a minute of the server's clock
        assert state.breaker == 0
        assert [a.by_clock for a in ann.said("chosen")] == [True]
        assert ann.said("chosen")[0].option is Option.BREAK


@in_loop
async def test_a_time_out_that_is_ended_early(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        await bob.give(c.RequestTimeOut())
        await ann.until_state(lambda s: s.phase is Phase.TIME_OUT)
        assert (await ann.give(c.EndTimeOut())).code in ("not_allowed", "not_your_turn")
        await bob.give(c.EndTimeOut())
        await ann.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert (await bob.give(c.RequestTimeOut())).code == "time_out_used"


@in_loop
async def test_no_grace_at_all_is_no_endless_work(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=40.0) as server:
        ann, bob = await two_players(server, overrides=_disconnect(grace_s=0.0, budget_s=20.0))
        bob.cut()
        state = await ann.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        assert state.winner == 0
        told = [x for x in ann.seen if isinstance(x, m.PresenceEvent)]
        assert len(told) < 20


@in_loop
async def test_nobody_plays_alone_in_an_adjourned_match(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, overrides=_disconnect(grace_s=3.0))
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)
        await bob.give(c.RequestTimeOut())  # a time-out can't be suspended
        ann.cut()
        bob.cut()
        attendance = server.house.floor.tables[ann.table].course.attendance
        await eventually(lambda: attendance.adjourned)
        bob2 = await WireClient.connect(server.port, token=bob.token)
        assert isinstance(await bob2.join(ann.table), m.Accepted)
        assert (await bob2.give(c.EndTimeOut())).code == "play_suspended"
        ann2 = await WireClient.connect(server.port, token=ann.token)
        await ann2.join(ann.table)
        await eventually(lambda: not attendance.adjourned)
        assert isinstance(await bob2.give(c.EndTimeOut()), m.Accepted)
