"""A real browser without a window, driven over its DevTools protocol."""

import asyncio
import base64
import contextlib
import itertools
import json
import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_STARTS_S = 30.0
_ANSWERS_S = 20.0


def found() -> str | None:
    """The program; None: there is none here."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Tab:
    """A page that is shown; ``errors``: what its scripts threw or called an error."""

    def __init__(self, browser: "Browser", session: str) -> None:
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._browser = browser
        self._session = session

    async def send(self, method: str, **params: Any) -> Any:
        return await self._browser.send(method, self._session, **params)

    async def size(self, width: int, height: int, dots: float = 1.0) -> None:
        await self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=dots, mobile=False,
        )  # fmt: skip

    async def go(self, url: str) -> None:
        await self.send("Page.navigate", url=url)

    async def value(self, script: str) -> Any:
        """The value of an expression on the page, waited for if it is a promise."""
        told = await self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    async def until(self, script: str, seconds: float = 15.0) -> Any:
        """Once an expression is true."""
        async with asyncio.timeout(seconds):
            while not (value := await self.value(script)):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            return value

    async def picture(self, path: Path) -> None:
        told = await self.send("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(told["data"]))  # noqa: ASYNC240

    def heard(self, method: str, params: dict[str, Any]) -> None:
        """An event of the page."""
        match method:
            case "Runtime.exceptionThrown":
                self.errors.append(json.dumps(params["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning", "assert"):
                self.errors.append(json.dumps(params["args"]))
            case "Log.entryAdded" if params["entry"]["level"] == "error":
                self.errors.append(f"{params['entry']['text']} {params['entry'].get('url')}")
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])


class Browser:
    """Use ``async with running(folder) as browser``."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._tabs: dict[str, Tab] = {}
        self._task = asyncio.create_task(self._read())

    async def tab(self) -> Tab:
        target = await self.send("Target.createTarget", url="about:blank")
        told = await self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        tab = self._tabs[told["sessionId"]] = Tab(self, told["sessionId"])
        for domain in ("Page", "Runtime", "Log", "Network"):
            await tab.send(f"{domain}.enable")
        return tab

    async def send(self, method: str, session: str | None = None, **params: Any) -> Any:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        await self._socket.send(json.dumps(message))
        return await asyncio.wait_for(answer, _ANSWERS_S)

    async def _read(self) -> None:
        async for text in self._socket:
            told = json.loads(text)
            if "id" in told:
                answer = self._waiting.pop(told["id"])
                if answer.done():
                    continue
                if "error" in told:
                    answer.set_exception(AssertionError(told["error"]))
                else:
                    answer.set_result(told["result"])
            elif (tab := self._tabs.get(told.get("sessionId", ""))) is not None:
                tab.heard(told["method"], told["params"])

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._socket.close()


@contextlib.asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Browser]:
    """A browser with everything that it keeps in a folder."""
    program = found()
    assert program is not None
    process = subprocess.Popen(  # noqa: ASYNC220
        [
            program, "--headless", "--remote-debugging-port=0", f"--user-data-dir={folder}",
            "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--disable-background-networking", "--disable-sync", "--mute-audio",
            *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
            "about:blank",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        place = folder / "DevToolsActivePort"
        async with asyncio.timeout(_STARTS_S):
            while not (lines := _lines(place)):
                assert process.poll() is None, "the browser has ended"
                await asyncio.sleep(0.05)
        socket = await connect(
            f"ws://127.0.0.1:{lines[0]}{lines[1]}", max_size=None, compression=None
        )
        browser = Browser(socket)
        try:
            yield browser
        finally:
            with contextlib.suppress(Exception):
                await browser.send("Browser.close")
            await browser.close()
    finally:
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _lines(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="ascii").split()
    except OSError:
        return []
    return lines if len(lines) == 2 else []
