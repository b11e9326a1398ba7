"""A round robin from the draw to the standings, played at tables over real sockets."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from server.app import MatchServer
from server.names import name_key
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Option, Phase
from tests.server import fake_physics as fake
from tests.server.bench_table import eventually, in_loop, serving
from tests.server.test_oversight import account
from tests.server.wire_client import WireClient

RULES = {"match": {"games_to_win": 1}}


def settings(**more: Any) -> dict[str, Any]:
    return {"name": "Club night", "format": {"format": "round_robin"}, "race_to": 1} | more


async def opened(official: WireClient, **more: Any) -> str:
    """A new competition; its id."""
    answer = await official.ask(m.OpenCompetition, settings=settings(**more))
    assert isinstance(answer, m.Accepted) and answer.competition, answer
    return answer.competition


async def enter(official: WireClient, name: str, act: str, **fields: Any) -> Any:
    return await official.ask(m.EnterAct, competition=name, act={"act": act, **fields})


async def drawn(official: WireClient, names: list[str], stations: list[str], **more: Any) -> str:
    """A competition that is drawn, its stations free."""
    name = await opened(official, **more)
    for who in names:
        answer = await enter(official, name, "entered", entrant={"id": who, "name": who})
        assert isinstance(answer, m.Accepted), answer
    await enter(official, name, "stations_set", stations=stations)
    answer = await official.ask(m.DrawCompetition, competition=name, seed=1)
    assert isinstance(answer, m.Accepted), answer
    return name


async def shown(client: WireClient, name: str, log: bool = False) -> m.CompetitionShown:
    answer = await client.ask(m.GetCompetition, competition=name, log=log)
    assert isinstance(answer, m.CompetitionShown), answer
    return answer


async def plays(client: WireClient) -> None:
    """Play every match that one is called to: seat 0 wins the lag, and the game with the break."""
    done = 0
    while True:
        found = await client.until(lambda x: isinstance(x, m.MatchFound), done)
        done = client.seen.index(found) + 1
        client.table = found.table
        await client.until(
            lambda x, table=found.table: isinstance(x, m.Snapshot) and x.table == table, done
        )
        await client.until_state(lambda s: s.phase is Phase.LAG)
        await client.strike(3.0 if found.seat == 0 else 2.0)
        await client.until_state(lambda s: s.phase is not Phase.LAG)
        if found.seat == 0:
            await client.until_state(lambda s: s.phase is Phase.LAG_CHOICE)
            await client.give(c.Choose(option=Option.BREAK))
            await client.until_state(lambda s: s.racked)
            await client.give(c.PlaceCue(x=-0.8, y=0.0))
            await client.strike(fake.NINE)
        await client.until_state(lambda s: s.phase is Phase.MATCH_OVER)


async def over(server: MatchServer, name: str) -> None:
    await eventually(lambda: server.house.club.book.kept[name].is_over)


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_from_the_draw_to_the_standings(tmp_path: Path) -> None:
    """BR-107: when a match ends the freed station gets the next one, and both are called."""
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "official")
        names = ["Ann", "Bob", "Cid", "Dan"]
        people = [await WireClient.connect(server.port, name) for name in names]
        name = await drawn(adam, names, ["table 1", "table 2"])
        playing = [asyncio.create_task(plays(client)) for client in people]
        await over(server, name)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        seen = await shown(adam, name, log=True)
        assert len(seen.fixtures) == 6
        by_id = {one["id"]: one["name"] for one in seen.entrants}
        won = dict.fromkeys(names, 0)
        for match in seen.fixtures:
            assert match["outcome"]["kind"] == "played" and match["outcome"]["score"] == [1, 0]
            won[by_id[match["sides"][0]]] += 1
        assert {by_id[row["entrant"]]: row["won"] for row in seen.standings} == won
        results = [line for line in seen.log if line["act"]["act"] == "result"]
        assert len(results) == 6 and {line["by"] for line in results} == {"server"}
        told = [x for x in people[0].seen if isinstance(x, m.MatchCalled)]
        assert len([x for x in told if x.table]) == 3 and {x.races for x in told} == {(1, 1)}
    async with serving(tmp_path) as server:  # all of it is in the database
        book = server.house.club.book
        again = book.kept[name]
        assert [line.number for line in again.log] == [line["number"] for line in seen.log]
        assert {by_id[row.entrant]: row.won for row in again.standings} == won


@in_loop
async def test_who_does_not_come_is_out_and_his_results_are_struck(tmp_path: Path) -> None:
    """N9.9j, here with a second and a half in place of the fifteen minutes."""
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "official")
        ann, bob = [await WireClient.connect(server.port, name) for name in ("Ann", "Bob")]
        bob_id = server.house.people.present_by_key(name_key("Bob"))
        assert bob_id is not None
        name = await opened(adam, late_s=1.5)
        for who in ("Ann", "Bob"):
            await enter(adam, name, "entered", entrant={"id": who, "name": who})
        await bob.close()
        await eventually(lambda: bob_id.connection is None)
        await enter(adam, name, "stations_set", stations=["1"])
        await adam.ask(m.DrawCompetition, competition=name)
        await ann.until(lambda x: isinstance(x, m.MatchCalled) and x.station == "1")
        book = server.house.club.book
        await eventually(lambda: any(call.arrived for call in book.kept[name].calls.values()))
        await over(server, name)
        (put_out,) = [e for e in (await shown(adam, name, log=True)).log
                      if e["act"]["act"] == "withdrawn"]  # fmt: skip
        assert put_out["act"]["disqualified"] and put_out["act"]["entrant"] == bob_id.id


@in_loop
async def test_a_result_is_corrected_after_it_was_told_what_follows(tmp_path: Path) -> None:
    """BR-115: who, when, old and new stay in the log; the standings are counted anew."""
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "official")
        for who in ("Ann", "Bob"):
            await WireClient.connect(server.port, who)
        name = await opened(adam)
        for who in ("Ann", "Bob"):
            await enter(adam, name, "entered", entrant={"id": who, "name": who})
        await adam.ask(m.DrawCompetition, competition=name)
        (match,) = (await shown(adam, name)).fixtures
        old = {"act": "result", "match": match["id"], "sides": match["sides"], "score": [1, 0]}
        entered = await adam.ask(m.EnterAct, competition=name, act=old)
        assert isinstance(entered, m.Accepted), entered
        new = old | {"score": [0, 1]}
        change = {"act": "corrected", "entry": entered.entry, "old": old, "new": new,
                  "reason": "written down the wrong way round"}  # fmt: skip
        told = await adam.ask(m.EnterAct, competition=name, act=change, preview=True)
        assert isinstance(told, m.CorrectionFollows) and told.weight == "none"
        assert (await shown(adam, name)).standings[0]["entrant"] == match["sides"][0]
        done = await adam.ask(m.EnterAct, competition=name, act=change)
        assert isinstance(done, m.Accepted), done
        seen = await shown(adam, name, log=True)
        assert seen.standings[0]["entrant"] == match["sides"][1]
        last = seen.log[-1]
        person = server.house.people.present_by_key(name_key("Adam"))
        assert person is not None and last["by"] == person.id
        assert last["act"]["old"]["score"] == [1, 0] and last["act"]["new"]["score"] == [0, 1]


@in_loop
async def test_only_officials_enter_and_a_request_sent_twice_counts_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "official")
        ann = await WireClient.connect(server.port, "Ann")
        refused = await ann.ask(m.OpenCompetition, settings=settings())
        assert isinstance(refused, m.Refused) and refused.code == "not_allowed"
        wrong = await adam.ask(m.OpenCompetition, settings={"name": "x"})
        assert isinstance(wrong, m.Refused) and wrong.code == "malformed"
        request = m.OpenCompetition(id=adam.next_id(), settings=settings())
        first, second = await adam.ask_again(request), await adam.ask_again(request)
        assert first == second
        listed = await ann.ask(m.ListCompetitions)
        assert [one.competition for one in listed.competitions] == [first.competition]
