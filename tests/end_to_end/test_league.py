"""``headstring league``: a competition from its entries to the sheet for the wall."""

import argparse
import asyncio
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import headstring
from client import league
from tests.server.bench_table import eventually, in_loop, serving
from tests.server.signing_in import SECRET
from tests.server.test_oversight import account
from tests.server.wire_client import WireClient


@in_loop
async def test_from_the_entries_to_the_sheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADSTRING_DATA", str(tmp_path / "home"))
    monkeypatch.setenv("HEADSTRING_PASSWORD", SECRET)
    async with serving(tmp_path) as server:
        adam = await account(server, "Adam", "official")
        await adam.close()
        players = [await WireClient.connect(server.port, name) for name in ("Ann", "Bob")]
        start = ["league", "--server", f"ws://127.0.0.1:{server.port}", "--account", "Adam"]

        async def run(*words: str) -> str:
            assert await asyncio.to_thread(headstring.main, [*start, *words]) == 0
            return capsys.readouterr().out

        entries = tmp_path / "entries.csv"
        entries.write_text("name,rating\nAnn,540\nBob,\n", encoding="utf-8")
        name = (await run("create", "Club night", "--race", "3")).strip()
        await run("enter", name, str(entries))
        await run("draw", name)
        (match,) = json.loads(await run("export", name))["fixtures"]
        await run("result", name, match["id"], "3", "1")
        assert "Ann" in (await run("standings", name)).splitlines()[1]
        number = json.loads(await run("export", name))["log"][-1]["number"]
        told = await run("correct", name, str(number), "2", "3")
        assert "No other match depends on it." in told and "--yes" in told
        assert "Ann" in (await run("standings", name)).splitlines()[1]
        await run("correct", name, str(number), "2", "3", "--yes")
        assert "Bob" in (await run("standings", name)).splitlines()[1]
        assert "2:3" in await run("export", name, "--as", "csv")
        page = await run("print", name)
        assert page.startswith("<!doctype html>") and "2:3" in page
        assert (
            await asyncio.to_thread(headstring.main, [*start, "result", name, "X", "1", "3"]) == 1
        )
        for player in players:
            await player.close()


@in_loop
async def test_what_an_official_enters_by_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """BR-109: every format from one list of entries, which stays when the format is changed.
    BR-112: a player is told whom he meets next, where and about when."""
    monkeypatch.setenv("HEADSTRING_DATA", str(tmp_path / "home"))
    monkeypatch.setenv("HEADSTRING_PASSWORD", SECRET)
    async with serving(tmp_path, time_scale=1.0) as server:
        adam = await account(server, "Adam", "official")
        await adam.close()
        names = ("Ann", "Bob", "Cid", "Dan")
        players = [await WireClient.connect(server.port, name) for name in names]
        start = ["league", "--server", f"ws://127.0.0.1:{server.port}", "--account", "Adam"]

        async def run(*words: str, status: int = 0) -> str:
            assert await asyncio.to_thread(headstring.main, [*start, *words]) == status
            said = capsys.readouterr()
            return said.out if status == 0 else said.err

        async def seen() -> dict[str, Any]:
            return json.loads(await run("export", name))

        entries = tmp_path / "entries.csv"
        entries.write_text("name,rating\nAnn,600\nBob,540\nNobody,1\nCid,500\nDan,400\n", "utf-8")
        name = (
            await run("create", "Cup", "--ruleset", "eight_ball", "--race", "3",
                      "--chart", "50:3-2", "150:3-1", "--seeding", "hand")
        ).strip()  # fmt: skip
        assert "Nobody" in await run("enter", name, str(entries), status=1)
        for form in ("round_robin", "swiss", "single", "double"):
            await run("format", name, form)
            shown = await seen()
            assert shown["settings"]["format"]["format"] == form
            assert [one["name"] for one in shown["entrants"]] == list(names)
        assert shown["settings"]["ruleset"]["discipline"] == "eight_ball"
        assert "150" in await run("chart", name)
        await run("seed", name, "Dan", "Cid", "Bob", "Ann")
        await run("pause", name, "--reason", "the hall opens at eight")
        await run("stations", name, "1", "2", "3")
        await run("draw", name)
        (dan_ann, cid_bob) = [f["id"] for f in (await seen())["fixtures"] if None not in f["sides"]]
        await run("resume", name)
        book = server.house.club.book
        await eventually(lambda: len(book.kept[name].calls) == 2)
        up = (await run("up", name, "Ann")).splitlines()
        assert up[1].split() == [dan_ann, "Dan", "1", "now"], up
        await run("call", name, dan_ann, "3")
        assert (await run("up", name, "Ann")).splitlines()[1].split()[2:] == ["3", "now"]
        await eventually(lambda: len(server.house.floor.tables) == 2)
        await run("adjourn", name, dan_ann, "--reason", "a cue is broken")
        await eventually(lambda: book.kept[name].facts.held.get(dan_ann) is True)
        assert len(book.kept[name].calls) == 1
        await run("hold", name, cid_bob)
        await run("call-off", name, cid_bob)
        assert not book.kept[name].calls
        # played on a real table, given, and won without an opponent
        await run("result", name, dan_ann, "2", "0", status=1)
        await run("result", name, dan_ann, "0", "3")
        await run("walk-over", name, cid_bob, "Bob", "--reason", "Cid is ill")
        final = next(
            f for f in (await seen())["fixtures"] if f["stage"] == "winners" and f["round"] == 2
        )
        # begun at a table, so that it waits there once the forfeit is taken back
        await eventually(lambda: any(t.match == final["id"] for t in server.house.club.tables))
        await run("forfeit", name, final["id"], "Bob")
        log = (await seen())["log"]
        line = next(x["number"] for x in log if x["act"]["act"] == "forfeit")
        assert "lose their results" not in await run("take-back", name, str(line), "--yes")
        left = next(f for f in (await seen())["fixtures"] if f["id"] == final["id"])
        assert left["outcome"] is None
        await run("withdraw", name, "Cid")
        assert "place,name" in await run("export", name, "--as", "csv", "--what", "standings")
        page = await run("print", name)
        assert "@page { size: A4" in page and "Winners&#x27; side, round 1" in page
        assert '<td class="won">Ann</td>' in page and "rating difference" in page
        # tables of matches that were entered by hand are closed; the final's waits for its players
        waits = {t.table for t in server.house.club.tables if t.match == final["id"]}
        assert len(waits) == 1
        await eventually(lambda: set(server.house.floor.tables) == waits)
        for player in players:
            await player.close()


