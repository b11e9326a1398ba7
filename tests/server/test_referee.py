"""A referee at a table: how one comes, what he may do over the wire, what stays on the record."""

from pathlib import Path

from server.storage.records import UNFINISHED
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.match import replay
from shared_rules.state import MatchState, Option, Phase
from tests.server import fake_physics as fake
from tests.server.bench_table import (
    back,
    break_balls,
    eventually,
    in_debug_loop,
    in_loop,
    lag,
    serving,
    table_after_break,
    two_players,
)
from tests.server.wire_client import WireClient


async def referee_of(server, ann: WireClient, name: str = "Rita") -> WireClient:
    """Rita comes with the invitation that Ann has handed on."""
    opened = next(x for x in ann.seen if getattr(x, "referee_invitation", None))
    rita = await WireClient.connect(server.port, name)
    rita.table = ann.table
    answer = await rita.ask(m.OfficiateTable, table=ann.table, invitation=opened.referee_invitation)
    assert isinstance(answer, m.Accepted), answer
    await rita.until(lambda x: isinstance(x, m.Snapshot))
    return rita


def codes(state: MatchState) -> list[str]:
    assert state.last_ruling is not None
    return [foul.code for foul in state.last_ruling.fouls]


@in_debug_loop
async def test_a_referee_comes_calls_and_is_on_the_record(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, referee=True)
        rita = await referee_of(server, ann)
        assert rita.snapshot is not None and rita.snapshot.role == "referee"
        shown = await ann.until(lambda x: isinstance(x, m.PresenceEvent) and x.referee is not None)
        assert (shown.referee.name, shown.referee.connected) == ("Rita", True)
        assert shown.spectators == 0
        await lag(ann, bob)
        await break_balls(ann, bob)
        answer = await rita.give(c.CallFoul(seat=0, foul="5i", reason="off the floor"))
        assert isinstance(answer, m.Accepted)
        state = await bob.until_state(lambda s: s.phase is Phase.DECIDE_AFTER_BREAK_FOUL)
        assert codes(state) == ["5i"]
        acted = bob.said("official_acted")[-1]
        assert (acted.by, acted.act, acted.reason) == ("referee", "call_foul", "off the floor")
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.description is not None
        assert record.description.referee
        order = record.orders[-1]
        assert (order.by, order.command.reason) == ("referee", "off the floor")
        assert replay(record.description, record.orders).last_ruling == state.last_ruling
        again = await rita.ask_again(rita.play(c.WarnSlowPlay(), id=answer.re + 1))
        assert isinstance(again, m.Accepted)
        assert await rita.ask_again(rita.play(c.WarnSlowPlay(), id=answer.re + 1)) == again


