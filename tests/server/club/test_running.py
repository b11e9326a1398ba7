"""What may go wrong while a club night runs: outages, leavers, second thoughts."""

import asyncio
import time
from pathlib import Path

import msgspec
import pytest

from server.app import MatchServer
from server.names import name_key
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.messages.oversight import AdjournTable
from shared_rules.ruleset import make_ruleset
from shared_rules.state import Option, Phase
from tests.server import fake_physics as fake
from tests.server.bench_table import away_rules, eventually, in_loop, serving
from tests.server.club.test_round_robin import drawn, enter, opened, over, shown
from tests.server.test_oversight import account
from tests.server.wire_client import WireClient


def id_of(server: MatchServer, name: str) -> str:
    person = server.house.people.present_by_key(name_key(name))
    assert person is not None
    return person.id


async def at_their_table(*people: WireClient, start: int = 0) -> str:
    """Both are at the table that was opened for them; its name."""
    for client in people:
        found = await client.until(lambda x: isinstance(x, m.MatchFound), start)
        client.table = found.table
        await client.until(lambda x, t=found.table: isinstance(x, m.Snapshot) and x.table == t)
    return people[0].table


async def finish(ann: WireClient, bob: WireClient) -> None:
    """From the lag on; seat 0 wins the lag, and a race to one with the break."""
    for client in (ann, bob):
        await client.until_state(lambda s: s.phase is Phase.LAG)
    pair = sorted((ann, bob), key=lambda client: client.snapshot.seat)  # type: ignore[union-attr]
    await pair[0].strike(3.0)
    await pair[1].strike(2.0)
    await pair[0].until_state(lambda s: s.phase is Phase.LAG_CHOICE)
    await pair[0].give(c.Choose(option=Option.BREAK))
    await pair[0].until_state(lambda s: s.racked)
    await pair[0].give(c.PlaceCue(x=-0.8, y=0.0))
    await pair[0].strike(fake.NINE)
    for client in pair:
        await client.until_state(lambda s: s.phase is Phase.MATCH_OVER)


async def night(
    server: MatchServer, **more: object
) -> tuple[WireClient, WireClient, WireClient, str]:
    """Adam's competition of Ann and Bob, who are here."""
    adam = await account(server, "Adam", "official")
    ann, bob = [await WireClient.connect(server.port, name) for name in ("Ann", "Bob")]
    return adam, ann, bob, await drawn(adam, ["Ann", "Bob"], ["1"], **more)


@in_loop
async def test_nobody_is_late_for_the_time_that_the_server_was_down(tmp_path: Path) -> None:
    """N9.9j after an outage longer than its fifteen minutes."""
    async with serving(tmp_path, time_scale=1.0) as server:
        adam = await account(server, "Adam", "official")
        ann, bob = [await WireClient.connect(server.port, name) for name in ("Ann", "Bob")]
        name = await opened(adam)
        for who in ("Ann", "Bob"):
            await enter(adam, name, "entered", entrant={"id": who, "name": who})
        bob_id, book = id_of(server, "Bob"), server.house.club.book
        await bob.close()
        await eventually(lambda: server.house.people.present(bob_id) is None)
        await enter(adam, name, "stations_set", stations=["1"])
        await adam.ask(m.DrawCompetition, competition=name)
        await eventually(lambda: any(call.arrived for call in book.kept[name].calls.values()))
        due = next(iter(book.kept[name].calls.values())).due
        await ann.close()
    async with serving(tmp_path, time_scale=1.0) as server:
        server.house.people.wall = lambda: time.time() + 1000.0
        book = server.house.club.book
        await eventually(lambda: book.kept[name].facts.resumed_at > 0)
        (call,) = book.kept[name].calls.values()
        assert 990.0 < call.due - due < 1010.0 and not book.kept[name].facts.left
        bob = await WireClient.connect(server.port, token=bob.token)
        await eventually(lambda: len(next(iter(book.kept[name].calls.values())).arrived) == 2)
        assert not book.kept[name].facts.left
        # so it is when the machine sleeps, or the database can't be written
        server.house.people.wall = lambda: time.time() + 3000.0
        before = book.kept[name].facts.resumed_at
        await eventually(lambda: book.kept[name].facts.resumed_at > before)
        assert not book.kept[name].facts.left


