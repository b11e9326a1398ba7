"""The board in a real browser: a match that goes on, sizes of text, a server that restarts."""

import asyncio
import os
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from server.app import MatchServer
from shared_rules import commands as c
from shared_rules import messages as m
from shared_rules.state import Phase
from tests.server.bench_table import in_loop, serving, two_players
from tests.server.club.test_round_robin import drawn, enter
from tests.server.test_oversight import account
from tests.server.web import chromium
from tests.server.web.chromium import Tab
from tests.server.wire_client import WireClient

WITHIN_S = 1.0  # what is asked for; the quickest of some times, since the machine may be busy
PATIENCE_S = 10.0
LEAST_OF_HEIGHT = 4.8 / 100  # of the television's text
ROOT = Path(__file__).parents[3]

TEXTS = """(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const box = element.getBoundingClientRect();
    if (!walker.currentNode.textContent.trim() || !box.width) continue;
    if (!element.checkVisibility() || element.closest("script, noscript")) continue;
    found.push([walker.currentNode.textContent, parseFloat(getComputedStyle(element).fontSize),
                box.right > innerWidth + 1 || box.bottom > innerHeight + 1]);
  }
  return found;
})()"""
STALE = "document.getElementById('stale')"
PICTURE = "document.querySelector('canvas').toDataURL()"


@pytest.fixture(autouse=True)
def _with_chromium() -> None:
    if chromium.found() is None:
        if os.environ.get("HEADSTRING_NEED_CHROMIUM"):
            pytest.fail("Chromium is not installed")
        pytest.skip("Chromium is not installed")


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def _real(tmp_path: Path, port: int) -> Any:
    return serving(tmp_path, workers=True, physics="server.shots:play", port=port, time_scale=2.0)


async def _moves(tabs: list[Tab]) -> float:
    """Balls roll on every page: two pictures differ, and two more; after how many seconds."""
    before = [await tab.value(PICTURE) for tab in tabs]
    began = time.monotonic()
    for tab, picture in zip(tabs, before, strict=True):
        await tab.until(f"{PICTURE} !== {picture!r}", PATIENCE_S)
    took = time.monotonic() - began
    for tab in tabs:
        picture = await tab.value(PICTURE)
        await tab.until(f"{PICTURE} !== {picture!r}", PATIENCE_S)
    return took


async def _says(tabs: list[Tab], selector: str, text: str) -> float:
    """Every page says so; after how many seconds."""
    script = f"document.querySelector({selector!r})?.textContent === {text!r}"
    began = time.monotonic()
    await asyncio.gather(*(tab.until(script, PATIENCE_S) for tab in tabs))
    return time.monotonic() - began


async def _start(server: MatchServer, phone: Tab, television: Tab) -> None:
    base = f"http://127.0.0.1:{server.port}/board"
    await phone.size(390, 844)
    await television.size(1920, 1080)
    await phone.go(f"{base}?lang=cs&theme=light")
    await television.go(f"{base}?lang=en&theme=dark&slide=tables")
    for tab in (phone, television):
        await tab.until("document.querySelector('.table canvas') !== null")


