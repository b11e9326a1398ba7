"""The board's addresses and its feed: what is told of whom, how soon, and what never is."""

import asyncio
import base64
import csv
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.app import MatchServer
from server.web.board.export import csv_of
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.server import fake_physics as fake
from tests.server.bench_table import in_loop, lag, serving, two_players
from tests.server.club.test_round_robin import drawn, enter, over, plays
from tests.server.test_oversight import account
from tests.server.web.fetch import fetch
from tests.server.wire_client import WireClient

SOON_S = 10.0


async def get(server: MatchServer, path: str) -> Any:
    page = await fetch(server.port, path)
    assert page.status == 200, (path, page)
    assert page.headers["content-type"].startswith("application/json")
    return json.loads(page.body)


async def get_csv(server: MatchServer, path: str) -> list[dict[str, str]]:
    page = await fetch(server.port, path)
    assert page.status == 200 and page.headers["content-type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(page.body.removeprefix("\ufeff"))))


async def status(server: MatchServer, path: str, **headers: str) -> int:
    return (await fetch(server.port, path, **headers)).status


class Listening:
    """What a page has been told: the latest of each thing."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.tables: dict[str, Any] = {}
        self.gone: list[str] = []
        self.board: Any = None
        self.said: list[str] = []

    async def until(self, wanted: Any) -> None:
        async with asyncio.timeout(SOON_S):
            while not wanted(self):
                text = await self.socket.recv()
                assert isinstance(text, str)
                self.said.append(text)
                self._take(json.loads(text))

    def _take(self, told: dict[str, Any]) -> None:
        match told["m"]:
            case "table":
                self.tables[told["table"]["table"]] = told["table"]
            case "table_gone":
                self.tables.pop(told["table"])
                self.gone.append(told["table"])
            case "board":
                self.board = told["board"]


@asynccontextmanager
async def listening(server: MatchServer) -> AsyncIterator[Listening]:
    async with connect(f"ws://127.0.0.1:{server.port}/board/feed", compression=None) as socket:
        yield Listening(socket)


async def won(ann: WireClient, bob: WireClient) -> None:
    """Ann wins the lag and the game, in two strokes: the break pots the nine."""
    await lag(ann, bob)
    await ann.give(c.PlaceCue(x=-0.8, y=0.1))
    await ann.strike(fake.NINE)
    await ann.until_state(lambda s: s.phase in (Phase.MATCH_OVER, Phase.GAME_OVER))


@in_loop
async def test_a_match_under_way_is_told_as_it_goes(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, listening(server) as page:
        ann, bob = await two_players(server)
        await page.until(lambda p: ann.table in p.tables)
        await lag(ann, bob)
        await ann.give(c.PlaceCue(x=-0.8, y=0.1))
        await ann.strike(fake.BREAK, fake.SLOW_DEG)
        await page.until(lambda p: (p.tables[ann.table]["shot"] or {}).get("shot") == 2)
        table = page.tables[ann.table]
        assert [one["name"] for one in table["players"]] == ["Ann", "Bob"]
        assert table["shooter"] == 0 and table["race"] == 7 and table["score"] == [0, 0]
        # the bytes that the players have
        assert base64.b64decode(table["shot"]["trajectory"]) == ann.trajectories[2]
        assert len(table["balls"]) == 10  # as they lay before the stroke
        await page.until(lambda p: p.tables[ann.table]["shot"] is None)
        assert page.tables[ann.table]["shooter"] == 1
        same = await get(server, f"/api/v1/tables/{ann.table.lower()}")
        assert same["table"] == page.tables[ann.table]


@pytest.mark.parametrize("terms", [{"watch": "nobody"}, {"watch": "invited"}])
@in_loop
async def test_tables_that_not_everybody_may_watch_are_not_there(
    tmp_path: Path, terms: dict[str, Any]
) -> None:
    async with serving(tmp_path) as server, listening(server) as page:
        ann, bob = await two_players(server, overrides={"match": {"games_to_win": 1}}, **terms)
        await won(ann, bob)
        carl = await WireClient.connect(server.port, "Carl")
        public = await carl.open()
        await page.until(lambda p: public in p.tables)
        assert ann.table not in page.tables
        for path in (f"tables/{ann.table}", f"matches/{ann.table}", "players/Ann"):
            assert await status(server, f"/api/v1/{path}") == 404
        told = "".join(page.said) + json.dumps(await get(server, "/api/v1/tables"))
        for secret in (carl.invitation, carl.token, ann.invitation, ann.token, ann.table):
            assert secret and secret not in told


@in_loop
async def test_a_late_table_is_late_on_the_board_and_in_records(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, listening(server) as page:
        ann, bob = await two_players(
            server, overrides={"match": {"games_to_win": 1}}, delay_s=300.0
        )
        await won(ann, bob)
        await page.until(lambda p: ann.table in p.tables)
        shown = page.tables[ann.table]
        assert shown["phase"] == "WAITING_FOR_PLAYERS" and shown["winner"] is None
        assert await status(server, "/api/v1/players/Ann") == 404
        replay = await get(server, f"/api/v1/matches/{ann.table}")
        assert replay["events"] == [] and replay["summary"]["result"] is None


@in_loop
async def test_the_feed_takes_nothing_and_ends_with_the_server(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        async with listening(server) as page:
            await page.socket.send('{"m": "open_table"}')
            with pytest.raises(ConnectionClosed) as ended:
                await page.until(lambda p: False)
            assert ended.value.rcvd is not None and ended.value.rcvd.code == 1008
        async with listening(server) as page:
            await page.until(lambda p: p.board is not None)
            assert len(server.listener.board.feed) == 1
            server.listener.say_goodbye()
            with pytest.raises(ConnectionClosed) as ended:
                await page.until(lambda p: False)
            assert ended.value.rcvd is not None and ended.value.rcvd.code == 1001
    assert len(server.listener.board.feed) == 0


@in_loop
async def test_who_reads_nothing_is_not_waited_for(tmp_path: Path) -> None:
    """It gets the latest of each thing once it reads, and the others have it meanwhile."""
    async with serving(tmp_path) as server, listening(server) as page:
        deaf = await connect(f"ws://127.0.0.1:{server.port}/board/feed", max_queue=1)
        ann, bob = await two_players(server)
        await page.until(lambda p: ann.table in p.tables)
        await lag(ann, bob)
        await page.until(lambda p: p.tables[ann.table]["phase"] == "PLACE_CUE_FOR_BREAK")
        late = Listening(deaf)
        await late.until(lambda p: ann.table in p.tables)
        await late.until(lambda p: p.tables[ann.table]["phase"] == "PLACE_CUE_FOR_BREAK")
        await deaf.close()


@in_loop
async def test_a_competition_on_the_board_and_what_is_left_of_it(tmp_path: Path) -> None:
    """BR-112: who is next, where, when; then results, standings, records, replays."""
    names = ["Ann", "Bob", "Carl", "Dora"]
    async with serving(tmp_path) as server, listening(server) as page:
        official = await account(server, "Olga", "official")
        clients = [await account(server, name, "player") for name in names]
        name = await drawn(official, names, ["Table 1"], race_to=1)
        await page.until(
            lambda p: p.board and p.board["coming"] and p.board["coming"][0]["station"]
        )
        assert len(page.board["coming"]) == 6
        first, *others = page.board["coming"]
        assert first["station"] == "Table 1" and first["state"] in ("called", "playing")
        starts = [one["starts_at"] for one in others]
        assert starts == sorted(starts) and starts[0] > first["starts_at"]
        mine = (await get(server, "/api/v1/players/Dora"))["coming"]
        assert len(mine) == 3 and all(one["starts_at"] for one in mine)
        assert {s["name"] for one in mine for s in one["sides"]} == set(names)

        playing = [asyncio.create_task(plays(client)) for client in clients]
        await over(server, name)
        for task in playing:
            task.cancel()
        await page.until(lambda p: p.board["competitions"][0]["status"] == "over")
        assert len(page.board["results"]) == 6 and page.board["coming"] == []

        whole = await get(server, f"/api/v1/competitions/{name}")
        rows = await get_csv(server, f"/api/v1/competitions/{name}/standings.csv")
        assert [row["name"] for row in rows] == [one["name"] for one in whole["standings"]]
        assert sum(int(row["won"]) for row in rows) == 6
        matches = await get_csv(server, f"/api/v1/competitions/{name}/matches.csv")
        assert {row["score"] for row in matches} <= {"1:0", "0:1"} and len(matches) == 6

        best = whole["standings"][0]
        player = await get(server, f"/api/v1/players/{best['id']}")
        assert (player["played"], player["won"]) == (3, best["won"])
        assert player["form"].count("W") == best["won"] and len(player["form"]) == 3
        assert {one["name"] for one in player["opponents"]} == set(names) - {best["name"]}
        assert player["figures"]["racks"] == best["won"] == player["figures"]["runouts"]
        assert player["competitions"][0]["name"] == "Club night"
        for one in player["matches"]:
            replay = await get(server, f"/api/v1/matches/{one['match']}")
            assert replay["summary"]["result"] and best["name"] in replay["summary"]["players"]
            shots = [event["shot"] for event in replay["events"] if event["shot"]]
            assert len(shots) == 2 and base64.b64decode(shots[0]["trajectory"])
        mine_csv = await get_csv(server, f"/api/v1/players/{best['name']}/matches.csv")
        assert [row["match"] for row in mine_csv] == [one["match"] for one in player["matches"]]
        listed = (await get(server, "/api/v1/players"))["players"]
        assert [one["name"] for one in listed] == sorted(names)
        assert [one["played"] for one in listed] == [3] * 4
        assert [one["competitions"] for one in listed] == [1] * 4
        told = "".join(page.said)
        for client in (official, *clients):
            assert client.token not in told


@in_loop
async def test_a_result_that_an_official_enters_counts_in_records(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        official = await account(server, "Olga", "official")
        for who in ("Ann", "Bob"):
            await (await account(server, who, "player")).close()
        name = await drawn(official, ["Ann", "Bob"], [], race_to=5)
        (match,) = (await get(server, f"/api/v1/competitions/{name}"))["matches"]
        sides = [side["id"] for side in match["sides"]]
        answer = await enter(
            official, name, "result", match=match["match"], sides=sides, score=[5, 3]
        )
        assert isinstance(answer, m.Accepted), answer
        winner = await get(server, f"/api/v1/players/{sides[0]}")
        assert (winner["won"], winner["lost"], winner["score"]) == (1, 0, [5, 3])
        assert winner["matches"][0]["match"] is None  # no table, no replay


@in_loop
async def test_who_may_see_the_board(tmp_path: Path) -> None:
    async with serving(tmp_path, board_shown="lan") as server:
        assert await status(server, "/board") == 200
        far = {"X_Forwarded_For": "203.0.113.9"}
        assert await status(server, "/board", **far) == 404
        assert await status(server, "/api/v1/tables", **far) == 404
    async with serving(tmp_path, board_shown="no") as server:
        assert await status(server, "/board") == 404
        # its line is then one like any other: whoever doesn't sign in is let go
        async with listening(server) as page:
            await page.socket.send("{}")
            with pytest.raises((ConnectionClosed, AssertionError)):
                await page.until(lambda p: p.board is not None)


@in_loop
async def test_pages_bring_everything_from_here_and_are_kept(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        for path in ("/board", "/board/table/ABC", "/board/player/Ann", "/board/match/X"):
            page = await fetch(server.port, path)
            assert page.status == 200 and "<script" in page.body
            policy = page.headers["content-security-policy"]
            assert "default-src 'none'" in policy and "script-src 'self';" in policy
            assert "ws://pool.example" in policy
        script = await fetch(server.port, "/board/static/board.js")
        assert script.headers["content-type"].startswith("text/javascript")
        tag = script.headers["etag"]
        again = await fetch(server.port, "/board/static/board.js", If_None_Match=tag)
        assert again.status == 304 and again.body == ""
        assert await status(server, "/board/static/../../app.py") == 404
        assert await status(server, "/api/v1/competitions/NONE") == 404
        assert await status(server, "/api/v1/matches/X?start=-1") == 400


@in_loop
async def test_a_page_of_another_site_gets_no_feed(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        with pytest.raises(InvalidStatus) as refused:
            await connect(
                f"ws://127.0.0.1:{server.port}/board/feed",
                additional_headers={"Origin": "https://elsewhere.example"},
            )
        assert refused.value.response.status_code == 403


def test_a_name_that_is_a_formula_is_text_in_a_spreadsheet() -> None:
    data = csv_of(("name", "n"), [("=1+1", 3), ("Žofie", -2)]).decode("utf-8-sig")
    assert data.splitlines() == ["name,n", "'=1+1,3", "Žofie,-2"]