@in_loop
async def test_who_is_withdrawn_leaves_his_table_and_may_go_on_if_that_is_taken_back(
    tmp_path: Path,
) -> None:
    """His opponent is free at once; the match as it stood is there when he is back in."""
    async with serving(tmp_path, time_scale=1.0) as server:
        adam, ann, bob, name = await night(server)
        table = await at_their_table(ann, bob)
        await ann.until_state(lambda s: s.phase is Phase.LAG)
        who = id_of(server, "Bob")
        left = await enter(adam, name, "withdrawn", entrant=who)
        for client in (ann, bob):
            closed = await client.until(lambda x: isinstance(x, m.TableClosed))
            assert closed.table == table
        free = server.house.people.present_by_key(name_key("Ann"))
        assert free is not None and server.house.floor.is_free(free, "")
        assert (await shown(adam, name)).fixtures[0]["outcome"]["kind"] == "walk_over"
        assert (await server.store.matches.standing(table))[0] == "closed"
        start = [len(client.seen) for client in (ann, bob)]
        back = {"entry": left.entry, "old": {"act": "withdrawn", "entrant": who}, "new": None}
        answer = await enter(adam, name, "corrected", **back)
        assert isinstance(answer, m.Accepted), answer
        for client, at in zip((ann, bob), start, strict=True):
            named = await client.until(lambda x: isinstance(x, m.MatchCalled) and x.table, at)
            assert named.table == table
            assert isinstance(await client.join(table), m.Accepted)
        await finish(ann, bob)
        await over(server, name)


@in_loop
async def test_a_result_that_is_taken_back_is_played_anew_at_once(tmp_path: Path) -> None:
    """The table of the first time lingers; nobody waits for it to be put away."""
    async with serving(tmp_path, time_scale=1.0, linger_s=80_000.0) as server:
        adam, ann, bob, name = await night(server)
        first = await at_their_table(ann, bob)
        await finish(ann, bob)
        await over(server, name)
        line = (await shown(adam, name, log=True)).log[-1]
        start = len(ann.seen)
        change = {"entry": line["number"], "old": line["act"], "new": None}
        assert isinstance(await enter(adam, name, "corrected", **change), m.Accepted)
        await ann.until(lambda x: isinstance(x, m.MatchFound), start)
        await bob.until(lambda x: isinstance(x, m.MatchFound) and x.table != first)
        assert first in server.house.floor.tables
        second = next(t for t in server.house.floor.tables if t != first)
        for client in (ann, bob):
            client.table = second
            await client.until(lambda x: isinstance(x, m.Snapshot) and x.table == second)
            assert client.snapshot is not None and client.snapshot.table == second
            client.state = client.snapshot.state
        await finish(ann, bob)
        await over(server, name)


@in_loop
async def test_a_match_that_was_let_go_on_stays_so_over_a_restart(tmp_path: Path) -> None:
    """BR-052: the match whose players are gone is held for an official, once."""
    async with serving(tmp_path, time_scale=1.0) as server:
        adam, ann, bob, name = await night(server)
        table = await at_their_table(ann, bob)
        await ann.until_state(lambda s: s.phase is Phase.LAG)
        answer = await adam.ask(m.Oversee, act=AdjournTable(table=table), reason="it is late")
        assert isinstance(answer, m.Accepted), answer
        book = server.house.club.book
        (match,) = book.kept[name].fixtures
        await eventually(lambda: book.kept[name].facts.held.get(match) is True)
        assert not book.kept[name].calls
        start = len(ann.seen)
        await enter(adam, name, "held", match=match, held=False)
        named = await ann.until(lambda x: isinstance(x, m.MatchCalled) and x.table, start)
        assert named.table == table
        assert isinstance(await ann.join(table), m.Accepted)
        for client in (ann, bob):
            await client.close()
    async with serving(tmp_path, time_scale=1.0) as server:
        book = server.house.club.book
        ann, bob = [await WireClient.connect(server.port, token=x.token) for x in (ann, bob)]
        assert isinstance(await ann.join(table), m.Accepted)
        await asyncio.sleep(1.5)  # three rounds
        assert book.kept[name].calls and not book.kept[name].facts.held[match]
        assert isinstance(await bob.join(table), m.Accepted)
        await finish(ann, bob)
        await over(server, name)