@in_loop
async def test_teams_are_entered_lined_up_and_scored_board_by_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADSTRING_DATA", str(tmp_path / "home"))
    monkeypatch.setenv("HEADSTRING_PASSWORD", SECRET)
    async with serving(tmp_path, time_scale=1.0) as server:
        await (await account(server, "Adam", "official")).close()
        names = ("Ann", "Bob", "Cid", "Dan")
        players = [await WireClient.connect(server.port, name) for name in names]
        start = ["league", "--server", f"ws://127.0.0.1:{server.port}", "--account", "Adam"]

        async def run(*words: str) -> str:
            assert await asyncio.to_thread(headstring.main, [*start, *words]) == 0
            return capsys.readouterr().out

        teams, season = tmp_path / "teams.csv", tmp_path / "season.json"
        teams.write_text("name,players\nReds,Ann+Cid\nBlues,Bob+Dan\n", encoding="utf-8")
        boards = [{"race_to": 3}, {"players": 2, "race_to": 2}]
        season.write_text(json.dumps({"teams": {"boards": boards, "appearances": 2}}))
        name = (await run("create", "League", "--settings", str(season))).strip()
        await run("enter", name, str(teams))
        await run("draw", name, "--seed", "1")
        (match,) = json.loads(await run("export", name))["fixtures"]
        await run("line-up", name, match["id"], "Reds", "Cid", "Ann+Cid")
        await run("board", name, match["id"], "1", "3", "1")
        await run("board", name, match["id"], "2", "0", "2")
        (match,) = json.loads(await run("export", name))["fixtures"]
        assert match["outcome"]["score"] == [1, 1]
        assert match["outcome"]["boards"] == [[3, 1], [0, 2]]
        assert "1:1" in await run("print", name)
        for player in players:
            await player.close()


def test_every_command_of_the_page_about_a_club_night_is_one() -> None:
    page = (Path(__file__).parents[2] / "docs" / "club.md").read_text(encoding="utf-8")
    parser = argparse.ArgumentParser()
    league.add_arguments(parser)
    blocks = "\n".join(re.findall(r"^```\n(.*?)^```", page, re.M | re.S))
    lines = [line.split("  #")[0] for line in blocks.splitlines()]
    lines += [span for row in re.findall(r"^\|.*\|$", page, re.M) for span in _code(row)]
    commands = [line for line in lines if line.strip() and not line.startswith("headstring")]
    assert len(commands) > 30
    for command in commands:
        words = shlex.split(command.partition(">")[0])
        if words[0].startswith("--"):
            continue  # an option of the command before it
        parser.parse_args(["--server", "ws://127.0.0.1:1", "--account", "Adam", *words])


def _code(row: str) -> list[str]:
    return re.findall(r"`([^`]+)`", row)
