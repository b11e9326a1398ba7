"""``headstring league``: a competition from its entries to the sheet for the wall."""

import asyncio
import json
from pathlib import Path

import pytest

import headstring
from tests.server.bench_table import in_loop, serving
from tests.server.test_accounts import SECRET
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
        assert page.startswith("<!doctype html>") and "<td>Ann - Bob</td>" in page
        assert (
            await asyncio.to_thread(headstring.main, [*start, "result", name, "X", "1", "3"]) == 1
        )
        for player in players:
            await player.close()
