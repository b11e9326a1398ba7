"""``headstring demo``: two bots play a race over real sockets, and a spectator takes pictures.

Needs no display.  The spectator is the real client, drawn off-screen; it looks at the room's events
one by one, so that no moment passes between two frames.
"""

import argparse
import asyncio
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from client.bot.levels import LEVELS
from client.bot.player import BotPlayer, Seating
from client.hud.points import score_of
from client.net.session import Session
from client.net.thread import NetThread
from client.offline import NotStarted, PrivateServer
from client.play.app import TableApp
from client.play.settings import Settings
from client.scene.window import NoRenderer, WindowOptions, close_window, open_window, screenshot
from physics.simulation import warm_up
from shared_rules.disciplines import discipline_of
from shared_rules.presets import merge
from shared_rules.rerack import stands_without_apex
from shared_rules.state import MatchState, Phase

NAMES = ("Ada", "Bob")
FOND_OF_PUSH_OUTS = 0.75
"""In the demo a push-out is played sooner than in a serious match, so that one is seen."""
BREAK_AT_S, LAG_AT_S = 0.3, 1.2
W, H, SHRINK = 1280, 720, 2
"""Size of the pictures, which are drawn larger and shrunk: edges are smooth then."""
WAIT_S = 0.05
PATIENCE_S = 5.0
"""Longest silence before the end of a match that is over for the bots is given up."""