@in_loop
async def test_who_may_officiate_and_what_a_referee_may_not_do(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await two_players(server, referee=True)
        rita = await referee_of(server, ann)
        eve = await WireClient.connect(server.port, "Eve")
        await eve.watch(ann.table)

        async def asks(who: WireClient, code: str | None) -> str:
            answer = await who.ask(m.OfficiateTable, table=ann.table, invitation=code or "x")
            return str(answer.code)

        opened = next(x for x in ann.seen if getattr(x, "referee_invitation", None))
        assert await asks(eve, ann.invitation) == "wrong_invitation"
        assert await asks(eve, opened.referee_invitation) == "table_full"
        assert await asks(bob, opened.referee_invitation) == "already_playing"
        for who, command, code in (
            (rita, c.Concede(), "not_allowed"),
            (rita, c.PlaceCue(x=-0.9, y=0.3), "not_allowed"),
            (ann, c.WarnSlowPlay(), "not_allowed"),
            (ann, c.AwardLoss(seat=1, scope="match", reason="I say so"), "not_allowed"),
            (eve, c.WarnSlowPlay(), "not_at_this_table"),
            (ann, c.Claim(act=c.WarnSlowPlay()), "wrong_state"),
        ):
            assert (await who.give(command)).code == code, command
        plain, _ = await two_players_named(server, "Cid", "Dora")
        assert (await asks_at(eve, plain.table)) == "no_referee"


async def two_players_named(server, one: str, two: str) -> tuple[WireClient, WireClient]:
    first = await WireClient.connect(server.port, one)
    second = await WireClient.connect(server.port, two)
    await second.join(await first.open(), invitation=first.invitation)
    return first, second


async def asks_at(who: WireClient, table: str) -> str:
    return str((await who.ask(m.OfficiateTable, table=table, invitation="ABCD")).code)


@in_debug_loop
async def test_a_won_match_goes_on_when_its_last_stroke_was_a_foul(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=2.0) as server:
        ann, bob = await table_after_break(
            server, referee=True, overrides={"match": {"games_to_win": 1}}
        )
        rita = await referee_of(server, ann)
        await bob.strike(fake.NINE)
        await rita.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.status == "over"
        assert isinstance(await rita.give(c.CallFoul(seat=1, foul="5i")), m.Accepted)
        state = await ann.until_state(lambda s: s.phase is Phase.PLACE_CUE_ANYWHERE)
        assert (state.shooter, state.games, state.winner) == (0, (0, 0), None)
        record = await server.store.matches.load(ann.table)
        assert record is not None and record.status in UNFINISHED
        await ann.give(c.PlaceCue(x=0.0, y=0.2))
        await ann.strike(fake.NINE)
        state = await bob.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        assert state.winner == 0


@in_loop
async def test_a_match_is_over_for_good_once_a_player_has_gone(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=2.0) as server:
        ann, bob = await table_after_break(
            server, referee=True, overrides={"match": {"games_to_win": 1}}
        )
        rita = await referee_of(server, ann)
        await bob.strike(fake.NINE)
        await rita.until_state(lambda s: s.phase is Phase.MATCH_OVER)
        await bob.ask(m.LeaveTable, table=bob.table)
        assert (await rita.give(c.CallFoul(seat=1, foul="5i"))).code == "match_over"


@in_loop
async def test_nobody_waits_for_a_referee_who_is_not_there(tmp_path: Path) -> None:
    overrides = {"disconnect": {"grace_s": 5.0}}
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, referee=True, overrides=overrides)
        assert (await bob.give(c.RequestRuling())).code == "no_referee"
        rita = await referee_of(server, ann)
        await bob.give(c.RequestRuling(reason="look"))
        state = await rita.until_state(lambda s: s.phase is Phase.SUSPENDED)
        assert rita.said("suspended")[-1].reason == "look"
        rita.cut()
        state = await bob.until_state(lambda s: s.phase is not Phase.SUSPENDED)
        assert state.phase is Phase.AWAIT_SHOT
        await eventually(lambda: bob.presence is not None and bob.presence.referee is not None)
        # another one with the invitation may take the place
        rob = await referee_of(server, ann, "Rob")
        assert isinstance(await rob.give(c.WarnSlowPlay()), m.Accepted)


@in_loop
async def test_without_a_referee_the_players_agree(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server)
        foul = c.CallFoul(seat=0, foul="5i")
        assert isinstance(await bob.give(c.Claim(act=foul)), m.Accepted)
        state = await ann.until_state(lambda s: s.phase is Phase.DECIDE_CLAIM)
        assert (state.decider, state.claim) == (0, foul)
        await ann.give(c.Choose(option=Option.AGREE))
        state = await bob.until_state(lambda s: s.phase is Phase.DECIDE_AFTER_BREAK_FOUL)
        assert codes(state) == ["5i"]


@in_loop
async def test_play_that_the_referee_has_stopped_is_not_resumed_by_a_restart(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, referee=True)
        rita = await referee_of(server, ann)
        await bob.give(c.RequestRuling(reason="look"))
        await rita.until_state(lambda s: s.phase is Phase.SUSPENDED)
        await rita.give(c.WarnSlowPlay())  # an act of his leaves it stopped
        code = next(x for x in ann.seen if getattr(x, "referee_invitation", None))
    async with serving(tmp_path) as server:
        rita = await WireClient.connect(server.port, token=rita.token)
        rita.table = ann.table
        await rita.ask(m.OfficiateTable, table=ann.table, invitation=code.referee_invitation)
        ann, bob = await back(server, ann), await back(server, bob)
        keeper = server.house.floor.tables[ann.table].course.keeper
        assert keeper is not None and keeper.held
        pause = server.clock.now() + 2 * server.house.floor._config.restart_pause_s
        await eventually(lambda: server.clock.now() > pause)
        assert keeper.state.phase is Phase.SUSPENDED
        assert isinstance(await rita.give(c.Resume()), m.Accepted)
        state = await bob.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
        assert state.shooter == 1 and not keeper.held


@in_loop
async def test_play_that_was_stopped_goes_on_without_a_referee_who_stays_away_after_a_restart(
    tmp_path: Path,
) -> None:
    overrides = {"disconnect": {"grace_s": 5.0}}
    async with serving(tmp_path) as server:
        ann, bob = await table_after_break(server, referee=True, overrides=overrides)
        rita = await referee_of(server, ann)
        await rita.give(c.Suspend(reason="tea"))
        await bob.until_state(lambda s: s.phase is Phase.SUSPENDED)
    async with serving(tmp_path) as server:
        ann, bob = await back(server, ann), await back(server, bob)
        await bob.until_state(lambda s: s.phase is Phase.AWAIT_SHOT)
