"""Team matches at tables: boards one after the other, their scores, the result, the standings."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from server.app import MatchServer
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.server.bench_table import eventually, in_loop, serving
from tests.server.club.test_round_robin import drawn, enter, opened, over, plays, shown
from tests.server.club.test_running import at_their_table, finish, id_of
from tests.server.test_oversight import account
from tests.server.wire_client import WireClient

RACES = {"boards": [{"race_to": 1}, {"race_to": 1}, {"race_to": 1}]}
TEAMS = {"Reds": ("Ann", "Cid", "Eve"), "Blues": ("Bob", "Dan", "Fay")}


async def season(adam: WireClient, stations: list[str], **more: Any) -> str:
    """Two teams of three, drawn."""
    name = await opened(adam, teams=RACES | more)
    for team, players in TEAMS.items():
        entrant = {"id": team, "name": team, "players": players}
        assert isinstance(await enter(adam, name, "entered", entrant=entrant), m.Accepted)
    await enter(adam, name, "stations_set", stations=stations)
    await adam.ask(m.DrawCompetition, competition=name, seed=1)
    return name


async def everybody(server: MatchServer) -> dict[str, WireClient]:
    names = [name for team in TEAMS.values() for name in team]
    return {name: await WireClient.connect(server.port, name) for name in names}


@pytest.mark.usefixtures("on_both")
@in_loop
async def test_a_team_match_is_played_board_by_board_and_counts_itself(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "official")
        people = await everybody(server)
        playing = [asyncio.create_task(plays(client)) for client in people.values()]
        name = await season(adam, ["1", "2"])
        await over(server, name)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        found = await shown(adam, name, log=True)
        (match,) = found.fixtures
        acts = [line["act"] for line in found.log]
        boards = [act for act in acts if act["act"] == "board_result"]
        assert [board["board"] for board in boards] == [1, 2, 3], "at one station, in turn"
        first = match["sides"][0]
        assert all(board["score"] == [1, 0] for board in boards), "seat 0 wins, the first side"
        assert match["outcome"]["winner"] == first and match["outcome"]["score"] == [3, 0]
        (result,) = [line for line in found.log if line["act"]["act"] == "result"]
        assert result["act"]["boards"] == [[1, 0]] * 3 and result["by"] == "server"
        assert found.standings[0]["entrant"] == first and found.standings[0]["points"] == 2
        # each heard of his own board only
        for client in people.values():
            called = [x for x in client.seen if isinstance(x, m.MatchCalled) and x.table]
            assert len(called) == 1 and called[0].races == (1, 1)


@in_loop
async def test_line_ups_say_who_plays_whom_and_a_board_of_a_real_table_counts(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, time_scale=1.0) as server:
        adam = await account(server, "Adam", "official")
        people = await everybody(server)
        name = await season(adam, [])
        (match,) = (await shown(adam, name)).fixtures
        turned = {"Reds": ("Cid", "Ann", "Eve"), "Blues": ("Fay", "Bob", "Dan")}
        for team, order in turned.items():
            line_up = {"match": match["id"], "entrant": team, "boards": [[who] for who in order]}
            answer = await enter(adam, name, "line_up", **line_up)
            assert isinstance(answer, m.Accepted), answer
        board = {"match": match["id"], "sides": match["sides"], "board": 1, "score": [0, 1]}
        assert isinstance(await enter(adam, name, "board_result", **board), m.Accepted)
        assert (await enter(adam, name, "board_result", **board | {"board": 4})).code == (
            "out_of_range"
        )
        await enter(adam, name, "stations_set", stations=["1"])
        ann, bob = people["Ann"], people["Bob"]
        table = await at_their_table(ann, bob)  # board 2
        await asyncio.sleep(1.2)  # rounds in which others, who are free, get no table
        assert set(server.house.floor.tables) == {table}
        (call,) = (await shown(adam, name)).calls
        assert call["table"] == table and call["boards"][0]["score"] == [0, 1]
        assert call["boards"][1]["players"] in (
            [[id_of(server, "Ann")], [id_of(server, "Bob")]],
            [[id_of(server, "Bob")], [id_of(server, "Ann")]],
        )
        assert call["boards"][1]["score"] is None
        await finish(ann, bob)
        eve = people["Eve"]
        await eve.until(lambda x: isinstance(x, m.MatchFound))
        assert len([x for x in eve.seen if isinstance(x, m.MatchFound)]) == 1


@in_loop
async def test_a_board_goes_on_after_a_power_cut_and_none_is_played_twice(tmp_path: Path) -> None:
    async with serving(tmp_path, time_scale=1.0) as server:
        adam = await account(server, "Adam", "official")
        people = await everybody(server)
        name = await season(adam, ["1"])
        await at_their_table(people["Ann"], people["Bob"])
        await finish(people["Ann"], people["Bob"])
        table = await at_their_table(people["Cid"], people["Dan"])
        tokens = {who: client.token for who, client in people.items()}
    async with serving(tmp_path, time_scale=1.0) as server:
        people = {who: await WireClient.connect(server.port, token=t) for who, t in tokens.items()}
        cid, dan = people["Cid"], people["Dan"]
        for client in (cid, dan):
            assert isinstance(await client.join(table), m.Accepted)
            await client.until_state(lambda s: s.phase is Phase.LAG)
        await finish(cid, dan)
        await at_their_table(people["Eve"], people["Fay"])
        log = server.house.club.book.kept[name].log
        played = [
            line.act.board for line in log if line.act.__struct_config__.tag == "board_result"
        ]
        assert played == [1, 2]


@in_loop
async def test_a_team_match_that_nobody_can_play_here_waits_for_an_official(tmp_path: Path) -> None:
    """Doubles have no table; a match of one against one gets its own as ever."""
    async with serving(tmp_path, time_scale=1.0) as server:
        adam = await account(server, "Adam", "official")
        await everybody(server)
        name = await season(adam, ["1"], boards=[{"players": 2, "race_to": 1}])
        book = server.house.club.book
        await eventually(lambda: bool(book.kept[name].calls))
        await asyncio.sleep(1.0)
        assert not server.house.floor.tables
        (match,) = (await shown(adam, name)).fixtures
        board = {"match": match["id"], "sides": match["sides"], "board": 1, "score": [1, 0]}
        assert isinstance(await enter(adam, name, "board_result", **board), m.Accepted)
        assert book.kept[name].is_over
        again = await drawn(adam, ["Ann", "Bob"], ["1"])
        await eventually(lambda: bool(server.house.floor.tables))
        assert book.kept[again].settings.teams is None