@in_loop
async def test_a_match_goes_on_before_the_eyes_of_all(tmp_path: Path) -> None:
    port = _free_port()
    async with chromium.running(tmp_path / "browser") as browser:
        phone, television = tabs = [await browser.tab(), await browser.tab()]
        async with _real(tmp_path, port) as server:
            ann, bob = await two_players(server, overrides={"match": {"games_to_win": 2}})
            await _start(server, phone, television)
            await _says(tabs, ".side:nth-of-type(1) .name", "Ann")
            await _says([phone], ".note", "rozehrání")
            await ann.strike(1.85)
            await bob.strike(1.4)
            moved_s = await _moves(tabs)
            state = await ann.until_state(lambda s: s.phase is Phase.LAG_CHOICE)
            await (ann, bob)[state.decider].give(c.Choose(option=state.options[0]))
            await ann.until_state(lambda s: s.racked)
            answer = await ann.give(c.Concede())
            assert isinstance(answer, m.Accepted), answer
            told_s = await _says(tabs, ".side:nth-of-type(2) .score", "1")
            assert min(moved_s, told_s) < WITHIN_S
            tokens = ann.token, bob.token
            assert [tab.errors for tab in tabs] == [[], []]
            await _is_legible(television)
            await _fits(phone)
            for tab in tabs:
                assert all(url.startswith(f"http://127.0.0.1:{port}/") or url.startswith("ws://127")
                           for url in tab.requests)  # fmt: skip
        await asyncio.gather(*(tab.until(f"!{STALE}.hidden") for tab in tabs))
        for tab in tabs:
            tab.errors = [error for error in tab.errors if "WebSocket" not in error]
        async with serving(tmp_path, port=port) as server:
            await asyncio.gather(*(tab.until(f"{STALE}.hidden") for tab in tabs))
            ann, bob = [await WireClient.connect(port, token=token) for token in tokens]
            table = next(iter(server.house.floor.tables))
            for client in (ann, bob):
                await client.join(table)
            await ann.until_state(lambda s: s.games == (0, 1))
            await ann.give(c.Concede())
            await _says(tabs, ".side:nth-of-type(2) .score", "2")
        # what a browser says itself of a line that broke is no fault of the page's
        for tab in tabs:
            assert [error for error in tab.errors if "WebSocket" not in error] == []


async def _is_legible(tab: Tab) -> None:
    """Every text of the television is large enough, and on the screen."""
    texts = await tab.value(TEXTS)
    assert len(texts) > 5
    small = [text for text, size, _ in texts if size < LEAST_OF_HEIGHT * 1080 - 0.01]
    assert small == []
    assert [text for text, _, outside in texts if outside] == []


async def _fits(tab: Tab) -> None:
    """Nothing makes the phone's page wider than the phone."""
    assert await tab.value("document.documentElement.scrollWidth") <= 390


@in_loop
async def test_every_slide_is_legible_and_every_page_opens(tmp_path: Path) -> None:
    """A night of sixteen tables: BR-112."""
    names = [f"Player Whose Name Is {n}" for n in range(1, 13)]
    async with serving(tmp_path, new_people_burst=1000.0) as server:
        official = await account(server, "Olga", "official")
        for name in names:
            await (await account(server, name, "player")).close()
        league = await drawn(official, names, [], race_to=3, name="League 2026")
        for match in list(server.house.club.book.kept[league].fixtures.values())[:20]:
            sides = list(match.sides)
            await enter(official, league, "result", match=match.id, sides=sides, score=[3, 1])
        cup = await drawn(
            official, names, ["Table 1", "Table 2"], name="Cup", race_to=5,
            format={"format": "double"},
        )  # fmt: skip
        for _ in range(16):
            await (await WireClient.connect(server.port, f"Guest {_}")).open()
        base = f"http://127.0.0.1:{server.port}/board"
        async with chromium.running(tmp_path / "browser") as browser:
            tab = await browser.tab()
            await tab.size(1920, 1080)
            for slide in ("tables", "all", "next", "standings", "bracket", "results"):
                await tab.go(f"{base}?slide={slide}&lang=cs")
                await tab.until(f"document.querySelector('.slide-{slide}')?.childElementCount > 0")
                await tab.until("document.fonts.status === 'loaded'")
                await _is_legible(tab)
            await tab.size(390, 844)
            player = next(iter(server.house.club.book.kept[cup].calls.values())).sides[0]
            for path, wanted in (
                ("", ".standings"), (f"/competition/{league}", ".standings"),
                (f"/competition/{cup}", ".bracket"), (f"/player/{player}", ".up-next .where"),
                (f"/player/{names[3]}", ".opponents, .tile"), ("/players", "td a"),
            ):  # fmt: skip
                await tab.go(base + path)
                await tab.until(f"document.querySelector({wanted!r}) !== null")
                await _fits(tab)
            assert tab.errors == []


def test_the_board_reads_trajectories_as_the_example_does() -> None:
    """The tests of the examples hold that one to ours; the board serves a copy of it."""
    copy = ROOT / "server" / "web" / "board" / "pages" / "trajectory.js"
    example = ROOT / "examples" / "node" / "trajectory.mjs"
    assert copy.read_text(encoding="utf-8") == example.read_text(encoding="utf-8")