@pytest.mark.parametrize("how", ["drop", "sit still"])
@in_loop
async def test_br_052_a_match_that_both_have_deserted_frees_its_station_and_waits_for_an_official(
    tmp_path: Path, how: str
) -> None:
    """Nobody claims anything: it comes by itself, and the next match has the station."""
    rules = make_ruleset("nine_ball_epbf", away_rules(grace_s=2.0))
    async with serving(tmp_path, idle_s=20.0 if how == "sit still" else 0.0) as server:
        adam = await account(server, "Adam", "official")
        names = ["Ann", "Bob", "Cid", "Dan"]
        people = {who: await WireClient.connect(server.port, who) for who in names}
        name = await drawn(adam, names, ["1"], ruleset=msgspec.to_builtins(rules))
        book = server.house.club.book
        await eventually(lambda: bool(server.house.floor.tables))
        (first,) = book.kept[name].calls
        sides = book.kept[name].calls[first].sides
        gone = [client for who, client in people.items() if id_of(server, who) in sides]
        await at_their_table(*gone)
        if how == "drop":
            for client in gone:
                client.cut()
        await eventually(lambda: book.kept[name].facts.held.get(first) is True)
        assert not book.kept[name].facts.left and book.kept[name].fixtures[first].is_open
        await eventually(lambda: bool(book.kept[name].calls))
        (call,) = book.kept[name].calls.values()
        assert call.station == "1" and set(call.sides) != set(sides)


@in_loop
async def test_one_competition_waits_for_no_other(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=1.0) as server:
        adam = await account(server, "Adam", "official")
        one, other = await opened(adam), await opened(adam)
        async with server.house.club.book.lock(one):
            answer = await enter(adam, other, "stations_set", stations=["1"])
            assert isinstance(answer, m.Accepted), answer
            answer = await adam.ask(
                m.OpenCompetition, settings={"name": "x", "format": {"format": "double"}}
            )
            assert isinstance(answer, m.Accepted), answer


@in_loop
async def test_an_official_calls_and_moves_matches_but_not_over_others(tmp_path: Path) -> None:
    """BR-108: nobody is on two tables, over all competitions of the club; nor is a station."""
    async with serving(tmp_path, time_scale=1.0) as server:
        adam, ann, bob, name = await night(server)
        await at_their_table(ann, bob)
        other = await opened(adam)
        for who in ("Ann", "Bob"):
            await enter(adam, other, "entered", entrant={"id": who, "name": who})
        await adam.ask(m.DrawCompetition, competition=other)
        await enter(adam, other, "stations_set", stations=["1", "2"])
        (match,) = (await shown(adam, other)).fixtures
        call = {"match": match["id"], "sides": match["sides"]}
        for station, code in (("1", "table_full"), ("2", "already_playing")):
            refused = await enter(adam, other, "called", station=station, **call)
            assert isinstance(refused, m.Refused) and refused.code == code, refused
        await enter(adam, name, "stations_set", stations=["1", "9"])
        before = next(iter((await shown(adam, name)).calls))
        (mine,) = (await shown(adam, name)).fixtures
        start = len(ann.seen)
        moved = await enter(
            adam, name, "called", match=mine["id"], sides=mine["sides"], station="9"
        )
        assert isinstance(moved, m.Accepted), moved
        told = await ann.until(lambda x: isinstance(x, m.MatchCalled), start)
        after = next(iter((await shown(adam, name)).calls))
        assert (told.station, after["station"], after["due"]) == ("9", "9", before["due"])
        assert set(after["arrived"]) == set(before["arrived"])


CHART = {"handicap": "chart", "steps": [{"from_difference": 50.0, "races": [2, 1]}]}


@in_loop
async def test_a_handicap_is_played_at_a_table_and_both_know_why_before(tmp_path: Path) -> None:
    """The stronger needs two games, the weaker one; both are told why with the call."""
    async with serving(tmp_path, time_scale=1.0) as server:
        adam = await account(server, "Adam", "official")
        ann, bob = [await WireClient.connect(server.port, name) for name in ("Ann", "Bob")]
        name = await opened(adam, race_to=2, handicap=CHART)
        for who, rating in (("Ann", 600.0), ("Bob", 540.0)):
            entrant = {"id": who, "name": who, "rating": rating}
            assert isinstance(await enter(adam, name, "entered", entrant=entrant), m.Accepted)
        await enter(adam, name, "stations_set", stations=["1"])
        await adam.ask(m.DrawCompetition, competition=name)
        await at_their_table(ann, bob)
        state = await ann.until_state(lambda s: s.phase is Phase.LAG)
        strong = state.description.players.index("Ann")
        assert state.description.ruleset.match.races == ((2, 1) if strong == 0 else (1, 2))
        for client, races, ratings in (
            (ann, (2, 1), (600.0, 540.0)),
            (bob, (1, 2), (540.0, 600.0)),
        ):
            called = next(x for x in client.seen if isinstance(x, m.MatchCalled))
            assert (called.races, called.ratings, called.why) == (
                races, ratings, "rating_difference",
            )  # fmt: skip
            assert [(s.from_difference, s.races) for s in called.chart] == [(50.0, (2, 1))]
        listed = await adam.ask(m.ListTables)
        assert listed.tables[0].races == state.description.ruleset.match.races
        pair = [ann, bob] if strong == 0 else [bob, ann]
        # the first named wins every game: Ann needs two, Bob one
        await pair[0].strike(3.0)
        await pair[1].strike(2.0)
        await pair[0].until_state(lambda s: s.phase is Phase.LAG_CHOICE)
        await pair[0].give(c.Choose(option=Option.BREAK))
        for number in range(1, (2 if strong == 0 else 1) + 1):
            await pair[0].until_state(lambda s, n=number: s.racked and s.rack_number == n)
            await pair[0].give(c.PlaceCue(x=-0.8, y=0.0))
            await pair[0].strike(fake.NINE)
        await over(server, name)
        (match,) = (await shown(adam, name)).fixtures
        assert match["outcome"]["kind"] == "played"
        assert match["outcome"]["winner"] == match["sides"][0]
        assert match["outcome"]["score"] == ([2, 0] if strong == 0 else [1, 0])


