"""The client's window off-screen, used as a person uses it; and a server in a thread beside it."""

import asyncio
import threading
import time
from contextlib import contextmanager

from client.play.settings import Preferences, load_settings
from client.scene import WindowOptions, open_window
from client.screens.shell import Shell
from client.screens.start import StartScreen
from client.screens.window import Frames, Window
from server import shots
from server.app import MatchServer
from tests.server.bench_table import config
from tests.server.fake_physics import InlinePool

SMALL = (640, 360)


class User:
    """Eyes and hands at the one window, from the start screen on."""

    def __init__(self, size=SMALL, **changes) -> None:
        base = open_window(WindowOptions(size=size, offscreen=True))
        self.preferences = Preferences(load_settings(), keep=True)
        if changes:
            self.preferences.change(**changes)
        self.window = Window(base, self.preferences)
        self.shell = Shell(StartScreen(self.window, time_scale=8.0))
        self.frames = Frames(self.window, self.shell)
        self.step(2)

    # --- eyes ----------

    @property
    def top(self):
        return self.shell.top

    @property
    def where(self) -> str:
        return type(self.top).__name__

    @property
    def page(self):
        return self.top.view.page

    @property
    def notice(self) -> str:
        return self.page.notice

    def sees(self, text: str) -> bool:
        return text in self.page.texts()

    # --- hands ----------

    def step(self, count=1) -> None:
        for _ in range(count):
            self.frames.step()

    def until(self, condition, longest=30.0) -> None:
        end = time.monotonic() + longest
        while not condition():
            assert time.monotonic() < end, (self.where, getattr(self.top, "notice", ""))
            self.step()
            time.sleep(0.004)

    def while_(self, server, coroutine):
        """Go on until something at the server's side is done; its result."""
        going = asyncio.run_coroutine_threadsafe(coroutine, server.loop)
        self.until(going.done)
        return going.result()

    def tap(self, *names: str) -> None:
        for name in names:
            self.window.inputs.press(name)
            self.step()
            self.window.inputs.release(name)
            self.step()

    def push(self, action: str) -> None:
        """Click on something of the page, once it lies still: what a server tells moves it."""
        there = None
        while there != (there := self.top.view.centre_of(action)):
            self.window.inputs.move(*there)
            self.step()
        self.tap("mouse1")

    def write(self, field: str, text: str) -> None:
        """Click into a line, take away what stands there and type."""
        self.push(field)
        self.tap("end")
        while self.top.entries[field].text:
            self.tap("backspace")
        self.window.inputs.type(text)
        self.step()

    def focus(self, action: str) -> None:
        """Go there by the tabulator."""
        for _ in range(80):
            if self.top.focus == action:
                return
            self.tap("tab")
        raise AssertionError(f"the tabulator does not reach {action}")

    def close(self) -> None:
        self.shell.close()


class RealShots(InlinePool):
    """Real shots, since the client reads them, in the server's own process."""

    async def run(self, job):
        return shots.play(job)


class Beside:
    """A server in a thread of its own; ``do`` runs a coroutine there."""

    def __init__(self, folder, **changes) -> None:
        self._ready = threading.Event()
        self._folder, self._changes = folder, changes
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()), daemon=True)
        self._thread.start()
        assert self._ready.wait(30.0)

    async def _main(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        self._folder.mkdir(exist_ok=True)
        server = await MatchServer.start(config(self._folder, **self._changes), RealShots())
        self.port = server.port
        self.server = server
        self._ready.set()
        try:
            await self._over.wait()
        finally:
            await server.stop()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30.0)

    def stop(self) -> None:
        if self._thread.is_alive():
            self.loop.call_soon_threadsafe(self._over.set)
            self._thread.join(20.0)


@contextmanager
def beside(folder, **changes):
    made = Beside(folder, **changes)
    try:
        yield made
    finally:
        made.stop()