def run(options: argparse.Namespace) -> int:
    """Play the race, printing the score as it goes; the exit status."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = Path(options.folder).resolve()
    base = None
    if not options.no_pictures:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            print(f"headstring demo: no pictures can be put in {folder}: {error.strerror}; "
                  "name another with --folder", file=sys.stderr)  # fmt: skip
            return 1
        try:
            base = open_window(WindowOptions(size=(SHRINK * W, SHRINK * H), offscreen=True))
        except NoRenderer as error:
            print(f"No pictures: {error}", flush=True)
    print("loading the physics …", flush=True)
    warm_up(wait=False)
    with tempfile.TemporaryDirectory(prefix="headstring-", ignore_cleanup_errors=True) as temporary:
        server = PrivateServer(Path(temporary) / "demo.sqlite3", options.speed)
        try:
            url = server.start()
            print(f"a server listens on {url}; its clock runs {options.speed:g} times as fast")
            return _play(url, base, folder, options)
        except NotStarted as error:
            print(f"headstring demo: {error}", file=sys.stderr)
            return 1
        finally:
            server.stop()
            if base is not None:
                close_window()


def _play(url: str, base, folder: Path, options: argparse.Namespace) -> int:
    bots = Bots(url, options)
    bots.start()
    watcher = Session("Camera", program="headstring demo")
    net = NetThread(url, watcher)
    net.start()
    album = Album(base, watcher, folder, options.language) if base is not None else None
    watching = False
    patience = PATIENCE_S
    try:
        # Drawing takes longer than playing on a fast clock: what has come is looked at to the end.
        while not bots.done or (not ended(watcher) and patience > 0.0):
            event = net.next_event(WAIT_S)
            net.send(time.monotonic())
            if event is not None:
                watcher.handle(event)
                if album is not None:
                    album.look()
            elif bots.done:
                patience -= WAIT_S
            if bots.table and not watching and watcher.phase == "ready":
                watcher.watch(bots.table)
                watching = True
            if watcher.view is not None and watcher.view.known:
                bots.let_second_in()
    finally:
        net.close()
        bots.stop()
    if album is not None:
        album.close()
    if bots.problem:
        print(f"headstring demo: {bots.problem}", file=sys.stderr)
        return 1
    print(f"the match is over: {NAMES[0]} {bots.score} {NAMES[1]}", flush=True)
    return 0


def overrides(options: argparse.Namespace) -> dict[str, Any]:
    """What is changed of the rules: how long the match is."""
    usual = 1 if options.ruleset.discipline == "straight_pool" else 3
    changed: dict[str, Any] = {"match": {"games_to_win": options.race or usual}}
    if options.points:
        changed["target"] = options.points
    return merge(options.ruleset.overrides, changed)


def ended(watcher: Session) -> bool:
    """Whether the match that is watched has come to its end here."""
    state = watcher.view.state if watcher.view is not None else None
    return state is not None and state.phase is Phase.MATCH_OVER


class Bots:
    """Two bots on a thread of their own; the second waits until somebody watches."""

    def __init__(self, url: str, options: argparse.Namespace) -> None:
        opens = {
            "ruleset": options.ruleset.preset,
            "overrides": overrides(options),
        }
        says: tuple[Callable[[str], None], ...] = (lambda t: print(t, flush=True), lambda t: None)
        self._players = []
        for k, name in enumerate(NAMES):
            session = Session(name, program="headstring demo")
            seating = Seating(open_options=opens if k == 0 else None)
            bot = BotPlayer(
                url, session, LEVELS[options.level], seating, 2 * options.seed + k, says[k]
            )
            bot.worth_playing = FOND_OF_PUSH_OUTS
            self._players.append(bot)
        self._second = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="headstring-bots", daemon=True)
        self.problem = ""
        self._end: MatchState | None = None

    def start(self) -> None:
        """The first bot opens a table."""
        self._thread.start()

    def let_second_in(self) -> None:
        """The second sits down, and the match begins."""
        self._second.set()

    def stop(self) -> None:
        """End both, should they still play."""
        self._stopped.set()
        self._second.set()
        self._thread.join(5.0)

    @property
    def table(self) -> str | None:
        """The table, once it is open."""
        view = self._players[0].session.view
        return view.table if view is not None and view.known else None

    @property
    def done(self) -> bool:
        """Whether the match is over, or nobody plays on."""
        return not self._thread.is_alive()

    @property
    def score(self) -> str:
        """Games won by each, or the points of the only one."""
        return score_of(self._end).replace(" ", "") if self._end is not None else "–"

    def _run(self) -> None:
        self.problem = "the match did not come to its end"
        try:
            self._end = asyncio.run(self._both())
        except (ConnectionError, ValueError) as error:
            self.problem = str(error)
        else:
            if self._end is not None:
                self.problem = ""

    async def _both(self) -> MatchState | None:
        first = asyncio.create_task(self._players[0].run())
        watched = asyncio.create_task(asyncio.to_thread(self._second.wait))
        await asyncio.wait({first, watched}, return_when=asyncio.FIRST_COMPLETED)
        second = asyncio.create_task(self._players[1].run())
        stopped = asyncio.create_task(asyncio.to_thread(self._stopped.wait))
        both = asyncio.gather(first, second)
        await asyncio.wait({both, stopped}, return_when=asyncio.FIRST_COMPLETED)
        self._stopped.set()
        if not both.done():
            both.cancel()
            await asyncio.gather(both, return_exceptions=True)
            return None
        return both.result()[0]


class Album:
    """The pictures of a match: each moment once, when it comes."""

    def __init__(self, base, session: Session, folder: Path, language: str) -> None:
        self._base, self._session, self._folder = base, session, folder
        settings = Settings(language=language, quality="high")
        self._app = TableApp(base, session, lambda now: None, settings, warm=False)
        self._taken: dict[str, Path] = {}

    def look(self) -> None:
        """Take a picture if the match is at a moment that has none yet."""
        view = self._session.view
        state = view.state if view is not None else None
        if state is None:
            return
        moment = moment_of(state)
        if moment is None or moment[0] in self._taken:
            return
        name, at, camera = moment
        self._app.hand.view = camera
        self._app.stage.playback.at = at
        for _ in range(2):
            self._app.step()
            if self._app.stage.scene is not None:
                self._app.stage.scene.cameras.settle()
        path = self._folder / f"{name}.png"
        screenshot(self._base, path, shrink=SHRINK)
        self._app.stage.playback.at = None
        self._taken[name] = path

    def close(self) -> None:
        """Say where the pictures are, and which moments did not come."""
        self._app.destroy()
        missing = [name for name in MOMENTS if name not in self._taken]
        if self._taken:
            print(f"{len(self._taken)} pictures in {self._folder}", flush=True)
        if missing:
            print("not in this match: " + ", ".join(missing), flush=True)


MOMENTS = (
    "1-lag", "2-rack", "3-break", "4-ball-in-hand", "5-push-out", "5-free-shot", "5-new-rack",
    "6-end",
)  # fmt: skip
_PLACING = (Phase.PLACE_CUE_ANYWHERE, Phase.PLACE_CUE_HEAD, Phase.PLACE_CUE_BAULK)


def moment_of(state: MatchState) -> tuple[str, float | None, str] | None:
    """The moment that a state is: name of its picture, seconds into the shot, and the view."""
    running = state.running
    if state.phase is Phase.SHOT_RUNNING and running is not None:
        if len(running.strokes) == 2:
            return "1-lag", LAG_AT_S, "overhead"
        if state.is_break:
            return "3-break", BREAK_AT_S, "broadcast"
    if state.phase is Phase.PLACE_CUE_FOR_BREAK and state.racked:
        return "2-rack", None, "broadcast"
    if state.phase in _PLACING and not state.cue_placed:
        return "4-ball-in-hand", None, "overhead"
    if state.phase is Phase.DECIDE_AFTER_PUSH_OUT:
        return "5-push-out", None, "overhead"
    if state.phase is Phase.FREE_SHOT:
        return "5-free-shot", None, "overhead"
    if state.phase is Phase.AWAIT_SHOT and new_rack(state):
        return "5-new-rack", None, "broadcast"
    if state.phase is Phase.MATCH_OVER:
        return "6-end", None, "broadcast"
    return None


def new_rack(state: MatchState) -> bool:
    """Whether fourteen balls of straight pool stand as racked."""
    rules, frame = state.description.ruleset, state.description.frame
    if rules.discipline != "straight_pool" or state.rack_number < 2:
        return False
    pattern = discipline_of(rules).rack
    return stands_without_apex(state.balls, pattern, frame, rules.rack.gap_mm)