@in_loop
async def test_rules_that_contradict_each_other_open_no_competition(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=1.0) as server:
        adam = await account(server, "Adam", "official")
        for rules in ({"call": "required"}, {"match": {"races": [3, 2]}}):
            refused = await adam.ask(
                m.OpenCompetition,
                settings={"name": "x", "format": {"format": "double"}, "ruleset": rules},
            )
            assert isinstance(refused, m.Refused) and refused.code == "bad_ruleset", refused


@in_loop
async def test_both_are_told_when_a_call_is_taken_back_and_nobody_when_it_was_played(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, time_scale=1.0) as server:
        adam = await account(server, "Adam", "official")
        ann = await WireClient.connect(server.port, "Ann")
        bob = await WireClient.connect(server.port, "Bob")
        name = await opened(adam)
        for who in ("Ann", "Bob"):
            await enter(adam, name, "entered", entrant={"id": who, "name": who})
        bob_id, book = id_of(server, "Bob"), server.house.club.book
        await bob.close()
        await eventually(lambda: server.house.people.present(bob_id) is None)
        await adam.ask(m.DrawCompetition, competition=name, seed=1)
        await enter(adam, name, "stations_set", stations=["1"])
        await ann.until(lambda x: isinstance(x, m.MatchCalled))
        (match,) = book.kept[name].fixtures
        await enter(adam, name, "paused")
        await enter(adam, name, "called_off", match=match)
        told = await ann.until(lambda x: isinstance(x, m.MatchCallOver))
        assert (told.match, told.opponent, told.waits) == (match, "Bob", True)
        start = len(ann.seen)
        await enter(adam, name, "resumed")
        await ann.until(lambda x: isinstance(x, m.MatchCalled), start)
        await enter(adam, name, "withdrawn", entrant=bob_id)
        told = await ann.until(lambda x: isinstance(x, m.MatchCallOver), start)
        assert not told.waits
        start, cid = len(ann.seen), await WireClient.connect(server.port, "Cid")
        await drawn(adam, ["Ann", "Cid"], ["2"])
        await at_their_table(ann, cid)
        await finish(ann, cid)
        await ann.ask(m.Ping)
        assert not [x for x in ann.seen[start:] if isinstance(x, m.MatchCallOver)]


@in_loop
async def test_a_table_at_which_others_should_sit_after_a_correction_is_closed(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, time_scale=1.0) as server:
        adam = await account(server, "Adam", "official")
        names = ["Ann", "Bob", "Cid", "Dan"]
        people = {who: await WireClient.connect(server.port, who) for who in names}
        name = await drawn(adam, names, [], format={"format": "single"})
        semis = [f for f in (await shown(adam, name)).fixtures if None not in f["sides"]]
        entries = []
        for match in semis:
            result = {"match": match["id"], "sides": match["sides"], "score": [1, 0]}
            answer = await enter(adam, name, "result", **result)
            entries.append((answer.entry, {"act": "result", **result}))
        by_id = {id_of(server, who): client for who, client in people.items()}
        await enter(adam, name, "stations_set", stations=["1"])
        finalists = [by_id[match["sides"][0]] for match in semis]
        table = await at_their_table(*finalists)
        (line, old), instead = entries[0], by_id[semis[0]["sides"][1]]
        new = old | {"score": [0, 1]}
        answer = await enter(adam, name, "corrected", entry=line, old=old, new=new)
        assert isinstance(answer, m.Accepted), answer
        for client in finalists:
            closed = await client.until(lambda x: isinstance(x, m.TableClosed))
            assert closed.table == table
        again = await instead.until(lambda x: isinstance(x, m.MatchFound))
        await finalists[1].until(lambda x: isinstance(x, m.MatchFound) and x.table == again.table)
